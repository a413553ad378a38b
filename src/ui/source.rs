//! Where the window's events come from and its commands go to: the engine, or a script in a test.

use crate::engine::Handle;
use crate::engine::view::{Command, Event};
use crate::model::Nanos;

/// The engine as the window sees it. None of these may wait.
pub trait Source {
    /// Passes a command on.
    fn send(&mut self, command: Command);

    /// The next event, if one lies ready.
    fn poll(&mut self) -> Option<Event>;

    /// The time on the wall, for ages.
    fn now(&self) -> Nanos;

    /// Seconds from some moment on, to measure with.
    fn steady(&self) -> f64;
}

impl Source for Handle {
    fn send(&mut self, command: Command) {
        Self::send(self, command);
    }

    fn poll(&mut self) -> Option<Event> {
        Self::poll(self)
    }

    fn now(&self) -> Nanos {
        Self::now(self)
    }

    fn steady(&self) -> f64 {
        Self::now(self) as f64 / 1e9
    }
}
