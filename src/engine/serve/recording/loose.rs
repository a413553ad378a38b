//! What a server said that belongs to no call: notifications, subscriptions' news, requests of its own. Each comes after
//! the call that was asked last before it.

use std::collections::HashSet;

use super::tape::Tape;
use crate::model::{ChannelId, Nanos, Side};
use crate::peer::server::{Bytes, Kind};
use crate::recorded::{By, Call, Loose, LooseWhat};
use crate::trace::{Marks, NoteKind, Place};

/// The same news to another client, or on another stream, comes within this time.
const TWICE: Nanos = 200_000_000;

/// All that came loose, in recorded order.
pub(super) fn loose(tape: &Tape, calls: &[Call], claimed: &HashSet<Place>) -> Vec<Loose> {
    let begun: Vec<Nanos> = calls.iter().map(|call| tape.trace().note(call.seq).map_or(0, |note| note.at)).collect();
    let start = tape.trace().notes().first().map_or(0, |note| note.at);
    let mut loose: Vec<(Loose, Nanos, ChannelId)> = Vec::new();
    for (place, at, channel) in places(tape).filter(|(place, _, _)| !claimed.contains(place)) {
        let Some(what) = what(tape, place) else { continue };
        let twice = loose.iter().rev().take(16).any(|(before, was, other)| {
            before.what == what && at - was < TWICE && (*other != channel || matches!(what, LooseWhat::Changed(_)))
        });
        if twice {
            continue;
        }
        let before = begun.partition_point(|began| *began <= at);
        let (by, since) = match before.checked_sub(1) {
            Some(call) => (By::Call(call), begun[call]),
            None => (By::Start, start),
        };
        loose.push((Loose { seq: place.seq, by, after: (at - since).max(0), what }, at, channel));
    }
    loose.into_iter().map(|(loose, _, _)| loose).collect()
}

/// The server's notifications and requests.
fn places(tape: &Tape) -> impl Iterator<Item = (Place, Nanos, ChannelId)> {
    let trace = tape.trace();
    let messages = trace.notes().iter().flat_map(|note| {
        let items = if note.kind == NoteKind::Batch { trace.items(note.seq) } else { std::slice::from_ref(note) };
        items.iter().enumerate().map(move |(item, message)| (note, item as u32, message))
    });
    let speaks = |kind| matches!(kind, NoteKind::Notification | NoteKind::Request);
    let loose = messages.filter(move |(note, _, message)| {
        note.side == Some(Side::Server) && speaks(message.kind) && !message.marks.has(Marks::REPLAYED)
    });
    loose.map(|(note, item, _)| (Place { seq: note.seq, item }, note.at, note.channel))
}

/// What it is; nothing for what the server of today says by itself, and for what names a request that is over.
fn what(tape: &Tape, place: Place) -> Option<LooseWhat> {
    let said = tape.said(place).ok()?;
    let message = said.message()?;
    let method = message.method.as_deref()?;
    let params = message.params;
    let bytes = || params.map(|params| Bytes::from(params.raw()));
    if message.id.is_some() {
        return Some(LooseWhat::Ask(method.to_owned(), bytes()));
    }
    match method {
        "notifications/tools/list_changed" => Some(LooseWhat::Changed(Kind::Tools)),
        "notifications/resources/list_changed" => Some(LooseWhat::Changed(Kind::Resources)),
        "notifications/prompts/list_changed" => Some(LooseWhat::Changed(Kind::Prompts)),
        "notifications/resources/updated" => Some(LooseWhat::Updated(params?.get("uri")?.text()?.into_owned())),
        "notifications/cancelled"
        | "notifications/progress"
        | "notifications/tasks"
        | "notifications/tasks/status"
        | "notifications/subscriptions/acknowledged" => None,
        _ => Some(LooseWhat::Notify(method.to_owned(), bytes())),
    }
}
