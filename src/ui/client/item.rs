//! One item of a list as the page shows it: what it is called, what it says of itself, what can be filled in. What has
//! the wrong shape reads as "not there".

use crate::engine::view::{Json, JsonKind};
use crate::peer::client::{Item, Kind};
use crate::schema::Verdict;

/// Characters of a description that a row shows.
const SHORT: usize = 200;

/// A small label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Badge {
    /// Its text.
    pub text: String,
    /// What it means, for the pointer.
    pub hover: &'static str,
    /// Whether it asks for care.
    pub warns: bool,
}

/// An argument of a prompt or a variable of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// `description`.
    pub description: Option<String>,
    /// Whether it must be given.
    pub required: bool,
}

/// An item, read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    /// `description`.
    pub description: Option<String>,
    /// What it says of itself in a word or two.
    pub badges: Vec<Badge>,
    /// `inputSchema`, as sent.
    pub input: Option<Vec<u8>>,
    /// `outputSchema`, as sent.
    pub output: Option<Vec<u8>>,
    /// Arguments of a prompt.
    pub arguments: Vec<Argument>,
    /// Further facts, by name.
    pub facts: Vec<(&'static str, String)>,
    /// `execution.taskSupport`: `required`, `optional`, `forbidden`, or what the server says.
    pub task: Option<String>,
}

impl Reading {
    /// Reads an item of a list.
    pub fn of(item: &Item, kind: Kind) -> Self {
        let Ok(json) = Json::parse(&item.json) else { return Self::default() };
        let text = |name: &str| json.get(name).and_then(|it| it.text().map(std::borrow::Cow::into_owned));
        let raw = |name: &str| json.get(name).map(|it| it.raw().to_vec());
        let mut facts = Vec::new();
        for (name, member) in
            [("URI", "uri"), ("Template", "uriTemplate"), ("Media type", "mimeType"), ("Status", "status")]
        {
            facts.extend(text(member).filter(|it| *it != item.key).map(|it| (name, it)));
        }
        let size = json.get("size").and_then(|it| it.as_u64()).map(crate::ui::words::size);
        facts.extend(size.map(|size| ("Size", size)));
        let annotations = json.get("annotations");
        let written = |json: Json<'_>| String::from_utf8_lossy(json.raw()).into_owned();
        for (name, member) in [("Audience", "audience"), ("Priority", "priority"), ("Last modified", "lastModified")] {
            let value = annotations.as_ref().and_then(|it| it.get(member));
            facts.extend(value.map(|it| (name, it.text().map_or_else(|| written(it), std::borrow::Cow::into_owned))));
        }
        let task = json.get("execution").and_then(|it| it.get("taskSupport")?.text().map(std::borrow::Cow::into_owned));
        let (input, output) =
            if kind == Kind::Tools { (raw("inputSchema"), raw("outputSchema")) } else { (None, None) };
        let mut badges = badges(annotations.as_ref(), task.as_deref());
        if kind == Kind::Tools && !item.key.is_empty() && !Verdict::of_tool_name(&item.key).is_empty() {
            let hover = "Not a name that everybody takes; who may refuse it stands with the tool's arguments.";
            badges.insert(0, Badge { text: "odd name".to_owned(), hover, warns: true });
        }
        Self { description: text("description"), badges, input, output, arguments: arguments(&json), facts, task }
    }

    /// The start of the description, on one line.
    pub fn first_line(&self) -> String {
        let text = self.description.as_deref().unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(SHORT).collect()
    }
}

fn badges(annotations: Option<&Json<'_>>, task: Option<&str>) -> Vec<Badge> {
    let says = |name: &str| annotations.and_then(|it| it.get(name)?.as_bool());
    let mut badges = Vec::new();
    let mut add = |text: &str, hover, warns| badges.push(Badge { text: text.to_owned(), hover, warns });
    match says("readOnlyHint") {
        Some(true) => add("read-only", "readOnlyHint: true, as the server says of itself", false),
        Some(false) => add("writes", "readOnlyHint: false", false),
        None => {}
    }
    match says("destructiveHint") {
        Some(true) => add("destructive", "destructiveHint: true", true),
        Some(false) => add("not destructive", "destructiveHint: false", false),
        None => {}
    }
    if says("idempotentHint") == Some(true) {
        add("idempotent", "idempotentHint: true: the same call again changes nothing more", false);
    }
    match says("openWorldHint") {
        Some(true) => add("open world", "openWorldHint: true: it reaches beyond the server", false),
        Some(false) => add("closed world", "openWorldHint: false", false),
        None => {}
    }
    match task {
        Some("required") => add("only as a task", "execution.taskSupport: required", true),
        Some("optional") => add("as a task too", "execution.taskSupport: optional", false),
        _ => {}
    }
    badges
}

fn arguments(json: &Json<'_>) -> Vec<Argument> {
    let Some(list) = json.get("arguments").filter(|it| it.kind() == JsonKind::Array) else { return Vec::new() };
    let read = |it: Json<'_>| {
        Some(Argument {
            name: it.get("name")?.text()?.into_owned(),
            description: it.get("description").and_then(|it| it.text().map(std::borrow::Cow::into_owned)),
            required: it.get("required").and_then(|it| it.as_bool()).unwrap_or(false),
        })
    };
    list.items().filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::{Argument, Reading};
    use crate::peer::client::{Item, Kind};

    fn read(json: &str, kind: Kind) -> Reading {
        let item =
            Item { json: json.as_bytes().into(), key: "x".to_owned(), title: "x".to_owned(), faults: Vec::new() };
        Reading::of(&item, kind)
    }

    #[test]
    fn what_an_item_says_of_itself_is_read_and_the_rest_is_not_there() {
        let tool = read(
            r#"{"name":"x","description":"a\n b","inputSchema":{"type":"object"},"outputSchema":true,"execution":{"taskSupport":"required"},
               "annotations":{"readOnlyHint":true,"destructiveHint":false,"openWorldHint":"yes"}}"#,
            Kind::Tools,
        );
        let badges: Vec<_> = tool.badges.iter().map(|badge| badge.text.as_str()).collect();
        assert_eq!(badges, ["read-only", "not destructive", "only as a task"]);
        assert_eq!((tool.first_line().as_str(), tool.output.as_deref()), ("a b", Some(&b"true"[..])));
        let prompt = read(r#"{"name":"x","arguments":[{"name":"a","required":true},{"title":"?"},7]}"#, Kind::Prompts);
        assert_eq!(prompt.arguments, [Argument { name: "a".to_owned(), description: None, required: true }]);
        let resource = read(r#"{"uri":"x","size":9149,"mimeType":"text/html","annotations":[]}"#, Kind::Resources);
        assert_eq!(resource.facts, [("Media type", "text/html".to_owned()), ("Size", "9.1 KB".to_owned())]);
        assert_eq!(read("[]", Kind::Tools), Reading::default());
        let named = |key: &str, kind| {
            let item = Item { json: b"{}"[..].into(), key: key.to_owned(), title: String::new(), faults: Vec::new() };
            Reading::of(&item, kind).badges.len()
        };
        assert_eq!((named("a b", Kind::Tools), named("a.b", Kind::Tools), named("a b", Kind::Prompts)), (1, 0, 0));
    }
}
