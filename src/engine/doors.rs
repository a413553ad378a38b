//! Who may use a listener on loopback, a tap's or a server's: the checks of `Host` and `Origin` that keep web pages out (DNS
//! rebinding: a page's own name made to point at 127.0.0.1). Pure; it answers nobody.

use std::net::IpAddr;

use url::{Host, Url};

/// Whom a listener lets in.
#[derive(Debug, Clone)]
pub struct Doors {
    /// Our port: an origin with it is the tap's own.
    pub port: u16,
    /// Whether others than this machine may come.
    pub allow_remote: bool,
    /// Origins that are let in beside those of this machine, as browsers write them; `*` for all.
    pub origins: Vec<String>,
    /// What lets others in, to be said to who is kept out: `start the tap with --allow-origin`; empty where nothing does.
    pub remedy: &'static str,
}

/// Whose page a request came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// One that was loaded through the tap: upstream it must read as the server's own.
    Ourselves,
    /// Another page that may.
    Another,
}

impl Doors {
    /// Whether the server may be called by this `Host`. An error says what to do.
    pub fn host(&self, host: &str) -> Result<(), String> {
        let name = without_port(host);
        let is_let_in = is_loopback(name)
            || self.allow_remote && parse_ip(name).is_some()
            || self.origins.iter().any(|origin| origin == "*" || host_of(origin).is_some_and(|known| known == name));
        if is_let_in {
            return Ok(());
        }
        let or = self.remedy(|remedy| format!(", or {remedy} http://{host} if it is yours"));
        Err(format!(
            "the Host {host:?} is not this machine's (a web page can make its own name point here). Use \
             127.0.0.1 or localhost in the URL{or}."
        ))
    }

    /// Whether a page of this `Origin` may use the tap, and whose it is; `host` is how it called the tap.
    pub fn origin(&self, origin: &str, host: &str) -> Result<From, String> {
        if let Some(url) = Url::parse(origin).ok().filter(|url| matches!(url.scheme(), "http" | "https")) {
            let name = url.host_str().unwrap_or_default();
            let port = url.port_or_known_default();
            let is_same = origin.split_once("://").is_some_and(|(_, authority)| authority.eq_ignore_ascii_case(host));
            if is_same || is_loopback(name) && port == Some(self.port) {
                return Ok(From::Ourselves);
            }
            if is_loopback(name) {
                return Ok(From::Another);
            }
        }
        if self.origins.iter().any(|known| known == "*" || known.trim_end_matches('/').eq_ignore_ascii_case(origin)) {
            return Ok(From::Another);
        }
        let or = self.remedy(|remedy| format!("; {remedy} {origin} if this one may"));
        Err(format!("pages of {origin:?} may not come here{or}."))
    }

    fn remedy(&self, say: impl FnOnce(&str) -> String) -> String {
        if self.remedy.is_empty() { String::new() } else { say(self.remedy) }
    }
}

/// Whether a name or address, in brackets or not, means this machine whatever a name server says.
fn is_loopback(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let is_local =
        |name: &str| name.eq_ignore_ascii_case("localhost") || name.to_ascii_lowercase().ends_with(".localhost");
    is_local(name) || parse_ip(name).is_some_and(|address| address.is_loopback())
}

fn parse_ip(name: &str) -> Option<IpAddr> {
    match Host::parse(name).ok()? {
        Host::Ipv4(address) => Some(address.into()),
        Host::Ipv6(address) => Some(IpAddr::V6(address).to_canonical()),
        Host::Domain(_) => None,
    }
}

/// `host` without its port.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty() => name,
        _ => host,
    }
}

fn host_of(origin: &str) -> Option<String> {
    Url::parse(origin).ok()?.host_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doors(allow_remote: bool, origins: &[&str]) -> Doors {
        let origins = origins.iter().map(|&origin| origin.to_owned()).collect();
        Doors { port: 4000, allow_remote, origins, remedy: "start the tap with --allow-origin" }
    }

    #[test]
    fn only_names_that_always_mean_this_machine_are_let_in() {
        let closed = doors(false, &[]);
        let fine =
            ["localhost:4000", "127.0.0.1:4000", "[::1]:4000", "LOCALHOST", "127.0.0.2", "a.localhost:1", "[::1]"];
        for host in fine {
            assert_eq!(closed.host(host), Ok(()), "{host}");
        }
        let foreign =
            ["evil.com:4000", "evil.com", "localhost.evil.com", "127.0.0.1.evil.com", "192.168.0.4:4000", "", "[::2]"];
        for host in foreign {
            assert!(closed.host(host).expect_err(host).contains("--allow-origin"), "{host}");
        }
        assert_eq!(doors(true, &[]).host("192.168.0.4:4000"), Ok(()));
        assert!(doors(true, &[]).host("evil.com").is_err(), "a name can be rebound, an address cannot");
        assert_eq!(doors(false, &["http://box.lan:4000"]).host("box.lan:4000"), Ok(()));
    }

    #[test]
    fn origins_are_ours_anothers_or_kept_out() {
        let closed = doors(false, &["vscode-webview://abc", "https://app.example.com/"]);
        let origin = |origin| closed.origin(origin, "127.0.0.1:4000").ok();
        for ours in ["http://127.0.0.1:4000", "http://localhost:4000", "https://[::1]:4000"] {
            assert_eq!(origin(ours), Some(From::Ourselves), "{ours}");
        }
        for another in ["http://localhost:6274", "https://127.0.0.1", "vscode-webview://abc", "https://app.example.com"]
        {
            assert_eq!(origin(another), Some(From::Another), "{another}");
        }
        for foreign in
            ["http://evil.com", "null", "", "http://localhost.evil.com:4000", "file://", "http://evil.com:4000"]
        {
            assert_eq!(origin(foreign), None, "{foreign}");
        }
        assert_eq!(doors(false, &["*"]).origin("null", ""), Ok(From::Another));
    }
}
