//! One item of a list, read leniently: whatever is wrong with it is said in words and hides nothing but itself.

use std::borrow::Cow;
use std::collections::HashSet;

use super::headers::header_faults;
use super::{Item, Kind};
use crate::mcp::{one_line, one_line_of};
use crate::wire::{Json, JsonKind};

/// The items of one page. `seen` holds the keys of the pages before it; a second item of the same key is flagged
/// (TL-003).
pub(super) fn items(kind: Kind, page: Json<'_>, seen: &mut HashSet<String>) -> Vec<Item> {
    let mut read: Vec<Item> = page.items().map(|json| item(kind, json)).collect();
    for item in &mut read {
        if !item.key.is_empty() && !seen.insert(item.key.clone()) {
            item.faults.push(format!("another one before it has the same {}", keyed_by(kind)));
        }
    }
    read
}

/// The member that an item is called by.
const fn keyed_by(kind: Kind) -> &'static str {
    match kind {
        Kind::Tools | Kind::Prompts => "name",
        Kind::Resources => "uri",
        Kind::Templates => "uriTemplate",
        Kind::Tasks => "taskId",
    }
}

fn item(kind: Kind, json: Json<'_>) -> Item {
    let mut item = Item { json: json.raw().into(), key: String::new(), title: String::new(), faults: Vec::new() };
    if json.kind() != JsonKind::Object {
        item.title = one_line_of(json.raw(), 60);
        item.faults.push(format!("it is {}, not an object", named(json)));
        return item;
    }
    let members = Members::read(json);
    item.key = text(members.key(kind)).unwrap_or_default().into_owned();
    let annotated = || members.annotations.and_then(|annotations| annotations.get("title"));
    let title = text(members.title).or_else(|| text(annotated())).or_else(|| text(members.name));
    item.title = title.map_or_else(|| item.key.clone(), Cow::into_owned);
    members.faults(kind, &mut item.faults);
    item
}

/// A string that says something.
fn text(value: Option<Json<'_>>) -> Option<Cow<'_, str>> {
    value?.text().filter(|text| !text.is_empty())
}

/// The members of an item that mean something here, found in one pass.
#[derive(Default)]
struct Members<'a> {
    name: Option<Json<'a>>,
    title: Option<Json<'a>>,
    description: Option<Json<'a>>,
    annotations: Option<Json<'a>>,
    input: Option<Json<'a>>,
    output: Option<Json<'a>>,
    uri: Option<Json<'a>>,
    template: Option<Json<'a>>,
    arguments: Option<Json<'a>>,
    mime: Option<Json<'a>>,
    task: Option<Json<'a>>,
    status: Option<Json<'a>>,
}

impl<'a> Members<'a> {
    fn read(json: Json<'a>) -> Self {
        let mut read = Self::default();
        for (key, value) in json.members() {
            let slot = match key.text().as_deref() {
                Some("name") => &mut read.name,
                Some("title") => &mut read.title,
                Some("description") => &mut read.description,
                Some("annotations") => &mut read.annotations,
                Some("inputSchema") => &mut read.input,
                Some("outputSchema") => &mut read.output,
                Some("uri") => &mut read.uri,
                Some("uriTemplate") => &mut read.template,
                Some("arguments") => &mut read.arguments,
                Some("mimeType") => &mut read.mime,
                Some("taskId") => &mut read.task,
                Some("status") => &mut read.status,
                _ => continue,
            };
            *slot = Some(value);
        }
        read
    }

    const fn key(&self, kind: Kind) -> Option<Json<'a>> {
        match kind {
            Kind::Tools | Kind::Prompts => self.name,
            Kind::Resources => self.uri,
            Kind::Templates => self.template,
            Kind::Tasks => self.task,
        }
    }

    fn faults(&self, kind: Kind, faults: &mut Vec<String>) {
        required(keyed_by(kind), self.key(kind), faults);
        match kind {
            Kind::Tools => self.tool(faults),
            Kind::Prompts => arguments(self.arguments, faults),
            Kind::Resources | Kind::Templates => required("name", self.name, faults),
            Kind::Tasks => required("status", self.status, faults),
        }
        for (name, value) in [("title", self.title), ("description", self.description), ("mimeType", self.mime)] {
            expect(name, value, JsonKind::String, "a string", faults);
        }
        expect("annotations", self.annotations, JsonKind::Object, "an object", faults);
    }

    fn tool(&self, faults: &mut Vec<String>) {
        match self.input {
            None => faults.push("`inputSchema` is missing".to_owned()),
            Some(schema) if schema.kind() != JsonKind::Object => {
                faults.push(format!("`inputSchema` is {}, not an object", named(schema)));
            }
            Some(schema) => {
                if !schema.get("type").is_some_and(|kind| kind.is_text("object")) {
                    faults.push("`inputSchema` does not say `\"type\": \"object\"`".to_owned());
                }
                faults.extend(header_faults(schema));
            }
        }
        if let Some(schema) = self.output
            && !matches!(schema.kind(), JsonKind::Object | JsonKind::Bool)
        {
            faults.push(format!("`outputSchema` is {}, not a schema", named(schema)));
        }
    }
}

/// A string that must be there and say something.
fn required(name: &str, value: Option<Json<'_>>, faults: &mut Vec<String>) {
    match value {
        None => faults.push(format!("`{name}` is missing")),
        Some(value) if value.is_text("") => faults.push(format!("`{name}` is empty")),
        value => expect(name, value, JsonKind::String, "a string", faults),
    }
}

/// A member that may be absent, but must be of one kind when it is there.
fn expect(name: &str, value: Option<Json<'_>>, kind: JsonKind, words: &str, faults: &mut Vec<String>) {
    if let Some(value) = value.filter(|value| value.kind() != kind) {
        faults.push(format!("`{name}` is {}, not {words}", named(value)));
    }
}

/// The arguments of a prompt.
fn arguments(arguments: Option<Json<'_>>, faults: &mut Vec<String>) {
    expect("arguments", arguments, JsonKind::Array, "an array", faults);
    let nameless = |argument: &Json<'_>| !argument.get("name").is_some_and(|name| name.kind() == JsonKind::String);
    if let Some(place) = arguments.iter().flat_map(Json::items).position(|argument| nameless(&argument)) {
        faults.push(format!("argument {} has no name", place + 1));
    }
}

/// What a value is, in words.
fn named(json: Json<'_>) -> String {
    match json.kind() {
        JsonKind::Object => "an object".to_owned(),
        JsonKind::Array => "an array".to_owned(),
        JsonKind::String => format!("the string \"{}\"", one_line(&json.text().unwrap_or_default(), 40)),
        JsonKind::Number | JsonKind::Bool | JsonKind::Null => one_line_of(json.raw(), 40),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::{Item, Kind};
    use crate::wire::Json;

    fn read(kind: Kind, page: &str) -> Vec<Item> {
        super::items(kind, Json::parse(page.as_bytes()).expect("the test's JSON is valid"), &mut HashSet::new())
    }

    #[test]
    fn a_bad_tool_hides_only_itself_and_says_why() {
        let cases = [
            (r#"{"name":"ok","inputSchema":{"type":"object"}}"#, ""),
            ("7", "it is 7, not an object"),
            (r#"{"inputSchema":{"type":"object"}}"#, "`name` is missing"),
            (r#"{"name":5,"inputSchema":{"type":"object"}}"#, "`name` is 5, not a string"),
            (r#"{"name":"","inputSchema":{"type":"object"}}"#, "`name` is empty"),
            (r#"{"name":"a"}"#, "`inputSchema` is missing"),
            (r#"{"name":"b","inputSchema":null}"#, "`inputSchema` is null, not an object"),
            (r#"{"name":"c","inputSchema":{}}"#, "`inputSchema` does not say `\"type\": \"object\"`"),
            (
                r#"{"name":"d","inputSchema":{"type":"object"},"description":null}"#,
                "`description` is null, not a string",
            ),
            (
                r#"{"name":"e","inputSchema":{"type":"object"},"outputSchema":"x"}"#,
                "`outputSchema` is the string \"x\", not a schema",
            ),
            (
                r#"{"name":"f","inputSchema":{"type":"object"},"annotations":[]}"#,
                "`annotations` is an array, not an object",
            ),
            (
                r#"{"name":"g","inputSchema":{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"a b"}}}}"#,
                "x-mcp-header `a b` on `a` cannot be the name of a header field",
            ),
            (r#"{"name":"ok","inputSchema":{"type":"object"}}"#, "another one before it has the same name"),
        ];
        let page: Vec<_> = cases.iter().map(|(json, _)| *json).collect();
        let items = read(Kind::Tools, &format!("[{}]", page.join(",")));
        for (item, (json, fault)) in items.iter().zip(cases) {
            assert_eq!(item.faults.join("; "), fault, "{json}");
            assert_eq!(&*item.json, json.as_bytes());
        }
        assert_eq!(items.len(), cases.len());
    }

    #[test]
    fn the_title_is_the_best_there_is() {
        let titled = |kind, json: &str| read(kind, &format!("[{json}]")).remove(0);
        assert_eq!(titled(Kind::Tools, r#"{"name":"a","title":"A","annotations":{"title":"B"}}"#).title, "A");
        assert_eq!(titled(Kind::Tools, r#"{"name":"a","title":"","annotations":{"title":"B"}}"#).title, "B");
        assert_eq!(titled(Kind::Tools, r#"{"name":"a"}"#).title, "a");
        let resource = titled(Kind::Resources, r#"{"uri":"file:///x","name":"X"}"#);
        assert_eq!((resource.key.as_str(), resource.title.as_str()), ("file:///x", "X"));
        assert_eq!(titled(Kind::Tasks, r#"{"taskId":"t","status":"working"}"#).title, "t");
        assert_eq!(titled(Kind::Templates, r#"{"uriTemplate":"x/{a}"}"#).title, "x/{a}");
    }

    #[test]
    fn prompts_resources_and_tasks_are_looked_at_too() {
        let faults = |kind, json: &str| read(kind, &format!("[{json}]")).remove(0).faults.join("; ");
        assert_eq!(faults(Kind::Prompts, r#"{"name":"p","arguments":[{"name":"a"},{}]}"#), "argument 2 has no name");
        assert_eq!(faults(Kind::Prompts, r#"{"name":"p","arguments":{}}"#), "`arguments` is an object, not an array");
        assert_eq!(faults(Kind::Resources, r#"{"uri":"x:y"}"#), "`name` is missing");
        assert_eq!(
            faults(Kind::Resources, r#"{"name":"x","mimeType":3}"#),
            "`uri` is missing; `mimeType` is 3, not a string"
        );
        assert_eq!(faults(Kind::Tasks, r#"{"taskId":"t"}"#), "`status` is missing");
    }
}
