//! What answers a request: a rule of the file, or an item's own answer.

use super::damage::{Damage, LARGEST, ListDamage, WORDS};
use super::keys::{FAULT, nearest};
use super::nth::Nth;
use super::object::Object;
use super::reader::{Reader, Table};
use super::source::{Value, items_of, table_of, text_of};
use super::steps::Act;
use super::when::Condition;
use crate::peer::server::Step;
use crate::schema::{Schema, sample};

/// One that answers.
#[derive(Debug, Clone)]
pub(super) struct Reply {
    /// Its number in [`super::Mock::rules`].
    pub(super) rule: usize,
    /// The methods that it answers, `*` for anything in them; `None`: those of its item.
    pub(super) method: Option<regex::Regex>,
    pub(super) when: Vec<Condition>,
    pub(super) nth: Option<Nth>,
    pub(super) acts: Vec<Act>,
    /// How it answers; `None` lets what comes after it answer, within its steps and faults.
    pub(super) outcome: Option<Step>,
    pub(super) damages: Vec<Damage>,
    pub(super) deaf: bool,
}

/// Whose answer is read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Of<'a> {
    /// A tool's, with its output schema.
    Tool(Option<&'a str>),
    /// A resource's or template's: the URI as it is sent, and the type.
    Resource(&'a str, Option<&'a str>),
    /// A prompt's, with its description.
    Prompt(Option<&'a str>),
    /// Any method's.
    Method,
}

impl Reader<'_> {
    /// What a table says that is answered; `rule` is set by who calls.
    pub(super) fn reply(&mut self, table: &Table<'_, '_>, of: Of<'_>, is_rule: bool) -> Reply {
        self.fills = self.flag(table, "fill") != Some(false);
        let acts = self.steps(table, "steps");
        let outcome = self.outcome(table, of, is_rule);
        self.fills = true;
        let mut reply = Reply {
            rule: 0,
            method: None,
            when: Vec::new(),
            nth: None,
            acts,
            outcome,
            damages: self.damages(table),
            deaf: false,
        };
        if is_rule {
            reply.when = table.get("when").map(|when| self.conditions(when)).unwrap_or_default();
            let every = self.count(table, "every");
            reply.nth = self.nth(table.get("nth"), every);
            reply.deaf = self.is_set(table, "deaf");
        }
        reply.deaf |= reply.damages.iter().any(Damage::is_deaf);
        reply
    }

    fn outcome(&mut self, table: &Table<'_, '_>, of: Of<'_>, is_rule: bool) -> Option<Step> {
        let groups: [&[&str]; 6] = [
            &["error"],
            &["result"],
            &["response"],
            &["own"],
            &["answer", "structured", "isError", "sample", "messages"],
            &["text", "blob", "file", "contents"],
        ];
        let place = |key: &str| table.get(key).map_or(0, |value| value.span().start);
        let mut said: Vec<&str> =
            groups.iter().filter_map(|group| group.iter().copied().find(|key| table.get(key).is_some())).collect();
        said.sort_by_key(|key| place(key));
        if let [first, second, ..] = said.as_slice() {
            self.fault(place(second), format!("there is one answer: `{first}` or `{second}`"));
        }
        let bare = self.is_set(table, "bare");
        if table.get("error").is_some() {
            return Some(Step::Error { error: self.error(table, "error")?, id: None });
        }
        if table.get("result").is_some() {
            return Some(Step::Result { result: self.filled_object(table, "result")?, bare, id: None });
        }
        if table.get("response").is_some() {
            return self.response(table, "response");
        }
        if self.is_set(table, "own") {
            return Some(Step::Own);
        }
        let mut result = match of {
            Of::Tool(output) => self.called(table, output)?,
            Of::Method => self.called(table, None)?,
            Of::Resource(uri, mime_type) => self.read(table, uri, mime_type)?,
            Of::Prompt(description) => self.prompted(table, description)?,
        };
        if is_rule {
            result.maybe("_meta", self.object(table, "meta"));
        }
        let result = self.template(result.json(), table.at());
        Some(Step::Result { result, bare, id: None })
    }

    /// The result of a call: content, structured content or both.
    fn called(&mut self, table: &Table<'_, '_>, output: Option<&str>) -> Option<Object> {
        if !table.has(&["answer", "structured", "isError", "sample"]) {
            return None;
        }
        let mut structured = self.json(table, "structured");
        if self.is_set(table, "sample") {
            let made = output.and_then(|schema| sample(&Schema::read(schema.as_bytes())));
            if made.is_none() {
                self.fault(
                    table.at(),
                    "`sample` makes an answer from the `output` schema, and there is none that it can",
                );
            }
            structured = structured.or(made);
        }
        let content = match table.get("answer") {
            Some(answer) => self.blocks(answer)?,
            // Old clients read the text, so structured content stands there too.
            None if structured.is_some() => r#"[{"type":"text","text":"{{structured}}"}]"#.to_owned(),
            None => "[]".to_owned(),
        };
        let mut result = Object::default();
        result.put("content", content);
        result.maybe("structuredContent", structured);
        result.maybe("isError", self.flag(table, "isError").map(|is| is.to_string()));
        Some(result)
    }

    fn read(&mut self, table: &Table<'_, '_>, uri: &str, mime_type: Option<&str>) -> Option<Object> {
        let contents = match table.get("contents") {
            Some(contents) => self.contents_list(contents, uri, mime_type)?,
            None if !table.has(&["text", "blob", "file"]) => return None,
            None => format!("[{}]", self.contents_of(table, Some(uri), mime_type, false)?),
        };
        let mut result = Object::default();
        result.put("contents", contents);
        Some(result)
    }

    fn prompted(&mut self, table: &Table<'_, '_>, description: Option<&str>) -> Option<Object> {
        let messages = match (table.get("messages"), table.get("answer")) {
            (Some(messages), _) => self.messages(messages)?,
            (None, Some(answer)) => self.messages(answer)?,
            (None, None) => return None,
        };
        let mut result = Object::default();
        let own = table.get("description").and_then(text_of);
        result.text("description", own.or(description));
        result.put("messages", messages);
        Some(result)
    }

    /// The faults of `fault`: a word, a table, or a list of these.
    fn damages(&mut self, table: &Table<'_, '_>) -> Vec<Damage> {
        let Some(value) = table.get("fault") else { return Vec::new() };
        match items_of(value) {
            Some(items) => items.iter().filter_map(|item| self.damage(item)).collect(),
            None => self.damage(value).into_iter().collect(),
        }
    }

    fn damage(&mut self, value: &Value<'_>) -> Option<Damage> {
        let at = value.span().start;
        if table_of(value).is_none() {
            let word = self.text_at(value, "fault")?;
            return self.damage_of(&word, at, None);
        }
        let table = self.table(value, FAULT)?;
        let kind = self.needed(&table, "kind", "a fault as a table")?;
        self.damage_of(&kind, at, Some(&table))
    }

    fn damage_of(&mut self, word: &str, at: usize, table: Option<&Table<'_, '_>>) -> Option<Damage> {
        let known = PARAMETERS.iter().find(|(kind, _)| *kind == word).map_or(&[][..], |(_, keys)| keys);
        if let Some(table) = table
            && let Some(key) = FAULT.all().find(|key| *key != "kind" && !known.contains(key) && table.has(&[key]))
        {
            self.fault(at, format!("`{key}` does not belong to the fault `{word}`"));
        }
        let mut text = |key: &str| table.and_then(|table| self.text(table, key));
        let damage = match word {
            "noise" => Damage::Noise(text("text").unwrap_or_else(|| "this line is no message".to_owned())),
            "missing-header" | "header" | "status" | "oversized" | "crash" | "delay" | "late" => {
                return self.damage_with(word, at, table);
            }
            _ => match WORDS.into_iter().find(|(known, _)| *known == word) {
                Some((_, damage)) => damage,
                None => {
                    let words = || WORDS.iter().map(|(word, _)| *word).chain(PARAMETERS.map(|(word, _)| word));
                    let hint = match nearest(word, words()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("there are {}", words().collect::<Vec<_>>().join(", ")),
                    };
                    self.fault(at, format!("there is no fault `{word}`; {hint}"));
                    return None;
                }
            },
        };
        Some(damage)
    }

    /// A fault that has a value with it, or a usual one.
    fn damage_with(&mut self, word: &str, at: usize, table: Option<&Table<'_, '_>>) -> Option<Damage> {
        let second = 1_000_000_000;
        Some(match (word, table) {
            ("delay", table) => Damage::Delay(table.and_then(|t| self.time(t, "delay")).unwrap_or(10 * second)),
            ("late", table) => Damage::Late(table.and_then(|t| self.time(t, "delay")).unwrap_or(10 * second)),
            ("crash", table) => Damage::Crash(table.and_then(|t| self.exit_code(t, "code")).unwrap_or(1)),
            ("oversized", table) => Damage::Oversized(table.and_then(|t| self.size(t, "size")).unwrap_or(16 << 20)),
            ("status", Some(table)) => {
                Damage::Status(self.http_status(table, "status")?, self.text(table, "body").unwrap_or_default())
            }
            ("status", None) => Damage::Status(500, String::new()),
            ("header", Some(table)) => Damage::Headers(self.pairs(table, "headers")),
            ("missing-header", Some(table)) => Damage::Headers(vec![(self.text(table, "header")?, None)]),
            ("missing-header", None) => Damage::Headers(vec![("Content-Type".to_owned(), None)]),
            _ => {
                self.fault(at, "the fault `header` is a table: { kind = \"header\", headers = { … } }");
                return None;
            }
        })
    }

    /// A size: a number of bytes, or a text such as `64kB`, `10MB`.
    fn size(&mut self, table: &Table<'_, '_>, name: &str) -> Option<u64> {
        let value = table.get(name)?;
        let Some(text) = text_of(value) else { return self.count(table, name).map(|size| size.min(LARGEST)) };
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let unit = match text[end..].trim().to_ascii_lowercase().as_str() {
            "" | "b" => Some(1),
            "kb" | "k" => Some(1_000),
            "kib" => Some(1 << 10),
            "mb" | "m" => Some(1_000_000),
            "mib" => Some(1 << 20),
            _ => None,
        };
        let size = text[..end].parse::<u64>().ok().zip(unit).and_then(|(number, unit)| number.checked_mul(unit));
        let size = size.filter(|size| *size <= LARGEST);
        if size.is_none() {
            self.fault(
                value.span().start,
                "`size` is a number of bytes, or a text such as \"64kB\", \"10MB\"; 256 MiB at most",
            );
        }
        size
    }
}

/// The faults that have a value with them, and its keys.
pub(super) const PARAMETERS: [(&str, &[&str]); 8] = [
    ("delay", &["delay"]),
    ("late", &["delay"]),
    ("noise", &["text"]),
    ("oversized", &["size"]),
    ("status", &["status", "body"]),
    ("missing-header", &["header"]),
    ("header", &["headers"]),
    ("crash", &["code"]),
];

/// Whether a fault only makes sense for lists.
pub(super) fn list_damage(damages: &[Damage]) -> Option<ListDamage> {
    damages.iter().find_map(|damage| if let Damage::List(list) = damage { Some(*list) } else { None })
}
