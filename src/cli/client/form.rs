//! A form in plain text: one field after the other is asked for, and the JSON is made by the schema's own form.

use std::collections::HashSet;
use std::sync::Arc;

use crate::schema::{Control, Field, FieldId, Form, Presence, Schema};

/// A form that is being filled in.
#[derive(Debug)]
pub(super) struct Questionnaire {
    form: Form,
    asked: HashSet<FieldId>,
}

/// What comes next.
#[derive(Debug)]
pub(super) enum Filled {
    /// A field, in lines of which the last waits.
    Ask(Vec<String>),
    /// Nothing: this is what was filled in, and what the schema has against it.
    Done {
        /// The JSON.
        content: String,
        /// Sentences.
        advice: Vec<String>,
    },
}

impl Questionnaire {
    /// One for a schema.
    pub(super) fn new(schema: &[u8]) -> Self {
        Self { form: Form::new(Arc::new(Schema::read(schema))), asked: HashSet::new() }
    }

    /// What comes next.
    pub(super) fn next(&self) -> Filled {
        if let Some(field) = self.field() {
            return Filled::Ask(question(field));
        }
        let advice =
            |field: &Field| field.advice.iter().map(|advice| format!("{}: {advice}", field.name)).collect::<Vec<_>>();
        Filled::Done { content: self.form.text(), advice: self.form.fields().iter().flat_map(advice).collect() }
    }

    /// Takes the answer for the field that was asked for. Nothing leaves it as it is.
    pub(super) fn answer(&mut self, line: &str) {
        let Some(field) = self.field().cloned() else { return };
        self.asked.insert(field.id);
        if line.is_empty() {
            return;
        }
        match &field.control {
            Control::Switch => {
                let text = match line.trim().to_ascii_lowercase().as_str() {
                    "y" | "yes" | "1" => "true".to_owned(),
                    "n" | "no" | "0" => "false".to_owned(),
                    other => other.to_owned(),
                };
                self.form.set_text(field.id, &text);
            }
            Control::Choice(_) | Control::Variant { .. } => {
                if let Some(index) = index(&field, line) {
                    self.present(&field);
                    self.form.choose(field.id, index, true);
                } else {
                    self.form.set_text(field.id, line);
                }
            }
            Control::Choices(_) => {
                self.present(&field);
                for word in line.split(',') {
                    if let Some(index) = index(&field, word.trim()) {
                        self.form.choose(field.id, index, true);
                    }
                }
            }
            _ => self.form.set_text(field.id, line),
        }
    }

    fn present(&mut self, field: &Field) {
        if field.presence != Presence::Value {
            self.form.set_presence(field.id, Presence::Value);
        }
    }

    /// The field that is asked for: the first that was not, and that can be answered in a line.
    fn field(&self) -> Option<&Field> {
        let can = |field: &&Field| {
            !matches!(field.control, Control::Object { .. } | Control::Array { .. } | Control::Fixed(_))
        };
        self.form.fields().iter().filter(can).find(|field| !self.asked.contains(&field.id))
    }
}

/// The number, counting from 1, or the label of what is chosen.
fn index(field: &Field, word: &str) -> Option<usize> {
    let labels = labels(field);
    let by_label = labels.iter().position(|label| label == word);
    by_label.or_else(|| word.parse::<usize>().ok()?.checked_sub(1).filter(|index| *index < labels.len()))
}

fn labels(field: &Field) -> Vec<String> {
    match &field.control {
        Control::Choice(all) | Control::Choices(all) => all.iter().map(|(label, _)| label.clone()).collect(),
        Control::Variant { labels, .. } => labels.to_vec(),
        _ => Vec::new(),
    }
}

fn question(field: &Field) -> Vec<String> {
    let mut lines: Vec<String> = field.description.iter().map(|text| format!("  {text}")).collect();
    lines.extend(labels(field).iter().enumerate().map(|(index, label)| format!("    {}) {label}", index + 1)));
    let title = field.title.as_ref().map_or_else(String::new, |title| format!(" ({title})"));
    let need = if field.required { "required" } else { "optional" };
    let kept = if field.presence == Presence::Value && !field.text.is_empty() {
        format!(" [{}]", field.text)
    } else {
        String::new()
    };
    lines.push(format!("  {}{title}, {}, {need}{kept}: ", field.name, field.caption));
    lines
}
