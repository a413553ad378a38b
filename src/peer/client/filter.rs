//! What a `subscriptions/listen` asks to be told of, and how what was acknowledged differs from it.

use std::collections::BTreeSet;

use crate::mcp::one_line;
use crate::wire::{Json, JsonKind};

/// How many differences are named.
const MOST: usize = 5;

/// The member `notifications`, as the set of what it asks for: names of members that are true, and with a name in
/// front the strings of those that are arrays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Filter {
    wanted: BTreeSet<(String, Option<String>)>,
}

impl Filter {
    /// Reads the object. What is neither true nor an array of strings asks for nothing.
    pub(super) fn read(json: Json<'_>) -> Self {
        let mut wanted = BTreeSet::new();
        for (key, value) in json.members() {
            let key = key.text().unwrap_or_default();
            match value.kind() {
                JsonKind::Bool if value.as_bool() == Some(true) => {
                    wanted.insert((key.into_owned(), None));
                }
                JsonKind::Array => {
                    let texts = value.items().filter_map(|item| item.text());
                    wanted.extend(texts.map(|text| (key.clone().into_owned(), Some(text.into_owned()))));
                }
                _ => {}
            }
        }
        Self { wanted }
    }

    /// How an acknowledged filter differs from this one, in words (SU-003, SU-016); `None` when it does not.
    pub(super) fn difference(&self, acknowledged: &Self) -> Option<String> {
        let missing = named(self.wanted.difference(&acknowledged.wanted));
        let extra = named(acknowledged.wanted.difference(&self.wanted));
        let missing = missing.map(|names| format!("without {names}"));
        let extra = extra.map(|names| format!("with {names}, which was not asked for (SU-003)"));
        let parts: Vec<String> = missing.into_iter().chain(extra).collect();
        (!parts.is_empty()).then(|| parts.join(", and "))
    }

    /// Whether a notification of this method was asked for (SU-005); also for those that nobody knows.
    pub(super) fn covers(&self, method: &str) -> bool {
        let member = match method {
            "notifications/tools/list_changed" => "toolsListChanged",
            "notifications/prompts/list_changed" => "promptsListChanged",
            "notifications/resources/list_changed" => "resourcesListChanged",
            "notifications/resources/updated" => "resourceSubscriptions",
            "notifications/tasks" => "taskIds",
            "notifications/message" | "notifications/progress" => return false,
            _ => return true,
        };
        self.wanted.iter().any(|(name, _)| name == member)
    }
}

fn named<'a>(names: impl Iterator<Item = &'a (String, Option<String>)>) -> Option<String> {
    let mut names: Vec<String> = names.map(|(name, text)| one_line(text.as_ref().unwrap_or(name), 80)).collect();
    let more = names.len().saturating_sub(MOST);
    names.truncate(MOST);
    if more > 0 {
        names.push(format!("{more} more"));
    }
    (!names.is_empty()).then(|| names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::Filter;
    use crate::wire::Json;

    fn filter(text: &str) -> Filter {
        Filter::read(Json::parse(text.as_bytes()).expect("the test's JSON is valid"))
    }

    #[test]
    fn differences_are_named_both_ways() {
        let asked =
            filter(r#"{"toolsListChanged":true,"promptsListChanged":false,"resourceSubscriptions":["a:","b:"]}"#);
        assert_eq!(asked.difference(&asked), None);
        let less = filter(r#"{"toolsListChanged":false,"resourceSubscriptions":["b:"]}"#);
        assert_eq!(asked.difference(&less).as_deref(), Some("without a:, toolsListChanged"));
        let other = filter(r#"{"toolsListChanged":true,"resourceSubscriptions":["a:","b:","c:"]}"#);
        assert_eq!(asked.difference(&other).as_deref(), Some("with c:, which was not asked for (SU-003)"));
        let many: Vec<_> = (0..9).map(|n| format!("\"u{n}:\"")).collect();
        let many = filter(&format!(r#"{{"resourceSubscriptions":[{}]}}"#, many.join(",")));
        assert_eq!(many.difference(&filter("{}")).as_deref(), Some("without u0:, u1:, u2:, u3:, u4:, 4 more"));
        assert_eq!(filter("7"), filter("{}"));
    }

    #[test]
    fn what_was_not_asked_for_is_known() {
        let asked = filter(r#"{"toolsListChanged":true,"taskIds":["t"]}"#);
        assert!(asked.covers("notifications/tools/list_changed") && asked.covers("notifications/tasks"));
        assert!(asked.covers("notifications/custom"));
        assert!(!asked.covers("notifications/resources/updated") && !asked.covers("notifications/message"));
    }
}
