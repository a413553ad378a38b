//! The methods of the five revisions: who may send each, in which revisions, behind which capability.
//!
//! Tables from the specification (protocol.md 1.2–1.4). A method that is not here is not wrong: it may
//! belong to an extension, or to a revision yet to come.

use crate::model::{Revision, Side};

/// Who may send a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum From {
    /// Only the client.
    Client,
    /// Only the server.
    Server,
    /// Either.
    Both,
}

impl From {
    /// Whether `side` may send it.
    pub const fn allows(self, side: Side) -> bool {
        matches!((self, side), (Self::Both, _) | (Self::Client, Side::Client) | (Self::Server, Side::Server))
    }
}

/// Whether a method is asked or told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// It has an id and wants an answer.
    Request,
    /// It has none.
    Notification,
}

/// A set of the five known revisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Revisions(u8);

impl Revisions {
    /// 2024-11-05 … 2025-11-25.
    pub const LEGACY: Self = Self(0b0_1111);
    /// 2026-07-28.
    pub const MODERN: Self = Self(0b1_0000);
    /// All five.
    pub const ALL: Self = Self(0b1_1111);
    /// 2025-06-18 and 2025-11-25.
    pub const C_D: Self = Self(0b0_1100);
    /// 2025-11-25.
    pub const D: Self = Self(0b0_1000);

    /// Whether `revision`, or the nearest known one below it, is in the set.
    pub fn contains(self, revision: &Revision) -> bool {
        let bit = match revision.nearest_known() {
            Revision::V2024_11_05 | Revision::Other(_) => 0,
            Revision::V2025_03_26 => 1,
            Revision::V2025_06_18 => 2,
            Revision::V2025_11_25 => 3,
            Revision::V2026_07_28 => 4,
        };
        self.0 & (1 << bit) != 0
    }
}

/// What the protocol says of one method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Method {
    /// Its name on the wire.
    pub name: &'static str,
    /// Who may send it.
    pub from: From,
    /// Whether it is asked or told.
    pub shape: Shape,
    /// The revisions whose core has it. `tasks/get` and `tasks/cancel` are core in 2025-11-25 only.
    pub revisions: Revisions,
    /// The capability that the receiver must have declared, as a dotted path; empty where there is
    /// none. Of a notification: the capability that its sender must have declared.
    pub gate: &'static str,
    /// The extension that has it besides (or instead of) the core; empty where there is none.
    pub extension: &'static str,
}

/// The name of the tasks extension of 2026-07-28.
pub const TASKS: &str = "io.modelcontextprotocol/tasks";

const fn request(name: &'static str, from: From, revisions: Revisions, gate: &'static str) -> Method {
    Method { name, from, shape: Shape::Request, revisions, gate, extension: "" }
}

const fn notification(name: &'static str, from: From, revisions: Revisions, gate: &'static str) -> Method {
    Method { name, from, shape: Shape::Notification, revisions, gate, extension: "" }
}

const fn of_tasks(method: Method) -> Method {
    Method { extension: TASKS, ..method }
}

const NEVER: Revisions = Revisions(0);

/// Every method of the five revisions and of the tasks extension, sorted by name.
pub const METHODS: [Method; 36] = [
    request("completion/complete", From::Client, Revisions::ALL, "completions"),
    request("elicitation/create", From::Server, Revisions::C_D, "elicitation"),
    request("initialize", From::Client, Revisions::LEGACY, ""),
    request("logging/setLevel", From::Client, Revisions::LEGACY, "logging"),
    notification("notifications/cancelled", From::Both, Revisions::ALL, ""),
    notification("notifications/elicitation/complete", From::Server, Revisions::D, ""),
    notification("notifications/initialized", From::Client, Revisions::LEGACY, ""),
    notification("notifications/message", From::Server, Revisions::ALL, "logging"),
    notification("notifications/progress", From::Both, Revisions::ALL, ""),
    notification("notifications/prompts/list_changed", From::Server, Revisions::ALL, "prompts.listChanged"),
    notification("notifications/resources/list_changed", From::Server, Revisions::ALL, "resources.listChanged"),
    notification("notifications/resources/updated", From::Server, Revisions::ALL, "resources.subscribe"),
    notification("notifications/roots/list_changed", From::Client, Revisions::LEGACY, "roots.listChanged"),
    notification("notifications/subscriptions/acknowledged", From::Server, Revisions::MODERN, ""),
    of_tasks(notification("notifications/tasks", From::Server, NEVER, "")),
    notification("notifications/tasks/status", From::Both, Revisions::D, "tasks"),
    notification("notifications/tools/list_changed", From::Server, Revisions::ALL, "tools.listChanged"),
    request("ping", From::Both, Revisions::LEGACY, ""),
    request("prompts/get", From::Client, Revisions::ALL, "prompts"),
    request("prompts/list", From::Client, Revisions::ALL, "prompts"),
    request("resources/list", From::Client, Revisions::ALL, "resources"),
    request("resources/read", From::Client, Revisions::ALL, "resources"),
    request("resources/subscribe", From::Client, Revisions::LEGACY, "resources.subscribe"),
    request("resources/templates/list", From::Client, Revisions::ALL, "resources"),
    request("resources/unsubscribe", From::Client, Revisions::LEGACY, "resources.subscribe"),
    request("roots/list", From::Server, Revisions::LEGACY, "roots"),
    request("sampling/createMessage", From::Server, Revisions::LEGACY, "sampling"),
    request("server/discover", From::Client, Revisions::MODERN, ""),
    request("subscriptions/listen", From::Client, Revisions::MODERN, ""),
    of_tasks(request("tasks/cancel", From::Both, Revisions::D, "tasks.cancel")),
    of_tasks(request("tasks/get", From::Both, Revisions::D, "tasks")),
    request("tasks/list", From::Both, Revisions::D, "tasks.list"),
    request("tasks/result", From::Both, Revisions::D, "tasks"),
    of_tasks(request("tasks/update", From::Client, NEVER, "")),
    request("tools/call", From::Client, Revisions::ALL, "tools"),
    request("tools/list", From::Client, Revisions::ALL, "tools"),
];

/// What the protocol says of the method with this name.
pub fn find(name: &str) -> Option<&'static Method> {
    METHODS.binary_search_by(|method| method.name.cmp(name)).ok().map(|index| &METHODS[index])
}

#[cfg(test)]
mod tests {
    use super::{From, METHODS, Shape, find};
    use crate::model::{Revision, Side};

    #[test]
    fn the_table_is_sorted_and_says_what_the_specification_says() {
        assert!(METHODS.windows(2).all(|pair| pair[0].name < pair[1].name));
        let by = |revision: &Revision, side, shape| {
            let fits = |method: &&super::Method| {
                method.revisions.contains(revision) && method.from.allows(side) && method.shape == shape
            };
            METHODS.iter().filter(fits).count()
        };
        // Counted by hand in protocol.md 1.2, 1.3 and 1.4.
        let requests: Vec<_> = Revision::KNOWN.iter().map(|known| by(known, Side::Client, Shape::Request)).collect();
        assert_eq!(requests, [13, 13, 13, 17, 10]);
        let asked: Vec<_> = Revision::KNOWN.iter().map(|known| by(known, Side::Server, Shape::Request)).collect();
        assert_eq!(asked, [3, 3, 4, 8, 0]);
        let told: Vec<_> = Revision::KNOWN.iter().map(|known| by(known, Side::Server, Shape::Notification)).collect();
        assert_eq!(told, [7, 7, 7, 9, 8]);
    }

    #[test]
    fn methods_are_found_by_name() {
        assert_eq!(find("ping").map(|ping| ping.from), Some(From::Both));
        assert!(find("tools/call2").is_none());
        assert_eq!(find("tools/list").map(|list| list.gate), Some("tools"));
    }
}
