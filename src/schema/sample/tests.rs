//! For each of these schemas an instance is found that fits.

use super::{pattern, sample};
use crate::schema::{Schema, Validator};

fn made(schema: &str) -> Option<String> {
    let made = sample(&Schema::read(schema.as_bytes()));
    if let Some(text) = &made {
        let problems = Validator::new(schema.as_bytes()).unwrap().problems(text.as_bytes());
        assert!(problems.is_empty(), "{schema}: {text}: {problems:?}");
    }
    made
}

#[test]
fn small_instances_are_made() {
    let cases: &[(&str, &str)] = &[
        ("{}", "\"text\""),
        ("true", "\"text\""),
        (r#"{"type":"object"}"#, "{}"),
        (
            r#"{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"integer"}},"required":["a"]}"#,
            r#"{"a":1}"#,
        ),
        (r#"{"const":{"a":[1.0,null]}}"#, r#"{"a":[1.0,null]}"#),
        (r#"{"enum":[2512292042121000001,"x"]}"#, "2512292042121000001"),
        (r#"{"type":"null"}"#, "null"),
        (r#"{"type":["null","boolean"]}"#, "false"),
        (r#"{"type":"string","minLength":6}"#, "\"textxx\""),
        (r#"{"type":"string","maxLength":2}"#, "\"te\""),
        (r#"{"type":"string","pattern":"^[A-Z]{3}-\\d{2,}$"}"#, "\"AAA-11\""),
        (r#"{"type":"string","pattern":"^(foo|bar)?x*y+$","minLength":4}"#, "\"fooy\""),
        (r#"{"type":"integer","minimum":7,"multipleOf":5}"#, "10"),
        (r#"{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}"#, "0.1"),
        (r#"{"type":"integer","maximum":-3}"#, "-3"),
        (r#"{"type":"number","multipleOf":0.25,"minimum":1.1,"maximum":1.3}"#, "1.25"),
        (r#"{"type":"array","items":{"type":"integer"},"minItems":3,"uniqueItems":true}"#, "[1,2,3]"),
        (r#"{"type":"array","prefixItems":[{"type":"string"},{"type":"boolean"}],"items":false}"#, r#"["text",false]"#),
        (r#"{"type":"array","contains":{"const":"x"}}"#, r#"["x"]"#),
        (
            r##"{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"next":{"$ref":"#/$defs/a"},"v":{"type":"number"}},"required":["v"]}}}"##,
            r#"{"v":1}"#,
        ),
        (
            r##"{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"null"}]}},"required":["next"]}}}"##,
            "",
        ),
        (
            r#"{"anyOf":[{"required":["a"]},{"required":["b"]}],"properties":{"a":{"type":"string"},"b":{"type":"string"}},"type":"object"}"#,
            r#"{"a":"text"}"#,
        ),
        (
            r#"{"oneOf":[{"type":"object","properties":{"k":{"const":1},"v":{"type":"string"}},"required":["k","v"]},{"type":"object","properties":{"k":{"const":2}},"required":["k"]}]}"#,
            r#"{"k":1,"v":"text"}"#,
        ),
        (
            r#"{"type":"object","minProperties":2,"additionalProperties":{"type":"integer"}}"#,
            r#"{"name1":1,"name2":1}"#,
        ),
        (
            r#"{"type":"object","minProperties":1,"additionalProperties":false,"patternProperties":{"^x-":{"type":"null"}}}"#,
            r#"{"x-":null}"#,
        ),
        (
            r#"{"type":"object","if":{"properties":{"m":{"const":"p"}},"required":["m"]},"then":{"required":["n"]},"else":{"required":["o"]},"properties":{"m":{"type":"string"},"o":{"type":"integer"}}}"#,
            r#"{"m":"p","n":"text"}"#,
        ),
        (
            r#"{"allOf":[{"type":"object","properties":{"a":{"minimum":3}},"required":["a"]},{"properties":{"a":{"type":"integer"}}}]}"#,
            r#"{"a":3}"#,
        ),
        (
            r#"{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"dependentRequired":{"a":["b"]}}"#,
            r#"{"a":1,"b":"text"}"#,
        ),
        (r#"{"not":{"type":"string"}}"#, "1"),
        (r#"{"type":"array","items":{"enum":["a","b","c"]},"minItems":2,"uniqueItems":true}"#, r#"["a","b"]"#),
        (
            r#"{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]},"minItems":2,"uniqueItems":true}"#,
            r#"[{"id":"text"},{"id":"1text"}]"#,
        ),
    ];
    for (schema, expected) in cases {
        let made = made(schema);
        assert!(made.is_some(), "{schema}");
        if !expected.is_empty() {
            assert_eq!(made.as_deref(), Some(*expected), "{schema}");
        }
    }
}

#[test]
fn strings_of_every_known_format_fit() {
    for format in [
        "email",
        "idn-email",
        "uri",
        "iri",
        "uri-reference",
        "iri-reference",
        "uri-template",
        "date",
        "time",
        "date-time",
        "duration",
        "hostname",
        "idn-hostname",
        "ipv4",
        "ipv6",
        "uuid",
        "json-pointer",
        "relative-json-pointer",
        "regex",
        "int32",
        "unheard-of",
    ] {
        let schema = format!(
            r#"{{"type":"array","minItems":3,"uniqueItems":true,"items":{{"type":"string","format":"{format}"}}}}"#
        );
        assert!(made(&schema).is_some(), "{format}");
    }
}

#[test]
fn texts_match_the_patterns_that_schemas_have() {
    for text in [
        "^[a-zA-Z0-9_-]{1,64}$",
        r"^\d{4}-\d{2}-\d{2}$",
        "^https?://",
        "^#([A-Fa-f0-9]{6}|[A-Fa-f0-9]{3})$",
        r"^(?:\+\d{1,3} )?\(\d{3}\) \d{3}-\d{4}$",
        r"^[^@\s]+@[^@\s]+\.[a-z]{2,}$",
        r"^v(0|[1-9]\d*)\.(0|[1-9]\d*)$",
        r"^[\w.\-]+(/[\w.\-]+)*$",
        r"\.(png|jpe?g)$",
        r"^\p{L}+$",
    ] {
        let found = pattern::make(text, 0).unwrap_or_else(|| panic!("{text}"));
        assert!(regex::Regex::new(text).unwrap().is_match(&found), "{text}: {found}");
    }
    for broken in ["(", "[a", "a{", "\\", "(?", "[z-", "(a"] {
        pattern::make(broken, 3);
    }
}

#[test]
fn where_nothing_fits_nothing_is_made() {
    for schema in [
        "false",
        r#"{"type":"integer","minimum":2,"maximum":1}"#,
        r#"{"type":"string","minLength":3,"maxLength":2}"#,
        r#"{"allOf":[{"type":"string"},{"type":"number"}]}"#,
        r##"{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]}"##,
        r##"{"$ref":"#/$defs/none"}"##,
        "nonsense",
    ] {
        assert_eq!(made_or_refused(schema), None, "{schema}");
    }
}

fn made_or_refused(schema: &str) -> Option<String> {
    sample(&Schema::read(schema.as_bytes()))
}
