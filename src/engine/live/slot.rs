//! A place for one piece of work: a later one takes the place of an earlier one that nobody has begun.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// The giver's end; when it is dropped the taker ends.
pub(super) struct Give<T>(Arc<Shared<T>>);
/// The taker's end.
pub(super) struct Take<T>(Arc<Shared<T>>);

struct Shared<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    work: Option<T>,
    closed: bool,
}

/// An empty slot.
pub(super) fn slot<T>() -> (Give<T>, Take<T>) {
    let state = Mutex::new(State { work: None, closed: false });
    let shared = Arc::new(Shared { state, changed: Condvar::new() });
    (Give(Arc::clone(&shared)), Take(shared))
}

impl<T> Give<T> {
    /// Puts work in, in place of what still lies there.
    pub(super) fn give(&self, work: T) {
        // The lock is held for an assignment only, so nobody who waits for it waits long.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner).work = Some(work);
        self.0.changed.notify_one();
    }
}

impl<T> Drop for Give<T> {
    fn drop(&mut self) {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        self.0.changed.notify_one();
    }
}

impl<T> Take<T> {
    /// Waits for work; `None` when there will be none any more.
    pub(super) fn take(&self) -> Option<T> {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.closed {
                return None;
            }
            if let Some(work) = state.work.take() {
                return Some(work);
            }
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether newer work lies ready, so that work in hand may be given up.
    pub(super) fn is_outdated(&self) -> bool {
        let state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.closed || state.work.is_some()
    }
}
