//! Streams that are opened by GET (2025-03-26 … 2025-11-25): the standalone one of a session, and those
//! that go on where the answer to a POST broke off. Both wait as long as the server asks for by `retry` (HL-019),
//! as far as [`SHORTEST`] and [`SLOWEST`] allow. Where nothing came, the next pause is that, and each one after it
//! twice as long; both are given up at last. A stream on which the server named a new event was not in vain, even
//! without a message: that is how a server of 2025-11-25 has itself polled.

use super::exchange::{Exchange, Number, Purpose, Request};
use super::{Machine, SECOND};
use crate::engine::remote::line::Asked;
use crate::engine::remote::refusal::Refusal;
use crate::model::Nanos;

/// How long to wait where the server does not say.
const PAUSE: Nanos = SECOND;
/// The shortest that is waited, also for `retry: 0`: a server is not to be asked in a loop.
const SHORTEST: Nanos = SECOND / 10;
/// The longest `retry` that is obeyed; a slip of the pen should not end a stream for good.
const SLOWEST: Nanos = 3600 * SECOND;
/// The longest that is waited of our own accord.
const LONGEST: Nanos = 30 * SECOND;
/// So many times the standalone stream is opened in vain, one after the other.
const OPENED: u32 = 8;
/// So many times a broken stream is gone on with in vain.
const RESUMED: u32 = 5;
/// A stream that stayed open for so long was not in vain, even if nothing came.
const LIVED: Nanos = 10 * SECOND;

/// The standalone stream.
#[derive(Debug, Default)]
pub struct Listening {
    /// The exchange on which it is open.
    number: Option<Number>,
    /// When it is to be opened again.
    due: Option<Nanos>,
    last_event: Option<String>,
    /// The last `retry`, which holds for the streams after it too.
    retry: Option<u64>,
    tries: u32,
}

/// A stream that broke off before its answer.
#[derive(Debug)]
pub struct Resume {
    due: Nanos,
    last_event: String,
    /// The requests that wait on it.
    pub waits: Vec<Asked>,
    tries: u32,
    retry: Option<u64>,
}

/// How long to wait before the next try, after so many in vain: `retry` milliseconds, where the server says so.
fn pause(retry: Option<u64>, tries: u32) -> Nanos {
    let (first, doublings) = match retry {
        Some(asked) => {
            let asked = Nanos::try_from(asked).unwrap_or(SLOWEST).saturating_mul(1_000_000);
            (asked.clamp(SHORTEST, SLOWEST), tries.saturating_sub(1))
        }
        None => (PAUSE, tries),
    };
    first.saturating_mul(1 << doublings.min(10)).min(LONGEST.max(first))
}

impl Machine {
    /// Opens the standalone stream of the session.
    pub(super) fn listen(&mut self, now: Nanos) {
        if self.legacy.stream.is_some() || self.legacy.listening.number.is_some() || !self.ending.may_send() {
            return;
        }
        let last_event = self.legacy.listening.last_event.clone();
        let number = self.get(now, Purpose::Listening, last_event.as_deref());
        self.legacy.listening.number = Some(number);
        self.exchanges.entry(number).and_modify(|exchange| exchange.last_event = last_event);
        self.legacy.listening.due = None;
    }

    pub(super) fn stop_listening(&mut self) {
        let listening = std::mem::take(&mut self.legacy.listening);
        if let Some(number) = listening.number {
            self.abort(number, "the session is over");
        }
    }

    fn get(&mut self, now: Nanos, purpose: Purpose, last_event: Option<&str>) -> Number {
        let mut fields = vec![("Accept".to_owned(), "text/event-stream".to_owned())];
        fields.extend(self.legacy.fields());
        fields.extend(last_event.map(|id| ("Last-Event-ID".to_owned(), id.to_owned())));
        let request = Request { method: "GET", url: self.url.clone(), fields, body: [].into() };
        self.begin(Exchange::new(purpose, None, self.legacy.session.clone(), now), request)
    }

    /// The standalone stream has ended, or there is none.
    pub(super) fn listening_over(&mut self, now: Nanos, exchange: &Exchange, broken: Option<String>) {
        let listening = &mut self.legacy.listening;
        listening.number = None;
        if exchange.last_event.is_some() {
            listening.last_event.clone_from(&exchange.last_event);
        }
        listening.retry = exchange.retry.or(listening.retry);
        let answered = exchange.answer.status != 0;
        if answered && !exchange.is_stream() {
            if !matches!(exchange.answer.status, 405 | 404) {
                let status = exchange.answer.status;
                self.say(format!("the server gives no stream for messages of its own: HTTP {status}"));
            }
            return;
        }
        let in_vain = !exchange.fruitful && !exchange.bids && now - exchange.since < LIVED;
        listening.tries = if in_vain { listening.tries + 1 } else { 0 };
        if listening.tries >= OPENED {
            let why = broken.unwrap_or_else(|| "the server closes it at once".to_owned());
            return self.say(format!(
                "the stream for the server's own messages was opened {OPENED} times in vain and is given up: {why}"
            ));
        }
        listening.due = Some(now + pause(listening.retry, listening.tries));
    }

    /// Whether the answer can still come: the stream named an event before it ended, so that a GET goes
    /// on with it (protocol.md 3.3).
    pub(super) fn resumes(&mut self, now: Nanos, exchange: &mut Exchange) -> bool {
        self.resumes_after(now, exchange, 0)
    }

    fn resumes_after(&mut self, now: Nanos, exchange: &mut Exchange, tries: u32) -> bool {
        let may = exchange.is_stream() && !exchange.is_modern() && !exchange.waits.is_empty();
        let Some(last_event) = exchange.last_event.clone().filter(|_| may && !self.ending.is_over()) else {
            return false;
        };
        let (waits, retry) = (std::mem::take(&mut exchange.waits), exchange.retry);
        self.legacy.resumes.push(Resume { due: now + pause(retry, tries), last_event, waits, tries, retry });
        true
    }

    /// A stream that went on where another broke off is over as well.
    pub(super) fn resume_over(
        &mut self,
        now: Nanos,
        number: Number,
        mut exchange: Exchange,
        tries: u32,
        broken: Option<String>,
    ) {
        if exchange.waits.is_empty() {
            return;
        }
        let tries = if exchange.fruitful || exchange.bids { 0 } else { tries + 1 };
        let unanswered = exchange.answer.status == 0;
        if tries < RESUMED && (unanswered || exchange.is_stream()) {
            // A connection that failed says nothing about the stream.
            if unanswered && let Some(last_event) = exchange.last_event.clone() {
                let due = now + pause(exchange.retry, tries);
                let (waits, retry) = (std::mem::take(&mut exchange.waits), exchange.retry);
                return self.legacy.resumes.push(Resume { due, last_event, waits, tries, retry });
            }
            if self.resumes_after(now, &mut exchange, tries) {
                return;
            }
        }
        let refusal = self.refusal(&exchange, broken);
        let why = format!("the stream broke off before the answer and could not be gone on with: {}", refusal.why);
        self.refuse(Some(number), &exchange.waits, &Refusal { why, ..refusal });
    }

    /// When [`Machine::streams_passed`] will have something to do.
    pub(super) fn streams_due(&self) -> Option<Nanos> {
        let resumes = self.legacy.resumes.iter().map(|resume| resume.due);
        let others = self.legacy.listening.due.into_iter().chain(self.legacy.opening_due());
        resumes.chain(others).min()
    }

    /// Opens what is due.
    pub(super) fn streams_passed(&mut self, now: Nanos) {
        if self.legacy.listening.due.is_some_and(|due| due <= now) {
            self.listen(now);
        }
        let resumes = std::mem::take(&mut self.legacy.resumes);
        for resume in resumes {
            if resume.due > now {
                self.legacy.resumes.push(resume);
                continue;
            }
            let Resume { last_event, waits, tries, retry, .. } = resume;
            let number = self.get(now, Purpose::Resume(tries), Some(&last_event));
            if let Some(exchange) = self.exchanges.get_mut(&number) {
                (exchange.waits, exchange.retry, exchange.last_event) = (waits, retry, Some(last_event));
            }
        }
        if self.legacy.opening_due().is_some_and(|due| due <= now) {
            let opening = self.exchanges.iter().find(|(_, exchange)| exchange.purpose == Purpose::Opening);
            if let Some((&number, _)) = opening {
                self.abort(number, "it named no endpoint in time");
            }
            self.opening_refused(&Refusal::because("the server's stream named no endpoint in time"));
        }
    }
}
