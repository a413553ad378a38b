//! Who a mock server is: `[server]`, and the capabilities that follow from what else is there.

use super::Content;
use super::keys::{CACHE, SERVER};
use super::object::Object;
use super::reader::{Reader, Table};
use crate::mcp::methods::TASKS;
use crate::model::Revision;
use crate::peer::server::{About, Kind, Step};
use crate::wire::Json;

/// What the server is called where it says nothing.
const NAME: &str = "mock";

impl Reader<'_> {
    /// `[server]`.
    pub(super) fn about(&mut self, file: &Table<'_, '_>, content: &Content) -> About {
        let mut about = About {
            identity: String::new(),
            legacy: String::new(),
            modern: String::new(),
            instructions: None,
            revisions: Revision::KNOWN.to_vec(),
            page: None,
            hint: (0, "private".to_owned()),
            completions: content.completions.clone(),
        };
        let table = file.get("server").and_then(|value| self.table(value, SERVER));
        let mut identity = Object::default();
        identity.text("name", Some(NAME));
        identity.text("version", Some("0.0.0"));
        let (mut legacy, mut modern) = (derived(content, false), derived(content, true));
        if let Some(table) = &table {
            self.identity(table, &mut identity);
            about.instructions = self.text(table, "instructions");
            self.revisions(table, &mut about);
            about.page = self.count(table, "page").map(|page| page as usize).filter(|page| *page > 0);
            self.hint(table, &mut about);
            self.overridden(table, "capabilities", &mut legacy);
            self.overridden(table, "capabilities", &mut modern);
            self.overridden(table, "legacy-capabilities", &mut legacy);
            self.overridden(table, "modern-capabilities", &mut modern);
        }
        (about.identity, about.legacy, about.modern) = (identity.json(), legacy.json(), modern.json());
        about
    }

    /// Whether arguments are checked against input schemas.
    pub(super) fn checks(&mut self, file: &Table<'_, '_>) -> bool {
        // Its faults are told when `[server]` is read as a whole.
        let before = self.faults.len();
        let table = file.get("server").and_then(|value| self.table(value, SERVER));
        let checks = table.is_some_and(|table| self.is_set(&table, "check"));
        self.faults.truncate(before);
        checks
    }

    fn identity(&mut self, table: &Table<'_, '_>, identity: &mut Object) {
        for name in ["name", "title", "version", "description", "websiteUrl"] {
            identity.text(name, self.text(table, name).as_deref());
        }
        identity.maybe("icons", self.json(table, "icons"));
        if let Some(more) = self.object(table, "more")
            && let Ok(more) = Json::parse(more.as_bytes())
        {
            identity.take(more);
        }
        self.flag(table, "check");
    }

    fn revisions(&mut self, table: &Table<'_, '_>, about: &mut About) {
        let at = table.get("revisions").map_or(0, |value| value.span().start);
        let mut revisions = Vec::new();
        for text in self.texts(table, "revisions") {
            match text.as_str() {
                "legacy" => revisions.extend_from_slice(&Revision::KNOWN[..4]),
                "modern" => revisions.push(Revision::V2026_07_28),
                _ => {
                    let revision = Revision::from_text(&text);
                    if matches!(revision, Revision::Other(_)) {
                        let known = Revision::KNOWN.map(|known| known.text().to_owned()).join(", ");
                        let why = format!("`{text}` is no revision that midwire speaks: {known}, legacy, modern");
                        self.fault(at, why);
                        continue;
                    }
                    revisions.push(revision);
                }
            }
        }
        if !revisions.is_empty() {
            revisions.sort_by(|one, other| one.text().cmp(other.text()));
            revisions.dedup();
            about.revisions = revisions;
        }
    }

    fn hint(&mut self, table: &Table<'_, '_>, about: &mut About) {
        let Some(cache) = table.get("cache").and_then(|value| self.table(value, CACHE)) else { return };
        if let Some(ttl) = self.time(&cache, "ttl") {
            about.hint.0 = (ttl / 1_000_000) as u64;
        }
        let Some(scope) = self.text(&cache, "scope") else { return };
        if !["public", "private"].contains(&scope.as_str()) {
            self.fault(
                cache.at(),
                format!("`scope` is \"public\" or \"private\", not \"{scope}\"; it is sent as it is"),
            );
        }
        about.hint.1 = scope;
    }

    /// Members of capabilities in place of those that follow from the file; `false` takes one away.
    fn overridden(&mut self, table: &Table<'_, '_>, name: &str, capabilities: &mut Object) {
        let Some(json) = self.object(table, name) else { return };
        let Ok(json) = Json::parse(json.as_bytes()) else { return };
        capabilities.take(json);
        for (name, value) in json.members() {
            if value.as_bool() == Some(false) {
                capabilities.drop(&name.text().unwrap_or_default());
            }
        }
    }
}

/// The capabilities that follow from what is there.
fn derived(content: &Content, modern: bool) -> Object {
    let has = |kind: Kind| content.items.iter().any(|item| item.kind == kind);
    let changes = r#"{"listChanged":true}"#;
    let mut all = Object::default();
    if has(Kind::Tools) {
        all.put("tools", changes);
    }
    if has(Kind::Resources) || has(Kind::Templates) {
        all.put("resources", r#"{"subscribe":true,"listChanged":true}"#);
    }
    if has(Kind::Prompts) {
        all.put("prompts", changes);
    }
    if !content.completions.is_empty() {
        all.put("completions", "{}");
    }
    if content.does(|step| matches!(step, Step::Log { .. })) {
        all.put("logging", "{}");
    }
    let tasks = content.does(|step| matches!(step, Step::Task(_)));
    match (tasks, modern) {
        (true, true) => all.put("extensions", format!(r#"{{"{TASKS}":{{}}}}"#)),
        (true, false) => all.put("tasks", r#"{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}"#),
        _ => {}
    }
    all
}

/// The name of the server, for a summary.
pub(super) fn name(about: &About) -> String {
    let name = Json::parse(about.identity.as_bytes()).ok().and_then(|identity| identity.get("name"));
    name.and_then(|name| name.text().map(std::borrow::Cow::into_owned)).unwrap_or_else(|| NAME.to_owned())
}
