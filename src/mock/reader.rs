//! Reads tables of a mock file: each key by the type that it is to have, with a fault where it has another. What is at
//! fault is left out, so that the rest can be served.

use toml::de::DeValue;

use super::Fault;
use super::keys::{Keys, nearest};
use super::object::Object;
use super::source::{Member, Value, extent, fault, items_of, json, kind, members, number_of, table_of, text_of};
use crate::model::Nanos;
use crate::peer::server::{Bytes, Text, fill};
use crate::wire::{Json, JsonKind, quote};

/// How many faults are told of; who has more mends these first.
const MOST_FAULTS: usize = 200;

/// What is read, and what was wrong so far.
pub(super) struct Reader<'s> {
    pub(super) text: &'s str,
    pub(super) faults: Vec<Fault>,
    files: &'s dyn Fn(&str) -> Result<Vec<u8>, String>,
    /// The files that were named.
    pub(super) named: Vec<String>,
    /// Whether what is being read is filled in when it is sent.
    pub(super) fills: bool,
}

/// A table whose keys are all known.
pub(super) struct Table<'t, 'i> {
    members: Vec<Member<'t, 'i>>,
    pub(super) value: &'t Value<'i>,
}

impl<'t, 'i> Table<'t, 'i> {
    /// The value of a key.
    pub(super) fn get(&self, name: &str) -> Option<&'t Value<'i>> {
        self.members.iter().find(|member| member.name == name).map(|member| member.value)
    }

    /// Whether it has one of these keys.
    pub(super) fn has(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.get(name).is_some())
    }

    /// Where it begins.
    pub(super) fn at(&self) -> usize {
        extent(self.value).start
    }
}

impl<'s> Reader<'s> {
    pub(super) fn new(text: &'s str, files: &'s dyn Fn(&str) -> Result<Vec<u8>, String>) -> Self {
        Self { text, faults: Vec::new(), files, named: Vec::new(), fills: true }
    }

    pub(super) fn fault(&mut self, at: usize, why: impl Into<String>) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(fault(self.text, at, why));
        }
    }

    /// A table of a kind; keys that it does not have are faults.
    pub(super) fn table<'t, 'i>(&mut self, value: &'t Value<'i>, keys: Keys) -> Option<Table<'t, 'i>> {
        let Some(table) = table_of(value) else {
            self.fault(value.span().start, format!("{} is a table, not {}", keys.what, kind(value)));
            return None;
        };
        let members = members(table);
        for member in &members {
            if !keys.all().any(|known| known == member.name) {
                let hint = match nearest(member.name, keys.all()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("it has {}", keys.all().collect::<Vec<_>>().join(", ")),
                };
                self.fault(member.at, format!("{} has no key `{}`; {hint}", keys.what, member.name));
            }
        }
        Some(Table { members, value })
    }

    /// The tables of a key that is an array of tables, `[[tool]]`.
    pub(super) fn tables<'t, 'i>(&mut self, table: &Table<'t, 'i>, name: &str, keys: Keys) -> Vec<Table<'t, 'i>> {
        let Some(value) = table.get(name) else { return Vec::new() };
        match items_of(value) {
            Some(items) => items.iter().filter_map(|item| self.table(item, keys)).collect(),
            None => {
                let why = format!("`{name}` is a list of tables, [[{name}]], not {}", kind(value));
                self.fault(value.span().start, why);
                Vec::new()
            }
        }
    }

    pub(super) fn text(&mut self, table: &Table<'_, '_>, name: &str) -> Option<String> {
        let value = table.get(name)?;
        self.text_at(value, name)
    }

    pub(super) fn text_at(&mut self, value: &Value<'_>, name: &str) -> Option<String> {
        let text = text_of(value).map(str::to_owned);
        if text.is_none() {
            self.fault(value.span().start, format!("`{name}` is a text, not {}", kind(value)));
        }
        text
    }

    /// A text that the table must have.
    pub(super) fn needed(&mut self, table: &Table<'_, '_>, name: &str, what: &str) -> Option<String> {
        if table.get(name).is_none() {
            self.fault(table.at(), format!("{what} needs `{name}`"));
        }
        self.text(table, name)
    }

    pub(super) fn flag(&mut self, table: &Table<'_, '_>, name: &str) -> Option<bool> {
        let value = table.get(name)?;
        if let DeValue::Boolean(flag) = value.get_ref() {
            return Some(*flag);
        }
        self.fault(value.span().start, format!("`{name}` is true or false, not {}", kind(value)));
        None
    }

    /// Whether a key is there and not `false`.
    pub(super) fn is_set(&mut self, table: &Table<'_, '_>, name: &str) -> bool {
        self.flag(table, name) == Some(true)
    }

    /// A whole number that is not negative.
    pub(super) fn count(&mut self, table: &Table<'_, '_>, name: &str) -> Option<u64> {
        let value = table.get(name)?;
        let count = number_of(value).and_then(|number| number.parse().ok());
        if count.is_none() {
            self.fault(value.span().start, format!("`{name}` is a whole number from 0, not {}", kind(value)));
        }
        count
    }

    /// Texts: a list of them, or one.
    pub(super) fn texts(&mut self, table: &Table<'_, '_>, name: &str) -> Vec<String> {
        let Some(value) = table.get(name) else { return Vec::new() };
        match items_of(value) {
            Some(items) => items.iter().filter_map(|item| self.text_at(item, name)).collect(),
            None => self.text_at(value, name).into_iter().collect(),
        }
    }

    /// A time: a number of seconds, or a text such as `200ms`, `5s`, `2m`, `1h`.
    pub(super) fn time(&mut self, table: &Table<'_, '_>, name: &str) -> Option<Nanos> {
        let value = table.get(name)?;
        self.time_at(value, name)
    }

    pub(super) fn time_at(&mut self, value: &Value<'_>, name: &str) -> Option<Nanos> {
        let text = text_of(value).map_or_else(|| number_of(value).unwrap_or_default(), str::to_owned);
        let time = nanos(text.trim());
        if time.is_none() {
            let why = format!("`{name}` is a number of seconds, or a text such as \"200ms\", \"5s\", \"2m\"");
            self.fault(value.span().start, why);
        }
        time
    }

    /// JSON: TOML that becomes JSON, or a text that is JSON.
    pub(super) fn json(&mut self, table: &Table<'_, '_>, name: &str) -> Option<String> {
        let value = table.get(name)?;
        self.json_at(value, name)
    }

    pub(super) fn json_at(&mut self, value: &Value<'_>, name: &str) -> Option<String> {
        if let Some(text) = text_of(value) {
            if let Err(fault) = Json::parse(&fill::skeleton(text.as_bytes())) {
                let why = format!(
                    "`{name}` as a text has to be JSON, and it is none: {fault}; a text of JSON has quotes, '\"…\"'"
                );
                self.fault(value.span().start, why);
                return None;
            }
            return Some(text.trim().to_owned());
        }
        match json(value) {
            Ok(json) => Some(json),
            Err((at, why)) => {
                self.fault(at, why);
                None
            }
        }
    }

    /// JSON that is an object.
    pub(super) fn object(&mut self, table: &Table<'_, '_>, name: &str) -> Option<String> {
        let json = self.json(table, name)?;
        let skeleton = fill::skeleton(json.as_bytes());
        let is = Json::parse(&skeleton).is_ok_and(|json| json.kind() == JsonKind::Object);
        if !is && !fill::is_placeholder(json.as_bytes()) {
            let at = table.get(name).map_or(0, |value| value.span().start);
            self.fault(at, format!("`{name}` is a table, or the text of a JSON object"));
            return None;
        }
        Some(json)
    }

    /// A schema: as TOML, as JSON text, or `{ file = "…" }`.
    pub(super) fn schema(&mut self, table: &Table<'_, '_>, name: &str) -> Option<String> {
        let value = table.get(name)?;
        let Some(file) = file_of(value) else { return self.json(table, name) };
        let bytes = self.file(file, value.span().start)?;
        match Json::of_frame(&bytes) {
            Ok(json) => Some(String::from_utf8_lossy(json.raw()).into_owned()),
            Err(fault) => {
                self.fault(value.span().start, format!("the file `{file}` is no JSON: {fault}"));
                None
            }
        }
    }

    /// The bytes of a file that is named.
    pub(super) fn file(&mut self, name: &str, at: usize) -> Option<Vec<u8>> {
        if !self.named.iter().any(|known| known == name) {
            self.named.push(name.to_owned());
        }
        match (self.files)(name) {
            Ok(bytes) => Some(bytes),
            Err(why) => {
                self.fault(at, format!("failed to {why}"));
                None
            }
        }
    }

    /// Members of `more` into an object, in place of those that it has.
    pub(super) fn more(&mut self, table: &Table<'_, '_>, object: &mut Object) {
        if let Some(meta) = self.object(table, "meta") {
            object.put("_meta", meta);
        }
        let Some(more) = self.object(table, "more") else { return };
        if let Ok(json) = Json::parse(more.as_bytes()) {
            object.take(json);
        }
    }

    /// A text that is sent, as a template where it has placeholders and is to be filled in.
    pub(super) fn template(&mut self, text: String, at: usize) -> Text {
        if !self.fills {
            return Text::Fixed(text.into_bytes().into());
        }
        for (what, why) in fill::suspects(text.as_bytes()) {
            let why = format!("`{what}` is sent as it is: {why}; where that is meant, `fill = false` says so");
            self.fault(at, why);
        }
        let bytes: Bytes = text.into_bytes().into();
        if fill::has_placeholders(&bytes) { Text::Template(bytes) } else { Text::Fixed(bytes) }
    }

    /// A text as the JSON string that is sent: a placeholder alone stays text, whatever it stands for.
    pub(super) fn text_json(&self, text: &str) -> String {
        if self.fills && fill::is_placeholder(text.as_bytes()) && !text.contains("structured") {
            return quote(&format!("{}|text}}}}", text.trim_end_matches('}')));
        }
        quote(text)
    }

    /// Names and texts: header fields.
    pub(super) fn pairs(&mut self, table: &Table<'_, '_>, name: &str) -> Vec<(String, Option<String>)> {
        let Some(value) = table.get(name) else { return Vec::new() };
        let Some(inner) = table_of(value) else {
            self.fault(value.span().start, format!("`{name}` is a table of names and texts, not {}", kind(value)));
            return Vec::new();
        };
        let mut pairs = Vec::new();
        for member in members(inner) {
            match member.value.get_ref() {
                DeValue::Boolean(false) => pairs.push((member.name.to_owned(), None)),
                _ => pairs
                    .extend(self.text_at(member.value, member.name).map(|text| (member.name.to_owned(), Some(text)))),
            }
        }
        pairs
    }
}

/// The name in `{ file = "…" }`.
pub(super) fn file_of<'t>(value: &'t Value<'_>) -> Option<&'t str> {
    let table = table_of(value).filter(|table| table.len() == 1)?;
    text_of(table.get("file")?)
}

/// The time that a text says.
pub(super) fn nanos(text: &str) -> Option<Nanos> {
    let end = text.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = match unit.trim() {
        "us" => 1e3,
        "ms" => 1e6,
        "" | "s" => 1e9,
        "m" | "min" => 60e9,
        "h" => 3_600e9,
        _ => return None,
    };
    let value = number.parse::<f64>().ok()? * unit;
    (value < 1e18).then_some(value.round() as Nanos)
}
