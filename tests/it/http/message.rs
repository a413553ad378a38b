//! A request or a response as a test sees it: its head as sent, its body without framing. Reads HTTP/1 in
//! the plainest way, on its own, so that the product's reading is not judged by itself.

use super::socket::Socket;

/// How a body's end is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// So many bytes are still to come.
    Exact(usize),
    /// In chunks.
    Chunked,
    /// The last chunk was read.
    Over,
    /// Up to the end of the connection.
    UntilClose,
}

/// A request or a response.
#[derive(Clone, PartialEq, Eq)]
pub struct Message {
    /// From the first line to the empty line, as sent.
    pub head: Vec<u8>,
    /// The body without framing.
    pub body: Vec<u8>,
    /// The lines of the trailers, as sent.
    pub trailers: Vec<u8>,
}

impl Message {
    /// With this head and no body yet.
    pub fn new(head: Vec<u8>) -> Self {
        Self { head, body: Vec::new(), trailers: Vec::new() }
    }

    /// The head as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.head).into_owned()
    }

    /// The body as text.
    pub fn said(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The first line.
    pub fn line(&self) -> String {
        self.text().lines().next().unwrap_or_default().to_owned()
    }

    /// The status; 0 for a request.
    pub fn status(&self) -> u16 {
        let line = self.line();
        let word = line.strip_prefix("HTTP/1.").and_then(|rest| rest.split(' ').nth(1));
        word.and_then(|word| word.parse().ok()).unwrap_or_default()
    }

    /// The method; for a response that of nothing.
    pub fn method(&self) -> String {
        self.line().split(' ').next().unwrap_or_default().to_owned()
    }

    /// The target.
    pub fn target(&self) -> String {
        self.line().split(' ').nth(1).unwrap_or_default().to_owned()
    }

    /// The lines after the first, as sent, without line ends.
    pub fn lines(&self) -> Vec<String> {
        let text = self.text();
        text.split("\r\n").skip(1).filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    /// The names of the fields, as sent.
    pub fn names(&self) -> Vec<String> {
        self.lines().iter().filter_map(|line| Some(line.split_once(':')?.0.to_owned())).collect()
    }

    /// The values of a field.
    pub fn all(&self, name: &str) -> Vec<String> {
        let lines = self.lines();
        let fields = lines.iter().filter_map(|line| line.split_once(':'));
        fields.filter(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim().to_owned()).collect()
    }

    /// The value of a field; empty when it is not there.
    pub fn get(&self, name: &str) -> String {
        self.all(name).into_iter().next().unwrap_or_default()
    }

    pub(super) fn with_trailers(mut self, socket: &mut Socket) -> Self {
        self.trailers = socket.trailers();
        self
    }
}

impl std::fmt::Debug for Message {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}{}", self.text(), self.said(), String::from_utf8_lossy(&self.trailers))
    }
}

/// How the body of a message ends; `method` is that of the request when it is a response.
pub(super) fn framing(message: &Message, method: &str) -> Framing {
    let status = message.status();
    if method == "HEAD" || (100..200).contains(&status) || status == 204 || status == 304 {
        return Framing::Exact(0);
    }
    if message.get("transfer-encoding").eq_ignore_ascii_case("chunked") {
        return Framing::Chunked;
    }
    match message.get("content-length").parse() {
        Ok(length) => Framing::Exact(length),
        Err(_) if status == 0 => Framing::Exact(0),
        Err(_) => Framing::UntilClose,
    }
}

/// A POST of JSON to a host with further lines of a head, each without its line end.
pub fn post(host: &str, path: &str, lines: &[&str], body: &str) -> String {
    let lines: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
    format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\n{lines}Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// A GET with further lines.
pub fn get(host: &str, path: &str, lines: &[&str]) -> String {
    let lines: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
    format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{lines}\r\n")
}

/// A response of JSON with `Content-Length`.
pub fn json(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

/// The head of a stream of events in chunks.
pub const STREAM: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

/// One chunk.
pub fn chunk(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let bytes = bytes.as_ref();
    [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat()
}

/// What ends a body in chunks that has no trailers.
pub const LAST: &str = "0\r\n\r\n";
