//! The Server page over a stand-in for the engine: starting, what is asked, misses, answers by hand, rules in place.

use std::sync::Arc;

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use midwire::engine::serve::{Happening, Source};
use midwire::engine::view::{Command, ServerCommand, ServerEvent, Turned};
use midwire::model::{Era, Id, Revision};
use midwire::peer::server::{Ended, Kind, Link, Miss, Near, Order, Step, Text, Told, Who};
use midwire::ui::app::App;

use super::stage::{Sent, Stage};
use super::{asked, window};

const CALL: &str = r#"{"jsonrpc":"2.0","id":"q-7","method":"tools/call","params":{"name":"weather","arguments":{"city":"Rome","at":1e400}}}"#;
const TOOL: &str = r#"{"name":"weather","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"degrees":{"type":"number","default":21}},"required":["degrees"]}}"#;

/// A mock file with two rules, as it is on the stand-in's disk.
const FILE: &str = "[server]\nname = \"depot\"\n\n[[tool]]\nname = \"weather\"\nanswer = \"sun\"\n\n[[tool]]\nname = \"echo\"\nanswer = \"hi\"\n";

fn fixed(text: &str) -> Text {
    Text::Fixed(text.as_bytes().into())
}

fn near() -> Near {
    Near {
        what: "recorded call 17".to_owned(),
        place: Some(17),
        seq: Some(17),
        pointer: "/arguments/city".to_owned(),
        wanted: "\"Paris\"".to_owned(),
        got: Some("\"Rome\"".to_owned()),
        steps: vec![Step::Result {
            result: fixed(r#"{"content":[{"type":"text","text":"rain"}],"structuredContent":{"degrees":11.50}}"#),
            bare: true,
            id: None,
        }],
    }
}

/// What happens once it serves: a client, a request that a rule answered, and one that nothing answers and that waits.
fn traffic() -> Vec<Told> {
    let who = Who {
        era: Era::Legacy,
        revision: Revision::V2025_11_25,
        identity: Some((*br#"{"name":"claude","version":"2.1"}"#).into()),
        capabilities: Some((*br#"{"roots":{"listChanged":true},"sampling":{}}"#).into()),
    };
    let asked = |request, id: &str, method: &str, message: &str| Told::Asked {
        request,
        client: 1,
        id: Id::String(id.into()),
        method: method.to_owned(),
        message: message.as_bytes().into(),
        era: Era::Legacy,
    };
    let list = r#"{"jsonrpc":"2.0","id":"q-1","method":"tools/list"}"#;
    let miss = Miss { why: "no recorded call has these arguments".to_owned(), near: vec![near()] };
    vec![
        Told::Joined(1, Link::Http),
        Told::Known(1, who),
        asked(1, "q-1", "tools/list", list),
        Told::Matched { request: 1, by: "the protocol".to_owned(), place: None, nth: 0 },
        Told::Ended { request: 1, how: Ended::Result((*br#"{"tools":[]}"#).into()), took: 2_000_000 },
        asked(2, "q-7", "tools/call", CALL),
        Told::Missed(2, Box::new(miss)),
        Told::Waiting(2),
    ]
}

/// What the stand-in does.
fn answer(command: &ServerCommand) -> Vec<ServerEvent> {
    let happened = |id, happening| ServerEvent::Happened(id, Box::new(happening));
    match command {
        ServerCommand::Start(id, options) if matches!(&options.source, Source::Recordings(paths) if paths[0].ends_with("none")) =>
        {
            vec![ServerEvent::Failed(*id, "Failed to read none: it is not there.".to_owned())]
        }
        ServerCommand::Start(id, _) => {
            let url = "http://127.0.0.1:40017/mcp".to_owned();
            let lists = Arc::new(vec![(Kind::Tools, vec![TOOL.as_bytes().into()])]);
            let mut events = vec![
                ServerEvent::Started(*id, Some(url), Some("/tmp/serve.midwire".into())),
                happened(*id, Happening::Source(Ok("1 tool, 3 calls".to_owned()))),
                happened(*id, Happening::Lists(lists)),
            ];
            events.extend(traffic().into_iter().map(|told| happened(*id, Happening::Told(told))));
            events
        }
        ServerCommand::Order(id, order) => match &**order {
            Order::Answer(request, _) => {
                let how = Ended::Result((*br#"{"content":[]}"#).into());
                let by = Told::Matched { request: *request, by: "by hand".to_owned(), place: None, nth: 0 };
                let ended = Told::Ended { request: *request, how, took: 4_000_000_000 };
                [by, ended].into_iter().map(|told| happened(*id, Happening::Told(told))).collect()
            }
            _ => Vec::new(),
        },
        ServerCommand::Read(path) => vec![ServerEvent::File(path.clone(), Ok(FILE.into()))],
        ServerCommand::Write(path, was, text) => {
            assert_eq!(&**was, FILE);
            vec![ServerEvent::File(path.clone(), Ok(text.as_str().into()))]
        }
        ServerCommand::Stop(_) | ServerCommand::Turn { .. } => Vec::new(),
    }
}

/// The page with a server that was started from the form.
fn serving(way: &str, path: &str) -> (Harness<'static, App>, Sent) {
    let (mut harness, sent) = window(Stage::empty().with_servers(answer));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Num3);
    harness.run_ok();
    harness.get_by_label("Begin to serve").click();
    harness.run_ok();
    harness.get_by_label(way).click();
    harness.run_ok();
    let field = if way == "A recording" { "Path of the recording" } else { "Path of the mock file" };
    typed(&mut harness, field, path);
    harness.get_by_label("Serve now").click();
    settle(&mut harness);
    (harness, sent)
}

/// Types into a field, at its end.
fn typed(harness: &mut Harness<'static, App>, field: &str, text: &str) {
    let roles = [Role::TextInput, Role::MultilineTextInput];
    let role = roles.into_iter().find(|role| harness.query_by_role_and_label(*role, field).is_some());
    let role = role.expect("there is such a field");
    harness.get_by_role_and_label(role, field).focus();
    harness.run_ok();
    harness.get_by_role_and_label(role, field).type_text(text);
    harness.run_ok();
}

/// Lets what is made off the frame arrive.
fn settle(harness: &mut Harness<'static, App>) {
    for _ in 0..6 {
        std::thread::sleep(std::time::Duration::from_millis(10));
        harness.run_steps(2);
    }
}

/// The steps that the last answer by hand consists of.
fn answered(sent: &Sent) -> Vec<Step> {
    let commands = sent.borrow();
    let of = |command: &Command| match command {
        Command::Server(ServerCommand::Order(_, order)) => match &**order {
            Order::Answer(2, steps) => Some(steps.clone()),
            _ => None,
        },
        _ => None,
    };
    commands.iter().rev().find_map(of).expect("an answer was given")
}

fn is_there(harness: &Harness<'static, App>, text: &str) -> bool {
    harness.query_all_by_label_contains(text).next().is_some()
}

#[test]
fn what_is_served_and_asked_is_shown_and_what_waits_comes_first() {
    let (harness, sent) = serving("A recording", "/r/claude.midwire");
    assert!(asked(&sent, |command| matches!(command, Command::Server(ServerCommand::Start(1, options))
        if options.source == Source::Recordings(vec!["/r/claude.midwire".into()]))));
    harness.get_by_label("1 tools/list  answered");
    harness.get_by_label("2 tools/call weather waits for you");
    harness.get_by_label("Requests 2");
    harness.get_by_label("Clients 1");
    harness.get_by_label("Server (Ctrl+3): 1 request");
    for text in ["The host waits for your answer", "left of", "claude 2.1", "1 request waits for you"] {
        assert!(is_there(&harness, text), "{text} is not shown");
    }
}

#[test]
fn a_miss_names_what_came_nearest_and_where_it_differs() {
    let (mut harness, sent) = serving("A recording", "/r/claude.midwire");
    for text in ["no recorded call has these arguments", "recorded call 17", "/arguments/city", "\"Paris\"", "\"Rome\""]
    {
        assert!(is_there(&harness, text), "{text} is not shown");
    }
    harness.get_by_label("Start from recorded call 17").click();
    harness.run_ok();
    harness.get_by_label("Send the result").click();
    settle(&mut harness);
    let steps = answered(&sent);
    assert!(
        matches!(&steps[..], [Step::Result { result: Text::Fixed(bytes), bare: false, id: None }]
            if **bytes == *br#"{"content":[{"type":"text","text":"rain"}],"structuredContent":{"degrees":11.50}}"#),
        "{steps:?}"
    );
    harness.get_by_label("2 tools/call weather answered");
    assert!(!is_there(&harness, "The host waits"), "it waits no longer");
}

#[test]
fn an_answer_begins_with_what_the_output_schema_wants() {
    let (mut harness, sent) = serving("A recording", "/r/claude.midwire");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Enter);
    settle(&mut harness);
    let steps = answered(&sent);
    assert!(
        matches!(&steps[..], [Step::Result { result: Text::Fixed(bytes), .. }]
            if **bytes == *br#"{"structuredContent":{"degrees":21},"content":[{"type":"text","text":""}]}"#),
        "{steps:?}"
    );
}

#[test]
fn an_error_a_raw_frame_and_no_answer_at_all_can_be_given() {
    let (mut harness, sent) = serving("A recording", "/r/claude.midwire");
    harness.get_by_label("Error").click();
    harness.run_ok();
    harness.get_by_label("Send the error").click();
    settle(&mut harness);
    assert!(matches!(&answered(&sent)[..], [Step::Error { error: Text::Fixed(bytes), id: None }]
        if bytes.starts_with(br#"{"code":-32603,"message":"#)));

    let (mut harness, sent) = serving("A recording", "/r/claude.midwire");
    harness.get_by_label("Raw frame").click();
    harness.run_ok();
    harness.get_by_label("Send the frame").click();
    settle(&mut harness);
    assert!(matches!(&answered(&sent)[..], [Step::Raw(bytes)]
        if **bytes == *b"{\"jsonrpc\":\"2.0\",\"id\":\"q-7\",\"result\":{}}\n"));

    let (mut harness, sent) = serving("A recording", "/r/claude.midwire");
    harness.get_by_label("Never answer it").click();
    settle(&mut harness);
    assert!(asked(&sent, |command| matches!(command, Command::Server(ServerCommand::Order(1, order))
        if **order == Order::Drop(2))));
}

#[test]
fn what_cannot_be_served_says_why_and_can_be_tried_again() {
    let (mut harness, sent) = serving("A recording", "none");
    assert!(is_there(&harness, "Failed to read none: it is not there."));
    harness.get_by_label("Serve again").click();
    settle(&mut harness);
    assert!(asked(&sent, |command| matches!(command, Command::Server(ServerCommand::Start(2, _)))));
    harness.get_by_label("Take the server from the list").click();
    settle(&mut harness);
    harness.get_by_label("Begin to serve");
}

#[test]
fn the_form_says_what_is_wrong_and_starts_nothing() {
    let (mut harness, sent) = window(Stage::empty().with_servers(answer));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Num3);
    harness.run_ok();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::N);
    harness.run_ok();
    harness.get_by_label("Serve now").click();
    harness.run_ok();
    assert!(is_there(&harness, "The path of a mock file is needed."));
    typed(&mut harness, "Address to listen at", "0.0.0.0:80");
    assert!(is_there(&harness, "A server listens on this machine alone"));
    assert!(!asked(&sent, |command| matches!(command, Command::Server(ServerCommand::Start(..)))));
}

#[test]
fn who_asks_and_what_it_can_is_shown() {
    let (mut harness, _) = serving("A recording", "/r/claude.midwire");
    harness.key_press(Key::Num2);
    harness.run_ok();
    for text in ["claude 2.1", "legacy 2025-11-25", "roots (listChanged), sampling", "2 requests"] {
        assert!(is_there(&harness, text), "{text} is not shown");
    }
}

#[test]
fn changes_are_told_by_hand() {
    let (mut harness, sent) = serving("A recording", "/r/claude.midwire");
    harness.get_by_label("Notify").click();
    harness.run_ok();
    harness.get_by_label("Say that the list of Tools has changed").click();
    harness.run_ok();
    harness.get_by_label("Send the notification").click();
    harness.run_ok();
    let orders = |wanted: &dyn Fn(&Order) -> bool| {
        asked(&sent, |command| matches!(command, Command::Server(ServerCommand::Order(1, order)) if wanted(order)))
    };
    assert!(orders(&|order| *order == Order::Changed(Kind::Tools)));
    assert!(orders(&|order| matches!(order, Order::Notify(None, method, Some(params))
        if method == "notifications/message" && params.starts_with(b"{\n  \"level\": \"info\""))));
}

#[test]
fn a_recording_becomes_a_mock_file_that_is_served() {
    let stage = Stage::conversation().with_servers(|command| match command {
        ServerCommand::Turn { to, what: Turned::Only(seqs), .. } => {
            assert_eq!(seqs, &[41]);
            vec![ServerEvent::Turned(to.clone(), Ok(vec!["Entry 9 is damaged".to_owned()]))]
        }
        other => answer(other),
    });
    let (mut harness, sent) = window(stage);
    harness.get_by_label("41 tools/call search_docs -32602").click();
    harness.run_ok();
    harness.key_press(Key::M);
    harness.run_ok();
    for text in ["the whole recording", "only tools/call search_docs"] {
        assert!(is_there(&harness, text), "{text} is not shown");
    }
    harness.get_by_label("Make the mock file and serve it").click();
    settle(&mut harness);
    assert!(asked(&sent, |command| matches!(command, Command::Server(ServerCommand::Start(1, options))
        if matches!(&options.source, Source::Mock(path) if path.ends_with("everything.mock.toml")))));
    assert!(is_there(&harness, "was written.") && is_there(&harness, "Entry 9 is damaged"));
    harness.get_by_label("Rules");
}

#[test]
fn a_rule_is_edited_in_place() {
    let (mut harness, sent) = serving("A mock file", "/m/depot.mock.toml");
    harness.get_by_label("Rules").click();
    settle(&mut harness);
    harness.get_by_label("tool weather").click();
    settle(&mut harness);
    typed(&mut harness, "Text of the rule", "\nfault = \"no-such\"");
    settle(&mut harness);
    assert!(is_there(&harness, "no-such"), "the fault is told while it is typed");
    harness.get_by_label("Write the file").click();
    settle(&mut harness);
    assert!(is_there(&harness, "Not written: line "));
    harness.get_by_label("Give up what was typed").click();
    settle(&mut harness);
    typed(&mut harness, "Text of the rule", "\ntitle = \"W\"");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Enter);
    settle(&mut harness);
    let commands = sent.borrow();
    let written = commands.iter().find_map(|command| match command {
        Command::Server(ServerCommand::Write(_, _, text)) => Some(text.clone()),
        _ => None,
    });
    assert_eq!(written.as_deref(), Some(&*FILE.replace("\"sun\"", "\"sun\"\ntitle = \"W\"")));
}
