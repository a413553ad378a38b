//! Lifecycle events: what they are called, and what ends with a connection.

use super::remark::Remark;
use super::{Name, Note, NoteKind, Status, Trace};
use crate::model::{ChannelId, Entry, HttpEnd, Lifecycle, Nanos, Side, StopReason};
use crate::wire::lifecycle;

impl Trace {
    pub(super) fn happened(&mut self, entry: &Entry, note: Note) -> Note {
        let event = lifecycle::decode(&entry.bytes);
        match &event {
            Lifecycle::Exited { code } => {
                let why = if *code == 0 { "the server exited" } else { "the server exited with an error" };
                self.over(entry.channel, None, entry.at, why);
            }
            Lifecycle::Signalled { .. } => self.over(entry.channel, None, entry.at, "the server was killed"),
            Lifecycle::SpawnFailed { .. } => {
                self.over(entry.channel, None, entry.at, "the server could not be started");
            }
            Lifecycle::ServerClosed => {
                self.over(entry.channel, Some(Side::Client), entry.at, "the server closed its output");
            }
            Lifecycle::ClientClosed => {
                self.over(entry.channel, Some(Side::Server), entry.at, "the host closed the server's input");
            }
            Lifecycle::HttpEnded { how, why } => self.http_ended(entry.channel, *how, why, entry.at),
            Lifecycle::Changed { what, to } if what == "endpoint" => self.posts_come_to(entry.channel, to),
            _ => {}
        }
        let (method, subject) = words(&event);
        Note {
            kind: NoteKind::Lifecycle,
            method: self.names.intern(method),
            subject: self.names.intern_fleeting(&crate::mcp::one_line(&subject, 200)),
            ..note
        }
    }

    /// Says that nothing more will come and that no recorder is running: what is pending stays
    /// unanswered. Not needed where the recording tells of its end itself.
    pub fn end(&mut self, at: Nanos) {
        self.give_up(at, "the recording ends first", |_, _| true);
        self.https_over(at);
    }

    /// What is in flight on a channel (of one side) gets no answer any more.
    fn over(&mut self, channel: ChannelId, asker: Option<Side>, at: Nanos, why: &'static str) {
        self.give_up(at, why, |on, side| on == channel && asker.is_none_or(|asker| asker == side));
    }

    fn give_up(&mut self, at: Nanos, why: &'static str, fits: impl Fn(ChannelId, Side) -> bool) {
        for exchange in self.flights.all(|flight| fits(flight.chan.id, flight.side)) {
            self.give_up_one(exchange, at, why);
        }
    }

    pub(super) fn give_up_one(&mut self, exchange: u32, at: Nanos, why: &'static str) {
        if self.exchanges[exchange as usize].method == self.words.listen {
            self.close(exchange, Status::Closed, self.words.ended_with_connection, at);
        } else if self.exchanges[exchange as usize].attached.iter().any(super::Attached::may_answer) {
            self.close(exchange, Status::Ambiguous, self.words.ambiguous, at);
        } else {
            self.remark(exchange, Remark::Ended(why));
            self.close(exchange, Status::Unanswered, self.words.unanswered, at);
        }
    }

    /// Ends an exchange without an answer.
    pub(super) fn close(&mut self, exchange: u32, status: Status, outcome: Name, at: Nanos) {
        let this = &mut self.exchanges[exchange as usize];
        (this.status, this.outcome, this.end) = (status, outcome, Some(at));
        if let Some(flight) = self.flights.land(exchange) {
            self.flights.drop_token(exchange, &flight);
        }
        self.touch(exchange);
    }

    /// An answer has come after all, read from the pipe after the exit was seen.
    pub(super) fn forget_end(&mut self, exchange: u32) {
        if let Some(list) = self.remarks.get_mut(&exchange) {
            list.retain(|remark| !matches!(remark, Remark::Ended(_)));
        }
    }
}

/// What an event is called in a row, and its detail.
fn words(event: &Lifecycle) -> (&'static str, String) {
    match event {
        Lifecycle::Spawned { pid } => ("spawned", format!("process {pid}")),
        Lifecycle::SpawnFailed { why } => ("not started", why.clone()),
        Lifecycle::Exited { code } => ("exited", code.to_string()),
        Lifecycle::Signalled { signal } => ("killed", format!("by signal {signal}")),
        Lifecycle::ClientClosed => ("stdin closed", "by the host".to_owned()),
        Lifecycle::ClientStoppedReading => ("host stopped reading", String::new()),
        Lifecycle::ServerClosed => ("stdout closed", "by the server".to_owned()),
        Lifecycle::ServerStoppedReading => ("server stopped reading", String::new()),
        Lifecycle::SignalPassed { signal } => ("signal passed on", signal.to_string()),
        Lifecycle::Stopping { signal, reason } => ("stopping", stopping(*signal, *reason)),
        Lifecycle::Swept { pids } => ("swept", swept(pids)),
        Lifecycle::Lost { entries, why } => ("lost", format!("{entries} entries: {why}")),
        Lifecycle::Listening { url } => ("listening", url.clone()),
        Lifecycle::Changed { what, to } => ("changed", format!("{what}: {to}")),
        Lifecycle::HttpEnded { how, why } => (http_ended(*how), why.clone()),
        Lifecycle::Unknown { text } => ("event", text.clone()),
    }
}

fn http_ended(how: HttpEnd) -> &'static str {
    match how {
        HttpEnd::Complete => "response complete",
        HttpEnd::ClientGone => "client disconnected",
        HttpEnd::ServerGone => "server disconnected",
        HttpEnd::Failed => "not reached",
        HttpEnd::Refused => "refused",
        HttpEnd::Stopped => "tap stopped",
    }
}

fn stopping(signal: Option<i32>, reason: StopReason) -> String {
    // Closing its stdin is what the host did too, no more; a signal says that the server lingered.
    let Some(signal) = signal else {
        let why = match reason {
            StopReason::EndOfInput => "the host closed it",
            StopReason::Signal => "the host sent a signal",
            StopReason::TapKilled => "midwire was killed",
            StopReason::ClientGone => "the host no longer reads",
        };
        return format!("stdin closed: {why}");
    };
    let step = format!("signal {signal}");
    let why = match reason {
        StopReason::EndOfInput => "the host closed stdin and the server did not exit",
        StopReason::Signal => "the host sent a signal and the server did not exit",
        StopReason::TapKilled => "midwire was killed",
        StopReason::ClientGone => "the host no longer reads",
    };
    format!("{step}: {why}")
}

fn swept(pids: &[u32]) -> String {
    let list: Vec<String> = pids.iter().take(20).map(u32::to_string).collect();
    let plural = if pids.len() == 1 { "process" } else { "processes" };
    format!("{plural} left behind: {}", list.join(", "))
}
