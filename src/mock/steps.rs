//! Steps as a mock file writes them: what is done before an answer.

use toml::de::DeValue;

use super::keys::{ERROR, ITEM, RESPONSE, STEP, TASK};
use super::object::Object;
use super::reader::{Reader, Table};
use super::source::{Value, items_of, number_of, table_of, text_of};
use crate::peer::server::{Kind, Step, Task, Text, fill};
use crate::wire::quote;

/// One thing that is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Act {
    /// By the machine.
    Step(Step),
    /// Time passes, as long as this says once it is filled in from the request.
    Wait(Text),
    /// An item that is declared comes into its list, or goes.
    List {
        /// It comes.
        shown: bool,
        /// Its list.
        kind: Kind,
        /// Its name, or URI.
        name: String,
    },
}

/// What a step is, each with the keys that belong to it.
const MAINS: [(&str, &[&str]); 22] = [
    ("wait", &[]),
    ("progress", &["total", "message"]),
    ("log", &["level", "logger"]),
    ("notify", &["params", "loose"]),
    ("changed", &[]),
    ("updated", &[]),
    ("add", &[]),
    ("remove", &[]),
    ("ask", &["method", "params", "elicit", "schema", "url", "message", "sample", "roots", "forced"]),
    ("come-again", &[]),
    ("task", &[]),
    ("status", &[]),
    ("stderr", &[]),
    ("raw", &[]),
    ("headers", &[]),
    ("close", &[]),
    ("break", &[]),
    ("lose-session", &[]),
    ("exit", &[]),
    ("result", &["bare"]),
    ("error", &[]),
    ("response", &[]),
];

impl Reader<'_> {
    /// The steps of a key.
    pub(super) fn steps(&mut self, table: &Table<'_, '_>, name: &str) -> Vec<Act> {
        let Some(value) = table.get(name) else { return Vec::new() };
        match items_of(value) {
            Some(items) => items.iter().filter_map(|item| self.step(item)).flatten().collect(),
            None => self.step(value).unwrap_or_default(),
        }
    }

    fn step(&mut self, value: &Value<'_>) -> Option<Vec<Act>> {
        let table = self.table(value, STEP)?;
        if self.is_set(&table, "own") {
            return Some(vec![Act::Step(Step::Own)]);
        }
        let said: Vec<_> = MAINS.into_iter().filter(|(main, _)| table.get(main).is_some()).collect();
        let &[(main, companions)] = said.as_slice() else {
            let mains: Vec<&str> = MAINS.into_iter().map(|(main, _)| main).collect();
            self.fault(table.at(), format!("a step does one thing: one of {}", mains.join(", ")));
            return None;
        };
        let strange = |key: &&str| *key != main && !companions.contains(key) && table.get(key).is_some();
        if let Some(key) = STEP.all().find(strange) {
            self.fault(table.at(), format!("`{key}` does not belong to a step that has `{main}`"));
        }
        self.main(&table, main)
    }

    fn main(&mut self, table: &Table<'_, '_>, main: &str) -> Option<Vec<Act>> {
        let wait = table.get("wait").and_then(text_of).filter(|text| fill::has_placeholders(text.as_bytes()));
        if wait.is_some() {
            return Some(vec![Act::Wait(self.filled(table, "wait")?)]);
        }
        let step = match main {
            "wait" => Step::Wait(self.time(table, main)?),
            "progress" => Step::Progress {
                progress: self.number(table, main)?,
                total: self.number(table, "total"),
                message: self.filled(table, "message"),
            },
            "log" => self.log(table)?,
            "notify" => Step::Notify {
                method: self.text(table, main)?,
                params: self.filled_object(table, "params"),
                loose: self.is_set(table, "loose"),
            },
            "changed" => Step::Changed(self.kind(table, main)?),
            "updated" => Step::Updated(self.text(table, main)?),
            "add" | "remove" => return self.listing(table, main),
            "ask" => self.ask(table)?,
            "come-again" => Step::ComeAgain,
            "task" => Step::Task(self.task(table.get(main)?)?),
            "status" => Step::Status(self.filled(table, main)?),
            "stderr" => Step::Stderr(self.filled(table, main)?),
            "raw" => Step::Raw(self.text(table, main)?.into_bytes().into()),
            "headers" => Step::Fields(self.pairs(table, main)),
            "close" => Step::Close,
            "break" => Step::Break,
            "lose-session" => Step::LoseSession,
            "exit" => Step::Exit(self.exit_code(table, main)?),
            "result" => {
                Step::Result { result: self.filled_object(table, main)?, bare: self.is_set(table, "bare"), id: None }
            }
            "error" => Step::Error { error: self.error(table, main)?, id: None },
            _ => self.response(table, main)?,
        };
        Some(vec![Act::Step(step)])
    }

    /// A number as a step sends it; a text may be a template.
    fn number(&mut self, table: &Table<'_, '_>, name: &str) -> Option<Text> {
        let value = table.get(name)?;
        if let Some(number) = number_of(value) {
            return Some(Text::Fixed(number.into_bytes().into()));
        }
        match text_of(value) {
            Some(text) => Some(self.template(text.to_owned(), value.span().start)),
            None => {
                self.fault(value.span().start, format!("`{name}` is a number"));
                None
            }
        }
    }

    /// A text that is filled in.
    pub(super) fn filled(&mut self, table: &Table<'_, '_>, name: &str) -> Option<Text> {
        let at = table.get(name)?.span().start;
        let text = self.text(table, name)?;
        Some(self.template(text, at))
    }

    /// A JSON object that is filled in.
    pub(super) fn filled_object(&mut self, table: &Table<'_, '_>, name: &str) -> Option<Text> {
        let at = table.get(name)?.span().start;
        let json = self.object(table, name)?;
        Some(self.template(json, at))
    }

    fn log(&mut self, table: &Table<'_, '_>) -> Option<Step> {
        let value = table.get("log")?;
        let data = match text_of(value) {
            Some(text) => self.text_json(text),
            None => self.json_at(value, "log")?,
        };
        let level = self.text(table, "level").unwrap_or_else(|| "info".to_owned());
        let data = self.template(data, value.span().start);
        Some(Step::Log { level, logger: self.text(table, "logger"), data })
    }

    /// The kind of a list by its word.
    pub(super) fn kind(&mut self, table: &Table<'_, '_>, name: &str) -> Option<Kind> {
        let kind = match self.text(table, name)?.as_str() {
            "tools" => Some(Kind::Tools),
            "resources" => Some(Kind::Resources),
            "templates" => Some(Kind::Templates),
            "prompts" => Some(Kind::Prompts),
            _ => None,
        };
        if kind.is_none() {
            self.fault(table.at(), format!("`{name}` is \"tools\", \"resources\", \"templates\" or \"prompts\""));
        }
        kind
    }

    /// An item comes or goes, and its list has changed.
    fn listing(&mut self, table: &Table<'_, '_>, main: &str) -> Option<Vec<Act>> {
        let (kind, name) = self.item_named(table, main)?;
        Some(vec![Act::List { shown: main == "add", kind, name }, Act::Step(Step::Changed(kind))])
    }

    /// `{ tool = "NAME" }`: one item of a list.
    pub(super) fn item_named(&mut self, table: &Table<'_, '_>, main: &str) -> Option<(Kind, String)> {
        let item = self.table(table.get(main)?, ITEM)?;
        for (key, kind) in KINDS {
            if item.get(key).is_some() {
                return Some((kind, self.text(&item, key)?));
            }
        }
        self.fault(item.at(), format!("`{main}` is a table such as {{ tool = \"name\" }}"));
        None
    }

    fn ask(&mut self, table: &Table<'_, '_>) -> Option<Step> {
        let key = self.text(table, "ask")?;
        let fixed = |method: &str| method.to_owned();
        let (method, params) = if table.get("elicit").is_some() {
            (fixed("elicitation/create"), Some(self.elicit(table)?))
        } else if table.get("url").is_some() {
            let mut params = Object::default();
            params.put("mode", quote("url"));
            let (message, url) = (self.needed(table, "message", "an elicitation by URL")?, self.text(table, "url")?);
            params.put("message", self.text_json(&message));
            params.put("url", self.text_json(&url));
            (fixed("elicitation/create"), Some(params.json()))
        } else if table.get("sample").is_some() {
            (fixed("sampling/createMessage"), Some(self.sampling(table)?))
        } else if table.get("roots").is_some() {
            (fixed("roots/list"), None)
        } else {
            (self.needed(table, "method", "an ask without elicit, url, sample or roots")?, self.object(table, "params"))
        };
        let params = params.map(|params| self.template(params, table.at()));
        Some(Step::Ask { key, method, params, forced: self.is_set(table, "forced") })
    }

    /// Params of an elicitation by form: a message with a schema, or all of them.
    fn elicit(&mut self, table: &Table<'_, '_>) -> Option<String> {
        let Some(message) = table.get("elicit").and_then(text_of) else { return self.object(table, "elicit") };
        let mut params = Object::default();
        params.put("message", self.text_json(message));
        let schema = self.schema(table, "schema");
        params.put("requestedSchema", schema.unwrap_or_else(|| r#"{"type":"object","properties":{}}"#.to_owned()));
        Some(params.json())
    }

    /// Params of sampling: what the user says, or all of them.
    fn sampling(&mut self, table: &Table<'_, '_>) -> Option<String> {
        let Some(text) = table.get("sample").and_then(text_of) else { return self.object(table, "sample") };
        let text = self.text_json(text);
        let message = format!(r#"{{"role":"user","content":{{"type":"text","text":{text}}}}}"#);
        Some(format!(r#"{{"messages":[{message}],"maxTokens":1000}}"#))
    }

    fn task(&mut self, value: &Value<'_>) -> Option<Task> {
        if matches!(value.get_ref(), DeValue::Boolean(true)) {
            return Some(Task::default());
        }
        let table = self.table(value, TASK)?;
        let mut ms = |name| self.time(&table, name).map(|time| (time / 1_000_000) as u64);
        let (ttl, poll) = (ms("ttl"), ms("poll"));
        Some(Task { ttl, poll, forced: self.is_set(&table, "forced") })
    }

    pub(super) fn exit_code(&mut self, table: &Table<'_, '_>, name: &str) -> Option<i32> {
        self.count(table, name).map(|code| i32::try_from(code).unwrap_or(1))
    }

    /// An error of JSON-RPC: a table with `code` and `message`, or a message.
    pub(super) fn error(&mut self, table: &Table<'_, '_>, name: &str) -> Option<Text> {
        let value = table.get(name)?;
        let mut error = Object::default();
        if let Some(message) = text_of(value) {
            error.put("code", "-32603");
            error.put("message", self.text_json(message));
        } else {
            let inner = self.table(value, ERROR)?;
            error.put("code", inner.get("code").and_then(number_of).unwrap_or_else(|| "-32603".to_owned()));
            let message = self.needed(&inner, "message", "an error")?;
            error.put("message", self.text_json(&message));
            error.maybe("data", self.json(&inner, "data"));
        }
        Some(self.template(error.json(), value.span().start))
    }

    /// A response of HTTP: a status, or a table.
    pub(super) fn response(&mut self, table: &Table<'_, '_>, name: &str) -> Option<Step> {
        let value = table.get(name)?;
        let body = Text::Fixed(Vec::new().into());
        if table_of(value).is_none() {
            return Some(Step::Respond { status: self.http_status(table, name)?, fields: Vec::new(), body });
        }
        let inner = self.table(value, RESPONSE)?;
        let status = if inner.get("status").is_some() { self.http_status(&inner, "status")? } else { 200 };
        let fields =
            self.pairs(&inner, "headers").into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        Some(Step::Respond { status, fields, body: self.filled(&inner, "body").unwrap_or(body) })
    }

    /// A status of HTTP.
    pub(super) fn http_status(&mut self, table: &Table<'_, '_>, name: &str) -> Option<u16> {
        let status = self.count(table, name)?;
        let known = u16::try_from(status).ok().filter(|status| (200..1000).contains(status));
        if known.is_none() {
            self.fault(table.at(), format!("`{name}` is a status of HTTP from 200 to 999, not {status}"));
        }
        known
    }
}

/// The words for one item, and their kinds.
pub(super) const KINDS: [(&str, Kind); 4] =
    [("tool", Kind::Tools), ("resource", Kind::Resources), ("template", Kind::Templates), ("prompt", Kind::Prompts)];
