//! The thread of a server: orders, the time, what is passed on to the real server, and the end in order.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use super::Happening;
use super::adding::Adding;
use super::front::Carrier;
use super::http::Part;
use super::hub::Hub;
use super::passing::{Answered, Passing};
use super::reload::Reload;
use super::source;
use super::stdio::Stdout;
use crate::engine::desk::Desk;
use crate::mcp::meta::PROTOCOL_VERSION;
use crate::model::{Era, Nanos};
use crate::peer::server::{Order, Told};
use crate::wire::Json;

/// How long what is to be written last may take.
const PATIENCE: Duration = Duration::from_secs(1);

/// Where clients come in, as far as its end is concerned.
pub enum Gate {
    /// Our own stdin and stdout.
    Stdio(Arc<Stdout>),
    /// A listener: what ends it, and what ends when nobody is served any more.
    Http(watch::Sender<bool>, mpsc::Receiver<()>),
}

/// What drives a server.
pub struct Driver {
    /// The machine.
    pub hub: Arc<Hub>,
    /// Where orders lie.
    pub desk: Arc<Desk<Order>>,
    /// The source's changes.
    pub reload: Option<Reload>,
    /// The way to the real server.
    pub passing: Passing,
    /// The recording that what it says is added to.
    pub adding: Option<Adding>,
    /// Where clients come in.
    pub gate: Gate,
}

impl Driver {
    /// Serves until it is over; the exit code.
    pub async fn run(mut self) -> i32 {
        loop {
            self.look();
            if let Some((exit, why)) = self.hub.with(|_, core| core.over.clone().map(|why| (core.exit, why))) {
                self.finish(exit).await;
                self.hub.with(|_, core| core.tell(Happening::Over(why)));
                return exit.unwrap_or(0);
            }
            let due = self.hub.wakes_at().map(|at| until(self.hub.queue().now(), at));
            let reload = self.reload.as_ref().map(Reload::rest);
            tokio::select! {
                () = self.desk.woken() => {}
                () = self.hub.stirred() => {}
                () = self.passing.answered() => {}
                () = tokio::time::sleep(due.unwrap_or_default()), if due.is_some() => {
                    self.hub.with(|now, core| core.server.passed(now));
                }
                () = tokio::time::sleep(reload.unwrap_or_default()), if reload.is_some() => self.reload(),
            }
        }
    }

    /// Does what lies there to be done.
    fn look(&mut self) {
        while let Some(order) = self.desk.take() {
            self.hub.with(|now, core| core.server.order(now, order));
        }
        if self.desk.takes_stop() {
            self.hub.with(|now, core| {
                core.server.order(now, Order::EndListening);
                core.end("it was stopped");
            });
        }
        let (passed, identity) = self.hub.with(|_, core| (std::mem::take(&mut core.passed), core.identity.clone()));
        for (request, message) in passed {
            self.passing.ask(request, message, identity.as_deref());
        }
        for answered in self.passing.take() {
            let order = Order::Answer(answered.request, answered.steps.clone());
            self.hub.with(|now, core| core.server.order(now, order));
            self.add(&answered);
        }
    }

    /// Adds what the real server said to the recording that had no answer.
    fn add(&mut self, answered: &Answered) {
        let Some(adding) = self.adding.as_mut().filter(|_| answered.real) else { return };
        let json = Json::parse(&answered.message).ok();
        let version = json.and_then(|json| json.get("params")?.get("_meta")?.get(PROTOCOL_VERSION));
        let era = if version.is_some() { Era::Modern } else { Era::Legacy };
        let note = match adding.add(era, &answered.message, &answered.steps) {
            Ok(seq) => format!("the real server's answer was added to the recording, as entry {seq}"),
            Err(why) => format!("failed to {why}"),
        };
        self.hub.with(|_, core| core.tell(Happening::Told(Told::Note(Some(answered.request), note))));
    }

    /// Takes the source as it is now, if it has changed.
    fn reload(&mut self) {
        let Some(read) = self.reload.as_mut().and_then(Reload::look) else { return };
        self.hub.with(|now, core| match read {
            Ok(read) => {
                core.tell(Happening::Source(Ok(read.words)));
                core.tell(Happening::Lists(source::lists(read.script.as_ref())));
                core.server.replace(now, read.script);
            }
            Err(why) => core.tell(Happening::Source(Err(why))),
        });
    }

    /// Ends what is open: in order, or as a crash does where an exit was asked for.
    async fn finish(&mut self, exit: Option<i32>) {
        match &mut self.gate {
            Gate::Stdio(stdout) => {
                let stdout = Arc::clone(stdout);
                let written = tokio::task::spawn_blocking(move || stdout.finish(PATIENCE));
                // If it panicked, that was said.
                let _ = written.await;
            }
            Gate::Http(stop, busy) => {
                let last = if exit.is_some() { Part::Break } else { Part::Done };
                self.hub.with(|_, core| {
                    if let Carrier::Http(hall, _) = &mut core.carrier {
                        hall.end(&last);
                    }
                });
                // Nobody listens when the listener has ended by itself.
                let _ = stop.send(true);
                let _ = timeout(PATIENCE, busy.recv()).await;
            }
        }
        self.passing.stop();
    }
}

/// How long until `at`.
fn until(now: Nanos, at: Nanos) -> Duration {
    Duration::from_nanos(u64::try_from(at.saturating_sub(now)).unwrap_or(0))
}
