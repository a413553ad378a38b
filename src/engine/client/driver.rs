//! Joins the client's machine to the world: orders, the link and the time. One at a time is given to it, and what it
//! decides is done before the next.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;

use super::link::{Link, News, until};
use super::{Happening, Tell};
use crate::engine::record::Queue;
use crate::model::Nanos;
use crate::peer::client::{Client, Do, Order};

/// So many orders may wait.
const MOST: usize = 10_000;
/// How long the machine has to finish once it was asked to, before the link is closed all the same.
const PATIENCE: Nanos = 1_000_000_000;

/// What a session shares with its thread.
#[derive(Debug, Default)]
pub struct Desk {
    orders: Mutex<VecDeque<Order>>,
    woken: Notify,
    stopped: AtomicBool,
    hurried: AtomicBool,
    over: AtomicBool,
}

impl Desk {
    /// Lays an order down; `false` when it will not be taken.
    pub fn order(&self, order: Order) -> bool {
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

    fn take(&self) -> Option<Order> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}

/// Serves one session.
pub struct Driver {
    client: Client,
    link: Link,
    desk: Arc<Desk>,
    queue: Arc<Queue>,
    tell: Tell,
    finished: bool,
    /// When the link is closed whatever the machine says.
    until: Option<Nanos>,
}

impl Driver {
    /// One that has done nothing.
    pub fn new(client: Client, link: Link, desk: Arc<Desk>, queue: Arc<Queue>, tell: Tell) -> Self {
        Self { client, link, desk, queue, tell, finished: false, until: None }
    }

    /// Serves until the session is over.
    pub async fn run(mut self) {
        self.link.open();
        loop {
            self.perform();
            if self.finished && self.link.is_over() {
                return;
            }
            let now = self.queue.now();
            let due = [self.client.wakes_at(), self.until].into_iter().flatten().min().map(|at| until(now, at));
            tokio::select! {
                () = self.desk.woken.notified() => self.asked(),
                // Nothing comes only when the link is over.
                news = self.link.next() => news.into_iter().for_each(|news| self.hear(news)),
                () = tokio::time::sleep(due.unwrap_or_default()), if due.is_some() => self.passed(),
            }
        }
    }

    fn asked(&mut self) {
        let now = self.queue.now();
        while let Some(order) = self.desk.take() {
            self.client.order(now, order);
            self.perform();
        }
        if self.desk.stopped.swap(false, Ordering::AcqRel) && !self.finished {
            self.until.get_or_insert(now.saturating_add(PATIENCE));
            self.client.order(now, Order::Close);
        }
        if self.desk.hurried.swap(false, Ordering::AcqRel) {
            self.perform();
            self.finish();
            self.link.hurry();
        }
    }

    fn passed(&mut self) {
        let now = self.queue.now();
        if self.until.is_some_and(|until| now >= until) {
            self.finish();
        }
        self.client.passed(now);
    }

    fn hear(&mut self, news: News) {
        let now = self.queue.now();
        match news {
            News::Told(told) => (self.tell)(Happening::Told(told)),
            // What the server says while it is being ended is recorded, and nobody waits for it.
            _ if self.finished => {}
            News::Opened => self.client.opened(now),
            News::Frame(frame) => self.client.heard(now, &frame),
            News::Refused(ids, refused) => self.client.refused(now, &ids, refused),
            News::Closed(why, failed) => self.client.closed(now, &why, failed),
        }
    }

    /// Does what is to be done.
    fn perform(&mut self) {
        while let Some(next) = self.client.next() {
            match next {
                Do::Send(bytes, fields) => self.link.send(bytes, fields, false),
                Do::SendRaw(bytes, fields) => self.link.send(bytes, fields, true),
                Do::Drop(id) => self.link.drop_request(&id),
                Do::Break(id) => self.link.break_stream(id.as_ref()),
                Do::Restart => self.link.open(),
                Do::Tell(told) => (self.tell)(Happening::Told(told)),
                Do::Finish => self.finish(),
            }
        }
    }

    fn finish(&mut self) {
        self.finished = true;
        self.until = None;
        self.link.finish();
    }
}

#[cfg(test)]
mod tests {
    use super::{Desk, MOST};
    use crate::peer::client::Order;

    #[test]
    fn orders_keep_their_order_and_none_is_taken_when_it_is_over() {
        let desk = Desk::default();
        for call in 0..MOST as u64 {
            assert!(desk.order(Order::Poll(call)));
        }
        assert!(!desk.order(Order::Close), "the desk is full");
        assert_eq!((desk.take(), desk.take()), (Some(Order::Poll(0)), Some(Order::Poll(1))));
        assert!(desk.order(Order::Close));
        desk.close();
        assert!(!desk.order(Order::Close));
    }
}
