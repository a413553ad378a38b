//! A server on HTTP as if it were on stdio: pure, told the time, and without a byte of I/O. Messages for the server and
//! pieces of its answers go in, [`Do`] comes out. Served is a host on stdio, whose lines may be passed on while they
//! come, or our own client, which is given each message whole and as it was.
//!
//! Requests run at the same time. Notifications and answers of the host go one after the other, after
//! all that came before them was sent, and nothing that came after them goes before the server has taken
//! them; nothing goes while `initialize` is under way. A server that takes a notification and does not
//! say so keeps what follows waiting for [`GATE`] only.

mod answers;
mod ending;
mod exchange;
mod legacy;
mod places;
mod reins;
mod streams;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use url::Url;

pub use exchange::{Answer, Do, Number, Request};

use super::inlet::{Inlet, is_success};
use super::line::{Kind, Line, Tools};
use super::refusal::Refusal;
use crate::model::Nanos;
use answers::Pen;
use ending::Ending;
use exchange::{Exchange, Purpose};
use legacy::Legacy;

const SECOND: Nanos = 1_000_000_000;
/// The longest that a notification keeps what follows it waiting.
const GATE: Nanos = 3 * SECOND;
/// So many bytes of the host's are kept before no more is read from it.
const ROOM: usize = 64 << 20;
/// The longest line of the host that is sent. It is held in memory, since its header fields are known
/// only when all of it was read.
const LONGEST: usize = 64 << 20;
/// So many requests run at once; later ones wait.
const MOST: usize = 256;
/// So many redirects are followed in all.
const HOPS: u32 = 5;

/// The state of a bridge.
#[derive(Debug)]
pub struct Machine {
    out: VecDeque<Do>,
    url: Url,
    hops: u32,
    last: Number,
    exchanges: BTreeMap<Number, Exchange>,
    /// What was read of a line whose end has not come.
    begun: Vec<u8>,
    /// The line is too long: the rest of it is passed over.
    skips: bool,
    queue: VecDeque<Line>,
    /// Exchanges whose requests are on their way.
    unsent: BTreeSet<Number>,
    /// The notification or answer that the server has not taken yet, and since when.
    quiet: Option<(Number, Nanos)>,
    legacy: Legacy,
    tools: Tools,
    pen: Pen,
    ending: Ending,
    grace: Nanos,
    /// For our own client.
    whole: bool,
    /// Messages of our own client so far.
    places: u64,
}

impl Machine {
    /// At the start, for the server at `url`. When the input has ended, requests that still run have
    /// `grace` to be answered.
    pub fn new(url: Url, grace: Nanos) -> Self {
        Self {
            out: VecDeque::new(),
            url,
            hops: 0,
            last: 0,
            exchanges: BTreeMap::new(),
            begun: Vec::new(),
            skips: false,
            queue: VecDeque::new(),
            unsent: BTreeSet::new(),
            quiet: None,
            legacy: Legacy::default(),
            tools: Tools::default(),
            pen: Pen::default(),
            ending: Ending::Not,
            grace,
            whole: false,
            places: 0,
        }
    }

    /// The same for our own client.
    pub fn whole(url: Url, grace: Nanos) -> Self {
        Self { whole: true, ..Self::new(url, grace) }
    }

    /// Sends a message of our own client.
    pub fn send(&mut self, now: Nanos, mut line: Line) {
        self.places += 1;
        line.asks.iter_mut().for_each(|asked| asked.place = self.places);
        self.queue.push_back(line);
        self.advance(now);
    }

    /// What is to be done next.
    pub fn next(&mut self) -> Option<Do> {
        self.out.pop_front()
    }

    /// Whether so much waits to be sent that no more should be read from the host.
    pub fn is_full(&self) -> bool {
        let queued: usize = self.queue.iter().map(|line| line.bytes.len()).sum();
        queued + self.exchanges.values().map(Exchange::load).sum::<usize>() >= ROOM || self.queue.len() >= 4 * MOST
    }

    /// Takes what was read from the host.
    pub fn input(&mut self, now: Nanos, mut bytes: &[u8]) {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            self.begun.extend_from_slice(&bytes[..end]);
            bytes = &bytes[end + 1..];
            self.line_ended();
        }
        if self.begun.len() + bytes.len() > LONGEST {
            self.skips = true;
            self.begun = Vec::new();
        }
        if !self.skips {
            self.begun.extend_from_slice(bytes);
        }
        self.advance(now);
    }

    fn line_ended(&mut self) {
        let bytes = std::mem::take(&mut self.begun);
        if std::mem::take(&mut self.skips) || bytes.len() > LONGEST {
            self.say(format!("a line of the host was not sent: it is longer than {} MiB", LONGEST >> 20));
        } else if let Some(line) = Line::read(&bytes) {
            self.queue.push_back(line);
        }
    }

    /// The request was written to its end.
    pub fn sent(&mut self, now: Nanos, number: Number) {
        self.unsent.remove(&number);
        self.advance(now);
    }

    /// The head of a response has come; informational ones do not count.
    pub fn head(&mut self, now: Nanos, number: Number, answer: Answer) {
        let Some(exchange) = self.exchanges.get_mut(&number) else { return };
        let is_taken = is_success(answer.status);
        exchange.inlet = Inlet::of(answer.status, &answer.media, self.whole);
        exchange.answer = answer;
        if is_taken && let Some(line) = &mut exchange.line {
            line.bytes = Arc::default();
        }
        let tells = exchange.line.as_ref().is_some_and(|line| line.method == "notifications/initialized");
        let was_told = is_taken && tells && exchange.purpose == Purpose::Line;
        self.unsent.remove(&number);
        if self.quiet.is_some_and(|(quiet, _)| quiet == number) {
            self.quiet = None;
        }
        if was_told {
            self.listen(now);
        }
        self.advance(now);
    }

    /// An exchange is over: its response was complete, or why not.
    pub fn ended(&mut self, now: Nanos, number: Number, broken: Option<String>) {
        let Some(exchange) = self.exchanges.remove(&number) else { return };
        self.forget(number);
        let exchange = self.closed(number, exchange);
        match exchange.purpose {
            Purpose::Line => self.line_over(now, number, exchange, broken),
            Purpose::Greeting | Purpose::Greeted => self.greeting_over(now, number, exchange, broken),
            Purpose::Listening => self.listening_over(now, &exchange, broken),
            Purpose::Resume(tries) => self.resume_over(now, number, exchange, tries, broken),
            Purpose::Opening => self.opening_failed(now, &exchange, broken),
            Purpose::Stream => self.stream_over(now, broken),
            Purpose::Leaving => self.left(),
        }
        self.advance(now);
    }

    /// When [`Machine::passed`] will have something to do.
    pub fn wakes_at(&self) -> Option<Nanos> {
        let gate = self.quiet.filter(|_| !self.queue.is_empty()).map(|(_, since)| since + GATE);
        [gate, self.streams_due(), self.ending_due()].into_iter().flatten().min()
    }

    /// Time has passed.
    pub fn passed(&mut self, now: Nanos) {
        self.streams_passed(now);
        self.advance(now);
    }

    /// Does whatever can be done now.
    fn advance(&mut self, now: Nanos) {
        while self.may_send(now) {
            let Some(line) = self.queue.pop_front() else { break };
            self.dispatch(now, line);
        }
        self.settle(now);
    }

    /// Whether the line that is next may go.
    fn may_send(&self, now: Nanos) -> bool {
        let Some(line) = self.queue.front() else { return false };
        let is_free = self.quiet.is_none_or(|(_, since)| now - since >= GATE);
        let after_all = line.kind == Kind::Request || self.unsent.is_empty();
        is_free && after_all && !self.legacy.is_greeting() && self.exchanges.len() < MOST && self.ending.may_send()
    }

    fn dispatch(&mut self, now: Nanos, line: Line) {
        if self.takes_back(&line) && !self.whole {
            return;
        }
        if line.version.is_none() {
            if line.is_initialize() {
                return self.greet(now, line);
            }
            if self.legacy.is_cut_off() {
                return self.reopen(now, line);
            }
            if line.method == "notifications/initialized" {
                self.legacy.initialized = Some(line.clone());
            }
        }
        self.post(now, line, Purpose::Line);
    }

    /// Sends a line.
    fn post(&mut self, now: Nanos, line: Line, purpose: Purpose) -> Number {
        let is_modern = line.version.is_some();
        let accept = ("Accept".to_owned(), "application/json, text/event-stream".to_owned());
        let mut fields = vec![accept, ("Content-Type".to_owned(), "application/json".to_owned())];
        if is_modern {
            fields.extend(line.mirrored(&self.tools));
        } else if !line.is_initialize() {
            fields.extend(self.legacy.fields());
        }
        for (name, _) in &line.fields {
            fields.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
        }
        fields.extend(line.fields.iter().cloned());
        let session = if is_modern || line.is_initialize() { None } else { self.legacy.session.clone() };
        let stream = if is_modern { None } else { self.legacy.stream.as_ref() };
        let url = stream.map_or(&self.url, |stream| &stream.post).clone();
        let request = Request { method: "POST", url, fields, body: Arc::clone(&line.bytes) };
        let (kind, repeated) = (line.kind, line.repeated);
        let (number, asks) = (self.last + 1, line.asks.clone());
        let mut exchange = Exchange::new(purpose, Some(line), session.clone(), now);
        match self.legacy.stream.as_mut().filter(|_| !is_modern) {
            Some(stream) => stream.waits.extend(asks.into_iter().map(|asked| (number, asked))),
            None => exchange.waits = asks,
        }
        self.begin(exchange, request);
        if kind != Kind::Request {
            self.quiet = Some((number, now));
        }
        if repeated {
            let to = session.unwrap_or_default();
            self.note(number, "Mcp-Session-Id", to);
        }
        number
    }

    fn begin(&mut self, exchange: Exchange, request: Request) -> Number {
        self.last += 1;
        let number = self.last;
        self.exchanges.insert(number, exchange);
        self.unsent.insert(number);
        self.out.push_back(Do::Send(number, request));
        number
    }

    /// The answer to a line of the host is over.
    fn line_over(&mut self, now: Nanos, number: Number, mut exchange: Exchange, broken: Option<String>) {
        if self.redirected(&mut exchange) || self.lost(now, &mut exchange) {
            return;
        }
        if self.legacy.greeting_is(number) {
            return self.greeting_over(now, number, exchange, broken);
        }
        self.judge(number, &mut exchange);
        if self.resumes(now, &mut exchange) {
            return;
        }
        let refusal = self.refusal(&exchange, broken);
        let failed = !is_success(exchange.answer.status);
        if failed && let Some(stream) = &mut self.legacy.stream {
            exchange.waits.extend(stream.take(number));
        }
        let is_quiet = exchange.line.as_ref().is_some_and(|line| line.kind != Kind::Request);
        let is_raw = exchange.line.as_ref().is_some_and(|line| line.raw) && !exchange.fruitful;
        if self.whole && exchange.waits.is_empty() && (failed && is_quiet || is_raw) {
            self.out.push_back(Do::Refused(None, refusal));
            return;
        }
        if failed && is_quiet {
            self.say(format!("the server did not take a message of the host: {}", refusal.why));
        }
        self.refuse(Some(number), &exchange.waits, &refusal);
    }

    /// Follows a redirect that asks for the same request at another path of the same server, as the SDKs
    /// do; the path is kept for all that follows.
    fn redirected(&mut self, exchange: &mut Exchange) -> bool {
        let (status, location) = (exchange.answer.status, exchange.answer.location.as_deref());
        let target = location.and_then(|location| self.url.join(location).ok());
        let Some(target) = target.filter(|target| target.origin() == self.url.origin()) else { return false };
        if !matches!(status, 307 | 308) || self.hops >= HOPS || self.legacy.stream.is_some() {
            return false;
        }
        self.hops += 1;
        self.url = target;
        self.legacy.give_up_greeting();
        self.queue.extend(exchange.line.take());
        self.queue.rotate_right(1);
        true
    }

    /// Why an exchange brought no answer.
    fn refusal(&self, exchange: &Exchange, broken: Option<String>) -> Refusal {
        let Answer { status, challenge, location, .. } = &exchange.answer;
        match broken {
            Some(why) if *status == 0 => Refusal::because(why),
            Some(why) => Refusal {
                status: Some(*status),
                why: format!("the server began to answer and broke off: {why}"),
                ..Refusal::default()
            },
            None if is_success(*status) && exchange.inlet.is_events() => Refusal {
                status: Some(*status),
                why: "the server closed the stream before the answer".to_owned(),
                ..Refusal::default()
            },
            None if is_success(*status) && exchange.waits.is_empty() => Refusal {
                status: Some(*status),
                why: format!("{} answered with HTTP {status}", self.url),
                body: exchange.body[..exchange.body.len().min(super::refusal::EXCERPT)].to_vec(),
                challenge: None,
            },
            None => Refusal::of(*status, self.url.as_str(), challenge.as_deref(), location.as_deref(), &exchange.body),
        }
    }

    fn forget(&mut self, number: Number) {
        self.unsent.remove(&number);
        if self.quiet.is_some_and(|(quiet, _)| quiet == number) {
            self.quiet = None;
        }
    }

    fn say(&mut self, text: impl Into<String>) {
        self.out.push_back(Do::Say(text.into()));
    }

    fn note(&mut self, number: Number, what: &str, to: String) {
        self.out.push_back(Do::Changed(number, what.to_owned(), to));
    }
}
