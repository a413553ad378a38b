//! Decides whether a row matches a filter: the words by what the trace knows of it, the texts by what
//! was found in its bytes. Which rows are asked about is for `shown`.

use std::ops::Range;

use memchr::memmem::Finder;

use super::rows;
use super::search::Hits;
use super::view::{RowKey, View};
use crate::model::Seq;
use crate::trace::Trace;

/// A filter as the timeline applies it.
#[derive(Default)]
pub(super) struct Judge {
    texts: Vec<Text>,
}

/// A text that a filter looks for in the bytes of entries.
#[derive(Clone)]
pub(super) struct Text(Finder<'static>);

impl Text {
    /// Whether it occurs in `bytes`.
    pub(super) fn is_in(&self, bytes: &[u8]) -> bool {
        self.0.find(bytes).is_some()
    }
}

impl Judge {
    /// The filter that `text` says, or the place in it that is wrong and a sentence.
    pub(super) fn parse(text: &str) -> Result<Self, (Range<usize>, String)> {
        let text = text.trim();
        let texts = if text.is_empty() { Vec::new() } else { vec![Text(Finder::new(text).into_owned())] };
        Ok(Self { texts })
    }

    /// Whether it lets everything through.
    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// What it looks for in the bytes.
    pub(super) fn texts(&self) -> &[Text] {
        &self.texts
    }

    /// Whether it lets the row at `position` of a view through.
    pub(super) fn matches(&self, trace: &Trace, view: View, position: u32, hits: &Hits) -> bool {
        let Some(key) = rows::key(trace, view, position) else { return false };
        (0..self.texts.len()).all(|text| is_hit(trace, key, text, hits))
    }
}

/// Whether one of the entries of a row holds a text.
fn is_hit(trace: &Trace, key: RowKey, text: usize, hits: &Hits) -> bool {
    let has = |seq: Seq| hits.has(text, seq);
    match key {
        RowKey::Entry(seq) => has(seq),
        RowKey::Exchange(index) => trace.exchanges().get(index as usize).is_some_and(|exchange| {
            has(exchange.request.seq)
                || exchange.answer.is_some_and(|answer| has(answer.seq))
                || exchange.attached.iter().any(|attached| attached.certain && has(attached.seq))
        }),
    }
}
