//! The layout: how it looks, that it keeps what was sent, and that absurd input stays cheap.

use proptest::prelude::*;

use super::layout::{Limits, lay_out};
use super::{Pretty, Token};
use crate::wire::Json;

fn pretty(text: &str) -> Pretty {
    Pretty::of(text.as_bytes()).unwrap()
}

const CALL: &str = r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a~b/c","arguments":{"big":1915883588174806058,
 "f":1.0,"e":1e400,"list":[1,2, {"deep":[]}],"empty":{ } ,"text":"a\u00e9 \n"},"_meta":{"progressToken":0,"x":{}}}}"#;

#[test]
fn small_containers_stay_on_one_line_and_the_rest_is_indented() {
    insta::assert_snapshot!(pretty(CALL).text);
}

#[test]
fn each_line_knows_its_depth_fold_children_and_pointer() {
    let pretty = pretty(CALL);
    let lines = pretty.lines.iter().enumerate().map(|(index, line)| {
        let fold = line.fold.map_or(String::new(), |fold| format!(" ..{fold} of {}", line.children()));
        format!("{index} {}{fold} {}", line.depth, pretty.pointer(index))
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_pointer_leads_to_its_line() {
    let pretty = pretty(r#"{"a":[{"b":1,"c":[1,{}]},[[[1]]]],"a/b~":{"x":[true]},"d":1,"d":2}"#);
    for (pointer, line) in [
        ("", Some("{")),
        ("/a/0", Some(r"{")),
        ("/a/0/b", Some(r#""b": 1,"#)),
        ("/a/0/c/1", Some(r#""c": [1, {}]"#)),
        ("/a/1/0/0", Some("[1]")),
        ("/a/1/0/0/0", Some("[1]")),
        ("/a~1b~0/x", Some(r#""x": [true]"#)),
        ("/d", Some(r#""d": 2"#)),
        ("/a/2", None),
        ("/a/01", None),
        ("/d/0", None),
        ("a", None),
    ] {
        assert_eq!(pretty.line_of(pointer).map(|line| pretty.line(line).trim()), line, "{pointer}");
    }
    assert_eq!(pretty.value(pretty.line_of("/a/0/c").unwrap()), "[1, {}]");
    assert_eq!(pretty.value(pretty.line_of("/d").unwrap()), "2");
    let closer = pretty.lines[1].fold.unwrap() as usize;
    assert_eq!(pretty.pointer(closer), "/a");
    assert_eq!(pretty.value(closer), pretty.value(1));
    assert!(Json::parse(pretty.value(1).as_bytes()).is_ok());
}

#[test]
fn tokens_cover_a_line() {
    let pretty = pretty(r#"{"a":{"b:":[],"c":"d\"","e":-1.5e3},"f":"{\"g\":1},","h":[null,true],"i":[{"j":1}]}"#);
    let say = |line: usize| {
        let tokens = pretty.tokens(line).map(|(range, token)| {
            let name = format!("{token:?}");
            format!("{}{}", &name[..1], &pretty.text[range])
        });
        tokens.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(say(0), "P{");
    assert_eq!(say(1), r#"K"a" P: P{ K"b:" P: P[ P] P, K"c" P: S"d\"" P, K"e" P: N-1.5e3 P} P,"#);
    assert_eq!(say(2), r#"K"f" P: S"{\"g\":1}," P,"#);
    assert_eq!(say(3), r#"K"h" P: P[ Lnull P, Ltrue P] P,"#);
    assert_eq!(say(4), r#"K"i" P: P["#);
    assert_eq!(say(7), "P}");
    assert_eq!(say(8), "");
}

#[test]
fn text_is_found_in_lines() {
    let pretty = pretty(r#"{"Alpha":"beta","list":[{"x":"BETA beta"},"gamma"],"alphabet":1}"#);
    assert_eq!(pretty.find("beta", false), [1, 3]);
    assert_eq!(pretty.find("alpha", true), [1, 6]);
    assert_eq!(pretty.find("alpha", false), [6]);
    assert_eq!(pretty.find("\": [", false), [2]);
    assert_eq!(pretty.find(".*", false), [0; 0]);
    assert_eq!(pretty.find("", true), [0; 0]);
}

#[test]
fn damage_is_shown_and_other_text_is_not_json() {
    assert_eq!(
        Pretty::of(b"\xEF\xBB\xBF {\"a\":\"\xFF\xE2\x80\xA8\"}\r\n").unwrap().text,
        "{\n  \"a\": \"\u{FFFD}\u{2028}\"\n}"
    );
    assert_eq!(Pretty::of(b" 12 ").unwrap().text, "12");
    assert_eq!(Pretty::of(b"[ ]").unwrap().text, "[]");
    assert_eq!(Pretty::of(b"ready\n"), None);
    assert_eq!(Pretty::of(b""), None);
}

#[test]
fn depth_costs_no_more_than_its_limit() {
    let text = "[".repeat(10_000) + "1" + &"]".repeat(10_000);
    let pretty = pretty(&text);
    assert_eq!(pretty.lines.len(), 19_999);
    assert!(pretty.text.len() < 20_000 * 130);
    assert_eq!(pretty.pointer(9_999), "/0".repeat(9_999));
    assert_eq!(pretty.lines[9_998].fold, Some(10_000));
    assert_eq!(pretty.line_of(&"/0".repeat(9_999)), Some(9_999));
}

#[test]
fn a_long_string_is_one_token_that_is_not_read() {
    let text = format!(r#"["{}",{{"a":"{}"}}]"#, "x".repeat(20 << 20), "\\\"".repeat(100));
    let pretty = pretty(&text);
    for _ in 0..1000 {
        let tokens: Vec<_> = pretty.tokens(1).map(|(range, token)| (range.len(), token)).collect();
        assert_eq!(tokens, [((20 << 20) + 2, Token::String), (1, Token::Punctuation)]);
    }
}

#[test]
fn absurd_bodies_are_laid_out_in_part() {
    let within = |text: &str, limits| lay_out(Json::parse(text.as_bytes()).unwrap(), limits);
    let items = format!("[{}0]", "0,".repeat(5_000));
    let pretty = within(&items, Limits { lines: 4_000, ..Limits::USUAL });
    // One line is the bracket's, the others hold a digit and a comma each.
    assert_eq!(pretty.lines.len(), 4_001);
    assert_eq!(pretty.left_out, items.len() - 1 - 2 * 4_000);
    assert_eq!(pretty.line(4_000), "  0,");
    let brackets = "[".repeat(5_000) + &"]".repeat(5_000);
    let deep = within(&brackets, Limits { text: 10_000, ..Limits::USUAL });
    assert!(deep.text.len() < 10_000 + 200 && deep.left_out > 0);
}

/// The text without whitespace outside strings.
fn squeezed(text: &str) -> String {
    let (mut inside, mut escaped) = (false, false);
    let keep = |&character: &char| {
        let was_inside = inside;
        (inside, escaped) = match character {
            _ if escaped => (inside, false),
            '\\' => (inside, inside),
            '"' => (!inside, false),
            _ => (inside, false),
        };
        was_inside || !matches!(character, ' ' | '\n' | '\r' | '\t')
    };
    text.chars().filter(keep).collect()
}

fn any_json() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        Just("-1.50e+3".to_owned()),
        "\"([a-z{}\\[\\],: é😀]|\\\\[nrt\"/u\\\\]|\\\\u[0-9a-f]{4}){0,30}\""
            .prop_filter("valid", |text| Json::parse(text.as_bytes()).is_ok()),
    ];
    scalar.prop_recursive(6, 80, 8, |inner| {
        let spaced = (inner, "[ \\n\\r\\t]{0,2}").prop_map(|(value, space)| format!("{space}{value}{space}"));
        let member = ("[a-c~/]{0,2}", spaced.clone());
        prop_oneof![
            prop::collection::vec(spaced, 0..8).prop_map(|items| format!("[{}]", items.join(","))),
            prop::collection::vec(member, 0..8).prop_map(|members| object(&members)),
        ]
    })
}

/// An object whose names differ, since a pointer cannot tell apart those that do not.
fn object(members: &[(String, String)]) -> String {
    let members = members.iter().enumerate().map(|(index, (key, value))| format!("\"{key}{index}\" :{value}"));
    format!("{{ {} }}", members.collect::<Vec<_>>().join(","))
}

proptest! {
    #[test]
    fn the_layout_keeps_all_but_space(text in any_json()) {
        let pretty = pretty(&text);
        prop_assert_eq!(squeezed(&pretty.text), squeezed(&text));
        let joined: Vec<&str> = (0..pretty.lines.len()).map(|line| pretty.line(line)).collect();
        prop_assert_eq!(joined.join("\n"), pretty.text.as_str());
        for (index, line) in pretty.lines.iter().enumerate() {
            let tokens: String = pretty.tokens(index).map(|(range, _)| &pretty.text[range]).collect();
            prop_assert_eq!(tokens, squeezed(pretty.line(index)));
            prop_assert!(pretty.line(index)[line.indent()..].starts_with(|first| first != ' '));
        }
    }

    #[test]
    fn pointers_lead_to_the_values_of_their_lines(text in any_json()) {
        let pretty = pretty(&text);
        let json = Json::parse(text.as_bytes()).unwrap();
        for (index, _) in pretty.lines.iter().enumerate() {
            let pointer = pretty.pointer(index);
            let value = json.pointer(&pointer).unwrap();
            let line = pretty.line_of(&pointer).unwrap();
            prop_assert_eq!(squeezed(pretty.value(line)), squeezed(std::str::from_utf8(value.raw()).unwrap()));
        }
    }
}
