//! The tasks that a server keeps: each for its time, and no more than there is room for.

use super::task::{Outcome, Record};
use super::{Bytes, ClientId};
use crate::model::{Era, Nanos};

/// The most tasks that are kept; then the oldest that is over goes, or else the oldest.
const MOST: usize = 1_000;
/// The most bytes of results that are kept.
const MOST_BYTES: usize = 64 << 20;

/// Kept in the order in which they were made.
#[derive(Debug, Default)]
pub(super) struct Kept {
    known: Vec<Record>,
}

impl Kept {
    /// Keeps one more; gives those that had to go for it.
    pub(super) fn add(&mut self, record: Record) -> Vec<Record> {
        self.known.push(record);
        self.make_room()
    }

    pub(super) fn get(&self, id: &str) -> Option<&Record> {
        self.known.iter().find(|task| task.id == id)
    }

    pub(super) fn get_mut(&mut self, id: &str) -> Option<&mut Record> {
        self.known.iter_mut().find(|task| task.id == id)
    }

    /// One is over; gives those that had to go for what came of it.
    pub(super) fn end(&mut self, now: Nanos, id: &str, outcome: Outcome) -> Vec<Record> {
        match self.get_mut(id) {
            Some(task) if !task.status.is_terminal() => task.end(now, outcome),
            _ => return Vec::new(),
        }
        self.make_room()
    }

    /// Those of a client of the legacy era, for `tasks/list`.
    pub(super) fn of(&self, client: ClientId) -> Vec<Bytes> {
        let own = self.known.iter().filter(|task| task.client == client && task.era == Era::Legacy);
        own.map(|task| task.legacy().into_bytes().into()).collect()
    }

    /// Takes out those whose time is over.
    pub(super) fn expire(&mut self, now: Nanos) -> Vec<Record> {
        let over = |task: &mut Record| task.ends_at().is_some_and(|at| at <= now);
        self.known.extract_if(.., over).collect()
    }

    /// When the time of the next one is over.
    pub(super) fn wakes_at(&self) -> Option<Nanos> {
        self.known.iter().filter_map(Record::ends_at).min()
    }

    fn make_room(&mut self) -> Vec<Record> {
        let size = |task: &Record| task.outcome.as_ref().map_or(0, |outcome| outcome.bytes().len());
        let mut bytes: usize = self.known.iter().map(size).sum();
        let mut gone = Vec::new();
        while self.known.len() > MOST || (bytes > MOST_BYTES && self.known.len() > 1) {
            let over = |task: &Record| task.status.is_terminal();
            let at = self.known.iter().position(over).filter(|at| *at + 1 < self.known.len()).unwrap_or(0);
            let task = self.known.remove(at);
            bytes -= size(&task);
            gone.push(task);
        }
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::super::task::tests::record;
    use super::{Kept, MOST, MOST_BYTES, Outcome};
    use crate::model::Era;

    #[test]
    fn a_task_goes_when_its_time_is_over_and_not_before() {
        let mut tasks = Kept::default();
        tasks.add(record("a", Era::Legacy));
        let mut endless = record("b", Era::Modern);
        endless.ttl = None;
        tasks.add(endless);
        assert_eq!(tasks.wakes_at(), Some(60_000_000_000));
        assert!(tasks.expire(59_999_999_999).is_empty());
        let gone = tasks.expire(60_000_000_000);
        assert_eq!(gone.iter().map(|task| task.id.as_str()).collect::<Vec<_>>(), ["a"]);
        assert_eq!((tasks.wakes_at(), tasks.get("b").is_some()), (None, true));
    }

    #[test]
    fn there_is_room_for_so_many_and_those_that_are_over_go_first() {
        let mut tasks = Kept::default();
        for number in 0..MOST {
            assert!(tasks.add(record(&number.to_string(), Era::Legacy)).is_empty());
        }
        tasks.end(1, "7", Outcome::Result(b"{}".as_slice().into()));
        assert_eq!(tasks.add(record("more", Era::Legacy))[0].id, "7");
        assert_eq!(tasks.add(record("still more", Era::Legacy))[0].id, "0");
        assert_eq!(tasks.of(1).len(), MOST);
        assert!(tasks.of(2).is_empty(), "others do not see them");
    }

    #[test]
    fn results_have_room_for_so_many_bytes() {
        let mut tasks = Kept::default();
        for id in ["a", "b", "c"] {
            tasks.add(record(id, Era::Legacy));
        }
        let large = || Outcome::Result(vec![b' '; MOST_BYTES / 2 + 1].into());
        assert!(tasks.end(1, "a", large()).is_empty());
        assert_eq!(tasks.end(1, "b", large())[0].id, "a");
        // What is over stays as it is.
        assert!(tasks.end(1, "b", Outcome::Error(b"{}".as_slice().into())).is_empty());
        assert!(matches!(tasks.get("b").and_then(|task| task.outcome.as_ref()), Some(Outcome::Result(_))));
    }
}
