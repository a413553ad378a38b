//! What the validator says, by dialect and for what a machine cannot count.

use super::Validator;

fn said(schema: &str, instance: &str) -> Vec<String> {
    let validator = Validator::new(schema.as_bytes()).unwrap_or_else(|fault| panic!("{schema}: {fault}"));
    validator.problems(instance.as_bytes()).into_iter().map(|one| format!("{}: {}", one.pointer, one.message)).collect()
}

fn refused(schema: &str) -> String {
    Validator::new(schema.as_bytes()).expect_err(schema)
}

#[test]
fn problems_are_told_with_their_place_and_in_plain_words() {
    let schema = r#"{"type":"object","required":["a"],"additionalProperties":false,"properties":{
        "a":{"type":"string"},"b":{"type":["integer","null"],"minimum":1},"c":{"enum":["x",2]},"d":{"format":"email","type":"string"},
        "e":{"anyOf":[{"type":"object","properties":{"kind":{"const":"p"},"n":{"type":"number"}},"required":["kind"]},{"type":"string"}]},
        "f":{"pattern":"^a+$"},"g":{"type":"array","uniqueItems":true,"minItems":3}}}"#;
    let instance = r#"{"b":0.5,"c":"y","d":"nobody","e":{"kind":"p","n":"1"},"f":"b","g":[1,1],"h~/":1}"#;
    insta::assert_snapshot!(said(schema, instance).join("\n"), @r#"
    /b: it is the number 0.5, where null or an integer belongs
    /b: it is less than 1
    /c: it is none of "x", 2
    /d: it is no valid email
    /e: it fits none of the 2 shapes; nearest is number 1: /n: it is a string, where a number belongs
    /f: it does not match the pattern ^a+$
    /g: it has fewer than 3 items
    /g: two of its items are the same
    : the schema does not know h~/
    : "a" is missing
    "#);
    assert!(said(schema, r#"{"a":"","b":null}"#).is_empty());
}

#[test]
fn numbers_beyond_the_machine_give_no_false_advice() {
    let fits: &[(&str, &str)] = &[
        (r#"{"type":"integer"}"#, "2512292042121000001"),
        (r#"{"type":"integer"}"#, "340282366920938463463374607431768211456"),
        (r#"{"type":"integer","minimum":0}"#, "1e400"),
        (r#"{"type":"number","maximum":1}"#, "1e-400"),
        (r#"{"type":"number","exclusiveMinimum":0}"#, "1e-400"),
        (r#"{"maximum":18446744073709551615}"#, "18446744073709551615"),
        (r#"{"const":1}"#, "1.0"),
    ];
    for (schema, instance) in fits {
        assert_eq!(said(schema, instance), [""; 0], "{schema} {instance}");
    }
    assert_eq!(said(r#"{"maximum":50}"#, "1e400"), [": it is more than 50"]);
    for (schema, instance) in [
        (r#"{"const":18446744073709551616999}"#, "18446744073709551616998"),
        (r#"{"multipleOf":7}"#, "340282366920938463463374607431768211456"),
        (
            r#"{"uniqueItems":true}"#,
            "[340282366920938463463374607431768211456,340282366920938463463374607431768211457]",
        ),
    ] {
        let said = said(schema, instance);
        assert!(said.iter().all(|one| one.ends_with("unchecked")), "{said:?}");
    }
}

#[test]
fn the_declared_dialect_decides() {
    let tuple =
        |schema: &str| format!(r#"{{"$schema":"{schema}","items":[{{"type":"string"}}],"additionalItems":false}}"#);
    for (address, name) in [
        ("http://json-schema.org/draft-04/schema#", "draft-04"),
        ("http://json-schema.org/draft-06/schema", "draft-06"),
        ("https://json-schema.org/draft-07/schema#", "draft-07"),
        ("https://json-schema.org/draft/2019-09/schema", "2019-09"),
    ] {
        let schema = tuple(address);
        assert_eq!(Validator::new(schema.as_bytes()).unwrap().dialect(), name);
        assert_eq!(said(&schema, "[1,2]").len(), 2, "{address}");
    }
    assert_eq!(Validator::new(b"{}").unwrap().dialect(), "2020-12");
    assert!(
        refused(&tuple("https://json-schema.org/draft/2020-12/schema"))
            .contains("no valid schema of 2020-12: at /items")
    );
    assert!(refused(r#"{"$schema":"https://example.com/mine"}"#).contains("is not known here"));
    assert!(
        said(r#"{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true}"#, "1").len()
            == 1
    );
}

#[test]
fn what_is_no_schema_is_refused_with_a_reason() {
    insta::assert_snapshot!(
        [
            "nonsense",
            "5",
            r#"{"type":5}"#,
            r#"{"type":"strin"}"#,
            r#"{"properties":{"a":{"minLength":"x"}}}"#,
            r#"{"pattern":"("}"#,
            r##"{"$ref":"#/$defs/none"}"##,
            r#"{"properties":{"a":{"$ref":"https://example.com/a.json"}}}"#,
            r#"{"$schema":7}"#,
        ]
        .map(refused)
        .join("\n"),
        @r#"
    the schema is not JSON: byte 0: expected a JSON value
    this is no valid schema of 2020-12: at the root: it is the number 5, where a boolean or an object belongs; nothing is checked
    this is no valid schema of 2020-12: at /type: it fits none of the 2 shapes; nearest is number 1: it is none of "array", "boolean", "integer", "null", "number", "object", "string"; nothing is checked
    this is no valid schema of 2020-12: at /type: it fits none of the 2 shapes; nearest is number 1: it is none of "array", "boolean", "integer", "null", "number", "object", "string"; nothing is checked
    this is no valid schema of 2020-12: at /properties/a/minLength: it is a string, where an integer belongs; nothing is checked
    this is no valid schema of 2020-12: at /pattern: it is no valid regex; nothing is checked
    the $ref #/$defs/none at the root leads to nothing; nothing is checked
    the $ref https://example.com/a.json at /properties/a leads out of the schema and is not fetched; nothing is checked
    the $schema of the schema is no string; nothing can be checked
    "#
    );
    assert_eq!(said("true", "[1]"), [""; 0]);
    assert_eq!(said("false", "1"), [": nothing is allowed here"]);
}

#[test]
fn evil_patterns_and_loops_end() {
    let evil = r#"{"pattern":"^(a|aa)+\\1$"}"#;
    let instance = format!("\"{}b\"", "a".repeat(2000));
    assert_eq!(said(evil, &instance).len(), 1);
    assert!(said(r#"{"pattern":"^(a+)+$"}"#, &instance).len() == 1);
    for schema in [
        r##"{"$ref":"#"}"##,
        r##"{"allOf":[{"$ref":"#"}]}"##,
        r##"{"anyOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"oneOf":[{"$ref":"#"}]}}}"##,
        r##"{"not":{"$ref":"#"}}"##,
        r##"{"properties":{"a":{"$ref":"#"}},"required":["a"]}"##,
    ] {
        let validator = Validator::new(schema.as_bytes());
        let problems = validator.map(|validator| validator.problems(br#"{"a":{"a":{}}}"#).len());
        assert!(problems.is_ok(), "{schema}");
    }
    let many = format!("[{}1]", "1,".repeat(999));
    let told = said(r#"{"items":{"type":"string"}}"#, &many);
    assert_eq!((told.len(), told[100].as_str()), (101, ": and 900 more problems"));
}
