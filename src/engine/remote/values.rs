//! A body that should be JSON, cut into its values as it comes: each becomes one line for the host,
//! however its server laid it out and whether it sent one value or a line for each (protocol.md 3.3,
//! running-peers "NDJSON"). Only line breaks are touched; nothing is held here.

use super::inlet::Part;

/// Where in the body it is.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Between values.
    #[default]
    Between,
    /// In a value, outside of strings.
    Value,
    /// In a string.
    String,
    /// Behind a backslash in a string.
    Escape,
    /// In something that is no JSON object or array; so is all that follows.
    Junk,
}

/// Cuts a body into values.
#[derive(Debug, Default)]
pub struct Values {
    place: Place,
    depth: u64,
    /// Line breaks stay as they are.
    exact: bool,
}

impl Values {
    /// Cuts a body without touching its line breaks.
    pub fn exact() -> Self {
        Self { exact: true, ..Self::default() }
    }

    /// Takes the next bytes and gives out what they hold of values. What is no JSON is not given out.
    pub fn push(&mut self, bytes: &[u8], emit: &mut dyn FnMut(Part<'_>)) {
        let mut start = 0;
        for (at, &byte) in bytes.iter().enumerate() {
            if self.place == Place::Junk {
                return;
            }
            if self.place == Place::Between {
                start = at;
                if !self.begins(byte) {
                    continue;
                }
            }
            if matches!(byte, b'\r' | b'\n') && !self.exact {
                // Between tokens a space says the same; inside a string it was no JSON before either.
                emit(Part::Text(&bytes[start..at]));
                emit(Part::Text(b" "));
                start = at + 1;
            }
            if self.step(byte) {
                emit(Part::Text(&bytes[start..=at]));
                emit(Part::End(None));
                start = at + 1;
            }
        }
        if !matches!(self.place, Place::Between | Place::Junk) && start < bytes.len() {
            emit(Part::Text(&bytes[start..]));
        }
    }

    /// Whether a value begins with this byte.
    fn begins(&mut self, byte: u8) -> bool {
        match byte {
            b'{' | b'[' => self.place = Place::Value,
            // A BOM may stand in front.
            b' ' | b'\t' | b'\r' | b'\n' | 0xEF | 0xBB | 0xBF => return false,
            _ => self.place = Place::Junk,
        }
        self.place == Place::Value
    }

    /// Takes one byte of a value; whether the value ends with it.
    fn step(&mut self, byte: u8) -> bool {
        self.place = match (self.place, byte) {
            (Place::Value, b'"') => Place::String,
            (Place::String, b'"') | (Place::Value, _) => Place::Value,
            (Place::String, b'\\') => Place::Escape,
            (Place::Escape | Place::String, _) => Place::String,
            (place, _) => place,
        };
        if self.place != Place::Value || byte == b'"' {
            return false;
        }
        match byte {
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth -= 1,
            _ => {}
        }
        if self.depth == 0 {
            self.place = Place::Between;
        }
        self.depth == 0
    }
}

#[cfg(test)]
mod tests {
    use super::Values;
    use crate::engine::remote::inlet::Part;

    fn lines(chunks: &[&[u8]]) -> (Vec<String>, bool) {
        let (mut values, mut lines, mut line) = (Values::default(), Vec::new(), Vec::new());
        for chunk in chunks {
            values.push(chunk, &mut |part| match part {
                Part::Text(text) => line.extend_from_slice(text),
                Part::End(_) => lines.push(String::from_utf8_lossy(&std::mem::take(&mut line)).into_owned()),
            });
        }
        (lines, !line.is_empty())
    }

    #[test]
    fn each_value_becomes_a_line_wherever_the_body_is_cut() {
        let body =
            "\u{FEFF} {\r\n  \"a\": \"}\\\"]\\\\\",\n \"b\": [1.0, {}]\n}\n{\"c\":\"é\u{2028}\"}[]\nok {\"d\":1}";
        let expected =
            ["{    \"a\": \"}\\\"]\\\\\",  \"b\": [1.0, {}] }", "{\"c\":\"é\u{2028}\"}", "[]"].map(str::to_owned);
        for cut in 0..body.len() {
            let (before, after) = body.as_bytes().split_at(cut);
            assert_eq!(lines(&[before, after]), (expected.to_vec(), false), "cut at {cut}");
        }
    }

    #[test]
    fn what_is_no_json_gives_no_line_and_what_breaks_off_is_open() {
        assert_eq!(lines(&[b"<html>{}</html>"]), (Vec::new(), false));
        assert_eq!(lines(&[b"\"text\""]), (Vec::new(), false));
        assert_eq!(lines(&[b"[{\"a\":\"", b"]}"]), (Vec::new(), true));
        assert_eq!(lines(&[b""]), (Vec::new(), false));
    }
}
