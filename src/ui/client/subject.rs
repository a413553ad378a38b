//! What is tried out: one item of a list, by what it is called. Calls, drafts and the selection are kept by it, so that
//! they stay when the list is fetched anew.

use crate::peer::client::Kind;

/// One tool, resource, template, prompt or task.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Subject {
    /// The list that it is in.
    pub kind: Kind,
    /// Its name, URI, URI template or task id.
    pub key: String,
}

impl Subject {
    /// The item of this kind with this key.
    pub fn new(kind: Kind, key: impl Into<String>) -> Self {
        Self { kind, key: key.into() }
    }

    /// The method by which it is tried out.
    pub const fn method(&self) -> &'static str {
        match self.kind {
            Kind::Tools => "tools/call",
            Kind::Resources | Kind::Templates => "resources/read",
            Kind::Prompts => "prompts/get",
            Kind::Tasks => "tasks/get",
        }
    }
}
