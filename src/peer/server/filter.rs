//! What a `subscriptions/listen` of 2026-07-28 asks for, which part of it is granted, and whether something that happens
//! falls under it.

use std::collections::BTreeSet;

use super::Kind;
use crate::mcp::{Capabilities, Known, methods};
use crate::wire::{Json, JsonKind, quote};

/// The most URIs and ids of tasks that one filter holds; further ones are not granted.
const MOST: usize = 1_000;

/// The part of a filter that is granted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Filter {
    tools: bool,
    prompts: bool,
    resources: bool,
    /// URIs of resources, as asked for.
    uris: Option<BTreeSet<String>>,
    /// Ids of tasks.
    tasks: Option<BTreeSet<String>>,
}

/// Why a filter is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refused {
    /// It has the wrong shape (SU-001); why.
    Shape(String),
    /// It names tasks, and the client did not declare the extension (SU-017).
    Tasks,
}

impl Filter {
    /// Reads `params.notifications` and keeps what a server with these capabilities has, for a client with those.
    pub(super) fn read(asked: Option<Json<'_>>, server: &Capabilities, client: &Capabilities) -> Result<Self, Refused> {
        let Some(asked) = asked.filter(|asked| asked.kind() == JsonKind::Object) else {
            return Err(Refused::Shape("`notifications` must be an object (SU-001)".to_owned()));
        };
        let has = |path: &str| server.has(path) == Known::Yes;
        let tasks = format!("extensions.{}", methods::TASKS);
        let ids = strings(asked, "taskIds")?;
        if ids.is_some() && client.has(&tasks) != Known::Yes {
            return Err(Refused::Tasks);
        }
        Ok(Self {
            tools: flag(asked, "toolsListChanged")? && has("tools.listChanged"),
            prompts: flag(asked, "promptsListChanged")? && has("prompts.listChanged"),
            resources: flag(asked, "resourcesListChanged")? && has("resources.listChanged"),
            uris: strings(asked, "resourceSubscriptions")?.filter(|_| has("resources.subscribe")),
            tasks: ids.filter(|_| has(&tasks)),
        })
    }

    /// Takes out the tasks that are not known.
    pub(super) fn keep_tasks(&mut self, known: impl Fn(&str) -> bool) {
        if let Some(tasks) = &mut self.tasks {
            tasks.retain(|task| known(task));
        }
    }

    /// As the acknowledgement names it (SU-003).
    pub(super) fn json(&self) -> String {
        let flags = [
            ("toolsListChanged", self.tools),
            ("promptsListChanged", self.prompts),
            ("resourcesListChanged", self.resources),
        ];
        let mut members: Vec<String> =
            flags.iter().filter(|(_, on)| *on).map(|(name, _)| format!("{}:true", quote(name))).collect();
        for (name, list) in [("resourceSubscriptions", &self.uris), ("taskIds", &self.tasks)] {
            if let Some(list) = list {
                let list: Vec<String> = list.iter().map(|item| quote(item)).collect();
                members.push(format!("{}:[{}]", quote(name), list.join(",")));
            }
        }
        format!("{{{}}}", members.join(","))
    }

    /// Whether it wants to know of changes of this list (SU-005).
    pub(super) const fn wants_list(&self, kind: Kind) -> bool {
        match kind {
            Kind::Tools => self.tools,
            Kind::Prompts => self.prompts,
            Kind::Resources | Kind::Templates => self.resources,
            Kind::Tasks => false,
        }
    }

    /// Whether it wants to know of changes of this resource: itself, or what it lies below (SU-013).
    pub(super) fn wants_resource(&self, uri: &str) -> bool {
        self.uris.as_ref().is_some_and(|uris| covers(uris, uri))
    }

    /// Whether it wants this notification, which is about that resource if it is about one.
    pub(super) fn wants(&self, method: &str, uri: &str) -> bool {
        match method {
            "notifications/tools/list_changed" => self.tools,
            "notifications/prompts/list_changed" => self.prompts,
            "notifications/resources/list_changed" => self.resources,
            "notifications/resources/updated" => self.wants_resource(uri),
            _ => false,
        }
    }

    /// Whether it wants to know of this task (TE-017).
    pub(super) fn wants_task(&self, task: &str) -> bool {
        self.tasks.as_ref().is_some_and(|tasks| tasks.contains(task))
    }
}

/// Whether a resource is one of these, or lies below one of them.
pub(super) fn covers(uris: &BTreeSet<String>, uri: &str) -> bool {
    uris.contains(uri) || uri.match_indices('/').any(|(at, _)| uris.contains(&uri[..at]) || uris.contains(&uri[..=at]))
}

fn flag(asked: Json<'_>, name: &str) -> Result<bool, Refused> {
    match asked.get(name) {
        None => Ok(false),
        Some(value) => {
            value.as_bool().ok_or_else(|| Refused::Shape(format!("`{name}` must be true or false (SU-001)")))
        }
    }
}

fn strings(asked: Json<'_>, name: &str) -> Result<Option<BTreeSet<String>>, Refused> {
    let Some(list) = asked.get(name) else { return Ok(None) };
    let wrong = || Refused::Shape(format!("`{name}` must be a list of strings (SU-001)"));
    if list.kind() != JsonKind::Array {
        return Err(wrong());
    }
    let strings = list.items().take(MOST).map(|item| item.text().map(Into::into).ok_or_else(wrong));
    Ok(Some(strings.collect::<Result<_, _>>()?))
}

#[cfg(test)]
mod tests {
    use super::{Filter, Kind, Refused};
    use crate::mcp::Capabilities;
    use crate::wire::Json;

    fn can(text: &str) -> Capabilities {
        Capabilities::read(Json::parse(text.as_bytes()).expect("the test's JSON is valid"))
    }

    fn read(asked: &str, server: &str, client: &str) -> Result<Filter, Refused> {
        Filter::read(Json::parse(asked.as_bytes()).ok(), &can(server), &can(client))
    }

    const TASKS: &str = r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;

    #[test]
    fn what_is_granted_is_what_is_asked_and_declared() {
        let server = r#"{"tools":{"listChanged":true},"prompts":{},"resources":{"subscribe":true},
            "extensions":{"io.modelcontextprotocol/tasks":{}}}"#;
        let asked = r#"{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":false,
            "resourceSubscriptions":["file:///a","test://b"],"taskIds":["t1","t2"],"odd":7}"#;
        let mut filter = read(asked, server, TASKS).expect("it has the right shape");
        filter.keep_tasks(|task| task == "t2");
        let granted = r#"{"toolsListChanged":true,"resourceSubscriptions":["file:///a","test://b"],"taskIds":["t2"]}"#;
        assert_eq!(filter.json(), granted);
        assert!(filter.wants_list(Kind::Tools) && !filter.wants_list(Kind::Prompts));
        assert!(filter.wants_resource("file:///a") && filter.wants_resource("file:///a/b/c"));
        assert!(!filter.wants_resource("file:///ab") && !filter.wants_resource("file:///"));
        assert!(filter.wants_task("t2") && !filter.wants_task("t1"));
        assert_eq!(read("{}", server, "{}").expect("it asks for nothing").json(), "{}");
        assert_eq!(read(asked, "{}", TASKS).expect("nothing is declared").json(), "{}");
    }

    #[test]
    fn wrong_shapes_are_refused() {
        for asked in ["[]", r#"{"toolsListChanged":1}"#, r#"{"resourceSubscriptions":"x"}"#, r#"{"taskIds":[1]}"#] {
            assert!(matches!(read(asked, "{}", TASKS), Err(Refused::Shape(_))), "{asked}");
        }
        assert_eq!(read(r#"{"taskIds":[]}"#, "{}", "{}"), Err(Refused::Tasks));
    }
}
