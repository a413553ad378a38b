//! `{{name}}` in texts and in JSON text.

use crate::wire::{Json, quote};

/// Whether a name can be used as `{{name}}`.
pub fn is_name(name: &str) -> bool {
    let first = name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
    first && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// A text with the values of variables as text. `value` gives them as JSON text.
pub(super) fn text(text: &str, value: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    put_text(text, &mut |name| value(name).map(Some).ok_or_else(|| missing(name)))
}

/// A text with the values of those variables that have one; the others stand as they were.
pub fn fill_text_known(text: &str, value: &dyn Fn(&str) -> Option<String>) -> String {
    put_text(text, &mut |name| Ok(value(name))).unwrap_or_else(|_| text.to_owned())
}

fn put_text(text: &str, value: Value<'_>) -> Result<String, String> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("{{") {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match reference(rest) {
            Some((name, _, length)) => {
                match value(name)? {
                    Some(found) => out.push_str(&plain(&found)),
                    None => out.push_str(&rest[..length]),
                }
                rest = &rest[length..];
            }
            None => {
                out.push('{');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    Ok(out)
}

/// JSON text with the values of variables. Where `{{name}}` stands for a value, or is the whole of a string, it becomes
/// the value with its type; inside a string it becomes text; `{{name|text}}` always becomes text. The text may be any,
/// also one that is no JSON: what is not a variable stays byte for byte.
pub(super) fn json(text: &str, value: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    put(text, &mut |name| value(name).map(Some).ok_or_else(|| missing(name)))
}

/// JSON text with the values of those variables that have one (JSON text), and the names of the others, which stand as
/// they were.
pub fn fill_known(text: &str, value: &dyn Fn(&str) -> Option<String>) -> (String, Vec<String>) {
    let mut unknown: Vec<String> = Vec::new();
    let filled = put(text, &mut |name| {
        let found = value(name);
        if found.is_none() && !unknown.iter().any(|other| other == name) {
            unknown.push(name.to_owned());
        }
        Ok(found)
    });
    // Nothing fails where what has no value may stay.
    (filled.unwrap_or_else(|_| text.to_owned()), unknown)
}

/// The names of the variables that stand in a text, each once.
pub fn references(text: &str) -> Vec<String> {
    let (mut names, mut rest): (Vec<String>, &str) = (Vec::new(), text);
    while let Some(at) = rest.find("{{") {
        rest = &rest[at..];
        let length = match reference(rest) {
            Some((name, _, length)) => {
                if !names.iter().any(|other| other == name) {
                    names.push(name.to_owned());
                }
                length
            }
            None => 1,
        };
        rest = &rest[length..];
    }
    names
}

/// What stands for a variable: its value, nothing where it stays as it is, or why it cannot be.
type Value<'a> = &'a mut dyn FnMut(&str) -> Result<Option<String>, String>;

fn put(text: &str, value: Value<'_>) -> Result<String, String> {
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    // Where the string that we are in began in `text`.
    let mut string: Option<usize> = None;
    let bytes = text.as_bytes();
    while at < bytes.len() {
        if let Some((name, as_text, length)) = reference(&text[at..]) {
            let Some(found) = value(name)? else {
                out.push_str(&text[at..at + length]);
                at += length;
                continue;
            };
            let whole = string.is_some_and(|start| start + 1 == at) && bytes.get(at + length) == Some(&b'"');
            match (string, whole && !as_text) {
                (Some(_), true) => {
                    out.pop();
                    out.push_str(&found);
                    string = None;
                    at += length + 1;
                    continue;
                }
                (Some(_), false) => out.push_str(inside(&quote_plain(&found))),
                (None, _) if as_text => out.push_str(&quote_plain(&found)),
                (None, _) => out.push_str(&found),
            }
            at += length;
            continue;
        }
        let step = text[at..].chars().next().map_or(1, char::len_utf8);
        let step = match bytes[at] {
            b'\\' if string.is_some() => step + text[at + 1..].chars().next().map_or(0, char::len_utf8),
            b'"' => {
                string = if string.is_some() { None } else { Some(at) };
                step
            }
            _ => step,
        };
        out.push_str(&text[at..at + step]);
        at += step;
    }
    Ok(out)
}

/// The variable that a text begins with: its name, whether it is to be text, and how many bytes it takes.
fn reference(text: &str) -> Option<(&str, bool, usize)> {
    let inside = text.strip_prefix("{{")?;
    let end = inside.find("}}")?;
    let (name, as_text) = match inside[..end].split_once('|') {
        Some((name, kind)) if kind.trim() == "text" => (name, true),
        Some(_) => return None,
        None => (&inside[..end], false),
    };
    let name = name.trim();
    is_name(name).then_some((name, as_text, end + 4))
}

/// A value as a person types it: text stands for itself, unless it could be taken for other JSON. [`typed`] reads it.
pub fn shown(json: &str) -> String {
    let text = plain(json);
    if typed(&text) == json { text } else { json.to_owned() }
}

/// The JSON text of what a person typed: JSON as it is, and anything else as a string.
pub fn typed(text: &str) -> String {
    let trimmed = text.trim();
    if Json::parse(trimmed.as_bytes()).is_ok() { trimmed.to_owned() } else { quote(text) }
}

/// A value as a person reads it: a string's text, other values as JSON.
pub(super) fn plain(json: &str) -> String {
    let parsed = Json::parse(json.as_bytes()).ok();
    parsed.and_then(|value| value.text().map(std::borrow::Cow::into_owned)).unwrap_or_else(|| json.to_owned())
}

/// A value as a JSON string: a string stays as it is, byte for byte.
fn quote_plain(json: &str) -> String {
    if json.starts_with('"') { json.to_owned() } else { quote(json) }
}

/// What lies between the quotes of a JSON string.
fn inside(string: &str) -> &str {
    string.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(string)
}

fn missing(name: &str) -> String {
    format!("the variable `{name}` has no value; give it one with --set {name}=…, in the file, or by a pick before")
}

#[cfg(test)]
mod tests {
    use super::{fill_known, fill_text_known, json, references, shown, text, typed};

    fn value(name: &str) -> Option<String> {
        let found = match name {
            "n" => "12345678901234567890.50",
            "s" => r#""a \"b\" \u00e9""#,
            "o" => r#"{"x": [1]}"#,
            "my-id" => r#""q""#,
            _ => return None,
        };
        Some(found.to_owned())
    }

    #[test]
    fn the_whole_value_keeps_its_type_and_inside_a_string_it_is_text() {
        let cases = [
            (r#"{"a":{{n}}}"#, r#"{"a":12345678901234567890.50}"#),
            (r#"{"a":"{{n}}"}"#, r#"{"a":12345678901234567890.50}"#),
            (r#"{"a":"{{n|text}}"}"#, r#"{"a":"12345678901234567890.50"}"#),
            (r#"{"a":{{ n | text }}}"#, r#"{"a":"12345678901234567890.50"}"#),
            (r#"{"a":"no. {{n}}"}"#, r#"{"a":"no. 12345678901234567890.50"}"#),
            (r#"{"a":"{{s}}"}"#, r#"{"a":"a \"b\" \u00e9"}"#),
            (r#"{"a":"-{{s}}-"}"#, r#"{"a":"-a \"b\" \u00e9-"}"#),
            (r#"{"a":"{{ o }}"}"#, r#"{"a":{"x": [1]}}"#),
            (r#"{"a":"x{{o}}"}"#, r#"{"a":"x{\"x\": [1]}"}"#),
            (r#"{"{{my-id}}x":1, "b":"\"{{n}}"}"#, r#"{"qx":1, "b":"\"12345678901234567890.50"}"#),
            (r#"{"a":{{{n}}}}"#, r#"{"a":{12345678901234567890.50}}"#),
            // What is no variable stays, also where it is no JSON.
            (r#"{"a":"{{x y}} {{}} {{n|hex}} {{"}"#, r#"{"a":"{{x y}} {{}} {{n|hex}} {{"}"#),
            ("{\"é\": 'x', \"\\", "{\"é\": 'x', \"\\"),
            ("[1,\n 2]\n", "[1,\n 2]\n"),
        ];
        for (template, expected) in cases {
            assert_eq!(json(template, &value).as_deref(), Ok(expected), "{template}");
        }
    }

    #[test]
    fn texts_get_texts_and_what_has_no_value_is_named() {
        assert_eq!(text("note:///{{my-id}}/{{s}}{", &value).as_deref(), Ok("note:///q/a \"b\" é{"));
        assert!(json(r#"{"a":"{{gone}}"}"#, &value).is_err_and(|why| why.contains("`gone`")));
        assert!(text("{{gone}}", &value).is_err());
    }

    #[test]
    fn what_has_no_value_can_stay_and_is_named() {
        let (filled, unknown) =
            fill_known(r#"{"a":"{{n}}","b":"{{gone}}-{{n}}","c":{{gone|text}},"d":"{{o}}"}"#, &value);
        let expected =
            r#"{"a":12345678901234567890.50,"b":"{{gone}}-12345678901234567890.50","c":{{gone|text}},"d":{"x": [1]}}"#;
        assert_eq!((filled.as_str(), &unknown[..]), (expected, &["gone".to_owned()][..]));
        assert_eq!(references("{{{a}} {{ b|text }} {{a}} {{x y}} {{"), ["a", "b"]);
    }

    #[test]
    fn values_are_typed_as_they_are_shown() {
        let cases = [("5", "5"), ("\"5\"", "\"5\""), ("\"Ada\"", "Ada"), ("\"\"", ""), ("null", "null")];
        for (json, text) in cases {
            assert_eq!((shown(json).as_str(), typed(text).as_str()), (text, json));
        }
        assert_eq!(shown(r#""\u0041""#), r#""\u0041""#, "an escape stays as it was written");
        assert_eq!(typed("{half"), r#""{half""#);
    }

    proptest::proptest! {
        #[test]
        fn nothing_panics(template in "[{}\"\\\\a-c|é ]{0,40}") {
            let _ = json(&template, &value);
            assert_eq!(fill_known(&template, &|_| None).0, template);
            assert_eq!(fill_text_known(&template, &|_| None), template);
            let _ = text(&template, &|_| Some("1".to_owned()));
        }
    }
}
