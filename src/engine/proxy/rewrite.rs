//! What a proxy must change in a head (RFC 9110 §7.6): fields that are for one connection only, the names
//! of the two origins. All other fields keep their order, case and bytes. Pure.

use crate::wire::http::{BodyLength, Field, Head, HeadWriter};

/// Where a request goes.
#[derive(Debug, Clone, Copy)]
pub struct Upstream<'a> {
    /// The `Host` it is called by; `None` keeps the client's.
    pub host: Option<&'a str>,
    /// The target that is asked for; `None` keeps the client's.
    pub target: Option<&'a str>,
    /// The `Origin` that it is told; `None` keeps the client's.
    pub origin: Option<&'a str>,
    /// Fields that take the place of the client's, or are added: credentials.
    pub add: &'a [(String, String)],
}

/// The request as it goes upstream, whose body is framed as `length` says.
pub fn request(head: &Head, length: BodyLength, to: &Upstream<'_>) -> Head {
    let mut made = match to.target {
        None if head.minor() == 1 => HeadWriter::like(head),
        target => HeadWriter::request(head.method(), target.unwrap_or(head.target())),
    };
    let hop = Hop::of(head);
    let mut has_host = false;
    for field in head.fields() {
        if field.is("host") {
            has_host = true;
        }
        match to.host.filter(|_| field.is("host")).or(to.origin.filter(|_| field.is("origin"))) {
            Some(value) => drop(made.field(field.name, value)),
            None if field.is("transfer-encoding") && length == BodyLength::Chunked => drop(made.raw(field)),
            None if hop.ends_here(field) || to.add.iter().any(|(name, _)| field.is(name)) => {}
            None => drop(made.raw(field)),
        }
    }
    if let Some(host) = to.host.filter(|_| !has_host && head.minor() == 0) {
        made.field("Host", host);
    }
    for (name, value) in to.add {
        made.field(name, value);
    }
    let mut options = Vec::new();
    if hop.takes_trailers {
        made.field("TE", "trailers");
        options.push("TE");
    }
    if let Some(field) = hop.upgrade(head) {
        made.raw(field);
        options.push("Upgrade");
    }
    if !keeps(head) {
        options.push("close");
    }
    if !options.is_empty() {
        made.field("Connection", options.join(", "));
    }
    made.finish()
}

/// How a response goes to the client.
#[derive(Debug, Clone, Copy)]
pub struct Downstream<'a> {
    /// How its body is framed upstream.
    pub length: BodyLength,
    /// How its body is framed towards the client.
    pub framing: BodyLength,
    /// Whether the connection is closed after it.
    pub closes: bool,
    /// The client's minor version.
    pub minor: u8,
    /// The origins of which one becomes the other; `None` changes no field.
    pub origins: Option<Origins<'a>>,
}

/// The two origins that a reverse proxy has, as in `https://host:port`.
#[derive(Debug, Clone, Copy)]
pub struct Origins<'a> {
    /// The server's.
    pub theirs: &'a str,
    /// The one by which the client calls the tap.
    pub ours: &'a str,
    /// The client's `Origin`, where the server was told its own instead.
    pub page: Option<&'a str>,
}

/// A field that was changed, or that somebody should know of: its name, and what it was passed on as.
pub type Changed = (&'static str, String);

/// The response as it goes to the client, and what was changed in it.
pub fn response(head: &Head, to: &Downstream<'_>) -> (Head, Vec<Changed>) {
    let status = head.status().unwrap_or_default();
    let mut made = if head.minor() == 1 { HeadWriter::like(head) } else { HeadWriter::response(status, head.reason()) };
    let mut changed = Vec::new();
    let hop = Hop::of(head);
    for field in head.fields() {
        let is_framing = field.is("transfer-encoding");
        let stays = is_framing && to.length == to.framing && to.length != BodyLength::None
            || field.is("upgrade") && matches!(status, 101 | 426);
        if stays {
            made.raw(field);
        } else if let Some((name, value)) = to.origins.and_then(|origins| origins.renamed(field, status, &mut changed))
        {
            made.field(field.name, &value);
            changed.push((name, value));
        } else if !hop.ends_here(field) {
            made.raw(field);
        }
    }
    // HTTP/2 frames bodies without a field.
    if to.framing == BodyLength::Chunked && head.get("transfer-encoding").is_none() {
        made.field("Transfer-Encoding", "chunked");
    }
    if status == 101 {
        made.field("Connection", "Upgrade");
    } else if to.closes {
        made.field("Connection", "close");
    } else if to.minor == 0 && status >= 200 {
        made.field("Connection", "keep-alive");
    }
    (made.finish(), changed)
}

impl Origins<'_> {
    /// The name and new value of a field that names the server's origin and should name the tap's.
    fn renamed(&self, field: Field<'_>, status: u16, changed: &mut Vec<Changed>) -> Option<(&'static str, String)> {
        let is_redirect = field.is("location");
        if is_redirect || field.is("content-location") {
            let value = std::str::from_utf8(field.value).ok()?;
            let name = if is_redirect { "Location" } else { "Content-Location" };
            let authority = Authority::of(value)?;
            if authority.is_at(self.theirs) {
                return Some((name, format!("{}{}", self.ours, authority.rest)));
            }
            if is_redirect && (300..400).contains(&status) && !authority.is_at(self.ours) {
                let why = format!("left as it is: it leads to {}, past midwire", authority.origin(self.theirs));
                changed.push((name, why));
            }
            return None;
        }
        if field.is("access-control-allow-origin") {
            let page = self.page.filter(|_| field.value.eq_ignore_ascii_case(self.theirs.as_bytes()))?;
            return Some(("Access-Control-Allow-Origin", page.to_owned()));
        }
        None
    }
}

/// An absolute URI in a field, taken apart.
struct Authority<'a> {
    /// Empty for `//host/path`.
    scheme: &'a str,
    place: &'a str,
    rest: &'a str,
}

impl<'a> Authority<'a> {
    fn of(uri: &'a str) -> Option<Self> {
        let (scheme, rest) = match uri.strip_prefix("//") {
            Some(rest) => ("", rest),
            None => uri.split_once("://").filter(|(scheme, _)| {
                !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
            })?,
        };
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        Some(Self { scheme, place: &rest[..end], rest: &rest[end..] })
    }

    /// Whether it is at an origin such as `https://host:port`; the scheme's own port may be said or not.
    fn is_at(&self, origin: &str) -> bool {
        let Some((scheme, authority)) = origin.split_once("://") else { return false };
        let same_scheme = self.scheme.is_empty() || self.scheme.eq_ignore_ascii_case(scheme);
        let port = if scheme == "https" { ":443" } else { ":80" };
        let plain = |authority: &'a str| authority.strip_suffix(port).unwrap_or(authority);
        same_scheme && plain(self.place).eq_ignore_ascii_case(authority.strip_suffix(port).unwrap_or(authority))
    }

    /// Its origin, without what may stand before an `@`.
    fn origin(&self, theirs: &str) -> String {
        let scheme = if self.scheme.is_empty() { theirs.split(':').next().unwrap_or_default() } else { self.scheme };
        let host = self.place.rsplit('@').next().unwrap_or_default();
        format!("{scheme}://{host}")
    }
}

/// What a head says about its connection.
struct Hop<'a> {
    /// The fields that `Connection` names.
    named: Vec<&'a [u8]>,
    takes_trailers: bool,
}

impl<'a> Hop<'a> {
    fn of(head: &'a Head) -> Self {
        let named = head.all("connection").flat_map(items).collect();
        let is_trailers = |item: &[u8]| item.eq_ignore_ascii_case(b"trailers");
        Self { named, takes_trailers: head.is_request() && head.all("te").flat_map(items).any(is_trailers) }
    }

    /// Whether a field is for this connection only.
    fn ends_here(&self, field: Field<'_>) -> bool {
        const ALWAYS: [&str; 8] = [
            "connection",
            "keep-alive",
            "te",
            "transfer-encoding",
            "upgrade",
            "proxy-connection",
            "proxy-authenticate",
            "proxy-authorization",
        ];
        // What frames the message is not for a sender to have removed.
        const NEVER: [&str; 2] = ["host", "content-length"];
        ALWAYS.iter().any(|name| field.is(name))
            || field.name.len() > 6 && field.name[..6].eq_ignore_ascii_case(b"proxy-")
            || self.named.iter().any(|name| field.name.eq_ignore_ascii_case(name))
                && !NEVER.iter().any(|name| field.is(name))
    }

    /// The field that asks for another protocol, when that can be passed through: HTTP/2 cannot.
    fn upgrade(&self, head: &'a Head) -> Option<Field<'a>> {
        let is_asked = self.named.iter().any(|name| name.eq_ignore_ascii_case(b"upgrade"));
        let passes = |field: &Field<'_>| !items(field.value).any(|item| item.to_ascii_lowercase().starts_with(b"h2"));
        head.fields().find(|field| field.is("upgrade")).filter(passes).filter(|_| is_asked)
    }
}

/// Whether the sender of a head keeps the connection after the exchange (RFC 9112 §9.3).
pub fn keeps(head: &Head) -> bool {
    let says = |word: &[u8]| head.all("connection").flat_map(items).any(|item| item.eq_ignore_ascii_case(word));
    !says(b"close") && (head.minor() > 0 || says(b"keep-alive"))
}

fn items(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).filter(|item| !item.is_empty())
}

#[cfg(test)]
mod tests;
