//! Heads between the forms of HTTP/1 and HTTP/2 (RFC 9113 §8.2, §8.3).

use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::http::response::Parts;
use hyper::{Method, Request, Uri};

use crate::transport::http::broken::Broken;
use crate::transport::http::origin::Origin;
use crate::wire::http::{BodyLength, Field, Head};

/// What is said of one connection only, or otherwise in HTTP/2.
const LEFT_OUT: &[&str] = &[
    "connection",
    "expect",
    "host",
    "http2-settings",
    "keep-alive",
    "proxy-connection",
    "transfer-encoding",
    "upgrade",
];

/// A request as hyper takes it.
pub(super) fn request<B>(head: &Head, origin: &Origin, body: B) -> Result<Request<B>, Broken> {
    let authority = head.text("host").map_or_else(|| origin.authority(), std::borrow::Cow::into_owned);
    let target = match head.target() {
        "" => "/",
        target => target,
    };
    let scheme = if origin.tls { "https" } else { "http" };
    let uri = Uri::builder().scheme(scheme).authority(authority.as_str()).path_and_query(target).build();
    let uri = uri.map_err(|fault| unfit(&format!("its target {target:?} at {authority:?}: {fault}")))?;
    let method =
        Method::from_bytes(head.method().as_bytes()).map_err(|_| unfit(&format!("its method {:?}", head.method())))?;
    let mut request = Request::new(body);
    *request.method_mut() = method;
    *request.uri_mut() = uri;
    for field in head.fields().filter(|field| is_for_server(head, *field)) {
        append(request.headers_mut(), field)?;
    }
    Ok(request)
}

fn is_for_server(head: &Head, field: Field<'_>) -> bool {
    if LEFT_OUT.iter().any(|name| field.is(name)) {
        return false;
    }
    if field.is("te") {
        return field.value.eq_ignore_ascii_case(b"trailers");
    }
    let mut named = head.all("connection").flat_map(|value| value.split(|byte| *byte == b','));
    !named.any(|name| name.trim_ascii().eq_ignore_ascii_case(field.name))
}

fn append(fields: &mut HeaderMap, field: Field<'_>) -> Result<(), Broken> {
    let named = || format!("its field {:?}", String::from_utf8_lossy(field.name));
    let name = HeaderName::from_bytes(field.name).map_err(|_| unfit(&named()))?;
    let value = HeaderValue::from_bytes(field.value).map_err(|_| unfit(&named()))?;
    fields.try_append(name, value).map_err(|_| unfit("so many fields"))?;
    Ok(())
}

fn unfit(what: &str) -> Broken {
    Broken::Http2 { why: format!("the request cannot be sent: {what}"), gone: false }
}

/// A response's head.
pub(super) fn response(parts: &Parts) -> Head {
    let mut bytes = format!("HTTP/2 {}\r\n", parts.status.as_u16()).into_bytes();
    bytes.extend(lines(&parts.headers));
    if parts.headers.is_empty() {
        bytes.extend_from_slice(b"\r\n");
    }
    Head::read(&bytes)
}

/// How the body is framed, as far as it was said.
pub(super) fn length(parts: &Parts, is_head: bool) -> BodyLength {
    if is_head || matches!(parts.status.as_u16(), 204 | 304) {
        return BodyLength::None;
    }
    let said = parts.headers.get("content-length").and_then(|value| value.to_str().ok()?.parse().ok());
    said.map_or(BodyLength::Chunked, BodyLength::Exact)
}

/// Fields as lines, and an empty line behind them; nothing when there are none.
pub(super) fn lines(fields: &HeaderMap) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (name, value) in fields {
        bytes.extend_from_slice(name.as_str().as_bytes());
        bytes.extend_from_slice(b": ");
        bytes.extend_from_slice(value.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }
    if !bytes.is_empty() {
        bytes.extend_from_slice(b"\r\n");
    }
    bytes
}

/// Trailers as hyper takes them. What HTTP/2 cannot carry is left out: the body is more than they are.
pub(super) fn trailers(lines: &[u8]) -> HeaderMap {
    let mut fields = HeaderMap::new();
    for field in Head::read(lines).fields() {
        let _ = append(&mut fields, field);
    }
    fields
}
