//! Saved calls in the window, over a stand-in for the engine that keeps one project file: saving, filling in, running
//! with variables, picking values, and saved answers.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use midwire::engine::project::target;
use midwire::engine::view::{ClientCommand, ClientEvent, Command, Event};
use midwire::peer::client::{Answer, Call, Item, Order, Outcome, Question, Told};
use midwire::project::{Project, edit};
use midwire::ui::app::App;

use super::client::{Server, settle, tool};
use super::stage::{Sent, Stage};
use super::window;

const FILE: &str = r#"
[targets.srv]
command = ["srv", "stdio"]
[variables]
name = "Grace"
limit = 5
[environments.work]
name = "Ada"
[calls.make]
target = "srv"
tool = "make"
arguments = '{"name": "{{name}}", "limit": {{limit}}}'
pick = { id = "/content/0/text/id" }
[calls.find]
target = "srv"
tool = "echo"
arguments = '{"message": "{{id}} of {{name}}"}'
cap = "90s"
headers = { X-Trace = "{{name}}" }
[calls.wrong]
target = "srv"
tool = "fail"
[calls.ask]
target = "srv"
tool = "ask"
answers = ["yes"]
[answers.yes]
to = "elicitation/create"
result = '{"action":"accept","content":{"name":"{{name}}"}}'
[chains]
both = ["make", "find"]
broken = ["wrong", "find"]
"#;

fn tools() -> Vec<Item> {
    let named = |name: &str, schema: &str| tool(name, &format!(r#"{{"name":"{name}","inputSchema":{schema}}}"#), &[]);
    let message = r#"{"type":"object","properties":{"message":{"type":"string"}}}"#;
    vec![named("echo", message), named("make", r#"{"type":"object"}"#), named("fail", "{}"), named("ask", "{}")]
}

fn answer(params: &str) -> Outcome {
    let text = |text: &str, failed: bool| {
        let text = format!(r#"{{"content":[{{"type":"text","text":{text}}}],"isError":{failed}}}"#);
        Outcome::Result(text.into_bytes().into())
    };
    match params {
        _ if params.contains("\"make\"") => text(r#""{\"id\": 7.50, \"tags\": [\"a\"]}""#, false),
        _ if params.contains("\"fail\"") => text("\"no\"", true),
        // The server asks first, so that one does not end.
        _ if params.contains("\"ask\"") => Outcome::Lost("never".to_owned()),
        _ => text("\"hi\"", false),
    }
}

/// A window connected to the server of the file, which is open; the file, as it is now.
fn opened(file: &str) -> (Harness<'static, App>, Sent, Rc<RefCell<String>>) {
    let file = Rc::new(RefCell::new(file.to_owned()));
    let (kept, server) = (Rc::clone(&file), Server::of(tools(), answer));
    let read = |path: &PathBuf, text: &str| {
        let read = Project::read(text).map(Arc::new).map_err(|error| error.to_string());
        vec![Event::Client(ClientEvent::Project(path.clone(), read))]
    };
    let clients = move |command: &ClientCommand| match command {
        ClientCommand::Project(path) => read(path, &kept.borrow()),
        ClientCommand::Edit(path, change) => {
            let after = edit(&kept.borrow(), change).expect("it can be changed");
            kept.replace(after);
            read(path, &kept.borrow())
        }
        ClientCommand::ProjectTarget(path, name) => {
            let project = Project::read(&kept.borrow()).expect("a project");
            let found = target(&project, path, name.as_deref()).map(Box::new);
            vec![Event::Client(ClientEvent::ProjectTarget(path.clone(), name.clone(), found))]
        }
        other => server.answer(other),
    };
    let (mut harness, sent) = window(Stage::empty().with_clients(clients));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::N);
    harness.run_ok();
    harness.get_by_label("Command of the server").type_text("srv stdio");
    harness.run_ok();
    harness.get_by_label("Connect now").click();
    settle(&mut harness);
    press(&mut harness, "Open the project file");
    (harness, sent, file)
}

/// Presses what may be scrolled out of view.
fn press(harness: &mut Harness<'static, App>, label: &str) {
    harness.get_by_label(label).click_accesskit();
    settle(harness);
}

fn write(harness: &mut Harness<'static, App>, label: &str, text: &str) {
    harness.get_by_role_and_label(Role::TextInput, label).focus();
    harness.run_ok();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.run_ok();
    harness.get_by_role_and_label(Role::TextInput, label).type_text(text);
    harness.run_ok();
}

fn shows(harness: &Harness<'static, App>, text: &str) -> bool {
    harness.query_all_by_label_contains(text).next().is_some()
}

/// The calls that were made.
fn calls(sent: &Sent) -> Vec<Call> {
    let commands = sent.borrow();
    let orders = commands.iter().filter_map(|command| match command {
        Command::Client(ClientCommand::Order(_, order)) => Some(&**order),
        _ => None,
    });
    orders.filter_map(|order| if let Order::Call(_, call) = order { Some(call.clone()) } else { None }).collect()
}

fn params(call: &Call) -> String {
    String::from_utf8_lossy(call.params.as_deref().unwrap_or_default()).into_owned()
}

fn value(harness: &Harness<'static, App>, variable: &str) -> Option<String> {
    harness.get_by_role_and_label(Role::TextInput, &format!("Value of {variable}")).value()
}

#[test]
fn a_call_is_saved_with_its_server_and_its_form_is_that_call() {
    let (mut harness, _, file) = opened("# mine\n");
    harness.get_by_label("echo").click();
    settle(&mut harness);
    harness.get_by_label("Save this call in the project file").click();
    settle(&mut harness);
    write(&mut harness, "Name of the saved call", "greet");
    harness.key_press(Key::Enter);
    settle(&mut harness);
    let text = file.borrow().clone();
    assert!(text.starts_with("# mine\n"), "{text}");
    let project = Project::read(&text).expect("a project");
    assert_eq!((project.calls[0].0.as_str(), project.calls[0].1.target.as_deref()), ("greet", Some("srv")));
    harness.get_by_label("Load greet");
    harness.get_by_label("saved as greet");
    harness.get_by_label("Run greet over srv");
}

#[test]
fn a_call_is_filled_in_with_the_values_there_are_and_the_others_are_marked() {
    let (mut harness, sent, _) = opened(FILE);
    press(&mut harness, "Load find");
    assert!(shows(&harness, "{{id}} has no value yet"));
    assert!(harness.query_all_by_value("{{id}} of Grace").next().is_some(), "what has a value is filled in");
    write(&mut harness, "Value of id", "9");
    settle(&mut harness);
    assert!(!shows(&harness, "{{id}} has no value yet"));
    harness.get_by_label("Put in the values of {{id}}");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Enter);
    settle(&mut harness);
    let call = calls(&sent).pop().expect("it was made");
    assert_eq!(params(&call), r#"{"name":"echo","arguments":{"message":"9 of Grace"}}"#);
    assert_eq!(call.cap, Some(90_000_000_000));
    assert_eq!(call.fields, [("X-Trace".to_owned(), "Grace".to_owned())]);
}

#[test]
fn saving_what_was_filled_in_keeps_its_variables_and_picks() {
    let (mut harness, _, file) = opened(FILE);
    press(&mut harness, "Load make");
    harness.get_by_label("Save this call in the project file").click();
    settle(&mut harness);
    harness.get_by_label("Save this call").click();
    settle(&mut harness);
    let project = Project::read(&file.borrow()).expect("a project");
    assert_eq!(project.calls.iter().map(|(name, _)| name.as_str()).next(), Some("make"));
    let before = Project::read(FILE).expect("a project");
    assert_eq!(project.calls[0].1, before.calls[0].1);
}

#[test]
fn a_chain_runs_with_what_is_picked_and_its_results_can_be_looked_at() {
    let (mut harness, sent, _) = opened(FILE);
    press(&mut harness, "Run both over srv");
    let made: Vec<String> = calls(&sent).iter().map(params).collect();
    assert_eq!(
        made,
        [
            r#"{"name":"make","arguments":{"name": "Grace", "limit": 5}}"#,
            r#"{"name":"echo","arguments":{"message": "7.50 of Grace"}}"#
        ]
    );
    harness.get_by_label("make: ok · id = 7.50");
    harness.get_by_label("find: ok");
    assert_eq!(value(&harness, "id").as_deref(), Some("7.50"));
    harness.get_by_label("by make");
    press(&mut harness, "Show the result of make, step 1");
    assert!(shows(&harness, "\"id\": 7.50"));
}

#[test]
fn a_step_that_fails_ends_the_run_and_says_why() {
    let (mut harness, sent, _) = opened(FILE);
    press(&mut harness, "Run broken over srv");
    assert!(shows(&harness, "wrong: failed, it was answered with a result with isError"));
    harness.get_by_label("find: waiting");
    assert_eq!(calls(&sent).len(), 1, "nothing more is sent");
}

#[test]
fn the_environment_and_what_is_set_count_for_what_is_run() {
    let (mut harness, sent, file) = opened(FILE);
    assert_eq!(value(&harness, "name").as_deref(), Some("Grace"));
    press(&mut harness, "work");
    assert_eq!(value(&harness, "name").as_deref(), Some("Ada"));
    assert!(harness.query_all_by_role_and_label(Role::Label, "work").next().is_some(), "where the value is from");
    write(&mut harness, "Value of limit", "\"a\"");
    settle(&mut harness);
    harness.get_by_label("set here");
    press(&mut harness, "Run make over srv");
    let made = calls(&sent).iter().map(params).collect::<Vec<_>>();
    assert_eq!(made, [r#"{"name":"make","arguments":{"name": "Ada", "limit": "a"}}"#]);
    press(&mut harness, "Reset limit to what the file says");
    assert_eq!(value(&harness, "limit").as_deref(), Some("5"));
    assert_eq!(*file.borrow(), FILE, "the file stays as it is");
}

#[test]
fn a_value_is_picked_by_keyboard_and_its_call_saved_with_it() {
    let (mut harness, _, file) = opened("# mine\n");
    harness.get_by_label("make").click();
    settle(&mut harness);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Enter);
    settle(&mut harness);
    for key in [Key::Enter, Key::J, Key::J, Key::X] {
        harness.key_press(key);
        settle(&mut harness);
    }
    harness.get_by_label("/content/0/text/id");
    harness.get_by_label("7.50");
    write(&mut harness, "Name of the variable", "number");
    write(&mut harness, "Name of the saved call", "first");
    harness.key_press(Key::Enter);
    settle(&mut harness);
    let project = Project::read(&file.borrow()).expect("a project");
    let call = &project.calls[0];
    assert_eq!(call.0, "first");
    assert_eq!(call.1.picks, [("number".to_owned(), "/content/0/text/id".to_owned())]);
    assert_eq!(value(&harness, "number").as_deref(), Some("7.50"));
    harness.get_by_label("by first");

    // The next one goes to the same saved call, without a name.
    harness.key_press(Key::J);
    settle(&mut harness);
    harness.key_press(Key::X);
    settle(&mut harness);
    assert!(harness.query_by_label("Name of the saved call").is_none());
    harness.get_by_label("Save the pick").click();
    settle(&mut harness);
    let project = Project::read(&file.borrow()).expect("a project");
    assert_eq!(project.calls[0].1.picks[1], ("tags".to_owned(), "/content/0/text/tags".to_owned()));
}

#[test]
fn a_value_is_picked_by_its_menu_in_the_tree() {
    let (mut harness, _, file) = opened(FILE);
    press(&mut harness, "Run make over srv");
    harness.get_by_label("Raw").click();
    settle(&mut harness);
    harness.get_by_label("Tree").click();
    settle(&mut harness);
    harness.get_by_label("\"isError\" false").click_secondary();
    settle(&mut harness);
    harness.get_by_label("Use in a saved call …   (x)").click();
    settle(&mut harness);
    harness.get_by_label("/isError");
    harness.get_by_label("Save the pick").click();
    settle(&mut harness);
    let project = Project::read(&file.borrow()).expect("a project");
    let picks = &project.calls.iter().find(|(name, _)| name == "make").expect("the call").1.picks;
    assert_eq!(picks[1], ("isError".to_owned(), "/isError".to_owned()));
    assert_eq!(value(&harness, "isError").as_deref(), Some("false"));
}

/// The server asks in the course of the last call.
fn ask(harness: &mut Harness<'static, App>) {
    let bench = &harness.state().desk().bench;
    let (id, call) = bench.current().map(|it| (it.id, it.calls.last().expect("a call").id)).expect("a connection");
    let question = Question {
        id: 3,
        method: "elicitation/create".to_owned(),
        params: Some((*br#"{"message":"?","requestedSchema":{"type":"object","properties":{}}}"#).into()),
        call: Some(call),
        key: None,
        round: 0,
        request: None,
    };
    let told = ClientEvent::Told(id, Box::new(Told::Asked(question)));
    harness.state_mut().desk_mut().absorb(Event::Client(told));
    harness.run_steps(4);
}

fn answered(sent: &Sent) -> Option<String> {
    let commands = sent.borrow();
    commands.iter().find_map(|command| match command {
        Command::Client(ClientCommand::Order(_, order)) => match &**order {
            Order::Answer(3, Answer::Result(text)) => Some(String::from_utf8_lossy(text).into_owned()),
            _ => None,
        },
        _ => None,
    })
}

#[test]
fn saved_answers_are_given_unless_the_person_is_to_be_asked() {
    for given in [true, false] {
        let (mut harness, sent, _) = opened(FILE);
        if !given {
            harness.get_by_label("Give saved answers").click_accesskit();
            harness.run_steps(4);
        }
        harness.get_by_label("Run ask over srv").click_accesskit();
        harness.run_steps(4);
        ask(&mut harness);
        let expected = r#"{"action":"accept","content":{"name":"Grace"}}"#;
        assert_eq!(answered(&sent).as_deref(), given.then_some(expected));
        assert_eq!(harness.query_by_label("1 question waits").is_some(), !given);
    }
}

#[test]
fn nothing_runs_over_a_server_with_other_credentials() {
    let other =
        FILE.replace("command = [\"srv\", \"stdio\"]", "command = [\"srv\", \"stdio\"]\nenv = { TOKEN = \"${T}\" }");
    let (mut harness, _, _) = opened(&other);
    harness.get_by_label("Load make");
    assert!(!shows(&harness, "Run make"), "the server that is connected has no token");
    press(&mut harness, "Load make");
    assert!(shows(&harness, "No connection to the server of this call"));
    press(&mut harness, "Connect to the server of make");
    harness.get_by_label("Run the command").click();
    settle(&mut harness);
    harness.get_by_label("Run make over srv");
}
