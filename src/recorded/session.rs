//! All that one recording tells of a server.

use super::Call;
use crate::model::{Nanos, Revision, Seq};
use crate::peer::server::{About, Bytes, Kind};

/// A recording, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The file's name.
    pub name: String,
    /// Who the server is.
    pub about: About,
    /// The revisions in which it was spoken to, oldest first.
    pub spoken: Vec<Revision>,
    /// The calls of all clients, in the order of their requests.
    pub calls: Vec<Call>,
    /// What the server said that belongs to no call.
    pub loose: Vec<Loose>,
    /// What it had of each kind, in the order in which that was listed.
    pub lists: Vec<Listing>,
    /// What could not be read, in sentences.
    pub warnings: Vec<String>,
}

impl Session {
    /// The items of one kind, as they were at the end.
    pub fn list(&self, kind: Kind) -> &[Bytes] {
        self.lists.iter().rev().find(|list| list.kind == kind).map_or(&[], |list| &list.items)
    }
}

/// A list as it was at one time, its pages joined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Of what.
    pub kind: Kind,
    /// The sequence number of the request for its first page.
    pub seq: Seq,
    /// The items as JSON text, in their order.
    pub items: Vec<Bytes>,
    /// Whether its last page was seen.
    pub whole: bool,
}

/// Something that belongs to no call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loose {
    /// Its entry.
    pub seq: Seq,
    /// After what it comes.
    pub by: By,
    /// How long after.
    pub after: Nanos,
    /// What it is.
    pub what: LooseWhat,
}

/// After what something loose comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// After serving began.
    Start,
    /// After this call was asked, by its place in [`Session::calls`].
    Call(usize),
}

/// What came loose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LooseWhat {
    /// A list changed.
    Changed(Kind),
    /// The resource with this URI changed.
    Updated(String),
    /// Any other notification: method and params.
    Notify(String, Option<Bytes>),
    /// A request: method and params.
    Ask(String, Option<Bytes>),
}

/// Who a server is of which nothing is known.
pub fn nobody() -> About {
    About {
        identity: r#"{"name":"recorded","version":"0"}"#.to_owned(),
        legacy: "{}".to_owned(),
        modern: "{}".to_owned(),
        instructions: None,
        revisions: Revision::KNOWN.to_vec(),
        page: None,
        hint: (0, "private".to_owned()),
        completions: Vec::new(),
    }
}
