//! Runs of saved calls over connections that are only told of, with what must not be hit.

use std::path::Path;
use std::sync::Arc;

use super::{ChainRun, State};
use crate::engine::client::{Target, Trust, Way};
use crate::engine::project::kept_target;
use crate::engine::view::{ClientCommand, ClientEvent, ConnectionId};
use crate::model::{Era, Revision};
use crate::peer::client::{CallId, Order, Outcome, Peer, Reply, Settings, Told};
use crate::project::{Chain, Project, SavedAnswer, SavedCall, SavedTarget, What};
use crate::ui::client::Bench;

fn saved(target: Option<&str>, tool: &str) -> (String, SavedCall) {
    let call = SavedCall { target: target.map(ToOwned::to_owned), ..SavedCall::of(What::Tool(tool.to_owned())) };
    (tool.to_owned(), call)
}

fn at(name: &str, token: &str) -> Target {
    let headers = vec![("Authorization".to_owned(), format!("Bearer ${{{token}}}"))];
    let way = Way::Url { url: format!("http://{name}.test/mcp"), headers, trust: Trust::default() };
    Target { way, ..Target::default() }
}

/// A file with the servers `one` and `two` and a chain `all` of these calls.
fn project(calls: Vec<(String, SavedCall)>) -> Project {
    let target =
        |name: &str| (name.to_owned(), SavedTarget { way: kept_target(&at(name, "A")).0, ..SavedTarget::default() });
    let names = calls.iter().map(|(name, _)| name.clone()).collect();
    Project {
        targets: vec![target("one"), target("two")],
        calls,
        chains: vec![("all".to_owned(), Chain { calls: names, ..Chain::default() })],
        ..Project::default()
    }
}

fn open(bench: &mut Bench, target: Target) -> ConnectionId {
    let id = bench.connect(target, Settings::default(), 1);
    let peer = Peer {
        era: Era::Legacy,
        revision: Revision::V2025_11_25,
        identity: None,
        capabilities: None,
        instructions: None,
        supported: Vec::new(),
        greeting: None,
    };
    bench.get_mut(id).expect("it was made").state = crate::peer::client::State::Open(Arc::new(peer));
    id
}

fn begin(bench: &mut Bench, project: &Project, shown: ConnectionId) {
    bench.servers.read(Path::new("/a/b.midwire.toml"), &project.targets);
    bench.commands();
    bench.run = Some(ChainRun::new(project, bench, "all", shown).expect("the chain is there"));
    bench.go_on(1);
}

/// The only call that was sent since.
fn sent(bench: &mut Bench) -> (ConnectionId, CallId, String) {
    match &bench.commands()[..] {
        [ClientCommand::Order(id, order)] => match &**order {
            Order::Call(call, what) => {
                let params = what.params.clone().unwrap_or_default();
                (*id, *call, String::from_utf8_lossy(&params).into_owned())
            }
            other => panic!("no call: {other:?}"),
        },
        other => panic!("one command is expected: {other:?}"),
    }
}

fn ends(bench: &mut Bench, id: ConnectionId, call: CallId, result: &str) {
    let outcome = Outcome::Result(result.as_bytes().to_vec().into());
    bench.absorb(ClientEvent::Told(id, Box::new(Told::Ended { call, outcome, took: 1 })), 2);
}

fn state(bench: &Bench, index: usize) -> &State {
    &bench.run.as_ref().expect("a run").steps[index].state
}

#[test]
fn it_goes_on_with_each_event_over_the_right_server_and_sends_what_was_picked() {
    let mut calls = vec![saved(Some("one"), "a"), saved(Some("two"), "b")];
    calls[0].1.picks = vec![("id".to_owned(), "/n".to_owned())];
    calls[1].1.arguments = Some(r#"{"x":"{{id}}"}"#.to_owned());
    let project = project(calls);
    let mut bench = Bench::default();
    let (one, two) = (open(&mut bench, at("one", "A")), open(&mut bench, at("two", "A")));
    begin(&mut bench, &project, two);
    let (over, call, _) = sent(&mut bench);
    assert_eq!(over, one, "not over the one that is shown");
    assert!(bench.is_busy());
    ends(&mut bench, one, call, r#"{"n":1.50}"#);
    let (over, _, params) = sent(&mut bench);
    assert_eq!((over, params.as_str()), (two, r#"{"name":"b","arguments":{"x":1.50}}"#));
}

#[test]
fn the_same_server_under_other_credentials_is_not_hit() {
    let project = project(vec![saved(Some("one"), "delete_all")]);
    let mut bench = Bench::default();
    let (other, two) = (open(&mut bench, at("one", "B")), open(&mut bench, at("two", "A")));
    for shown in [other, two] {
        begin(&mut bench, &project, shown);
        assert!(bench.commands().is_empty(), "nothing is sent");
        assert!(matches!(state(&bench, 0), State::Failed(why) if why.contains("no connection to `one`")));
        assert!(!bench.is_in_run());
    }
}

#[test]
fn a_call_without_a_server_goes_over_the_connection_that_was_shown_and_over_no_other() {
    let project = project(vec![saved(None, "a"), saved(None, "b")]);
    let mut bench = Bench::default();
    let (one, two) = (open(&mut bench, at("one", "A")), open(&mut bench, at("two", "A")));
    begin(&mut bench, &project, one);
    let (over, call, _) = sent(&mut bench);
    assert_eq!(over, one);
    bench.current = Some(two);
    ends(&mut bench, one, call, "{}");
    let (over, call, _) = sent(&mut bench);
    assert_eq!(over, one, "whatever is shown meanwhile");
    bench.absorb(ClientEvent::Failed(one, "gone".to_owned()), 3);
    assert!(matches!(state(&bench, 1), State::Failed(_)), "{call} is lost");
    begin(&mut bench, &project, one);
    assert!(bench.commands().is_empty(), "another connection does not take its place");
    assert!(matches!(state(&bench, 0), State::Failed(why) if why.contains("not open")));
    assert_eq!(*state(&bench, 1), State::Waiting);
}

#[test]
fn a_server_keeps_its_connection_for_the_whole_run() {
    let project = project(vec![saved(Some("one"), "a"), saved(Some("two"), "b"), saved(Some("one"), "c")]);
    let mut bench = Bench::default();
    let (first, second) = (open(&mut bench, at("one", "A")), open(&mut bench, at("one", "A")));
    let two = open(&mut bench, at("two", "A"));
    begin(&mut bench, &project, second);
    let (over, call, _) = sent(&mut bench);
    assert_eq!(over, second, "of two that are right the one that is shown");
    ends(&mut bench, second, call, "{}");
    let (over, call, _) = sent(&mut bench);
    assert_eq!(over, two);
    bench.absorb(ClientEvent::Failed(second, "gone".to_owned()), 3);
    ends(&mut bench, two, call, "{}");
    assert!(bench.commands().is_empty(), "its state was in the connection that is gone, not in {first}");
    assert!(matches!(state(&bench, 2), State::Failed(_)));
}

#[test]
fn what_is_not_there_cannot_be_run() {
    let project = project(vec![saved(None, "a")]);
    let bench = Bench::default();
    assert!(ChainRun::new(&project, &bench, "nothing", 1).is_err());
}

#[test]
fn saved_answers_are_asked_of_us_while_the_call_runs_and_not_after() {
    let mut calls = vec![saved(Some("one"), "a")];
    calls[0].1.answers = vec!["yes".to_owned()];
    let answer = SavedAnswer { to: "elicitation/create".to_owned(), result: "{\"action\":\"accept\"}".to_owned() };
    let project = Project { answers: vec![("yes".to_owned(), answer)], ..project(calls) };
    for asks in [false, true] {
        let mut bench = Bench::default();
        let one = open(&mut bench, at("one", "A"));
        bench.asks = asks;
        let settings = Settings { elicitation: Reply::Decline, ..Settings::default() };
        bench.get_mut(one).expect("a connection").settings = Arc::new(settings);
        begin(&mut bench, &project, one);
        let orders = orders(&mut bench);
        let asked = orders.iter().any(|it| matches!(it, Order::Change(it) if it.elicitation == Reply::Ask));
        assert_eq!(asked, !asks);
        let Some(Order::Call(call, _)) = orders.last() else { panic!("a call: {orders:?}") };
        ends(&mut bench, one, *call, "{}");
        let after = self::orders(&mut bench);
        let back = after.iter().any(|it| matches!(it, Order::Change(it) if it.elicitation == Reply::Decline));
        assert_eq!(back, !asks, "{after:?}");
    }
}

fn orders(bench: &mut Bench) -> Vec<Order> {
    let commands = bench.commands().into_iter();
    commands.filter_map(|it| if let ClientCommand::Order(_, order) = it { Some(*order) } else { None }).collect()
}
