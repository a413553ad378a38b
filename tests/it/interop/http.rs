//! The same over HTTP: real servers that run already, real clients pointed at them directly and through
//! the tap. The client must print the same and exit the same; the recording must hold every request with
//! its answer, read by the era that was spoken.

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use midwire::model::Era;

use super::peers::{Installed, rmcp_peer};
use super::recorded::Recorded;
use super::run::{Conversation, Sandbox};
use super::{MODES, words};
use crate::http::tap::Tap;
use crate::tapped::until;

/// A server that listens until it is dropped.
pub(crate) struct Served {
    child: Child,
    url: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    /// Where clients are pointed at.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// The Rust SDK's, which says itself where it listens.
    pub(crate) fn rust() -> Self {
        Self::rust_as("serve-http")
    }

    /// The one with what takes several requests.
    pub(crate) fn rust_features() -> Self {
        Self::rust_as("serve-features")
    }

    fn rust_as(word: &str) -> Self {
        let mut child = Command::new(rmcp_peer()).arg(word).stdout(Stdio::piped()).spawn().expect("starts");
        let mut url = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut url).expect("its URL");
        Self { child, url: url.trim().to_owned() }
    }

    /// One that is told its port: `PORT` stands for it in the words and in the environment.
    pub(crate) fn at_port(command: &[String], environment: &[(&str, &str)], path: &str) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
        let placed = |word: &str| word.replace("PORT", &port.to_string());
        let mut started = Command::new(&command[0]);
        started.args(command[1..].iter().map(|word| placed(word)));
        started.envs(environment.iter().map(|(name, value)| (name, placed(value))));
        started.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = started.spawn().unwrap_or_else(|error| panic!("{}: {error}", command[0]));
        until("the server listens", || {
            assert_eq!(child.try_wait().expect("a child"), None, "the server runs: {command:?}");
            TcpStream::connect(("127.0.0.1", port)).ok()
        });
        Self { child, url: format!("http://127.0.0.1:{port}{path}") }
    }
}

/// The client talks with the server directly and through a tap; gives what the tap recorded.
fn converse(client: &[String], environment: &[(String, String)], server: &Served) -> (Recorded, String) {
    let (client, environment) = (client.to_vec(), environment.to_vec());
    let conversation = Conversation { client, server: vec![server.url.clone()], environment };
    let tap = Tap::start(&["--url", &server.url]);
    let (direct, tapped) = (conversation.direct(), conversation.with(&[tap.url().to_owned()]));
    direct.assert_same(&tapped);
    assert_eq!(tapped.code, 0, "{}", tapped.output);
    let finished = tap.finish();
    let mut recordings = Recorded::all_in(finished.path.parent().expect("a folder"));
    assert_eq!(recordings.len(), 1);
    let recorded = recordings.remove(0);
    recorded.assert_whole();
    assert!(finished.asked().iter().all(|asked| asked.how().is_some()), "each request has an end");
    (recorded, tapped.output)
}

/// The same with one of the installed clients.
fn installed(client: &[String], server: &Served, peers: &Installed) -> Recorded {
    let sandbox = Sandbox::new();
    converse(client, &peers.environment(&sandbox), server).0
}

#[test]
fn rust_sdk_with_rust_sdk_over_http() {
    let server = Served::rust();
    for (mode, era) in MODES {
        let client = [words(&[&rmcp_peer()]), vec!["client".into(), mode.into(), "http".into()]].concat();
        let (recorded, output) = converse(&client, &[], &server);
        assert!(output.contains("closed after 5 progress"), "{output}");
        recorded.assert_era(era);
        assert_eq!(recorded.asked("elicitation/create"), usize::from(era == Era::Legacy), "{mode}");
        assert_eq!(recorded.rounds("tools/call", "ask"), if era == Era::Modern { 2 } else { 1 }, "{mode}");
        assert_eq!(recorded.progress("tools/call", "count"), 5, "{mode}");
    }
}

/// Every installed client with a server of both eras.
fn both_eras(server: &Served, peers: &Installed) {
    for (mode, era) in MODES {
        installed(&peers.drive_all_http(mode), server, peers).assert_era(era);
        let mode = if mode == "modern" { "2026-07-28" } else { mode };
        installed(&peers.python_client_http(mode), server, peers).assert_era(era);
        installed(&peers.python_peer(&["client", "http", mode]), server, peers).assert_era(era);
    }
    installed(&peers.fastmcp_list(), server, peers);
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn every_client_with_the_rust_server_over_http() {
    both_eras(&Served::rust(), &Installed::find());
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn every_client_with_the_typescript_server_over_http() {
    let peers = Installed::find();
    let command = [peers.typescript_server(), vec!["--http".into(), "PORT".into()]].concat();
    both_eras(&Served::at_port(&command, &[], "/mcp"), &peers);
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn every_client_with_the_python_server_over_http() {
    let peers = Installed::find();
    let command = peers.python_peer(&["serve", "streamable-http", "PORT"]);
    both_eras(&Served::at_port(&command, &[], "/mcp"), &peers);
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn every_client_with_fastmcp_over_http() {
    let peers = Installed::find();
    let server = Served::at_port(&peers.fastmcp_server(), &[], "/mcp");
    both_eras(&server, &peers);
    let call = [peers.fastmcp(), vec!["call".into(), server.url.clone(), "add".into(), "a=1".into(), "b=2".into()]];
    // Its words stand behind the URL, so the URL of the tap is put in by hand.
    let tap = Tap::start(&["--url", &server.url]);
    let tapped: Vec<String> = call.concat().iter().map(|word| word.replace(&server.url, tap.url())).collect();
    let run = |client: Vec<String>| Conversation { client, server: Vec::new(), environment: Vec::new() }.direct();
    run(call.concat()).assert_same(&run(tapped));
    assert!(!tap.finish().trace.exchanges().is_empty());
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn every_client_with_server_everything_over_http() {
    let peers = Installed::find();
    let command = peers.node_server("everything", &["streamableHttp"]);
    let server = Served::at_port(&command, &[("PORT", "PORT")], "/mcp");
    for mode in ["auto", "legacy"] {
        installed(&peers.drive_all_http(mode), &server, &peers).assert_era(Era::Legacy);
        installed(&peers.python_client_http(mode), &server, &peers).assert_era(Era::Legacy);
    }
    let rust = [words(&[&rmcp_peer()]), vec!["client".into(), "legacy".into(), "http".into()]].concat();
    installed(&rust, &server, &peers).assert_era(Era::Legacy);
    installed(&peers.fastmcp_list(), &server, &peers);
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn clients_of_http_sse_with_servers_of_http_sse() {
    let peers = Installed::find();
    let everything = Served::at_port(&peers.node_server("everything", &["sse"]), &[("PORT", "PORT")], "/sse");
    let python = Served::at_port(&peers.python_peer(&["serve", "sse", "PORT"]), &[], "/sse");
    for server in [&everything, &python] {
        let recorded = installed(&peers.python_peer(&["client", "sse", "legacy"]), server, &peers);
        recorded.assert_era(Era::Legacy);
    }
}

#[test]
fn a_server_and_a_client_that_are_killed_leave_their_last_words() {
    let server = Served::rust();
    let tap = Tap::start(&["--url", &server.url]);
    let client = [words(&[&rmcp_peer(), Path::new("client")]), vec!["modern".into(), "http".into(), tap.url().into()]];
    let client = client.concat();
    let mut child = Command::new(&client[0]).args(&client[1..]).stdout(Stdio::null()).spawn().expect("starts");
    tap.shows("they talk", |recorded| (recorded.trace.exchanges().len() > 1).then_some(()));
    let _ = child.kill();
    let _ = child.wait();
    drop(server);
    let asked = tap.shows("all has ended", |recorded| {
        let asked = recorded.asked();
        asked.iter().all(|one| one.how().is_some()).then_some(asked)
    });
    assert!(asked.iter().any(|one| one.complete && !one.said().is_empty()), "{asked:?}");
    assert!(tap.finish().facts.ended.is_some());
}
