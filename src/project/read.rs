//! Reads a project file.

use toml::de::{DeTable, DeValue};

use super::source::{Member, Source, Value, json, members, table_of, text_of};
use super::{
    Chain, Expect, Named, Note, Project, ProjectError, SavedAnswer, SavedBase, SavedCall, SavedReply, SavedSettings,
    SavedTarget, SavedWay, What,
};
use crate::wire::Json;

/// The newest form of the file that this program knows.
const VERSION: &str = "1";

impl Project {
    /// Reads a project file.
    pub fn read(text: &str) -> Result<Self, ProjectError> {
        let source = Source::read(text)?;
        let mut reader = Reader { source: &source, notes: Vec::new() };
        let mut project = reader.project()?;
        project.notes = reader.notes;
        project.notes.sort_by_key(|note| note.line);
        Ok(project)
    }
}

struct Reader<'s, 'i> {
    source: &'s Source<'i>,
    notes: Vec<Note>,
}

type Read<T> = Result<T, ProjectError>;

impl<'i> Reader<'_, 'i> {
    fn project(&mut self) -> Read<Project> {
        let mut project = Project::default();
        for member in members(&self.source.root) {
            match member.name {
                "midwire" => self.version(member)?,
                "description" => project.description = Some(self.text(member)?),
                "targets" => project.targets = self.named(member, Self::target)?,
                "variables" => project.variables = self.variables(member)?,
                "environments" => project.environments = self.named(member, Self::variables)?,
                "calls" => project.calls = self.named(member, Self::call)?,
                "chains" => project.chains = self.named(member, Self::chain)?,
                "answers" => project.answers = self.named(member, Self::answer)?,
                _ => self.unknown(member, "a project file"),
            }
        }
        Ok(project)
    }

    fn version(&mut self, member: Member<'_, 'i>) -> Read<()> {
        let version = self.json(member.value)?;
        if version == VERSION { Ok(()) } else { Err(self.fault(member, "this midwire reads form 1 only")) }
    }

    fn target(&mut self, member: Member<'_, 'i>) -> Read<SavedTarget> {
        let (mut target, mut settings) = (RawTarget::default(), SavedSettings::default());
        for field in self.table(member)? {
            match field.name {
                "command" => target.command = Some(self.texts(field)?),
                "folder" => target.folder = Some(self.text(field)?),
                "environment" => target.base = Some(self.base(field)?),
                "env" => target.set = self.pairs(field)?,
                "url" => target.url = Some(self.text(field)?),
                "headers" => target.headers = self.pairs(field)?,
                "authorities" => target.authorities = self.texts(field)?,
                "accept-cert" => target.accepted = Some(self.text(field)?),
                "host" => target.host = Some(self.text(field)?),
                "server" => target.server = Some(self.text(field)?),
                _ => self.setting(&mut settings, field)?,
            }
        }
        match target.way() {
            Some(way) => Ok(SavedTarget { way, settings }),
            None => Err(self.fault(member, "a target has one of `command`, `url` and `server`")),
        }
    }

    fn setting(&mut self, settings: &mut SavedSettings, field: Member<'_, 'i>) -> Read<()> {
        match field.name {
            "era" => settings.era = Some(self.text(field)?),
            "identity" => settings.identity = Some(self.json_text(field)?),
            "capabilities" => settings.capabilities = Some(self.json_text(field)?),
            "roots" => settings.roots = Some(self.json_text(field)?),
            "ids" => settings.ids = Some(self.json(field.value)?),
            "patience" => settings.patience_ms = Some(self.duration(field)?),
            "cap" => settings.cap_ms = Some(self.duration(field)?),
            "probe" => settings.probe_ms = Some(self.duration(field)?),
            "progress" => settings.progress = Some(self.flag(field)?),
            "log-level" => settings.log_level = Some(self.text(field)?),
            "sampling" => settings.sampling = Some(self.reply(field)?),
            "elicitation" => settings.elicitation = Some(self.reply(field)?),
            _ => self.unknown(field, "a target"),
        }
        Ok(())
    }

    fn call(&mut self, member: Member<'_, 'i>) -> Read<SavedCall> {
        let mut whats = Vec::new();
        let mut call = SavedCall::of(What::Raw(Vec::new()));
        for field in self.table(member)? {
            match field.name {
                "description" => call.description = Some(self.text(field)?),
                "target" => call.target = Some(self.text(field)?),
                "tool" => whats.push(What::Tool(self.text(field)?)),
                "prompt" => whats.push(What::Prompt(self.text(field)?)),
                "resource" => whats.push(What::Resource(self.text(field)?)),
                "template" => whats.push(What::Template(self.text(field)?)),
                "method" => whats.push(What::Method(self.text(field)?)),
                "notification" => whats.push(What::Notification(self.text(field)?)),
                "raw" => whats.push(What::Raw(self.text(field)?.into_bytes())),
                "hex" => whats.push(What::Raw(self.hex(field)?)),
                "arguments" | "params" if call.arguments.is_none() => call.arguments = Some(self.json_text(field)?),
                "arguments" | "params" => return Err(self.fault(field, "a call has either arguments or params")),
                "meta" => call.meta = Some(self.json_text(field)?),
                "id" => call.id = Some(self.json_text(field)?),
                "bare" => call.bare = self.flag(field)?,
                "task" => match field.value.get_ref() {
                    DeValue::Boolean(wanted) => call.task = wanted.then_some(None),
                    _ => call.task = Some(Some(self.duration(field)?)),
                },
                "headers" => call.fields = self.pairs(field)?,
                "patience" => call.patience_ms = Some(self.duration(field)?),
                "cap" => call.cap_ms = Some(self.duration(field)?),
                "pick" => call.picks = self.pairs(field)?,
                "expect" => call.expect = self.expect(field)?,
                "answers" => call.answers = self.texts(field)?,
                _ => self.unknown(field, "a call"),
            }
        }
        let mut whats = whats.into_iter();
        match (whats.next(), whats.next()) {
            (Some(what), None) => Ok(SavedCall { what, ..call }),
            _ => {
                let why = "a call has one of `tool`, `prompt`, `resource`, `template`, `method`, `notification`, \
                           `raw` and `hex`";
                Err(self.fault(member, why))
            }
        }
    }

    fn chain(&mut self, member: Member<'_, 'i>) -> Read<Chain> {
        let mut chain = Chain::default();
        // A chain that is nothing but its calls.
        if matches!(member.value.get_ref(), DeValue::Array(_)) {
            chain.calls = self.texts(member)?;
            return Ok(chain);
        }
        for field in self.table(member)? {
            match field.name {
                "description" => chain.description = Some(self.text(field)?),
                "calls" => chain.calls = self.texts(field)?,
                "goes-on" => chain.goes_on = self.flag(field)?,
                _ => self.unknown(field, "a chain"),
            }
        }
        Ok(chain)
    }

    fn answer(&mut self, member: Member<'_, 'i>) -> Read<SavedAnswer> {
        let (mut to, mut result) = (None, None);
        for field in self.table(member)? {
            match field.name {
                "to" => to = Some(self.text(field)?),
                "result" => result = Some(self.json_text(field)?),
                _ => self.unknown(field, "an answer"),
            }
        }
        match (to, result) {
            (Some(to), Some(result)) => Ok(SavedAnswer { to, result }),
            _ => Err(self.fault(member, "an answer has `to`, the method that it answers, and `result`")),
        }
    }

    fn named<T>(&mut self, member: Member<'_, 'i>, read: fn(&mut Self, Member<'_, 'i>) -> Read<T>) -> Read<Named<T>> {
        let entries = self.table(member)?.into_iter();
        entries.map(|entry| Ok((entry.name.to_owned(), read(self, entry)?))).collect()
    }

    /// Variables: any TOML value, or `{ json = "…" }` for JSON that TOML cannot say.
    fn variables(&mut self, member: Member<'_, 'i>) -> Read<Named<String>> {
        let mut variables = Vec::new();
        for variable in self.table(member)? {
            if !super::fill::is_name(variable.name) {
                let text =
                    format!("`{}` cannot be used as {{{{name}}}}: letters, digits, `_`, `-`, `.`", variable.name);
                self.notes.push(self.source.note(variable.at, text));
            }
            let value = match json_member(variable.value) {
                Some(text) if Json::parse(text.as_bytes()).is_ok() => text.to_owned(),
                Some(_) => return Err(self.fault(variable, "its `json` is no JSON")),
                None => self.json(variable.value)?,
            };
            variables.push((variable.name.to_owned(), value));
        }
        Ok(variables)
    }

    fn base(&mut self, field: Member<'_, 'i>) -> Read<SavedBase> {
        match text_of(field.value) {
            Some("inherit") => Ok(SavedBase::Inherit),
            Some("sdk") => Ok(SavedBase::Sdk),
            Some("empty") => Ok(SavedBase::Empty),
            Some(_) => Err(self.fault(field, "it is \"inherit\", \"sdk\", \"empty\", or a list of names")),
            None => self.texts(field).map(SavedBase::Only),
        }
    }

    fn reply(&mut self, field: Member<'_, 'i>) -> Read<SavedReply> {
        Ok(match self.text(field)?.as_str() {
            "ask" => SavedReply::Ask,
            "decline" => SavedReply::Decline,
            "made" => SavedReply::Made,
            name => SavedReply::Answer(name.to_owned()),
        })
    }

    fn expect(&mut self, field: Member<'_, 'i>) -> Read<Expect> {
        let text = self.text(field)?;
        let found = Expect::ALL.into_iter().find(|(_, word)| *word == text);
        let why = "it is \"ok\", \"isError\", \"error\" or \"any\"";
        found.map(|(expect, _)| expect).ok_or_else(|| self.fault(field, why))
    }

    fn hex(&mut self, field: Member<'_, 'i>) -> Read<Vec<u8>> {
        let digits: String = self.text(field)?.split_whitespace().collect();
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit()) && digits.len().is_multiple_of(2);
        let bytes: Option<Vec<u8>> = digits.as_bytes().chunks(2).map(byte).collect();
        bytes.filter(|_| plain).ok_or_else(|| self.fault(field, "it is pairs of hexadecimal digits"))
    }

    /// Milliseconds: a number of seconds, or a text such as `500ms`, `60s`, `2m`.
    fn duration(&mut self, field: Member<'_, 'i>) -> Read<u64> {
        let text = text_of(field.value).map_or_else(|| self.json(field.value), |text| Ok(text.to_owned()))?;
        let end = text.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(end);
        let unit = match unit.trim() {
            "ms" => Some(1.0),
            "" | "s" => Some(1_000.0),
            "m" | "min" => Some(60_000.0),
            _ => None,
        };
        let value = unit.zip(number.parse::<f64>().ok()).map(|(unit, number)| unit * number);
        let why = "it is a number of seconds, or a text such as \"500ms\", \"60s\", \"2m\"";
        value.filter(|value| *value < 1e15).map(|value| value.round() as u64).ok_or_else(|| self.fault(field, why))
    }

    /// JSON: a text is JSON text, byte for byte; any other value becomes JSON.
    fn json_text(&mut self, field: Member<'_, 'i>) -> Read<String> {
        text_of(field.value).map_or_else(|| self.json(field.value), |text| Ok(text.to_owned()))
    }

    fn json(&self, value: &Value<'i>) -> Read<String> {
        json(value).map_err(|(at, why)| self.source.fault(at, why))
    }

    fn table<'t>(&self, member: Member<'t, 'i>) -> Read<Vec<Member<'t, 'i>>> {
        let table: Option<&'t DeTable<'i>> = table_of(member.value);
        table.map(members).ok_or_else(|| self.fault(member, "it is a table"))
    }

    fn text(&self, field: Member<'_, 'i>) -> Read<String> {
        text_of(field.value).map(ToOwned::to_owned).ok_or_else(|| self.fault(field, "it is a text"))
    }

    fn texts(&self, field: Member<'_, 'i>) -> Read<Vec<String>> {
        let DeValue::Array(items) = field.value.get_ref() else {
            return Err(self.fault(field, "it is a list of texts"));
        };
        let texts: Option<Vec<String>> = items.iter().map(|item| text_of(item).map(ToOwned::to_owned)).collect();
        texts.ok_or_else(|| self.fault(field, "it is a list of texts"))
    }

    fn flag(&self, field: Member<'_, 'i>) -> Read<bool> {
        match field.value.get_ref() {
            DeValue::Boolean(value) => Ok(*value),
            _ => Err(self.fault(field, "it is true or false")),
        }
    }

    fn pairs(&self, field: Member<'_, 'i>) -> Read<Named<String>> {
        let members = self.table(field)?.into_iter();
        members.map(|member| Ok((member.name.to_owned(), self.text(member)?))).collect()
    }

    fn unknown(&mut self, field: Member<'_, 'i>, of: &str) {
        self.notes.push(self.source.note(field.at, format!("`{}` means nothing in {of}", field.name)));
    }

    fn fault(&self, member: Member<'_, 'i>, why: &str) -> ProjectError {
        self.source.fault(member.at, format!("`{}`: {why}", member.name))
    }
}

/// What `{ json = "…" }` holds.
fn json_member<'t>(value: &'t Value<'_>) -> Option<&'t str> {
    let table = table_of(value).filter(|table| table.len() == 1)?;
    text_of(table.get("json")?)
}

/// What a target says before it is known what it is.
#[derive(Default)]
struct RawTarget {
    command: Option<Vec<String>>,
    folder: Option<String>,
    base: Option<SavedBase>,
    set: Named<String>,
    url: Option<String>,
    headers: Named<String>,
    authorities: Vec<String>,
    accepted: Option<String>,
    host: Option<String>,
    server: Option<String>,
}

impl RawTarget {
    fn way(self) -> Option<SavedWay> {
        let Self { command, folder, base, set, url, headers, authorities, accepted, host, server } = self;
        match (command, url, server) {
            (Some(command), None, None) => {
                Some(SavedWay::Command { command, folder, base: base.unwrap_or_default(), set })
            }
            (None, Some(url), None) => Some(SavedWay::Url { url, headers, authorities, accepted }),
            (None, None, Some(server)) => Some(SavedWay::Host { host, server }),
            _ => None,
        }
    }
}
