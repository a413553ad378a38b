//! The session of 2024-11-05 … 2025-11-25: its beginning, on Streamable HTTP or on HTTP+SSE, and its
//! second beginning when the server has forgotten it.

use url::Url;

use super::answers::messages;
use super::exchange::{Do, Exchange, Number, Purpose, Request};
use super::streams::{Listening, Resume};
use super::{Line, Machine, SECOND, is_success};
use crate::engine::remote::line::{Asked, Kind};
use crate::engine::remote::refusal::{Refusal, adopted, answered};
use crate::model::Nanos;
use crate::wire::Json;

/// How long the first event of HTTP+SSE may take.
const OPENING: Nanos = 10 * SECOND;

/// What is known of the session.
#[derive(Debug, Default)]
pub struct Legacy {
    /// The host's `initialize`, with its bytes.
    initialize: Option<Line>,
    /// The host's `notifications/initialized`.
    pub(super) initialized: Option<Line>,
    /// The session id (HL-003).
    pub(super) session: Option<String>,
    /// The revision that was agreed on (HL-020).
    version: Option<String>,
    /// Whether a session was begun.
    open: bool,
    greeting: Option<Greeting>,
    /// The stream of HTTP+SSE.
    pub(super) stream: Option<Stream>,
    /// It was HTTP+SSE, and the stream has ended.
    cut_off: bool,
    pub(super) listening: Listening,
    pub(super) resumes: Vec<Resume>,
}

/// A handshake that is under way.
#[derive(Debug)]
struct Greeting {
    /// The exchange that it waits for.
    number: Number,
    /// The host's `initialize`.
    line: Line,
    /// When the session is begun again: the lines that are to be sent once more.
    again: Option<Vec<Line>>,
    /// Why the server refused `initialize` by POST, while HTTP+SSE is tried.
    refused: Option<Verdict>,
    /// When the first event of HTTP+SSE must have come.
    until: Option<Nanos>,
}

/// The stream of HTTP+SSE, on which every answer arrives.
#[derive(Debug)]
pub struct Stream {
    /// The exchange.
    pub number: Number,
    /// Where messages are sent.
    pub post: Url,
    /// Requests that have no answer yet, with the exchanges that sent them.
    pub waits: Vec<(Number, Asked)>,
}

impl Stream {
    /// The requests of one exchange that wait for an answer.
    pub fn take(&mut self, number: Number) -> Vec<Asked> {
        let (taken, left) = std::mem::take(&mut self.waits).into_iter().partition(|(sent, _)| *sent == number);
        self.waits = left;
        let taken: Vec<(Number, Asked)> = taken;
        taken.into_iter().map(|(_, asked)| asked).collect()
    }
}

impl Legacy {
    /// Whether a handshake is under way.
    pub fn is_greeting(&self) -> bool {
        self.greeting.is_some()
    }

    /// Whether the handshake waits for this exchange.
    pub fn greeting_is(&self, number: Number) -> bool {
        self.greeting.as_ref().is_some_and(|greeting| greeting.number == number)
    }

    /// The handshake will be begun again by its line.
    pub fn give_up_greeting(&mut self) {
        self.greeting = None;
    }

    /// Whether a session was begun.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Whether the stream of HTTP+SSE has ended, and with it the session.
    pub fn is_cut_off(&self) -> bool {
        self.cut_off
    }

    /// When the first event of HTTP+SSE must have come.
    pub fn opening_due(&self) -> Option<Nanos> {
        self.greeting.as_ref()?.until
    }

    /// The fields of every request in the session; none on HTTP+SSE.
    pub fn fields(&self) -> Vec<(String, String)> {
        if self.stream.is_some() {
            return Vec::new();
        }
        let session = self.session.iter().map(|session| ("Mcp-Session-Id".to_owned(), session.clone()));
        let version = self.version.iter().map(|version| ("MCP-Protocol-Version".to_owned(), version.clone()));
        session.chain(version).collect()
    }
}

impl Machine {
    /// The host begins a session; the one before it is over.
    pub(super) fn greet(&mut self, now: Nanos, line: Line) {
        self.leave_session(now);
        self.legacy = Legacy { initialize: Some(line.clone()), ..Legacy::default() };
        let number = self.post(now, line.clone(), Purpose::Line);
        self.legacy.greeting = Some(Greeting { number, line, again: None, refused: None, until: None });
    }

    /// Closes the streams of a session and ends it.
    pub(super) fn leave_session(&mut self, now: Nanos) -> bool {
        self.stop_listening();
        if let Some(stream) = self.legacy.stream.take() {
            self.abort(stream.number, "the session is over");
        }
        let has_session = self.legacy.session.is_some();
        if has_session {
            let (url, fields) = (self.url.clone(), self.legacy.fields());
            let request = Request { method: "DELETE", url, fields, body: [].into() };
            let session = self.legacy.session.take();
            self.begin(Exchange::new(Purpose::Leaving, None, session, now), request);
        }
        has_session
    }

    /// The server has forgotten the session: begins it again with the host's own words and repeats the
    /// request, once (HL-006). Requests only: nobody waits for the rest.
    pub(super) fn lost(&mut self, now: Nanos, exchange: &mut Exchange) -> bool {
        if !exchange.is_lost() || self.legacy.initialize.is_none() || self.ending.is_over() {
            return false;
        }
        let Some(mut line) = exchange.line.take_if(|line| line.kind == Kind::Request && !line.repeated) else {
            return false;
        };
        line.repeated = true;
        match &mut self.legacy.greeting {
            Some(Greeting { again: Some(again), .. }) => again.push(line),
            _ if self.legacy.session != exchange.session => self.queue.push_front(line),
            _ => self.begin_again(now, line),
        }
        true
    }

    /// The stream of HTTP+SSE had ended: begins again for the next line of the host.
    pub(super) fn reopen(&mut self, now: Nanos, mut line: Line) {
        if line.kind != Kind::Request {
            return self.say("a message was not sent: the stream of the server has ended");
        }
        line.repeated = true;
        self.begin_again(now, line);
    }

    fn begin_again(&mut self, now: Nanos, repeated: Line) {
        let Some(line) = self.legacy.initialize.clone() else { return };
        self.say("the server does not know the session any more; beginning a new one and repeating the request");
        self.stop_listening();
        (self.legacy.session, self.legacy.version) = (None, None);
        let (number, until) = if self.legacy.cut_off {
            (self.open_stream(now), Some(now + OPENING))
        } else {
            (self.post(now, line.clone(), Purpose::Greeting), None)
        };
        self.legacy.greeting = Some(Greeting { number, line, again: Some(vec![repeated]), refused: None, until });
    }

    /// Looks at a message for the answer to `initialize`. Whether it is not for the host.
    pub(super) fn greeted(&mut self, now: Nanos, number: Number, text: &[u8]) -> bool {
        let Some(greeting) = &self.legacy.greeting else { return false };
        let asked = greeting.line.asks.first().map(|asked| asked.id.clone());
        let streamed = self.legacy.stream.as_ref().is_some_and(|stream| stream.number == number);
        let is_answer = asked.is_some_and(|id| answered(text).contains(&id));
        if !is_answer || !(greeting.number == number || streamed) {
            return false;
        }
        let result = Json::of_frame(text).ok().and_then(|json| json.get("result"));
        let sent = greeting.number;
        if result.is_none() {
            let again = greeting.again.is_some();
            if again {
                let refusal = Refusal::because("the server forgot the session and did not accept a new initialize");
                self.give_up(&refusal);
            } else {
                self.legacy.greeting = None;
            }
            return again;
        }
        let version = result.and_then(|result| Some(result.get("protocolVersion")?.text()?.into_owned()));
        let assigned = self.exchanges.get(&sent).and_then(|exchange| exchange.answer.session.clone());
        (self.legacy.version, self.legacy.session) = (version, assigned);
        (self.legacy.open, self.legacy.cut_off) = (true, false);
        if self.legacy.greeting.as_ref().is_some_and(|greeting| greeting.again.is_none()) {
            self.legacy.greeting = None;
            return false;
        }
        if let Some(stream) = &mut self.legacy.stream {
            stream.take(sent);
        }
        self.exchanges.entry(sent).and_modify(|exchange| exchange.waits.clear());
        match self.legacy.initialized.clone() {
            Some(line) => {
                let number = self.post(now, line, Purpose::Greeted);
                self.legacy.greeting.iter_mut().for_each(|greeting| greeting.number = number);
            }
            None => self.repeat(now),
        }
        true
    }

    /// An exchange of the handshake is over.
    pub(super) fn greeting_over(&mut self, now: Nanos, number: Number, exchange: Exchange, broken: Option<String>) {
        if !self.legacy.greeting_is(number) {
            return;
        }
        if exchange.purpose == Purpose::Greeted {
            // Whether it was accepted shows with what follows.
            return self.repeat(now);
        }
        if is_success(exchange.answer.status) && self.legacy.stream.is_some() && broken.is_none() {
            // The answer arrives on the stream.
            return;
        }
        let was_told = exchange.waits.is_empty() && self.legacy.stream.is_none() && exchange.purpose == Purpose::Line;
        let asked = self.legacy.greeting.as_ref().and_then(|greeting| greeting.line.asks.first().cloned());
        let Some(asked) = asked.filter(|_| !was_told) else { return self.legacy.give_up_greeting() };
        let refusal = self.refusal(&exchange, broken);
        let line = verdict(&exchange.body, &asked).unwrap_or_else(|| Verdict::No(asked.clone(), refusal.clone()));
        if matches!(exchange.answer.status, 400 | 404 | 405) && self.legacy.stream.is_none() && !self.ending.is_over() {
            let number = self.open_stream(now);
            if let Some(greeting) = &mut self.legacy.greeting {
                (greeting.number, greeting.refused, greeting.until) = (number, Some(line), Some(now + OPENING));
            }
            return;
        }
        if self.legacy.greeting.as_ref().is_some_and(|greeting| greeting.again.is_some()) {
            let why = format!("the server forgot the session, and a new one could not be begun: {}", refusal.why);
            return self.give_up(&Refusal { why, ..refusal });
        }
        if let Some(stream) = &mut self.legacy.stream {
            stream.take(number);
        }
        self.legacy.greeting = None;
        self.note(number, &answer_to(&asked), refusal.why);
        self.tell(line);
    }

    /// Asks for the stream of HTTP+SSE (protocol.md 3.6).
    fn open_stream(&mut self, now: Nanos) -> Number {
        let fields = vec![("Accept".to_owned(), "text/event-stream".to_owned())];
        let request = Request { method: "GET", url: self.url.clone(), fields, body: [].into() };
        self.begin(Exchange::new(Purpose::Opening, None, None, now), request)
    }

    /// The stream of HTTP+SSE says where messages are to be sent.
    pub(super) fn endpoint(&mut self, now: Nanos, number: Number, told: &[u8]) {
        let told = String::from_utf8_lossy(told).trim().to_owned();
        let post = self.url.join(&told).ok().filter(|post| post.origin() == self.url.origin());
        let Some(post) = post else {
            let why = format!("the server's endpoint {told:?} is not on the server itself; nothing is sent there");
            self.abort(number, "its endpoint is somewhere else");
            return self.opening_refused(&Refusal::because(why));
        };
        if let Some(stream) = &mut self.legacy.stream {
            stream.post = post;
            return;
        }
        self.exchanges.entry(number).and_modify(|exchange| exchange.purpose = Purpose::Stream);
        self.out.push_back(Do::IsSse(number));
        self.legacy.stream = Some(Stream { number, post, waits: Vec::new() });
        let Some(greeting) = &self.legacy.greeting else { return };
        let (line, again) = (greeting.line.clone(), greeting.again.is_some());
        let sent = self.post(now, line, if again { Purpose::Greeting } else { Purpose::Line });
        if let Some(greeting) = &mut self.legacy.greeting {
            (greeting.number, greeting.until) = (sent, None);
        }
    }

    /// There is no stream of HTTP+SSE.
    pub(super) fn opening_failed(&mut self, _now: Nanos, exchange: &Exchange, broken: Option<String>) {
        let refusal = self.refusal(exchange, broken);
        self.opening_refused(&refusal);
    }

    /// The same, when time is up or the endpoint is not to be trusted.
    pub(super) fn opening_refused(&mut self, refusal: &Refusal) {
        let Some(greeting) = &mut self.legacy.greeting else { return };
        let (number, refused) = (greeting.number, greeting.refused.take());
        if greeting.again.is_some() {
            return self.give_up(refusal);
        }
        let asked = greeting.line.asks.first().cloned();
        self.legacy.greeting = None;
        if let Some(asked) = asked {
            let line = refused.unwrap_or_else(|| Verdict::No(asked.clone(), refusal.clone()));
            self.note(number, &answer_to(&asked), refusal.why.clone());
            self.tell(line);
        }
    }

    /// The stream of HTTP+SSE has ended: nothing that was asked on it will be answered.
    pub(super) fn stream_over(&mut self, now: Nanos, broken: Option<String>) {
        let Some(stream) = self.legacy.stream.take() else { return };
        self.legacy.cut_off = true;
        let why = broken.unwrap_or_else(|| "the server closed it".to_owned());
        let refusal = Refusal::because(format!("the stream on which answers arrive has ended: {why}"));
        if self.legacy.greeting.is_some() {
            self.opening_refused(&refusal);
        }
        let waits: Vec<Asked> = stream.waits.into_iter().map(|(_, asked)| asked).collect();
        self.refuse(Some(stream.number), &waits, &refusal);
        self.advance(now);
    }

    /// The session has begun again: what was refused is sent once more.
    fn repeat(&mut self, now: Nanos) {
        let Some(greeting) = self.legacy.greeting.take() else { return };
        self.say("a new session has begun; what was set in the old one (log level, subscriptions) is gone");
        for line in greeting.again.into_iter().flatten().rev() {
            self.queue.push_front(line);
        }
        self.listen(now);
    }

    /// The session could not be begun again.
    fn give_up(&mut self, refusal: &Refusal) {
        let Some(greeting) = self.legacy.greeting.take() else { return };
        let waits: Vec<Asked> = greeting.again.into_iter().flatten().flat_map(|line| line.asks).collect();
        self.refuse(Some(greeting.number), &waits, refusal);
    }

    fn tell(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Answer(line) => self.out.push_back(Do::Print(line)),
            Verdict::No(asked, refusal) => self.decline(&asked, &refusal),
        }
    }
}

/// What came of `initialize`.
#[derive(Debug)]
enum Verdict {
    /// This line.
    Answer(Vec<u8>),
    /// No answer.
    No(Asked, Refusal),
}

/// The answer in a body, as a line.
fn verdict(body: &[u8], asked: &Asked) -> Option<Verdict> {
    answer_in(body, asked).map(Verdict::Answer)
}

fn answer_in(body: &[u8], asked: &Asked) -> Option<Vec<u8>> {
    messages(body).into_iter().find_map(|mut text| {
        if answered(&text).contains(&asked.id) {
            text.push(b'\n');
            return Some(text);
        }
        adopted(&text, asked)
    })
}

fn answer_to(asked: &Asked) -> String {
    format!("answer to {}", String::from_utf8_lossy(&asked.raw))
}
