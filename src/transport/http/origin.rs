//! Where a server is: scheme, host and port, and nothing of a path.

use std::fmt;

use url::{Host, Url};

/// Scheme, host and port of a server (RFC 9110 §4.3.1).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Whether it is reached by TLS (`https`).
    pub tls: bool,
    /// A name, or an address without brackets.
    pub host: String,
    /// The port, also where it is the scheme's own.
    pub port: u16,
}

impl Origin {
    /// The origin of `url`; `None` when that is neither `http` nor `https`.
    pub fn of(url: &Url) -> Option<Self> {
        let tls = match url.scheme() {
            "http" => false,
            "https" => true,
            _ => return None,
        };
        let host = match url.host()? {
            Host::Domain(name) => name.to_owned(),
            Host::Ipv4(address) => address.to_string(),
            Host::Ipv6(address) => address.to_string(),
        };
        Some(Self { tls, host, port: url.port_or_known_default()? })
    }

    /// As in a `Host` field: the port is left out where it is the scheme's own.
    pub fn authority(&self) -> String {
        let host = bracketed(&self.host);
        if self.port == self.default_port() { host } else { format!("{host}:{}", self.port) }
    }

    const fn default_port(&self) -> u16 {
        if self.tls { 443 } else { 80 }
    }

    const fn scheme(&self) -> &'static str {
        if self.tls { "https" } else { "http" }
    }
}

/// As a URL is shown: `https://host`, `http://[::1]:8000`.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme(), self.authority())
    }
}

/// A host as it stands in front of a port.
pub(super) fn bracketed(host: &str) -> String {
    if host.contains(':') { format!("[{host}]") } else { host.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_what_a_url_says_without_its_path() {
        let said = |url: &str| {
            let origin = Origin::of(&Url::parse(url).expect("a URL"))?;
            Some((origin.to_string(), origin.authority(), origin.port))
        };
        let some = |origin: &str, authority: &str, port| Some((origin.to_owned(), authority.to_owned(), port));
        assert_eq!(said("http://Example.org/mcp?x=1"), some("http://example.org", "example.org", 80));
        assert_eq!(said("https://a.example:443/"), some("https://a.example", "a.example", 443));
        assert_eq!(said("https://a.example:80/"), some("https://a.example:80", "a.example:80", 80));
        assert_eq!(said("http://[::1]:8000/mcp"), some("http://[::1]:8000", "[::1]:8000", 8000));
        assert_eq!(said("ws://a.example/"), None);
        assert_eq!(said("file:///etc/passwd"), None);
    }
}
