//! Which proxy stands before which server, as the environment says. There is no standard for these
//! variables; read here is what curl, Go, Python and Node agree on, and where they do not, what is kinder.

use std::net::IpAddr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use url::Url;

use super::connect_error::{Cause, Step};
use super::dial::is_localhost;
use super::origin::Origin;

/// The proxies that are used.
#[derive(Debug, Clone, Default)]
pub struct Proxies {
    http: Option<Setting>,
    https: Option<Setting>,
    except: Vec<Exception>,
}

/// What a variable says, and which it was.
#[derive(Debug, Clone)]
struct Setting {
    variable: String,
    value: String,
}

/// One proxy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Proxy {
    /// Where it is, and whether it is itself reached by TLS.
    pub(super) origin: Origin,
    /// The value of `Proxy-Authorization`, from the user and password in its URL.
    pub(super) authorization: Option<String>,
    /// The variable that named it.
    pub(super) variable: String,
}

/// One entry of `NO_PROXY`.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Exception {
    All,
    /// A name, and all names below it.
    Name(String, Option<u16>),
    Address(IpAddr, Option<u16>),
    /// The addresses that begin with so many bits of this one.
    Net(IpAddr, u32),
}

impl Proxies {
    /// None: every server is reached directly.
    pub const fn none() -> Self {
        Self { http: None, https: None, except: Vec::new() }
    }

    /// What `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` say, in capital or small letters. What
    /// they say wrongly is told when a server is to be reached through it.
    pub fn from_env() -> Self {
        Self::read(|name| std::env::var(name).ok())
    }

    /// The same from anything else that has variables.
    pub(super) fn read(get: impl Fn(&str) -> Option<String>) -> Self {
        let setting = |name: &str| {
            let names = [name.to_ascii_lowercase(), name.to_owned()];
            names.into_iter().find_map(|variable| {
                let value = get(&variable)?.trim().to_owned();
                (!value.is_empty()).then_some(Setting { variable, value })
            })
        };
        let all = setting("ALL_PROXY");
        let except = setting("NO_PROXY").map(|setting| exceptions(&setting.value)).unwrap_or_default();
        Self { http: setting("HTTP_PROXY").or_else(|| all.clone()), https: setting("HTTPS_PROXY").or(all), except }
    }

    /// The proxy for a server; `None` when it is reached directly, as this machine always is.
    pub(super) fn before(&self, origin: &Origin) -> Result<Option<Proxy>, Cause> {
        let Some(setting) = (if origin.tls { &self.https } else { &self.http }) else { return Ok(None) };
        let address = origin.host.parse::<IpAddr>().ok();
        let is_here = is_localhost(&origin.host) || address.is_some_and(|address| address.is_loopback());
        if is_here || self.except.iter().any(|exception| exception.covers(origin, address)) {
            return Ok(None);
        }
        setting.proxy().map(Some).map_err(|why| Cause::new(Step::Proxy, why))
    }
}

impl Setting {
    fn proxy(&self) -> Result<Proxy, String> {
        let Self { variable, value } = self;
        let whole = if value.contains("://") { value.clone() } else { format!("http://{value}") };
        // The value is not shown: it may hold a password.
        let url = Url::parse(&whole)
            .map_err(|fault| format!("the value of {variable} is not a URL ({fault}); write http://HOST:PORT"))?;
        let Some(origin) = Origin::of(&url) else {
            let scheme = url.scheme();
            return Err(format!(
                "{variable} names a proxy of the kind {scheme}, which is not spoken here; name one of the kind http, or \
                 except the server with NO_PROXY"
            ));
        };
        let user = percent_decoded(url.username());
        let password = percent_decoded(url.password().unwrap_or_default());
        let known = !url.username().is_empty() || url.password().is_some();
        let authorization = known.then(|| format!("Basic {}", STANDARD.encode([&user[..], b":", &password].concat())));
        Ok(Proxy { origin, authorization, variable: variable.clone() })
    }
}

impl Exception {
    fn covers(&self, origin: &Origin, address: Option<IpAddr>) -> bool {
        let port_fits = |port: &Option<u16>| port.is_none_or(|port| port == origin.port);
        match self {
            Self::All => true,
            Self::Name(name, port) => port_fits(port) && is_below(&origin.host, name),
            Self::Address(except, port) => port_fits(port) && address == Some(*except),
            Self::Net(net, bits) => address.is_some_and(|address| shares(address, *net, *bits)),
        }
    }
}

fn exceptions(list: &str) -> Vec<Exception> {
    list.split([',', ' ']).map(str::trim).filter(|entry| !entry.is_empty()).map(exception).collect()
}

fn exception(entry: &str) -> Exception {
    if entry == "*" {
        return Exception::All;
    }
    let net = entry.split_once('/').and_then(|(net, bits)| Some((net.parse().ok()?, bits.parse().ok()?)));
    if let Some((net, bits)) = net {
        return Exception::Net(net, bits);
    }
    let bare = |text: &str| text.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().ok();
    if let Some(address) = bare(entry) {
        return Exception::Address(address, None);
    }
    let (host, port) = match entry.rsplit_once(':').map(|(host, port)| (host, port.parse().ok())) {
        Some((host, Some(port))) => (host, Some(port)),
        _ => (entry, None),
    };
    match bare(host) {
        Some(address) => Exception::Address(address, port),
        None => Exception::Name(host.trim_start_matches("*.").trim_start_matches('.').to_ascii_lowercase(), port),
    }
}

/// Whether `host` is `name` or lies below it.
fn is_below(host: &str, name: &str) -> bool {
    let host = host.to_ascii_lowercase();
    let front = host.strip_suffix(name);
    !name.is_empty() && front.is_some_and(|front| front.is_empty() || front.ends_with('.'))
}

/// Whether two addresses of one kind have their first bits in common.
fn shares(one: IpAddr, other: IpAddr, bits: u32) -> bool {
    let differ = match (one, other) {
        (IpAddr::V4(one), IpAddr::V4(other)) => u128::from(one.to_bits() ^ other.to_bits()) << 96,
        (IpAddr::V6(one), IpAddr::V6(other)) => one.to_bits() ^ other.to_bits(),
        _ => return false,
    };
    differ.leading_zeros() >= bits
}

/// The bytes that a part of a URL stands for.
fn percent_decoded(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let pair = bytes.get(at + 1..at + 3).and_then(|pair| std::str::from_utf8(pair).ok());
        match pair.and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            Some(byte) if bytes[at] == b'%' => {
                decoded.push(byte);
                at += 3;
            }
            _ => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxies(variables: &[(&str, &str)]) -> Proxies {
        Proxies::read(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
    }

    fn before(variables: &[(&str, &str)], url: &str) -> Option<String> {
        let origin = Origin::of(&Url::parse(url).expect("a URL")).expect("of HTTP");
        let proxy = proxies(variables).before(&origin).expect("no fault")?;
        Some(format!("{} {}", proxy.variable, proxy.origin))
    }

    #[test]
    fn each_scheme_has_its_variable_and_small_letters_go_first() {
        let set = [("HTTP_PROXY", "http://a:1"), ("HTTPS_PROXY", "b:2"), ("https_proxy", "c:3"), ("ALL_PROXY", "d:4")];
        assert_eq!(before(&set, "http://x.test/").as_deref(), Some("HTTP_PROXY http://a:1"));
        assert_eq!(before(&set, "https://x.test/").as_deref(), Some("https_proxy http://c:3"));
        assert_eq!(before(&set[3..], "https://x.test/").as_deref(), Some("ALL_PROXY http://d:4"));
        assert_eq!(
            before(&[("HTTPS_PROXY", "https://p.test")], "https://x.test/").as_deref(),
            Some("HTTPS_PROXY https://p.test")
        );
        assert_eq!(before(&[("HTTPS_PROXY", " ")], "https://x.test/"), None);
        assert_eq!(before(&set, "http://localhost:3000/"), None);
        assert_eq!(before(&set, "http://[::1]:3000/"), None);
        assert_eq!(before(&set, "http://127.0.0.9/"), None);
    }

    #[test]
    fn what_is_excepted_is_reached_directly() {
        let direct = |list: &str, url: &str| before(&[("HTTP_PROXY", "p:1"), ("no_proxy", list)], url).is_none();
        assert!(direct("*", "http://a.test/"));
        for list in ["a.test", ".a.test", "*.a.test", "x, A.TEST:80 ,y"] {
            assert!(direct(list, "http://b.a.test/"), "{list}");
            assert!(!direct(list, "http://ba.test/"), "{list}");
        }
        assert!(!direct("a.test:81", "http://a.test/"));
        assert!(direct("10.0.0.0/8", "http://10.200.3.4/"));
        assert!(!direct("10.0.0.0/8", "http://11.0.0.1/"));
        assert!(direct("fd00::/8", "http://[fd12::1]/"));
        assert!(direct("10.1.2.3:8080", "http://10.1.2.3:8080/"));
        assert!(!direct("10.1.2.3:8080", "http://10.1.2.3/"));
        assert!(direct("[fd12::1]", "http://[fd12::1]:9/"));
        assert!(!direct("", "http://a.test/"));
    }

    #[test]
    fn a_password_is_sent_and_never_shown() {
        let set = proxies(&[("HTTP_PROXY", "http://me:s%3Acret@p.test:3128")]);
        let origin = Origin { tls: false, host: "x.test".to_owned(), port: 80 };
        let proxy = set.before(&origin).expect("no fault").expect("a proxy");
        assert_eq!(proxy.authorization, Some(format!("Basic {}", STANDARD.encode("me:s:cret"))));
        let why = |value: &str| proxies(&[("HTTP_PROXY", value)]).before(&origin).expect_err("a fault").why;
        assert!(why("socks5://me:s3cret@p.test").contains("of the kind socks5"), "{}", why("socks5://p.test"));
        assert!(!why("http://me:s3cret@p.test:port").contains("s3cret"));
    }
}
