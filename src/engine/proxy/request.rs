//! From a head that a client sent to a request that may go upstream: which server it is for, and whether
//! it may come from there. Decides; passes nothing on.

use std::sync::Arc;

use url::Url;

use super::client::Client;
use super::refusal::Refusal;
use super::rewrite;
use super::site::Site;
use super::tap::Role;
use crate::engine::doors;
use crate::transport::http::Origin;
use crate::wire::http::{BodyLength, Head, request_length};

/// A request that may go upstream.
pub struct Request {
    /// As the client sent it.
    pub head: Head,
    /// How its body is framed.
    pub length: BodyLength,
    /// The server that it is for.
    pub site: Arc<Site>,
    /// The target there, where it is not the client's.
    pub target: Option<String>,
    /// The page's origin, where the server is told its own instead.
    pub page: Option<String>,
    /// Whether it is noted.
    pub is_noted: bool,
}

impl Request {
    /// The request's head as it goes upstream.
    pub fn rewritten(&self, client: &Client) -> Head {
        let (is_reverse, adds) = match &client.tap.role {
            Role::Reverse(_) => (true, true),
            // Credentials are for the hosts that were named, and nobody else.
            Role::Forward(rules) => (false, rules.names(&self.site.origin.host)),
        };
        let to = rewrite::Upstream {
            host: is_reverse.then_some(self.site.authority.as_str()),
            target: self.target.as_deref(),
            origin: self.page.as_ref().map(|_| self.site.name.as_str()),
            add: if adds { &client.tap.headers } else { &[] },
        };
        rewrite::request(&self.head, self.length, &to)
    }

    /// The path with query that is asked for at the server.
    pub fn path(&self) -> &str {
        self.target.as_deref().unwrap_or(self.head.target())
    }
}

impl Client {
    /// What a head asks for, or why it is refused.
    pub fn request_of(&self, head: Head) -> Result<Request, (Refusal, Head)> {
        match self.sorted(&head) {
            Ok((site, target, page, is_noted, length)) => Ok(Request { head, length, site, target, page, is_noted }),
            Err(refusal) => Err((refusal, head)),
        }
    }

    fn sorted(&self, head: &Head) -> Result<Sorted, Refusal> {
        let length =
            request_length(head).map_err(|fault| Refusal::new(400, format!("failed to read the request: {fault}")))?;
        if head.all("host").count() > 1 {
            return Err(Refusal::new(
                400,
                "the request has several Host fields, which two parties may read differently",
            ));
        }
        if head.method() == "CONNECT" {
            let why = "this tap stands for one server and is no proxy; point the client's URL at it, or start midwire tap --forward";
            return Err(Refusal::new(405, why));
        }
        if let Some(site) = &self.within {
            return Ok((Arc::clone(site), None, None, true, length));
        }
        match &self.tap.role {
            Role::Reverse(site) => {
                let page = self.let_in(head)?;
                Ok((Arc::clone(site), path_of(head.target()), page, true, length))
            }
            Role::Forward(rules) => {
                let (site, target) = self.asked_for(head)?;
                let is_noted = rules.wants(&site.origin.host);
                Ok((site, Some(target), None, is_noted, length))
            }
        }
    }

    /// Whether the request may come from where it comes; if so, the page's origin that the server must
    /// not see.
    fn let_in(&self, head: &Head) -> Result<Option<String>, Refusal> {
        let host = head.text("host");
        let host = host.as_deref().unwrap_or_default();
        if !host.is_empty() || head.minor() > 0 {
            self.tap.doors.host(host).map_err(|why| Refusal::new(403, why))?;
        }
        let Some(origin) = head.text("origin") else { return Ok(None) };
        let whose = self.tap.doors.origin(&origin, host).map_err(|why| Refusal::new(403, why))?;
        Ok((whose == doors::From::Ourselves).then(|| origin.into_owned()))
    }

    /// Server and target of a request to a proxy.
    fn asked_for(&self, head: &Head) -> Result<(Arc<Site>, String), Refusal> {
        let url = Url::parse(head.target()).ok();
        let Some((url, origin)) = url.and_then(|url| Origin::of(&url).map(|origin| (url, origin))) else {
            return Err(Refusal::new(
                400,
                "this is a proxy, and the request does not name a server; set this address as HTTP_PROXY and \
                 HTTPS_PROXY of the client, and leave its URLs as they are",
            ));
        };
        let current = self.link.as_ref().map(|link| &link.site).filter(|site| site.origin == origin);
        let site = current.cloned().unwrap_or_else(|| Site::new(origin));
        let target = path_of(head.target()).unwrap_or_else(|| url.path().to_owned());
        Ok((site, target))
    }
}

/// Server, target if it is another than the client's, page if the server must not see it, whether it is
/// noted, length of the body.
type Sorted = (Arc<Site>, Option<String>, Option<String>, bool, BodyLength);

/// The path with query of a target that is a whole URL, byte for byte; `None` for any other target.
fn path_of(target: &str) -> Option<String> {
    let (scheme, rest) = target.split_once("://")?;
    if !matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https") {
        return None;
    }
    let rest = rest.split('#').next().unwrap_or_default();
    let path = rest.find(['/', '?']).map_or("", |at| &rest[at..]);
    Some(if path.starts_with('/') { path.to_owned() } else { format!("/{path}") })
}

#[cfg(test)]
mod tests {
    use super::path_of;

    #[test]
    fn the_path_of_a_whole_url_is_kept_as_it_is() {
        let cases = [
            ("http://h:1/a/../b//?x=%41#f", Some("/a/../b//?x=%41")),
            ("HTTPS://h", Some("/")),
            ("http://h?x", Some("/?x")),
            ("/mcp?u=http://x/y", None),
            ("*", None),
        ];
        for (target, path) in cases {
            assert_eq!(path_of(target).as_deref(), path, "{target}");
        }
    }
}
