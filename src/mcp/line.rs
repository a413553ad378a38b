//! Text from the wire made fit for one line on a screen.

use std::fmt::Write as _;

/// The longest subject and outcome, in characters.
pub const LONGEST: usize = 200;

/// `text` on one line: controls, line ends and the characters that reorder text shown as escapes,
/// cut after `most` characters with `…`.
///
/// A server is not trusted: without this a tool's name could hide the end of its row or reverse it.
pub fn one_line(text: &str, most: usize) -> String {
    let mut line = String::with_capacity(text.len().min(most * 4));
    for (index, c) in text.chars().enumerate() {
        if index == most {
            line.push('…');
            break;
        }
        push_visible(&mut line, c);
    }
    line
}

/// The same for bytes as recorded: surrounding line ends are dropped, bad UTF-8 is shown as `\xff`.
pub fn one_line_of(bytes: &[u8], most: usize) -> String {
    let bytes = bytes.trim_ascii_end();
    // Each character takes at most four bytes, so no more of a huge line needs to be looked at.
    let head = &bytes[..bytes.len().min(most.saturating_mul(4) + 4)];
    let mut line = String::new();
    let mut count = 0;
    for chunk in head.utf8_chunks() {
        for c in chunk.valid().chars() {
            if count == most {
                line.push('…');
                return line;
            }
            push_visible(&mut line, c);
            count += 1;
        }
        // The cut above may have split a character; that is no bad byte.
        let cut = head.len() < bytes.len() && chunk.invalid().as_ptr_range().end == head.as_ptr_range().end;
        for byte in chunk.invalid().iter().take_while(|_| !cut) {
            let _ = write!(line, "\\x{byte:02x}");
            count += 1;
        }
    }
    line
}

fn push_visible(line: &mut String, c: char) {
    match c {
        '\n' => line.push_str("\\n"),
        '\r' => line.push_str("\\r"),
        '\t' => line.push_str("\\t"),
        c if c.is_control() => {
            let _ = write!(line, "\\x{:02x}", c as u32);
        }
        c if hides(c) => {
            let _ = write!(line, "\\u{{{:x}}}", c as u32);
        }
        c => line.push(c),
    }
}

/// Characters that are not seen but change what is: direction marks, line separators, the BOM, tags.
const fn hides(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::{one_line, one_line_of};

    #[test]
    fn what_would_break_or_reverse_the_line_is_escaped() {
        assert_eq!(one_line("a\nb\tc\u{1b}[31m", 99), "a\\nb\\tc\\x1b[31m");
        assert_eq!(one_line("evil\u{202e}txt", 99), "evil\\u{202e}txt");
        assert_eq!(one_line("Malmö 😀", 99), "Malmö 😀");
        assert_eq!(one_line("abcdef", 3), "abc…");
        assert_eq!(one_line("abc", 3), "abc");
    }

    #[test]
    fn bytes_that_are_not_text_are_shown_as_bytes() {
        assert_eq!(one_line_of(b"ok\xff\xfe!\r\n", 99), "ok\\xff\\xfe!");
        assert_eq!(one_line_of("ööööö".as_bytes(), 2), "öö…");
        assert_eq!(one_line_of(b"", 9), "");
    }
}
