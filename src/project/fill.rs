//! `{{name}}` in texts and in JSON text.

use crate::wire::{Json, quote};

/// Whether a name can be used as `{{name}}`.
pub(super) fn is_name(name: &str) -> bool {
    let first = name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
    first && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// A text with the values of variables as text. `value` gives them as JSON text.
pub(super) fn text(text: &str, value: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("{{") {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match reference(rest) {
            Some((name, _, length)) => {
                let found = value(name).ok_or_else(|| missing(name))?;
                out.push_str(&plain(&found));
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
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    // Where the string that we are in began in `text`.
    let mut string: Option<usize> = None;
    let bytes = text.as_bytes();
    while at < bytes.len() {
        if let Some((name, as_text, length)) = reference(&text[at..]) {
            let found = value(name).ok_or_else(|| missing(name))?;
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
    use super::{json, text};

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

    proptest::proptest! {
        #[test]
        fn nothing_panics(template in "[{}\"\\\\a-c|é ]{0,40}") {
            let _ = json(&template, &value);
            let _ = text(&template, &|_| Some("1".to_owned()));
        }
    }
}
