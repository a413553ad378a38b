//! One JSON value as the exact bytes that it was sent as. Nothing is built: members, items and texts
//! are found in the bytes when they are asked for, so numbers keep their digits and objects their order
//! and their duplicate keys. Nothing recurses, so depth costs no stack.

use std::borrow::Cow;
use std::fmt;

use super::scan::{JsonFault, Scanner, plain, skip, skip_space};

/// One valid JSON value: its exact bytes, without whitespace around them.
///
/// Strings may hold bytes that are not UTF-8; everything else is checked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Json<'a> {
    raw: &'a [u8],
}

/// The six kinds of JSON values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JsonKind {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// `"…"`
    String,
    /// `1.5e3`
    Number,
    /// `true` or `false`
    Bool,
    /// `null`
    Null,
}

impl<'a> Json<'a> {
    /// The value that `bytes` hold, with nothing but whitespace around it.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, JsonFault> {
        let mut scanner = Scanner::new(bytes, 0);
        let start = scanner.value()?;
        let end = scanner.at;
        scanner.space();
        if scanner.at < bytes.len() {
            return scanner.fault("more text follows the JSON value");
        }
        Ok(Self { raw: &bytes[start..end] })
    }

    /// The value with these bytes, which were found valid.
    pub(super) const fn trusted(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    /// What kind of value it is.
    pub fn kind(&self) -> JsonKind {
        match self.raw.first() {
            Some(b'{') => JsonKind::Object,
            Some(b'[') => JsonKind::Array,
            Some(b'"') => JsonKind::String,
            Some(b't' | b'f') => JsonKind::Bool,
            Some(b'n') | None => JsonKind::Null,
            Some(_) => JsonKind::Number,
        }
    }

    /// Its bytes as sent.
    pub const fn raw(&self) -> &'a [u8] {
        self.raw
    }

    /// The names and values of an object in their order, duplicates included; nothing for other kinds.
    pub fn members(&self) -> impl Iterator<Item = (Json<'a>, Json<'a>)> + use<'a> {
        let mut inside = Inside::of(self.raw, b'{');
        std::iter::from_fn(move || {
            let name = inside.next()?;
            Some((name, inside.next()?))
        })
    }

    /// The items of an array in their order; nothing for other kinds.
    pub fn items(&self) -> impl Iterator<Item = Json<'a>> + use<'a> {
        let mut inside = Inside::of(self.raw, b'[');
        std::iter::from_fn(move || inside.next())
    }

    /// The member with this name. Of duplicates the last wins, as in most parsers (JR-024).
    pub fn get(&self, name: &str) -> Option<Json<'a>> {
        self.members().filter(|(key, _)| key.is_text(name)).last().map(|(_, value)| value)
    }

    /// The value at a JSON pointer (RFC 6901); `""` is the value itself.
    pub fn pointer(&self, pointer: &str) -> Option<Json<'a>> {
        if pointer.is_empty() {
            return Some(*self);
        }
        let mut value = *self;
        for token in pointer.strip_prefix('/')?.split('/') {
            let name = token.replace("~1", "/").replace("~0", "~");
            value = match value.kind() {
                JsonKind::Object => value.get(&name)?,
                JsonKind::Array => value.items().nth(index(&name)?)?,
                _ => return None,
            };
        }
        Some(value)
    }

    /// A string's text, decoded; bytes that are not UTF-8 and lone surrogates become U+FFFD.
    pub fn text(&self) -> Option<Cow<'a, str>> {
        let inner = self.inner()?;
        if memchr::memchr(b'\\', inner).is_none() {
            return Some(String::from_utf8_lossy(inner));
        }
        Some(Cow::Owned(decode(inner)))
    }

    /// Whether it is a string that says exactly `text`.
    pub fn is_text(&self, text: &str) -> bool {
        match self.inner() {
            None => false,
            Some(inner) if inner == text.as_bytes() => !text.contains('\\'),
            Some(inner) => memchr::memchr(b'\\', inner).is_some() && decode(inner) == text,
        }
    }

    /// A number's text as sent.
    pub fn number(&self) -> Option<&'a str> {
        if self.kind() == JsonKind::Number { std::str::from_utf8(self.raw).ok() } else { None }
    }

    /// A number that is a whole one and fits; `2.0` is 2.
    pub fn as_i64(&self) -> Option<i64> {
        let text = self.number()?;
        text.parse().ok().or_else(|| whole(text).map(|value| value as i64))
    }

    /// A number that is a whole one, not negative, and fits; `2.0` is 2.
    pub fn as_u64(&self) -> Option<u64> {
        let text = self.number()?;
        text.parse().ok().or_else(|| whole(text).filter(|value| *value >= 0.0).map(|value| value as u64))
    }

    /// A number, rounded to the nearest one that fits; nothing where that would be infinite.
    pub fn as_f64(&self) -> Option<f64> {
        self.number()?.parse().ok().filter(|value: &f64| value.is_finite())
    }

    /// A bool.
    pub fn as_bool(&self) -> Option<bool> {
        match self.raw {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        }
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        self.kind() == JsonKind::Null
    }

    /// What lies between a string's quotes.
    pub(super) fn inner(&self) -> Option<&'a [u8]> {
        self.raw.strip_prefix(b"\"")?.strip_suffix(b"\"")
    }
}

impl fmt::Debug for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Json({})", String::from_utf8_lossy(self.raw))
    }
}

/// A string as a JSON literal, quotes included. U+0085, U+2028 and U+2029 are escaped as well, since
/// some readers of lines take them for line ends.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..'\x20' | '\x7F'..'\u{A0}' | '\u{2028}' | '\u{2029}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// Walks over the values inside a container that is known to be valid: names and values by turns for
/// an object.
struct Inside<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Inside<'a> {
    fn of(raw: &'a [u8], opener: u8) -> Self {
        let bytes = if raw.first() == Some(&opener) { &raw[..raw.len() - 1] } else { &[] };
        Self { bytes, at: 1 }
    }

    fn next(&mut self) -> Option<Json<'a>> {
        let mut start = skip_space(self.bytes, self.at);
        if matches!(self.bytes.get(start), Some(b',' | b':')) {
            start = skip_space(self.bytes, start + 1);
        }
        if start >= self.bytes.len() {
            return None;
        }
        self.at = skip(self.bytes, start);
        Some(Json { raw: &self.bytes[start..self.at] })
    }
}

/// An array index of a JSON pointer: digits without a leading zero.
fn index(name: &str) -> Option<usize> {
    let plain = name == "0" || !name.starts_with(['0', '+']);
    if plain { name.parse().ok() } else { None }
}

/// The value of a number with a fraction or an exponent, when it is whole and exact.
fn whole(text: &str) -> Option<f64> {
    let value: f64 = text.parse().ok()?;
    (value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0).then_some(value)
}

/// Undoes the escapes of a valid string.
fn decode(inner: &[u8]) -> String {
    let mut out = String::with_capacity(inner.len());
    let mut at = 0;
    while at < inner.len() {
        let end = plain_run(inner, at);
        out.push_str(&String::from_utf8_lossy(&inner[at..end]));
        at = end;
        if inner.get(at) == Some(&b'\\') {
            at = escape(inner, at, &mut out);
        }
    }
    out
}

/// The end of the run without escapes. In a valid string only a backslash ends it.
fn plain_run(inner: &[u8], at: usize) -> usize {
    let end = plain(inner, at);
    if matches!(inner.get(end), None | Some(b'\\')) { end } else { end + 1 }
}

/// Undoes the escape at `at` and returns where the text goes on.
fn escape(inner: &[u8], at: usize, out: &mut String) -> usize {
    let plain = match inner.get(at + 1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\x08',
        Some(b'f') => '\x0C',
        Some(b'u') => return unicode(inner, at, out),
        Some(&other) => char::from(other),
        None => char::REPLACEMENT_CHARACTER,
    };
    out.push(plain);
    at + 2
}

fn unicode(inner: &[u8], at: usize, out: &mut String) -> usize {
    let Some(first) = unit(inner, at) else {
        out.push(char::REPLACEMENT_CHARACTER);
        return inner.len();
    };
    if let Some(second) = unit(inner, at + 6)
        && let Some(Ok(pair)) = char::decode_utf16([first, second]).next()
        && first & 0xF800 == 0xD800
    {
        out.push(pair);
        return at + 12;
    }
    out.push(char::from_u32(u32::from(first)).unwrap_or(char::REPLACEMENT_CHARACTER));
    at + 6
}

/// The UTF-16 unit of a `\uXXXX` at `at`, if there is one.
fn unit(inner: &[u8], at: usize) -> Option<u16> {
    let digits = inner.get(at..at + 6)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Json, JsonKind, quote};

    fn json(text: &str) -> Json<'_> {
        Json::parse(text.as_bytes()).unwrap_or_else(|fault| panic!("{text}: {fault:?}"))
    }

    #[test]
    fn numbers_keys_and_order_are_as_sent() {
        let text = r#" {"a":1915883588174806058,"f":1.0,"e":1e400, "a" : [-0, 1.10 , {}] } "#;
        let value = json(text);
        assert_eq!(value.raw(), text.trim().as_bytes());
        let members: Vec<_> = value.members().map(|(key, value)| format!("{key:?}={value:?}")).collect();
        assert_eq!(
            members.join(" "),
            r#"Json("a")=Json(1915883588174806058) Json("f")=Json(1.0) Json("e")=Json(1e400) Json("a")=Json([-0, 1.10 , {}])"#
        );
        assert_eq!(value.get("a").map(|last| last.kind()), Some(JsonKind::Array));
        assert_eq!(value.pointer("/a/1").and_then(|number| number.number()), Some("1.10"));
        assert_eq!(value.pointer("/a/01"), None);
        assert_eq!(value.pointer("/a/3"), None);
        assert_eq!(value.pointer("a"), None);
        assert_eq!(value.pointer(""), Some(value));
        assert_eq!(
            json(r#"{"":{"a/b~c":{"":7}}}"#).pointer("//a~1b~0c/").and_then(|seven| seven.as_i64()),
            Some(7)
        );
    }

    #[test]
    fn texts_are_decoded_and_damage_in_them_is_replaced() {
        let cases: [(&[u8], &str); 7] = [
            (br#""a\"\\\/\b\f\n\r\t\u00e9""#, "a\"\\/\u{8}\u{c}\n\r\té"),
            (br#""\ud83d\ude00""#, "😀"),
            (br#""\ud83d""#, "\u{FFFD}"),
            (br#""\ude00\ud83d x""#, "\u{FFFD}\u{FFFD} x"),
            (br#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
            (b"\"a\xFFb\"", "a\u{FFFD}b"),
            (b"\"\xE2\x80\xA8\\n\xFF\"", "\u{2028}\n\u{FFFD}"),
        ];
        for (raw, text) in cases {
            let value = Json::parse(raw).unwrap();
            assert_eq!(value.text().as_deref(), Some(text));
            assert!(value.is_text(text));
        }
        assert_eq!(json("1").text(), None);
        assert!(!json(r#""\\n""#).is_text("\\\\n"));
    }

    #[test]
    fn scalars_have_their_values() {
        assert_eq!(json("-32602.0").as_i64(), Some(-32602));
        assert_eq!(json("1.5").as_i64(), None);
        assert_eq!(json("18446744073709551615").as_u64(), Some(u64::MAX));
        assert_eq!(json("18446744073709551615").as_i64(), None);
        assert_eq!(json("-1").as_u64(), None);
        assert_eq!(json("1e400").as_f64(), None);
        assert_eq!(json("1e2").as_f64(), Some(100.0));
        assert_eq!(json("true").as_bool(), Some(true));
        assert!(json("null").is_null());
        assert_eq!(json("{}").members().count() + json("[]").items().count() + json("1").items().count(), 0);
    }

    #[test]
    fn faults_say_where_and_what() {
        let cases: [(&[u8], usize, &str); 14] = [
            (b"", 0, "the text ends before the JSON value does"),
            (b"{\"a\":", 5, "the text ends before the JSON value does"),
            (b"{\"a\" 1}", 5, "expected `:` after the member name"),
            (b"{a:1}", 1, "expected a member name in double quotes"),
            (b"[1 2]", 3, "expected `,` or `]`"),
            (b"[1}", 2, "expected `,` or `]`"),
            (b"[1,]", 3, "expected a JSON value"),
            (b"{\"a\":1,}", 7, "expected a member name in double quotes"),
            (b"01", 1, "a number has no leading zeros"),
            (b"[NaN]", 1, "JSON has no `NaN` and no `Infinity`"),
            (b"\"a\nb\"", 2, "a control character inside a string must be escaped"),
            (b"\"\\x\"", 2, "unknown escape in a string"),
            (b"{}{}", 2, "more text follows the JSON value"),
            (b"\"\\u12g4\"", 5, "`\\u` needs four hexadecimal digits"),
        ];
        for (bytes, at, what) in cases {
            let fault = Json::parse(bytes).unwrap_err();
            assert_eq!((fault.at, fault.what), (at, what), "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn ten_million_brackets_cost_neither_stack_nor_square_time() {
        let mut text = b"[{\"a\":".repeat(5_000_000);
        text.push(b'1');
        text.extend(b"}]".repeat(5_000_000));
        let value = Json::parse(&text).unwrap();
        assert_eq!(value.items().count(), 1);
        assert!(Json::parse(&text[..text.len() - 1]).is_err());
        text.swap_remove(text.len() / 2 + 10);
        assert!(Json::parse(&text).is_err());
    }

    /// JSON text, mostly valid, of a depth that `serde_json` takes.
    fn any_json() -> impl Strategy<Value = String> {
        let scalar = prop_oneof![
            Just("null".to_owned()),
            Just("true".to_owned()),
            "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?",
            "\"([a-z{}\\[\\],: é😀]|\\\\[nrt\"/u\\\\]|\\\\u[0-9a-f]{4}){0,12}\"",
            any::<String>().prop_map(|text| quote(&text)),
            "[-+.0-9eE]{1,6}",
        ];
        let space = "[ \\n\\r\\t]{0,2}";
        scalar.prop_recursive(6, 60, 6, move |inner| {
            let spaced = (space, inner, space).prop_map(|(a, value, b)| format!("{a}{value}{b}"));
            let member = ("[a-c]{0,2}", space, spaced.clone())
                .prop_map(|(key, gap, value)| format!("\"{key}\"{gap}:{value}"));
            prop_oneof![
                prop::collection::vec(spaced, 0..5).prop_map(|items| format!("[{}]", items.join(","))),
                prop::collection::vec(member, 0..5)
                    .prop_map(|members| format!("{{ {} }}", members.join(","))),
            ]
        })
    }

    fn agrees(text: &str) -> Result<(), TestCaseError> {
        let ours = Json::parse(text.as_bytes());
        let theirs = serde_json::from_str::<&serde_json::value::RawValue>(text);
        prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{} {:?} {:?}", text, ours, theirs);
        let (Ok(ours), Ok(theirs)) = (ours, theirs) else { return Ok(()) };
        prop_assert_eq!(ours.raw(), theirs.get().as_bytes());
        match serde_json::from_str::<serde_json::Value>(text) {
            Ok(serde_json::Value::String(theirs)) => prop_assert_eq!(ours.text().unwrap(), theirs),
            Ok(serde_json::Value::Object(theirs)) => {
                for (key, value) in &theirs {
                    let found = ours.get(key).unwrap();
                    prop_assert_eq!(
                        &serde_json::from_slice::<serde_json::Value>(found.raw()).unwrap(),
                        value
                    );
                }
            }
            Ok(serde_json::Value::Array(theirs)) => prop_assert_eq!(ours.items().count(), theirs.len()),
            _ => {}
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn validity_is_as_serde_json_sees_it(text in any_json(), at in any::<prop::sample::Index>(), with in "[\\[\\]{},:\"\\\\0-9eE.+ntf \\x00-\\x1f]{0,1}") {
            agrees(&text)?;
            let cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let at = cuts[at.index(cuts.len())];
            let after = at + text[at..].chars().next().map_or(0, char::len_utf8);
            agrees(&format!("{}{with}{}", &text[..at], &text[after..]))?;
        }

        #[test]
        fn any_bytes_are_read_without_panic(bytes in any::<Vec<u8>>()) {
            if let Ok(value) = Json::parse(&bytes) {
                value.text();
            }
        }

        #[test]
        fn quoted_text_reads_back(text in any::<String>()) {
            let quoted = quote(&text);
            prop_assert_eq!(json(&quoted).text().unwrap(), text);
        }
    }
}
