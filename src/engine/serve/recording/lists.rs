//! What the server listed: the pages of each list joined, one list for each time that it was asked for from its
//! beginning and said something else than before.

use crate::peer::server::{Bytes, Kind};
use crate::recorded::{Call, Listing, Outcome};
use crate::wire::Json;

/// A list that was begun, and under which cursor it goes on.
struct Begun {
    list: Listing,
    next: Option<String>,
}

/// All lists of these calls, in the order of their requests.
pub(super) fn lists(calls: &[Call]) -> Vec<Listing> {
    let mut begun: Vec<Begun> = Vec::new();
    for call in calls {
        if let Some((kind, member)) = kind(&call.method)
            && let Outcome::Result(result) = &call.outcome
            && let Ok(result) = Json::parse(result)
        {
            page(&mut begun, call, kind, member, result);
        }
    }
    let mut lists: Vec<Listing> = Vec::new();
    for Begun { list, next } in begun {
        let list = Listing { whole: next.is_none(), ..list };
        let before = lists.iter().rev().find(|before| before.kind == list.kind);
        if before.is_none_or(|before| before.items != list.items) {
            lists.push(list);
        }
    }
    // A list of which only the first pages were asked for says less than a whole one.
    let kinds: Vec<Kind> = lists.iter().filter(|list| list.whole).map(|list| list.kind).collect();
    lists.retain(|list| list.whole || !kinds.contains(&list.kind));
    lists
}

fn page(begun: &mut Vec<Begun>, call: &Call, kind: Kind, member: &str, result: Json<'_>) {
    let params = call.params.as_deref().and_then(|params| Json::parse(params).ok());
    let cursor = params.and_then(|params| Some(params.get("cursor")?.text()?.into_owned()));
    let next = result.get("nextCursor").and_then(|cursor| Some(cursor.text()?.into_owned()));
    let items = result.get(member).into_iter().flat_map(|list| list.items());
    let items: Vec<Bytes> = items.map(|item| item.raw().into()).collect();
    match cursor {
        None => begun.push(Begun { list: Listing { kind, seq: call.seq, items, whole: false }, next }),
        Some(_) => {
            let goes_on = |begun: &&mut Begun| begun.list.kind == kind && begun.next == cursor;
            if let Some(begun) = begun.iter_mut().rev().find(goes_on) {
                begun.list.items.extend(items);
                begun.next = next;
            }
        }
    }
}

/// The kind of a list and the member that holds its items.
fn kind(method: &str) -> Option<(Kind, &'static str)> {
    match method {
        "tools/list" => Some((Kind::Tools, "tools")),
        "resources/list" => Some((Kind::Resources, "resources")),
        "resources/templates/list" => Some((Kind::Templates, "resourceTemplates")),
        "prompts/list" => Some((Kind::Prompts, "prompts")),
        _ => None,
    }
}

/// Said of a list whose last page is not there.
pub(super) fn incomplete(list: &Listing) -> String {
    let what = match list.kind {
        Kind::Tools => "tools",
        Kind::Resources => "resources",
        Kind::Templates => "resource templates",
        Kind::Prompts => "prompts",
        Kind::Tasks => "tasks",
    };
    format!("the list of {what} (from entry {}) was not recorded to its last page, so it may lack some", list.seq)
}
