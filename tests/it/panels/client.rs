//! The Client page over a stand-in for the engine: connecting, lists, calls, results, and that nothing large stops it.

use std::sync::Arc;

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use midwire::engine::client::{Target, Way};
use midwire::engine::view::{Body, ClientCommand, ClientEvent, Command, Event, pieces};
use midwire::model::{Era, Id, Revision};
use midwire::peer::client::{Attempt, Gist, Item, Items, Kind, List, Order, Outcome, Peer, State, Told};
use midwire::ui::app::App;

use super::stage::{Sent, Stage};
use super::{asked, window};

/// What the stand-in's server has, and how it answers each call.
pub(super) struct Server {
    tools: Arc<List>,
    answer: fn(&str) -> Outcome,
    fails: bool,
}

impl Server {
    pub(super) fn of(tools: Vec<Item>, answer: fn(&str) -> Outcome) -> Self {
        Self { tools: Arc::new(list(tools)), answer, fails: false }
    }

    /// What a command is answered with.
    pub(super) fn answer(&self, command: &ClientCommand) -> Vec<Event> {
        let events = match command {
            ClientCommand::Connect(id, ..) if self.fails => vec![
                ClientEvent::Started(*id, None),
                ClientEvent::Told(*id, Box::new(Told::Attempt(attempt(false)))),
                ClientEvent::Failed(*id, "the command `nope` was not found; install it or give its path".to_owned()),
            ],
            ClientCommand::Connect(id, ..) => vec![
                ClientEvent::Started(*id, Some("/tmp/client-everything.midwire".into())),
                ClientEvent::Told(*id, Box::new(Told::Attempt(attempt(true)))),
                ClientEvent::Told(*id, Box::new(Told::State(State::Open(Arc::new(peer()))))),
            ],
            ClientCommand::Order(id, order) => self.order(*id, order),
            _ => Vec::new(),
        };
        events.into_iter().map(Event::Client).collect()
    }

    fn order(&self, id: u32, order: &Order) -> Vec<ClientEvent> {
        let told = |told| ClientEvent::Told(id, Box::new(told));
        match order {
            Order::List(call, Kind::Tools) => vec![
                told(Told::List(Kind::Tools, Arc::clone(&self.tools))),
                told(Told::Ended { call: *call, outcome: Outcome::Result((*b"{}").into()), took: 1 }),
            ],
            Order::Call(call, request) => {
                let params = String::from_utf8_lossy(request.params.as_deref().unwrap_or_default()).into_owned();
                let message = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{params}}}"#);
                let sent = Told::Sent {
                    call: *call,
                    round: 1,
                    id: Id::Number("7".into()),
                    message: message.as_bytes().into(),
                };
                let outcome = (self.answer)(&params);
                let mut events = vec![told(sent)];
                events.push(told(Told::Progress {
                    call: *call,
                    progress: "1".to_owned(),
                    total: Some("4".to_owned()),
                    message: Some("looking".to_owned()),
                }));
                if matches!(&outcome, Outcome::Lost(why) if why == "never") {
                    return events;
                }
                events.push(told(Told::Ended { call: *call, outcome: outcome.clone(), took: 12_000_000 }));
                if let Outcome::Result(bytes) | Outcome::Error(bytes) = &outcome {
                    let gist = Gist::of(&outcome);
                    events.push(ClientEvent::Laid(id, *call, Arc::new(body(bytes)), gist));
                }
                events
            }
            _ => Vec::new(),
        }
    }
}

fn attempt(ok: bool) -> Attempt {
    let came = if ok { "error -32601, so the server is legacy" } else { "no answer for 10 s" };
    Attempt { what: "server/discover with 2026-07-28".to_owned(), came: came.to_owned(), ok }
}

fn peer() -> Peer {
    Peer {
        era: Era::Legacy,
        revision: Revision::V2025_11_25,
        identity: Some((*br#"{"name":"everything","version":"2.0"}"#).into()),
        capabilities: Some((*br#"{"tools":{"listChanged":true}}"#).into()),
        instructions: Some("Use the tools.".to_owned()),
        supported: Vec::new(),
        greeting: None,
    }
}

fn list(items: Vec<Item>) -> List {
    let items: Items = items.into_iter().collect();
    List { items, pages: 1, next: None, stopped: None, hint: Some((40_000, "private".to_owned())), at: 0, stale: false }
}

pub(super) fn tool(name: &str, json: &str, faults: &[&str]) -> Item {
    Item {
        json: json.as_bytes().into(),
        key: name.to_owned(),
        title: name.to_owned(),
        faults: faults.iter().map(|it| (*it).to_owned()).collect(),
    }
}

fn tools() -> Vec<Item> {
    vec![
        tool(
            "echo",
            r#"{"name":"echo","description":"Echoes back the input","annotations":{"readOnlyHint":true},
               "inputSchema":{"type":"object","properties":{"message":{"type":"string"}},"required":["message"]}}"#,
            &[],
        ),
        tool("broken", r#"{"name":"broken","inputSchema":7}"#, &["inputSchema is not an object"]),
    ]
}

fn body(bytes: &[u8]) -> Body {
    Body { content: pieces(bytes), ..Body::loose(bytes, None, 0) }
}

fn text(_: &str) -> Outcome {
    Outcome::Result((*br#"{"content":[{"type":"text","text":"Echo: hi"}]}"#).into())
}

/// The page with a server that was connected to by typing its command.
fn connected(server: Server) -> (Harness<'static, App>, Sent) {
    let (mut harness, sent) = window(Stage::empty().with_clients(move |command| server.answer(command)));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::N);
    harness.run_ok();
    harness.get_by_label("Command of the server").type_text("node \"my server.js\" stdio");
    harness.run_ok();
    harness.get_by_label("Connect now").click();
    settle(&mut harness);
    (harness, sent)
}

/// Lets what is made off the frame arrive.
pub(super) fn settle(harness: &mut Harness<'static, App>) {
    for _ in 0..12 {
        std::thread::sleep(std::time::Duration::from_millis(15));
        harness.run_steps(2);
    }
}

fn call(harness: &mut Harness<'static, App>) {
    harness.get_by_label_contains("Call echo (Ctrl+Enter)").click();
    settle(harness);
}

#[test]
fn a_command_is_cut_into_words_and_what_the_server_has_is_listed() {
    let (harness, sent) = connected(Server::of(tools(), text));
    assert!(asked(&sent, |command| matches!(command, Command::Client(ClientCommand::Connect(1, target, _))
        if matches!(&**target, Target { way: Way::Command { command, .. }, from: None, .. } if command == &["node", "my server.js", "stdio"]))));
    harness.get_by_label("echo");
    harness.get_by_label("broken, flagged");
    harness.get_by_label("Tools 2");
    harness.get_by_label("legacy 2025-11-25");
    harness.get_by_label("Disconnect from the server");
}

#[test]
fn what_cannot_work_is_said_beside_the_field_and_nothing_starts() {
    let (mut harness, sent) = window(Stage::empty());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::N);
    harness.run_ok();
    harness.get_by_label("Connect now").click();
    harness.run_ok();
    assert!(harness.query_all_by_label("The command that starts the server is needed.").next().is_some());
    harness.get_by_label("URL").click();
    harness.run_ok();
    harness.get_by_label("URL of the server").click();
    harness.run_ok();
    harness.get_by_label("URL of the server").type_text("localhost:3000/mcp");
    harness.run_ok();
    assert!(harness.query_all_by_label("It must begin with http:// or https://.").next().is_some());
    assert!(!asked(&sent, |command| matches!(command, Command::Client(ClientCommand::Connect(..)))));
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert!(harness.query_by_label("Connect now").is_none());
}

#[test]
fn a_tool_is_called_by_keyboard_and_its_result_shown() {
    let (mut harness, sent) = connected(Server::of(tools(), text));
    harness.key_press(Key::J);
    harness.run_ok();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Enter);
    settle(&mut harness);
    assert!(asked(&sent, |command| matches!(command, Command::Client(ClientCommand::Order(1, order))
        if matches!(&**order, Order::Call(_, call) if call.method == "tools/call"
            && call.params.as_deref().is_some_and(|it| it.starts_with(br#"{"name":"echo","arguments":"#))))));
    for label in ["ok", "Content 1", "Echo: hi", "Call 5 ok"] {
        let found = harness.query_all_by_label_contains(label).next().is_some();
        assert!(found || label.starts_with("Call"), "{label} is not shown");
    }
    assert!(harness.query_all_by_label_contains("progress 1 of 4").next().is_some(), "what came while it ran");
}

#[test]
fn a_result_without_content_is_a_result() {
    type Case = (fn(&str) -> Outcome, &'static str, &'static str);
    let result = |_: &str| Outcome::Result((*br#"{"content":[]}"#).into());
    let only = |_: &str| Outcome::Result((*br#"{"structuredContent":{"a":1}}"#).into());
    let both = |_: &str| {
        Outcome::Result(
            (*br#"{"content":[{"type":"text","text":"no"}],"structuredContent":{"a":1},"isError":true}"#).into(),
        )
    };
    let cases: [Case; 3] = [
        (result, "ok", "content is empty: the tool has nothing to say, which is allowed."),
        (only, "ok", "There is structuredContent and no content"),
        (both, "isError", "isError: the tool ran and failed; the model is shown this."),
    ];
    for (answer, tag, remark) in cases {
        let (mut harness, _) = connected(Server::of(tools(), answer));
        harness.get_by_label("echo").click();
        settle(&mut harness);
        call(&mut harness);
        assert!(harness.query_all_by_label(tag).next().is_some(), "{tag} is not shown");
        assert!(harness.query_all_by_label_contains(remark).next().is_some(), "{remark} is not shown");
        assert!(harness.query_by_label("No result yet").is_none());
    }
}

#[test]
fn a_failure_says_what_to_do() {
    let refused = |_: &str| Outcome::Http {
        status: Some(401),
        why: "The server wants a token; add a bearer token to the connection.".to_owned(),
        body: (*b"unauthorised").into(),
        challenge: Some("Bearer realm=\"x\"".to_owned()),
    };
    let (mut harness, _) = connected(Server::of(tools(), refused));
    harness.get_by_label("echo").click();
    settle(&mut harness);
    call(&mut harness);
    harness.get_by_label("The server wants a token; add a bearer token to the connection.");
    harness.get_by_label("Bearer realm=\"x\"");
    harness.get_by_label("unauthorised");
    harness.get_by_label("HTTP 401");
}

#[test]
fn a_connection_that_fails_shows_its_steps_and_can_be_tried_again() {
    let (mut harness, sent) = connected(Server { fails: true, ..Server::of(Vec::new(), text) });
    harness.get_by_label("The connection failed");
    harness.get_by_label("server/discover with 2026-07-28");
    harness.get_by_label("no answer for 10 s");
    harness.get_by_label("the command `nope` was not found; install it or give its path");
    harness.get_by_label("Try again to connect").click();
    harness.run_ok();
    assert!(asked(&sent, |command| matches!(command, Command::Client(ClientCommand::Connect(2, ..)))));
}

#[test]
fn a_call_that_runs_can_be_cancelled() {
    let (mut harness, sent) = connected(Server::of(tools(), |_| Outcome::Lost("never".to_owned())));
    harness.get_by_label("echo").click();
    settle(&mut harness);
    harness.get_by_label_contains("Call echo (Ctrl+Enter)").click();
    harness.run_steps(4);
    harness.get_by_role_and_label(Role::ProgressIndicator, "Progress 1 of 4");
    harness.get_by_label("Cancel the call").click();
    harness.run_steps(4);
    assert!(asked(&sent, |command| matches!(command, Command::Client(ClientCommand::Order(1, order))
        if matches!(&**order, Order::Cancel(..)))));
}

#[test]
fn ten_thousand_tools_draw_only_what_is_in_view() {
    let many = (0..10_000).map(|index| {
        let name = format!("tool_{index:05}");
        tool(&name, &format!(r#"{{"name":"{name}","inputSchema":{{"type":"object"}}}}"#), &[])
    });
    let (mut harness, _) = connected(Server::of(many.collect(), text));
    harness.get_by_label("Tools 10,000");
    harness.get_by_label("tool_00000");
    assert!(harness.query_by_label("tool_00100").is_none(), "what is out of view is not drawn");
    harness.key_press(Key::End);
    settle(&mut harness);
    assert!(harness.query_all_by_label("tool_09999").next().is_some());
    harness.key_press(Key::Slash);
    harness.run_ok();
    harness.get_by_label("Filter tools").type_text("tool_0777");
    settle(&mut harness);
    harness.get_by_label("tool_07770");
    assert!(harness.query_by_label("tool_00000").is_none());
}

#[test]
fn a_result_of_twelve_mebibytes_is_shown() {
    let large = |_: &str| {
        let line = "0123456789abcde\\n".repeat(12 * 1024 * 64);
        Outcome::Result(format!(r#"{{"content":[{{"type":"text","text":"{line}"}}]}}"#).into_bytes().into())
    };
    let (mut harness, _) = connected(Server::of(tools(), large));
    harness.get_by_label("echo").click();
    settle(&mut harness);
    call(&mut harness);
    for _ in 0..200 {
        if harness.query_all_by_label_contains("0123456789abcde").next().is_some() {
            return;
        }
        settle(&mut harness);
    }
    panic!("the result never came");
}
