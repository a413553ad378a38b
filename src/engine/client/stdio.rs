//! The link to a process: what is sent goes to its stdin in order, its stdout comes back line by line, and its end is
//! seen to and explained. While it does not read what it is sent, no more than [`ROOM`] gathers.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::Tell;
use super::link::{LONGEST, News, too_long, until};
use super::pipes::{self, Complaints, Heard};
use super::process::{self, Ended, Reins};
use crate::engine::record::{Queue, Stream};
use crate::engine::tap::ladder::{Do, Ladder};
use crate::model::{Lifecycle, Nanos, StopReason};
use crate::peer::client::Bytes;
use crate::transport::{Ending, Launch};

/// While more waits to be read by the server, nothing more is heard from it.
const ROOM: usize = 64 << 20;
const MILLISECOND: Nanos = 1_000_000;
/// How long the end of the process is waited for after that of its stdout, and the other way round.
const TOGETHER: Nanos = 500 * MILLISECOND;

/// A link to a process.
pub struct Pipes {
    launch: Launch,
    /// The command without secrets, to be shown.
    words: String,
    grace: Duration,
    queue: Arc<Queue>,
    tell: Tell,
    heard: Receiver<(u32, Heard)>,
    hears: Sender<(u32, Heard)>,
    news: VecDeque<News>,
    /// How many processes were started.
    count: u32,
    runs: Option<Runs>,
    /// To be started again once it has ended.
    again: bool,
    ending: bool,
    gave_up: bool,
}

/// A process that was started.
struct Runs {
    reins: Reins,
    to_server: Option<Sender<Bytes>>,
    outbox: VecDeque<Bytes>,
    load: usize,
    line: Vec<u8>,
    /// How much of the line was passed over, since it is too long.
    skipped: usize,
    complaints: Complaints,
    started: Nanos,
    has_spoken: bool,
    ladder: Ladder,
    ended: Option<Ended>,
    silent: bool,
    /// When to wait no longer for the other of the two ends.
    due: Option<Nanos>,
    told: bool,
}

impl Pipes {
    /// A link to the process of `launch`, whose command is shown as `words`.
    pub fn new(launch: Launch, words: String, grace: Duration, queue: &Arc<Queue>, tell: &Tell) -> Self {
        let (hears, heard) = channel(16);
        let (queue, tell) = (Arc::clone(queue), Arc::clone(tell));
        Self {
            launch,
            words,
            grace,
            queue,
            tell,
            heard,
            hears,
            news: VecDeque::new(),
            count: 0,
            runs: None,
            again: false,
            ending: false,
            gave_up: false,
        }
    }

    /// Starts the process; where one runs, that is ended first.
    pub fn open(&mut self) {
        if let Some(runs) = &self.runs {
            self.again = true;
            return runs.reins.kill();
        }
        self.again = false;
        self.count += 1;
        let process = match process::start(&self.launch) {
            Ok(process) => process,
            Err(why) => {
                self.happened(Lifecycle::SpawnFailed { why: why.clone() });
                return self.news.push_back(News::Closed(format!("failed to {why}"), true));
            }
        };
        self.happened(Lifecycle::Spawned { pid: process.pid });
        let (reins, complaints) = (process.reins.clone(), Complaints::default());
        let started = pipes::start(process, self.count, &self.queue, &self.hears, &complaints, &self.tell);
        let to_server = match started {
            Ok(to_server) => to_server,
            Err(error) => {
                reins.kill();
                let why = format!("failed to start the threads that talk with the server: {error}");
                return self.news.push_back(News::Closed(why, true));
            }
        };
        self.runs = Some(Runs {
            reins,
            to_server: Some(to_server),
            outbox: VecDeque::new(),
            load: 0,
            line: Vec::new(),
            skipped: 0,
            complaints,
            started: self.queue.now(),
            has_spoken: false,
            ladder: Ladder::new(self.grace),
            ended: None,
            silent: false,
            due: None,
            told: false,
        });
        self.news.push_back(News::Opened);
    }

    /// Sends a message with a line end, or bytes as they are.
    pub fn send(&mut self, bytes: Bytes, raw: bool) {
        let Some(runs) = self.runs.as_mut().filter(|runs| runs.to_server.is_some()) else { return };
        let bytes = if raw { bytes } else { [&bytes, &b"\n"[..]].concat().into() };
        runs.load += bytes.len();
        runs.outbox.push_back(bytes);
    }

    /// Begins the end: its stdin is closed once all was written, then it has its grace.
    pub fn finish(&mut self) {
        if std::mem::replace(&mut self.ending, true) {
            return;
        }
        self.again = false;
        let now = self.queue.now();
        if let Some(runs) = &mut self.runs {
            self.queue.happened(Stream::STDIO, Lifecycle::ClientClosed);
            let step = runs.ladder.input_ended(now);
            step.into_iter().for_each(|step| self.act(step));
        }
    }

    /// Ends it sooner: TERM at once, KILL soon after; a second time KILL at once.
    pub fn hurry(&mut self) {
        self.finish();
        let now = self.queue.now();
        let Some(runs) = &mut self.runs else { return };
        if runs.ladder.due().is_some_and(|due| due - now > 2_000 * MILLISECOND) {
            runs.ladder.signalled(now);
            self.act(Do::Terminate(StopReason::Signal));
        } else {
            self.act(Do::Kill(StopReason::Signal));
        }
    }

    /// Whether nothing is left of it.
    pub fn is_over(&self) -> bool {
        self.ending && (self.runs.is_none() || self.gave_up) && self.news.is_empty()
    }

    /// Waits for news.
    pub async fn next(&mut self) -> Option<News> {
        loop {
            if let Some(news) = self.news.pop_front() {
                return Some(news);
            }
            if self.is_over() {
                return None;
            }
            self.wait().await;
            self.settle();
        }
    }

    async fn wait(&mut self) {
        let now = self.queue.now();
        let Some(runs) = &mut self.runs else {
            // Whatever comes is about processes that are gone.
            self.heard.recv().await;
            return;
        };
        if self.ending && runs.outbox.is_empty() {
            runs.to_server = None;
        }
        let due = [runs.ladder.due(), runs.due].into_iter().flatten().min();
        let due = due.map(|due| until(now, due));
        let (has_room, has_more) = (runs.load < ROOM, !runs.outbox.is_empty());
        let to_server = runs.to_server.clone();
        tokio::select! {
            permit = room(to_server.as_ref()), if has_more => {
                let bytes = runs.outbox.pop_front().unwrap_or_default();
                runs.load -= bytes.len();
                if let Some(permit) = permit {
                    permit.send(bytes);
                }
            }
            Some((number, heard)) = self.heard.recv(), if has_room || self.ending => {
                if number == self.count {
                    self.hear(heard);
                }
            }
            () = tokio::time::sleep(due.unwrap_or_default()), if due.is_some() => {}
        }
    }

    fn hear(&mut self, heard: Heard) {
        let now = self.queue.now();
        let Some(runs) = &mut self.runs else { return };
        match heard {
            Heard::Output(bytes) => runs.output(&bytes, &mut self.news),
            Heard::OutputEnded => {
                (runs.silent, runs.due) = (true, Some(now + TOGETHER));
                self.queue.happened(Stream::STDIO, Lifecycle::ServerClosed);
            }
            Heard::Deaf => self.queue.happened(Stream::STDIO, Lifecycle::ServerStoppedReading),
            Heard::Ended(ended) => {
                let event = match ended.ending {
                    Some(Ending::Code(code)) => Some(Lifecycle::Exited { code }),
                    Some(Ending::Signal(signal)) => Some(Lifecycle::Signalled { signal }),
                    None => None,
                };
                event.into_iter().for_each(|event| self.queue.happened(Stream::STDIO, event));
                if !ended.swept.is_empty() {
                    self.queue.happened(Stream::STDIO, Lifecycle::Swept { pids: ended.swept.clone() });
                }
                (runs.ended, runs.due) = (Some(ended), Some(now + TOGETHER));
            }
        }
    }

    /// Does what is due.
    fn settle(&mut self) {
        let now = self.queue.now();
        while let Some(step) = self.runs.as_mut().and_then(|runs| runs.ladder.tick(now)) {
            self.act(step);
        }
        let Some(runs) = &mut self.runs else { return };
        let is_late = runs.due.is_some_and(|due| now >= due);
        let is_gone = runs.ended.is_some() && (runs.silent || is_late);
        if !(is_gone || runs.silent && is_late) {
            return;
        }
        runs.due = None;
        runs.last_line(&mut self.news);
        let tells = !self.ending && !self.again && !std::mem::replace(&mut runs.told, true);
        if tells {
            let why = runs.why(now, &self.words);
            self.news.push_back(News::Closed(why, true));
        }
        if is_gone {
            self.runs = None;
        }
        if is_gone && self.again {
            self.open();
        }
    }

    fn act(&mut self, step: Do) {
        let Some(runs) = self.runs.as_ref().filter(|runs| runs.ended.is_none()) else { return };
        let (signal, reason) = match step {
            Do::CloseInput(reason) => (None, reason),
            Do::Terminate(reason) => {
                runs.reins.terminate();
                (Some(15), reason)
            }
            Do::Kill(reason) => {
                runs.reins.kill();
                (Some(9), reason)
            }
            Do::GiveUp => {
                self.gave_up = true;
                return;
            }
        };
        self.happened(Lifecycle::Stopping { signal, reason });
    }

    fn happened(&self, event: Lifecycle) {
        self.queue.happened(Stream::STDIO, event);
    }
}

/// Room for one more piece; nothing when the server's stdin is closed.
async fn room(to_server: Option<&Sender<Bytes>>) -> Option<tokio::sync::mpsc::Permit<'_, Bytes>> {
    to_server?.reserve().await.ok()
}

impl Runs {
    /// Cuts what was said into lines.
    fn output(&mut self, mut bytes: &[u8], news: &mut VecDeque<News>) {
        self.has_spoken = true;
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            self.gather(&bytes[..end]);
            bytes = &bytes[end + 1..];
            self.line_ended(news);
        }
        self.gather(bytes);
    }

    fn gather(&mut self, bytes: &[u8]) {
        if self.line.len() + bytes.len() > LONGEST || self.skipped > 0 {
            self.skipped += bytes.len();
        } else {
            self.line.extend_from_slice(bytes);
        }
    }

    fn line_ended(&mut self, news: &mut VecDeque<News>) {
        let mut line = std::mem::take(&mut self.line);
        let skipped = std::mem::take(&mut self.skipped);
        if skipped > 0 {
            return news.push_back(News::Told(too_long(&line, line.len() + skipped)));
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        news.push_back(News::Frame(line, None));
    }

    /// What was said without a line end.
    fn last_line(&mut self, news: &mut VecDeque<News>) {
        if !self.line.is_empty() || self.skipped > 0 {
            self.line_ended(news);
        }
    }

    /// Why it is gone, and what to do.
    fn why(&self, now: Nanos, words: &str) -> String {
        let how = match self.ended.as_ref().map(|ended| ended.ending) {
            Some(Some(Ending::Code(code))) => format!("the server exited with code {code}"),
            Some(Some(Ending::Signal(signal))) => format!("the server was ended by signal {signal}"),
            Some(None) => "the server ended".to_owned(),
            None => "the server closed its stdout, though it goes on running".to_owned(),
        };
        let said = self.complaints.text();
        let remedy = match (self.has_spoken, said.is_empty()) {
            (true, true) => String::new(),
            (false, true) => {
                let after = (now - self.started) / MILLISECOND;
                format!(" after {after} ms without a word; run its command in a terminal to see why: {words}")
            }
            (_, false) => format!("; the last it said on stderr: {said}"),
        };
        format!("{how}{remedy}")
    }
}
