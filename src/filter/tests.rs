//! The language: what matches, what is refused with which words, and that printing keeps the meaning.

use std::sync::Arc;

use proptest::prelude::*;

mod http;

use super::{Facts, Filter, Is, Vocabulary, Word, complete};
use crate::model::{Era, Id, Side};

const BYTES: &[u8] = br#"{"id":3,"params":{"name":"search_files","text":"Caf\u00e9 \"noir\" \/tmp"}}"#;

fn filter(text: &str) -> Filter {
    Filter::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Whether a filter matches one certain tool call.
fn matches(text: &str) -> bool {
    let id = Id::from(3);
    let facts = Facts {
        method: "tools/call",
        tool: Some("search_files"),
        subject: Some("search_files"),
        id: Some(&id),
        from: Some(Side::Client),
        is: Is::REQUEST.with(Is::ERROR),
        code: Some(-32602),
        latency: Some(200_000_001),
        since_start: 61_000_000_000,
        size: 1_500_000,
        tokens: Some(501),
        rules: &["JR-005", "TL-010"],
        revision: Some("2025-11-25"),
        era: Some(Era::Legacy),
        seq: 12,
        rounds: 1,
        ..Facts::default()
    };
    filter(text).matches(&facts, &mut |pattern| pattern.is_in(BYTES))
}

#[test]
#[allow(clippy::too_many_lines, reason = "one table of cases")]
fn questions_are_answered() {
    for text in [
        "",
        " ",
        "method:tools/call",
        "method:tools/*",
        "method:*call",
        "method:t*/*l",
        "METHOD:tools/call",
        "method:/^tools/",
        "method:/CALL$/i",
        "method:\"tools/call\"",
        "tool:search_files",
        "TOOL:search*",
        "subject:*file*",
        "id:3",
        "id:3.0",
        "from:client",
        "from:host",
        "is:error",
        "is:request",
        "is:legacy",
        "era:legacy",
        "revision:2025-11-25",
        "revision:2025*",
        "code:-32602",
        "status:error",
        "code<0",
        "code!=1",
        "latency>200ms",
        "latency>0.2s",
        "latency > 200 ",
        "latency:>200ms",
        "latency>=200000001ns",
        "latency<1m",
        "latency=200000001ns",
        "size>1MB",
        "size>1.4MB",
        "size<=1500KB",
        "size<2mib",
        "tokens>500",
        "tokens<1k",
        "rule:JR-005",
        "rule:jr-*",
        "time>1m",
        "seq:12",
        "rounds:1",
        "search",
        "SEARCH or search",
        "\"search_files\"",
        "/search_.iles/",
        "/SEARCH/i",
        "café",
        "CafÉ or Café",
        "\"é \\\"noir\\\"\"",
        "\"noir\\\" /tmp\"",
        "\"/tmp\"",
        "\"id\\\":3\"",
        "{\"id\":3,",
        "not is:pending",
        "-is:pending",
        "-(is:pending or is:late)",
        "not not is:error",
        "is:error and from:client",
        "is:error from:client",
        "is:pending or is:error",
        "is:late or is:error and from:client",
        "(is:late or is:error) from:client",
        "(is:error)",
        "((is:error))(from:client)",
        "NOT is:late AND is:error",
    ] {
        assert!(matches(text), "{text}");
    }
    for text in [
        "method:tools",
        "method:call",
        "method:Tools/call",
        "method:*x",
        "tool:search",
        "tool:SEARCH*",
        "uri:search_files",
        "prompt:*",
        "id:\"3\"",
        "id:4",
        "from:server",
        "is:pending",
        "is:modern",
        "code>0",
        "code=0",
        "latency>201ms",
        "latency<200",
        "size>2MB",
        "rule:JR-006",
        "Search",
        "/SEARCH/",
        "not is:error",
        "-is:error",
        "is:error is:pending",
        "is:late or is:pending",
        "is:late or is:error and from:server",
        "(is:late or is:error) from:server",
        "not (is:error or is:late)",
        "missing",
        "-32601",
        "--flag",
    ] {
        assert!(!matches(text), "{text}");
    }
}

#[test]
fn what_is_not_known_is_never_answered_with_yes() {
    for text in [
        "method:*",
        "tool:*",
        "id:null",
        "from:client",
        "code>-99999",
        "latency>=0",
        "tokens>=0",
        "rule:*",
        "era:legacy",
    ] {
        assert!(!filter(text).matches(&Facts::default(), &mut |_| true), "{text}");
    }
    let null = Facts { id: Some(&Id::Null), method: "resources/read", subject: Some("file:///a"), ..Facts::default() };
    assert!(filter("id:null uri:file:*").matches(&null, &mut |_| false));
}

#[test]
fn faults_say_where_and_what_to_write() {
    let cases: Vec<String> = [
        "metod:x",
        "is:eror",
        "is:purple",
        "http://x",
        "latency>5parsecs",
        "latency>",
        "method:",
        "size>big",
        "from:nobody",
        "era:stone",
        "tool>5",
        "is:/x/",
        "\"open",
        "/open",
        "/tmp/foo",
        "/(/",
        "method:/(/",
        "(is:error",
        "is:error)",
        "()",
        "is:error or",
        "and is:error",
        "not",
        "a or or b",
        "\"a\"b",
        "\"\"",
        "latency:\"5\"",
        "size>99999999999GB",
        "code:1e9",
    ]
    .iter()
    .map(|text| {
        let error = Filter::parse(text).unwrap_err();
        format!("{text}\n{}{} {error}", " ".repeat(error.range.start), "^".repeat(error.range.len().max(1)))
    })
    .collect();
    insta::assert_snapshot!(cases.join("\n"));
}

#[test]
fn deep_parentheses_are_refused_and_many_terms_are_not() {
    let deep = "(".repeat(100_000) + "a";
    assert_eq!(Filter::parse(&deep).unwrap_err().message, "parentheses are nested more than 50 deep");
    let nots = "not ".repeat(100_001) + "is:error";
    assert_eq!(filter(&nots).to_string(), "not is:error");
    assert_eq!(filter("is:error or ".repeat(10_000).trim_end_matches(" or ")).to_string().len(), 119_996);
}

#[test]
fn text_is_asked_for_last_and_only_when_needed() {
    let text = "\"x\" method:a is:error (y or is:late) method:/b/";
    assert_eq!(filter(text).to_string(), "is:error method:a method:/b/ \"x\" (is:late or \"y\")");
    assert!(filter(text).needs_text() && !filter("is:error").needs_text() && filter(" ").is_empty());
    let mut asked = 0;
    assert!(!filter(text).matches(&Facts::default(), &mut |_| {
        asked += 1;
        true
    }));
    assert_eq!(asked, 0);
    let patterns: Vec<_> = filter("a -b not (c or not d)").patterns().iter().map(ToString::to_string).collect();
    assert_eq!(patterns, ["\"a\"", "\"d\""]);
    let numbered = filter("a or (-b is:error /c/) not d");
    assert!(numbered.texts().iter().enumerate().all(|(index, text)| text.number() == index));
    assert_eq!(filter("é").patterns()[0].ranges("Écoute \\u00E9t\\u00c9".as_bytes()), [0..2, 8..14, 15..21]);
}

#[test]
fn every_example_is_a_filter() {
    for (word, text, example, _) in Word::ALL {
        assert!(example.starts_with(text), "{example}");
        assert_eq!(filter(example).to_string(), *example);
        assert_eq!(word.text(), *text);
    }
}

#[test]
fn completion_offers_what_fits() {
    let names = |names: &[&str]| -> Vec<Arc<str>> { names.iter().map(|&name| name.into()).collect() };
    let (methods, tools) = (names(&["tools/call", "tools/list", "ping"]), names(&["echo", "my tool", "search_files"]));
    let vocabulary = Vocabulary { methods: &methods, tools: &tools, ..Vocabulary::default() };
    let offer = |text: &str| {
        let cursor = text.find('|').unwrap();
        let text = text.replace('|', "");
        let found = complete(&text, cursor, &vocabulary);
        let applied =
            found.iter().map(|one| format!("{}[{}]{}", &text[..one.range.start], one.insert, &text[one.range.end..]));
        applied.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(offer("me|"), "[method:]");
    assert_eq!(offer("is:error -la|"), "is:error -[latency>], is:error -[is:late]");
    assert_eq!(offer("(method:to| x"), "([method:tools/call] x, ([method:tools/list] x");
    assert_eq!(offer("method:LI|"), "[method:tools/list]");
    assert_eq!(offer("tool:|"), "[tool:echo], [tool:\"my tool\"], [tool:search_files]");
    assert_eq!(offer("tool:\"my|"), "[tool:\"my tool\"]");
    assert_eq!(offer("files|"), "[tool:search_files]");
    assert_eq!(offer("from:|x b"), "[from:client] b, [from:server] b");
    assert_eq!(offer("era:m|"), "[era:modern]");
    assert_eq!(offer("\"me|"), "");
    assert_eq!(offer("/me|"), "");
    assert_eq!(offer("nope:x|"), "");
    assert_eq!(complete("", 0, &vocabulary).len(), Word::ALL.len());
    assert!(complete("é", 1, &vocabulary).len() > 1);
}

/// Texts that are mostly filters.
fn any_filter() -> impl Strategy<Value = String> {
    let term = prop_oneof![
        "(method|tool|subject|uri|rule|revision):[a-z*/A-Z.\"-]{1,6}",
        "(method|tool):\"[a-z*() \\\\]{0,5}\"",
        "(latency|time)[<>=]{1,2}[0-9]{1,5}(\\.[0-9]{1,3})?(ns|us|ms|s|m|h)?",
        "(size|tokens|seq|rounds|code)(<|>=|:|!=)-?[0-9]{1,4}(k|m)?",
        "is:(error|late|legacy|stderr)",
        "id:\"?[0-9a-z.-]{1,4}\"?",
        "/[a-z.*\\\\/]{1,5}/[ism]{0,2}",
        "\"[a-zA-Z\\\\ é()/]{1,6}\"",
        "[-a-zA-Z0-9é/:{}\"]{1,6}",
    ];
    term.prop_recursive(5, 30, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|inner| format!("({inner})")),
            inner.clone().prop_map(|inner| format!("not {inner}")),
            inner.clone().prop_map(|inner| format!("-{inner}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} or {b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} and {b}")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("({a} or {b}) {a}")),
        ]
    })
}

proptest! {
    #[test]
    fn a_printed_filter_means_the_same(text in any_filter()) {
        let Ok(first) = Filter::parse(&text) else { return Ok(()) };
        let printed = first.to_string();
        let again = Filter::parse(&printed);
        prop_assert!(again.is_ok(), "{} -> {}: {:?}", text, printed, again);
        prop_assert_eq!(again.unwrap().to_string(), printed.as_str());
        prop_assert_eq!(matches(&text), matches(&printed), "{} -> {}", text, printed);
    }

    #[test]
    fn any_text_is_read_without_panic(text in "[ -~é\\n]{0,40}", cursor in 0..50_usize) {
        if let Err(error) = Filter::parse(&text) {
            prop_assert!(text.get(error.range).is_some());
        }
        for one in complete(&text, cursor, &Vocabulary::default()) {
            prop_assert!(text.get(one.range).is_some());
        }
    }
}
