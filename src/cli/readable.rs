//! Rows and messages as `midwire show` writes them for people: one line for a row, messages laid out
//! below it. Everything foreign is made safe for the terminal on its way.

use std::borrow::Cow;
use std::io;

use super::failure::Failure;
use super::out::{Ink, Page};
use super::{figures, safe};
use crate::engine::transcript::{Line, Transcript};
use crate::engine::view::{Attached, RowKey, Sign, Status};
use crate::model::{EntryKind, Nanos, Seq};
use crate::wire::{self, Pretty};

/// Columns before the text of a row: the time and two spaces.
const INDENT: usize = 11;
/// How wide method and subject are before the outcome begins.
const SUBJECT: usize = 52;
/// How many things that belong to a row are listed below it.
const ATTACHED: usize = 6;
/// How wide the outcome is before the duration begins.
const OUTCOME: usize = 28;

/// What stands above a transcript.
pub(super) fn heading(page: &mut Page, transcript: &Transcript) -> io::Result<()> {
    let facts = transcript.facts();
    let state = match (transcript.is_live(), facts.ended) {
        (true, _) => "live".to_owned(),
        (false, Some(ended)) => format!("ended after {}", figures::duration(ended - facts.started)),
        (false, None) => "interrupted".to_owned(),
    };
    let lost = if facts.lost > 0 { format!(" · {} lost", facts.lost) } else { String::new() };
    let name = page.ink(Ink::Bold, &safe::line(&facts.name));
    page.line(&format!(
        "{name} · {} · {state} · {} entries{lost}",
        figures::moment(facts.started),
        transcript.entries()
    ))?;
    let said: Vec<String> = transcript
        .trace()
        .sessions()
        .iter()
        .flat_map(|session| [("client", &session.client), ("server", &session.server)])
        .filter_map(|(side, identity)| Some(format!("{side} {}", identity.as_ref()?)))
        .collect();
    let command = facts.url.clone().unwrap_or_else(|| facts.command.join(" "));
    let about = said.iter().chain((!command.is_empty()).then_some(&command));
    let mut parts: Vec<&str> = Vec::new();
    for part in about {
        if !parts.contains(&part.as_str()) {
            parts.push(part);
        }
    }
    if !parts.is_empty() {
        let text = page.ink(Ink::Dim, &safe::line(&parts.join(" · ")));
        page.line(&text)?;
    }
    page.line("")
}

/// One row.
pub(super) fn row(page: &mut Page, started: Nanos, line: &Line) -> io::Result<()> {
    let row = &line.row;
    let time = page.ink(Ink::Dim, &format!("{:>9}", figures::since(row.at - started)));
    let (sign, ink) = sign(row.sign);
    let sign = page.ink(ink, sign);
    let rounds = if row.rounds > 1 { format!(" ({} rounds)", row.rounds) } else { String::new() };
    let outcome = format!("{}{rounds}", row.outcome);
    let duration = row.duration.map(figures::duration).unwrap_or_default();
    let bare = outcome.is_empty() && duration.is_empty();
    let text = padded(page, line, if bare { 0 } else { SUBJECT });
    let padding = " ".repeat(OUTCOME.saturating_sub(outcome.chars().count()));
    let outcome = page.ink(status_ink(row.status), &outcome);
    let end = if duration.is_empty() { String::new() } else { format!("{padding} {}", page.ink(Ink::Dim, &duration)) };
    let whole = format!("{time}  {sign} {text} {outcome}{end}");
    page.line(whole.trim_end())?;
    attached(page, started, line)
}

/// What belongs to a row and has no row of its own: progress, logs, the cancellation.
fn attached(page: &mut Page, started: Nanos, line: &Line) -> io::Result<()> {
    let of_its_own = |attached: &&(Seq, Attached)| {
        let (_, attached) = attached;
        attached.certain && attached.sign == Sign::Notification && matches!(attached.key, RowKey::Entry(_))
    };
    let all: Vec<&(Seq, Attached)> = line.belongs.iter().filter(of_its_own).collect();
    for (_, attached) in all.iter().take(ATTACHED) {
        let time = figures::since(line.row.at + attached.after - started);
        let text = format!("{time:>9}    · {} {}", attached.what, attached.text);
        let text = page.ink(Ink::Dim, text.trim_end());
        page.line(&text)?;
    }
    if all.len() > ATTACHED {
        let text =
            page.ink(Ink::Dim, &format!("             · and {} more; --messages shows all", all.len() - ATTACHED));
        page.line(&text)?;
    }
    Ok(())
}

/// Method and subject, as wide as `width` at least; with a width, the subject is cut to it.
fn padded(page: &Page, line: &Line, width: usize) -> String {
    let method = &line.row.method;
    let room = width.saturating_sub(method.chars().count() + 1).max(16);
    let subject = if width == 0 { Cow::Borrowed(&*line.row.subject) } else { cut(&line.row.subject, room) };
    let used = method.chars().count() + usize::from(!subject.is_empty()) + subject.chars().count();
    let padding = " ".repeat(width.saturating_sub(used));
    let quiet = matches!(line.row.sign, Sign::Stderr | Sign::Lifecycle);
    let method = page.ink(if quiet || !subject.is_empty() { Ink::Dim } else { Ink::Bold }, method);
    let gap = if subject.is_empty() { "" } else { " " };
    let subject = if quiet { subject.into_owned() } else { page.ink(Ink::Bold, &subject) };
    format!("{method}{gap}{subject}{padding}")
}

fn cut(text: &str, room: usize) -> Cow<'_, str> {
    if text.chars().count() <= room {
        return Cow::Borrowed(text);
    }
    let kept: String = text.chars().take(room - 1).collect();
    Cow::Owned(kept.trim_end().to_owned() + "…")
}

const fn sign(sign: Sign) -> (&'static str, Ink) {
    match sign {
        Sign::FromClient => ("→", Ink::Client),
        Sign::FromServer => ("←", Ink::Server),
        Sign::Notification => ("·", Ink::Dim),
        Sign::Stderr => ("!", Ink::Odd),
        Sign::Lifecycle => ("∙", Ink::Dim),
        Sign::Broken => ("?", Ink::Bad),
    }
}

const fn status_ink(status: Status) -> Ink {
    match status {
        Status::None => Ink::Dim,
        Status::Ok => Ink::Good,
        Status::Error => Ink::Bad,
        Status::Pending | Status::Odd | Status::Unanswered => Ink::Odd,
    }
}

/// The messages of a row below it: the request, then the answer; of an entry, itself.
pub(super) fn payloads(page: &mut Page, transcript: &Transcript, line: &Line) -> Result<(), Failure> {
    if line.kind == "lifecycle" || line.kind == "stderr" {
        return Ok(());
    }
    let asked = line.row.sign;
    let answered = if asked == Sign::FromServer { Sign::FromClient } else { Sign::FromServer };
    for (seq, side) in [(line.request, asked), (line.answer, answered)] {
        if let Some(seq) = seq {
            payload(page, transcript, seq, side)?;
        }
    }
    Ok(())
}

fn payload(page: &mut Page, transcript: &Transcript, seq: Seq, side: Sign) -> Result<(), Failure> {
    let Some(entry) = transcript.entry(seq).map_err(|error| Failure::of(&error))? else { return Ok(()) };
    let bytes = wire::payload(entry.kind, &entry.bytes);
    let (mark, ink) = sign(side);
    let mark = page.ink(ink, mark);
    let indent = " ".repeat(INDENT);
    let write = |page: &mut Page, first: bool, text: &str| {
        let mark = if first { &*mark } else { " " };
        page.line(format!("{indent}{mark} {}", safe::line(text)).trim_end())
    };
    if entry.kind == EntryKind::Head {
        let text = String::from_utf8_lossy(&bytes);
        for (index, line) in text.trim_end().lines().enumerate() {
            write(page, index == 0, line)?;
        }
    } else if let Some(pretty) = Pretty::of(&bytes) {
        for index in 0..pretty.lines.len() {
            write(page, index == 0, pretty.line(index))?;
        }
        if pretty.left_out > 0 {
            write(page, false, &format!("… and {} bytes more", pretty.left_out))?;
        }
    } else {
        let text = String::from_utf8_lossy(&bytes);
        write(page, true, text.strip_suffix('\n').unwrap_or(&text))?;
    }
    Ok(())
}
