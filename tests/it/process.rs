//! Processes around a tap on stdio: exit codes, signals, servers that will not end, servers that leave
//! others behind, and what remains when the host or midwire itself is killed, which must be nothing.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use midwire::model::{Lifecycle, Side, StopReason};

use crate::tapped::{Outcome, Recorded, Tapped, appears, command, kill, marked, marker, until, vanishes};

const TERM: i32 = 15;
const KILL: i32 = 9;

/// Ways in which a server leaves a process behind: the marker takes the place of `T`.
const WRAPPERS: [(&str, &str); 4] = [
    ("a child and exec", "sleep T & exec cat"),
    ("a child without exec", "sleep T & cat; true"),
    ("another session", "setsid sleep T & cat; true"),
    ("a double fork", "(setsid sh -c 'sleep T & sleep T & exit' &); cat; true"),
];

/// Each way of ending with each wrapper, all at once, since each waits for the other's time.
fn leaves_nothing(end: impl Fn(&mut Tapped) + Sync) {
    std::thread::scope(|scope| {
        for (name, script) in WRAPPERS {
            let end = &end;
            let case = move || {
                let marker = marker();
                let script = script.replace('T', &marker);
                let mut tapped = Tapped::start(&["--grace", "1"], &["bash", "-c", &script]);
                tapped.send(b"{}\n");
                appears(&marker);
                let folder = tapped.recordings();
                until("the echo is recorded", || {
                    (Recorded::peek(&folder)?.stream(Side::Server) == b"{}\n").then_some(())
                });
                end(&mut tapped);
                tapped.finish();
                vanishes(&marker);
            };
            std::thread::Builder::new().name(name.into()).spawn_scoped(scope, case).expect("a thread");
        }
    });
}

#[test]
fn nothing_is_left_after_the_end_of_input() {
    leaves_nothing(Tapped::end_input);
}

#[test]
fn nothing_is_left_after_term() {
    leaves_nothing(|tapped| tapped.signal(TERM));
}

#[test]
fn nothing_is_left_after_the_outer_process_is_killed() {
    leaves_nothing(|tapped| {
        tapped.inside();
        tapped.signal(KILL);
    });
}

#[test]
fn nothing_is_left_after_the_inner_process_is_killed() {
    leaves_nothing(|tapped| kill(tapped.inside(), KILL));
}

#[test]
fn nothing_is_left_after_the_host_is_killed_with_its_group() {
    for (name, script) in WRAPPERS {
        let marker = marker();
        let folder = tempfile::tempdir().unwrap();
        let script = script.replace('T', &marker);
        // The host is a shell that keeps the tap's pipes open; both are in one group.
        let tap = command(folder.path(), &[], &["bash", "-c", &script]);
        let mut host = Command::new("bash");
        host.args(["-c", "\"$@\"; true", "host"]).arg(tap.get_program()).args(tap.get_args());
        host.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut host = host.process_group(0).spawn().expect("bash starts");
        appears(&marker);
        let group = rustix::process::Pid::from_child(&host);
        rustix::process::kill_process_group(group, rustix::process::Signal::KILL).expect(name);
        host.wait().unwrap();
        vanishes(&marker);
    }
}

#[test]
fn what_was_swept_is_recorded() {
    let marker = marker();
    let outcome = Outcome::of(&[], &["bash", "-c", &format!("sleep {marker} & exec cat")], b"{}\n");
    assert_eq!(outcome.code(), 0);
    let events = outcome.recorded().events();
    let [.., Lifecycle::Exited { code: 0 }, Lifecycle::Swept { pids }, Lifecycle::ServerClosed] = &events[..] else {
        panic!("{events:?}")
    };
    assert_eq!(pids.len(), 1);
    assert!(marked(&marker).is_empty());
}

#[test]
fn that_the_outer_process_was_killed_is_recorded() {
    let mut tapped = Tapped::start(&[], &["cat"]);
    tapped.send(b"{}\n");
    tapped.inside();
    let folder = tapped.recordings();
    until("the echo is recorded", || (Recorded::peek(&folder)?.stream(Side::Server) == b"{}\n").then_some(()));
    tapped.signal(KILL);
    until("the recording is closed in order", || Recorded::peek(&folder)?.facts.ended);
    let events = Recorded::read(&folder).events();
    let why = Lifecycle::Stopping { signal: Some(KILL), reason: StopReason::TapKilled };
    assert!(events.contains(&why) && events.contains(&Lifecycle::Signalled { signal: KILL }), "{events:?}");
    assert_eq!(tapped.finish().code(), 128 + KILL);
}

#[test]
fn a_killed_recorder_loses_at_most_what_is_in_flight() {
    let mut tapped = Tapped::start(&[], &["cat"]);
    tapped.send(b"{}\n");
    let folder = tapped.recordings();
    until("the echo is recorded", || (Recorded::peek(&folder)?.stream(Side::Server) == b"{}\n").then_some(()));
    kill(tapped.inside(), KILL);
    let outcome = tapped.finish();
    assert_eq!(outcome.code(), 128 + KILL, "it dies as the tap inside did");
    let recorded = outcome.recorded();
    assert_eq!((recorded.facts.ended, recorded.stream(Side::Server)), (None, b"{}\n".to_vec()));
}

#[test]
fn a_server_that_ignores_everything_is_ended_step_by_step() {
    let marker = marker();
    let script = format!("trap '' TERM; sleep {marker} & while :; do wait; done");
    let outcome = Outcome::of(&["--grace", "0.3"], &["bash", "-c", &script], b"");
    assert_eq!(outcome.code(), 128 + KILL);
    let events = outcome.recorded().events();
    let stopping = |signal| Lifecycle::Stopping { signal, reason: StopReason::EndOfInput };
    let expected = [
        Lifecycle::ClientClosed,
        stopping(None),
        stopping(Some(TERM)),
        stopping(Some(KILL)),
        Lifecycle::ServerClosed,
        Lifecycle::Signalled { signal: KILL },
    ];
    assert!(matches!(events[0], Lifecycle::Spawned { .. }));
    assert_eq!(events[1..], expected);
    vanishes(&marker);
}

#[test]
fn a_slow_end_within_the_grace_is_not_disturbed() {
    let outcome = Outcome::of(&[], &["sh", "-c", "cat; sleep 0.4; echo late; exit 3"], b"{}\n");
    assert_eq!((outcome.code(), &outcome.out[..]), (3, &b"{}\nlate\n"[..]));
    let events = outcome.recorded().events();
    let ended = [Lifecycle::ServerClosed, Lifecycle::Exited { code: 3 }];
    assert!(events.ends_with(&ended), "{events:?}");
}

#[test]
fn exit_codes_and_signals_are_the_servers() {
    for code in [0, 1, 7, 126, 127, 255] {
        let outcome = Outcome::of(&[], &["sh", "-c", &format!("read x; echo; exit {code}")], b"\n");
        assert_eq!(outcome.status.code(), Some(code));
        assert!(outcome.recorded().events().contains(&Lifecycle::Exited { code }));
    }
    for signal in [1, 2, 6, 9, 11, 15].into_iter().filter(|signal| !is_ignored(*signal)) {
        let outcome = Outcome::of(&[], &["sh", "-c", &format!("read x; kill -{signal} $$")], b"\n");
        assert_eq!(std::os::unix::process::ExitStatusExt::signal(&outcome.status), Some(signal));
        assert!(outcome.recorded().events().contains(&Lifecycle::Signalled { signal }));
    }
}

/// Whether this process was started with a signal ignored, as `nohup` does: then so is the server, with
/// and without a tap.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[test]
fn signals_are_passed_on_and_recorded() {
    let script = "trap 'echo caught; exit 5' USR1; echo ready; while :; do sleep 0.02; done";
    let tapped = Tapped::start(&[], &["bash", "-c", script]);
    let folder = tapped.recordings();
    until("the server is ready", || (Recorded::peek(&folder)?.stream(Side::Server) == b"ready\n").then_some(()));
    tapped.signal(10);
    let outcome = tapped.finish();
    assert_eq!((outcome.code(), &outcome.out[..]), (5, &b"ready\ncaught\n"[..]));
    assert!(outcome.recorded().events().contains(&Lifecycle::SignalPassed { signal: 10 }));
}

#[test]
fn term_is_followed_by_kill_before_a_host_loses_its_patience() {
    let script = "trap '' TERM; echo ready; while :; do sleep 0.02; done";
    let tapped = Tapped::start(&[], &["bash", "-c", script]);
    let folder = tapped.recordings();
    until("the server is ready", || (Recorded::peek(&folder)?.stream(Side::Server) == b"ready\n").then_some(()));
    tapped.signal(TERM);
    let outcome = tapped.finish();
    assert_eq!(outcome.code(), 128 + KILL);
    let kill = Lifecycle::Stopping { signal: Some(KILL), reason: StopReason::Signal };
    assert!(outcome.recorded().events().contains(&kill));
}

#[test]
fn environment_folder_and_words_are_the_servers_as_without_a_tap() {
    let folder = tempfile::tempdir().unwrap();
    let script =
        "env -0 | sort -z; printf '%s|' \"$PWD\" \"$@\"; ulimit -a; umask; grep -E '^Sig(Blk|Ign)' /proc/self/status";
    let words = ["sh", "-c", script, "--name", "", "--", "a b", "--help", "-x", "*", "ü"];
    let dress = |command: &mut Command| {
        command.env("FOO", "1").env("PATHEXT", ".EXE").env("EMPTY", "").env_remove("HOME");
        command.current_dir("/").stdin(Stdio::null()).output().expect("runs").stdout
    };
    let plain = dress(Command::new(words[0]).args(&words[1..]).env_remove("MIDWIRE_RECORDINGS"));
    let tapped = dress(command(folder.path(), &[], &words).env_remove("MIDWIRE_RECORDINGS"));
    assert!(String::from_utf8_lossy(&plain).contains("EMPTY=\0FOO=1\0"));
    assert_eq!(String::from_utf8_lossy(&tapped), String::from_utf8_lossy(&plain));
    let without_dashes = dress(
        Command::new(env!("CARGO_BIN_EXE_midwire")).env("MIDWIRE_RECORDINGS", folder.path()).arg("tap").args(words),
    );
    let own = format!("MIDWIRE_RECORDINGS={}\0", folder.path().display());
    assert_eq!(String::from_utf8_lossy(&without_dashes).replace(&own, ""), String::from_utf8_lossy(&plain));
}

#[test]
fn a_server_that_cannot_start_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("server.py");
    fs::write(&file, "print()\n").unwrap();
    let file = file.to_str().unwrap();
    let cases = [
        ("no-such-server", 127, "\"no-such-server\" was not found; PATH is "),
        ("/no/such/server", 127, "\"/no/such/server\" was not found; check the path"),
        (file, 126, "cannot be executed"),
    ];
    for (server, code, said) in cases {
        let outcome = Outcome::of(&[], &[server, "--stdio"], b"");
        assert_eq!((outcome.code(), &outcome.out[..]), (code, &b""[..]));
        assert!(
            outcome.err.starts_with("midwire: failed to start the server") && outcome.err.contains(said),
            "{}",
            outcome.err
        );
        let events = outcome.recorded().events();
        assert!(matches!(&events[..], [Lifecycle::SpawnFailed { why }] if why.contains(said)), "{events:?}");
    }
}

#[test]
fn a_server_that_dies_at_once_is_explained() {
    let outcome =
        Tapped::start(&[], &["sh", "-c", "echo no module named x >&2; exit 1", "sh", "--token", "abc"]).finish();
    assert_eq!(outcome.code(), 1);
    assert!(
        outcome.err.starts_with("no module named x\nmidwire: the server exited with code 1 after "),
        "{}",
        outcome.err
    );
    assert!(outcome.err.contains("midwire: its command is: sh -c echo no module named x >&2; exit 1 sh --token •••\n"));
}

#[test]
fn an_option_that_is_none_is_not_taken_for_a_command() {
    let output = Command::new(env!("CARGO_BIN_EXE_midwire")).args(["tap", "--nam", "x", "cat"]).output().unwrap();
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b""[..]));
    assert!(String::from_utf8_lossy(&output.stderr).contains("has no option --nam"));
}

#[test]
fn a_script_without_first_line_runs_as_a_shell_would_run_it() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("server");
    fs::write(&script, "echo \"$1\"\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let outcome = Outcome::of(&[], &[script.to_str().unwrap(), "x y"], b"");
    assert_eq!((outcome.code(), &outcome.out[..]), (0, &b"x y\n"[..]));
}

#[test]
fn facts_say_what_runs_and_for_whom_without_secrets() {
    let outcome = Outcome::of(&[], &["sh", "-c", "cat", "sh", "--api-key", "s3cret"], b"");
    let facts = outcome.recorded().facts;
    assert_eq!(facts.command, ["sh", "-c", "cat", "sh", "--api-key", "•••"]);
    assert_eq!((facts.left_out, facts.lost, &*facts.name), (1, 0, "sh"));
    let host = facts.host.expect("known");
    assert_eq!((host.pid, &host.program[..2]), (std::process::id(), "it"));
    assert!(facts.ended.is_some_and(|ended| ended > facts.started));
    let outcome = Outcome::of(&["--keep-secrets", "--name", "notes"], &["env", "A_TOKEN=x", "cat"], b"");
    let recorded = outcome.recorded();
    assert_eq!((recorded.facts.command[1].as_str(), recorded.facts.left_out), ("A_TOKEN=x", 0));
    assert!(recorded.path.to_str().unwrap().contains("-notes-"));
    assert_eq!(fs::metadata(&recorded.path).unwrap().permissions().mode() & 0o777, 0o600);
}
