//! A schema as it was sent, read once.

use super::Verdict;

/// A JSON Schema, whatever it is: an object, `true`, `false`, or no schema at all.
#[derive(Debug, Default)]
pub struct Schema {
    text: Vec<u8>,
    faults: Vec<String>,
}

impl Schema {
    /// Reads a schema. What is wrong with it is in [`Schema::faults`]; a form is there all the same.
    pub fn read(text: &[u8]) -> Self {
        Self { text: text.to_vec(), faults: Vec::new() }
    }

    /// Its text as it was sent.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// What is wrong with it, in sentences.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// Which hosts and SDKs refuse it, or may, and why.
    pub fn verdicts(&self) -> Vec<Verdict> {
        Vec::new()
    }
}
