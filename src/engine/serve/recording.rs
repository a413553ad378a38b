//! Reads a recording as what a server did: its calls with all that belongs to them, what came loose, who the server is
//! and what it has. How that becomes answers is [`recorded`](crate::recorded)'s.

mod about;
mod answer;
mod course;
mod lists;
mod loose;
mod tape;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use tape::Tape;

use crate::model::{Era, Flags, Revision, Side, Transport};
use crate::recorded::{Call, Outcome, Session};
use crate::trace::{Exchange, Note, OperationKind, Part, Place};

/// So many entries that were not kept whole are named.
const CUT: usize = 20;

/// All that the recording at `path` tells of its server, whatever the transport was. Damaged or truncated entries lose
/// only themselves, and that is told in [`Session::warnings`] and [`Call::notes`]. The error fits after "failed to".
pub fn read(path: &Path) -> Result<Session, String> {
    let tape = Tape::open(path)?;
    let mut claimed = HashSet::new();
    let calls = calls(&tape, &mut claimed);
    if calls.is_empty() {
        return Err(format!("serve {}: no client asks anything in it", path.display()));
    }
    let mut warnings: Vec<String> = tape.warning().into_iter().collect();
    let lists = lists::lists(&calls);
    warnings.extend(lists.iter().filter(|list| !list.whole).map(lists::incomplete));
    warnings.extend(cut(&tape));
    for call in &calls {
        warnings.extend(call.notes.iter().map(|note| format!("{}: {note}", call.name())));
    }
    let loose = loose::loose(&tape, &calls, &claimed);
    let about = about::about(&calls, &lists);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Session { name, about, spoken: spoken(&calls), calls, loose, lists, warnings })
}

/// What the server said that was not kept whole.
fn cut(tape: &Tape) -> Vec<String> {
    let cut = |note: &&Note| note.flags.has(Flags::TRUNCATED) || note.flags.has(Flags::UNFINISHED);
    let cut = tape.trace().notes().iter().filter(cut).filter(|note| note.side == Some(Side::Server));
    let mut said: Vec<String> = cut.map(|note| format!("entry {} was not kept whole", note.seq)).collect();
    if said.len() > CUT {
        let more = said.len() - CUT;
        said.truncate(CUT);
        said.push(format!("{more} entries more were not kept whole"));
    }
    said
}

/// The calls of all clients. What belongs to them is put into `claimed`.
fn calls(tape: &Tape, claimed: &mut HashSet<Place>) -> Vec<Call> {
    let mut calls = Vec::new();
    let mut clients = HashMap::new();
    for (index, exchange) in tape.trace().exchanges().iter().enumerate() {
        if exchange.side == Side::Client
            && !is_part(tape, exchange, index as u32)
            && let Some(call) = course::call(tape, index as u32, claimed)
        {
            let client = client(tape, exchange, call.era).map(|client| {
                let next = clients.len() as u32;
                *clients.entry(client).or_insert(next)
            });
            calls.push(Call { client, ..call });
        }
    }
    calls
}

/// By what the client is known that asked: its process, or its session.
fn client(tape: &Tape, exchange: &Exchange, era: Era) -> Option<(bool, u32)> {
    match tape.trace().transport(exchange.channel) {
        Transport::Stdio => Some((true, exchange.channel)),
        _ if era == Era::Modern => None,
        _ => exchange.session.map(|session| (false, session)),
    }
}

/// Whether an exchange is a later part of a call: a round, or what was asked of its task.
fn is_part(tape: &Tape, exchange: &Exchange, index: u32) -> bool {
    let Some(operation) = exchange.operation.and_then(|number| tape.trace().operations().get(number as usize)) else {
        return false;
    };
    let one_call = matches!(operation.kind, OperationKind::Rounds | OperationKind::CoreTask | OperationKind::Task);
    let begun = operation.members.first().is_some_and(|first| first.part == Part::First && first.exchange != index);
    one_call && begun
}

/// The revisions in which a call succeeded, oldest first: a probe that was refused says nothing of the server.
fn spoken(calls: &[Call]) -> Vec<Revision> {
    let is = |call: &Call, known: &Revision| call.revision.nearest_known() == *known;
    let succeeded =
        |known: &Revision| calls.iter().any(|call| is(call, known) && matches!(call.outcome, Outcome::Result(_)));
    Revision::KNOWN.into_iter().filter(succeeded).collect()
}
