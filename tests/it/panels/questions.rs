//! What servers ask: it is seen on every page, and answered in a panel over it.

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use midwire::engine::client::Target;
use midwire::engine::view::{ClientCommand, ClientEvent, Command, Event};
use midwire::peer::client::{Answer, Order, Question, Reply, Settings, Told};
use midwire::ui::app::App;

use super::stage::{Sent, Stage};
use super::window;

/// A window with a connection whose server asks.
fn asked(questions: &[(&str, &str)]) -> (Harness<'static, App>, Sent) {
    let (mut harness, sent) = window(Stage::conversation());
    let target = Target { name: "parcels".to_owned(), ..Target::default() };
    let id = harness.state_mut().desk_mut().bench.connect(target, Settings::default(), 0);
    for (number, (method, params)) in (1..).zip(questions) {
        let question = Question {
            id: number,
            method: (*method).to_owned(),
            params: Some(params.as_bytes().into()),
            call: None,
            key: None,
            round: 0,
            request: None,
        };
        let told = ClientEvent::Told(id, Box::new(Told::Asked(question)));
        harness.state_mut().desk_mut().absorb(Event::Client(told));
    }
    harness.run_ok();
    (harness, sent)
}

/// The last answer that was given.
fn answer(sent: &Sent) -> Option<Answer> {
    let found = sent.borrow();
    let mut orders = found.iter().rev().filter_map(|command| match command {
        Command::Client(ClientCommand::Order(_, order)) => Some(order),
        _ => None,
    });
    orders.find_map(|order| match &**order {
        Order::Answer(_, answer) => Some(answer.clone()),
        _ => None,
    })
}

fn result(text: &str) -> Option<Answer> {
    Some(Answer::Result(text.as_bytes().to_vec()))
}

const SAMPLE: &str = r#"{"messages":[{"role":"user","content":{"type":"text","text":"Order the stops."}},
    {"role":"assistant","content":[{"type":"tool_use","id":"1","name":"map","input":{"q":1}}]}],
    "modelPreferences":{"hints":[{"name":"small"}]},"systemPrompt":"You plan rounds.","maxTokens":60}"#;

#[test]
fn a_question_is_seen_on_every_page_and_answered_there() {
    // T-75: on the page of traffic, while a call elsewhere waits for it.
    let (mut harness, sent) = asked(&[("sampling/createMessage", SAMPLE)]);
    harness.get_by_label("1 question waits");
    harness.get_by_label("parcels asks: sampling");
    harness.get_by_label("Client (Ctrl+2): 1 question");
    assert!(harness.query_by_label("Answer of the model").is_none(), "nothing covers the page by itself");
    harness.get_by_label("Answer the question").click();
    harness.run_ok();
    for shown in ["You plan rounds.", "Order the stops.", "uses the tool map", "at most 60 tokens"] {
        assert!(harness.query_all_by_label_contains(shown).next().is_some(), "{shown} is not shown");
    }
    harness.get_by_role_and_label(Role::MultilineTextInput, "Answer of the model").focus();
    harness.run_ok();
    harness.get_by_role_and_label(Role::MultilineTextInput, "Answer of the model").type_text("Lund \"1\"");
    harness.run_ok();
    harness.get_by_label("Send the model's answer").click();
    harness.run_ok();
    let text =
        r#"{"role":"assistant","content":{"type":"text","text":"Lund \"1\""},"model":"small","stopReason":"endTurn"}"#;
    assert_eq!(answer(&sent), result(text));
    assert!(harness.query_by_label("1 question waits").is_none(), "the strip is gone");
}

#[test]
fn a_question_is_answered_on_the_page_of_its_connection_too() {
    let (mut harness, sent) = asked(&[("sampling/createMessage", SAMPLE)]);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Num2);
    harness.run_ok();
    harness.get_by_label("Answer the question").click();
    harness.run_ok();
    harness.get_by_role_and_label(Role::MultilineTextInput, "Answer of the model").click();
    harness.run_ok();
    harness.get_by_role_and_label(Role::MultilineTextInput, "Answer of the model").type_text("3j");
    harness.run_ok();
    harness.get_by_label("Send the model's answer").click();
    harness.run_ok();
    let text = r#"{"role":"assistant","content":{"type":"text","text":"3j"},"model":"small","stopReason":"endTurn"}"#;
    assert_eq!(answer(&sent), result(text));
}

#[test]
fn an_elicitation_is_filled_in_with_its_defaults_and_can_be_kept() {
    let params = r#"{"message":"Which version?","requestedSchema":{"type":"object","properties":{
        "version":{"type":"string","default":"16.0"},"remember":{"type":"boolean","default":true}},"required":["version"]}}"#;
    let (mut harness, sent) = asked(&[("elicitation/create", params)]);
    harness.get_by_label("Answer the question").click();
    harness.run_ok();
    harness.get_by_label("Answer like this from now on").click();
    harness.run_ok();
    harness.get_by_label("Accept, and send what is filled in").click();
    harness.run_ok();
    let text = r#"{"action":"accept","content":{"version":"16.0","remember":true}}"#;
    assert_eq!(answer(&sent), result(text));
    let kept = sent.borrow().iter().any(|command| match command {
        Command::Client(ClientCommand::Order(_, order)) => match &**order {
            Order::Change(settings) => settings.elicitation == Reply::Result(text.to_owned()),
            _ => false,
        },
        _ => false,
    });
    assert!(kept, "the connection answers like this by itself");
}

#[test]
fn a_url_is_shown_with_what_deceives_about_it_and_accepted_without_content() {
    let params = r#"{"mode":"url","message":"Log in","url":"https://bank.example@xn--pple-43d.com/in?x=1","elicitationId":"e1"}"#;
    let (mut harness, sent) = asked(&[("elicitation/create", params)]);
    harness.get_by_label("Answer the question").click();
    harness.run_ok();
    harness.get_by_label("https://bank.example@xn--pple-43d.com/in?x=1");
    assert!(harness.query_all_by_label_contains("Punycode").next().is_some());
    assert!(harness.query_all_by_label_contains("before the @").next().is_some());
    let opened = |harness: &Harness<'static, App>| {
        let commands = &harness.output().platform_output.commands;
        commands.iter().any(|command| matches!(command, eframe::egui::OutputCommand::OpenUrl(_)))
    };
    assert!(!opened(&harness), "nothing is opened by itself");
    harness.get_by_label("Accept: agree to go there").click();
    harness.run_ok();
    assert_eq!(answer(&sent), result(r#"{"action":"accept"}"#));
}

#[test]
fn whatever_nobody_knows_is_answered_as_json_or_with_an_error() {
    let (mut harness, sent) = asked(&[("x/odd", r#"{"what":"is this"}"#), ("roots/list", "{}")]);
    harness.get_by_label("2 questions wait");
    harness.get_by_label("Answer the question").click();
    harness.run_ok();
    assert!(harness.query_all_by_label_contains("does not know this method").next().is_some());
    harness.get_by_label("Error").click();
    harness.run_ok();
    harness.get_by_label("Send the error").click();
    harness.run_ok();
    assert!(matches!(answer(&sent), Some(Answer::Error(text)) if text.starts_with(b"{")));
    // The next one is shown at once.
    harness.get_by_label("Answer with these roots").click();
    harness.run_ok();
    assert_eq!(answer(&sent), result(r#"{"roots":[]}"#));
}

#[test]
fn declining_and_cancelling_are_told_apart() {
    let params = r#"{"message":"?","requestedSchema":{"type":"object","properties":{}}}"#;
    let (mut harness, sent) = asked(&[("elicitation/create", params), ("elicitation/create", params)]);
    harness.get_by_label("Answer the question").click();
    harness.run_ok();
    harness.get_by_label("Decline: say no").click();
    harness.run_ok();
    assert_eq!(answer(&sent), result(r#"{"action":"decline"}"#));
    harness.get_by_label("Cancel: say neither yes nor no").click();
    harness.run_ok();
    assert_eq!(answer(&sent), result(r#"{"action":"cancel"}"#));
}
