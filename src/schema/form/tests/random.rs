//! Whatever the schema and whatever the instance: nothing panics, and what goes in comes out.

use std::sync::Arc;

use proptest::prelude::*;

use crate::schema::canon::text;
use crate::schema::{Form, Presence, Schema, sample};
use crate::wire::{Json, JsonKind, quote};

/// A value spelled as it is, but for whitespace and the escapes of strings.
fn spelled(json: Json<'_>) -> String {
    match json.kind() {
        JsonKind::Array => format!("[{}]", json.items().map(spelled).collect::<Vec<_>>().join(",")),
        JsonKind::Object => {
            let members = json.members().map(|(name, value)| format!("{}:{}", spelled(name), spelled(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        JsonKind::String => {
            text(json).map_or_else(|| String::from_utf8_lossy(json.raw()).into_owned(), |text| quote(&text))
        }
        _ => String::from_utf8_lossy(json.raw()).into_owned(),
    }
}

fn any_instance() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("\"\"".to_owned()),
        "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,3})?",
        "\"([a-c é]|\\\\[nt\"/u\\\\]|\\\\ud83d){0,6}\""
            .prop_filter("valid", |text| Json::parse(text.as_bytes()).is_ok()),
        prop::sample::select(vec!["\"a\"", "\"b\"", "1", "1.0", "2"]).prop_map(str::to_owned),
    ];
    scalar.prop_recursive(4, 40, 5, |inner| {
        let member = ("[a-d]{1,2}", inner.clone()).prop_map(|(name, value)| format!("\"{name}\": {value}"));
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(" ,"))),
            prop::collection::vec(member, 0..5).prop_map(|members| format!("{{{}}}", members.join(", "))),
        ]
    })
}

fn any_schema() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        prop::sample::select(vec![
            "{}",
            "true",
            "false",
            r#"{"type":"string"}"#,
            r#"{"type":"integer","minimum":1}"#,
            r#"{"type":"number"}"#,
            r#"{"type":"boolean"}"#,
            r#"{"type":"null"}"#,
            r#"{"type":["string","null"]}"#,
            r#"{"enum":["a",1,null]}"#,
            r#"{"const":1}"#,
            r##"{"$ref":"#"}"##,
            r##"{"$ref":"#/$defs/d"}"##,
            r##"{"$ref":"#/nowhere"}"##,
            r#"{"default":{"a":1}}"#,
            r#"{"type":["string","number","object"]}"#,
            r#"{"oneOf":[{"const":"a","title":"A"},{"const":2}]}"#,
            r#"{"type":"string","pattern":"^a"}"#,
            r#"{"type":"string","default":"b"}"#,
            r#"{"type":"object"}"#,
            r#"{"type":"array"}"#,
            r#"{"required":["a"]}"#,
            r#"{"type":7}"#,
        ])
        .prop_map(str::to_owned),
        any_instance(),
    ];
    leaf.prop_recursive(4, 30, 4, |inner| {
        let list = prop::collection::vec(inner.clone(), 0..4).prop_map(|list| format!("[{}]", list.join(",")));
        let map = prop::collection::vec(("[a-d]{1,2}", inner.clone()), 0..4).prop_map(|members| {
            let members: Vec<String> =
                members.into_iter().map(|(name, schema)| format!("\"{name}\":{schema}")).collect();
            format!("{{{}}}", members.join(","))
        });
        let word = prop_oneof![
            (prop::sample::select(vec!["anyOf", "oneOf", "allOf", "prefixItems", "items"]), list),
            (prop::sample::select(vec!["properties", "$defs", "patternProperties", "dependentSchemas"]), map),
            (
                prop::sample::select(vec![
                    "items",
                    "additionalProperties",
                    "not",
                    "if",
                    "then",
                    "else",
                    "contains",
                    "default"
                ]),
                inner
            ),
            Just(("type", "\"object\"".to_owned())),
            Just(("type", "\"array\"".to_owned())),
            Just(("required", r#"["a","b"]"#.to_owned())),
            Just(("additionalProperties", "false".to_owned())),
            Just(("minItems", "2".to_owned())),
            Just(("uniqueItems", "true".to_owned())),
            Just(("nullable", "true".to_owned())),
        ];
        prop::collection::vec(word, 0..5).prop_map(|words| {
            let words: Vec<String> = words.into_iter().map(|(word, value)| format!("\"{word}\":{value}")).collect();
            format!("{{{}}}", words.join(","))
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn what_goes_in_comes_out(schema in any_schema(), instances in prop::collection::vec(any_instance(), 1..4)) {
        let mut form = Form::new(Arc::new(Schema::read(schema.as_bytes())));
        prop_assert!(Json::parse(form.text().as_bytes()).is_ok(), "{}", form.text());
        for instance in instances {
            form.fill(instance.as_bytes()).unwrap();
            let wanted = spelled(Json::parse(instance.as_bytes()).unwrap());
            let sent = form.text();
            let sent = Json::parse(sent.as_bytes()).map(spelled);
            prop_assert_eq!(sent, Ok(wanted));
        }
    }

    #[test]
    fn what_is_made_up_fits_and_goes_through_the_form(schema in any_schema()) {
        let schema = Arc::new(Schema::read(schema.as_bytes()));
        if let Some(made) = sample(&schema) {
            let problems = schema.validator().unwrap().problems(made.as_bytes());
            prop_assert!(problems.is_empty(), "{} {:?}", made, problems);
            let mut form = Form::new(schema);
            form.fill(made.as_bytes()).unwrap();
            prop_assert_eq!(spelled(Json::parse(form.text().as_bytes()).unwrap()), spelled(Json::parse(made.as_bytes()).unwrap()));
        }
    }

    #[test]
    fn any_edits_leave_json(
        schema in any_schema(),
        edits in prop::collection::vec((0_u8..9, any::<prop::sample::Index>(), "[a-b0-9\\[\\]\",. ]{0,4}", 0_usize..4), 0..25),
    ) {
        let mut form = Form::new(Arc::new(Schema::read(schema.as_bytes())));
        for (what, at, text, number) in edits {
            let ids: Vec<u32> = form.fields().iter().map(|field| field.id).chain([form.root().id]).collect();
            let id = ids[at.index(ids.len())];
            match what {
                0 | 1 => form.set_text(id, &text),
                2 => {
                    let states = [Presence::Omit, Presence::Null, Presence::Empty, Presence::Value];
                    form.set_presence(id, states[number]);
                }
                3 => form.choose(id, number, text.len() % 2 == 0),
                4 | 5 => { form.add(id); }
                6 => form.remove(id),
                7 => form.rename(id, &text),
                _ => form.fold(id, number % 2 == 0),
            }
            let sent = form.text();
            prop_assert!(Json::parse(sent.as_bytes()).is_ok() && !sent.contains('\n'), "{}", sent);
        }
        let sent = form.text();
        form.fill(sent.as_bytes()).unwrap();
        prop_assert_eq!(form.text(), sent);
    }
}
