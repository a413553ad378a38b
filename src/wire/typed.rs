//! The tokens of JSON while somebody types it: text that need not be valid, so nothing here fails and what is no
//! token is passed over. For colouring alone; what a text means is told by [`super::Json`].

use std::ops::Range;

use super::Token;

/// The tokens of a text in order, with where they stand. A string without its closing quote ends with its line, so
/// that the lines after it keep their colours.
pub fn typed_tokens(text: &str) -> impl Iterator<Item = (Range<usize>, Token)> + use<'_> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(&byte) = bytes.get(at) {
            let start = at;
            let token = match byte {
                b'"' => {
                    at = string_end(bytes, at);
                    Some(if is_name(bytes, at) { Token::Key } else { Token::String })
                }
                b'{' | b'}' | b'[' | b']' | b':' | b',' => {
                    at += 1;
                    Some(Token::Punctuation)
                }
                b'-' | b'+' | b'.' | b'0'..=b'9' => {
                    at = run(bytes, at, |byte| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9'));
                    Some(Token::Number)
                }
                byte if byte.is_ascii_alphabetic() => {
                    at = run(bytes, at, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
                    matches!(&bytes[start..at], b"true" | b"false" | b"null").then_some(Token::Literal)
                }
                _ => {
                    at += 1;
                    None
                }
            };
            if let Some(token) = token {
                return Some((start..at, token));
            }
        }
        None
    })
}

fn run(bytes: &[u8], at: usize, belongs: impl Fn(u8) -> bool) -> usize {
    bytes[at..].iter().position(|byte| !belongs(*byte)).map_or(bytes.len(), |length| at + length)
}

fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\n' => return at,
            // An escaped line end still ends the line.
            b'\\' if bytes.get(at + 1).is_some_and(|next| *next != b'\n' && next.is_ascii()) => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn is_name(bytes: &[u8], at: usize) -> bool {
    bytes[at..].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use super::{Token, typed_tokens};

    fn tokens(text: &str) -> Vec<(&str, Token)> {
        typed_tokens(text).map(|(range, token)| (&text[range], token)).collect()
    }

    #[test]
    fn valid_json_has_the_colours_of_the_layout() {
        let found = tokens(r#"{"a": [1.5e3, "x\"y", true], "é" : null}"#);
        assert_eq!(found[1], ("\"a\"", Token::Key));
        assert!(found.contains(&("1.5e3", Token::Number)));
        assert!(found.contains(&(r#""x\"y""#, Token::String)));
        assert!(found.contains(&("true", Token::Literal)));
        assert!(found.contains(&("\"é\"", Token::Key)));
    }

    #[test]
    fn half_typed_text_loses_no_more_than_its_line() {
        let found = tokens("{\"open: 1,\n\"next\": nul, 'x' \u{1f600} \"\\");
        assert_eq!(found[1], ("\"open: 1,", Token::String));
        assert_eq!(found[2], ("\"next\"", Token::Key));
        assert!(!found.iter().any(|(text, _)| *text == "nul"), "no literal yet");
        assert_eq!(found.last(), Some(&("\"\\", Token::String)));
        assert_eq!(tokens("").len() + tokens("\u{feff}é").len(), 0);
    }
}
