//! What a server on stdio leaves behind when midwire ends or is killed (T-27), and the words and the folder that it is
//! started with. Only midwire itself can start a keeper, so the former is tried with the real binary.

use std::fs;
use std::process::{Child, Command, Stdio};

use midwire::engine::client::Way;
use midwire::peer::client::{EraChoice, Settings};

use super::server::{Era, Over, Server};
use super::session::Talk;
use crate::tapped::{kill, marker, until, vanishes};

/// Ways in which a server leaves a process behind: the marker takes the place of `T`.
const WRAPPERS: [&str; 4] =
    ["sleep T &", "setsid sleep T &", "(setsid sh -c 'sleep T & sleep T & exit' &)", "trap '' HUP TERM; sleep T &"];

/// midwire, listing the tools of a server behind each wrapper; what is done about it, and what is left is nothing.
fn leaves_nothing(server: impl Fn() -> Server + Sync, end: impl Fn(&mut Child) + Sync) {
    std::thread::scope(|scope| {
        for wrapper in WRAPPERS {
            let (server, end) = (&server, &end);
            let case = move || {
                let (marker, server) = (marker(), server());
                let Way::Command { command, .. } = server.behind(&wrapper.replace('T', &marker)) else { return };
                let folder = tempfile::tempdir().expect("a temporary folder");
                let mut midwire = Command::new(env!("CARGO_BIN_EXE_midwire"));
                midwire.args(["tools", "--era", "modern", "--grace", "0.5", "--"]).args(command);
                midwire.env("MIDWIRE_RECORDINGS", folder.path()).stdin(Stdio::null());
                let mut midwire = midwire.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("midwire starts");
                // The wrapper has started its process before the server.
                until("the tools are listed", || server.heard_of("tools/list").pop());
                end(&mut midwire);
                until("midwire ends", || midwire.try_wait().expect("a child"));
                vanishes(&marker);
            };
            std::thread::Builder::new().name(wrapper.into()).spawn_scoped(scope, case).expect("a thread");
        }
    });
}

#[test]
fn nothing_is_left_behind_in_the_end() {
    let server = || Server::start(Over::Stdio, Era::Modern, |heard, say| say(&heard.result(r#"{"tools":[]}"#)));
    leaves_nothing(server, |_| {});
}

#[test]
fn nothing_is_left_behind_when_midwire_is_killed() {
    leaves_nothing(|| Server::start(Over::Stdio, Era::Modern, |_, _| {}), |midwire| kill(midwire.id(), 9));
}

#[test]
fn words_and_folder_arrive_as_they_are() {
    let server = Server::start(Over::Stdio, Era::Modern, |heard, say| say(&heard.result("{}")));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut way = server.behind("printf '%s|' \"$PWD\" \"$@\" > seen");
    if let Way::Command { command, folder: within, .. } = &mut way {
        command.extend(["--name", "", "--", "a b", "*", "ü"].map(str::to_owned));
        *within = Some(folder.path().to_owned());
    }
    let mut talk = Talk::open(way, Settings { era: EraChoice::Modern, ..Settings::default() });
    let seen = until("it was written", || fs::read_to_string(folder.path().join("seen")).ok());
    let within = folder.path().canonicalize().expect("it is there");
    assert_eq!(seen, format!("{}|--name||--|a b|*|ü|", within.display()));
    talk.stop();
}
