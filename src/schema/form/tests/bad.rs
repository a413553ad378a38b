//! Schemas that are none, that never end, and that are huge.

use std::fmt::Write as _;
use std::sync::Arc;

use super::{form, names};
use crate::schema::{Control, Form, Schema, sample};

#[test]
fn garbage_gives_a_field_of_json() {
    for schema in ["", "nonsense", "5", "null", "[]", "\"x\"", "{\"type\":", "true", "false", "{}", "\u{feff}{}"] {
        let mut form = form(schema);
        assert_eq!((form.fields().len(), &form.fields()[0].control), (1, &Control::Json), "{schema}");
        form.fill(br#"{"a":[1,2.0]}"#).unwrap();
        assert_eq!(form.text(), r#"{"a":[1,2.0]}"#);
        let is_schema = matches!(schema, "true" | "false" | "{}" | "\u{feff}{}");
        assert_eq!(Schema::read(schema.as_bytes()).faults().is_empty(), is_schema, "{schema}");
    }
}

#[test]
fn words_of_the_wrong_type_say_nothing() {
    for schema in [
        r#"{"type":5,"properties":[],"required":"a","items":7,"enum":{},"anyOf":"x","allOf":[1],"$ref":9,"minimum":"1"}"#,
        r#"{"type":["string",5,null],"pattern":"(","minLength":-1,"default":{},"title":[],"description":1}"#,
        r#"{"type":[],"enum":[],"oneOf":[],"anyOf":[],"allOf":[],"prefixItems":[]}"#,
        r#"{"properties":{"a":5,"b":null,"c":"x","d":[]},"required":[1,null,"a"],"patternProperties":{"(":{}}}"#,
    ] {
        let form = form(schema);
        assert!(!form.text().is_empty());
        assert!(!form.schema().faults().is_empty(), "{schema}");
    }
}

#[test]
fn schemas_without_end_have_one() {
    for schema in [
        r##"{"$ref":"#"}"##,
        r##"{"allOf":[{"$ref":"#"}]}"##,
        r##"{"anyOf":[{"$ref":"#"},{"$ref":"#/anyOf/0"}]}"##,
        r##"{"oneOf":[{"allOf":[{"$ref":"#/oneOf/1"}]},{"anyOf":[{"$ref":"#/oneOf/0"},{"$ref":"#"}]}]}"##,
        r##"{"not":{"$ref":"#"},"if":{"$ref":"#"},"then":{"$ref":"#"},"else":{"$ref":"#"}}"##,
        r##"{"type":"array","items":{"$ref":"#"},"minItems":1}"##,
        r##"{"properties":{"a":{"$ref":"#"},"b":{"$ref":"#"}},"required":["a","b"]}"##,
        r##"{"additionalProperties":{"$ref":"#"},"minProperties":1}"##,
    ] {
        let schema = Arc::new(Schema::read(schema.as_bytes()));
        let mut form = Form::new(Arc::clone(&schema));
        form.fill(br#"{"a":{"a":{"b":[[]]}},"b":1}"#).unwrap();
        assert_eq!(form.text(), r#"{"a":{"a":{"b":[[]]}},"b":1}"#);
        sample(&schema);
    }
}

#[test]
fn branches_and_references_without_number_are_not_tried() {
    let step =
        |at: usize| format!(r##""d{at}":{{"anyOf":[{{"$ref":"#/$defs/d{0}"}},{{"$ref":"#/$defs/d{0}"}}]}}"##, at + 1);
    let steps: Vec<String> = (0..60).map(step).collect();
    let doubling = format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{},"d60":{{"type":"string"}}}}}}"##, steps.join(","));
    let link = |at: usize| format!(r##""d{at}":{{"$ref":"#/$defs/d{}"}}"##, at + 1);
    let links: Vec<String> = (0..20_000).map(link).collect();
    let chain = format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{},"d20000":{{"type":"string"}}}}}}"##, links.join(","));
    for text in [doubling, chain] {
        let schema = Arc::new(Schema::read(text.as_bytes()));
        assert!(schema.faults()[0].contains("more branches than can be tried"), "{:?}", schema.faults());
        assert_eq!(sample(&schema), None);
        let mut form = Form::new(schema);
        for instance in ["1", r#"{"a":[1]}"#] {
            form.fill(instance.as_bytes()).unwrap();
            assert_eq!(form.text(), instance);
        }
    }
}

#[test]
fn depth_has_a_limit() {
    let depth = 10_000;
    let deep = format!("{}{{}}{}", r#"{"properties":{"a":"#.repeat(depth), "}}".repeat(depth));
    let schema = Schema::read(deep.as_bytes());
    assert!(schema.faults()[0].contains("too deep"), "{:?}", schema.faults());
    let mut form = Form::new(Arc::new(schema));
    let instance = format!("{}1{}", r#"{"a":"#.repeat(depth), "}".repeat(depth));
    form.fill(instance.as_bytes()).unwrap();
    assert_eq!(form.text(), instance);
    let unions = format!("{}{{}}{}", r#"{"anyOf":[{"type":"string"},"#.repeat(40), "]}".repeat(40));
    assert!(!super::form(&unions).fields().is_empty());
}

#[test]
fn ten_thousand_properties_and_a_hundred_thousand_items() {
    let mut members = String::new();
    for at in 0..10_000 {
        let _ = write!(
            members,
            r#"{}"p{at}":{{"type":"string","description":"number {at}"}}"#,
            if at == 0 { "" } else { "," }
        );
    }
    let mut wide = form(&format!(r#"{{"type":"object","properties":{{{members}}}}}"#));
    assert_eq!((wide.fields().len(), wide.text().as_str()), (10_000, "{}"));
    let id = wide.fields()[9_999].id;
    wide.set_text(id, "last");
    assert_eq!((wide.text().as_str(), wide.fields()[9_999].text.as_str()), (r#"{"p9999":"last"}"#, "last"));

    let mut long = form(r#"{"type":"object","properties":{"l":{"type":"array","items":{"type":"integer"}}}}"#);
    let items: Vec<String> = (0..100_000).map(|at: u32| at.to_string()).collect();
    let instance = format!(r#"{{"l":[{}]}}"#, items.join(","));
    long.fill(instance.as_bytes()).unwrap();
    // A long list is folded until somebody opens it.
    assert_eq!((names(&long).len(), long.fields()[0].children), (1, 100_000));
    let list = long.fields()[0].id;
    long.fold(list, false);
    let item = long.fields()[50_000].id;
    long.set_text(item, "x");
    assert_eq!((long.fields().len(), long.fields()[50_000].text.as_str()), (100_001, "x"));
    assert_eq!(long.fields()[50_000].advice.len(), 1);
    assert_eq!(long.text(), instance.replace(",49999,", ",\"x\","));
    let added = long.add(list).unwrap();
    long.set_text(added, "7");
    assert_eq!(
        long.fields().last().map(|last| (last.pointer.as_str(), last.name.as_str())),
        Some(("/l/100000", "[100000]"))
    );
    let shown: Vec<_> =
        long.fields().iter().map(|field| (field.id, field.depth, field.pointer.clone(), field.children)).collect();
    long.check();
    assert_eq!(long.fields()[50_000].advice.len(), 2);
    assert_eq!(
        shown,
        long.fields()
            .iter()
            .map(|field| (field.id, field.depth, field.pointer.clone(), field.children))
            .collect::<Vec<_>>()
    );

    let values: Vec<String> = (0..20_000).map(|at: u32| format!("\"v{at}\"")).collect();
    let huge = form(&format!(r#"{{"properties":{{"e":{{"enum":[{}]}}}}}}"#, values.join(",")));
    assert_eq!(huge.fields()[0].caption.as_ref(), "one of 20000");
}

#[test]
fn what_lies_elsewhere_is_a_fault_and_a_field_of_json() {
    let form = form(r#"{"properties":{"a":{"$ref":"https://example.com/a.json"},"b":{"$ref":"file:///etc/passwd"}}}"#);
    assert!(form.fields().iter().all(|field| field.control == Control::Json));
    let faults = form.schema().faults();
    assert!(faults.len() == 2 && faults.iter().all(|fault| fault.contains("is not fetched")), "{faults:?}");
}
