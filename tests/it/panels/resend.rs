//! *Send again* and *Edit and send* on the Traffic page, over a stand-in for the engine.

use std::sync::Arc;

use eframe::egui::{Key, Modifiers, OutputCommand};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use midwire::engine::client::{Environment, Given, Target, Way};
use midwire::engine::imitation::{Imitation, Missing, Original};
use midwire::engine::view::{Body, ClientCommand, ClientEvent, Command, Detail, Event};
use midwire::model::{Era, Revision, Side};
use midwire::peer::client::{EraChoice, Order, Peer, Settings, State, Told};
use midwire::ui::app::App;

use super::stage::{REQUEST, Sent, Stage};
use super::{asked, window};

const CALL: &str = "41 tools/call search_docs -32602";

fn told(id: u32, told: Told) -> Event {
    Event::Client(ClientEvent::Told(id, Box::new(told)))
}

/// Recordings whose server has a masked argument, and a server that says nothing but that it is there; one that is
/// started in a folder is not.
fn server(command: &ClientCommand) -> Vec<Event> {
    match command {
        ClientCommand::Connect(id, target, _) if target.name == "gone" => {
            vec![told(*id, Told::State(State::Closed { why: "it exited 1".to_owned(), failed: true }))]
        }
        ClientCommand::Connect(id, ..) => {
            let peer = Peer {
                era: Era::Legacy,
                revision: Revision::V2025_11_25,
                identity: None,
                capabilities: None,
                instructions: None,
                supported: Vec::new(),
                greeting: None,
            };
            vec![Event::Client(ClientEvent::Started(*id, None)), told(*id, Told::State(State::Open(peer.into())))]
        }
        ClientCommand::Original(path, _) => {
            vec![Event::Client(ClientEvent::Original(path.clone(), Ok(original("it"))))]
        }
        ClientCommand::Imitate(path) => {
            let imitation = Imitation {
                identity: Some(r#"{"name":"host","version":"2.1"}"#.to_owned()),
                capabilities: Some("{}".to_owned()),
                revision: Some("2025-06-18".to_owned()),
                source: "initialize".to_owned(),
                seq: 1,
            };
            vec![Event::Client(ClientEvent::Imitation(path.clone(), Ok(Box::new(imitation))))]
        }
        _ => Vec::new(),
    }
}

fn original(name: &str) -> Box<Original> {
    let command = ["srv", "--key", "•••"].map(str::to_owned).to_vec();
    let way = Way::Command { command, folder: None, environment: Environment::default() };
    let from = Some("the recording a".to_owned());
    let target = Target { name: name.to_owned(), way, from, given: Given::default() };
    let missing = Missing { place: "argument 2".to_owned(), shown: "•••".to_owned(), is_header: false };
    Box::new(Original { target, missing: vec![missing] })
}

fn gone(command: &ClientCommand) -> Vec<Event> {
    match command {
        ClientCommand::Original(path, _) => {
            vec![Event::Client(ClientEvent::Original(path.clone(), Ok(original("gone"))))]
        }
        other => server(other),
    }
}

/// The menu of a recorded call, with a connection to `node s.js`.
fn menu() -> (Harness<'static, App>, Sent) {
    let (mut harness, sent) = window(Stage::conversation().with_clients(server));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Num2);
    harness.run_ok();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::N);
    harness.run_ok();
    harness.get_by_label("Command of the server").type_text("node s.js");
    harness.run_ok();
    harness.get_by_label("Connect now").click();
    harness.run_steps(6);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Num1);
    harness.run_ok();
    harness.get_by_label(CALL).click();
    harness.run_ok();
    harness.get_by_label("Send again … (r)").click();
    harness.run_ok();
    (harness, sent)
}

/// The orders to a connection.
fn orders(sent: &Sent, connection: u32) -> Vec<Order> {
    let order = |command: &Command| match command {
        Command::Client(ClientCommand::Order(id, order)) if *id == connection => Some((**order).clone()),
        _ => None,
    };
    sent.borrow().iter().filter_map(order).collect()
}

fn connected(sent: &Sent) -> Option<(Target, Settings)> {
    let connect = |command: &Command| match command {
        Command::Client(ClientCommand::Connect(_, target, settings)) => {
            Some(((**target).clone(), (**settings).clone()))
        }
        _ => None,
    };
    sent.borrow().iter().rev().find_map(connect)
}

#[test]
fn a_call_is_sent_again_byte_for_byte() {
    let (mut harness, sent) = menu();
    harness.get_by_label("Send again to s").click();
    harness.run_steps(4);
    let again = |order: &Order| matches!(order, Order::Again(_, bytes) if *bytes == REQUEST.trim_end().as_bytes());
    assert!(orders(&sent, 1).iter().any(again));
    assert!(!asked(&sent, |command| matches!(command, Command::Client(ClientCommand::Original(..)))));
}

#[test]
fn a_call_is_sent_again_with_a_new_id_where_that_is_wanted() {
    let (mut harness, sent) = menu();
    harness.get_by_label("Send again to s with a new id").click();
    harness.run_steps(4);
    let anew = |order: &Order| matches!(order, Order::Anew(_, bytes) if *bytes == REQUEST.trim_end().as_bytes());
    assert!(orders(&sent, 1).iter().any(anew));
}

#[test]
fn a_call_is_edited_with_its_digits_and_without_the_old_progress_token() {
    let (mut harness, sent) = menu();
    harness.get_by_label("Edit and send to s …").click();
    harness.run_steps(6);
    harness.get_by_label("Call search_docs (Ctrl+Enter)").click();
    harness.run_steps(4);
    let params = orders(&sent, 1).into_iter().find_map(|order| match order {
        Order::Call(_, call) if call.method == "tools/call" => call.params,
        _ => None,
    });
    let params = String::from_utf8(params.unwrap()).unwrap();
    for kept in ["1915883588174806058", "1e400", "-0.0", r#""10""#] {
        assert!(params.contains(kept), "{kept} in {params}");
    }
    assert!(!params.contains("progressToken"), "{params}");
}

/// A call is chosen, and its menu opened and left by keys alone: to connect and send.
fn by_key(stage: Stage) -> (Harness<'static, App>, Sent) {
    let (mut harness, sent) = window(stage);
    harness.get_by_label(CALL).click();
    harness.run_ok();
    harness.key_press(Key::R);
    harness.run_ok();
    harness.get_by_label("Connect to everything and send …");
    harness.key_press(Key::Enter);
    harness.run_steps(4);
    (harness, sent)
}

#[test]
fn a_call_is_sent_over_a_new_connection_once_its_secret_was_given() {
    let (mut harness, sent) = by_key(Stage::conversation().with_clients(server));
    for word in ["srv", "--key", "•••"] {
        assert!(harness.query_all_by_label(word).next().is_some(), "{word} is not shown before it runs");
    }
    // Nothing runs before the secret is there.
    harness.get_by_label("Run it and send").click();
    harness.run_steps(4);
    assert_eq!(connected(&sent), None);
    harness.get_by_label("Secret 1 for argument 2").focus();
    harness.run_steps(2);
    harness.get_by_label("Secret 1 for argument 2").type_text("s3cret");
    harness.run_steps(4);
    harness.get_by_label("As the recorded client: host 2.1").click();
    harness.run_steps(4);
    harness.get_by_label("Run it and send").click();
    harness.run_steps(6);
    let (target, settings) = connected(&sent).expect("a connection is made");
    assert_eq!(target.given, Given::new(vec!["s3cret".to_owned()]));
    let Way::Command { command, .. } = &target.way else { panic!("no command") };
    assert_eq!(command, &["srv", "--key", "•••"]);
    assert_eq!(settings.identity, r#"{"name":"host","version":"2.1"}"#);
    assert_eq!(settings.era, EraChoice::Pinned(Revision::V2025_06_18));
    let again = |order: &Order| matches!(order, Order::Again(_, bytes) if *bytes == REQUEST.trim_end().as_bytes());
    assert_eq!(orders(&sent, 1).iter().filter(|order| again(order)).count(), 1);
    // The secret is shown nowhere.
    assert!(harness.query_all_by_label_contains("s3cret").next().is_none());
    harness.get_by_label("Call search_docs (Ctrl+Enter)");
}

#[test]
fn what_cannot_be_sent_over_a_new_connection_is_told() {
    let (mut harness, sent) = by_key(Stage::conversation().with_clients(gone));
    harness.get_by_label("Secret 1 for argument 2").type_text("x");
    harness.run_steps(4);
    harness.get_by_label("Run it and send").click();
    harness.run_steps(6);
    assert!(orders(&sent, 1).is_empty());
    harness.get_by_label("The recorded message was not sent: there is no connection to gone: it exited 1");
}

#[test]
fn a_connection_that_is_not_agreed_to_is_not_made() {
    let (mut harness, sent) = by_key(Stage::conversation().with_clients(server));
    harness.key_press(Key::Escape);
    harness.run_steps(4);
    assert!(harness.query_by_label("Run it and send").is_none());
    assert_eq!(connected(&sent), None);
}

#[test]
fn anything_else_goes_out_raw() {
    let (mut harness, sent) = menu();
    harness.key_press(Key::Escape);
    harness.run_ok();
    harness.get_by_label("53 not JSON MCP Nightly ready").click();
    harness.run_ok();
    harness.get_by_label("Send again … (r)").click();
    harness.run_ok();
    assert!(harness.query_by_label("Send again to s with a new id").is_none(), "it has no id");
    harness.get_by_label("Send again to s").click();
    harness.run_steps(4);
    assert!(orders(&sent, 1).contains(&Order::Raw(b"not JSON MCP Nightly ready\n".to_vec(), Vec::new())));
    let field = harness.get_by_label("The frame, as it is sent");
    assert_eq!(field.value().as_deref(), Some("not JSON MCP Nightly ready"));
    harness.get_by_label("WHAT CAME SINCE");
}

#[test]
fn the_menu_of_a_row_is_reached_by_a_key() {
    let (mut harness, _) = window(Stage::conversation().with_clients(server));
    harness.get_by_label(CALL).click();
    harness.run_ok();
    harness.key_press_modifiers(Modifiers::SHIFT, Key::F10);
    harness.run_ok();
    harness.get_by_label("Connect to everything and send …");
    harness.get_by_label("Copy the request").click();
    harness.step();
    let copied = harness.output().platform_output.commands.iter().find_map(|command| match command {
        OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    assert_eq!(copied.as_deref(), Some(REQUEST));
}

/// Details whose message the server sent.
fn of_server(detail: Detail) -> Detail {
    let request = Some(Arc::new(Body::loose(REQUEST.as_bytes(), Some(Side::Server), detail.row.at)));
    Detail { request, ..detail }
}

#[test]
fn what_the_server_sent_is_not_sent_again() {
    let (mut harness, _) = window(Stage::conversation().enriched(of_server));
    harness.get_by_label(CALL).click();
    harness.run_ok();
    harness.key_press(Key::R);
    harness.run_ok();
    harness.get_by_label("It cannot be sent again: the client did not send it");
}
