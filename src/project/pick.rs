//! Values picked from results.

use crate::wire::Json;

/// A value that was picked, as JSON text.
pub type Pick = String;

/// Characters of a value that an error shows.
const SHOWN: usize = 60;

/// The value at a JSON pointer in a result, as JSON text. Where the pointer leads into a string that itself is JSON, as
/// servers put it into text content, it goes on in there. The error says how far the pointer led.
pub fn pick(result: &[u8], pointer: &str) -> Result<Pick, String> {
    let tokens = match pointer.strip_prefix('/') {
        Some(rest) => rest.split('/').collect(),
        None if pointer.is_empty() => Vec::new(),
        None => return Err(format!("`{pointer}` is no JSON pointer: it begins with `/`")),
    };
    let mut bytes = result.to_vec();
    let mut from = 0;
    // One turn for each text that holds JSON; each uses up a token at least.
    loop {
        let json = Json::parse(&bytes).map_err(|fault| format!("it is no JSON: {}", fault.what))?;
        let (value, used) = walk(json, &tokens[from..]);
        from += used;
        if from == tokens.len() {
            return Ok(String::from_utf8_lossy(value.raw()).into_owned());
        }
        let inner = value.text().filter(|text| text.trim_start().starts_with(['{', '[']));
        match inner.filter(|text| Json::parse(text.as_bytes()).is_ok()) {
            Some(text) => bytes = text.into_owned().into_bytes(),
            None => return Err(lost(value, &tokens, from)),
        }
    }
}

/// As far as the tokens lead: the value there, and how many were used.
fn walk<'a>(json: Json<'a>, tokens: &[&str]) -> (Json<'a>, usize) {
    let mut value = json;
    for (used, token) in tokens.iter().enumerate() {
        match value.pointer(&format!("/{token}")) {
            Some(inner) => value = inner,
            None => return (value, used),
        }
    }
    (value, tokens.len())
}

fn lost(value: Json<'_>, tokens: &[&str], from: usize) -> String {
    let shown: String = String::from_utf8_lossy(value.raw()).chars().take(SHOWN).collect();
    let led = if from == 0 { "the result".to_owned() } else { format!("/{}", tokens[..from].join("/")) };
    format!("there is nothing at /{}: {led} is {shown}", tokens.join("/"))
}

#[cfg(test)]
mod tests {
    use super::pick;

    #[test]
    fn pointers_lead_into_results_and_on_into_json_in_their_texts() {
        let result = br#"{"content":[{"type":"text","text":"{\"id\": 12345678901234567890, \"a~/b\":[\"{\\\"x\\\":null}\"]}"}],"n":1.50}"#;
        let cases = [
            ("/n", "1.50"),
            ("/content/0/type", r#""text""#),
            ("/content/0/text/id", "12345678901234567890"),
            ("/content/0/text/a~0~1b/0/x", "null"),
        ];
        for (pointer, expected) in cases {
            assert_eq!(pick(result, pointer).as_deref(), Ok(expected), "{pointer}");
        }
        assert_eq!(pick(b" [1] ", "").as_deref(), Ok("[1]"));
    }

    #[test]
    fn a_pointer_that_leads_nowhere_says_how_far_it_led() {
        let error = pick(br#"{"a":{"b":"text"}}"#, "/a/b/c").expect_err("nowhere");
        assert_eq!(error, r#"there is nothing at /a/b/c: /a/b is "text""#);
        assert!(pick(b"{}", "a").is_err_and(|why| why.contains("begins with")));
        assert!(pick(b"no", "/a").is_err());
        assert!(pick(b"[1]", "/01").is_err());
    }
}
