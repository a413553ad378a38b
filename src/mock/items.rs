//! Tools, resources, templates and prompts of a mock file, as they are listed and as they answer.

use std::ops::Range;

use super::keys::{ARGUMENT, PROMPT, PROMPT_RULE, RESOURCE, RESOURCE_RULE, TEMPLATE, TOOL, TOOL_RULE};
use super::object::{Object, list};
use super::reader::{Reader, Table};
use super::reply::{Of, Reply};
use super::source::{items_of, members, table_of, text_of};
use super::{Content, RuleKind};
use crate::mcp::template::Template;
use crate::model::Nanos;
use crate::peer::server::{Bytes, Kind};

/// One item of a list.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) kind: Kind,
    /// What it is asked for by: its name, URI or URI template.
    pub(super) key: String,
    /// As it is listed.
    pub(super) json: Bytes,
    /// From when, until when.
    pub(super) from: Option<Nanos>,
    pub(super) until: Option<Nanos>,
    /// It comes only by a step or a timer.
    pub(super) hidden: bool,
    /// Of a resource template.
    pub(super) template: Option<Template>,
    /// The schema against which arguments are checked.
    pub(super) checked: Option<String>,
    /// What answers for it, in [`Content::replies`]; its own answer is the last.
    pub(super) replies: Range<usize>,
}

impl Reader<'_> {
    /// The tools.
    pub(super) fn tools(&mut self, file: &Table<'_, '_>, checks: bool, into: &mut Content) {
        for table in self.tables(file, "tool", TOOL) {
            let Some(name) = self.needed(&table, "name", "a tool") else { continue };
            let mut json = Object::default();
            json.text("name", Some(&name));
            self.titled(&table, &mut json);
            let input = self.schema(&table, "input");
            json.put("inputSchema", input.clone().unwrap_or_else(|| r#"{"type":"object"}"#.to_owned()));
            let output = self.schema(&table, "output");
            json.maybe("outputSchema", output.clone());
            json.maybe("annotations", self.object(&table, "annotations"));
            json.maybe("execution", self.object(&table, "execution"));
            self.more(&table, &mut json);
            let checked = input.filter(|_| self.flag(&table, "check").unwrap_or(checks));
            let mut item = self.item(&table, Kind::Tools, name, &json);
            item.checked = checked;
            let of = Of::Tool(output.as_deref());
            self.answers(&table, item, RuleKind::Tool, of, into, |reader| reader.tables(&table, "rule", TOOL_RULE));
        }
    }

    /// The resources.
    pub(super) fn resources(&mut self, file: &Table<'_, '_>, into: &mut Content) {
        for table in self.tables(file, "resource", RESOURCE) {
            let Some(uri) = self.needed(&table, "uri", "a resource") else { continue };
            let mut json = Object::default();
            json.text("uri", Some(&uri));
            let mime_type = self.described(&table, &mut json, &uri);
            json.maybe("size", self.count(&table, "size").map(|size| size.to_string()));
            self.more(&table, &mut json);
            let item = self.item(&table, Kind::Resources, uri.clone(), &json);
            let of = Of::Resource(&uri, mime_type.as_deref());
            let rules = |reader: &mut Self| reader.tables(&table, "rule", RESOURCE_RULE);
            self.answers(&table, item, RuleKind::Resource, of, into, rules);
        }
    }

    /// The resource templates.
    pub(super) fn templates(&mut self, file: &Table<'_, '_>, into: &mut Content) {
        for table in self.tables(file, "template", TEMPLATE) {
            let Some(text) = self.needed(&table, "uriTemplate", "a resource template") else { continue };
            let mut json = Object::default();
            json.text("uriTemplate", Some(&text));
            let mime_type = self.described(&table, &mut json, &text);
            self.more(&table, &mut json);
            let mut item = self.item(&table, Kind::Templates, text.clone(), &json);
            match Template::read(&text) {
                Ok(template) => item.template = Some(template),
                Err(error) => self.fault(table.at(), format!("failed to {error}")),
            }
            if let Some(value) = table.get("complete").filter(|value| table_of(value).is_none()) {
                self.fault(value.span().start, "`complete` is a table of variables and values, { id = [\"1\"] }");
            }
            for member in table.get("complete").and_then(table_of).map(members).unwrap_or_default() {
                let values = items_of(member.value).unwrap_or_default();
                let values = values.iter().filter_map(|value| self.text_at(value, member.name)).collect();
                into.completions.push((text.clone(), member.name.to_owned(), values));
            }
            let of = Of::Resource("{{params.uri}}", mime_type.as_deref());
            let rules = |reader: &mut Self| reader.tables(&table, "rule", RESOURCE_RULE);
            self.answers(&table, item, RuleKind::Template, of, into, rules);
        }
    }

    /// The prompts.
    pub(super) fn prompts(&mut self, file: &Table<'_, '_>, into: &mut Content) {
        for table in self.tables(file, "prompt", PROMPT) {
            let Some(name) = self.needed(&table, "name", "a prompt") else { continue };
            let mut json = Object::default();
            json.text("name", Some(&name));
            self.titled(&table, &mut json);
            let arguments = self.arguments(&table, &name, into);
            json.maybe("arguments", arguments);
            self.more(&table, &mut json);
            let item = self.item(&table, Kind::Prompts, name, &json);
            let description = table.get("description").and_then(text_of);
            let rules = |reader: &mut Self| reader.tables(&table, "rule", PROMPT_RULE);
            self.answers(&table, item, RuleKind::Prompt, Of::Prompt(description), into, rules);
        }
    }

    fn arguments(&mut self, table: &Table<'_, '_>, prompt: &str, into: &mut Content) -> Option<String> {
        let value = table.get("arguments")?;
        let Some(items) = items_of(value) else {
            self.fault(value.span().start, "`arguments` is a list of names, or of tables with `name`");
            return None;
        };
        let mut arguments = Vec::new();
        for item in items {
            let mut json = Object::default();
            if let Some(name) = text_of(item) {
                json.text("name", Some(name));
                arguments.push(json.json());
                continue;
            }
            let Some(argument) = self.table(item, ARGUMENT) else { continue };
            let Some(name) = self.needed(&argument, "name", "an argument") else { continue };
            json.text("name", Some(&name));
            json.text("title", self.text(&argument, "title").as_deref());
            json.text("description", self.text(&argument, "description").as_deref());
            json.maybe("required", self.flag(&argument, "required").map(|is| is.to_string()));
            self.more(&argument, &mut json);
            if argument.get("complete").is_some() {
                into.completions.push((prompt.to_owned(), name, self.texts(&argument, "complete")));
            }
            arguments.push(json.json());
        }
        Some(list(&arguments))
    }

    /// Title, description and icons.
    fn titled(&mut self, table: &Table<'_, '_>, json: &mut Object) {
        json.text("title", self.text(table, "title").as_deref());
        json.text("description", self.text(table, "description").as_deref());
        json.maybe("icons", self.json(table, "icons"));
    }

    /// What resources and their templates have alike; gives the type.
    fn described(&mut self, table: &Table<'_, '_>, json: &mut Object, usual: &str) -> Option<String> {
        let name = self.text(table, "name");
        json.text("name", Some(name.as_deref().unwrap_or(usual)));
        self.titled(table, json);
        let mime_type = self.text(table, "mimeType");
        json.text("mimeType", mime_type.as_deref());
        json.maybe("annotations", self.object(table, "annotations"));
        mime_type
    }

    fn item(&mut self, table: &Table<'_, '_>, kind: Kind, key: String, json: &Object) -> Item {
        Item {
            kind,
            key,
            json: json.json().into_bytes().into(),
            from: self.time(table, "from"),
            until: self.time(table, "until"),
            hidden: self.is_set(table, "hidden"),
            template: None,
            checked: None,
            replies: 0..0,
        }
    }

    /// The rules of an item, and its own answer behind them.
    fn answers<'t, 'i: 't>(
        &mut self,
        table: &Table<'t, 'i>,
        mut item: Item,
        kind: RuleKind,
        of: Of<'_>,
        into: &mut Content,
        rules: impl FnOnce(&mut Self) -> Vec<Table<'t, 'i>>,
    ) {
        if into.items.iter().any(|known| known.kind == item.kind && known.key == item.key) {
            let why = format!(
                "there is a {} `{}` already; this one is left out (the fault `duplicate-names` lists all twice)",
                kind.word(),
                item.key
            );
            self.fault(table.at(), why);
            return;
        }
        let start = into.replies.len();
        let name = format!("{} {}", kind.word(), item.key);
        let own = self.rule_of(table.value, name.clone(), kind, into);
        let mut replies: Vec<Reply> = Vec::new();
        for (index, rule) in rules(self).iter().enumerate() {
            let mut reply = self.reply(rule, of, true);
            let called = self.text(rule, "name").unwrap_or_else(|| format!("{name}, rule {}", index + 1));
            reply.rule = self.rule_of(rule.value, called, kind, into);
            replies.push(reply);
        }
        let mut reply = self.reply(table, of, false);
        reply.rule = own;
        replies.push(reply);
        into.replies.extend(replies);
        item.replies = start..into.replies.len();
        into.items.push(item);
    }
}
