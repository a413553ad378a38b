//! The official conformance suite with our server under test: every server scenario of both revisions that counts,
//! against `tests/conformance.toml` on HTTP.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use super::peers::Installed;

/// A server that is ended.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Serves the mock of the suite; the URL.
fn serve(recordings: &std::path::Path) -> (Served, String) {
    let mock = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/conformance.toml");
    let mut command = Command::new(env!("CARGO_BIN_EXE_midwire"));
    command.args(["serve", mock, "--http", "127.0.0.1:0", "--recordings"]).arg(recordings);
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
    let (_served, url) = serve(&folder.path().join("r"));
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
