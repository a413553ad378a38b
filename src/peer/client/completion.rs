//! The params of `completion/complete`, put together as text.

use crate::wire::quote;

/// The params that ask how `value` of an argument may go on: `reference` is the member `ref`, `context` the other
/// arguments as an object, both as JSON text. The oldest revisions know no context, so without one there is no member.
pub fn completion(reference: &str, argument: &str, value: &str, context: Option<&[u8]>) -> Vec<u8> {
    let (argument, value) = (quote(argument), quote(value));
    let mut params = format!(r#"{{"ref":{reference},"argument":{{"name":{argument},"value":{value}}}"#).into_bytes();
    if let Some(context) = context {
        params.extend_from_slice(br#","context":{"arguments":"#);
        params.extend_from_slice(context);
        params.push(b'}');
    }
    params.push(b'}');
    params
}

#[cfg(test)]
mod tests {
    use super::completion;
    use crate::wire::Json;

    #[test]
    fn completion_is_asked_with_what_else_is_known() {
        let asked = completion(r#"{"type":"ref/prompt","name":"p"}"#, "ci\"ty", "L", Some(br#"{"land":"SE"}"#));
        let expected = r#"{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"ci\"ty","value":"L"},"context":{"arguments":{"land":"SE"}}}"#;
        assert_eq!(String::from_utf8(asked).expect("text"), expected);
        let alone = completion("{}", "a", "", None);
        assert!(Json::parse(&alone).expect("JSON").get("context").is_none());
    }
}
