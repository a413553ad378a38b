//! The rows that the window holds: pages of the timeline, asked for as they come into view. Old rows
//! stay until newer ones arrive, so nothing flickers while a recording grows or a filter works.

use std::collections::HashMap;

use crate::engine::view::{Command, Row, RowKey};

/// Rows in a page.
const PAGE: u64 = 128;
/// Pages that are kept; more than any screen shows.
const KEPT: usize = 64;
/// Seconds after which a question that was not answered is asked again.
const PATIENCE: f64 = 1.0;

/// How many pages from the end are still near it.
const NEAR: u64 = 4;

#[derive(Debug)]
struct Page {
    version: u64,
    rows: Vec<Row>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Asked {
    first: u64,
    count: u32,
    version: u64,
    at: f64,
}

/// The cache of pages, and the one question that is open.
#[derive(Debug, Default)]
pub struct Rows {
    pages: HashMap<u64, Page>,
    asked: Option<Asked>,
}

impl Rows {
    /// The row at `index` among those that match, where it is here.
    pub fn get(&self, index: u64) -> Option<&Row> {
        self.pages.get(&(index / PAGE))?.rows.get((index % PAGE) as usize)
    }

    /// Where the row with this key is, among the pages that are here.
    pub fn find(&self, key: RowKey) -> Option<u64> {
        self.pages.iter().find_map(|(page, held)| {
            let place = held.rows.iter().position(|row| row.key == key)?;
            Some(page * PAGE + place as u64)
        })
    }

    /// Forgets everything: another recording was opened.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// What to ask for so that rows `first..end` are those of `version`; `None` when they are, or when
    /// the question is open already. `now` is in seconds.
    pub fn want(&mut self, first: u64, end: u64, version: u64, now: f64) -> Option<Command> {
        if first >= end {
            return None;
        }
        let stale = |page: &u64| self.pages.get(page).is_none_or(|held| held.version < version);
        let mut needed = (first / PAGE..=(end - 1) / PAGE).filter(stale);
        let from = needed.next()?;
        let to = needed.next_back().unwrap_or(from);
        let asked = Asked { first: from * PAGE, count: ((to - from + 1) * PAGE) as u32, version, at: now };
        let open = self.asked.is_some_and(|open| {
            open.first <= asked.first
                && open.first + u64::from(open.count) >= asked.first + u64::from(asked.count)
                && now - open.at < PATIENCE
        });
        if open {
            return None;
        }
        self.asked = Some(asked);
        Some(Command::Rows { first: asked.first, count: asked.count })
    }

    /// The index after the last row that is here, when that is among the last pages of `total` rows:
    /// whoever follows the end stays there until the newest rows have arrived.
    pub fn end(&self, total: u64) -> Option<u64> {
        let last = total.checked_sub(1)? / PAGE;
        let held = |page: u64| self.pages.get(&page).filter(|page| !page.rows.is_empty());
        let page = (last.saturating_sub(NEAR)..=last).rev().find(|page| held(*page).is_some())?;
        Some((page * PAGE + held(page)?.rows.len() as u64).min(total))
    }

    /// Takes in rows that were asked for.
    pub fn put(&mut self, version: u64, first: u64, rows: &[Row]) {
        let expected =
            self.asked.filter(|asked| asked.first == first).map_or(rows.len() as u64, |asked| asked.count.into());
        if self.asked.is_some_and(|asked| asked.first == first) {
            self.asked = None;
        }
        for (page, from) in (first / PAGE..).zip((0..expected).step_by(PAGE as usize)) {
            let from = from.min(rows.len() as u64) as usize;
            let to = (from + PAGE as usize).min(rows.len());
            let newer = self.pages.get(&page).is_none_or(|held| held.version <= version);
            if newer {
                self.pages.insert(page, Page { version, rows: rows[from..to].to_vec() });
            }
        }
        self.evict(first / PAGE);
    }

    fn evict(&mut self, near: u64) {
        if self.pages.len() <= KEPT {
            return;
        }
        let mut pages: Vec<u64> = self.pages.keys().copied().collect();
        pages.sort_unstable_by_key(|page| page.abs_diff(near));
        for page in pages.drain(KEPT / 2..) {
            self.pages.remove(&page);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{PAGE, Rows};
    use crate::engine::view::{Command, Row, RowKey, Sign, Status};

    fn row(seq: u64) -> Row {
        Row {
            key: RowKey::Entry(seq),
            seq,
            at: 0,
            sign: Sign::FromClient,
            method: Arc::from("ping"),
            subject: Arc::from(""),
            status: Status::Ok,
            outcome: Arc::from("ok"),
            duration: None,
            size: 0,
            rounds: 1,
            going: None,
        }
    }

    fn span(command: Option<Command>) -> Option<(u64, u32)> {
        match command {
            Some(Command::Rows { first, count }) => Some((first, count)),
            Some(other) => panic!("asked for {other:?}"),
            None => None,
        }
    }

    #[test]
    fn a_question_is_asked_once_and_again_when_it_was_lost() {
        let mut rows = Rows::default();
        assert_eq!(span(rows.want(10, 40, 1, 0.0)), Some((0, 128)));
        assert_eq!(span(rows.want(12, 42, 1, 0.1)), None, "it is open");
        assert_eq!(span(rows.want(12, 42, 1, 1.2)), Some((0, 128)), "it was lost");
        rows.put(1, 0, &(0..128).map(row).collect::<Vec<_>>());
        assert_eq!(span(rows.want(12, 42, 1, 1.3)), None, "it is answered");
        assert_eq!(span(rows.want(100, 140, 1, 1.4)), Some((128, 128)), "only what is missing");
    }

    #[test]
    fn old_rows_stay_until_newer_ones_arrive() {
        let mut rows = Rows::default();
        let _ = rows.want(0, 20, 1, 0.0);
        rows.put(1, 0, &[row(1), row(2)]);
        assert_eq!(span(rows.want(0, 20, 2, 0.5)), Some((0, 128)));
        assert_eq!(rows.get(1).map(|row| row.seq), Some(2));
        rows.put(2, 0, &[row(2)]);
        assert_eq!(rows.get(1), None);
        rows.put(1, 0, &[row(1), row(2)]);
        assert_eq!(rows.get(0).map(|row| row.seq), Some(2), "an answer that was overtaken is dropped");
        assert_eq!(rows.find(RowKey::Entry(2)), Some(0));
    }

    #[test]
    fn what_is_far_away_is_let_go() {
        let mut rows = Rows::default();
        for page in 0..1000 {
            let first = page * PAGE;
            let _ = rows.want(first, first + 30, 1, 0.0);
            rows.put(1, first, &(first..first + PAGE).map(row).collect::<Vec<_>>());
        }
        assert!(rows.pages.len() <= super::KEPT + 1);
        assert_eq!(rows.get(999 * PAGE + 5).map(|row| row.seq), Some(999 * PAGE + 5));
    }
}
