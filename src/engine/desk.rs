//! Where orders are laid down for the thread of a session, whichever role it plays: bounded, and nobody waits.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

/// So many orders may wait.
const MOST: usize = 10_000;

/// What a session shares with its thread.
#[derive(Debug)]
pub struct Desk<T> {
    orders: Mutex<VecDeque<T>>,
    woken: Notify,
    stopped: AtomicBool,
    hurried: AtomicBool,
    over: AtomicBool,
}

impl<T> Default for Desk<T> {
    fn default() -> Self {
        let no = || AtomicBool::new(false);
        Self { orders: Mutex::default(), woken: Notify::new(), stopped: no(), hurried: no(), over: no() }
    }
}

impl<T> Desk<T> {
    /// Lays an order down; `false` when it will not be taken: the session is over, or so many wait (10,000).
    pub fn order(&self, order: T) -> bool {
        let mut orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_over() || orders.len() >= MOST {
            return false;
        }
        orders.push_back(order);
        drop(orders);
        self.woken.notify_one();
        true
    }

    /// Asks for the end.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
        self.woken.notify_one();
    }

    /// Asks for it to be quick.
    pub fn hurry(&self) {
        self.hurried.store(true, Ordering::Release);
        self.stop();
    }

    /// Whether the session is over.
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    /// Says that it is.
    pub fn close(&self) {
        self.over.store(true, Ordering::Release);
    }

    /// Resolves when something lies here that was not looked at.
    pub async fn woken(&self) {
        self.woken.notified().await;
    }

    /// The next order.
    pub fn take(&self) -> Option<T> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }

    /// Whether the end was asked for since this was asked last.
    pub fn takes_stop(&self) -> bool {
        self.stopped.swap(false, Ordering::AcqRel)
    }

    /// Whether it was asked to be quick, likewise.
    pub fn takes_hurry(&self) -> bool {
        self.hurried.swap(false, Ordering::AcqRel)
    }
}

#[cfg(test)]
mod tests {
    use super::{Desk, MOST};

    #[test]
    fn orders_keep_their_order_and_none_is_taken_when_it_is_over() {
        let desk = Desk::default();
        for order in 0..MOST {
            assert!(desk.order(order));
        }
        assert!(!desk.order(0), "the desk is full");
        assert_eq!((desk.take(), desk.take()), (Some(0), Some(1)));
        assert!(desk.order(0));
        desk.close();
        assert!(!desk.order(0));
    }
}
