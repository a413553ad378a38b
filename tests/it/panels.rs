//! The window, worked by accessible label over a stand-in for the engine. `egui_kittest` fails by itself
//! when a control has no name or a sign is in no font.

mod client;
mod forms;
mod questions;
mod resend;
mod saved;
mod serving;
pub mod stage;
mod web;

use eframe::egui::accesskit::Role;
use eframe::egui::{Event, Key, Modifiers, OutputCommand};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use jiff::tz::TimeZone;
use midwire::engine::view::{Command, RowKey};
use midwire::ui::app::App;

use stage::{Sent, Stage};

/// A window over a stage, and what it asks for.
fn window(stage: Stage) -> (Harness<'static, App>, Sent) {
    let sent = stage.sent.clone();
    let mut harness = Harness::builder()
        .with_size([1280.0, 800.0])
        .with_max_steps(24)
        .with_theme(eframe::egui::Theme::Dark)
        .build_eframe(move |cc| App::new(cc, Box::new(stage), &[], TimeZone::UTC));
    harness.run_ok();
    (harness, sent)
}

fn asked(sent: &Sent, what: impl Fn(&Command) -> bool) -> bool {
    sent.borrow().iter().any(what)
}

/// What a key puts on the clipboard.
fn copied(harness: &mut Harness<'static, App>, key: Key, modifiers: Modifiers) -> Option<String> {
    // One event, one frame: what a frame puts on the clipboard is in its output only.
    harness.event(Event::Key { key, pressed: true, modifiers, repeat: false, physical_key: None });
    harness.step();
    let text = harness.output().platform_output.commands.iter().find_map(|command| match command {
        OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    harness.event(Event::Key { key, pressed: false, modifiers, repeat: false, physical_key: None });
    harness.run_ok();
    text
}

#[test]
fn the_first_recording_opens_by_itself_and_its_rows_are_shown() {
    let (harness, sent) = window(Stage::conversation());
    assert!(asked(&sent, |command| matches!(command, Command::Open(path) if path.ends_with("everything.midwire"))));
    harness.get_by_label("12 tools/list 16 tools");
    harness.get_by_label("70 tools/call search_docs pending");
    harness.get_by_label("everything, 1,204 entries");
    harness.get_by_label("git probe, 2 entries");
    harness.get_by_label("1,204 entries");
}

#[test]
fn a_row_that_is_chosen_is_shown_exactly_as_sent() {
    let (mut harness, sent) = window(Stage::conversation());
    harness.get_by_label("41 tools/call search_docs -32602").click();
    harness.run_ok();
    assert!(asked(&sent, |command| matches!(command, Command::Inspect(RowKey::Exchange(8)))));
    for line in ["1915883588174806058", "1e400", "-0.0", "\"limit\": \"10\"", "\"code\": -32602", "progress 1 of 3"] {
        assert!(harness.query_all_by_label_contains(line).next().is_some(), "{line} is not shown");
    }
    assert!(harness.query_all_by_label_contains("jsonrpc").next().is_none(), "the envelope is left out");
    harness.key_press(Key::E);
    harness.run_ok();
    assert!(harness.query_all_by_label_contains("\"jsonrpc\": \"2.0\"").next().is_some(), "unless it is asked for");
}

#[test]
fn what_is_copied_is_what_was_sent() {
    let (mut harness, _) = window(Stage::conversation());
    harness.get_by_label("44 prompts/get args-prompt ok").click();
    harness.run_ok();
    let exchange = copied(&mut harness, Key::Y, Modifiers::SHIFT).expect("something was copied");
    assert!(exchange.starts_with(stage::REQUEST), "{exchange}");
    harness.key_press(Key::Enter);
    harness.run_ok();
    for _ in 0..2 {
        harness.key_press(Key::J);
        harness.run_ok();
    }
    assert_eq!(copied(&mut harness, Key::C, Modifiers::SHIFT).as_deref(), Some("/error/message"));
    assert_eq!(copied(&mut harness, Key::C, Modifiers::NONE).as_deref(), Some("\"limit must be integer\""));
    let message = copied(&mut harness, Key::Y, Modifiers::NONE).expect("something was copied");
    assert!(message.starts_with(r#"{"jsonrpc":"2.0","id":7,"error""#) && message.ends_with("}\n"), "{message}");
}

#[test]
fn the_keyboard_is_enough() {
    let (mut harness, sent) = window(Stage::conversation());
    for key in [Key::J, Key::J, Key::Num2] {
        harness.key_press(key);
        harness.run_ok();
    }
    assert!(asked(&sent, |command| matches!(command, Command::Inspect(RowKey::Exchange(1)))));
    assert!(harness.query_all_by_label_contains("{ 4 members }").next().is_some(), "the tree");
    harness.key_press(Key::Num3);
    harness.run_ok();
    assert!(harness.query_all_by_label_contains("{\"jsonrpc\":\"2.0\",\"id\":7").next().is_some(), "the bytes");
    harness.get_by_label("Hex").click();
    harness.run_ok();
    assert!(harness.query_all_by_label_contains("7b 22 6a 73 6f 6e").next().is_some(), "in hexadecimal");
    harness.key_press(Key::Num4);
    harness.run_ok();
    assert!(harness.query_all_by_label_contains("waiting").next().is_some(), "the times");
    for _ in 0..2 {
        harness.key_press(Key::Escape);
        harness.run_ok();
    }
    harness.get_by_label_contains("Nothing is selected");
}

#[test]
fn a_filter_narrows_the_timeline_and_a_wrong_one_says_why() {
    let (mut harness, sent) = window(Stage::conversation());
    let field = harness.get_by_role_and_label(Role::TextInput, "Filter");
    field.focus();
    harness.run_ok();
    harness.get_by_role_and_label(Role::TextInput, "Filter").type_text("is:error");
    harness.run_ok();
    assert!(asked(&sent, |command| matches!(command, Command::Show { filter, .. } if filter == "is:error")));
    harness.get_by_label("41 tools/call search_docs -32602");
    assert!(harness.query_by_label("12 tools/list 16 tools").is_none());
    harness.get_by_role_and_label(Role::TextInput, "Filter").type_text(" latency>fast");
    harness.run_ok();
    assert!(!asked(&sent, |command| matches!(command, Command::Show { filter, .. } if filter.contains("fast"))));
    assert!(harness.query_all_by_label_contains("fast").next().is_some(), "the sentence about it");
    harness.get_by_label("Clear the filter").click();
    harness.run_ok();
    harness.get_by_label("12 tools/list 16 tools");
}

#[test]
fn words_are_completed() {
    let (mut harness, _) = window(Stage::conversation());
    harness.get_by_role_and_label(Role::TextInput, "Filter").focus();
    harness.run_ok();
    harness.get_by_role_and_label(Role::TextInput, "Filter").type_text("met");
    harness.run_ok();
    harness.key_press(Key::Tab);
    harness.run_ok();
    let value = harness.get_by_role_and_label(Role::TextInput, "Filter").value();
    assert_eq!(value.as_deref(), Some("method:"));
}

#[test]
fn ten_million_rows_scroll_to_their_end() {
    let (mut harness, sent) = window(Stage::endless(10_000_000));
    harness.key_press(Key::End);
    harness.run_ok();
    assert!(asked(&sent, |command| matches!(command, Command::Rows { first, .. } if *first > 9_999_800)));
    harness.get_by_label_contains("10000000 ");
    harness.key_press(Key::Home);
    harness.run_ok();
    harness.get_by_label("1 tools/list 16 tools");
    let rows = sent.borrow().iter().filter(|command| matches!(command, Command::Rows { .. })).count();
    assert!(rows < 20, "{rows} questions for three screens");
}

#[test]
fn a_folder_without_recordings_says_how_to_make_one() {
    let (harness, _) = window(Stage::empty());
    harness.get_by_label("Record a first server");
    harness.get_by_label_contains("midwire tap -- npx -y @modelcontextprotocol/server-everything");
    harness.get_by_label("Copy the command");
    harness.get_by_label("Copy the configuration");
}

#[test]
fn the_keys_are_shown_and_closed_again() {
    let (mut harness, _) = window(Stage::conversation());
    harness.key_press(Key::Questionmark);
    harness.run_ok();
    harness.get_by_label("Close the keys").click();
    harness.run_ok();
    assert!(harness.query_by_label("Close the keys").is_none());
}

#[test]
fn hits_of_a_search_are_counted_and_walked_through() {
    let (mut harness, _) = window(Stage::conversation());
    harness.get_by_label("41 tools/call search_docs -32602").click();
    harness.run_ok();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
    harness.run_ok();
    harness.get_by_label("Search in the detail").type_text("limit");
    harness.run_ok();
    harness.get_by_label("1 of 3");
    harness.key_press(Key::Enter);
    harness.run_ok();
    harness.get_by_label("2 of 3");
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert!(harness.query_by_label("2 of 3").is_none());
}
