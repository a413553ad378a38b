//! Our own client with real servers, in each era that they speak: everything that they offer is listed, tools are
//! called, and what they ask back is answered.

use midwire::engine::client::{Environment, Happening, Trust, Way};
use midwire::model::Era;
use midwire::peer::client::{EraChoice, Kind, Order, Reply, Settings, State, Told};
use midwire::wire::Json;

use super::http::Served;
use super::peers::{Installed, rmcp_peer};
use super::words;
use crate::client::session::Talk;

/// A call, and a part of what it must give.
type Expected<'a> = (&'a str, &'a str);

const BOTH: [(EraChoice, Era); 3] =
    [(EraChoice::Auto, Era::Modern), (EraChoice::Legacy, Era::Legacy), (EraChoice::Modern, Era::Modern)];
const LEGACY: [(EraChoice, Era); 2] = [(EraChoice::Auto, Era::Legacy), (EraChoice::Legacy, Era::Legacy)];

fn command(words: Vec<String>) -> Way {
    Way::Command { command: words, folder: None, environment: Environment::default() }
}

fn url(served: &Served) -> Way {
    Way::Url { url: served.url().to_owned(), headers: Vec::new(), trust: Trust::default() }
}

/// Visits a server in each of these eras.
fn visit(way: &Way, eras: &[(EraChoice, Era)], calls: &[Expected<'_>]) {
    for (choice, era) in eras {
        let settings = Settings {
            era: choice.clone(),
            elicitation: Reply::Result(r#"{"action":"accept","content":{"name":"Ferris","value":"Ferris"}}"#.into()),
            sampling: Reply::Made,
            // Python takes its time to start on a busy machine.
            probe: 60_000_000_000,
            ..Settings::default()
        };
        let mut talk = Talk::with(way.clone(), |options| options.settings = settings);
        let peer = talk.until("it opens", |happening| match happening {
            Happening::Told(Told::State(State::Open(peer))) => Some(peer.clone()),
            Happening::Told(Told::State(State::Closed { why, .. })) => panic!("closed: {why}"),
            _ => None,
        });
        assert_eq!(peer.era, *era, "{choice:?}");
        list_all(&mut talk, peer.capabilities.as_deref().unwrap_or(b"{}"));
        for (params, part) in calls {
            let call = talk.ask("tools/call", params);
            let result = talk.result(call);
            assert!(result.contains(part), "{params}: {result}");
        }
        let unknown = talk.ask("no/such/method", "");
        assert!(!talk.ended(unknown).is_ok());
        talk.end();
    }
}

/// Lists each kind that the server declares; each item must be whole.
fn list_all(talk: &mut Talk, capabilities: &[u8]) {
    let capabilities = Json::parse(capabilities).expect("JSON");
    for (kind, member) in [
        (Kind::Tools, "tools"),
        (Kind::Resources, "resources"),
        (Kind::Templates, "resources"),
        (Kind::Prompts, "prompts"),
    ] {
        if capabilities.get(member).is_none() {
            continue;
        }
        let call = talk.number();
        talk.order(Order::List(call, kind));
        let list = talk.until("a list", |happening| match happening {
            Happening::Told(Told::List(of, list)) if *of == kind => Some(list.clone()),
            _ => None,
        });
        talk.result(call);
        let faults: Vec<_> = list.items.iter().filter(|item| !item.faults.is_empty()).collect();
        assert!(faults.is_empty() && list.stopped.is_none(), "{faults:?}");
    }
}

const RUST: [Expected<'_>; 3] = [
    (r#"{"name":"count","arguments":{"steps":3}}"#, "counted to 3"),
    (r#"{"name":"ask","arguments":{}}"#, r#"hello \"Ferris\""#),
    (r#"{"name":"fail"}"#, "it failed, as told"),
];
const TYPESCRIPT: [Expected<'_>; 2] = [
    (r#"{"name":"add","arguments":{"a":1,"b":2}}"#, r#""sum":3"#),
    (r#"{"name":"slow","arguments":{"steps":2}}"#, "done 2"),
];
const FASTMCP: [Expected<'_>; 3] = [
    (r#"{"name":"add","arguments":{"a":1,"b":2}}"#, "3"),
    (r#"{"name":"slow","arguments":{"n":2}}"#, "done"),
    (r#"{"name":"ask","arguments":{}}"#, ""),
];

#[test]
fn rust_sdk() {
    visit(&command(words(&[&rmcp_peer(), std::path::Path::new("server")])), &BOTH, &RUST);
}

#[test]
fn rust_sdk_over_http() {
    visit(&url(&Served::rust()), &BOTH, &RUST);
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn servers_over_http() {
    let peers = Installed::find();
    let typescript = [peers.typescript_server(), vec!["--http".into(), "PORT".into()]].concat();
    visit(&url(&Served::at_port(&typescript, &[], "/mcp")), &BOTH, &TYPESCRIPT);
    visit(&url(&Served::at_port(&peers.fastmcp_server(), &[], "/mcp")), &BOTH, &FASTMCP);
    let echo = [(r#"{"name":"echo","arguments":{"message":"é"}}"#, "Echo: é")];
    for (words, path) in [("streamableHttp", "/mcp"), ("sse", "/sse")] {
        let command = peers.node_server("everything", &[words]);
        visit(&url(&Served::at_port(&command, &[("PORT", "PORT")], path)), &LEGACY, &echo);
    }
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn servers_of_both_eras() {
    let peers = Installed::find();
    visit(&command(peers.typescript_server()), &BOTH, &TYPESCRIPT);
    let time = [(r#"{"name":"get_current_time","arguments":{"timezone":"UTC"}}"#, "datetime")];
    visit(&command(peers.python_server("time", &[])), &BOTH, &time);
    visit(&command(peers.fastmcp_stdio()), &BOTH, &FASTMCP);
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn servers_of_the_legacy_era() {
    let peers = Installed::find();
    let everything = [
        (r#"{"name":"echo","arguments":{"message":"é"}}"#, "Echo: é"),
        (r#"{"name":"trigger-sampling-request","arguments":{"prompt":"x"}}"#, "midwire"),
        (r#"{"name":"trigger-elicitation-request","arguments":{}}"#, "Ferris"),
        (r#"{"name":"trigger-long-running-operation","arguments":{"duration":1,"steps":2}}"#, "Steps: 2"),
    ];
    visit(&command(peers.node_server("everything", &["stdio"])), &LEGACY, &everything);
    visit(&command(peers.node_server("memory", &[])), &LEGACY, &[(r#"{"name":"read_graph"}"#, "entities")]);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = folder.path().to_str().expect("a path in UTF-8");
    let listed = [(r#"{"name":"list_allowed_directories"}"#, place)];
    visit(&command(peers.node_server("filesystem", &[place])), &LEGACY, &listed);
}
