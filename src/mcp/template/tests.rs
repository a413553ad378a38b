//! The examples of RFC 6570 (1.2 and 3.2), undefined and empty values, and templates that are none.

use std::collections::BTreeMap;

use super::{Modifier, Operator, Template, TemplateError, Value};
use crate::wire::Json;

fn text(name: &str, value: &str) -> (String, Value) {
    (name.to_owned(), Value::Text(value.to_owned()))
}

fn list(name: &str, items: &[&str]) -> (String, Value) {
    (name.to_owned(), Value::List(items.iter().map(|&item| item.to_owned()).collect()))
}

/// The variables of RFC 6570, 3.2; `undef` is not among them, and those of 1.2 have the same values.
fn values() -> BTreeMap<String, Value> {
    let pairs = [("semi", ";"), ("dot", "."), ("comma", ",")];
    let keys = pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    BTreeMap::from([
        list("count", &["one", "two", "three"]),
        list("dom", &["example", "com"]),
        text("dub", "me/too"),
        text("hello", "Hello World!"),
        text("half", "50%"),
        text("var", "value"),
        text("who", "fred"),
        text("base", "http://example.com/home/"),
        text("path", "/foo/bar"),
        list("list", &["red", "green", "blue"]),
        ("keys".to_owned(), Value::Map(keys)),
        text("v", "6"),
        text("x", "1024"),
        text("y", "768"),
        text("empty", ""),
        list("empty_list", &[]),
        ("empty_keys".to_owned(), Value::Map(Vec::new())),
    ])
}

const VECTORS: &[(&str, &str)] = &[
    // 1.2, level 1.
    ("{var}", "value"),
    ("{hello}", "Hello%20World%21"),
    // Level 2.
    ("{+var}", "value"),
    ("{+hello}", "Hello%20World!"),
    ("{+path}/here", "/foo/bar/here"),
    ("here?ref={+path}", "here?ref=/foo/bar"),
    ("X{#var}", "X#value"),
    ("X{#hello}", "X#Hello%20World!"),
    // Level 3.
    ("map?{x,y}", "map?1024,768"),
    ("{x,hello,y}", "1024,Hello%20World%21,768"),
    ("{+x,hello,y}", "1024,Hello%20World!,768"),
    ("{+path,x}/here", "/foo/bar,1024/here"),
    ("{#x,hello,y}", "#1024,Hello%20World!,768"),
    ("{#path,x}/here", "#/foo/bar,1024/here"),
    ("X{.var}", "X.value"),
    ("X{.x,y}", "X.1024.768"),
    ("{/var}", "/value"),
    ("{/var,x}/here", "/value/1024/here"),
    ("{;x,y}", ";x=1024;y=768"),
    ("{;x,y,empty}", ";x=1024;y=768;empty"),
    ("{?x,y}", "?x=1024&y=768"),
    ("{?x,y,empty}", "?x=1024&y=768&empty="),
    ("?fixed=yes{&x}", "?fixed=yes&x=1024"),
    ("{&x,y,empty}", "&x=1024&y=768&empty="),
    // Level 4.
    ("{var:3}", "val"),
    ("{var:30}", "value"),
    ("{list}", "red,green,blue"),
    ("{list*}", "red,green,blue"),
    ("{keys}", "semi,%3B,dot,.,comma,%2C"),
    ("{keys*}", "semi=%3B,dot=.,comma=%2C"),
    ("{+path:6}/here", "/foo/b/here"),
    ("{+list}", "red,green,blue"),
    ("{+list*}", "red,green,blue"),
    ("{+keys}", "semi,;,dot,.,comma,,"),
    ("{+keys*}", "semi=;,dot=.,comma=,"),
    ("{#path:6}/here", "#/foo/b/here"),
    ("{#list}", "#red,green,blue"),
    ("{#list*}", "#red,green,blue"),
    ("{#keys}", "#semi,;,dot,.,comma,,"),
    ("{#keys*}", "#semi=;,dot=.,comma=,"),
    ("X{.var:3}", "X.val"),
    ("X{.list}", "X.red,green,blue"),
    ("X{.list*}", "X.red.green.blue"),
    ("X{.keys}", "X.semi,%3B,dot,.,comma,%2C"),
    ("X{.keys*}", "X.semi=%3B.dot=..comma=%2C"),
    ("{/var:1,var}", "/v/value"),
    ("{/list}", "/red,green,blue"),
    ("{/list*}", "/red/green/blue"),
    ("{/list*,path:4}", "/red/green/blue/%2Ffoo"),
    ("{/keys}", "/semi,%3B,dot,.,comma,%2C"),
    ("{/keys*}", "/semi=%3B/dot=./comma=%2C"),
    ("{;hello:5}", ";hello=Hello"),
    ("{;list}", ";list=red,green,blue"),
    ("{;list*}", ";list=red;list=green;list=blue"),
    ("{;keys}", ";keys=semi,%3B,dot,.,comma,%2C"),
    ("{;keys*}", ";semi=%3B;dot=.;comma=%2C"),
    ("{?var:3}", "?var=val"),
    ("{?list}", "?list=red,green,blue"),
    ("{?list*}", "?list=red&list=green&list=blue"),
    ("{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"),
    ("{?keys*}", "?semi=%3B&dot=.&comma=%2C"),
    ("{&var:3}", "&var=val"),
    ("{&list}", "&list=red,green,blue"),
    ("{&list*}", "&list=red&list=green&list=blue"),
    ("{&keys}", "&keys=semi,%3B,dot,.,comma,%2C"),
    ("{&keys*}", "&semi=%3B&dot=.&comma=%2C"),
    // 3.2.1.
    ("{count}", "one,two,three"),
    ("{count*}", "one,two,three"),
    ("{/count}", "/one,two,three"),
    ("{/count*}", "/one/two/three"),
    ("{;count}", ";count=one,two,three"),
    ("{;count*}", ";count=one;count=two;count=three"),
    ("{?count}", "?count=one,two,three"),
    ("{?count*}", "?count=one&count=two&count=three"),
    ("{&count*}", "&count=one&count=two&count=three"),
    // 3.2.2.
    ("{half}", "50%25"),
    ("O{empty}X", "OX"),
    ("O{undef}X", "OX"),
    ("{x,y}", "1024,768"),
    ("?{x,empty}", "?1024,"),
    ("?{x,undef}", "?1024"),
    ("?{undef,y}", "?768"),
    // 3.2.3.
    ("{+half}", "50%25"),
    ("{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"),
    ("{+base}index", "http://example.com/home/index"),
    ("O{+empty}X", "OX"),
    ("O{+undef}X", "OX"),
    ("up{+path}{var}/here", "up/foo/barvalue/here"),
    // 3.2.4.
    ("{#var}", "#value"),
    ("{#hello}", "#Hello%20World!"),
    ("{#half}", "#50%25"),
    ("foo{#empty}", "foo#"),
    ("foo{#undef}", "foo"),
    // 3.2.5.
    ("{.who}", ".fred"),
    ("{.who,who}", ".fred.fred"),
    ("{.half,who}", ".50%25.fred"),
    ("www{.dom*}", "www.example.com"),
    ("X{.empty}", "X."),
    ("X{.undef}", "X"),
    ("X{.empty_keys}", "X"),
    ("X{.empty_keys*}", "X"),
    // 3.2.6.
    ("{/who}", "/fred"),
    ("{/who,who}", "/fred/fred"),
    ("{/half,who}", "/50%25/fred"),
    ("{/who,dub}", "/fred/me%2Ftoo"),
    ("{/var,empty}", "/value/"),
    ("{/var,undef}", "/value"),
    // 3.2.7.
    ("{;who}", ";who=fred"),
    ("{;half}", ";half=50%25"),
    ("{;empty}", ";empty"),
    ("{;v,empty,who}", ";v=6;empty;who=fred"),
    ("{;v,bar,who}", ";v=6;who=fred"),
    ("{;x,y,undef}", ";x=1024;y=768"),
    // 3.2.8.
    ("{?who}", "?who=fred"),
    ("{?half}", "?half=50%25"),
    ("{?x,y,undef}", "?x=1024&y=768"),
    // 3.2.9.
    ("{&who}", "&who=fred"),
    ("{&half}", "&half=50%25"),
    ("{&x,y,undef}", "&x=1024&y=768"),
    // Empty lists and maps are undefined (2.3).
    ("O{empty_list}X{?empty_list*}{empty_keys}", "OX"),
    // Literals that are not ASCII are encoded (3.1); what is encoded stays.
    ("café/%20{var}", "caf%C3%A9/%20value"),
    ("file:///plain", "file:///plain"),
    ("", ""),
];

#[test]
fn the_examples_of_the_rfc() {
    let values = values();
    for (template, expected) in VECTORS {
        let read = Template::read(template).unwrap_or_else(|error| panic!("{template}: {error}"));
        assert_eq!(read.expand(&values).as_deref(), Ok(*expected), "{template}");
        assert_eq!(read.text(), *template);
    }
}

#[test]
fn a_prefix_counts_characters_not_bytes_or_triplets() {
    let values = BTreeMap::from([text("x", "ñandú über")]);
    let read = Template::read("{x:1}{+x:6}").expect("a template");
    assert_eq!(read.expand(&values).as_deref(), Ok("%C3%B1%C3%B1and%C3%BA%20"));
}

#[test]
fn variables_come_in_order_with_operator_and_modifier() {
    let read = Template::read("db://{table}{/id:3}{?topic,tags*}{&a.b}{#at}").expect("a template");
    let found = read.variables().iter().map(|one| (one.name.as_str(), one.operator, one.modifier, one.is_optional()));
    let expected = [
        ("table", Operator::Simple, Modifier::None, false),
        ("id", Operator::Path, Modifier::Prefix(3), false),
        ("topic", Operator::Query, Modifier::None, true),
        ("tags", Operator::Query, Modifier::Explode, true),
        ("a.b", Operator::QueryContinuation, Modifier::None, true),
        ("at", Operator::Fragment, Modifier::None, true),
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
fn what_is_no_template_is_refused_with_place_and_reason() {
    let cases = [
        ("x{id:abc}", 5, "not `abc`"),
        ("{id:0}", 4, "not `0`"),
        ("{id:00001}", 4, "not `00001`"),
        ("{id:10000}", 4, "not `10000`"),
        ("{id:99999}", 4, "not `99999`"),
        ("{id:}", 4, "not ``"),
        ("{id:+3}", 4, "not `+3`"),
        ("{id*:3}", 3, "no name"),
        ("{id", 0, "no `}`"),
        ("a{}", 1, "names no variable"),
        ("{?}", 2, "no name"),
        ("{a,}", 3, "no name"),
        ("{=x}", 1, "`=`"),
        ("{a b}", 2, "no name"),
        ("{a..b}", 3, "no name"),
        ("{.a.}", 4, "no name"),
        ("{%4}", 1, "no name"),
        ("{é}", 1, "no name"),
        ("{{x}}", 1, "no name"),
        ("a}b", 1, "outside"),
        ("a b", 1, "outside"),
        ("a%4g", 1, "outside"),
        ("caf\u{e9} x", 5, "outside"),
    ];
    for (template, place, words) in cases {
        let error = Template::read(template).expect_err(template);
        let TemplateError::Invalid { at, why } = &error else { panic!("{template}: {error}") };
        assert!(why.contains(words), "{template}: {why}");
        assert_eq!(*at, place, "{template}: {why}");
    }
}

#[test]
fn a_prefix_of_a_list_is_refused_and_unknown_values_are_passed_over() {
    let read = Template::read("{list:2}").expect("a template");
    assert!(matches!(read.expand(&values()), Err(TemplateError::Unsuitable { .. })));
    assert_eq!(read.expand(&BTreeMap::from([text("other", "x")])).as_deref(), Ok(""));
}

#[test]
fn json_becomes_values_with_numbers_as_written() {
    let value = |text: &str| Value::of_json(Json::parse(text.as_bytes()).expect("JSON"));
    assert_eq!(value("1.50"), Some(Value::Text("1.50".to_owned())));
    assert_eq!(value("null"), None);
    assert_eq!(value(r#"["a",1,null]"#), Some(Value::List(vec!["a".to_owned(), "1".to_owned()])));
    assert_eq!(value(r#"{"k":true}"#), Some(Value::Map(vec![("k".to_owned(), "true".to_owned())])));
}

proptest::proptest! {
    #[test]
    fn nothing_panics(template in "[a-z{}:*,%0-9+?& é]{0,24}", value in ".{0,8}") {
        if let Ok(read) = Template::read(&template) {
            let given = read.variables().iter().map(|one| text(&one.name, &value)).collect();
            let _ = read.expand(&given);
        }
    }
}
