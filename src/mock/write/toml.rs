//! Texts and JSON as TOML that a person likes to read and edit; JSON keeps every digit.

use crate::wire::{Json, JsonKind};

/// JSON longer than this is not laid out: nobody edits it by hand.
const LAID_OUT: usize = 64 * 1024;
/// A value that is no longer than this stays on one line.
const ON_A_LINE: usize = 80;
/// What is nested deeper is not laid out, and no value of TOML.
const DEEPEST: usize = 40;

/// Adds a key with a value that is TOML already.
pub(super) fn put(out: &mut String, key: &str, value: &str) {
    out.extend([key, " = ", value, "\n"]);
}

/// Adds `more`: members of JSON for which a table has no keys of its own.
pub(super) fn put_more(out: &mut String, members: &[String]) {
    let more = format!("{{{}}}", members.join(","));
    if let (Ok(more), false) = (Json::parse(more.as_bytes()), members.is_empty()) {
        put(out, "more", &json(more));
    }
}

/// A text, in the quotes that need the fewest escapes.
pub(super) fn text(text: &str) -> String {
    let odd = |c: char| c.is_control() && c != '\n' && c != '\t';
    if text.contains(odd) || text.contains("'''") || text.ends_with('\'') {
        return basic(text);
    }
    if text.contains('\n') {
        // The line end behind the opening quotes is none of the text.
        return format!("'''\n{text}'''");
    }
    if !text.contains(['"', '\\', '\t']) {
        return format!("\"{text}\"");
    }
    if text.contains('\'') { format!("'''{text}'''") } else { format!("'{text}'") }
}

/// A text with escapes, on one line.
pub(super) fn basic(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.extend(["\\U", &format!("{:08X}", u32::from(c))]),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A key.
pub(super) fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(bare) { name.to_owned() } else { basic(name) }
}

/// JSON as a text, laid out where it is short enough to be read.
pub(super) fn json(json: Json<'_>) -> String {
    let raw = String::from_utf8_lossy(json.raw());
    if raw.len() > LAID_OUT || raw.len() <= ON_A_LINE {
        return text(&on_one_line(&raw));
    }
    let mut out = String::new();
    lay_out(json, 0, &mut out);
    text(&(out + "\n"))
}

/// JSON as a text on one line, as it stands in a table on one line.
pub(super) fn json_line(json: Json<'_>) -> String {
    text(&on_one_line(&String::from_utf8_lossy(json.raw())))
}

/// Line ends stand only between the values of valid JSON.
fn on_one_line(raw: &str) -> String {
    raw.replace(['\n', '\r'], " ")
}

fn lay_out(json: Json<'_>, depth: usize, out: &mut String) {
    let raw = String::from_utf8_lossy(json.raw());
    let holds = matches!(json.kind(), JsonKind::Object | JsonKind::Array);
    if !holds || raw.len() <= ON_A_LINE || depth >= DEEPEST {
        out.push_str(&on_one_line(&raw));
        return;
    }
    let is_object = json.kind() == JsonKind::Object;
    let named = json.members().map(|(name, value)| (Some(name), value));
    let all = named.chain(json.items().map(|item| (None, item)));
    out.push(if is_object { '{' } else { '[' });
    for (index, (name, value)) in all.enumerate() {
        out.push_str(if index > 0 { ",\n" } else { "\n" });
        out.push_str(&"  ".repeat(depth + 1));
        if let Some(name) = name {
            out.push_str(&String::from_utf8_lossy(name.raw()));
            out.push_str(": ");
        }
        lay_out(value, depth + 1, out);
    }
    out.push('\n');
    out.push_str(&"  ".repeat(depth));
    out.push(if is_object { '}' } else { ']' });
}

/// JSON as a value of TOML; nothing where TOML has none that says the same: `null`, a name twice, great depth.
pub(super) fn value(json: Json<'_>) -> Option<String> {
    value_at(json, 0)
}

fn value_at(json: Json<'_>, depth: usize) -> Option<String> {
    match json.kind() {
        JsonKind::Null => None,
        _ if depth >= DEEPEST => None,
        JsonKind::String => Some(text_in_line(&json.text()?)),
        JsonKind::Number | JsonKind::Bool => Some(String::from_utf8_lossy(json.raw()).into_owned()),
        JsonKind::Array => {
            let items: Option<Vec<String>> = json.items().map(|item| value_at(item, depth + 1)).collect();
            Some(format!("[{}]", items?.join(", ")))
        }
        JsonKind::Object => {
            let mut names = std::collections::BTreeSet::new();
            let mut members = Vec::new();
            for (name, value) in json.members() {
                let name = name.text()?.into_owned();
                members.push(format!("{} = {}", key(&name), value_at(value, depth + 1)?));
                names.insert(name).then_some(())?;
            }
            Some(if members.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", members.join(", ")) })
        }
    }
}

/// A text that stays on its line.
pub(super) fn text_in_line(said: &str) -> String {
    if said.contains('\n') { basic(said) } else { text(said) }
}

/// So many nanoseconds, as a mock file writes them.
pub(super) fn time(nanos: i64) -> String {
    match nanos {
        ..1_000_000 => format!("\"{}us\"", (nanos / 1_000).max(1)),
        1_000_000..10_000_000_000 => format!("\"{}ms\"", nanos / 1_000_000),
        _ => format!("\"{}s\"", nanos / 1_000_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::{json, text, value};
    use crate::wire::Json;

    fn parsed(said: &str) -> String {
        let table: toml::Table = format!("x = {said}").parse().expect("it is TOML");
        table["x"].as_str().expect("it is a text").to_owned()
    }

    #[test]
    fn every_text_comes_back() {
        for said in [
            "",
            "a",
            "it's",
            "a \"b\"",
            "\\n",
            "'",
            "'''",
            "a\nb",
            "\n",
            "a\r\nb",
            "\u{1}\u{7f}",
            "\t",
            "x'\"\\'y",
            "{{a}}",
        ] {
            assert_eq!(parsed(&text(said)), said, "{said:?}");
        }
    }

    #[test]
    fn json_is_laid_out_and_keeps_its_digits() {
        let long = format!(r#"{{"a":1.50,"b":[1e400,9007199254740993],"c":"{}","a":"it's '''"}}"#, "x".repeat(90));
        let back = parsed(&json(Json::parse(long.as_bytes()).expect("JSON")));
        assert_eq!(back.replace("\n  ", "").replace('\n', "").replace(": ", ":"), long);
        assert_eq!(json(Json::parse(b"{\"a\":\n1}").expect("JSON")), r#"'{"a": 1}'"#);
    }

    #[test]
    fn what_toml_has_no_value_for_has_none() {
        let of = |text: &str| value(Json::parse(text.as_bytes()).expect("JSON"));
        assert_eq!(
            of(r#"{"a":1.0,"b c":["x",true],"d":{}}"#).as_deref(),
            Some(r#"{ a = 1.0, "b c" = ["x", true], d = {} }"#)
        );
        assert_eq!((of("null"), of(r#"{"a":[null]}"#), of(r#"{"a":1,"a":2}"#)), (None, None, None));
    }
}
