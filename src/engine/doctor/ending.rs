//! How a server on stdio ended, as its recording says.

use std::ops::ControlFlow;
use std::path::Path;

use crate::model::{EntryKind, Lifecycle};
use crate::store::Reader;
use crate::wire::lifecycle;

/// How a server ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Ending {
    /// Its process.
    pub(super) pid: Option<u32>,
    /// How it exited, in words.
    pub(super) how: Option<String>,
    /// The signals that it took.
    pub(super) signals: Vec<i32>,
    /// Processes that it left behind.
    pub(super) left: usize,
}

/// Reads it; what cannot be read is not known.
pub(super) fn of(recording: &Path) -> Ending {
    let mut ending = Ending::default();
    let Ok(reader) = Reader::open(recording) else { return ending };
    // What cannot be read further leaves what was read.
    let _ = reader.scan(1, &mut |entry| {
        if entry.kind == EntryKind::Lifecycle {
            ending.take(&lifecycle::decode(entry.bytes));
        }
        ControlFlow::Continue(())
    });
    ending
}

impl Ending {
    fn take(&mut self, event: &Lifecycle) {
        match event {
            Lifecycle::Spawned { pid } => self.pid = Some(*pid),
            Lifecycle::Exited { code } => self.how = Some(format!("it exited with {code}")),
            Lifecycle::Signalled { signal } => self.how = Some(format!("signal {signal} ended it")),
            Lifecycle::Stopping { signal: Some(signal), .. } => self.signals.push(*signal),
            Lifecycle::Swept { pids } => self.left += pids.len(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::StopReason;

    #[test]
    fn the_end_is_told_by_what_was_recorded() {
        let mut ending = Ending::default();
        let reason = StopReason::EndOfInput;
        for event in [
            Lifecycle::Spawned { pid: 7 },
            Lifecycle::Stopping { signal: None, reason },
            Lifecycle::Stopping { signal: Some(15), reason },
            Lifecycle::Signalled { signal: 15 },
            Lifecycle::Swept { pids: vec![8, 9] },
        ] {
            ending.take(&event);
        }
        let how = Some("signal 15 ended it".to_owned());
        assert_eq!(ending, Ending { pid: Some(7), how, signals: vec![15], left: 2 });
        assert_eq!(of(Path::new("/no/such/file")), Ending::default());
    }
}
