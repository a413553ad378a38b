//! Who a client or a server says it is.

use crate::mcp::one_line;
use crate::wire::Json;
use std::fmt;

/// An `Implementation` object: `clientInfo` or `serverInfo`. Single lines, controls escaped.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Identity {
    /// Its `name`; empty when it gave none.
    pub name: String,
    /// Its `version`; empty when it gave none.
    pub version: String,
    /// Its `title`, meant for people (2025-06-18 on).
    pub title: Option<String>,
}

impl Identity {
    /// Reads one; `None` when it is not an object, or names nothing.
    pub fn read(json: Json<'_>) -> Option<Self> {
        let text = |key: &str| json.get(key).and_then(|value| value.text()).map(|text| one_line(&text, 80));
        let (name, version, title) = (text("name"), text("version"), text("title"));
        if name.is_none() && version.is_none() && title.is_none() {
            return None;
        }
        Some(Self { name: name.unwrap_or_default(), version: version.unwrap_or_default(), title })
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.name.is_empty() { self.title.as_deref().unwrap_or("unnamed") } else { &self.name };
        f.write_str(name)?;
        if self.version.is_empty() { Ok(()) } else { write!(f, " {}", self.version) }
    }
}
