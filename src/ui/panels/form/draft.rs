//! What is being written: the fields of a form and its JSON text as one thing. Whichever was edited last is what is
//! sent, the text byte for byte; the other follows it. Nothing here draws.

use std::sync::Arc;

use crate::schema::{FieldId, Form, Presence, Problem, Schema, sample};
use crate::ui::widgets::code::Fault;

/// How a draft is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Field by field.
    #[default]
    Form,
    /// As JSON text.
    Json,
}

/// Something done to a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// It was typed in.
    Text(FieldId, String),
    /// It is to be sent otherwise, or not at all.
    Presence(FieldId, Presence),
    /// One of its choices was taken or given up.
    Choose(FieldId, usize, bool),
    /// It gets one more item or member.
    Add(FieldId),
    /// It is taken away.
    Remove(FieldId),
    /// It is called otherwise.
    Rename(FieldId, String),
    /// It is folded or unfolded.
    Fold(FieldId, bool),
}

/// A value that is being written by a schema.
pub struct Draft {
    schema: Arc<Schema>,
    form: Form,
    /// The text of the JSON view.
    json: String,
    /// Whether that text was edited last, and so is what is sent.
    typed: bool,
    /// The form's version that the text was made of.
    made_of: Option<u64>,
    fault: Option<Fault>,
    /// Counts up with each change of what is sent.
    version: u64,
    /// How it is looked at.
    pub mode: Mode,
}

impl Draft {
    /// A draft by a schema, given as its JSON text; defaults are filled in.
    pub fn new(source: &[u8]) -> Self {
        let schema = Arc::new(Schema::read(source));
        let form = Form::new(Arc::clone(&schema));
        Self {
            schema,
            form,
            json: String::new(),
            typed: false,
            made_of: None,
            fault: None,
            version: 0,
            mode: Mode::Form,
        }
    }

    /// The form.
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// What the schema itself lacks, in sentences.
    pub fn schema_faults(&self) -> &[String] {
        self.schema.faults()
    }

    /// The JSON that is sent: the text as typed where that was edited last, however wrong.
    pub fn text(&self) -> String {
        if self.typed { self.json.clone() } else { self.form.text() }
    }

    /// What keeps the text that is sent from being JSON.
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// Counts up with each change of what is sent.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The text of the JSON view, to be edited in place; [`Draft::typed`] is to be called when it was.
    pub fn json(&mut self) -> &mut String {
        if !self.typed && self.made_of != Some(self.form.version()) {
            self.json = self.form.pretty();
            self.made_of = Some(self.form.version());
        }
        &mut self.json
    }

    /// The text of the JSON view was edited: it is what is sent, and the form follows as far as it can.
    pub fn typed(&mut self) {
        // A text that the form has no room for stays what is sent; the form shows what it showed.
        let _ = self.follow();
    }

    /// Takes over the text of the JSON view; whether the form could follow.
    fn follow(&mut self) -> bool {
        self.version += 1;
        self.typed = true;
        self.fault = Fault::of(&self.json);
        self.fault.is_none() && self.form.fill(self.json.as_bytes()).is_ok()
    }

    /// Replaces everything by a JSON text, as if it had been typed.
    pub fn fill(&mut self, json: &str) {
        json.clone_into(&mut self.json);
        if self.follow() && self.mode == Mode::Form {
            self.typed = false;
            self.made_of = None;
        }
    }

    /// Gives up a text that is no JSON: the form, as it was last, is what is sent.
    pub fn back_to_form(&mut self) {
        self.version += 1;
        self.typed = false;
        self.made_of = None;
        self.fault = None;
    }

    /// Fills in a JSON text that fits the schema, in whichever view. Returns what stood there, for
    /// [`Draft::back_to`].
    pub(super) fn example(&mut self, json: &str) -> Was {
        let form = std::mem::replace(&mut self.form, Form::new(Arc::clone(&self.schema)));
        let was = Was {
            form,
            json: std::mem::take(&mut self.json),
            typed: self.typed,
            made_of: self.made_of,
            fault: self.fault.take(),
        };
        // It was made as JSON; there is nothing in it that could be refused.
        let _ = self.form.fill(json.as_bytes());
        self.back_to_form();
        was
    }

    /// Puts back what stood there before an example, each sign of it.
    pub(super) fn back_to(&mut self, was: Was) {
        self.version += 1;
        (self.form, self.json, self.typed) = (was.form, was.json, was.typed);
        (self.made_of, self.fault) = (was.made_of, was.fault);
    }

    /// The work of making an example up, to be done elsewhere.
    pub fn sample(&self) -> impl FnOnce() -> Option<String> + Send + 'static {
        let schema = Arc::clone(&self.schema);
        move || sample(&schema)
    }

    /// Back to the schema's defaults.
    pub fn reset(&mut self) {
        self.form = Form::new(Arc::clone(&self.schema));
        self.back_to_form();
    }

    /// Does what was done to a field; from then on the form is what is sent.
    pub fn apply(&mut self, edit: Edit) -> Option<FieldId> {
        let before = self.form.version();
        let folds = matches!(edit, Edit::Fold(..));
        let mut added = None;
        match edit {
            Edit::Text(id, text) => self.form.set_text(id, &text),
            Edit::Presence(id, presence) => self.form.set_presence(id, presence),
            Edit::Choose(id, index, on) => self.form.choose(id, index, on),
            Edit::Add(id) => added = self.form.add(id),
            Edit::Remove(id) => self.form.remove(id),
            Edit::Rename(id, name) => self.form.rename(id, &name),
            Edit::Fold(id, fold) => self.form.fold(id, fold),
        }
        if !folds && self.form.version() != before {
            self.back_to_form();
        }
        added
    }

    /// The work of checking what is sent against the schema, to be done elsewhere.
    pub fn check(&self) -> impl FnOnce() -> Verdict + Send + 'static {
        let (schema, text) = (Arc::clone(&self.schema), self.text());
        move || match schema.validator() {
            Ok(validator) => {
                let problems = validator.problems(text.as_bytes());
                Verdict { dialect: validator.dialect().to_owned(), problems, failed: None }
            }
            Err(why) => Verdict { dialect: String::new(), problems: Vec::new(), failed: Some(why.clone()) },
        }
    }
}

/// What stood in a draft before an example: its fields and its text.
pub(super) struct Was {
    form: Form,
    json: String,
    typed: bool,
    made_of: Option<u64>,
    fault: Option<Fault>,
}

/// What a schema has against a value.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// The dialect that it was read by.
    pub dialect: String,
    /// What does not fit.
    pub problems: Vec<Problem>,
    /// Why it could not be checked.
    pub failed: Option<String>,
}
