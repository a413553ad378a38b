//! What is passed on to the real server: over a session of our own client, opened with the first request, in the name of
//! the host that asks. What the real server asks back is declined: the host is not asked in its name, so no capabilities
//! are declared.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;

use super::Options;
use crate::engine::Say;
use crate::engine::client::{self, Happening, Session, Target};
use crate::peer::client::{Call, CallId, Order, Outcome, Reply, Settings, Told};
use crate::peer::server::{Bytes, RequestNo, Step, Text};
use crate::wire::{Json, quote};

/// So many steps of one answer are taken over; a server may send progress without end.
const MOST: usize = 1_000;

/// The way to the real server.
pub struct Passing {
    real: Option<Target>,
    made: client::Options,
    say: Say,
    session: Option<Session>,
    last: CallId,
    desk: Arc<Desk>,
}

/// What comes back, on the thread of the session.
#[derive(Default)]
struct Desk {
    held: Mutex<Held>,
    filled: Notify,
}

#[derive(Default)]
struct Held {
    open: HashMap<CallId, Answered>,
    answered: Vec<Answered>,
}

/// A request that was passed on, and what is to be done about it.
#[derive(Debug)]
pub struct Answered {
    /// Its number.
    pub request: RequestNo,
    /// The request as it came.
    pub message: Bytes,
    /// What the real server did.
    pub steps: Vec<Step>,
    /// Whether that ended with an answer of its own.
    pub real: bool,
}

impl Passing {
    /// One over which nothing was asked.
    pub fn new(options: &Options, say: Say) -> Self {
        let mut made = client::Options::new(options.real.clone().unwrap_or_default());
        made.recordings.clone_from(&options.recordings);
        (made.max_entry, made.keep_secrets) = (options.max_entry, options.keep_secrets);
        Self { real: options.real.clone(), made, say, session: None, last: 0, desk: Arc::default() }
    }

    /// Asks; `identity` is who asks, as JSON text, where that is known.
    pub fn ask(&mut self, request: RequestNo, message: Bytes, identity: Option<&[u8]>) {
        self.last += 1;
        let (call, order) = (self.last, call_of(&message));
        self.desk.with(|held| held.open.insert(call, Answered { request, message, steps: Vec::new(), real: false }));
        let Some(order) = order else { return self.desk.ended(call, failed("the request cannot be read"), false) };
        if self.real.is_none() {
            return self.desk.ended(call, failed("no real server was named"), false);
        }
        let session = match self.session.take().filter(Session::is_running) {
            Some(session) => Ok(session),
            None => self.open(identity),
        };
        match session {
            Ok(session) if session.order(Order::Call(call, order)) => self.session = Some(session),
            Ok(_) => self.desk.ended(call, failed("it takes no more requests"), false),
            Err(why) => self.desk.ended(call, failed(&why), false),
        }
    }

    fn open(&self, identity: Option<&[u8]>) -> Result<Session, String> {
        let mut options = self.made.clone();
        options.settings = Settings {
            capabilities: "{}".to_owned(),
            sampling: Reply::Decline,
            elicitation: Reply::Decline,
            roots_reply: Reply::Decline,
            ..Settings::default()
        };
        if let Some(identity) = identity {
            options.settings.identity = String::from_utf8_lossy(identity).into_owned();
        }
        let desk = Arc::clone(&self.desk);
        let tell = Arc::new(move |happening: Happening| {
            if let Happening::Told(told) = happening {
                desk.hear(told);
            }
        });
        client::start(options, tell, Arc::clone(&self.say)).map_err(|error| format!("failed to {error}"))
    }

    /// What was answered since.
    pub fn take(&self) -> Vec<Answered> {
        self.desk.with(|held| std::mem::take(&mut held.answered))
    }

    /// Resolves when something was answered.
    pub async fn answered(&self) {
        self.desk.filled.notified().await;
    }

    /// Ends it in order, which may take as long as the real server takes.
    pub fn stop(&mut self) {
        self.session = None;
    }
}

impl Desk {
    fn with<T>(&self, act: impl FnOnce(&mut Held) -> T) -> T {
        act(&mut self.held.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn ended(&self, call: CallId, step: Step, real: bool) {
        self.with(|held| {
            if let Some(mut answered) = held.open.remove(&call) {
                answered.steps.push(step);
                answered.real = real;
                held.answered.push(answered);
            }
        });
        self.filled.notify_one();
    }

    fn hear(&self, told: Told) {
        match told {
            Told::Progress { call, progress, total, message } => {
                let progress = text(progress);
                self.note(call, Step::Progress { progress, total: total.map(text), message: message.map(text) });
            }
            Told::Notified { method, message, call: Some(call) } if method != "notifications/progress" => {
                let json = Json::parse(&message).ok();
                let params = json.and_then(|json| json.get("params")).map(|params| Text::Fixed(params.raw().into()));
                self.note(call, Step::Notify { method, params, loose: false });
            }
            Told::Ended { call, outcome, .. } => {
                let real = matches!(outcome, Outcome::Result(_) | Outcome::Error(_));
                self.ended(call, step_of(outcome), real);
            }
            _ => {}
        }
    }

    fn note(&self, call: CallId, step: Step) {
        self.with(|held| {
            if let Some(open) = held.open.get_mut(&call).filter(|open| open.steps.len() < MOST) {
                open.steps.push(step);
            }
        });
    }
}

/// The request as our client makes it: `_meta` is left out, which belongs to the connection that it came over.
fn call_of(message: &[u8]) -> Option<Call> {
    let json = Json::parse(message).ok()?;
    let method = json.get("method")?.text()?.into_owned();
    let params = json.get("params").map(|params| {
        let members = params.members().filter(|(key, _)| !key.is_text("_meta"));
        let members: Vec<Vec<u8>> = members.map(|(key, value)| [key.raw(), b":", value.raw()].concat()).collect();
        [b"{", members.join(&b","[..]).as_slice(), b"}"].concat()
    });
    Some(Call { method, params, ..Call::default() })
}

fn step_of(outcome: Outcome) -> Step {
    match outcome {
        Outcome::Result(result) => Step::Result { result: Text::Fixed(result), bare: false, id: None },
        Outcome::Error(error) => Step::Error { error: Text::Fixed(error), id: None },
        other => failed(other.why().unwrap_or(other.word())),
    }
}

/// The real server gave no answer.
fn failed(why: &str) -> Step {
    let message = quote(&format!("the real server did not answer: {why}"));
    let error = format!("{{\"code\":-32603,\"message\":{message}}}");
    Step::Error { error: Text::Fixed(error.into_bytes().into()), id: None }
}

fn text(text: String) -> Text {
    Text::Fixed(text.into_bytes().into())
}

#[cfg(test)]
mod tests {
    use super::call_of;

    #[test]
    fn a_request_is_passed_on_as_it_was_typed_without_what_belongs_to_its_connection() {
        let call =
            call_of(br#"{"id":1,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":7},"n":1.0}}"#);
        let call = call.expect("it can be read");
        assert_eq!(
            (call.method.as_str(), call.params.as_deref()),
            ("tools/call", Some(&br#"{"name":"a","n":1.0}"#[..]))
        );
        assert_eq!(call_of(br#"{"id":1,"method":"ping"}"#).map(|call| call.params), Some(None));
        assert_eq!(call_of(b"[]"), None);
    }
}
