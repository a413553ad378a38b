//! The official conformance suite with our client under test: every scored scenario without authorization, of both
//! revisions, each at its revision's wire.

use std::process::Command;

use super::peers::Installed;

/// The scenarios by revision. Each is run alone, so that none runs out of time on a busy machine.
const SCENARIOS: [(&str, &[&str]); 2] = [
    (
        "2025-11-25",
        &[
            "initialize",
            "tools_call",
            "elicitation-sep1034-client-defaults",
            "sse-retry",
            "json-schema-2020-12-preservation",
        ],
    ),
    (
        "2026-07-28",
        &[
            "tools_call",
            "request-metadata",
            "sep-2322-client-request-state",
            "http-standard-headers",
            "http-custom-headers",
            "http-invalid-tool-headers",
            "json-schema-ref-no-deref",
            "json-schema-2020-12-preservation",
        ],
    ),
];

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn the_client_passes_every_scenario_without_authorization() {
    let suite = Installed::find().conformance();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let recordings = folder.path().join("r");
    let client = format!("{} conformance-client --recordings {}", env!("CARGO_BIN_EXE_midwire"), recordings.display());
    let mut failed = Vec::new();
    for (revision, scenarios) in SCENARIOS {
        for scenario in scenarios {
            let mut command = Command::new(&suite[0]);
            command.args(&suite[1..]).args(["client", "--command", &client, "--scenario", scenario]);
            command.args(["--spec-version", revision, "--timeout", "120000", "-o"]).arg(folder.path().join("out"));
            let output = command.output().expect("the suite runs");
            let said = [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).concat();
            let sum = said.lines().find(|line| line.contains("Passed:")).unwrap_or("no sum");
            println!("{revision} {scenario}: {sum}");
            if !output.status.success() {
                failed.push(format!("{revision} {scenario}: {said}"));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}
