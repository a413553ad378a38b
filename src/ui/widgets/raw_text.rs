//! Bytes as text with everything visible: line ends, controls, and bytes that are no text at all.

use std::ops::Range;

use super::script::TextScript;
use super::sheet::Ink;

/// Bytes that are turned into text at a time; the hexadecimal view has no limit.
pub const MOST: usize = 512 * 1024;

/// The text of the first [`MOST`] bytes.
pub fn script(bytes: &[u8]) -> TextScript {
    let mut writer = Writer::default();
    for chunk in bytes[..bytes.len().min(MOST)].utf8_chunks() {
        for piece in chunk.valid().split_inclusive('\n') {
            writer.text(piece);
        }
        for byte in chunk.invalid() {
            writer.odd(&format!("⟨{byte:02X}⟩"));
        }
    }
    writer.finish()
}

/// What is unusual about the bytes as text, each in a sentence; `is_line` says that they are a line, which
/// ends in one.
pub fn remarks(bytes: &[u8], is_line: bool) -> Vec<String> {
    let head = &bytes[..bytes.len().min(8 << 20)];
    let mut found = Vec::new();
    if head.starts_with(b"\xEF\xBB\xBF") {
        found.push("It begins with a byte order mark, which many JSON parsers refuse.".to_owned());
    }
    if is_line && head.ends_with(b"\r\n") {
        found.push("The line ends in CR LF rather than LF.".to_owned());
    }
    let bad: usize = head.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
    if bad > 0 {
        let word = if bad == 1 { "byte is" } else { "bytes are" };
        found.push(format!("{bad} {word} not UTF-8, shown as ⟨hexadecimal⟩."));
    }
    if is_line && !bytes.is_empty() && !bytes.ends_with(b"\n") {
        found.push("No line end follows.".to_owned());
    }
    found
}

#[derive(Default)]
struct Writer {
    text: String,
    line_start: usize,
    line: Vec<(Range<usize>, Ink)>,
    inks: Vec<Vec<(Range<usize>, Ink)>>,
}

impl Writer {
    /// Text of one line at most, its end included.
    fn text(&mut self, piece: &str) {
        match piece.strip_suffix('\n') {
            Some(line) => {
                self.text.push_str(line);
                self.odd("↵");
                self.text.push('\n');
                self.line_start = self.text.len();
                self.inks.push(std::mem::take(&mut self.line));
            }
            None => self.text.push_str(piece),
        }
    }

    fn odd(&mut self, sign: &str) {
        let start = self.text.len() - self.line_start;
        self.text.push_str(sign);
        self.line.push((start..start + sign.len(), Ink::Odd));
    }

    fn finish(mut self) -> TextScript {
        self.inks.push(self.line);
        TextScript::with_inks(self.text, self.inks)
    }
}

#[cfg(test)]
mod tests {
    use super::{remarks, script};
    use crate::ui::widgets::sheet::Script;

    #[test]
    fn nothing_stays_invisible() {
        let script = script(b"\xEF\xBB\xBFone\xFF\xFEtwo\r\n\nend");
        let lines: Vec<&str> = (0..script.count()).map(|line| script.line(line)).collect();
        assert_eq!(lines, ["\u{feff}one⟨FF⟩⟨FE⟩two\r↵", "↵", "end"]);
        let mut odd = Vec::new();
        script.inks(0, &mut |range, _| odd.push(lines[0][range].to_owned()));
        assert_eq!(odd, ["⟨FF⟩", "⟨FE⟩", "↵"]);
    }

    #[test]
    fn what_is_unusual_is_said() {
        assert_eq!(remarks(b"{}\n", true), Vec::<String>::new());
        assert_eq!(remarks(b"\xEF\xBB\xBF{}\r\n", true).len(), 2);
        assert!(remarks(b"a\xFFb\n", true)[0].starts_with("1 byte is not UTF-8"));
        assert!(remarks(b"{}", true)[0].contains("No line end"));
        assert_eq!(remarks(b"{}", false), Vec::<String>::new());
    }
}
