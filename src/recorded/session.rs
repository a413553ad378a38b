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
    /// What the server said that belongs to no call, in the order of the calls that it comes after.
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

impl Session {
    /// Forgets the calls that `keep` does not let through, with what came loose after them.
    pub fn keep(&mut self, keep: impl Fn(&Call) -> bool) {
        let mut places = Vec::new();
        let mut kept = Vec::new();
        for call in self.calls.drain(..) {
            let keeps = keep(&call);
            places.push(keeps.then_some(kept.len()));
            kept.extend(keeps.then_some(call));
        }
        self.calls = kept;
        self.loose.retain_mut(|loose| match loose.by {
            By::Start => true,
            By::Call(place) => {
                let kept = places.get(place).copied().flatten();
                loose.by = kept.map_or(loose.by, By::Call);
                kept.is_some()
            }
        });
    }

    /// Several as one: the server of the first, the calls of all, and of each kind the lists of the first that has any.
    pub fn joined(sessions: impl IntoIterator<Item = Self>) -> Option<Self> {
        sessions.into_iter().reduce(|mut all, next| {
            let before = all.calls.len();
            let moved = |loose: Loose| match loose.by {
                By::Call(place) => Loose { by: By::Call(before + place), ..loose },
                By::Start if before > 0 => Loose { by: By::Call(before - 1), ..loose },
                By::Start => loose,
            };
            all.name = format!("{}, {}", all.name, next.name);
            all.calls.extend(next.calls);
            // What came before all calls of the next comes after the last call of these.
            all.loose.extend(next.loose.into_iter().map(moved));
            let lacks = |list: &Listing| !all.lists.iter().any(|known| known.kind == list.kind);
            let lists: Vec<Listing> = next.lists.into_iter().filter(lacks).collect();
            all.lists.extend(lists);
            all.warnings.extend(next.warnings);
            all
        })
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
