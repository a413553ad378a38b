//! Which arguments the tools of a script want repeated in header fields, found once for each list of tools.

use std::collections::HashMap;

use super::{Kind, Script};
use crate::mcp::mirror::{Annotation, annotations};
use crate::wire::Json;

/// Annotations by the names of tools, for those that have some.
#[derive(Debug, Default)]
pub(super) struct Annotated {
    /// Where the list lay of which they were found, and how long it was.
    of: (usize, usize),
    tools: HashMap<String, Vec<Annotation>>,
}

impl Annotated {
    /// Those of a tool.
    pub(super) fn of(&mut self, script: &dyn Script, tool: &str) -> &[Annotation] {
        let list = script.list(Kind::Tools);
        let of = (list.as_ptr().addr(), list.len());
        if self.of != of {
            self.of = of;
            self.tools = list.iter().filter_map(|item| read(item)).collect();
        }
        self.tools.get(tool).map_or(&[], Vec::as_slice)
    }

    /// The list is another one now.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }
}

fn read(item: &[u8]) -> Option<(String, Vec<Annotation>)> {
    // Most tools have none, and are not worth a search through their schemas.
    memchr::memmem::find(item, b"x-mcp-header")?;
    let tool = Json::parse(item).ok()?;
    let found = annotations(tool.get("inputSchema")?);
    Some((tool.get("name")?.text()?.into_owned(), found))
}
