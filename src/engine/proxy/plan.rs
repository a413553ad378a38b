//! What is worked out from the options before anything is started: whom the tap stands for, what the
//! recording is called and says of it. Opens nothing.

use std::net::SocketAddr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use url::Url;

use super::address;
use super::options::{Mode, Options};
use super::{StartError, site::Site};
use crate::engine::record::secrets;
use crate::model::{Nanos, Recording, Role, Transport};
use crate::transport::http::Origin;

/// What was worked out.
#[derive(Debug)]
pub struct Outline {
    /// The addresses of which the first that can be bound is listened at.
    pub addresses: Vec<SocketAddr>,
    /// The server, in reverse mode.
    pub site: Option<std::sync::Arc<Site>>,
    /// What stands behind the origin in the URL that a client is pointed at.
    pub path: String,
    /// The server's URL without secrets; `None` for a forward proxy.
    pub url: Option<String>,
    /// What the server is called.
    pub name: String,
    /// Fields to add upstream.
    pub headers: Vec<(String, String)>,
}

impl Outline {
    /// Works it out, or says what is wrong with the options.
    pub fn of(options: &Options) -> Result<Self, StartError> {
        let addresses = address::of(&options.listen, options.allow_remote)
            .map_err(|why| StartError::Listen { listen: options.listen.clone(), why })?;
        let mut headers = options.headers.clone();
        for (name, value) in &headers {
            check(name, value)?;
        }
        let name = options.name.clone();
        let Mode::Reverse { url } = &options.mode else {
            let name = name.unwrap_or_else(|| "proxy".to_owned());
            return Ok(Self { addresses, site: None, path: String::new(), url: None, name, headers });
        };
        let (parsed, origin) = parse(url)?;
        let site = Site::new(origin);
        if let Some(basic) = basic(&parsed)
            && !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization"))
        {
            headers.push(("Authorization".to_owned(), basic));
        }
        let name = name.unwrap_or_else(|| {
            if is_local(&site.origin.host) { site.authority.clone() } else { site.origin.host.clone() }
        });
        let path = path(url).to_owned();
        let shown = masked(&format!("{}{path}", site.name), options.keep_secrets);
        Ok(Self { addresses, site: Some(site), path, url: Some(shown), name, headers })
    }

    /// The facts about the recording.
    pub fn facts(&self, started: Nanos, host: Option<crate::model::Host>) -> Recording {
        Recording {
            name: self.name.clone(),
            role: Role::Tap,
            transport: Transport::HttpRequest,
            command: Vec::new(),
            left_out: 0,
            url: self.url.clone(),
            directory: std::env::current_dir().ok().map(|folder| folder.to_string_lossy().into_owned()),
            host,
            recorder: std::process::id(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            started,
            ended: None,
            lost: 0,
        }
    }
}

/// A URL without what looks like a secret.
pub fn masked(url: &str, keep_secrets: bool) -> String {
    if keep_secrets { url.to_owned() } else { secrets::mask_word(url) }
}

fn parse(url: &str) -> Result<(Url, Origin), StartError> {
    let fault = |why: &str| StartError::Url { url: masked(url, false), why: why.to_owned() };
    let parsed = Url::parse(url.trim()).map_err(|error| fault(&error.to_string()))?;
    let origin = Origin::of(&parsed).ok_or_else(|| fault("it is neither http nor https"))?;
    Ok((parsed, origin))
}

/// Path and query as the user gave them.
fn path(url: &str) -> &str {
    let rest = url.trim().split_once("://").map_or("", |(_, rest)| rest);
    let rest = rest.split('#').next().unwrap_or_default();
    rest.find(['/', '?']).map_or("", |at| &rest[at..])
}

/// The credentials that a URL holds, as a browser would send them.
fn basic(url: &Url) -> Option<String> {
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let plain = |text: &str| percent_decoded(text);
    let mut pair = plain(url.username());
    pair.push(b':');
    pair.extend(plain(url.password().unwrap_or_default()));
    Some(format!("Basic {}", STANDARD.encode(pair)))
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let digits = tail.get(..2).and_then(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
        match digits.filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    bytes
}

fn check(name: &str, value: &str) -> Result<(), StartError> {
    let fault = |why| Err(StartError::Header { name: name.to_owned(), why });
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || !name.bytes().all(is_token) {
        return fault("that is no name of a field");
    }
    if value.bytes().any(|byte| byte < b' ' && byte != b'\t' || byte == 0x7F) {
        return fault("its value has a control character");
    }
    let framing = ["host", "content-length", "transfer-encoding", "connection", "upgrade"];
    if framing.iter().any(|known| name.eq_ignore_ascii_case(known)) {
        return fault("midwire sets it itself");
    }
    Ok(())
}

fn is_local(host: &str) -> bool {
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(url: &str) -> Outline {
        Outline::of(&Options::reverse(url)).expect(url)
    }

    #[test]
    fn the_path_stays_as_it_was_given_and_secrets_stay_out_of_the_record() {
        let one = outline("https://me:p%40w@Api.Example.com:443/a//mcp/?api_key=s3cret&x=1#f");
        assert_eq!(one.path, "/a//mcp/?api_key=s3cret&x=1");
        assert_eq!(one.url.as_deref(), Some("https://api.example.com/a//mcp/?api_key=•••&x=1"));
        assert_eq!(
            (one.name.as_str(), one.site.expect("a server").authority.as_str()),
            ("api.example.com", "api.example.com")
        );
        assert_eq!(one.headers, [("Authorization".to_owned(), "Basic bWU6cEB3".to_owned())]);
        let local = outline("http://127.0.0.1:3001");
        assert_eq!((local.path.as_str(), local.name.as_str()), ("", "127.0.0.1:3001"));
    }

    #[test]
    fn what_cannot_be_used_says_why() {
        for (url, why) in
            [("ftp://h/", "neither http"), ("localhost:3000/mcp", "neither http"), ("mcp", "relative URL")]
        {
            let error = Outline::of(&Options::reverse(url)).expect_err(url).to_string();
            assert!(error.contains(why) && error.contains("https://HOST/PATH"), "{error}");
        }
        for (name, value) in [("", "x"), ("a b", "x"), ("X", "a\r\nb"), ("Host", "h"), ("connection", "close")] {
            let options = Options { headers: vec![(name.into(), value.into())], ..Options::reverse("http://h/") };
            assert!(Outline::of(&options).is_err(), "{name}");
        }
    }
}
