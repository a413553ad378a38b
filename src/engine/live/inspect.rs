//! The thread that makes a row's detail: reads its bytes, lays them out, decodes its pictures. A newer
//! request takes the place of an older one; rows never wait for it.

use std::sync::Arc;

use super::detail::{Belonging, Outline, What};
use super::outbox::{Gone, Outbox};
use super::slot::Take;
use super::view::{Attached, Body, Detail, Event};
use super::{content, http, visible};
use crate::model::{Entry, EntryKind, Seq};
use crate::store::Reader;
use crate::trace::frame_remark;
use crate::wire::{self, Json, Pretty};

/// Bytes of a notification or a line that are read for its words.
const NOTICE: usize = 65_536;

/// Makes details until the session has gone.
pub(super) fn run(work: &Take<Outline>, out: &Outbox) {
    let mut open: Option<(u64, Reader)> = None;
    while let Some(outline) = work.take() {
        if open.as_ref().is_none_or(|(opening, _)| *opening != outline.opening) {
            open = match Reader::open(&outline.path) {
                Ok(reader) => Some((outline.opening, reader)),
                Err(error) => {
                    let sentence = format!("cannot show the details: failed to {error}");
                    if out.post(Event::Notice(sentence)).is_err() {
                        return;
                    }
                    continue;
                }
            };
        }
        let Some((_, reader)) = &open else { continue };
        let Some(detail) = make(outline, reader, work) else { continue };
        if let Err(Gone) = out.post(Event::Inspected(Arc::new(detail))) {
            return;
        }
    }
}

/// The whole detail; `None` when somebody asks for another before this one is made.
fn make(outline: Outline, reader: &Reader, work: &Take<Outline>) -> Option<Detail> {
    let mut remarks = outline.remarks;
    let request = outline.request.and_then(|seq| body(reader, seq, &mut remarks));
    if work.is_outdated() {
        return None;
    }
    let answer = outline.answer.and_then(|seq| body(reader, seq, &mut remarks));
    let mut belongs = Vec::with_capacity(outline.belongs.len());
    for belonging in outline.belongs {
        if work.is_outdated() {
            return None;
        }
        belongs.push(attached(belonging, &|seq| reader.head(seq, NOTICE).ok().flatten().unwrap_or_default()));
    }
    if work.is_outdated() {
        return None;
    }
    let read = |seq| reader.entry(seq).ok().flatten();
    let http = outline.http.map(|http| Arc::new(http::detail(http, &outline.path, &read)));
    Some(Detail {
        row: outline.row,
        version: outline.version,
        revision: outline.revision,
        era: outline.era,
        id: outline.id,
        request,
        answer,
        belongs,
        remarks,
        http,
    })
}

fn body(reader: &Reader, seq: Seq, remarks: &mut Vec<String>) -> Option<Arc<Body>> {
    let entry = match reader.entry(seq) {
        Ok(Some(entry)) => entry,
        Ok(None) => {
            remarks.push(format!("Entry {seq} is not in the file any more."));
            return None;
        }
        Err(error) => {
            remarks.push(format!("Entry {seq} cannot be shown: failed to {error}"));
            return None;
        }
    };
    Some(Arc::new(laid_out(entry, remarks)))
}

fn laid_out(entry: Entry, remarks: &mut Vec<String>) -> Body {
    let data = (entry.kind == EntryKind::Event).then(|| wire::payload(entry.kind, &entry.bytes).into_owned());
    let says = data.as_deref().unwrap_or(&entry.bytes);
    let pretty = if entry.kind == EntryKind::Head { None } else { Pretty::of(says) };
    if entry.kind == EntryKind::Frame {
        remarks.extend(frame_remark(&entry.bytes));
    }
    let content = if pretty.is_some() { content::of(says) } else { Vec::new() };
    Body {
        seq: entry.seq,
        kind: entry.kind,
        side: entry.side,
        at: entry.at,
        until: entry.until,
        flags: entry.flags,
        size: entry.size,
        bytes: entry.bytes,
        data,
        pretty,
        content,
    }
}

/// Puts words to something that belongs to a row; `read` gives an entry's bytes.
pub(super) fn attached(belonging: Belonging, read: &dyn Fn(Seq) -> Vec<u8>) -> Attached {
    let kind = if belonging.is_event { EntryKind::Event } else { EntryKind::Frame };
    let bytes = || wire::payload(kind, &read(belonging.seq)).into_owned();
    let (what, text) = match belonging.what {
        What::Said(what, text) => (what, text.to_string()),
        What::Line(what) => (what.to_owned(), visible::first_line(&bytes())),
        What::Progress => words(&bytes(), progress),
        What::Log => words(&bytes(), log),
        What::Cancelled => words(&bytes(), |params| ("cancelled".to_owned(), text(params, "reason"))),
    };
    Attached {
        key: belonging.key,
        after: belonging.after,
        sign: belonging.sign,
        what: visible::one_line(&what, false),
        text: visible::one_line(&text, false),
        certain: belonging.certain,
    }
}

/// The words of a notification, taken from its parameters; its first line when they cannot be read.
fn words(bytes: &[u8], say: impl FnOnce(&Json<'_>) -> (String, String)) -> (String, String) {
    let json = Json::of_frame(bytes).ok();
    match json.and_then(|json| json.get("params")) {
        Some(params) => say(&params),
        None => ("notification".to_owned(), visible::first_line(bytes)),
    }
}

fn progress(params: &Json<'_>) -> (String, String) {
    let number = |name| params.get(name).and_then(|value| value.number().map(ToOwned::to_owned));
    let what = match (number("progress"), number("total")) {
        (Some(done), Some(total)) => format!("progress {done} of {total}"),
        (Some(done), None) => format!("progress {done}"),
        _ => "progress".to_owned(),
    };
    (what, text(params, "message"))
}

fn log(params: &Json<'_>) -> (String, String) {
    let logger = text(params, "logger");
    let data = text(params, "data");
    let data = if logger.is_empty() { data } else { format!("{logger}: {data}") };
    (format!("log {}", text(params, "level")), data)
}

/// A member as text: a string decoded, anything else as its JSON.
fn text(params: &Json<'_>, name: &str) -> String {
    let Some(value) = params.get(name) else { return String::new() };
    value.text().map_or_else(|| String::from_utf8_lossy(value.raw()).into_owned(), std::borrow::Cow::into_owned)
}
