//! Rounds of MRTR (2026-07-28): what is to go on when a client comes again with a `requestState`. The state on the wire
//! is the number of a round, sealed for the client, the method and what is called, with an end (MR-016); what goes on is
//! kept here, whichever connection it comes on.

use std::collections::{BTreeMap, VecDeque};

use sha2::{Digest, Sha256};

use super::seal::Seal;
use crate::model::Nanos;
use crate::peer::edit::with;
use crate::schema::canonical;
use crate::wire::{Json, quote};

/// The most rounds that are open at once; then the oldest goes.
const MOST: usize = 10_000;
/// The most bytes that open rounds hold.
const MOST_BYTES: usize = 64 << 20;

/// The most states of scripts that are known again.
const MOST_PASSED: usize = 1_000;

/// The methods that can be answered with `input_required` (RT-003).
pub(super) const METHODS: [&str; 3] = ["prompts/get", "resources/read", "tools/call"];

/// Open rounds, each with what goes on.
#[derive(Debug)]
pub(super) struct States<T> {
    open: BTreeMap<u64, Round<T>>,
    last: u64,
    bytes: usize,
    /// Digests of states that a script handed out, newest last.
    passed: VecDeque<[u8; 32]>,
}

#[derive(Debug)]
struct Round<T> {
    goes_on: T,
    size: usize,
}

/// Why a `requestState` is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    /// It was not given out for this client and call, or was changed.
    Foreign,
    /// Its time is over.
    Late,
    /// It was used already, or had to go for newer ones.
    Gone,
}

impl Refused {
    /// In words, for the error.
    pub(super) const fn says(self) -> &'static str {
        match self {
            Self::Foreign => "requestState was changed, or was given out for another call or client (MR-016)",
            Self::Late => "requestState has expired; make the call anew",
            Self::Gone => "requestState is not known any more; make the call anew",
        }
    }
}

impl<T> Default for States<T> {
    fn default() -> Self {
        Self { open: BTreeMap::new(), last: 0, bytes: 0, passed: VecDeque::new() }
    }
}

impl<T: Clone> States<T> {
    /// A script handed this state out itself.
    pub(super) fn pass(&mut self, state: &str) {
        if self.is_passed(state) {
            return;
        }
        if self.passed.len() >= MOST_PASSED {
            self.passed.pop_front();
        }
        self.passed.push_back(Sha256::digest(state.as_bytes()).into());
    }

    /// Whether a script did.
    pub(super) fn is_passed(&self, state: &str) -> bool {
        !self.passed.is_empty() && self.passed.contains(&Sha256::digest(state.as_bytes()).into())
    }

    /// Opens one, and gives its `requestState`. `size` is about what it holds, in bytes.
    pub(super) fn open(&mut self, seal: &Seal, call: &Call, until: Nanos, goes_on: T, size: usize) -> String {
        self.last += 1;
        self.bytes += size;
        self.open.insert(self.last, Round { goes_on, size });
        while self.open.len() > MOST || (self.bytes > MOST_BYTES && self.open.len() > 1) {
            let Some((_, gone)) = self.open.pop_first() else { break };
            self.bytes -= gone.size;
        }
        seal.close(format!("{} {until}", self.last).as_bytes(), &call.parts())
    }

    /// What goes on with this `requestState`.
    pub(super) fn resume(
        &mut self,
        seal: &Seal,
        call: &Call,
        state: &str,
        now: Nanos,
        once: bool,
    ) -> Result<T, Refused> {
        let payload = seal.open(state, &call.parts()).ok_or(Refused::Foreign)?;
        let payload = String::from_utf8(payload).map_err(|_| Refused::Foreign)?;
        let (number, until) = payload.split_once(' ').ok_or(Refused::Foreign)?;
        if until.parse::<Nanos>().map_err(|_| Refused::Foreign)? <= now {
            return Err(Refused::Late);
        }
        let number = number.parse::<u64>().map_err(|_| Refused::Foreign)?;
        let goes_on = self.open.get(&number).ok_or(Refused::Gone)?.goes_on.clone();
        if once && let Some(used) = self.open.remove(&number) {
            self.bytes -= used.size;
        }
        Ok(goes_on)
    }
}

/// What a `requestState` is bound to: who calls, and what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    principal: Vec<u8>,
    name: String,
    method: String,
    digest: [u8; 32],
}

impl Call {
    /// From what authorizes the client and its name where they are known, the method and its params. Arguments count by
    /// their value, so a client may write them otherwise when it comes again (MR-008).
    pub(super) fn new(principal: Option<&[u8]>, identity: Option<&[u8]>, method: &str, params: Option<&[u8]>) -> Self {
        let identity = identity.and_then(|identity| Json::parse(identity).ok());
        let name = identity.and_then(|identity| identity.get("name")).and_then(|name| name.text());
        let params = params.and_then(|params| Json::parse(params).ok());
        let part = |name: &str, absent: &str| {
            let value = params.and_then(|params| params.get(name)).map(canonical);
            value.unwrap_or_else(|| absent.to_owned())
        };
        let parts = [part("name", ""), part("uri", ""), part("arguments", "{}")];
        let digest = Sha256::digest(parts.join("\n").as_bytes()).into();
        let principal = principal.unwrap_or_default().to_vec();
        Self { principal, name: name.unwrap_or_default().into(), method: method.to_owned(), digest }
    }

    fn parts(&self) -> [&[u8]; 4] {
        [&self.principal, self.name.as_bytes(), self.method.as_bytes(), &self.digest]
    }
}

/// One question of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Question {
    /// Its key.
    pub(super) key: String,
    /// Its method.
    pub(super) method: String,
    /// Its params, as JSON text.
    pub(super) params: Option<Vec<u8>>,
}

/// `inputRequests`: bare requests under their keys (MR-001 … MR-003).
pub(super) fn requests(questions: &[Question]) -> String {
    let one = |question: &Question| {
        let bare = format!(r#"{{"method":{}}}"#, quote(&question.method)).into_bytes();
        let whole = question.params.as_ref().and_then(|params| with(&bare, &[("params", params)]));
        let text = String::from_utf8_lossy(whole.as_ref().unwrap_or(&bare)).into_owned();
        format!("{}:{text}", quote(&question.key))
    };
    format!("{{{}}}", questions.iter().map(one).collect::<Vec<_>>().join(","))
}

/// The result that asks these questions, or only to come again (RT-004).
pub(super) fn input_required(questions: &[Question], state: &str) -> String {
    let asked =
        if questions.is_empty() { String::new() } else { format!(r#""inputRequests":{},"#, requests(questions)) };
    format!(r#"{{"resultType":"input_required",{asked}"requestState":{}}}"#, quote(state))
}

#[cfg(test)]
mod tests {
    use super::{Call, MOST, MOST_BYTES, Question, Refused, States, input_required};
    use crate::peer::server::seal::Seal;

    fn call(params: &str) -> Call {
        Call::new(None, Some(br#"{"name":"c"}"#), "tools/call", Some(params.as_bytes()))
    }

    const ADD: &str = r#"{"name":"add","arguments":{"a":1,"b":2}}"#;

    #[test]
    fn a_state_is_good_for_its_call_until_its_time_is_over() {
        let (seal, mut states) = (Seal::new([1; 32]), States::default());
        let state = states.open(&seal, &call(ADD), 100, "round 1", 0);
        let mut come = |call: &Call, state: &str, now| states.resume(&seal, call, state, now, false);
        assert_eq!(come(&call(ADD), &state, 99), Ok("round 1"));
        // It may come twice, and with arguments written otherwise (MR-008).
        let other = r#"{"arguments":{"b":2,"a":1.0},"name":"add","_meta":{},"inputResponses":{},"requestState":"x"}"#;
        assert_eq!(come(&call(other), &state, 99), Ok("round 1"));
        assert_eq!(come(&call(ADD), &state, 100), Err(Refused::Late));
        let moved = [
            call(r#"{"name":"add","arguments":{"a":1,"b":3}}"#),
            call(r#"{"name":"sub","arguments":{"a":1,"b":2}}"#),
            Call::new(None, Some(br#"{"name":"d"}"#), "tools/call", Some(ADD.as_bytes())),
            Call::new(Some(b"Bearer x"), Some(br#"{"name":"c"}"#), "tools/call", Some(ADD.as_bytes())),
            Call::new(None, Some(br#"{"name":"c"}"#), "prompts/get", Some(ADD.as_bytes())),
        ];
        for foreign in moved {
            assert_eq!(come(&foreign, &state, 99), Err(Refused::Foreign), "{foreign:?}");
        }
        for changed in [format!("{state}-TAMPERED"), state[1..].to_owned(), String::new(), ".".to_owned()] {
            assert_eq!(come(&call(ADD), &changed, 99), Err(Refused::Foreign), "{changed}");
        }
    }

    #[test]
    fn no_arguments_are_empty_arguments() {
        assert_eq!(call(r#"{"name":"x"}"#), call(r#"{"name":"x","arguments":{}}"#));
    }

    #[test]
    fn a_state_for_single_use_is_used_once() {
        let (seal, mut states) = (Seal::new([1; 32]), States::default());
        let state = states.open(&seal, &call(ADD), 100, 1, 10);
        assert_eq!(states.resume(&seal, &call(ADD), &state, 0, true), Ok(1));
        assert_eq!(states.resume(&seal, &call(ADD), &state, 0, true), Err(Refused::Gone));
        assert_eq!(states.bytes, 0);
    }

    #[test]
    fn the_oldest_go_when_there_is_no_more_room() {
        let (seal, mut states) = (Seal::new([1; 32]), States::default());
        let first = states.open(&seal, &call(ADD), 100, 0, 1);
        for number in 1..=MOST {
            states.open(&seal, &call(ADD), 100, number, 1);
        }
        assert_eq!(states.resume(&seal, &call(ADD), &first, 0, false), Err(Refused::Gone));
        assert_eq!(states.bytes, MOST);
        let large = states.open(&seal, &call(ADD), 100, 7, MOST_BYTES + 1);
        assert_eq!(states.open.len(), 1);
        assert_eq!(states.resume(&seal, &call(ADD), &large, 0, false), Ok(7));
    }

    #[test]
    fn a_round_holds_bare_requests_and_a_state() {
        let ask = |key: &str, params: Option<&str>| Question {
            key: key.to_owned(),
            method: "roots/list".to_owned(),
            params: params.map(|params| params.as_bytes().to_vec()),
        };
        let result = input_required(&[ask("a", None), ask("b\"", Some(r#"{"n":1.0}"#))], "s");
        let asked = r#"{"a":{"method":"roots/list"},"b\"":{"method":"roots/list","params":{"n":1.0}}}"#;
        let expected = format!(r#"{{"resultType":"input_required","inputRequests":{asked},"requestState":"s"}}"#);
        assert_eq!(result, expected);
        assert_eq!(input_required(&[], "s"), r#"{"resultType":"input_required","requestState":"s"}"#);
    }
}
