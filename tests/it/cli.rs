//! The command line as people and scripts use it: the real binary, its output, its exit codes.

#[cfg(target_os = "linux")]
mod client;
mod place;
mod run;

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use midwire::model::{Entry, EntryKind, Side};
use midwire::store::Reader;
use regex::Regex;

use place::{ANSWER, Place, REQUEST, START, entry, now, text};

/// The lines of a demo, times and process ids taken out, and apart from each other what comes in an
/// order that the processes are free in: rows of the conversation, and all else sorted.
fn settled(printed: &str, folder: &Path) -> String {
    let printed = printed.replace(&folder.display().to_string(), "FOLDER");
    let rules = [
        (r"(?m)^ +\d+\.\d{3}", "   "),
        (r" +\d[\d.]* (µs|ms|s)(?m:$)", ""),
        (r"ended after \S+ \S+", "ended"),
        (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "WHEN"),
        (r"process \d+", "process PID"),
        (r"\d{8}-\d{6}-(demo-\w+)-\d+", "$1"),
        (r"--step \d+", "--step N"),
    ];
    let settled = rules
        .iter()
        .fold(printed, |text, (pattern, with)| Regex::new(pattern).unwrap().replace_all(&text, *with).into_owned());
    let mut conversation: Vec<&str> = Vec::new();
    let mut apart: Vec<&str> = Vec::new();
    for line in settled.lines() {
        let free = line.trim_start().starts_with(['!', '∙', '?']);
        let part = if free { &mut apart } else { &mut conversation };
        part.push(line);
    }
    apart.sort_unstable();
    format!("{}\n---\n{}", conversation.join("\n"), apart.join("\n"))
}

#[test]
fn the_demo_converses_in_both_eras_and_leaves_recordings() {
    let place = Place::new();
    let kept = place.home.path().join("kept");
    let printed = place.good(&["demo", "--headless", "--keep", "kept"]);
    insta::assert_snapshot!("demo", settled(&printed, &fs::canonicalize(place.recordings()).unwrap()));

    let kept_files = ["demo-legacy.midwire", "demo-modern.midwire"].map(|name| kept.join(name));
    for file in &kept_files {
        let path = file.to_str().unwrap();
        let shown = place.good(&["show", path, "method:tools/call", "tool:find_parcels", "-p"]);
        assert!(shown.contains("\"after\": 9007199254740993,") && shown.contains("\"max_weight\": 1.0"), "{shown}");
        assert!(shown.contains("1915883588174806058") && shown.contains("1e400"), "{shown}");
        let begins = fs::read(file).unwrap();
        assert!(begins.starts_with(b"SQLite format 3\0"));
    }
    let shell = Command::new("sqlite3").arg(&kept_files[1]).arg("SELECT count(*) FROM entries").output();
    if let Ok(output) = shell {
        assert!(text(&output.stdout).trim().parse::<u32>().unwrap() > 50, "{}", text(&output.stderr));
    }
}

#[test]
fn the_checked_in_recordings_are_those_of_this_demo() {
    let place = Place::new();
    let fresh = place.home.path().join("kept");
    place.good(&["demo", "--headless", "--keep", "kept"]);
    for name in ["demo-legacy.midwire", "demo-modern.midwire"] {
        let checked_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings").join(name);
        let said = |file: &Path| frames(&place.good(&["show", file.to_str().unwrap(), "--json", "-m"]));
        assert_eq!(
            said(&checked_in),
            said(&fresh.join(name)),
            "make them anew with: cargo run -- demo --headless --keep recordings"
        );
    }
}

/// What each side said, in order, apart from the times of the tasks.
fn frames(rows: &str) -> (Vec<String>, Vec<String>) {
    let time = Regex::new(r"\d{4}-\d\d-\d\dT[\d:.]+Z").unwrap();
    let mut said: (Vec<String>, Vec<String>) = Default::default();
    for row in rows.lines() {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        let line = time.replace_all(row["entry"]["text"].as_str().unwrap_or_default(), "WHEN").into_owned();
        match (row["from"].as_str(), row["kind"].as_str()) {
            (_, Some("stderr" | "lifecycle")) => {}
            (Some("client"), _) => said.0.push(line),
            _ => said.1.push(line),
        }
    }
    said
}

#[test]
fn show_lays_messages_out_without_changing_a_number_or_a_key() {
    let place = Place::new();
    place.sample();
    let shown = place.good(&["show", "sample", "-p"]);
    insta::assert_snapshot!("payloads", shown);
}

#[test]
fn show_as_json_holds_messages_exactly_as_sent() {
    let place = Place::new();
    place.sample();
    let rows = place.good(&["show", "--json"]);
    let rows: Vec<serde_json::Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    assert_eq!(rows[0]["request"]["text"], REQUEST);
    assert_eq!(rows[0]["answer"]["text"], format!("{ANSWER}\r"));
    assert_eq!(rows[0]["id"], "9007199254740993");
    assert_eq!(
        (&rows[0]["kind"], &rows[0]["subject"], &rows[0]["duration_ns"]),
        (&"exchange".into(), &"add".into(), &1_000_000.into())
    );
    assert_eq!(rows[1]["kind"], "not-json");
    assert_eq!(rows[2]["entry"]["base64"], "Y2Fm6SD/");
    assert_eq!(rows[3]["kind"], "lifecycle");
    let messages = place.good(&["show", "--json", "--messages", "is:request"]);
    assert_eq!(messages.lines().count(), 1, "{messages}");
}

#[test]
fn show_filters_and_points_at_what_is_wrong_with_a_filter() {
    let place = Place::new();
    place.sample();
    assert_eq!(place.good(&["show", "sample", "tool:add", "--json"]).lines().count(), 1);
    assert_eq!(place.good(&["show", "tool:add", "--json"]).lines().count(), 1, "without a recording: the last one");
    assert_eq!(place.good(&["show", "sample", "tool:sub", "--json"]), "", "no match is no failure");
    assert_eq!(place.good(&["show", "sample", "pwned", "--json"]).lines().count(), 1, "free text");
    let said = place.bad(&["show", "sample", "size>1MB", "is:wrong"]);
    assert!(said.contains("midwire:   size>1MB is:wrong\nmidwire:            ^^^^^^^^\n"), "{said}");
}

#[test]
fn colour_is_for_terminals_unless_asked_for() {
    let place = Place::new();
    place.sample();
    let plain = place.good(&["show", "sample", "-p"]);
    assert!(!plain.contains('\u{1b}'), "neither ours nor the server's");
    let coloured = place.good(&["show", "sample", "--color", "always"]);
    assert!(coloured.contains("\u{1b}[31m") && !coloured.contains("\u{1b}]"), "{coloured}");
}

#[test]
fn a_recording_that_cannot_be_found_or_read_is_told_of_once() {
    let place = Place::new();
    let said = place.bad(&["show"]);
    assert!(said.contains("there are no recordings in") && said.contains("midwire tap -- COMMAND"), "{said}");
    place.sample();
    let said = place.bad(&["show", "nothing"]);
    assert!(said.starts_with("midwire: there is no file nothing, and no recording"), "{said}");
    // Not just written: a file that is a moment old may be one that a tap is creating.
    let text = place.recordings().join("20260101-000000-text-1.midwire");
    fs::write(&text, "no recording at all").unwrap();
    fs::File::options()
        .write(true)
        .open(&text)
        .unwrap()
        .set_modified(SystemTime::now() - Duration::from_secs(9))
        .unwrap();
    let said = place.bad(&["show", "text"]);
    assert!(said.starts_with("midwire: failed to ") && said.lines().count() == 1, "{said}");
    let listed = place.good(&["list"]);
    assert!(listed.contains("20260101-000000-text-1.midwire"), "{listed}");
}

#[test]
fn list_says_who_spoke_and_how_it_ended() {
    let place = Place::new();
    assert!(place.good(&["list"]).contains("midwire demo"), "an empty list says how to fill it");
    assert_eq!(place.good(&["list", "--json"]), "");
    place.sample();
    place.record("running", now(), true, &[]);
    let listed = place.good(&["list", "--json"]);
    let rows: Vec<serde_json::Value> = listed.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    assert_eq!((&rows[0]["name"], &rows[0]["live"]), (&"running".into(), &true.into()), "live ones first");
    let sample = rows[1].as_object().unwrap();
    let expected = [
        ("name", "sample".into()),
        ("live", false.into()),
        ("entries", 5.into()),
        ("errors", 0.into()),
        ("outcome", "exited 3".into()),
        ("transport", "stdio".into()),
        ("role", "tap".into()),
        ("command", serde_json::json!(["server", "--flag"])),
        ("started", "2026-09-21T14:13:20.000000000Z".into()),
        ("ended", "2026-09-21T14:13:21.000000000Z".into()),
    ];
    for (key, value) in expected {
        assert_eq!(sample[key], value, "{key}");
    }
    let table = place.good(&["list"]);
    assert!(Regex::new(r"(?m)^● \d{4}-\d\d-\d\d \d\d:\d\d:\d\d  running ").unwrap().is_match(&table), "{table}");
    assert!(table.contains("  2026-09-21 14:13:20  sample "), "{table}");
}

#[test]
fn export_and_import_give_the_same_bytes_back() {
    let place = Place::new();
    let sample = place.sample();
    let exported = place.good(&["export", "sample"]);
    assert_eq!(place.good(&["export", "sample", "-o", "out.jsonl"]), "");
    assert_eq!(fs::read_to_string(place.home.path().join("out.jsonl")).unwrap(), exported);
    fs::remove_file(&sample).unwrap();
    let said = place.good(&["import", "out.jsonl", "--name", "again"]);
    assert!(said.contains("-again-") && said.ends_with("  5 entries\n"), "{said}");
    assert_eq!(place.good(&["export", "again"]), exported);
    let shown = place.good(&["show", "again", "--json"]);
    let first: serde_json::Value = serde_json::from_str(shown.lines().next().unwrap()).unwrap();
    assert_eq!((&first["request"]["text"], &first["answer"]["text"]), (&REQUEST.into(), &format!("{ANSWER}\r").into()));
    assert!(shown.contains(r#""base64":"Y2Fm6SD/""#), "{shown}");
}

#[test]
fn export_and_import_work_as_a_pipe() {
    let place = Place::new();
    place.sample();
    let mut export = place.command(&["export", "sample"]).spawn().unwrap();
    let import = place.command(&["import", "-"]).stdin(export.stdout.take().unwrap()).output().unwrap();
    assert!(export.wait().unwrap().success());
    assert_eq!(import.status.code(), Some(0), "{}", text(&import.stderr));
    assert_eq!(place.good(&["export", "import"]), place.good(&["export", "20261130-100000-sample"]));
}

#[test]
fn import_tells_what_it_could_not_read_and_goes_on() {
    let place = Place::new();
    place.sample();
    let path = place.home.path().join("some.jsonl");
    let mut lines = place.good(&["export", "sample"]);
    lines.push_str("{\"seq\":\n");
    fs::write(&path, &lines).unwrap();
    let output = place.run(&["import", "some.jsonl"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).ends_with("  5 entries\n"));
    let number = lines.lines().count();
    assert!(text(&output.stderr).starts_with(&format!("midwire: some.jsonl:{number}: ")), "{}", text(&output.stderr));

    fs::write(&path, "nothing\n").unwrap();
    assert!(place.bad(&["import", "some.jsonl"]).contains("no line of the input could be read"));
    assert!(place.bad(&["import", "missing.jsonl"]).contains("failed to read missing.jsonl: No such file"));
    assert!(place.bad(&["import", "."]).contains("failed to read ."));
    let recording = place.recordings().join("20261130-100000-sample-7.midwire");
    let recording = recording.to_str().unwrap();
    assert!(place.bad(&["import", recording]).contains("is a recording already"));
    assert!(place.bad(&["export", "sample", "-o", recording]).contains("is the recording itself"));
    assert!(place.bad(&["export", "sample", "-o", "no/such/folder"]).contains("failed to create no/such/folder"));
}

#[test]
fn prune_deletes_what_is_old_and_nothing_else() {
    let place = Place::new();
    let old = place.sample();
    let live = place.record("running", now(), true, &[]);
    let broken = place.recordings().join("broken.midwire");
    fs::write(&broken, "no recording at all").unwrap();
    let said = place.good(&["prune", "--older-than", "1d", "--dry-run"]);
    assert!(said.contains("would delete 1 recording"), "{said}");
    assert!(old.exists());
    assert!(place.good(&["prune", "--older-than", "1d", "--keep", "2"]).contains("deleted 0 recordings"));
    assert!(place.good(&["prune", "--older-than", "4000w"]).contains("deleted 0 recordings"));
    let said = place.good(&["prune", "--older-than", "1d"]);
    assert!(said.contains("20261130-100000-sample-7.midwire") && said.contains("deleted 1 recording,"), "{said}");
    assert!(!old.exists() && live.exists() && broken.exists());
    for wrong in ["30", "-1d", "1.5h", "soon"] {
        let output = place.run(&["prune", "--older-than", wrong]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let place = Place::new();
    let frames: Vec<Entry> =
        (1..=20_000).map(|seq| entry(seq, Some(Side::Client), EntryKind::Frame, REQUEST.as_bytes())).collect();
    place.record("long", START, false, &frames);
    for words in [&["show", "long", "-p"][..], &["show", "long", "--json", "-m"]] {
        let mut child = place.command(words).spawn().unwrap();
        let mut first = [0; 64];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(text(&output.stderr), "", "{words:?}");
        assert_eq!(output.status.code(), Some(0), "{words:?}");
    }
}

#[test]
fn follow_shows_rows_as_they_come_and_ends_with_the_recording() {
    let place = Place::new();
    let folder = place.recordings();
    let server = "printf '{\"jsonrpc\":\"2.0\",\"method\":\"notifications/first\"}\\n'; read line; \
                  printf '{\"jsonrpc\":\"2.0\",\"method\":\"notifications/second\"}\\n'";
    let mut tap = place.command(&["tap", "--name", "slow", "--", "sh", "-c", server]);
    let mut tap = tap.stdin(Stdio::piped()).spawn().unwrap();
    // The file is there a moment before anything can be read of it.
    while !fs::read_dir(&folder).unwrap().flatten().any(|file| Reader::open(&file.path()).is_ok()) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let mut show = place.command(&["show", "slow", "--follow"]).spawn().unwrap();
    let mut seen = String::new();
    let mut out = show.stdout.take().unwrap();
    let mut chunk = [0; 4096];
    while !seen.contains("· notifications/first") {
        let count = out.read(&mut chunk).unwrap();
        assert_ne!(count, 0, "it ended early: {seen}");
        seen.push_str(&String::from_utf8_lossy(&chunk[..count]));
    }
    drop(tap.stdin.take());
    out.read_to_string(&mut seen).unwrap();
    assert!(seen.contains("· notifications/second") && seen.contains("exited 0"), "{seen}");
    assert_eq!(seen.matches("· notifications/first").count(), 1, "{seen}");
    assert!(show.wait().unwrap().success());
    tap.wait().unwrap();
}

#[test]
fn without_a_display_the_window_says_what_to_use_instead() {
    let place = Place::new();
    place.sample();
    for words in [&[][..], &["open", "sample"]] {
        let said = place.bad(words);
        assert!(said.contains("midwire list and midwire show do without"), "{said}");
    }
    assert!(place.bad(&["open", "nothing"]).contains("there is no file nothing"));
}

#[test]
fn help_teaches() {
    let place = Place::new();
    let overview = place.good(&["--help"]);
    for word in [
        "call",
        "doctor",
        "tap",
        "open",
        "list",
        "show",
        "export",
        "import",
        "prune",
        "demo",
        "completions",
        "help filter",
    ] {
        assert!(overview.contains(word), "{word}: {overview}");
    }
    assert!(!overview.contains("demo-server") && !overview.contains("conformance-client"), "these are hidden");
    let client = ["call", "tools", "resources", "prompts", "discover", "ping", "listen", "doctor"];
    let others = ["tap", "open", "list", "show", "export", "import", "prune", "demo", "completions"];
    for mode in client.into_iter().chain(others) {
        let help = place.good(&[mode, "--help"]);
        assert!(help.contains("Examples:\n  midwire "), "{mode}: {help}");
        assert_eq!(place.good(&["help", mode]).trim(), help.trim(), "{mode}");
    }
    assert!(place.good(&["help", "filter"]).contains("is:unanswered"));
    assert!(place.good(&["help", "hosts"]).contains("mcp_servers.everything"));
    assert!(place.good(&["help", "client"]).contains("--imitate RECORDING"));
    let codes = place.good(&["help", "exit-codes"]);
    assert!(["\n4    an HTTP response", "\n130  interrupted"].iter().all(|line| codes.contains(line)), "{codes}");
    assert_eq!(place.good(&["help", "exit"]), codes, "as it was called before");
    assert!(place.bad(&["help", "nonsense"]).contains("there is no help on nonsense"));
    assert_eq!(place.good(&["--version"]), format!("midwire {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(place.run(&["shwo"]).status.code(), Some(2), "a slip of the pen");
}

#[test]
fn completions_are_there_for_every_shell() {
    let place = Place::new();
    for (shell, sign) in [
        ("bash", "_midwire()"),
        ("zsh", "#compdef midwire"),
        ("fish", "complete -c midwire"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion"),
    ] {
        let script = place.good(&["completions", shell]);
        assert!(script.contains(sign), "{shell}");
        assert!(script.contains("older-than"), "{shell}");
    }
}
