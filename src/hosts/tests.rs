//! The files of hosts, as the hosts themselves write them or their documentation shows them.

use super::{Entry, Host, Surroundings, Way, read};

fn variable(name: &str) -> Option<String> {
    (name == "SET").then(|| "value".to_owned())
}

fn file(path: &str) -> Result<String, String> {
    if path == "/work/.env" { Ok("EXTRA=a${b}\nTOKEN=not this\n".to_owned()) } else { Err("there is none".to_owned()) }
}

fn around<'a>(home: &'a str, workspace: &'a str) -> Surroundings<'a> {
    Surroundings { variable: &variable, home, workspace, separator: '/', file: &file }
}

fn entries(host: Host, text: &str, toml: bool) -> Vec<Entry> {
    let around = around("/home/u", "/work");
    read(host, text, toml, "stem", &around).expect("readable")
}

const FILES: [(Host, &str, &str); 20] = [
    (Host::ClaudeCode, "claude-code.json", include_str!("../../tests/data/hosts/claude-code.json")),
    (Host::ClaudeDesktop, "claude-desktop.json", include_str!("../../tests/data/hosts/claude-desktop.json")),
    (Host::Cursor, "cursor.json", include_str!("../../tests/data/hosts/cursor.json")),
    (Host::VsCode, "vscode.json", include_str!("../../tests/data/hosts/vscode.json")),
    (Host::VsCode, "vscode-settings.json", include_str!("../../tests/data/hosts/vscode-settings.json")),
    (Host::Windsurf, "windsurf.json", include_str!("../../tests/data/hosts/windsurf.json")),
    (Host::CherryStudio, "cherry-studio.json", include_str!("../../tests/data/hosts/cherry-studio.json")),
    (Host::Codex, "codex.toml", include_str!("../../tests/data/hosts/codex.toml")),
    (Host::Gemini, "gemini.json", include_str!("../../tests/data/hosts/gemini.json")),
    (Host::Opencode, "opencode.jsonc", include_str!("../../tests/data/hosts/opencode.jsonc")),
    (Host::Zed, "zed.json", include_str!("../../tests/data/hosts/zed.json")),
    (Host::Cline, "cline.json", include_str!("../../tests/data/hosts/cline.json")),
    (Host::Roo, "roo.json", include_str!("../../tests/data/hosts/roo.json")),
    (Host::LmStudio, "lm-studio.json", include_str!("../../tests/data/hosts/lm-studio.json")),
    (Host::Continue, "continue.json", include_str!("../../tests/data/hosts/continue.json")),
    (Host::Continue, "continue-one.json", include_str!("../../tests/data/hosts/continue-one.json")),
    (Host::Copilot, "copilot.json", include_str!("../../tests/data/hosts/copilot.json")),
    (Host::Kiro, "kiro.json", include_str!("../../tests/data/hosts/kiro.json")),
    (Host::Other, "other.json", include_str!("../../tests/data/hosts/other.json")),
    (Host::Other, "codex.toml", include_str!("../../tests/data/hosts/codex.toml")),
];

/// An entry as lines, with what is not usual about it.
fn lines(entry: &Entry) -> String {
    use std::fmt::Write as _;
    let mut text = format!("  {:?}", entry.name);
    let marks = [
        (entry.disabled, " disabled".to_owned()),
        (entry.tapped, " tapped".to_owned()),
        (entry.project.is_some(), format!(" of {}", entry.project.as_deref().unwrap_or_default())),
    ];
    text.extend(marks.into_iter().filter_map(|(is, mark)| is.then_some(mark)));
    match &entry.way {
        None => text.push_str(": nothing"),
        Some(Way::Command { command, folder, set }) => {
            write!(text, ": {command:?}").expect("a String");
            folder.iter().for_each(|folder| write!(text, " in {folder}").expect("a String"));
            set.iter().for_each(|(name, value)| write!(text, "\n    {name}={value}").expect("a String"));
        }
        Some(Way::Url { url, headers }) => {
            write!(text, ": {url}").expect("a String");
            headers.iter().for_each(|(name, value)| write!(text, "\n    {name}: {value}").expect("a String"));
        }
    }
    entry.hidden.iter().for_each(|name| write!(text, "\n    (hidden {name})").expect("a String"));
    entry.faults.iter().for_each(|fault| write!(text, "\n    ! {fault}").expect("a String"));
    entry.unresolved.iter().for_each(|open| write!(text, "\n    ? {open}").expect("a String"));
    text + "\n"
}

#[test]
fn every_host_is_read() {
    let mut page = String::new();
    for (host, name, text) in FILES {
        page.extend([host.word(), " ", name, "\n"]);
        let toml = std::path::Path::new(name).extension().is_some_and(|ending| ending == "toml");
        entries(host, text, toml).iter().for_each(|entry| page.push_str(&lines(entry)));
    }
    insta::assert_snapshot!(page);
}

#[test]
fn a_file_that_is_none_says_why_and_one_bad_entry_hides_only_itself() {
    let around = around("/", "/");
    for (text, toml, why) in [("[]", false, "a list"), ("{", false, "line 1"), ("a = = 1", true, "line 1")] {
        let error = read(Host::Other, text, toml, "x", &around).expect_err("no file of a host");
        assert!(error.contains(why), "{error}");
    }
    let found = entries(Host::Cursor, r#"{"mcpServers":{"a":7,"b":{"command":"b"},"c":{"command":[]}}}"#, false);
    let usable: Vec<bool> = found.iter().map(|entry| entry.way.is_some()).collect();
    assert_eq!(usable, [false, true, false]);
    assert!(found.iter().all(|entry| entry.way.is_some() == entry.faults.is_empty()));
    assert!(entries(Host::Zed, "{\"theme\": 1}", false).is_empty());
    assert_eq!(entries(Host::Other, "{}", false), []);
    let found = entries(Host::VsCode, r#"{"servers":{"a":{"command":"a","envFile":"no.env"}}}"#, false);
    assert!(found[0].way.is_some() && found[0].faults[0].contains("envFile no.env cannot be read"), "{found:?}");
}

#[test]
fn a_file_with_more_servers_than_anybody_has_is_cut() {
    let many: Vec<String> = (0..5_000).map(|n| format!("\"{n}\":{{\"command\":\"c\"}}")).collect();
    assert_eq!(entries(Host::Cursor, &format!("{{\"mcpServers\":{{{}}}}}", many.join(",")), false).len(), 2_000);
}

proptest::proptest! {
    #[test]
    fn nothing_panics(text in "[\\[\\]{}\":,a-z$=\n ]{0,60}", toml: bool) {
        let around = around("/", "/");
        for (host, _, _) in Host::ALL {
            let _ = read(host, &text, toml, "x", &around);
            let _ = read(host, &format!("{{\"mcpServers\":{{\"x\":{{\"command\":\"{text}\"}}}}}}"), false, "x", &around);
        }
    }
}
