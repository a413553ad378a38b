//! Foreign text made safe for a terminal: what would move the cursor, change colours or reorder text is
//! written as an escape. Only what people see passes through here; `--json` and export do not.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::engine::is_hidden;

/// `line` with every hidden character as JSON would escape it, so that a laid-out JSON text stays JSON.
pub(super) fn line(line: &str) -> Cow<'_, str> {
    if !line.contains(is_hidden) {
        return Cow::Borrowed(line);
    }
    let mut safe = String::with_capacity(line.len() + 16);
    for character in line.chars() {
        if is_hidden(character) {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                // Writing to a String cannot fail.
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(character);
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn a_terminal_is_not_attacked() {
        assert_eq!(line("\u{1b}]0;pwned\u{7}"), "\\u001b]0;pwned\\u0007");
        assert_eq!(line("a\u{202e}b\u{9b}2J\u{e0041}"), "a\\u202eb\\u009b2J\\udb40\\udc41");
        assert_eq!(line("Malmö → 日本"), "Malmö → 日本");
    }
}
