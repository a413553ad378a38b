//! Files of hosts on a disk of their own: found, read, found again by the name of a server.

use std::fs;
use std::path::{Path, PathBuf};

use super::folders::Here;
use super::{FindError, HostFile, files, find};
use crate::engine::client::Way;
use crate::hosts::{Host, Platform};

struct Disk(tempfile::TempDir);

impl Disk {
    fn with(files: &[(&str, &str)]) -> Self {
        let disk = Self(tempfile::tempdir().expect("a folder"));
        for (name, text) in files {
            let path = disk.path(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        }
        disk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn here(&self) -> Here {
        Here::with(Platform::Linux, self.path("home"), self.path("work"), &|_| None)
    }

    fn list(&self) -> Vec<HostFile> {
        files::all(&self.here())
    }
}

fn servers(name: &str, command: &str) -> String {
    format!(r#"{{"mcpServers":{{"{name}":{{"command":"{command}"}}}}}}"#)
}

#[test]
fn files_of_the_project_come_first_and_those_without_servers_are_left_out() {
    let disk = Disk::with(&[
        ("home/.cursor/mcp.json", &servers("a", "user")),
        ("work/.cursor/mcp.json", &servers("a", "project")),
        ("home/.config/zed/settings.json", "{\"theme\":1}"),
        ("home/.config/Code/User/profiles/x1/mcp.json", r#"{"servers":{"p":{"command":"c"}}}"#),
        ("work/.continue/mcpServers/one.json", r#"{"command":"c"}"#),
        ("work/.continue/mcpServers/note.txt", "no"),
        ("home/.continue/config.yaml", "mcpServers:\n  - name: x\n"),
    ]);
    let found: Vec<(Host, String)> = disk
        .list()
        .iter()
        .map(|file| (file.host, file.servers.first().map_or_else(String::new, |server| server.name.clone())))
        .collect();
    let expected =
        [(Host::Cursor, "a"), (Host::Continue, "one"), (Host::Cursor, "a"), (Host::VsCode, "p"), (Host::Continue, "")];
    assert_eq!(found, expected.map(|(host, name)| (host, name.to_owned())));
    assert!(disk.list()[4].fault.as_ref().is_some_and(|fault| fault.contains("YAML")));
}

#[test]
fn what_cannot_be_read_says_why_and_hides_nothing_else() {
    let disk = Disk::with(&[("home/.cursor/mcp.json", "{ broken"), ("home/.lmstudio/mcp.json", &servers("b", "c"))]);
    fs::create_dir_all(disk.path("home/.kiro/settings/mcp.json")).expect("a folder in a file's place");
    fs::create_dir_all(disk.path("home/.copilot")).expect("a folder");
    fs::write(disk.path("home/.copilot/mcp-config.json"), b"\xff\xfe").expect("written");
    let list = disk.list();
    let faults: Vec<(Host, bool)> = list.iter().map(|file| (file.host, file.fault.is_some())).collect();
    assert_eq!(faults, [(Host::Cursor, true), (Host::LmStudio, false), (Host::Copilot, true), (Host::Kiro, true)]);
    assert!(list[0].fault.as_ref().is_some_and(|fault| fault.starts_with("read ") && fault.contains("line 1")));
}

#[test]
fn a_server_is_found_by_its_name_and_hosts_that_differ_must_be_told_apart() {
    let disk = Disk::with(&[
        ("work/.cursor/mcp.json", &servers("both", "one")),
        ("home/.cursor/mcp.json", &servers("both", "other")),
        ("home/.lmstudio/mcp.json", &servers("both", "one")),
        ("home/.kiro/settings/mcp.json", &servers("differs", "x")),
        (
            "home/.gemini/settings.json",
            r#"{"mcpServers":{"differs":{"command":"y"},"bad":7,"off":{"command":"z"}},"mcp":{"excluded":["off"]}}"#,
        ),
        (
            "home/.claude.json",
            r#"{"mcpServers":{"m":{"command":"user"}},"projects":{"/else":{"mcpServers":{"far":{"command":"f"}}}}}"#,
        ),
    ]);
    let find = |name: &str, host| find::among(&disk.list(), &disk.path("work"), name, host);
    let command = |name: &str, host| {
        let server = find(name, host).expect("found");
        match server.target.expect("usable").way {
            Way::Command { command, .. } => command.join(" "),
            Way::Url { url, .. } => url,
        }
    };
    assert_eq!(command("both", None), "one");
    assert_eq!(command("m", None), "user");
    assert_eq!(command("differs", Some(Host::Kiro)), "x");
    assert!(find("off", None).expect("found").disabled);
    assert!(matches!(find("differs", None), Err(FindError::Several { places, .. }) if places.len() == 2));
    assert!(matches!(find("bad", None), Err(FindError::Unusable { why, .. }) if why.contains("a number")));
    let Err(FindError::None { why, .. }) = find("far", None) else { panic!("it is another project's") };
    assert!(why.contains("both") && !why.contains("far"), "{why}");
}

#[test]
fn what_is_shown_hides_secrets_and_what_is_run_has_them() {
    let text = r#"{"mcpServers":{"s":{"command":"srv","args":["--token","abc"],"env":{"API_KEY":"xyz","MODE":"fast"}},
        "u":{"url":"https://me:pw@x.io/mcp?api_key=1","headers":{"Authorization":"Bearer abc","X-Mode":"fast"}}}}"#;
    let disk = Disk::with(&[("home/.cursor/mcp.json", text)]);
    let list = disk.list();
    let shown: Vec<String> = list[0].servers.iter().map(|one| format!("{} {:?}", one.shown, one.details)).collect();
    assert!(shown[0].contains("srv --token") && shown[0].contains("fast"), "{shown:?}");
    for secret in ["abc", "xyz", "pw", "api_key=1"] {
        assert!(shown.iter().all(|line| !line.contains(secret)), "{secret}: {shown:?}");
    }
    let target = list[0].servers[0].target.as_ref().expect("usable");
    assert!(target.from.as_ref().is_some_and(|from| from.starts_with("Cursor, ")));
    let Way::Command { command, environment, .. } = &target.way else { panic!("a command") };
    assert_eq!(command, &["srv", "--token", "abc"]);
    assert_eq!(environment.set.get("API_KEY").map(String::as_str), Some("xyz"));
}

#[test]
fn variables_of_a_file_that_an_entry_names_are_set_and_not_shown() {
    let text = r#"{"servers":{"s":{"command":"srv","envFile":"${workspaceFolder}/.env","env":{"MODE":"fast"}}}}"#;
    let disk = Disk::with(&[
        ("work/.vscode/mcp.json", text),
        ("work/.env", "# mine\nexport PLACE='hidden away'\nMODE=slow\n"),
    ]);
    let server = &disk.list()[0].servers[0];
    let details: Vec<&str> = server.details.iter().map(|(_, value)| value.as_str()).collect();
    assert_eq!((details[1], server.faults.len()), ("fast", 0));
    assert!(!details[0].contains("hidden away"), "{details:?}");
    let Way::Command { environment, .. } = &server.target.as_ref().expect("usable").way else { panic!("a command") };
    assert_eq!(environment.set.get("PLACE").map(String::as_str), Some("hidden away"));
    assert_eq!(environment.set.get("MODE").map(String::as_str), Some("fast"), "what is set in the entry goes before");
}

#[test]
fn a_file_that_vanishes_was_not_there() {
    let disk = Disk::with(&[]);
    assert!(files::one(&disk.here(), Host::Other, Path::new("/no/such/file.json")).is_none());
    assert!(disk.list().is_empty());
}
