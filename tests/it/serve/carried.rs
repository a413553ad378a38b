//! Captured conversations served by the program itself: on stdio to a recorded client, and over HTTP through our bridge.
//! What it answers is what the machine answers in `corpus`, so only what the ways between add is looked at here.

use std::path::Path;
use std::sync::Arc;

use midwire::engine::serve::{self, Options, Source};
use midwire::peer::server::Pace;

use super::corpus::{captures, imported};
use super::process::{Lines, differences, midwire};
use super::recorded::replayed;

/// Replays each capture of a folder, in the revisions that its server spoke; gives what differs from what the machine by itself answers.
fn unexplained(folder: &Path, only: &str) -> Vec<String> {
    let (mut wrong, mut on_stdio, mut on_http, mut calls) = (Vec::new(), 0, 0, 0);
    for capture in captures(folder) {
        let name = capture.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !name.contains(only) {
            continue;
        }
        let place = tempfile::tempdir().expect("a temporary folder");
        let (path, session) = imported(&capture, place.path());
        let known: Vec<u64> = replayed(&session).0.iter().map(|it| it.seq).collect();
        calls += session.calls.len();
        let mut note = |way: &str, found: Vec<String>| {
            for what in found {
                let seq: u64 = what.split(' ').next().and_then(|seq| seq.parse().ok()).unwrap_or(0);
                if !known.contains(&seq) {
                    wrong.push(format!("{name} {way} {what}"));
                }
            }
        };
        // Each client of stdio starts a server of its own, which begins with the first recorded client.
        let mut clients: Vec<Option<u32>> = session.calls.iter().map(|call| call.client).collect();
        clients.dedup();
        if clients.len() == 1 {
            on_stdio += 1;
            let (here, served, spoken) = (place.path().to_owned(), path.clone(), session.spoken.clone());
            let wire = Lines::new(move || {
                let mut command = midwire(&here, &["serve", "--pace", "none"]);
                command.arg(&served);
                for revision in &spoken {
                    command.args(["--revision", revision.text()]);
                }
                command
            });
            note("stdio", differences(&session, wire));
        }
        on_http += 1;
        let mut options = Options::new(Source::Recordings(vec![path]));
        (options.settings.pace, options.settings.revisions) = (Pace::None, session.spoken.clone());
        options.recordings = Some(place.path().to_owned());
        let running = serve::start(options, Arc::new(|_| {}), Arc::new(|_: &str| {})).expect("it starts");
        let (url, here) = (running.url().expect("it listens"), place.path().to_owned());
        let wire = Lines::new(move || midwire(&here, &["tap", "--stdio", "--url", &url]));
        note("http", differences(&session, wire));
        running.stop();
    }
    println!("{calls} calls of {on_http} captures over HTTP, of {on_stdio} on stdio");
    wrong
}

#[test]
#[ignore = "needs a folder of captures, named by MIDWIRE_CAPTURES"]
fn a_whole_corpus_is_served_by_the_program() {
    let folder = std::env::var("MIDWIRE_CAPTURES").expect("MIDWIRE_CAPTURES names a folder of captures");
    let only = std::env::var("MIDWIRE_ONLY").unwrap_or_default();
    let wrong = unexplained(Path::new(&folder), &only);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
