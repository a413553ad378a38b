//! Rounds of MRTR (2026-07-28): a request that is answered with `input_required` is made again, with a new id, the
//! same params, an answer to each question and exactly the `requestState` that was given (MR-004 … MR-008).

use std::collections::BTreeMap;

use super::flight::{Landing, Purpose};
use super::input::{asks, names_something, responses};
use super::machine::Client;
use super::questions::Asker;
use super::send::Post;
use super::{Answer, Bytes, CallId, Outcome, Told};
use crate::model::{Era, Nanos};
use crate::peer::edit::{with, without};
use crate::wire::Json;

/// The methods that can end with `input_required` (RT-003).
const METHODS: [&str; 3] = ["prompts/get", "resources/read", "tools/call"];
/// How long the second round in a row without a question waits; each further one twice as long.
const BACK_OFF: Nanos = 100_000_000;
/// The longest such wait.
const LONGEST: Nanos = 10_000_000_000;

/// A call between two rounds.
#[derive(Debug)]
struct Pending {
    result: Bytes,
    /// `requestState` as it was written.
    state: Option<Bytes>,
    asks: Vec<Open>,
    /// Whether it waits for [`super::Order::Step`].
    by_step: bool,
    /// When it goes on, where nothing was asked.
    at: Option<Nanos>,
}

/// A question of a round.
#[derive(Debug)]
struct Open {
    key: String,
    /// Its key as it was written.
    written: Bytes,
    reply: Reply,
}

/// How a question stands.
#[derive(Debug)]
enum Reply {
    Open,
    Given(Vec<u8>),
    /// It is left out on purpose.
    Silence,
}

/// The calls between two rounds.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    pending: BTreeMap<CallId, Pending>,
    /// How many rounds in a row asked nothing.
    idle: BTreeMap<CallId, u32>,
}

impl Rounds {
    pub(super) fn forget(&mut self, call: CallId) {
        self.pending.remove(&call);
        self.idle.remove(&call);
    }

    pub(super) fn wakes_at(&self) -> Option<Nanos> {
        self.pending.values().filter_map(|pending| pending.at).min()
    }
}

impl Client {
    /// Whether a result asks for input; then the call goes on with a round.
    pub(super) fn needs_input(&mut self, now: Nanos, call: CallId, method: &str, result: Json<'_>) -> bool {
        let asks_for_it = result.get("resultType").is_some_and(|kind| kind.is_text("input_required"));
        if self.era() != Era::Modern || !asks_for_it || !METHODS.contains(&method) || self.calls.get(call).is_none() {
            return false;
        }
        self.between(now, call, result);
        true
    }

    fn between(&mut self, now: Nanos, call: CallId, result: Json<'_>) {
        let round = self.calls.round(call);
        let most = self.settings.most_rounds;
        let asks = asks(result.get("inputRequests"));
        let state: Option<Bytes> = result.get("requestState").map(|state| state.raw().into());
        let raw = Bytes::from(result.raw());
        let sentence = if !names_something(result) {
            Some(
                "the server wants input, but names neither questions nor a state, so nothing can be sent (RT-004)"
                    .to_owned(),
            )
        } else if round >= most {
            Some(format!("the server wants input after {round} rounds; the most that one call may take is {most}"))
        } else {
            None
        };
        if let Some(sentence) = sentence {
            self.tell(Told::Round { call, round, result: raw, next: None });
            return self.ended(now, call, Outcome::Refused(sentence));
        }
        let idle = self.rounds.idle.entry(call).or_default();
        *idle = if asks.is_empty() { idle.saturating_add(1) } else { 0 };
        let wait = if *idle < 2 { 0 } else { BACK_OFF.saturating_mul(1 << (*idle - 2).min(10)).min(LONGEST) };
        let at = asks.is_empty().then(|| now.saturating_add(wait));
        let by_step = self.settings.step_rounds;
        let open = asks.iter().map(|ask| Open {
            key: ask.key.clone(),
            written: Bytes::clone(&ask.written),
            reply: Reply::Open,
        });
        let open = open.collect();
        let pending = Pending { result: Bytes::clone(&raw), state, asks: open, by_step, at: at.filter(|_| !by_step) };
        self.rounds.pending.insert(call, pending);
        let next = if asks.is_empty() { self.next_params(call).map(Bytes::from) } else { None };
        self.tell(Told::Round { call, round, result: raw, next });
        for ask in asks {
            // An answer of the settings may end the call.
            if self.calls.get(call).is_some() {
                self.ask(now, Asker::Round(call, ask.key), (&ask.method, ask.params, Some(call), round));
            }
        }
        self.rounds_passed(now);
    }

    /// A question of a round was answered.
    pub(super) fn round_answered(&mut self, now: Nanos, call: CallId, key: &str, answer: Answer) {
        let reply = match answer {
            Answer::Result(result) => Reply::Given(result),
            Answer::Silence => Reply::Silence,
            Answer::Error(_) => {
                let why = format!("given up: the question `{key}` was refused, and MRTR has no errors to send");
                return self.ended(now, call, Outcome::Refused(why));
            }
        };
        let Some(pending) = self.rounds.pending.get_mut(&call) else { return };
        if let Some(ask) = pending.asks.iter_mut().find(|ask| ask.key == key) {
            ask.reply = reply;
        }
        if pending.asks.iter().any(|ask| matches!(ask.reply, Reply::Open)) {
            return;
        }
        if pending.by_step {
            let result = Bytes::clone(&pending.result);
            let round = self.calls.round(call);
            let next = self.next_params(call).map(Bytes::from);
            return self.tell(Told::Round { call, round, result, next });
        }
        self.go_on(now, call, None);
    }

    /// [`super::Order::Step`]: the next round is sent now, with what was answered so far or what was edited.
    pub(super) fn step(&mut self, now: Nanos, call: CallId, params: Option<Vec<u8>>) {
        if self.rounds.pending.contains_key(&call) {
            for question in self.questions.take_of(call) {
                self.tell(Told::Settled(question, "the next round was sent without it".to_owned()));
            }
            self.questions_changed(now);
            self.go_on(now, call, params);
        }
    }

    fn go_on(&mut self, now: Nanos, call: CallId, edited: Option<Vec<u8>>) {
        let params = match edited {
            Some(edited) => Some(edited),
            None => self.next_params(call),
        };
        self.rounds.pending.remove(&call);
        let Some(called) = self.calls.get_mut(call) else { return };
        let Some(params) = params else {
            let why =
                "the next round was not sent: the params of the call are no JSON object, so answers have no place";
            return self.ended(now, call, Outcome::Refused(why.to_owned()));
        };
        called.round = called.round.saturating_add(1);
        called.request.params = Some(params.clone());
        let post = Post::of(&called.request, &called.request.method, Some(params));
        self.post(now, Purpose::Round(call), post);
    }

    /// The params of the next round: those of the last one but for answers and state.
    fn next_params(&self, call: CallId) -> Option<Vec<u8>> {
        let pending = self.rounds.pending.get(&call)?;
        let base = self.calls.get(call)?.request.params.as_deref().unwrap_or(b"{}");
        let given = pending.asks.iter().filter_map(|ask| match &ask.reply {
            Reply::Given(answer) => Some((&*ask.written, answer.as_slice())),
            Reply::Open | Reply::Silence => None,
        });
        let answers = responses(given);
        let params = if pending.asks.is_empty() {
            without(base, "inputResponses")?
        } else {
            with(base, &[("inputResponses", &answers)])?
        };
        match &pending.state {
            Some(state) => with(&params, &[("requestState", state)]),
            None => without(&params, "requestState"),
        }
    }

    /// A further round came back.
    pub(super) fn round_landed(&mut self, now: Nanos, call: CallId, method: &str, landing: Landing<'_>) {
        self.call_landed(now, call, method, landing);
    }

    pub(super) fn rounds_passed(&mut self, now: Nanos) {
        let due = |pending: &Pending| pending.at.is_some_and(|at| at <= now);
        let due: Vec<CallId> =
            self.rounds.pending.iter().filter(|(_, pending)| due(pending)).map(|(call, _)| *call).collect();
        for call in due {
            self.go_on(now, call, None);
        }
    }
}
