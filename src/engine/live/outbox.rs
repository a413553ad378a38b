//! The engine's end of the wire to the window: queues events and wakes the window. Holds no state of
//! a recording.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use super::view::Event;

/// Events that may wait for the window before the engine's threads wait for it.
const CAPACITY: usize = 1024;

/// The window has gone: the thread that learns of it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Gone;

/// A sender of events that every thread of the engine has a copy of.
#[derive(Clone)]
pub(super) struct Outbox {
    events: SyncSender<Event>,
    wake: Arc<dyn Fn() + Send + Sync>,
    stopped: Arc<AtomicBool>,
}

impl Outbox {
    /// An outbox, the window's end of it, and the switch that says that the window has gone.
    pub(super) fn new(wake: Arc<dyn Fn() + Send + Sync>) -> (Self, Receiver<Event>, Arc<AtomicBool>) {
        let (events, received) = sync_channel(CAPACITY);
        let stopped = Arc::new(AtomicBool::new(false));
        (Self { events, wake, stopped: Arc::clone(&stopped) }, received, stopped)
    }

    /// Queues an answer, waiting while a thousand others lie unread.
    pub(super) fn post(&self, event: Event) -> Result<(), Gone> {
        self.events.send(event).map_err(|_| Gone)?;
        (self.wake)();
        Ok(())
    }

    /// Queues news that later news replace; `false` says that the queue is full, to try again later.
    pub(super) fn offer(&self, event: Event) -> Result<bool, Gone> {
        match self.events.try_send(event) {
            Ok(()) => {
                (self.wake)();
                Ok(true)
            }
            Err(TrySendError::Full(_)) => Ok(false),
            Err(TrySendError::Disconnected(_)) => Err(Gone),
        }
    }

    /// Whether the window has gone; asked between two slices of long work.
    pub(super) fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}
