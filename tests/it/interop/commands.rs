//! The client's commands with servers that nobody here wrote, on every transport and in the eras that each speaks.

use std::process::Command;

use super::http::Served;
use super::peers::Installed;

/// Runs midwire; what it printed and its exit code.
fn midwire(words: &[&str], behind: &[String]) -> (String, i32) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_midwire"));
    command.args(words).args(["--recordings"]).arg(folder.path()).args(behind);
    let output = command.output().expect("midwire runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    (said, output.status.code().unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr))))
}

fn behind(command: &[String]) -> Vec<String> {
    ["--".to_owned()].into_iter().chain(command.iter().cloned()).collect()
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn commands_with_the_python_sdk_over_http() {
    let peers = Installed::find();
    let new = Served::at_port(&peers.python_peer(&["serve", "streamable-http", "PORT"]), &[], "/mcp");
    let old = Served::at_port(&peers.python_peer(&["serve", "sse", "PORT"]), &[], "/sse");
    for (served, era) in [(&new, "legacy"), (&new, "modern"), (&old, "legacy"), (&old, "auto")] {
        let run = |words: &[&str]| {
            let words: Vec<&str> = [&words[..1], &[served.url()], &words[1..], &["--era", era]].concat();
            midwire(&words, &[])
        };
        let (said, code) = run(&["call", "count", "steps=3", "--envelope"]);
        assert_eq!(code, 0, "{era} {}: {said}", served.url());
        assert!(said.contains(r#""progress":3"#) && said.contains("counted to 3"), "{said}");
        let (said, code) = run(&["call", "fail"]);
        assert_eq!(code, 1, "{said}");
        let (said, code) = run(&["tools"]);
        assert!(code == 0 && said.contains(r#""name":"echo""#), "{said}");
        let (said, code) = run(&["ping"]);
        assert_eq!(code, 0, "{said}");
    }
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn commands_with_servers_on_stdio() {
    let peers = Installed::find();
    let time = behind(&peers.python_server("time", &[]));
    for era in ["legacy", "modern"] {
        let (said, code) = midwire(&["call", "get_current_time", "timezone=UTC", "--era", era], &time);
        assert!(code == 0 && said.contains("UTC"), "{era}: {said}");
    }
    let everything = behind(&peers.node_server("everything", &["stdio"]));
    let (said, code) = midwire(&["call", "get-sum", "a=2", "b=40"], &everything);
    assert!(code == 0 && said.contains("is 42"), "{said}");
    let sampling = ["call", "trigger-sampling-request", "prompt=hi", "maxTokens=9", "--answer", "sampling=made"];
    let (said, code) = midwire(&sampling, &everything);
    assert!(code == 0 && said.contains("LLM sampling result"), "{said}");
    let (said, code) = midwire(&["call", "trigger-elicitation-request", "--answer", "elicitation=made"], &everything);
    assert!(code == 0 && said.contains("Favorite Integer"), "{said}");
    let read = ["resources", "read", "demo://resource/dynamic/text/{resourceId}", "--var", "resourceId=7"];
    let (said, code) = midwire(&read, &everything);
    assert!(code == 0 && said.contains("Resource 7"), "{said}");
    let (said, code) = midwire(&["prompts", "complete", "completable-prompt", "department=E"], &everything);
    assert!(code == 0 && said.contains("Engineering"), "{said}");
    let (said, code) = midwire(&["call", "simulate-research-query", "topic=x", "--task=60000"], &everything);
    assert!(code == 0 && said.contains("Research Report"), "{said}");
}
