//! What comes nearest to a request that no recorded call answers.

use std::collections::BTreeMap;

use super::{Call, canon};
use crate::peer::server::{Asked, Near};
use crate::wire::Json;

/// So many are named.
const NAMED: usize = 3;
/// So many calls are compared, the last recorded first.
const COMPARED: usize = 1000;
/// And so many bytes of params.
const BYTES: usize = 16 * 1024 * 1024;

/// Pointers that say what a request is about: a difference there counts more than any number of others.
const SUBJECTS: [&str; 5] = ["/name", "/uri", "/ref/name", "/ref/uri", "/argument/name"];

/// A call and by what it differs.
struct Compared<'a> {
    call: &'a Call,
    /// Whether it is about something else, and at how many pointers it differs.
    distance: (bool, usize),
    pointer: String,
}

/// The recorded calls of the same method that differ least, the nearest first.
pub(super) fn near<'a>(
    asked: &Asked<'_>,
    calls: impl DoubleEndedIterator<Item = &'a Call>,
    ignored: &[String],
) -> Vec<Near> {
    let own = canon::leaves(asked.params, ignored);
    let mut left = BYTES;
    let mut compared: Vec<Compared<'_>> = Vec::new();
    for call in calls.rev().filter(|call| call.method == asked.method).take(COMPARED) {
        let size = call.params.as_ref().map_or(0, |params| params.len());
        if size > left {
            break;
        }
        left -= size;
        compared.push(compare(&own, call, ignored));
    }
    // The sort is stable: of equals the one that was recorded first, as a person would look for it.
    compared.reverse();
    compared.sort_by_key(|compared| compared.distance);
    compared.truncate(NAMED);
    compared.into_iter().map(|compared| named(asked, compared)).collect()
}

fn compare<'a>(own: &BTreeMap<String, String>, call: &'a Call, ignored: &[String]) -> Compared<'a> {
    let theirs = canon::leaves(call.params.as_deref(), ignored);
    let differing = theirs.iter().filter(|(at, value)| own.get(*at) != Some(*value)).map(|(at, _)| at);
    let only_own = own.keys().filter(|at| !theirs.contains_key(*at));
    let mut pointers: Vec<&String> = differing.chain(only_own).collect();
    pointers.sort_by_key(|at| (!SUBJECTS.contains(&at.as_str()), *at));
    let other = pointers.first().is_some_and(|at| SUBJECTS.contains(&at.as_str()));
    let pointer = pointers.first().map(|at| (*at).clone()).unwrap_or_default();
    Compared { call, distance: (other, pointers.len()), pointer }
}

fn named(asked: &Asked<'_>, compared: Compared<'_>) -> Near {
    let Compared { call, pointer, .. } = compared;
    let value = |params: Option<&[u8]>| {
        let json = Json::parse(params?).ok()?.pointer(&pointer)?;
        Some(String::from_utf8_lossy(json.raw()).into_owned())
    };
    Near {
        what: call.name(),
        place: (call.seq > 0).then_some(call.seq),
        seq: (call.seq > 0).then_some(call.seq),
        wanted: value(call.params.as_deref()).unwrap_or_else(|| "nothing".to_owned()),
        got: value(asked.params),
        steps: call.plan(),
        pointer,
    }
}
