//! The schema for editors, the sample and the reader know the same.

use std::collections::BTreeSet;

use super::{Asking, mock};
use crate::mock::damage::WORDS;
use crate::mock::keys::KINDS;
use crate::mock::reply::PARAMETERS;
use crate::mock::source;
use crate::peer::server::{Answer, Kind, Script};
use crate::schema::Validator;
use crate::wire::Json;

const SCHEMA: &str = include_str!("../../../assets/mock.schema.json");
const SAMPLE: &str = include_str!("../../../assets/sample.mock.toml");
const CONFORMANCE: &str = include_str!("../../../tests/conformance.toml");
const DOCUMENT: &str = include_str!("../../../assets/MOCK.md");

fn names(json: Option<Json<'_>>) -> BTreeSet<String> {
    let members = json.into_iter().flat_map(|json| json.members().collect::<Vec<_>>());
    members.filter_map(|(name, _)| name.text().map(std::borrow::Cow::into_owned)).collect()
}

#[test]
fn the_schema_and_the_reader_know_the_same_keys() {
    let schema = Json::parse(SCHEMA.as_bytes()).expect("it is JSON");
    for (name, keys) in KINDS {
        let place = if *name == "FILE" { "/properties".to_owned() } else { format!("/$defs/{name}/properties") };
        let known: BTreeSet<String> = keys.all().map(str::to_owned).collect();
        assert_eq!(names(schema.pointer(&place)), known, "{name}");
    }
    let kinds = schema.pointer("/$defs/FAULT/properties/kind/enum").expect("it lists them");
    let kinds: BTreeSet<String> =
        kinds.items().filter_map(|kind| kind.text().map(std::borrow::Cow::into_owned)).collect();
    let known = WORDS.iter().map(|(word, _)| *word).chain(PARAMETERS.iter().map(|(word, _)| *word));
    assert_eq!(kinds, known.map(str::to_owned).collect());
}

#[test]
fn the_document_names_every_key_and_every_fault() {
    let said = |word: &str| DOCUMENT.contains(&format!("`{word}`")) || DOCUMENT.contains(&format!("{word} ="));
    let keys = KINDS.iter().flat_map(|(_, keys)| keys.all());
    let faults = WORDS.iter().map(|(word, _)| *word).chain(PARAMETERS.iter().map(|(word, _)| *word));
    let missing: BTreeSet<&str> = keys.chain(faults).filter(|word| !said(word)).collect();
    assert_eq!(missing, BTreeSet::new());
}

#[test]
fn the_sample_and_the_mocks_of_tests_fit_the_schema() {
    let validator = Validator::new(SCHEMA.as_bytes()).expect("it is a schema");
    for (name, text) in [("sample", SAMPLE), ("conformance", CONFORMANCE)] {
        let root = source::parse(text).expect("it is TOML");
        let root = source::Value::new(0..0, toml::de::DeValue::Table(root));
        let json = source::json(&root).expect("JSON has all of it");
        assert_eq!(validator.problems(json.as_bytes()), [], "{name}");
        mock(text);
    }
    let wrong = br#"{"tool":[{"name":"t","awnser":"x"}]}"#;
    assert!(!validator.problems(wrong).is_empty());
}

#[test]
fn the_examples_of_the_document_are_mocks() {
    let blocks: Vec<&str> = DOCUMENT.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 3);
    blocks.into_iter().for_each(|block| {
        mock(block);
    });
}

#[test]
fn every_item_of_the_sample_answers() {
    let mut asking = Asking::of(SAMPLE);
    let listed: Vec<String> = asking
        .player
        .list(Kind::Tools)
        .iter()
        .filter_map(|tool| Json::parse(tool).ok()?.get("name")?.text().map(std::borrow::Cow::into_owned))
        .collect();
    assert_eq!(listed.len(), 11, "{listed:?}");
    for tool in listed {
        let answer = asking.answer("tools/call", &format!(r#"{{"name":"{tool}","arguments":{{"city":"Oslo"}}}}"#));
        assert!(matches!(answer, Answer::Plan(_)), "{tool}: {answer:?}");
    }
    assert!(asking.calls("weather", r#"{"city":"Rome"}"#).contains("It rains in Rome."));
    assert!(asking.calls("weather", "{}").contains("do not fit"));
    assert!(asking.calls("forecast", r#"{"days":2}"#).contains(r#""structuredContent":{"days":2,"warm":false}"#));
    assert!(asking.asks("resources/read", r#"{"uri":"note://5"}"#).contains("Note 5"));
    assert!(asking.asks("prompts/get", r#"{"name":"review","arguments":{"what":"code"}}"#).contains("a friendly tone"));
    assert_eq!(asking.asks("acme/status", "{}"), r#"result {"up":true,"asked":1}"#);
    assert_eq!(asking.asks("tools/list", "{}"), "own");
    assert_eq!(asking.asks("tools/list", "{}"), "wait 500ms\nown");
}
