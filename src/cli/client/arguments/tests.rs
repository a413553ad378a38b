//! Words to JSON, as a table.

use super::*;

const SCHEMA: &str = r#"{"type":"object","properties":{
    "n":{"type":"integer"},"x":{"type":["number","null"]},"s":{"type":"string"},"b":{"type":"boolean"},
    "tags":{"type":"array","items":{"type":"string"}},"ids":{"type":"array","items":{"type":"integer"}},
    "o":{"type":"object","properties":{"deep":{"type":"number"},"list":{"type":"array","items":{"type":"object"}}}},
    "either":{"type":["string","number"]},"level":{"enum":[1,2,"high"]},"a.b":{"type":"boolean"},"any":true}}"#;

fn made(words: &[&str]) -> Result<(String, Vec<String>), String> {
    let given: Vec<Given> = words.iter().map(|word| Given::read(word)).collect::<Result<_, _>>()?;
    let schema = Json::parse(SCHEMA.as_bytes()).expect("JSON");
    let (text, notes) = build(&given, None, Some(schema))?;
    Ok((String::from_utf8(text).expect("UTF-8"), notes))
}

#[test]
fn values_are_typed_by_the_schema_and_keep_their_digits() {
    for (words, json) in [
        (&["n=1915883588174806058"][..], r#"{"n":1915883588174806058}"#),
        (&["n=1e400"], r#"{"n":1e400}"#),
        (&["x=1.0", "s=1.0"], r#"{"x":1.0,"s":"1.0"}"#),
        (&["x=null", "s=null"], r#"{"x":null,"s":"null"}"#),
        (&["b=true"], r#"{"b":true}"#),
        (&["s="], r#"{"s":""}"#),
        (&["s=a=b"], r#"{"s":"a=b"}"#),
        (&["s=é \"\n"], r#"{"s":"é \"\n"}"#),
        (&["either=5"], r#"{"either":"5"}"#),
        (&["either:=5"], r#"{"either":5}"#),
        (&["level=2"], r#"{"level":2}"#),
        (&["level=high"], r#"{"level":"high"}"#),
        (&["any=5", "unknown=true"], r#"{"any":"5","unknown":"true"}"#),
        (&["any:={\"a\": [1.50]}"], r#"{"any":{"a": [1.50]}}"#),
    ] {
        let (text, notes) = made(words).expect("good words");
        assert_eq!(text, json, "{words:?}");
        assert_eq!(notes, Vec::<String>::new(), "{words:?}");
    }
}

#[test]
fn arrays_and_nested_places() {
    for (words, json) in [
        (&["tags=a"][..], r#"{"tags":["a"]}"#),
        (&["tags=a", "tags=b"], r#"{"tags":["a","b"]}"#),
        (&["tags=[\"a\", \"b\"]"], r#"{"tags":["a", "b"]}"#),
        (&["tags[]=a", "tags[]=b", "tags[0]=c"], r#"{"tags":["c","b"]}"#),
        (&["ids=1", "ids=2"], r#"{"ids":[1,2]}"#),
        (&["o.deep=1.50", "o.list[0].k=v", "o.list.1.k:=2"], r#"{"o":{"deep":1.50,"list":[{"k":"v"},{"k":2}]}}"#),
        (&["/o/deep=2", "/o/list/0/a~1b=c"], r#"{"o":{"deep":2,"list":[{"a/b":"c"}]}}"#),
        (&["a.b=true"], r#"{"a.b":true}"#),
        (&["x\\.y=1", "p.q=1"], r#"{"x.y":"1","p":{"q":"1"}}"#),
        (&["o={\"deep\":1}", "o.list:=[]"], r#"{"o":{"deep":1,"list":[]}}"#),
        (&["s=a", "s=b"], r#"{"s":"b"}"#),
    ] {
        assert_eq!(made(words).expect("good words").0, json, "{words:?}");
    }
}

#[test]
fn what_does_not_fit_is_sent_and_said() {
    let (text, notes) = made(&["n=ten", "b=maybe", "ids=x"]).expect("words");
    assert_eq!(text, r#"{"n":"ten","b":"maybe","ids":["x"]}"#);
    assert_eq!(notes.len(), 3, "{notes:?}");
    assert!(notes[0].contains("n: \"ten\" is no number"), "{notes:?}");
}

#[test]
fn words_that_mean_nothing_say_what_they_should_be() {
    for (words, said) in [
        (&["name"][..], "is none of key=value"),
        (&["=x"], "is none of key=value"),
        (&[":=1"], "is none of key=value"),
        (&["n:=ten"], "behind := stands JSON"),
        (&["ids[2]=1"], "there are only 0 items before item 2"),
        (&["ids[x]=1"], "in brackets stands the number of an item"),
        (&["s=a", "s.t=b"], "has no members"),
        (&["o.deep=1", "o[0]=1"], "there is no array"),
    ] {
        let fault = made(words).expect_err("bad words");
        assert!(fault.contains(said), "{words:?}: {fault}");
    }
    assert!(made(&[&format!("{}=1", "a.".repeat(100))]).is_err(), "too deep");
}

#[test]
fn words_go_on_top_of_a_whole_and_touch_nothing_else() {
    let given = [Given::read("b=true").expect("a word"), Given::read("o.deep:=9").expect("a word")];
    let base = br#"{"z": 1.0, "o": {"list" : [1e400]}, "b": null}"#;
    let (text, _) = build(&given, Some(base), None).expect("built");
    let text = String::from_utf8(text).expect("UTF-8");
    assert_eq!(text, r#"{"z":1.0,"o":{"list":[1e400],"deep":9},"b":"true"}"#);
    let (text, _) = build(&[], Some(base), None).expect("built");
    assert_eq!(text, base, "without words, byte for byte");
}

#[test]
fn arguments_of_prompts_are_strings() {
    let given = [Given::read("a.b=5").expect("a word"), Given::read("c:=5").expect("a word")];
    assert_eq!(strings(&given).expect("built"), br#"{"a.b":"5","c":5}"#);
}
