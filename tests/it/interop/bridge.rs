//! Real clients on stdio with real servers on HTTP, the bridge between them. The client must print the same
//! and exit the same as when it speaks HTTP with the server itself.

use midwire::model::Era;

use super::http::Served;
use super::peers::{Installed, rmcp_peer};
use super::recorded::Recorded;
use super::run::{Conversation, Sandbox};
use super::{MODES, words};

type Environment = [(String, String)];

/// The client talks with the server over HTTP and by the bridge; gives the recording of the last bridge that
/// it started.
fn converse(over_http: &[String], on_stdio: &[String], environment: &Environment, server: &Served) -> Recorded {
    let talk = |client: &[String], server: Vec<String>| {
        Conversation { client: client.to_vec(), server, environment: environment.to_vec() }.direct()
    };
    let sandbox = Sandbox::new();
    let recordings = sandbox.recordings();
    let bridge = [env!("CARGO_BIN_EXE_midwire"), "tap", "--stdio", "--url", server.url(), "--recordings"];
    let mut bridge = bridge.map(str::to_owned).to_vec();
    bridge.extend(words(&[&recordings]));
    let direct = talk(over_http, vec![server.url().to_owned()]);
    let bridged = talk(on_stdio, bridge);
    direct.assert_same(&bridged);
    assert_eq!(bridged.code, 0, "{}", bridged.output);
    let mut recordings = Recorded::all_in(&recordings);
    recordings.pop().expect("a recording")
}

#[test]
fn rust_sdk_by_the_bridge() {
    let server = Served::rust();
    for (mode, era) in MODES {
        let on_stdio = [words(&[&rmcp_peer()]), vec!["client".into(), mode.into()]].concat();
        let over_http = [on_stdio.clone(), vec!["http".into()]].concat();
        let recorded = converse(&over_http, &on_stdio, &[], &server);
        recorded.assert_era(era);
        assert_eq!(recorded.asked("elicitation/create"), usize::from(era == Era::Legacy), "{mode}");
        assert_eq!(recorded.rounds("tools/call", "ask"), if era == Era::Modern { 2 } else { 1 }, "{mode}");
        assert_eq!(recorded.progress("tools/call", "count"), 5, "{mode}");
    }
}

/// Both installed clients with a server of both eras.
fn both_eras(server: &Served, peers: &Installed, typescript: bool) {
    for (mode, era) in MODES {
        let sandbox = Sandbox::new();
        let environment = peers.environment(&sandbox);
        if typescript {
            converse(&peers.drive_all_http(mode), &peers.drive_all(mode), &environment, server).assert_era(era);
        }
        let mode = if mode == "modern" { "2026-07-28" } else { mode };
        converse(&peers.python_client_http(mode), &peers.python_client(mode), &environment, server).assert_era(era);
    }
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn typescript_server_by_the_bridge() {
    let peers = Installed::find();
    let command = [peers.typescript_server(), vec!["--http".into(), "PORT".into()]].concat();
    both_eras(&Served::at_port(&command, &[], "/mcp"), &peers, true);
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn fastmcp_by_the_bridge() {
    let peers = Installed::find();
    // The TypeScript client words a refused listen by its transport, so its output differs there.
    both_eras(&Served::at_port(&peers.fastmcp_server(), &[], "/mcp"), &peers, false);
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn python_server_by_the_bridge() {
    let peers = Installed::find();
    let command = peers.python_peer(&["serve", "streamable-http", "PORT"]);
    both_eras(&Served::at_port(&command, &[], "/mcp"), &peers, false);
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn server_everything_by_the_bridge_on_both_transports() {
    let peers = Installed::find();
    let served =
        |mode: &str, path| Served::at_port(&peers.node_server("everything", &[mode]), &[("PORT", "PORT")], path);
    let (new, old) = (served("streamableHttp", "/mcp"), served("sse", "/sse"));
    let sandbox = Sandbox::new();
    let environment = peers.environment(&sandbox);
    for mode in ["auto", "legacy"] {
        let over_http = peers.python_client_http(mode);
        let recorded = converse(&over_http, &peers.python_client(mode), &environment, &new);
        recorded.assert_era(Era::Legacy);
    }
    // The client does not speak the old transport itself; it must see what it sees on stdio.
    let bridge = [env!("CARGO_BIN_EXE_midwire"), "tap", "--stdio", "--url", old.url(), "--recordings"];
    let mut bridge = bridge.map(str::to_owned).to_vec();
    bridge.extend(words(&[&sandbox.recordings()]));
    let talk =
        |server| Conversation { client: peers.python_client("legacy"), server, environment: Vec::new() }.direct();
    talk(peers.node_server("everything", &["stdio"])).assert_same(&talk(bridge));
    let recordings = Recorded::all_in(&sandbox.recordings());
    recordings.last().expect("a recording").assert_era(Era::Legacy);
}
