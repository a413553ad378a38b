//! Forms, worked by accessible label: drafts are never reformatted, what is not sent is not sent, and what is typed as
//! JSON is what is sent.

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use midwire::ui::panels::form::{FormPanel, Mode, Wish};
use midwire::ui::theme;

type Form = Harness<'static, FormPanel>;

fn form(schema: &str) -> Form {
    let mut dressed = false;
    let show = move |ui: &mut eframe::egui::Ui, panel: &mut FormPanel| {
        // The fonts of the window are there from the second frame on.
        if std::mem::replace(&mut dressed, true) {
            panel.example(ui);
            panel.show(ui, 560.0);
        } else {
            theme::install(ui.ctx());
        }
    };
    let panel = FormPanel::new("test", schema.as_bytes());
    let mut harness = Harness::builder().with_size([720.0, 600.0]).with_max_steps(24).build_ui_state(show, panel);
    harness.run_ok();
    harness.run_ok();
    harness
}

fn write(harness: &mut Form, label: &str, text: &str) {
    harness.get_by_role_and_label(Role::TextInput, label).focus();
    harness.run_ok();
    harness.get_by_role_and_label(Role::TextInput, label).type_text(text);
    harness.run_ok();
}

fn sent(harness: &Form) -> String {
    harness.state().text()
}

/// Chooses how a field is sent, from its menu.
fn send_as(harness: &mut Form, chooser: &str, word: &str) {
    harness.get_by_role_and_label(Role::ComboBox, chooser).click();
    harness.run_ok();
    harness.query_all_by_label_contains(word).last().expect("the word is offered").click();
    harness.run_ok();
}

#[test]
fn a_list_typed_as_text_stays_as_typed_and_can_be_deleted_sign_by_sign() {
    // T-64: in a field of any JSON and in one of text the draft is what was typed, never what a parser made of it.
    let typed = r#"["item-1","item-2"]"#;
    let mut harness = form(r#"{"type":"object","properties":{"any":{},"text":{"type":"string"}}}"#);
    for (label, role) in [("any", Role::MultilineTextInput), ("text", Role::TextInput)] {
        harness.get_by_role_and_label(role, label).focus();
        harness.run_ok();
        harness.get_by_role_and_label(role, label).type_text(typed);
        harness.run_ok();
        for length in (1..=typed.len()).rev() {
            let value = harness.get_by_role_and_label(role, label).value();
            assert_eq!(value.as_deref(), Some(&typed[..length]), "the draft of {label}");
            harness.key_press(Key::Backspace);
            harness.run_ok();
        }
        assert_eq!(harness.get_by_role_and_label(role, label).value().unwrap_or_default(), "");
    }
    harness.get_by_role_and_label(Role::MultilineTextInput, "any").focus();
    harness.run_ok();
    harness.get_by_role_and_label(Role::MultilineTextInput, "any").type_text(typed);
    harness.run_ok();
    assert!(sent(&harness).contains(r#""any":["item-1","item-2"]"#), "{}", sent(&harness));
    assert!(!sent(&harness).contains(r#"\"item"#), "it is not stringified again");
}

#[test]
fn numbers_keep_their_digits_and_what_is_no_number_is_sent_all_the_same() {
    let mut harness = form(r#"{"type":"object","properties":{"limit":{"type":"integer"}},"required":["limit"]}"#);
    write(&mut harness, "limit", "1915883588174806058");
    assert_eq!(sent(&harness), r#"{"limit":1915883588174806058}"#);
    assert!(harness.query_all_by_label_contains("asks for").next().is_none(), "nothing against it");
    write(&mut harness, "limit", "x");
    assert!(sent(&harness).contains("1915883588174806058x"), "{}", sent(&harness));
    assert!(harness.query_all_by_label_contains("integer").count() > 1, "the schema's word against it is shown");
}

#[test]
fn a_field_is_omitted_null_empty_or_a_value_as_was_chosen() {
    // T-68: untouched, cleared, and typed are told apart, for an optional field that may be null.
    let mut harness = form(r#"{"type":"object","properties":{"section":{"type":["string","null"]}}}"#);
    assert_eq!(sent(&harness), "{}", "untouched");
    write(&mut harness, "section", "a");
    assert_eq!(sent(&harness), r#"{"section":"a"}"#);
    harness.key_press(Key::Backspace);
    harness.run_ok();
    assert_eq!(sent(&harness), r#"{"section":""}"#, "cleared by hand is empty, not gone");
    send_as(&mut harness, "section: empty", "null is sent");
    assert_eq!(sent(&harness), r#"{"section":null}"#);
    send_as(&mut harness, "section: null", "not sent at all");
    assert_eq!(sent(&harness), "{}");
    send_as(&mut harness, "section: omit", "\"\" is sent");
    assert_eq!(sent(&harness), r#"{"section":""}"#);
}

#[test]
fn variants_send_their_constants_with_the_type_they_have() {
    // T-66: a root anyOf with numeric and textual discriminators, and a boolean schema.
    let schema = r#"{"anyOf":[
        {"type":"object","title":"one","properties":{"kind":{"const":1},"data":true},"required":["kind"]},
        {"type":"object","title":"two","properties":{"kind":{"const":"2"}},"required":["kind"]}]}"#;
    let mut harness = form(schema);
    let chooser = harness.query_all_by_role(Role::ComboBox).next().expect("a chooser of shapes");
    chooser.click();
    harness.run_ok();
    harness.query_all_by_label_contains("two").last().expect("the second shape").click();
    harness.run_ok();
    assert_eq!(sent(&harness), r#"{"kind":"2"}"#);
    harness.query_all_by_role(Role::ComboBox).next().expect("a chooser of shapes").click();
    harness.run_ok();
    harness.query_all_by_label_contains("one").last().expect("the first shape").click();
    harness.run_ok();
    assert_eq!(sent(&harness), r#"{"kind":1}"#, "a number, not a text");
}

#[test]
fn what_is_typed_as_json_is_sent_byte_for_byte_and_the_form_follows() {
    // T-69: no coercion by the schema, whitespace and digits kept, and even what is no JSON is sent.
    let mut harness = form(r#"{"type":"object","properties":{"n":{"type":"integer"}}}"#);
    harness.state_mut().draft.mode = Mode::Json;
    harness.run_ok();
    let editor = |harness: &Form| harness.get_by_role_and_label(Role::MultilineTextInput, "Arguments as JSON").value();
    harness.get_by_role_and_label(Role::MultilineTextInput, "Arguments as JSON").focus();
    harness.run_ok();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.run_ok();
    let typed = r#"{ "n": "07",  "other": 1e400 }"#;
    harness.get_by_role_and_label(Role::MultilineTextInput, "Arguments as JSON").type_text(typed);
    harness.run_ok();
    assert_eq!(editor(&harness).as_deref(), Some(typed));
    assert_eq!(sent(&harness), typed);
    harness.state_mut().draft.mode = Mode::Form;
    harness.run_ok();
    assert_eq!(sent(&harness), typed, "looking at the form changes nothing");
    assert!(harness.query_all_by_label_contains("other").next().is_some(), "what the schema does not know is shown");
    harness.state_mut().draft.mode = Mode::Json;
    harness.run_ok();
    harness.get_by_role_and_label(Role::MultilineTextInput, "Arguments as JSON").focus();
    harness.run_ok();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::End);
    harness.run_ok();
    harness.get_by_role_and_label(Role::MultilineTextInput, "Arguments as JSON").type_text("}");
    harness.run_ok();
    assert_eq!(sent(&harness), format!("{typed}}}"));
    harness.get_by_label_contains("Line 1, column 31");
    harness.state_mut().draft.mode = Mode::Form;
    harness.run_ok();
    harness.get_by_label("Give the text up and go back to the form").click();
    harness.run_ok();
    assert!(sent(&harness).contains("1e400"), "the form has what was JSON last: {}", sent(&harness));
}

#[test]
fn items_are_added_and_taken_away() {
    let schema =
        r#"{"type":"object","properties":{"tags":{"type":"array","items":{"type":"string"}}},"required":["tags"]}"#;
    let mut harness = form(schema);
    for text in ["a", "b"] {
        harness.get_by_label("Add to tags").click();
        harness.run_ok();
        harness.run_ok();
        let label = if text == "a" { "tags/0" } else { "tags/1" };
        write(&mut harness, label, text);
    }
    assert_eq!(sent(&harness), r#"{"tags":["a","b"]}"#);
    harness.get_by_label("Take away tags/0").click();
    harness.run_ok();
    assert_eq!(sent(&harness), r#"{"tags":["b"]}"#);
}

#[test]
fn of_thousands_of_fields_only_those_in_view_are_drawn() {
    let members: Vec<String> = (0..5_000).map(|n| format!(r#""field{n}":{{"type":"string"}}"#)).collect();
    let mut harness = form(&format!(r#"{{"type":"object","properties":{{{}}}}}"#, members.join(",")));
    let drawn = harness.query_all_by_role(Role::TextInput).count();
    assert!((5..60).contains(&drawn), "{drawn} fields are drawn");
    write(&mut harness, "field3", "x");
    assert_eq!(sent(&harness), r#"{"field3":"x"}"#);
    // Tab leads on beyond the edge: what gets the keyboard comes into view.
    for _ in 0..60 {
        harness.key_press(Key::Tab);
        harness.run_ok();
    }
    assert!(harness.query_by_label("field0").is_none(), "it has scrolled on");
}

#[test]
fn what_a_server_offers_is_taken_by_the_keyboard() {
    let mut harness = form(r#"{"type":"object","properties":{"city":{"type":"string"},"land":{"type":"string"}}}"#);
    harness.state_mut().completes(true);
    write(&mut harness, "land", "SE");
    write(&mut harness, "city", "L");
    // The server is asked only once nothing has been typed for a moment.
    harness.run_steps(24);
    let wish = std::iter::from_fn(|| harness.state_mut().wish()).last().expect("it is asked");
    let others = vec![("land".to_owned(), "SE".to_owned())];
    assert_eq!(wish, Wish { argument: "city".to_owned(), value: "L".to_owned(), others });
    let offers = ["Lund".to_owned(), "Luleå".to_owned()].to_vec();
    harness.state_mut().offered(&wish, Some((offers, String::new())));
    harness.run_ok();
    harness.get_by_role_and_label(Role::ListBoxOption, "Luleå");
    for key in [Key::ArrowDown, Key::ArrowDown, Key::Enter] {
        harness.key_press(key);
        harness.run_ok();
    }
    assert!(sent(&harness).contains(r#""city":"Luleå""#), "{}", sent(&harness));
    assert!(harness.query_by_role_and_label(Role::ListBoxOption, "Lund").is_none(), "the list is closed");
}

#[test]
fn a_made_up_example_is_filled_in_and_gives_way_to_what_was_typed() {
    let schema =
        r#"{"type":"object","properties":{"n":{"type":"integer","minimum":7},"s":{"type":"string"}},"required":["n"]}"#;
    let mut harness = form(schema);
    write(&mut harness, "n", "x1");
    let typed = sent(&harness);
    for mode in [Mode::Form, Mode::Json] {
        harness.state_mut().draft.mode = mode;
        press(&mut harness, "Fill in a made-up example that fits the schema");
        until(&mut harness, |sent| sent != typed);
        assert_eq!(sent(&harness), r#"{"n":7}"#);
        press(&mut harness, "Give the example up, and go back to what was typed before it");
        assert_eq!(sent(&harness), typed, "what does not fit the schema too");
        assert!(harness.query_by_label_contains("Give the example up").is_none());
    }
    // A text that is no JSON comes back as it was.
    harness.state_mut().draft.fill("{ \"n\": ");
    harness.run_ok();
    press(&mut harness, "Fill in a made-up example that fits the schema");
    until(&mut harness, |sent| sent == r#"{"n":7}"#);
    press(&mut harness, "Give the example up, and go back to what was typed before it");
    assert_eq!(sent(&harness), "{ \"n\": ");
}

fn press(harness: &mut Form, label: &str) {
    harness.get_by_label(label).click();
    harness.run_ok();
}

/// Draws frames until what is sent is so; the worker needs its time.
fn until(harness: &mut Form, is: impl Fn(&str) -> bool) {
    for _ in 0..2_000 {
        harness.run_ok();
        if is(&sent(harness)) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    panic!("what is sent stays {}", sent(harness));
}
