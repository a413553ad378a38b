//! The steps by which a server is ended, as decisions over time: first its input is closed, then TERM,
//! then KILL. Pure: what happened goes in, what is to be done comes out, the time is told.

use std::time::Duration;

use crate::model::{Nanos, StopReason};

/// How long after TERM comes KILL, and how long after KILL we give up.
const LAST: Nanos = 2_000_000_000;

/// Something to do now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Do {
    /// Close the server's stdin.
    CloseInput(StopReason),
    /// Send TERM to the server's group.
    Terminate(StopReason),
    /// Send KILL to the server's group and to all that descends from it.
    Kill(StopReason),
    /// Wait no longer: not even KILL ended it.
    GiveUp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rung {
    Terminate,
    Kill,
    GiveUp,
}

/// Where the server stands.
#[derive(Debug)]
pub struct Ladder {
    grace: Nanos,
    next: Option<(Nanos, Rung, StopReason)>,
}

impl Ladder {
    /// A ladder that gives the server `grace` to exit by itself.
    pub fn new(grace: Duration) -> Self {
        Self { grace: Nanos::try_from(grace.as_nanos()).unwrap_or(Nanos::MAX), next: None }
    }

    /// The host closed the server's input.
    pub fn input_ended(&mut self, now: Nanos) -> Option<Do> {
        self.begin(now, StopReason::EndOfInput)
    }

    /// The host reads no more.
    pub fn client_gone(&mut self, now: Nanos) -> Option<Do> {
        self.begin(now, StopReason::ClientGone)
    }

    /// The host asked for the end by a signal, which was passed on. It may kill us next, so this is
    /// not slower than any step that was due already.
    pub fn signalled(&mut self, now: Nanos) {
        let kill = now.saturating_add(LAST);
        if self.next.is_none_or(|(due, rung, _)| rung == Rung::Terminate || rung == Rung::Kill && due > kill) {
            self.next = Some((kill, Rung::Kill, StopReason::Signal));
        }
    }

    /// When there is something to do next.
    pub fn due(&self) -> Option<Nanos> {
        self.next.map(|(due, ..)| due)
    }

    /// What is to be done now.
    pub fn tick(&mut self, now: Nanos) -> Option<Do> {
        let (_, rung, reason) = self.next.filter(|(due, ..)| *due <= now)?;
        let (step, next) = match rung {
            Rung::Terminate => (Do::Terminate(reason), Some(Rung::Kill)),
            Rung::Kill => (Do::Kill(reason), Some(Rung::GiveUp)),
            Rung::GiveUp => (Do::GiveUp, None),
        };
        self.next = next.map(|rung| (now.saturating_add(LAST), rung, reason));
        Some(step)
    }

    fn begin(&mut self, now: Nanos, reason: StopReason) -> Option<Do> {
        if self.next.is_some() {
            return None;
        }
        self.next = Some((now.saturating_add(self.grace), Rung::Terminate, reason));
        Some(Do::CloseInput(reason))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Nanos = 1_000_000_000;

    #[test]
    fn each_step_comes_in_its_time() {
        let mut ladder = Ladder::new(Duration::from_secs(5));
        assert_eq!(ladder.tick(SECOND), None);
        assert_eq!(ladder.input_ended(0), Some(Do::CloseInput(StopReason::EndOfInput)));
        assert_eq!(ladder.client_gone(SECOND), None, "the ladder is climbed once");
        assert_eq!((ladder.due(), ladder.tick(4 * SECOND)), (Some(5 * SECOND), None));
        assert_eq!(ladder.tick(5 * SECOND), Some(Do::Terminate(StopReason::EndOfInput)));
        assert_eq!(ladder.tick(6 * SECOND), None);
        assert_eq!(ladder.tick(7 * SECOND), Some(Do::Kill(StopReason::EndOfInput)));
        assert_eq!(ladder.tick(9 * SECOND), Some(Do::GiveUp));
        assert_eq!((ladder.due(), ladder.tick(99 * SECOND)), (None, None));
    }

    #[test]
    fn a_signal_shortens_the_wait_and_never_lengthens_it() {
        let mut ladder = Ladder::new(Duration::from_secs(5));
        ladder.input_ended(0);
        ladder.signalled(SECOND);
        assert_eq!(ladder.due(), Some(3 * SECOND));
        ladder.signalled(2 * SECOND);
        assert_eq!(ladder.tick(3 * SECOND), Some(Do::Kill(StopReason::Signal)));
        ladder.signalled(4 * SECOND);
        assert_eq!(ladder.tick(5 * SECOND), Some(Do::GiveUp));
    }
}
