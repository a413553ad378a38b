//! Our server under test: by the official conformance suite (every server scenario of both revisions that counts,
//! against `tests/conformance.toml` on HTTP), and by the clients of three SDKs in each era, on stdio and on HTTP.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::peers::Installed;
use super::run::Sandbox;

/// A server that is ended.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The mock file of the suite.
const MOCK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/conformance.toml");

/// Serves a mock file or a recording; the URL.
fn serve(source: &str, recordings: &Path) -> (Served, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_midwire"));
    command.args(["serve", source, "--pace", "none", "--http", "127.0.0.1:0", "--recordings"]).arg(recordings);
    let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().expect("midwire starts");
    let mut said = BufReader::new(child.stderr.take().expect("it is piped"));
    let served = Served(child);
    let url = loop {
        let mut line = String::new();
        assert!(said.read_line(&mut line).expect("it is text") > 0, "it ended before it listened");
        if let Some(at) = line.find("http://") {
            break line[at..].split_whitespace().next().unwrap_or_default().to_owned();
        }
    };
    // What it says further is of no interest, but it must not wait for a reader.
    let reads = std::thread::Builder::new().name("stderr".to_owned());
    reads.spawn(move || std::io::copy(&mut said, &mut std::io::sink())).expect("a thread");
    (served, url)
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn the_server_passes_every_scored_scenario_of_both_revisions() {
    let suite = Installed::find().conformance();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (_served, url) = serve(MOCK, &folder.path().join("r"));
    for (revision, scored) in [("2025-11-25", 30), ("2026-07-28", 37)] {
        let mut command = Command::new(&suite[0]);
        command.args(&suite[1..]).args(["server", "--url", &url, "--requirements", revision, "-o"]);
        let output = command.arg(folder.path().join("out")).output().expect("the suite runs");
        let said = [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).concat();
        let scenarios: Vec<&str> = said.lines().filter(|line| line.starts_with(['✓', '✗'])).collect();
        assert!(output.status.success(), "{revision}: {}", scenarios.join("\n"));
        let passed = scenarios.iter().filter(|line| line.starts_with('✓')).count();
        assert!(passed >= scored, "{revision}: {passed} of {scored}");
    }
}

/// What a client prints; it must exit in order.
fn printed(words: &[String], environment: &[(String, String)]) -> String {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).envs(environment.iter().map(|(name, value)| (name, value))).stdin(Stdio::null());
    let output = command.output().expect("the client starts");
    let said = [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).concat();
    assert!(output.status.success(), "{words:?}\n{said}");
    said
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn the_clients_of_three_sdks_are_served_in_each_era_on_stdio_and_on_http() {
    let peers = Installed::find();
    let recording = |name: &str| format!("{}/recordings/{name}.midwire", env!("CARGO_MANIFEST_DIR"));
    // A recording is served in the era of who asks, whichever it was made in.
    let sources = [
        (MOCK.to_owned(), "test_simple_text"),
        (recording("demo-legacy"), "find_parcels"),
        (recording("demo-modern"), "find_parcels"),
    ];
    for (source, tool) in &sources {
        let sandbox = Sandbox::new();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let recordings = folder.path().join("r");
        let (_served, url) = serve(source, &recordings);
        let environment = peers.environment(&sandbox);
        let midwire = [env!("CARGO_BIN_EXE_midwire"), "serve", source, "--pace", "none", "--quiet", "--recordings"];
        let midwire = [midwire.map(str::to_owned).to_vec(), vec![recordings.display().to_string()]].concat();
        for (mode, pinned, revision) in
            [("auto", "auto", "2026-07-28"), ("legacy", "legacy", "2025-11-25"), ("modern", "2026-07-28", "2026-07-28")]
        {
            let http = |client: Vec<String>, words: &[&str]| {
                [client, words.iter().map(|&word| word.to_owned()).collect()].concat()
            };
            let python = [
                [peers.python_client(pinned), midwire.clone()].concat(),
                http(peers.python_client_http(pinned), &[&url]),
            ];
            for words in python {
                let said = printed(&words, &environment);
                assert!(said.contains(&format!("protocol {revision}")) && said.contains(tool), "{words:?}\n{said}");
            }
            let rust =
                [[peers.rust_client(mode), midwire.clone()].concat(), http(peers.rust_client(mode), &["http", &url])];
            for words in rust {
                let said = printed(&words, &[]);
                assert!(said.contains(&format!("negotiated {revision}")) && said.contains(tool), "{words:?}\n{said}");
            }
            let typescript =
                [[peers.drive_all(mode), midwire.clone()].concat(), http(peers.drive_all_http(mode), &[&url])];
            for words in typescript {
                let said = printed(&words, &environment);
                let fine = said.lines().filter(|line| line.starts_with("ok")).count();
                assert!(fine >= 4 && said.contains("closed"), "{words:?}\n{said}");
            }
        }
    }
}
