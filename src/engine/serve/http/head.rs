//! The head of a response: the fields that have to be there, what a plan changes of them, and how the body is framed then.

use crate::wire::http::{BodyLength, Head, HeadWriter};

/// A head that is being put together.
#[derive(Debug, Default)]
pub struct Fields {
    list: Vec<(String, String)>,
    /// A field that frames the body was changed, or the connection is to close.
    reframed: bool,
    closes: bool,
}

impl Fields {
    /// Adds a field that has to be there.
    pub fn add(&mut self, name: &str, value: impl Into<String>) {
        self.list.push((name.to_owned(), value.into()));
    }

    /// Changes one: it takes the place of all of that name, or with no value they are left out.
    pub fn change(&mut self, name: &str, value: Option<&str>) {
        let is_it = |(known, _): &(String, String)| known.eq_ignore_ascii_case(name);
        self.reframed |= ["content-length", "transfer-encoding"].iter().any(|it| name.eq_ignore_ascii_case(it));
        let at = self.list.iter().position(is_it);
        self.list.retain(|field| !is_it(field));
        if let Some(value) = value {
            let at = at.unwrap_or(self.list.len()).min(self.list.len());
            self.list.insert(at, (name.to_owned(), value.to_owned()));
        }
    }

    /// The connection is closed behind the body, and that is said.
    pub fn close(&mut self) {
        if !std::mem::replace(&mut self.closes, true) {
            self.add("Connection", "close");
        }
    }

    /// The head; how its body is to be written, which is `length` unless what frames it was changed; and whether the
    /// connection must be closed behind it.
    pub fn finish(&self, status: u16, length: BodyLength) -> (Head, BodyLength, bool) {
        let mut head = HeadWriter::response(status, reason(status));
        for (name, value) in &self.list {
            head.field(name, value);
        }
        let length = if self.reframed && length != BodyLength::None { BodyLength::UntilClose } else { length };
        (head.finish(), length, self.closes || self.reframed || length == BodyLength::UntilClose)
    }
}

/// What a status is called.
pub const fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        202 => "Accepted",
        204 => "No Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        406 => "Not Acceptable",
        408 => "Request Timeout",
        409 => "Conflict",
        410 => "Gone",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        417 => "Expectation Failed",
        418 => "I'm a teapot",
        422 => "Unprocessable Content",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::{BodyLength, Fields};

    #[test]
    fn what_frames_the_body_can_be_wrong_on_purpose() {
        let mut fields = Fields::default();
        fields.add("Content-Type", "application/json");
        fields.add("Content-Length", "2");
        let (head, length, closes) = fields.finish(200, BodyLength::Exact(2));
        let plain = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n";
        assert_eq!((head.raw(), length, closes), (&plain[..], BodyLength::Exact(2), false));
        fields.change("content-TYPE", Some("text/html"));
        fields.change("X-New", Some("1"));
        fields.change("Content-Length", None);
        let (head, length, closes) = fields.finish(299, BodyLength::Exact(2));
        assert_eq!(head.raw(), b"HTTP/1.1 299 \r\ncontent-TYPE: text/html\r\nX-New: 1\r\n\r\n");
        assert_eq!((length, closes), (BodyLength::UntilClose, true));
    }
}
