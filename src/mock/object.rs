//! A JSON object that is put together from members of JSON text.

use crate::wire::{Json, quote};

/// Members in their order.
#[derive(Debug, Clone, Default)]
pub(super) struct Object(Vec<(String, String)>);

impl Object {
    /// Sets a member, in place of one with that name.
    pub(super) fn put(&mut self, name: &str, json: impl Into<String>) {
        let json = json.into();
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = json,
            None => self.0.push((name.to_owned(), json)),
        }
    }

    /// Sets a member where there is a value.
    pub(super) fn maybe(&mut self, name: &str, json: Option<String>) {
        if let Some(json) = json {
            self.put(name, json);
        }
    }

    /// Sets a member to a text where there is one.
    pub(super) fn text(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.put(name, quote(text));
        }
    }

    /// Takes away a member.
    pub(super) fn drop(&mut self, name: &str) {
        self.0.retain(|(known, _)| known != name);
    }

    /// Sets every member of another object.
    pub(super) fn take(&mut self, other: Json<'_>) {
        for (name, value) in other.members() {
            let name = name.text().unwrap_or_default();
            self.put(&name, String::from_utf8_lossy(value.raw()));
        }
    }

    /// An object as it was read.
    pub(super) fn of(json: Json<'_>) -> Self {
        let mut object = Self::default();
        object.take(json);
        object
    }

    /// As JSON text.
    pub(super) fn json(&self) -> String {
        let members: Vec<String> = self.0.iter().map(|(name, json)| format!("{}:{json}", quote(name))).collect();
        format!("{{{}}}", members.join(","))
    }
}

/// A JSON list of these values.
pub(super) fn list(items: &[String]) -> String {
    format!("[{}]", items.join(","))
}
