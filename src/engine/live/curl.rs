//! A recorded HTTP request as a command for a POSIX shell that sends it again with curl: the URL at the
//! server itself, the fields that matter, the body byte for byte. Secrets were never recorded; where they
//! stood there is a variable to be set.

use std::fmt::Write as _;
use std::path::Path;

use super::view::Curl;
use crate::engine::record::secrets::MASK;
use crate::model::Seq;
use crate::wire::http::{Field, Head};

/// A longer body is read from a file: an argument must not have more than 128 KiB on Linux.
const INLINE: usize = 64 * 1024;
/// The file for such a body.
const FILE: &str = "body.bin";

/// Fields that a server of MCP looks at. All others are curl's own affair or the network's.
const FIELDS: [&str; 8] = [
    "accept",
    "content-type",
    "mcp-protocol-version",
    "mcp-session-id",
    "mcp-method",
    "mcp-name",
    "last-event-id",
    "cookie",
];

/// What a command is made of.
pub(super) struct Parts<'a> {
    /// The URL at the server.
    pub(super) url: &'a str,
    /// The request's head.
    pub(super) head: &'a Head,
    /// The request's body, decoded, with its entry.
    pub(super) body: Option<(Seq, &'a [u8])>,
    /// Whether the answer was a stream.
    pub(super) is_stream: bool,
    /// The recording, to get a long body from.
    pub(super) recording: &'a Path,
}

/// The command.
pub(super) fn curl(parts: &Parts<'_>) -> Curl {
    let mut maker = Maker { text: String::new(), notes: Vec::new() };
    maker.before(parts);
    maker.first_line(parts);
    maker.fields(parts);
    maker.body(parts);
    Curl { text: maker.text, notes: maker.notes }
}

struct Maker {
    text: String,
    notes: Vec<String>,
}

/// How a body gets to curl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// As an argument.
    Argument,
    /// By a pipe from `printf`: an argument cannot hold it as it is.
    Pipe,
    /// From a file.
    File,
}

impl Way {
    fn of(body: &[u8]) -> Self {
        let Ok(text) = std::str::from_utf8(body) else {
            return if body.len() > INLINE { Self::File } else { Self::Pipe };
        };
        let is_odd = |sign: char| sign.is_control() && !matches!(sign, '\n' | '\t');
        match text {
            _ if text.len() > INLINE => Self::File,
            // curl would take what follows an `@` for the name of a file.
            _ if text.starts_with('@') || text.contains(is_odd) => Self::Pipe,
            _ => Self::Argument,
        }
    }
}

impl Maker {
    /// What stands before `curl`: the making of the file, or the pipe.
    fn before(&mut self, parts: &Parts<'_>) {
        let Some((seq, body)) = parts.body else { return };
        match Way::of(body) {
            Way::Argument => {}
            Way::Pipe => {
                let _ = write!(self.text, "printf {} | ", format_of(body));
            }
            Way::File => {
                let path = quote(&parts.recording.to_string_lossy());
                let pick = if std::str::from_utf8(body).is_ok() {
                    "jq -rj .entry.text"
                } else {
                    "jq -r .entry.base64 | base64 -d"
                };
                let _ = writeln!(self.text, "midwire show {path} seq:{seq} --messages --json | {pick} > {FILE}");
                self.notes.push(format!(
                    "The body has {} bytes, too many for an argument, so the first line saves it as {FILE}; it needs jq.",
                    body.len()
                ));
            }
        }
    }

    fn first_line(&mut self, parts: &Parts<'_>) {
        self.text.push_str("curl");
        if parts.is_stream {
            self.text.push_str(" -N");
        }
        if parts.url.contains(['{', '}', '[', ']']) {
            self.text.push_str(" -g");
        }
        if parts.url.contains("/.") {
            self.text.push_str(" --path-as-is");
        }
        match parts.head.method() {
            "GET" if parts.body.is_none() => {}
            "HEAD" => self.text.push_str(" -I"),
            method => {
                let _ = write!(self.text, " -X {}", word(method));
            }
        }
        let url = self.secret(parts.url, "SECRET");
        let _ = write!(self.text, " {url}");
    }

    fn fields(&mut self, parts: &Parts<'_>) {
        for field in parts.head.fields().filter(matters) {
            let name = String::from_utf8_lossy(field.name);
            let value = String::from_utf8_lossy(field.value);
            let text = match &*value {
                MASK if field.is("authorization") => format!("{name}: Bearer {MASK}"),
                // With nothing behind the colon curl would leave the field out.
                "" => format!("{name};"),
                value => format!("{name}: {value}"),
            };
            let text = self.secret(&text, &variable(&name));
            self.option(&format!("-H {text}"));
        }
        // Fields that curl would add of its own.
        let sends = |name| parts.head.get(name).is_some();
        if !sends("accept") {
            self.option("-H 'Accept:'");
        }
        if has_data(parts) && !sends("content-type") {
            self.option("-H 'Content-Type:'");
        }
    }

    fn body(&mut self, parts: &Parts<'_>) {
        if !has_data(parts) {
            return;
        }
        let body = parts.body.map_or(&b""[..], |(_, body)| body);
        let data = match Way::of(body) {
            Way::Argument => {
                let text = String::from_utf8_lossy(body);
                self.secret(&text, "SECRET")
            }
            Way::Pipe => "@-".to_owned(),
            Way::File => format!("@{FILE}"),
        };
        self.option(&format!("--data-binary {data}"));
    }

    fn option(&mut self, option: &str) {
        self.text.push_str(" \\\n  ");
        self.text.push_str(option);
    }

    /// A text in quotes, with a variable for each secret that was left out of it.
    fn secret(&mut self, text: &str, variable: &str) -> String {
        let quoted = quote(text);
        if !text.contains(MASK) {
            return quoted;
        }
        let note = format!("Set {variable} first: the recording does not hold it.");
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
        quoted.replace(MASK, &format!("'\"${variable}\"'"))
    }
}

/// Whether curl is to send a body, if only an empty one: without, a POST would have no length.
fn has_data(parts: &Parts<'_>) -> bool {
    parts.body.is_some() || matches!(parts.head.method(), "POST" | "PUT" | "PATCH")
}

fn matters(field: &Field<'_>) -> bool {
    let masked = String::from_utf8_lossy(field.value).contains(MASK);
    let param = field.name.get(..10).is_some_and(|start| start.eq_ignore_ascii_case(b"mcp-param-"));
    !field.name.is_empty() && (masked || param || FIELDS.iter().any(|known| field.is(known)))
}

/// The variable for a field's secret.
fn variable(name: &str) -> String {
    if name.eq_ignore_ascii_case("authorization") {
        return "TOKEN".to_owned();
    }
    name.chars().map(|sign| if sign.is_ascii_alphanumeric() { sign.to_ascii_uppercase() } else { '_' }).collect()
}

/// A text in single quotes, in which nothing but the quote itself means anything.
fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A method, in quotes where it is none of the usual ones.
fn word(method: &str) -> String {
    if method.bytes().all(|byte| byte.is_ascii_alphabetic()) { method.to_owned() } else { quote(method) }
}

/// Bytes as a format of `printf` that prints just them.
fn format_of(bytes: &[u8]) -> String {
    let mut out = String::from("'");
    for byte in bytes {
        match byte {
            b'\'' => out.push_str("'\\''"),
            b'\\' => out.push_str("\\\\"),
            b'%' => out.push_str("%%"),
            b' '..=b'~' | b'\n' => out.push(char::from(*byte)),
            other => {
                let _ = write!(out, "\\{other:03o}");
            }
        }
    }
    out.push('\'');
    out
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{INLINE, Parts, curl};
    use crate::wire::http::Head;

    fn command(head: &str, body: Option<&[u8]>) -> String {
        let head = Head::read(head.replace('\n', "\r\n").as_bytes());
        let body = body.map(|body| (7, body));
        let parts =
            Parts { url: "https://h/mcp", head: &head, body, is_stream: true, recording: Path::new("r.midwire") };
        let curl = curl(&parts);
        [curl.text].into_iter().chain(curl.notes).collect::<Vec<_>>().join("\n# ")
    }

    #[test]
    fn what_matters_goes_along_and_secrets_are_variables() {
        let head = "POST /mcp HTTP/1.1\nHost: 127.0.0.1:1\nUser-Agent: x\nAccept: text/event-stream\n\
                    Content-Type: application/json\nAuthorization: Bearer •••\nX-Api-Key: •••\n\
                    Mcp-Param-Region: eu\nMcp-Name: it's\nContent-Length: 9\n\n";
        assert_eq!(
            command(head, Some(br#"{"a":"'"}"#)),
            r#"curl -N -X POST 'https://h/mcp' \
  -H 'Accept: text/event-stream' \
  -H 'Content-Type: application/json' \
  -H 'Authorization: Bearer '"$TOKEN"'' \
  -H 'X-Api-Key: '"$X_API_KEY"'' \
  -H 'Mcp-Param-Region: eu' \
  -H 'Mcp-Name: it'\''s' \
  --data-binary '{"a":"'\''"}'
# Set TOKEN first: the recording does not hold it.
# Set X_API_KEY first: the recording does not hold it."#
        );
    }

    #[test]
    fn curl_adds_nothing_of_its_own() {
        assert_eq!(command("GET /mcp HTTP/1.1\n\n", None), "curl -N 'https://h/mcp' \\\n  -H 'Accept:'");
        let delete = command("DELETE /mcp HTTP/1.1\nAccept: */*\nMcp-Session-Id: 1\n\n", None);
        assert_eq!(delete, "curl -N -X DELETE 'https://h/mcp' \\\n  -H 'Accept: */*' \\\n  -H 'Mcp-Session-Id: 1'");
        let empty = command("POST / HTTP/1.1\nAccept: */*\nMcp-Name:\n\n", None);
        assert!(
            empty.contains("-H 'Mcp-Name;'") && empty.ends_with("-H 'Content-Type:' \\\n  --data-binary ''"),
            "{empty}"
        );
    }

    #[test]
    fn bodies_that_no_argument_holds_take_another_way() {
        let head = "POST / HTTP/1.1\nAccept: */*\nContent-Type: x/y\n\n";
        let piped = command(head, Some(b"@a'%\\\r\n\0\xFF"));
        assert!(piped.starts_with("printf '@a'\\''%%\\\\\\015\n\\000\\377' | curl"), "{piped}");
        assert!(piped.ends_with("--data-binary @-"), "{piped}");
        let long = command(head, Some("x".repeat(INLINE + 1).as_bytes()));
        assert!(
            long.starts_with("midwire show 'r.midwire' seq:7 --messages --json | jq -rj .entry.text > body.bin\ncurl")
        );
        assert!(long.contains("--data-binary @body.bin") && !long.contains("xxxx"), "{long}");
    }
}
