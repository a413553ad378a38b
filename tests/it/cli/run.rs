//! `midwire run` with the demo's server: calls, picks, what is expected, and exit codes.

use std::fs;

use super::place::{Place, text};

fn place() -> Place {
    let place = Place::new();
    let midwire = env!("CARGO_BIN_EXE_midwire").replace('\\', "/");
    let file = format!(
        "[targets.demo]\ncommand = ['{midwire}', 'demo-server', '--step', '1']\n[variables]\ncity = 'Lund'\n\
         [calls.find]\ntool = 'find_parcels'\narguments = '{{\"city\":\"{{{{city}}}}\"}}'\n\
         pick = {{ parcel = '/structuredContent/parcels/0/id' }}\n\
         [calls.label]\ntool = 'draw_label'\narguments = {{ parcel = '{{{{parcel}}}}' }}\n\
         [calls.none]\ntool = 'none'\nexpect = 'error'\n\
         [calls.wrong]\ntool = 'none'\n\
         [chains]\ngood = ['find', 'label', 'none']\nbad = ['wrong', 'find']\n"
    );
    fs::write(place.home.path().join("p.midwire.toml"), file).expect("written");
    place
}

#[test]
fn a_chain_runs_with_what_it_picked_and_each_call_is_a_line() {
    let place = place();
    let listed = place.good(&["run", "p.midwire.toml"]);
    assert_eq!(listed.lines().next(), Some("chain good: find, label, none"));
    let lines = place.good(&["run", "p.midwire.toml", "good", "--yes"]);
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(
        lines[0].starts_with(r#"{"call":"find","ok":true,"target":"demo","method":"tools/call","outcome":"result""#)
    );
    // A number beyond 2^53, picked and told digit for digit.
    assert!(lines[0].ends_with(r#""picked":{"parcel":1915883588174806058}}"#), "{}", lines[0]);
    assert!(lines[2].contains(r#""outcome":"error""#) && lines[2].contains(r#""ok":true"#));
    assert_eq!(fs::read_dir(place.recordings()).expect("read").count(), 1);
}

#[test]
fn a_run_stops_where_it_is_not_as_expected_and_runs_no_command_unasked() {
    let place = place();
    let output = place.run(&["run", "p.midwire.toml", "bad", "--yes"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout).lines().count(), 1);
    assert!(text(&output.stderr).contains("expected was a result"));
    assert!(place.bad(&["run", "p.midwire.toml", "good"]).contains("--yes"));
    assert!(place.bad(&["run", "p.midwire.toml", "gone", "--yes"]).contains("chains: good, bad"));
    assert!(place.bad(&["run", "p.midwire.toml", "good", "--set", "x"]).contains("NAME:=JSON"));
    assert!(place.bad(&["run", "p.midwire.toml", "label", "--yes"]).contains("`parcel`"));
    assert!(place.bad(&["run", "none.toml"]).contains("no such file"));
}
