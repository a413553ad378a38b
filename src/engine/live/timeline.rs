//! Which rows of a view are shown, in order: all of them, or those that a filter matches. Knows
//! positions only; what a row holds and what the filter says is for the caller.

/// The rows that are shown. A *position* counts all rows of the view, an *index* only those shown.
#[derive(Debug)]
pub(super) struct Timeline {
    /// The positions shown in ascending order; `None` while everything is.
    shown: Option<Vec<u32>>,
    /// Positions below this have been judged.
    judged: u32,
}

impl Timeline {
    /// Shows everything.
    pub(super) const fn everything() -> Self {
        Self { shown: None, judged: 0 }
    }

    /// Shows nothing yet; [`advance`](Self::advance) judges row by row.
    pub(super) const fn filtered() -> Self {
        Self { shown: Some(Vec::new()), judged: 0 }
    }

    /// How many rows are shown of a view that has `total`.
    pub(super) fn len(&self, total: u32) -> u64 {
        self.shown.as_ref().map_or(u64::from(total), |shown| shown.len() as u64)
    }

    /// The position of the row at `index`.
    pub(super) fn position(&self, index: u64, total: u32) -> Option<u32> {
        match &self.shown {
            Some(shown) => shown.get(usize::try_from(index).ok()?).copied(),
            None => u32::try_from(index).ok().filter(|position| *position < total),
        }
    }

    /// The index of the row at `position`; `None` when it is not shown.
    pub(super) fn index(&self, position: u32) -> Option<u64> {
        match &self.shown {
            Some(shown) => shown.binary_search(&position).ok().map(|index| index as u64),
            None => Some(u64::from(position)),
        }
    }

    /// How many rows have been judged, of a view that has `total`.
    pub(super) fn judged(&self, total: u32) -> u32 {
        if self.shown.is_some() { self.judged.min(total) } else { total }
    }

    /// Judges rows up to position `end` for as long as `more` says so, asked every few hundred rows;
    /// `false` when rows remain.
    pub(super) fn advance(
        &mut self,
        end: u32,
        mut matches: impl FnMut(u32) -> bool,
        mut more: impl FnMut() -> bool,
    ) -> bool {
        let Some(shown) = &mut self.shown else { return true };
        while self.judged < end {
            let stop = end.min(self.judged + 256);
            shown.extend((self.judged..stop).filter(|position| matches(*position)));
            self.judged = stop;
            if !more() {
                break;
            }
        }
        self.judged >= end
    }

    /// Judges one row again, because something about it has changed. A row that has not been judged
    /// at all is left to [`advance`](Self::advance).
    pub(super) fn revise(&mut self, position: u32, matches: impl FnOnce() -> bool) {
        let Some(shown) = &mut self.shown else { return };
        if position >= self.judged {
            return;
        }
        match (shown.binary_search(&position), matches()) {
            (Err(index), true) => shown.insert(index, position),
            (Ok(index), false) => {
                shown.remove(index);
            }
            _ => {}
        }
    }

    /// Forgets every verdict from `position` on: rows have moved.
    pub(super) fn rewind(&mut self, position: u32) {
        let Some(shown) = &mut self.shown else { return };
        shown.truncate(shown.partition_point(|other| *other < position));
        self.judged = self.judged.min(position);
    }
}

#[cfg(test)]
mod tests {
    use super::Timeline;

    #[test]
    fn a_filtered_timeline_is_what_judging_everything_again_would_give() {
        let mut even = Timeline::filtered();
        assert!(even.advance(1000, |position| position % 2 == 0, || true));
        assert_eq!((even.len(1000), even.position(3, 1000), even.index(6)), (500, Some(6), Some(3)));
        even.revise(6, || false);
        even.revise(7, || true);
        even.revise(2000, || true);
        assert_eq!((even.index(6), even.index(7), even.index(8)), (None, Some(3), Some(4)));
        even.rewind(7);
        assert_eq!((even.len(1000), even.judged(1000)), (3, 7));
        assert!(even.advance(1001, |position| position % 2 == 0, || true));
        assert_eq!(even.len(1001), 500);
    }

    #[test]
    fn judging_stops_when_told_and_goes_on_where_it_stopped() {
        let mut all = Timeline::filtered();
        assert!(!all.advance(1000, |_| true, || false));
        assert!(all.judged(1000) > 0 && all.judged(1000) < 1000);
        while !all.advance(1000, |_| true, || false) {}
        assert_eq!(all.len(1000), 1000);
    }

    #[test]
    fn without_a_filter_every_row_is_shown_as_soon_as_it_is_there() {
        let all = Timeline::everything();
        assert_eq!((all.len(5), all.position(4, 5), all.position(5, 5), all.index(2)), (5, Some(4), None, Some(2)));
    }
}
