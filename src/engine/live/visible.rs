//! Foreign text made safe to show in one line: controls and direction marks become visible, the length
//! is capped. For views only; bytes that are copied or exported never pass through here.

use std::fmt::Write as _;

/// Characters of a line that are worth showing in a table.
const CAP: usize = 300;
/// Bytes that can hold so many characters.
pub(super) const HEAD: usize = CAP * 4;

/// The first line of `bytes` that is not blank, at most some 300 characters of it, with everything
/// escaped that would not show itself or would reorder what stands beside it.
pub(super) fn first_line(bytes: &[u8]) -> String {
    let start = bytes.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(bytes.len());
    let rest = &bytes[start..];
    let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    let cut = end.min(HEAD);
    let text = String::from_utf8_lossy(&rest[..cut]);
    let text = text.trim_end();
    // A character that the cut went through is no damage of the line.
    one_line(if cut < end { text.trim_end_matches('\u{FFFD}') } else { text }, cut < end)
}

/// `text` as one line; `cut` says that there was more.
pub(super) fn one_line(text: &str, cut: bool) -> String {
    let mut shown = String::with_capacity(text.len().min(HEAD));
    for (count, character) in text.chars().enumerate() {
        if count == CAP {
            shown.push('…');
            return shown;
        }
        push(&mut shown, character);
    }
    if cut {
        shown.push('…');
    }
    shown
}

fn push(shown: &mut String, character: char) {
    match character {
        '\t' => shown.push_str("\\t"),
        '\n' => shown.push_str("\\n"),
        '\r' => shown.push_str("\\r"),
        _ if is_hidden(character) => {
            let code = u32::from(character);
            // Writing to a String cannot fail.
            let _ = if code < 0x100 { write!(shown, "\\x{code:02x}") } else { write!(shown, "\\u{{{code:04x}}}") };
        }
        _ => shown.push(character),
    }
}

/// Controls, and the marks that change direction or take no room.
pub fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

#[cfg(test)]
mod tests {
    use super::first_line;

    #[test]
    fn what_would_hide_or_reorder_text_is_shown_escaped() {
        assert_eq!(first_line(b"\r\n\x1b[31mred\x1b[0m\tx\r\nnext"), "\\x1b[31mred\\x1b[0m\\tx");
        assert_eq!(first_line("a\u{202E}b\u{2066}".as_bytes()), "a\\u{202e}b\\u{2066}");
        assert_eq!(first_line(b"bad \xff\xfe"), "bad \u{FFFD}\u{FFFD}");
        assert_eq!(first_line(b" \n \n"), "");
    }

    #[test]
    fn a_line_of_any_length_becomes_a_short_one() {
        let long = first_line(&"ö".repeat(5_000_000).into_bytes());
        assert_eq!(long.chars().count(), 301);
        assert!(long.ends_with("ö…"));
    }
}
