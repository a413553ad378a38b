//! What a form sends, after what was done with it.

use std::sync::Arc;

use crate::schema::{Control, Field, Form, Presence, Schema};

mod bad;
mod edits;
mod filled;
mod random;
mod table;
mod variants;

fn form(schema: &str) -> Form {
    Form::new(Arc::new(Schema::read(schema.as_bytes())))
}

fn field<'a>(form: &'a Form, pointer: &str) -> &'a Field {
    let found = form.fields().iter().rev().find(|field| field.pointer == pointer);
    found.unwrap_or_else(|| panic!("no field {pointer} in {:#?}", form.fields()))
}

fn type_in(form: &mut Form, pointer: &str, text: &str) {
    let id = field(form, pointer).id;
    form.set_text(id, text);
}

fn presence(form: &mut Form, pointer: &str, presence: Presence) {
    let id = field(form, pointer).id;
    form.set_presence(id, presence);
}

#[test]
fn a_flat_object_has_a_field_for_each_member() {
    let form = form(
        r#"{"type":"object","required":["a"],"properties":{
            "a":{"type":"string","title":"The A","description":"first"},
            "b":{"type":"integer","minimum":1,"maximum":50},
            "c":{"type":"boolean","default":true},
            "d":{"enum":["x",2,null]},
            "e_f":{"type":["string","null"],"title":"E F"}}}"#,
    );
    let told: Vec<String> = form
        .fields()
        .iter()
        .map(|field| {
            format!("{} {:?} {} {:?} {:?}", field.name, field.title, field.caption, field.presence, field.control)
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    a Some("The A") string Value Text
    b None integer, 1 to 50 Omit Number
    c None boolean, default true Value Switch
    d None one of 2 or null Omit Choice([("x", "\"x\""), ("2", "2")])
    e_f None string or null Omit Text
    "#);
    assert_eq!(form.text(), r#"{"a":"","c":true}"#);
    assert_eq!(field(&form, "/e_f").presences, [Presence::Omit, Presence::Null, Presence::Empty, Presence::Value]);
    assert_eq!(field(&form, "/a").presences, [Presence::Empty, Presence::Value, Presence::Omit]);
    assert_eq!(form.root().control, Control::Object { open: true });
}

fn names(form: &Form) -> Vec<String> {
    form.fields().iter().map(|field| format!("{}{}", "  ".repeat(field.depth.into()), field.name)).collect()
}

fn add(form: &mut Form, pointer: &str) -> u32 {
    let id = field(form, pointer).id;
    form.add(id).unwrap_or_else(|| panic!("no room at {pointer}"))
}

fn choose(form: &mut Form, pointer: &str, index: usize) {
    // A variant and what it is stand at one place; the first of them is the variant.
    let id = form.fields().iter().find(|field| field.pointer == pointer).map(|field| field.id);
    form.choose(id.unwrap_or_else(|| panic!("no field {pointer}")), index, true);
}
