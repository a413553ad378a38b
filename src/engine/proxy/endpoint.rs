//! The `endpoint` event of HTTP+SSE (protocol.md 3.2): finds it among the first events of a stream, and
//! makes one that names the server's origin name the tap's, so that the client's POSTs come through it.
//! Pure. Holds back only what may still turn out to be that event; everything else passes as it came.

use std::ops::Range;

use url::Url;

/// So many events are looked at; the endpoint is the first, but some servers greet before it.
const EVENTS: u32 = 4;
/// No endpoint event is longer.
const LONGEST: usize = 16 * 1024;

/// What an endpoint event said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Announced {
    /// Path and query at the server, to which the client's messages go.
    pub target: String,
    /// What the client was told instead; `None` when it was told what the server said.
    pub told: Option<String>,
    /// It names another origin than that of the stream, so messages go past the tap.
    pub is_foreign: bool,
}

/// Looks out for the endpoint event of one stream.
#[derive(Debug)]
pub struct Lookout {
    /// The URL of the stream at the server.
    stream: Url,
    /// The origin by which the client calls the tap, such as `http://127.0.0.1:4000`; `None` when it knows
    /// only the server's.
    ours: Option<String>,
    /// Bytes of the current event that are held back, from the start of a line.
    held: Vec<u8>,
    /// Where the first line in `held` begins that was not looked at yet.
    seen: usize,
    /// The current event calls itself `endpoint`.
    is_endpoint: bool,
    /// The current event turned out to be another: all of it passes up to its empty line.
    passing: bool,
    /// The line that is passing is not at its start.
    in_line: bool,
    /// The last byte that passed was a CR, so that an LF belongs to it.
    after_cr: bool,
    left: u32,
}

impl Lookout {
    /// Looks out on the stream at `stream`, for a client that calls the tap `ours`, or does not know it.
    pub fn new(stream: Url, ours: Option<String>) -> Self {
        Self {
            stream,
            ours,
            held: Vec::new(),
            seen: 0,
            is_endpoint: false,
            passing: false,
            in_line: false,
            after_cr: false,
            left: EVENTS,
        }
    }

    /// Whether nothing is looked for any more: bytes may pass by without being shown.
    pub fn is_done(&self) -> bool {
        self.left == 0 && self.held.is_empty()
    }

    /// Takes bytes of the stream and adds to `out` what is to be passed on now. Says so when the endpoint
    /// event was among them.
    pub fn take(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Option<Announced> {
        let mut announced = None;
        let mut rest = bytes;
        while !rest.is_empty() && self.left > 0 {
            let used = if self.passing { self.pass(rest, out) } else { self.hold(rest, out, &mut announced) };
            rest = &rest[used..];
        }
        out.extend_from_slice(rest);
        announced
    }

    /// The stream ended: adds what was held back.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        out.append(&mut self.held);
        self.left = 0;
    }

    /// Passes bytes of another event, up to and with the empty line that ends it.
    fn pass(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> usize {
        for (at, byte) in bytes.iter().enumerate() {
            let is_second_half = std::mem::take(&mut self.after_cr) && *byte == b'\n';
            match byte {
                b'\n' if is_second_half => {}
                b'\n' | b'\r' => {
                    self.after_cr = *byte == b'\r';
                    if !std::mem::replace(&mut self.in_line, false) {
                        out.extend_from_slice(&bytes[..=at]);
                        self.next_event();
                        return at + 1;
                    }
                }
                _ => self.in_line = true,
            }
        }
        out.extend_from_slice(bytes);
        bytes.len()
    }

    fn next_event(&mut self) {
        self.left -= 1;
        (self.passing, self.in_line, self.is_endpoint, self.seen) = (false, false, false, 0);
    }

    /// Holds bytes of an event that may be the endpoint, as far as it is that.
    fn hold(&mut self, bytes: &[u8], out: &mut Vec<u8>, announced: &mut Option<Announced>) -> usize {
        self.held.extend_from_slice(bytes);
        self.join_pair();
        while let Some((line, next)) = line_at(&self.held, self.seen) {
            if line.is_empty() {
                return bytes.len() - self.end_event(next, out, announced);
            }
            if self.is_another(line.clone()) {
                return bytes.len() - self.release(out);
            }
            self.seen = next;
            if line.start == 0 && self.held[0] == b':' {
                // Nobody should wait for a comment.
                out.extend(self.held.drain(..next));
                self.seen = 0;
            }
            self.join_pair();
        }
        if self.held.len() > LONGEST || Self::is_another_already(&self.held[self.seen..]) {
            return bytes.len() - self.release(out);
        }
        bytes.len()
    }

    /// A line ended with CR where the bytes at hand did; the LF that came since is no line of its own.
    fn join_pair(&mut self) {
        if self.seen > 0 && self.held[self.seen - 1] == b'\r' && self.held.get(self.seen) == Some(&b'\n') {
            self.seen += 1;
        }
    }

    /// An empty line ended the held event: passes it on, and says how many bytes after it were held too.
    fn end_event(&mut self, end: usize, out: &mut Vec<u8>, announced: &mut Option<Announced>) -> usize {
        let held = std::mem::take(&mut self.held);
        let (event, after) = held.split_at(end);
        self.after_cr = event.ends_with(b"\r");
        match self.endpoint(event) {
            Some((range, found)) => {
                let told = found.told.as_deref().map_or(&event[range.clone()], str::as_bytes);
                out.extend_from_slice(&event[..range.start]);
                out.extend_from_slice(told);
                out.extend_from_slice(&event[range.end..]);
                *announced = Some(found);
                self.left = 0;
            }
            None => {
                out.extend_from_slice(event);
                let is_event = event.iter().any(|byte| !matches!(byte, b'\r' | b'\n'));
                if is_event { self.next_event() } else { self.seen = 0 }
            }
        }
        after.len()
    }

    /// The held event is another: it passes, and so does what follows up to its empty line. Says how many
    /// bytes behind that were held too.
    fn release(&mut self, out: &mut Vec<u8>) -> usize {
        let held = std::mem::take(&mut self.held);
        (self.passing, self.in_line, self.after_cr, self.seen) = (true, false, false, 0);
        held.len() - self.pass(&held, out)
    }

    /// Whether a whole line shows that this is not the endpoint event; notes when it says that it is.
    fn is_another(&mut self, line: Range<usize>) -> bool {
        let (name, value) = field(&self.held[line]);
        match name {
            b"event" => {
                self.is_endpoint = value == b"endpoint";
                !self.is_endpoint
            }
            b"data" => is_json(value),
            _ => false,
        }
    }

    /// The same for a line of which more may come.
    fn is_another_already(line: &[u8]) -> bool {
        match field(line) {
            (b"event", value) if line.contains(&b':') => !b"endpoint".starts_with(value),
            (b"data", value) => is_json(value),
            _ => false,
        }
    }

    /// Where the URI stands in an endpoint event, and what it says.
    fn endpoint(&self, event: &[u8]) -> Option<(Range<usize>, Announced)> {
        let mut data = None;
        let mut at = 0;
        while let Some((line, next)) = line_at(event, at) {
            let (name, value) = field(&event[line.clone()]);
            if name == b"data" {
                if data.is_some() {
                    return None;
                }
                data = Some(line.end - value.len()..line.end);
            }
            at = next;
        }
        let range = data.filter(|_| self.is_endpoint)?;
        let given = std::str::from_utf8(&event[range.clone()]).ok()?.trim();
        let url = self.stream.join(given).ok()?;
        let target = url[url::Position::BeforePath..url::Position::AfterQuery].to_owned();
        let is_foreign = url.origin() != self.stream.origin();
        let ours = self.ours.as_ref().filter(|_| !is_foreign);
        let told = ours.and_then(|ours| Some(format!("{ours}{}", behind_origin(given)?)));
        Some((range, Announced { target, told, is_foreign }))
    }
}

/// What stands behind the host in a URI that names one, as it was said; `None` for a path.
fn behind_origin(uri: &str) -> Option<&str> {
    let rest = match uri.strip_prefix("//") {
        Some(rest) => rest,
        None => uri[Url::parse(uri).ok()?.scheme().len()..].trim_start_matches(':').trim_start_matches(['/', '\\']),
    };
    Some(rest.find(['/', '?', '#']).map_or("", |at| &rest[at..]))
}

fn is_json(value: &[u8]) -> bool {
    matches!(value.trim_ascii_start().first(), Some(b'{' | b'['))
}

/// The line at `start` without its end, and where the next one begins; `None` when its end is not there.
fn line_at(bytes: &[u8], start: usize) -> Option<(Range<usize>, usize)> {
    let end = start + memchr::memchr2(b'\n', b'\r', bytes.get(start..)?)?;
    let is_pair = bytes[end] == b'\r' && bytes.get(end + 1) == Some(&b'\n');
    Some((start..end, end + 1 + usize::from(is_pair)))
}

/// Name and value of a line (protocol.md 3.5); a byte order mark before it is no part of it.
fn field(line: &[u8]) -> (&[u8], &[u8]) {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    match memchr::memchr(b':', line) {
        Some(at) => {
            let value = &line[at + 1..];
            (&line[..at], value.strip_prefix(b" ").unwrap_or(value))
        }
        None => (line, b""),
    }
}

#[cfg(test)]
mod tests;
