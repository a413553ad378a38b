//! A trace told as text, for snapshots: the rows of the exchange view with all that belongs to them,
//! then operations and sessions.

use std::fmt::Write as _;

use midwire::model::{Era, Side};
use midwire::trace::{Attached, Exchange, Marks, Note, NoteKind, RowRef, Trace};

/// Everything that the trace says.
pub fn told(trace: &Trace) -> String {
    let mut out = String::new();
    for row in trace.rows() {
        match *row {
            RowRef::Exchange(index) => exchange(&mut out, trace, index),
            RowRef::Entry(seq) => entry(&mut out, trace, trace.note(seq).expect("a row's entry has a note")),
        }
    }
    for (index, operation) in trace.operations().iter().enumerate() {
        let members: Vec<_> =
            operation.members.iter().map(|member| format!("[{}] {:?}", member.exchange, member.part)).collect();
        let task = trace.name(operation.task);
        let state = trace.name(operation.state);
        let task = if task.is_empty() { String::new() } else { format!(" {task} {state}") };
        let time = operation.duration().map_or_else(|| "goes on".to_owned(), |time| format!("{} ms", time / 1_000_000));
        let _ = writeln!(
            out,
            "operation {index}: {:?}{task}: {}; {} rounds, {time}",
            operation.kind,
            members.join(", "),
            operation.rounds
        );
    }
    for session in trace.sessions() {
        let who = |who: &Option<midwire::mcp::Identity>| who.as_ref().map_or("?".to_owned(), ToString::to_string);
        let revision = trace.name(session.revision);
        let _ = writeln!(
            out,
            "session from entry {}: {}, {} → {}, {}; client can {}; server can {}",
            session.began,
            session.era.word(),
            who(&session.client),
            who(&session.server),
            if revision.is_empty() {
                format!("asked for {}", trace.name(session.requested))
            } else {
                revision.to_string()
            },
            can(&session.client_can),
            can(&session.server_can),
        );
    }
    out
}

fn can(capabilities: &midwire::mcp::Capabilities) -> String {
    if !capabilities.is_known() {
        return "unknown".to_owned();
    }
    let paths: Vec<_> = capabilities.paths().collect();
    if paths.is_empty() { "nothing".to_owned() } else { paths.join(" ") }
}

fn exchange(out: &mut String, trace: &Trace, index: u32) {
    let this = &trace.exchanges()[index as usize];
    let _ = writeln!(
        out,
        "[{index}] {} {}{} (id {}) {:?}: {}{} | {} | {}{}",
        if this.side == Side::Client { ">" } else { "<" },
        trace.name(this.method),
        spaced(trace.name(this.subject)),
        this.id,
        this.status,
        trace.name(this.outcome),
        this.duration().map_or_else(String::new, |time| format!(" in {} ms", time / 1_000_000)),
        revision(trace, this),
        places(this),
        if this.side == Side::Client { http(trace, this.channel) } else { String::new() },
    );
    for attached in &this.attached {
        let _ = writeln!(out, "      {}", attachment(trace, *attached));
    }
    for remark in trace.remarks(index) {
        let _ = writeln!(out, "      * {remark}");
    }
}

/// `, POST /mcp 200 stream, 2 events, Complete`.
fn http(trace: &Trace, channel: u32) -> String {
    let Some(http) = trace.http(channel) else { return String::new() };
    let mut out = format!(", {} {}", trace.name(http.method), trace.name(http.target));
    let _ = write!(out, " {}", http.status.map_or("-".to_owned(), |status| status.to_string()));
    if http.events > 0 {
        let _ = write!(out, ", {} events with {} messages", http.events, http.messages);
    }
    let end = if http.is_open() { "open" } else { "cut off" };
    let _ = write!(out, ", {}", http.end.map_or(end.to_owned(), |end| format!("{end:?}")));
    out
}

fn places(this: &Exchange) -> String {
    let place = |place: midwire::trace::Place| match place.item {
        0 => place.seq.to_string(),
        item => format!("{}.{item}", place.seq),
    };
    match this.answer {
        Some(answer) => format!("{}→{}", place(this.request), place(answer)),
        None => format!("{}→", place(this.request)),
    }
}

fn revision(trace: &Trace, this: &Exchange) -> String {
    let text = trace.name(this.revision);
    if text.is_empty() {
        return "?".to_owned();
    }
    let era = if this.era == Some(Era::Modern) { "modern" } else { "legacy" };
    format!("{text} {era}{}", if this.certain { "" } else { "?" })
}

fn attachment(trace: &Trace, attached: Attached) -> String {
    let note = trace.note(attached.seq).expect("what is attached has a note");
    let doubt = if attached.certain { "" } else { " (possibly)" };
    let what = spaced(trace.name(note.subject));
    format!("{} {:?}{what}{doubt}{}", attached.seq, attached.kind, marks(note))
}

fn entry(out: &mut String, trace: &Trace, note: &Note) {
    let side = match note.side {
        None => "",
        Some(Side::Client) => "> ",
        Some(Side::Server) => "< ",
    };
    let words = format!("{}{}", spaced(trace.name(note.method)), spaced(trace.name(note.subject)));
    let belongs = note.exchange().map_or_else(String::new, |exchange| format!(" → [{exchange}]"));
    let stands = trace.http(note.channel).is_some_and(|http| http.row == Some(note.seq));
    let http = if stands { http(trace, note.channel) } else { String::new() };
    let _ = writeln!(out, "  {side}{} {:?}{words}{belongs}{}{http}", note.seq, note.kind, marks(note));
    let remarks = trace.entry_remarks(note.seq);
    if note.kind != NoteKind::Stderr {
        for remark in remarks {
            let _ = writeln!(out, "      * {remark}");
        }
    }
}

fn marks(note: &Note) -> String {
    let names = [
        (Marks::ORPHAN, "orphan"),
        (Marks::LATE, "late"),
        (Marks::DUPLICATE, "duplicate"),
        (Marks::AMBIGUOUS, "ambiguous"),
        (Marks::POSSIBLE, "possible"),
        (Marks::UNKNOWN_TARGET, "unknown target"),
        (Marks::REPLAYED, "replayed"),
    ];
    let list: Vec<_> = names.iter().filter(|(mark, _)| note.marks.has(*mark)).map(|(_, name)| *name).collect();
    if list.is_empty() { String::new() } else { format!(" <{}>", list.join(", ")) }
}

fn spaced(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" {text}") }
}
