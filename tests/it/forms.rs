//! Forms for the schemas that real servers have: tests/data/schemas.jsonl holds every `inputSchema`, `outputSchema`
//! and `requestedSchema` of the captured conversations, `{"of": "tool"|"output"|"elicitation", "name", "schema"}`.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use midwire::schema::{Control, Form, Presence, Schema, sample};
use midwire::wire::Json;

/// What a schema is of, whose, and the schema.
fn schemas() -> Vec<(String, String, String)> {
    let text = include_str!("../data/schemas.jsonl");
    let read = |line: &str| {
        let json = Json::parse(line.as_bytes()).expect("a line of JSON");
        let text = |name| json.get(name).and_then(|value| value.text()).expect("a string").into_owned();
        let schema = json.get("schema").expect("a schema").raw().to_vec();
        (text("of"), text("name"), String::from_utf8(schema).expect("UTF-8"))
    };
    text.lines().map(read).collect()
}

#[test]
fn every_captured_schema_has_a_form_through_which_instances_go_unchanged() {
    let (mut tools, mut others) = (0, 0);
    for (of, name, text) in schemas() {
        let schema = Arc::new(Schema::read(text.as_bytes()));
        assert!(schema.faults().is_empty(), "{name}: {:?}", schema.faults());
        let made = sample(&schema).unwrap_or_else(|| panic!("no instance for {of} {name}: {text}"));
        let mut form = Form::new(Arc::clone(&schema));
        let root = form.root().control.clone();
        assert!(matches!(root, Control::Object { .. } | Control::Variant { .. }), "{name}: {root:?}");
        form.fill(made.as_bytes()).expect("it is JSON");
        assert_eq!(form.text(), made, "{name}");
        assert!(form.fields().iter().all(|field| field.advice.is_empty()), "{name}: {:#?}", form.fields());
        open_everything(&mut form);
        let full = form.text();
        form.fill(full.as_bytes()).expect("it is JSON");
        assert_eq!(form.text(), full, "{name}");
        *(if of == "tool" { &mut tools } else { &mut others }) += 1;
    }
    assert!(tools > 100 && others > 50, "{tools} {others}");
}

/// Makes a value of whatever is omitted, and an item of whatever can have one.
fn open_everything(form: &mut Form) {
    for _ in 0..4 {
        let fields: Vec<_> =
            form.fields().iter().map(|field| (field.id, field.presence, field.control.clone())).collect();
        for (id, presence, control) in fields {
            if presence == Presence::Omit {
                form.set_presence(id, Presence::Value);
            }
            if matches!(control, Control::Array { open: true }) {
                form.add(id);
            }
        }
    }
}

#[test]
fn a_fresh_form_of_an_elicitation_sends_what_it_shows() {
    for (_, name, text) in schemas().into_iter().filter(|(of, ..)| of == "elicitation") {
        let form = Form::new(Arc::new(Schema::read(text.as_bytes())));
        let sent = form.text();
        let sent = Json::parse(sent.as_bytes()).expect("it is JSON");
        for field in form.fields().iter().filter(|field| field.depth == 0) {
            let is_sent = sent.pointer(&field.pointer).is_some();
            let says_so =
                field.presence != Presence::Omit && !field.advice.iter().any(|advice| advice == "nothing is typed");
            assert_eq!(is_sent, says_so, "{name}: {field:#?}");
            assert!(is_sent || !field.caption.contains("default"), "{name}: {field:#?}");
        }
    }
}

#[test]
#[ignore = "says how long large forms take; run it with --release --nocapture"]
fn how_long_large_forms_take() {
    let mut members = String::new();
    for at in 0..10_000 {
        let comma = if at == 0 { "" } else { "," };
        let _ = write!(members, r#"{comma}"p{at}":{{"type":"string","description":"number {at}","maxLength":9}}"#);
    }
    let wide = format!(r#"{{"type":"object","properties":{{{members}}}}}"#);
    let schema = took("read 10,000 properties", || Arc::new(Schema::read(wide.as_bytes())));
    let mut form = took("make the form", || Form::new(schema));
    let id = form.fields()[5000].id;
    took("the first letter", || form.set_text(id, "x"));
    took("another letter", || form.set_text(id, "xy"));
    took("null", || form.set_presence(id, Presence::Null));
    took("the text", || form.text());
    took("check it", || form.check());
    let long = r#"{"type":"object","properties":{"l":{"type":"array","items":{"type":"object","properties":{"a":{"type":"integer"}}}}}}"#;
    let mut form = Form::new(Arc::new(Schema::read(long.as_bytes())));
    let items = vec![r#"{"a":1}"#; 100_000].join(",");
    took("fill in 100,000 items", || form.fill(format!(r#"{{"l":[{items}]}}"#).as_bytes())).expect("it is JSON");
    let id = form.fields()[0].id;
    took("unfold them", || form.fold(id, false));
    let id = form.fields()[100_000].id;
    took("a letter", || form.set_text(id, "12"));
    took("one more item", || form.add(form.fields()[0].id));
    took("the text", || form.text());
    took("check it", || form.check());
}

fn took<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let made = work();
    println!("{what}: {:.1?}", start.elapsed());
    made
}
