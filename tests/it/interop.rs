//! Real clients and real servers with the tap between them, in both eras where they speak them. Each
//! pair converses twice, directly and through the tap: the client must print the same and exit the same.
//! Then the recording must hold what two independent recorders saw on either side of the tap, byte for
//! byte, and every request of the client must have found its answer.
//!
//! Nobody here wrote these peers. Those of the registries are put in place by `shared/peers/setup.sh`;
//! the Rust SDK's are `tests/peers/rmcp.rs` and always there.

#[cfg(target_os = "linux")]
mod bridge;
#[cfg(target_os = "linux")]
mod client;
mod commands;
mod conformance;
pub(crate) mod http;
pub(crate) mod peers;
mod recorded;
mod run;
mod serving;
mod witness;

use std::path::Path;

use midwire::model::Era;

use peers::{Installed, rmcp_peer};
use recorded::Recorded;
use run::{Conversation, Sandbox};

/// What a client says that it prefers, in the words of the drivers, and the era that a server of both
/// eras then speaks with it.
const MODES: [(&str, Era); 3] = [("auto", Era::Modern), ("legacy", Era::Legacy), ("modern", Era::Modern)];

#[test]
fn rust_sdk_with_rust_sdk() {
    let peer = rmcp_peer();
    for (mode, era) in MODES {
        let sandbox = Sandbox::new();
        let conversation = Conversation {
            client: words(&[&peer, Path::new("client"), Path::new(mode)]),
            server: words(&[&peer, Path::new("server")]),
            environment: Vec::new(),
        };
        let (direct, tapped) = (conversation.direct(), conversation.through_the_tap(&sandbox));
        direct.assert_same(&tapped);
        assert!(direct.output.contains("closed after 5 progress"), "{}", direct.output);
        let recordings = Recorded::all_in(&sandbox.recordings());
        assert_eq!(recordings.len(), 1, "{mode}: one process, one recording");
        recordings[0].assert_whole().assert_era(era);
        // The era decides how the server asks the user: by a request of its own, or by a second round.
        assert_eq!(recordings[0].asked("elicitation/create"), usize::from(era == Era::Legacy), "{mode}");
        assert_eq!(recordings[0].rounds("tools/call", "ask"), if era == Era::Modern { 2 } else { 1 }, "{mode}");
        assert_eq!(recordings[0].progress("tools/call", "count"), 5, "{mode}");
        assert_eq!(recordings[0].stderr(), "rmcp-peer: serving on stdio\n");
    }
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn python_sdk_client_with_python_servers() {
    let peers = Installed::find();
    for mode in ["auto", "legacy", "2026-07-28"] {
        let era = if mode == "legacy" { Era::Legacy } else { Era::Modern };
        converse(&peers.python_client(mode), &peers.python_server("time", &[]), &peers).assert_era(era);
        converse(&peers.python_client(mode), &peers.python_server("git", &["-r", "REPOSITORY"]), &peers)
            .assert_era(era);
    }
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn rust_sdk_with_python_servers() {
    let peers = Installed::find();
    // Not auto: the client gives a probe ten seconds, and Python takes longer to start on a busy machine.
    for (mode, era) in [("legacy", Era::Legacy), ("modern", Era::Modern)] {
        converse(&peers.rust_client(mode), &peers.python_server("time", &[]), &peers).assert_era(era);
    }
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn both_sdk_clients_with_the_rust_server() {
    let peers = Installed::find();
    let server = words(&[&rmcp_peer(), Path::new("server")]);
    for (mode, era) in MODES {
        converse(&peers.drive_all(mode), &server, &peers).assert_era(era);
        let mode = if mode == "modern" { "2026-07-28" } else { mode };
        converse(&peers.python_client(mode), &server, &peers).assert_era(era);
    }
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn typescript_sdk_with_itself() {
    let peers = Installed::find();
    for (mode, era) in MODES {
        converse(&peers.drive_all(mode), &peers.typescript_server(), &peers).assert_era(era);
    }
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn typescript_sdk_with_server_filesystem() {
    let peers = Installed::find();
    for mode in ["auto", "legacy"] {
        converse(&peers.drive_all(mode), &peers.node_server("filesystem", &["SANDBOX"]), &peers)
            .assert_era(Era::Legacy);
    }
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn typescript_sdk_with_server_everything() {
    let peers = Installed::find();
    for mode in ["auto", "legacy"] {
        let seen = converse(&peers.drive_all(mode), &peers.node_server("everything", &["stdio"]), &peers);
        seen.assert_era(Era::Legacy);
        assert!(seen.last().asked("sampling/createMessage") > 0, "the server asked for sampling");
        assert!(seen.last().asked("roots/list") > 0, "the server asked for roots");
    }
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn a_pin_that_the_server_refuses_fails_alike() {
    let peers = Installed::find();
    let seen = converse(&peers.drive_all("modern"), &peers.node_server("everything", &["stdio"]), &peers);
    assert_ne!(seen.code, 0, "the client gives up");
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn a_picture_and_a_file_of_megabytes() {
    let peers = Installed::find();
    let picture = r#"[["get-tiny-image",{}]]"#;
    let seen = converse(&peers.calls("legacy", picture), &peers.node_server("everything", &["stdio"]), &peers);
    assert!(seen.output.contains("get-tiny-image"), "{}", seen.output);
    let file = r#"[["read_text_file",{"path":"SANDBOX/big.txt"}],["read_media_file",{"path":"SANDBOX/big.txt"}]]"#;
    let seen = converse(&peers.calls("legacy", file), &peers.node_server("filesystem", &["SANDBOX"]), &peers);
    assert!(seen.last().largest() > 6_000_000, "the file came over the wire, twice in one line");
}

/// Lets the two converse directly and through the tap between two witnesses, each time in a sandbox of
/// its own, and checks what every such conversation must show.
fn converse(client: &[String], server: &[String], peers: &Installed) -> Seen {
    let (plain, sandbox) = (Sandbox::new(), Sandbox::new());
    let direct = Conversation::in_sandbox(client, server, &plain, peers).direct();
    let tapped = Conversation::in_sandbox(client, server, &sandbox, peers).between_witnesses(&sandbox, peers);
    direct.assert_same(&tapped);
    let recordings = Recorded::all_in(&sandbox.recordings());
    let (outer, inner) = (witness::read(&sandbox.outer()), witness::read(&sandbox.inner()));
    assert_eq!(recordings.len(), inner.len(), "one recording for each process that the client started");
    assert_eq!(outer.len(), inner.len(), "as many servers as taps were started");
    for ((recording, outer), inner) in recordings.iter().zip(&outer).zip(&inner) {
        outer.assert_same(inner);
        recording.assert_holds(inner);
        recording.assert_whole();
    }
    Seen { recordings, output: tapped.output, code: tapped.code }
}

/// What a conversation left behind.
struct Seen {
    recordings: Vec<Recorded>,
    output: String,
    code: i32,
}

impl Seen {
    /// The recording of the process that the client in the end talked to.
    fn last(&self) -> &Recorded {
        self.recordings.last().expect("at least one process was started")
    }

    fn assert_era(&self, era: Era) {
        assert_eq!(self.code, 0, "{}", self.output);
        self.last().assert_era(era);
    }
}

fn words(parts: &[&Path]) -> Vec<String> {
    parts.iter().map(|part| part.to_str().expect("a path in UTF-8").to_owned()).collect()
}
