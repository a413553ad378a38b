//! Makes a head: with the first line of another one, or a new one, then field by field.

use super::fields::fits_a_line;
use super::{Field, Head};

/// A head that is being written. Whatever it is given, it stays one head: what would end a line is
/// replaced by a space.
#[derive(Debug, Clone)]
pub struct HeadWriter {
    bytes: Vec<u8>,
}

impl HeadWriter {
    /// A request's, HTTP/1.1. Spaces and control characters in the target are percent-encoded.
    pub fn request(method: &str, target: &str) -> Self {
        let mut bytes = one_word(method, b"GET");
        bytes.push(b' ');
        bytes.extend(one_word(target, b"/"));
        bytes.extend_from_slice(b" HTTP/1.1\r\n");
        Self { bytes }
    }

    /// A response's, HTTP/1.1.
    pub fn response(status: u16, reason: &str) -> Self {
        let mut bytes = format!("HTTP/1.1 {status:03} ").into_bytes();
        push_line(&mut bytes, reason.as_bytes());
        bytes.extend_from_slice(b"\r\n");
        Self { bytes }
    }

    /// With the first line of another head as it was sent. Empty lines before it are left out.
    pub fn like(head: &Head) -> Self {
        let line = head.start_line();
        let from = line.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).unwrap_or(line.len());
        Self { bytes: line[from..].to_vec() }
    }

    /// With the method and version of another request, and another target.
    pub fn with_target(head: &Head, target: &str) -> Self {
        let mut made = Self::request(head.method(), target);
        if head.minor() == 0 {
            let end = made.bytes.len();
            made.bytes[end - 3] = b'0';
        }
        made
    }

    /// Adds a field.
    pub fn field(&mut self, name: impl AsRef<[u8]>, value: impl AsRef<[u8]>) -> &mut Self {
        push_line(&mut self.bytes, name.as_ref());
        self.bytes.extend_from_slice(b": ");
        push_line(&mut self.bytes, value.as_ref());
        self.bytes.extend_from_slice(b"\r\n");
        self
    }

    /// Adds a field of another head as it was sent. An unfinished line is ended.
    pub fn raw(&mut self, field: Field<'_>) -> &mut Self {
        self.bytes.extend_from_slice(field.raw);
        if !field.raw.ends_with(b"\n") {
            self.bytes.extend_from_slice(b"\r\n");
        }
        self
    }

    /// The head, with the empty line that ends it.
    pub fn finish(&mut self) -> Head {
        self.bytes.extend_from_slice(b"\r\n");
        Head::read(&std::mem::take(&mut self.bytes))
    }
}

fn push_line(bytes: &mut Vec<u8>, text: &[u8]) {
    if fits_a_line(text) {
        bytes.extend_from_slice(text);
    } else {
        bytes.extend(text.iter().map(|byte| if matches!(byte, b'\r' | b'\n' | 0) { b' ' } else { *byte }));
    }
}

/// The text as one word of a first line.
fn one_word(text: &str, otherwise: &[u8]) -> Vec<u8> {
    if text.is_empty() {
        return otherwise.to_vec();
    }
    let mut word = Vec::with_capacity(text.len());
    for byte in text.bytes() {
        if byte <= b' ' || byte == 0x7F {
            word.extend_from_slice(format!("%{byte:02X}").as_bytes());
        } else {
            word.push(byte);
        }
    }
    word
}
