//! The time of day, made fit for a recording: it never runs backwards.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use crate::model::Nanos;

/// How far the wall clock must be ahead of ours before we believe it: the machine was asleep, which
/// the steady clock does not count. Smaller steps are somebody setting the clock.
const ASLEEP: Nanos = 1_000_000_000;

/// A clock that starts at the wall clock's time and from then on counts steadily. Where the wall
/// clock is set back, ours goes on; where it jumps ahead, ours follows.
#[derive(Debug)]
pub struct Clock {
    start: Instant,
    base: Nanos,
}

impl Clock {
    /// A clock that starts now.
    pub fn start() -> Self {
        Self { start: Instant::now(), base: wall() }
    }

    /// What time it is.
    pub fn now(&mut self) -> Nanos {
        let steady = self.base.saturating_add(Nanos::try_from(self.start.elapsed().as_nanos()).unwrap_or(Nanos::MAX));
        let ahead = wall().saturating_sub(steady);
        if ahead <= ASLEEP {
            return steady;
        }
        self.base += ahead;
        steady + ahead
    }
}

/// The wall clock.
pub fn wall() -> Nanos {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as Nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_never_runs_backwards_and_follows_a_jump_ahead() {
        let mut clock = Clock::start();
        let first = clock.now();
        assert!(clock.now() >= first);
        clock.base -= 60 * ASLEEP;
        // The wall clock may be adjusted by a little meanwhile.
        assert!(clock.now() > first - ASLEEP, "the wall clock is a minute ahead");
        clock.base += 120 * ASLEEP;
        let ahead = clock.now();
        assert!(ahead > first + 100 * ASLEEP, "the wall clock was set back");
        assert!(clock.now() >= ahead);
    }
}
