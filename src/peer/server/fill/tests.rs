//! Templates and what comes out of them.

use super::{Context, has_placeholders, json, plain, suspects};
use crate::peer::server::{Bytes, Text};

const PARAMS: &[u8] = br#"{"name":"t","arguments":{"n":12345678901234567890.50,"s":"a \"b\" \u00e9","list":[{"x":1}],"a.b":true,"evil":"{{nth}}\"}"}}"#;

fn filled(template: &str, how: fn(&Text, &Context<'_>) -> Result<Bytes, String>) -> Result<String, String> {
    let answers = [("who".to_owned(), Bytes::from(&br#"{"action":"accept","content":{"name":"Ada"}}"#[..]))];
    let values = [("id".to_owned(), Bytes::from(&br#""7""#[..]))];
    let context = Context {
        params: Some(PARAMS),
        answers: &answers,
        nth: 3,
        identity: Some(br#"{"name":"host"}"#),
        values: &values,
    };
    how(&Text::Template(template.as_bytes().into()), &context).map(|out| String::from_utf8_lossy(&out).into_owned())
}

#[test]
fn values_keep_type_and_digits_and_inside_strings_they_are_escaped_text() {
    let cases = [
        (r#"{"a":{{arguments.n}}}"#, r#"{"a":12345678901234567890.50}"#),
        (r#"{"a":"{{arguments.n}}"}"#, r#"{"a":12345678901234567890.50}"#),
        (r#"{"a":"{{arguments.n|text}}"}"#, r#"{"a":"12345678901234567890.50"}"#),
        (r#"{"a":"no. {{arguments.n}}"}"#, r#"{"a":"no. 12345678901234567890.50"}"#),
        (r#"{"a":"-{{ arguments.s }}-"}"#, r#"{"a":"-a \"b\" é-"}"#),
        (r#"{"a":"-{{arguments.s|json}}-"}"#, r#"{"a":"-\"a \\\"b\\\" \\u00e9\"-"}"#),
        (r#"{"a":"{{arguments.s|json|text}}"}"#, r#"{"a":"\"a \\\"b\\\" \\u00e9\""}"#),
        (r#"["{{arguments.list.0.x}}", "{{arguments.list}}"]"#, r#"[1, [{"x":1}]]"#),
        (r#"{"a":"{{arguments/a.b}}","b":"{{answer.who.content.name}}"}"#, r#"{"a":true,"b":"Ada"}"#),
        (r#"["{{nth}}","{{client.name}}","x{{variables.id}}","{{params.name}}"]"#, r#"[3,"host","x7","t"]"#),
        (r#"["{{arguments.gone|default:5}}","{{arguments.gone|default:Oslo}}"]"#, r#"[5,"Oslo"]"#),
        (r#"["{{arguments.gone|default:{}}}"]"#, "[{}]"),
        (r#"{"a":{{arguments.gone|default:{"b":{}}}}}"#, r#"{"a":{"b":{}}}"#),
        (r#"["x{{arguments.gone|default:\"a\\\"b\"}}"]"#, r#"["xa\"b"]"#),
        (r#"["{{arguments.s|url}}","{{params.name|base64}}"]"#, r#"["a%20%22b%22%20%C3%A9","dA=="]"#),
        // A value is put in once, whatever it says.
        (r#"["- {{arguments.evil}}"]"#, r#"["- {{nth}}\"}"]"#),
        // What is no placeholder stays, also where it is no JSON.
        (r#"["{{x y}} {{}} {{nth|hex}} {{", "\"{{nth}}"]"#, r#"["{{x y}} {{}} {{nth|hex}} {{", "\"3"]"#),
        (r#"["{{open}}nth}}"]"#, r#"["{{nth}}"]"#),
        ("{\"é\": 'x', \"\\", "{\"é\": 'x', \"\\"),
    ];
    for (template, expected) in cases {
        assert_eq!(filled(template, json).as_deref(), Ok(expected), "{template}");
    }
}

#[test]
fn the_text_twin_is_the_filled_in_structured_content() {
    let template = r#"{"content":[{"type":"text","text":"{{structured}}"}],"structuredContent":{"n":"{{arguments.n}}","s":"{{arguments.s}}"}}"#;
    let out = filled(template, json).expect("it has structured content");
    let result = crate::wire::Json::parse(out.as_bytes()).expect("it is JSON");
    let structured = result.get("structuredContent").expect("it is there").raw();
    let text = result.pointer("/content/0/text").and_then(|text| text.text().map(std::borrow::Cow::into_owned));
    assert_eq!(text.as_deref().map(str::as_bytes), Some(structured));
    assert!(filled(r#"["{{structured}}"]"#, json).is_err());
    assert!(filled(r"{{structured}}", json).is_err());
}

#[test]
fn other_texts_get_values_as_a_person_reads_them() {
    assert_eq!(filled(r#"in "{{arguments.s}}" {{"#, plain).as_deref(), Ok("in \"a \"b\" é\" {{"));
    assert_eq!(
        filled("{{arguments.n}}/{{arguments.list|json}}", plain).as_deref(),
        Ok("12345678901234567890.50/[{\"x\":1}]")
    );
    assert!(filled("{{structured}}", plain).is_err());
}

#[test]
fn what_has_no_value_is_named() {
    let why = filled(r#"["{{arguments.city.name}}"]"#, json).expect_err("there is none");
    assert!(why.contains("arguments.city.name") && why.contains("default"), "{why}");
    assert!(filled("{{answer.what}}", json).is_err());
}

#[test]
fn placeholders_and_what_only_looks_like_one_are_told_apart() {
    assert!(has_placeholders(b"x {{nth}}"));
    assert!(!has_placeholders(b"x {{name}} {nth} {{nth"));
    let told: Vec<String> = suspects(b"{{argument.city}} {{nth}} {{ }} {{arguments.x|upper}} {{\"x\"}}")
        .into_iter()
        .map(|(what, _)| what)
        .collect();
    assert_eq!(told, ["{{argument.city}}", "{{arguments.x|upper}}"]);
}

proptest::proptest! {
    #[test]
    fn nothing_panics(template in "[{}\"\\\\|.a-c/: é]{0,12}(\\{\\{(nth|arguments|answer\\.who|structured)[.|a-z:\"\\\\]{0,9}\\}\\}[{}\"\\\\ é]{0,4}){0,4}") {
        let _ = filled(&template, json);
        let _ = filled(&template, plain);
        let _ = suspects(template.as_bytes());
    }
}
