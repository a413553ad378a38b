//! Lists in pages, with cursors that nobody can make or move (PG-001 … PG-006).

use super::fault::{Fault, PARAMS};
use super::machine::Server;
use super::{Bytes, Kind, RequestNo};
use crate::model::Nanos;
use crate::wire::quote;

impl Server {
    /// The protocol's own answer to a list.
    pub(super) fn own_list(&mut self, now: Nanos, no: RequestNo, kind: Kind) {
        let page = self.page(no, kind, self.script.list(kind));
        self.give_page(now, no, page);
    }

    /// Answers with a page of these items.
    pub(super) fn give_list(&mut self, now: Nanos, no: RequestNo, kind: Kind, items: &[Bytes]) {
        let page = self.page(no, kind, items);
        self.give_page(now, no, page);
    }

    fn give_page(&mut self, now: Nanos, no: RequestNo, page: Result<Vec<u8>, Fault>) {
        match page {
            Ok(page) => self.fulfil(now, no, page),
            Err(fault) => self.refuse(now, no, &fault),
        }
    }

    /// The page of a list that a request asks for.
    fn page(&self, no: RequestNo, kind: Kind, items: &[Bytes]) -> Result<Vec<u8>, Fault> {
        let start = match self.flights.get(no).and_then(|flight| flight.param("cursor")) {
            None => Some(0),
            Some(cursor) => cursor.text().and_then(|cursor| self.place(kind, &cursor)).filter(|at| *at < items.len()),
        };
        let Some(start) = start else {
            let why =
                "this cursor is none that was given out for this list, or it is of a list that was longer (EC-018)";
            return Err(Fault::new(PARAMS, why));
        };
        let page = self.script.about().page.unwrap_or(items.len()).max(1);
        let end = start.saturating_add(page).min(items.len());
        let next = (end < items.len()).then(|| format!(",\"nextCursor\":{}", quote(&self.cursor(kind, end))));
        let mut result = format!("{{\"{}\":[", kind.member()).into_bytes();
        for (at, item) in items[start..end].iter().enumerate() {
            if at > 0 {
                result.push(b',');
            }
            result.extend_from_slice(item);
        }
        result.push(b']');
        result.extend_from_slice(next.unwrap_or_default().as_bytes());
        result.push(b'}');
        Ok(result)
    }

    /// The cursor of a place in a list.
    fn cursor(&self, kind: Kind, at: usize) -> String {
        self.seal.close(at.to_string().as_bytes(), &[b"cursor", kind.method().as_bytes()])
    }

    /// The place that a cursor is of.
    fn place(&self, kind: Kind, cursor: &str) -> Option<usize> {
        let payload = self.seal.open(cursor, &[b"cursor", kind.method().as_bytes()])?;
        std::str::from_utf8(&payload).ok()?.parse().ok()
    }
}
