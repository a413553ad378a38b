//! What is typed for a new connection to a recorded server, and what comes of it.

use std::path::Path;
use std::sync::Arc;

use super::{Bench, Errand, Reconnect};
use crate::engine::client::{Given, Target, Trust, Way};
use crate::engine::imitation::{Imitation, Missing, Original};
use crate::engine::view::ClientEvent;
use crate::model::{Era, Revision};
use crate::peer::client::{EraChoice, Settings};

/// The question about a recorded server, once the recording is read.
fn asked(way: Way, missing: &[(&str, bool)], era: Option<Era>) -> Reconnect {
    let path = Path::new("/a.midwire");
    let mut bench = Bench::default();
    let errand = Errand::Raw { bytes: Arc::from(*b"{}"), new_id: false };
    let mut asked = Reconnect::ask(&mut bench, path, None, era, "x".to_owned(), errand);
    let missing = missing.iter().map(|(place, is_header)| Missing {
        place: (*place).to_owned(),
        shown: "•••".to_owned(),
        is_header: *is_header,
    });
    let target = Target { name: "it".to_owned(), way, ..Target::default() };
    let original = Original { target, missing: missing.collect() };
    let imitation = Imitation {
        identity: Some(r#"{"name":"h","version":"2"}"#.to_owned()),
        capabilities: Some(r#"{"roots":{}}"#.to_owned()),
        revision: Some("2025-03-26".to_owned()),
        source: "initialize".to_owned(),
        seq: 1,
    };
    bench.absorb(ClientEvent::Original("/b.midwire".into(), Err("of another".to_owned())), 0);
    bench.absorb(ClientEvent::Original(path.to_owned(), Ok(Box::new(original))), 0);
    bench.absorb(ClientEvent::Imitation(path.to_owned(), Ok(Box::new(imitation))), 0);
    asked.learn(&mut bench);
    asked
}

fn url(url: &str, headers: &[(&str, &str)]) -> Way {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Way::Url { url: url.to_owned(), headers, trust: Trust::default() }
}

#[test]
fn a_secret_of_a_command_is_needed_and_shown_nowhere() {
    let way = Way::Command {
        command: vec!["srv".to_owned(), "--key=•••".to_owned()],
        folder: None,
        environment: crate::engine::client::Environment::default(),
    };
    let mut asked = asked(way.clone(), &[("argument 1", false)], None);
    assert!(!asked.is_ready() && asked.is_lacking(0));
    asked.values[0] = "s3cret".to_owned();
    assert!(asked.is_ready());
    let target = asked.target().unwrap();
    assert_eq!((&target.way, &target.given), (&way, &Given::new(vec!["s3cret".to_owned()])));
    assert!(!format!("{target:?}{asked:?}").contains("s3cret"));
}

#[test]
fn a_header_field_for_which_nothing_is_given_is_left_out() {
    let way = url("https://h/?key=•••", &[("A", "•••"), ("Cookie", "a=•••; b=•••"), ("B", "•••")]);
    let missing = [("the URL", false), ("A", true), ("Cookie", true), ("Cookie", true), ("B", true)];
    let mut asked = asked(way, &missing, None);
    assert!(!asked.is_url_free(), "its mask is filled in, not typed over");
    asked.values[0] = "u".to_owned();
    asked.values[3] = "c".to_owned();
    assert!(asked.is_ready());
    let target = asked.target().unwrap();
    assert_eq!(target.way, url("https://h/?key=•••", &[("Cookie", "a=•••; b=•••")]));
    assert_eq!(target.given, Given::new(["u", "", "c"].map(str::to_owned).to_vec()));
}

#[test]
fn a_url_can_be_changed_to_another() {
    let mut asked = asked(url("http://h/sse", &[]), &[], None);
    assert!(asked.is_url_free() && asked.is_ready());
    "h/sse".clone_into(&mut asked.url);
    assert!(!asked.is_ready() && asked.url_fault().is_some());
    " http://h/mcp ".clone_into(&mut asked.url);
    assert_eq!(asked.target().unwrap().way, url("http://h/mcp", &[]));
}

#[test]
fn it_speaks_as_recorded_and_says_who_it_is_as_is_wished() {
    let own = Settings::default();
    let mut legacy = asked(url("http://h/", &[]), &[], Some(Era::Legacy));
    assert_eq!(legacy.client().as_deref(), Some("h 2"));
    let settings = legacy.settings();
    assert_eq!((&settings.identity, &settings.era), (&own.identity, &EraChoice::Pinned(Revision::V2025_03_26)));
    assert_ne!(settings.ids, own.ids, "ids of ours and recorded ones do not meet");
    legacy.as_client = true;
    let settings = legacy.settings();
    assert_eq!(settings.identity, r#"{"name":"h","version":"2"}"#);
    assert_eq!(settings.capabilities, r#"{"roots":{}}"#);
    legacy.as_recorded = false;
    assert_eq!(legacy.settings().era, EraChoice::Auto);
    assert_eq!(asked(url("http://h/", &[]), &[], Some(Era::Modern)).settings().era, EraChoice::Modern);
    assert_eq!(asked(url("http://h/", &[]), &[], None).choice(), None);
}
