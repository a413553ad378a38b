//! References, unions, and what an instance is taken for.

use super::{choose, field, form, names, presence, type_in};
use crate::schema::{Control, Presence};

fn labels(form: &super::Form, pointer: &str) -> Vec<String> {
    let field = form.fields().iter().find(|field| field.pointer == pointer).unwrap();
    match &field.control {
        Control::Variant { labels, .. } => labels.to_vec(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_union_at_the_root_is_told_apart_by_constants_of_any_type() {
    // T-66: the constant is sent as the number that it is.
    let mut form = form(
        r##"{"anyOf":[
        {"type":"object","properties":{"kind":{"const":1},"path":{"type":"string"}},"required":["kind","path"]},
        {"type":"object","properties":{"kind":{"const":"two"},"path":{"type":"string"},"n":{"type":"integer"}},"required":["path"]},
        {"title":"Third","type":"object","properties":{"kind":{"const":true}}},
        {"$ref":"#/$defs/Fourth"}],
        "$defs":{"Fourth":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}}}"##,
    );
    assert_eq!(labels(&form, ""), ["kind = 1", "kind = \"two\"", "Third", "Fourth"]);
    assert_eq!(form.text(), r#"{"kind":1,"path":""}"#);
    type_in(&mut form, "/path", "/tmp");
    choose(&mut form, "", 1);
    assert_eq!(form.text(), r#"{"kind":"two","path":"/tmp"}"#);
    choose(&mut form, "", 2);
    assert_eq!(form.text(), r#"{"kind":true}"#);
    choose(&mut form, "", 0);
    assert_eq!(form.text(), r#"{"kind":1,"path":"/tmp"}"#);
    for (instance, chosen) in [
        (r#"{"kind":"two","path":"x"}"#, 1),
        (r#"{"path":"x","kind":1.0}"#, 0),
        (r#"{"kind":true,"more":[]}"#, 2),
        (r#"{"a":"x"}"#, 3),
    ] {
        form.fill(instance.as_bytes()).unwrap();
        assert_eq!((form.fields()[0].chosen.as_slice(), form.text().as_str()), (&[chosen][..], instance));
    }
    assert_eq!(names(&form)[0], "");
}

#[test]
fn null_has_four_spellings() {
    for schema in [
        r#"{"type":["string","null"]}"#,
        r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#,
        r#"{"oneOf":[{"type":"null"},{"type":"string","minLength":1}]}"#,
        r#"{"type":"string","nullable":true}"#,
        r#"{"enum":["a","b",null]}"#,
        r##"{"anyOf":[{"$ref":"#/$defs/s"},{"const":null}]}"##,
    ] {
        let whole = format!(r#"{{"properties":{{"x":{schema}}},"$defs":{{"s":{{"type":"string"}}}}}}"#);
        let mut form = form(&whole);
        assert!(field(&form, "/x").presences.contains(&Presence::Null), "{schema}");
        assert!(field(&form, "/x").caption.contains("or null"), "{schema}: {}", field(&form, "/x").caption);
        assert!(!matches!(field(&form, "/x").control, Control::Variant { .. }), "{schema}");
        presence(&mut form, "/x", Presence::Null);
        assert_eq!(form.text(), r#"{"x":null}"#);
    }
}

#[test]
fn several_types_are_several_shapes() {
    let mut form =
        form(r#"{"properties":{"x":{"type":["boolean","string","null","integer","number"]},"y":{}},"required":["x"]}"#);
    assert_eq!(labels(&form, "/x"), ["boolean", "number", "string"]);
    for (instance, chosen) in [(r#"{"x":true}"#, 0), (r#"{"x":1.50}"#, 1), (r#"{"x":"true"}"#, 2)] {
        form.fill(instance.as_bytes()).unwrap();
        assert_eq!((form.fields()[0].chosen.as_slice(), form.text().as_str()), (&[chosen][..], instance));
    }
    assert_eq!(field(&form, "/y").control, Control::Json);
}

#[test]
fn references_of_every_kind_lead_somewhere() {
    let form = form(
        r##"{"$id":"https://example.com/root.json","type":"object","properties":{
        "a":{"$ref":"#/$defs/one"},"b":{"$ref":"#anchored"},"c":{"$ref":"other.json"},"d":{"$ref":"https://example.com/root.json#/definitions/t~1w%6F"},
        "e":{"$ref":"other.json#/properties/in"},"f":{"$dynamicRef":"#dyn"},"g":{"$ref":"#/$defs/one","description":"beside"},
        "h":{"$ref":"urn:example:x"},"i":{"$ref":"#legacy"}},
        "$defs":{"one":{"type":"integer","description":"inside"},"two":{"$anchor":"anchored","type":"boolean"},
        "three":{"$id":"other.json","type":"object","properties":{"in":{"type":"number"}}},"four":{"$dynamicAnchor":"dyn","type":"null"},
        "five":{"$id":"urn:example:x","type":"array"},"six":{"$id":"#legacy","type":"string"}},
        "definitions":{"t/wo":{"type":"string","format":"date"}}}"##,
    );
    let captions: Vec<&str> = form.fields().iter().map(|field| field.caption.as_ref()).collect();
    assert_eq!(
        captions,
        [
            "integer",
            "boolean",
            "object, $ref other.json",
            "string, date",
            "number",
            "always null",
            "integer",
            "array",
            "string"
        ]
    );
    assert_eq!(field(&form, "/g").description.as_deref(), Some("beside"));
    assert_eq!(field(&form, "/a").description.as_deref(), Some("inside"));
}

#[test]
fn what_refers_to_itself_opens_step_by_step() {
    let mut form = form(
        r##"{"$ref":"#/$defs/node","$defs":{"node":{"type":"object","required":["v"],"properties":{"v":{"type":"string"},
        "next":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]},"all":{"type":"array","items":{"$ref":"#/$defs/node"}}}}}}"##,
    );
    assert_eq!(form.text(), r#"{"v":""}"#);
    presence(&mut form, "/next", Presence::Value);
    presence(&mut form, "/next/next", Presence::Null);
    super::add(&mut form, "/next/all");
    type_in(&mut form, "/next/all/0/v", "deep");
    assert_eq!(form.text(), r#"{"v":"","next":{"v":"","next":null,"all":[{"v":"deep"}]}}"#);
    assert_eq!(field(&form, "/next").caption.as_ref(), "object or null, $ref node");
}

#[test]
fn what_applies_together_is_shown_together() {
    let form = form(
        r##"{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"allOf":[
        {"properties":{"b":{"type":"integer","minimum":1}},"required":["b"]},{"$ref":"#/$defs/more"},
        {"anyOf":[{"required":["a"]},{"required":["c"]}]}],"$defs":{"more":{"properties":{"b":{"maximum":9},"c":{"type":"boolean"}}}},
        "if":{"required":["c"]},"then":{"properties":{"d":{"type":"string"}}},"dependentSchemas":{"d":{"properties":{"e":{}}}}}"##,
    );
    let told: Vec<String> =
        form.fields().iter().map(|field| format!("{} {} {}", field.name, field.caption, field.required)).collect();
    assert_eq!(
        told,
        ["a string true", "b integer, 1 to 9 true", "c boolean false", "d string false", "e any JSON false"]
    );
}

#[test]
fn one_field_of_several_shapes_stands_below_its_variant() {
    let mut form = form(
        r#"{"properties":{"x":{"oneOf":[{"type":"string"},{"type":"array","items":{"type":"string"}},{"type":"object"}]}}}"#,
    );
    assert_eq!(names(&form), ["x"]);
    presence(&mut form, "/x", Presence::Value);
    assert_eq!(names(&form), ["x", "  string"]);
    choose(&mut form, "/x", 1);
    let id = form.fields()[0].id;
    let item = form.add(id).unwrap();
    form.set_text(item, "a");
    assert_eq!((names(&form).join(","), form.text().as_str()), ("x,  [0]".to_owned(), r#"{"x":["a"]}"#));
    assert!(matches!(form.fields()[0].control, Control::Variant { open: true, .. }));
}
