//! The environment of servers as they themselves see it, and as it is shown.

use midwire::engine::client::{Base, Environment, Happening, Way};
use midwire::peer::client::EraChoice;

use super::session::Talk;

/// What a server with this environment finds in it: lines of `env`, sorted; and what was shown of it.
fn seen(base: Base, set: &[(&str, &str)]) -> (Vec<String>, Vec<(String, String)>) {
    let environment =
        Environment { base, set: set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect() };
    // By its full path: without PATH it would be found by the system's default only.
    let command = ["/usr/bin/env", "env"].map(str::to_owned).to_vec();
    let way = Way::Command { command, folder: None, environment };
    // `Auto` would start it twice.
    let mut talk = Talk::with(way, |options| options.settings.era = EraChoice::Legacy);
    talk.closed();
    let shown =
        talk.told.iter().find_map(|it| if let Happening::Environment(all) = it { Some(all.clone()) } else { None });
    let recorded = talk.stop();
    let text = String::from_utf8(recorded.stream(midwire::model::Side::Server)).expect("text");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.sort();
    (lines, shown.expect("told"))
}

#[test]
fn a_server_gets_what_was_chosen_and_nothing_else() {
    // T-32, T-33: some variable of this process that no SDK passes on.
    let sdk = ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];
    let is_plain = |(name, value): &(String, String)| !sdk.contains(&name.as_str()) && !value.contains('\n');
    let (ours, _) = std::env::vars().find(is_plain).expect("some variable");
    let ours = ours.as_str();
    let has = |lines: &[String], name: &str| lines.iter().any(|line| line.starts_with(&format!("{name}=")));
    let (all, _) = seen(Base::Inherit, &[("MIDWIRE_T32", "1")]);
    assert!(has(&all, ours) && has(&all, "PATH") && all.contains(&"MIDWIRE_T32=1".to_owned()), "{all:?}");
    let (sdk, _) = seen(Base::Sdk, &[("MIDWIRE_T32", "2")]);
    assert!(has(&sdk, "PATH") && !has(&sdk, ours) && sdk.contains(&"MIDWIRE_T32=2".to_owned()), "{sdk:?}");
    let (only, _) = seen(Base::Only(vec![ours.to_owned()]), &[]);
    assert!(only.len() == 1 && has(&only, ours), "{only:?}");
    let (empty, _) = seen(Base::Empty, &[("A", "x y"), ("B", "${PATH}!")]);
    assert_eq!(empty, ["A=x y".to_owned(), format!("B={}!", std::env::var("PATH").expect("set"))]);
}

#[test]
fn what_is_shown_and_recorded_masks_the_values() {
    let (lines, shown) = seen(Base::Sdk, &[("API_TOKEN", "s3cret"), ("LANG", "C")]);
    assert!(lines.contains(&"API_TOKEN=s3cret".to_owned()));
    let value = |name: &str| shown.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    assert_eq!((value("API_TOKEN"), value("LANG")), (Some("••• (set here)"), Some("C (set here)")));
    assert_eq!(value("PATH").map(str::to_owned), std::env::var("PATH").ok());
    assert_eq!(shown.len(), lines.len());
}

#[test]
fn what_cannot_be_filled_in_is_said_before_anything_runs() {
    let environment = Environment { base: Base::Empty, set: [("A".to_owned(), "${MIDWIRE_UNSET}".to_owned())].into() };
    let command = vec!["cat".to_owned()];
    let mut talk = Talk::start(Way::Command { command, folder: None, environment });
    let (why, failed) = talk.closed();
    assert!(failed && why.contains("variable A") && why.contains("${MIDWIRE_UNSET}"), "{why}");
    talk.stop();
}
