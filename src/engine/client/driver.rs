//! Joins the client's machine to the world: orders, the link and the time. One at a time is given to it, and what it
//! decides is done before the next.

use std::sync::Arc;

use super::link::{Link, News, until};
use super::{Happening, Tell};
use crate::engine::desk::Desk;
use crate::engine::record::Queue;
use crate::model::Nanos;
use crate::peer::client::{Client, Do, Order};

/// How long the machine has to finish once it was asked to, before the link is closed all the same.
const PATIENCE: Nanos = 1_000_000_000;

/// Serves one session.
pub struct Driver {
    client: Client,
    link: Link,
    desk: Arc<Desk<Order>>,
    queue: Arc<Queue>,
    tell: Tell,
    finished: bool,
    /// When the link is closed whatever the machine says.
    until: Option<Nanos>,
}

impl Driver {
    /// One that has done nothing.
    pub fn new(client: Client, link: Link, desk: Arc<Desk<Order>>, queue: Arc<Queue>, tell: Tell) -> Self {
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
                () = self.desk.woken() => self.asked(),
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
        if self.desk.takes_stop() && !self.finished {
            self.until.get_or_insert(now.saturating_add(PATIENCE));
            self.client.order(now, Order::Close);
        }
        if self.desk.takes_hurry() {
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
            News::Frame(frame, place) => self.client.heard_at(now, &frame, place),
            News::Refused(ids, refused, place) => self.client.refused_at(now, &ids, refused, place),
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
