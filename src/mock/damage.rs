//! Misbehaviour on purpose: what each named fault makes of the steps that would have answered.

use super::reader::nanos;
use super::when::Facts;
use crate::model::Nanos;
use crate::peer::server::fill::{self, Context};
use crate::peer::server::{Bytes, Link, Step, Text};
use crate::wire::{Json, quote};

/// The largest padding, so that a slip of the hand does not take all memory.
pub(super) const LARGEST: u64 = 256 << 20;

/// A fault that is shown on purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Damage {
    /// Time passes before the answer.
    Delay(Nanos),
    /// Likewise, and it comes even though the client has cancelled.
    Late(Nanos),
    /// There is none.
    NoAnswer,
    /// It has an id that was never asked.
    WrongId,
    /// Its id has another JSON type: `7` becomes `"7"`.
    IdType,
    /// Its id is null.
    NullId,
    /// It comes twice.
    Duplicate,
    /// An error follows the result.
    AnswerAndError,
    /// One message has a result and an error.
    ResultAndError,
    /// An answer that nobody asked for comes before.
    Unasked,
    /// A comma too much.
    MalformedJson,
    /// Only the first half of it comes.
    Truncated,
    /// Likewise, and then the connection breaks.
    BreakMidway,
    /// Instead of it the connection breaks.
    Break,
    /// Bytes that are no UTF-8.
    InvalidUtf8,
    /// It comes as a batch of one.
    Batch,
    /// `"jsonrpc":"1.0"`.
    WrongVersion,
    /// So many bytes of padding.
    Oversized(u64),
    /// A line that is no message before it, on stdout.
    Noise(String),
    /// Another status of HTTP, with a body.
    Status(u16, String),
    /// Header fields that are changed, or left out.
    Headers(Vec<(String, Option<String>)>),
    /// The session is forgotten.
    LostSession,
    /// The program ends with this code.
    Crash(i32),
    /// Progress goes back.
    ProgressBackwards,
    /// Progress comes after the answer.
    ProgressAfter,
    /// Progress has a token that nobody gave.
    WrongToken,
    /// Lists: see [`ListDamage`].
    List(ListDamage),
}

/// A fault of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListDamage {
    /// Each item is there twice.
    DuplicateNames,
    /// There is always a next page.
    EndlessCursors,
    /// The next page of the next page is this one.
    CursorCircle,
    /// Schemas are none.
    InvalidSchemas,
    /// Schemas are not there.
    MissingSchemas,
    /// Names are not there.
    MissingNames,
}

/// Every fault that is named by its word alone; see [`super::reply::PARAMETERS`] for the others.
pub(super) const WORDS: [(&str, Damage); 25] = [
    ("no-answer", Damage::NoAnswer),
    ("wrong-id", Damage::WrongId),
    ("id-type", Damage::IdType),
    ("null-id", Damage::NullId),
    ("duplicate-answer", Damage::Duplicate),
    ("answer-and-error", Damage::AnswerAndError),
    ("result-and-error", Damage::ResultAndError),
    ("unasked-answer", Damage::Unasked),
    ("malformed-json", Damage::MalformedJson),
    ("truncated", Damage::Truncated),
    ("break-midway", Damage::BreakMidway),
    ("break", Damage::Break),
    ("invalid-utf8", Damage::InvalidUtf8),
    ("batch", Damage::Batch),
    ("wrong-version", Damage::WrongVersion),
    ("lost-session", Damage::LostSession),
    ("progress-backwards", Damage::ProgressBackwards),
    ("progress-after-answer", Damage::ProgressAfter),
    ("wrong-token", Damage::WrongToken),
    ("duplicate-names", Damage::List(ListDamage::DuplicateNames)),
    ("endless-cursors", Damage::List(ListDamage::EndlessCursors)),
    ("cursor-circle", Damage::List(ListDamage::CursorCircle)),
    ("invalid-schemas", Damage::List(ListDamage::InvalidSchemas)),
    ("missing-schemas", Damage::List(ListDamage::MissingSchemas)),
    ("missing-names", Damage::List(ListDamage::MissingNames)),
];

/// What a request is known by when its answer is damaged.
pub(super) struct Victim<'a> {
    pub(super) facts: Facts<'a>,
    /// How often the rule has answered.
    pub(super) nth: u64,
}

impl Damage {
    /// Whether the steps go on although the client cancels.
    pub(super) const fn is_deaf(&self) -> bool {
        matches!(self, Self::Late(_))
    }

    /// Whether it needs the answer in words, also where that is the protocol's own.
    pub(super) const fn needs_words(&self) -> bool {
        !matches!(
            self,
            Self::Delay(_)
                | Self::Late(_)
                | Self::NoAnswer
                | Self::Break
                | Self::Noise(_)
                | Self::Status(..)
                | Self::Headers(_)
                | Self::LostSession
                | Self::Crash(_)
                | Self::ProgressBackwards
                | Self::ProgressAfter
                | Self::WrongToken
        )
    }

    /// The steps with this fault in them.
    pub(super) fn apply(&self, mut steps: Vec<Step>, victim: &Victim<'_>) -> Vec<Step> {
        let at = steps.iter().rposition(is_answer).unwrap_or(steps.len());
        let answer = steps.get(at).cloned();
        let before = |mut steps: Vec<Step>, new: Vec<Step>| {
            steps.splice(at..at, new);
            steps
        };
        let instead = |mut steps: Vec<Step>, new: Vec<Step>| {
            steps.retain(|step| !is_answer(step));
            steps.extend(new);
            steps
        };
        match self {
            Self::Delay(time) | Self::Late(time) => before(steps, vec![Step::Wait(*time)]),
            Self::NoAnswer => instead(steps, Vec::new()),
            Self::WrongId => with_id(steps, at, victim.other_id()),
            Self::IdType => with_id(steps, at, victim.id_of_other_type()),
            Self::NullId => with_id(steps, at, "null".to_owned()),
            Self::Duplicate => {
                steps.extend(answer);
                steps
            }
            Self::AnswerAndError => {
                let error = Text::Fixed(br#"{"code":-32603,"message":"an error after the result"}"#[..].into());
                steps.push(Step::Error { error, id: None });
                steps
            }
            Self::Unasked if victim.on_stdio() => {
                let message = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{}}}}"#, victim.other_id());
                before(steps, vec![Step::Raw(victim.ended(message.into_bytes()))])
            }
            Self::Noise(line) if victim.on_stdio() => {
                before(steps, vec![Step::Raw(victim.ended(line.clone().into_bytes()))])
            }
            Self::Unasked | Self::Noise(_) | Self::List(_) => steps,
            Self::Break => instead(steps, vec![Step::Break]),
            Self::Oversized(size) => {
                if let Some(Step::Result { result, .. }) = steps.get_mut(at) {
                    *result = victim.padded(result, *size);
                }
                steps
            }
            Self::Status(status, body) => {
                let body = Text::Fixed(body.clone().into_bytes().into());
                instead(steps, vec![Step::Respond { status: *status, fields: Vec::new(), body }])
            }
            Self::Headers(fields) => before(steps, vec![Step::Fields(fields.clone())]),
            Self::LostSession => {
                let error = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}"#;
                let fields = vec![("Content-Type".to_owned(), "application/json".to_owned())];
                let body = Text::Fixed(error.as_bytes().into());
                instead(steps, vec![Step::LoseSession, Step::Respond { status: 404, fields, body }])
            }
            Self::Crash(code) => instead(steps, vec![Step::Exit(*code)]),
            Self::ProgressBackwards => before(steps, vec![progress("5"), progress("3")]),
            Self::ProgressAfter => {
                let token = victim.token();
                steps.extend(token.map(|token| notice(&token, false)));
                steps
            }
            Self::WrongToken => before(steps, vec![notice("\"nobody gave this token\"", true)]),
            Self::ResultAndError
            | Self::MalformedJson
            | Self::Truncated
            | Self::BreakMidway
            | Self::InvalidUtf8
            | Self::Batch
            | Self::WrongVersion => {
                let Some(message) = answer.and_then(|answer| victim.message(&answer)) else { return steps };
                let mut raw = vec![Step::Raw(self.bytes(message, victim))];
                if *self == Self::BreakMidway {
                    raw.push(Step::Break);
                }
                instead(steps, raw)
            }
        }
    }

    /// The damaged bytes of a message.
    fn bytes(&self, message: String, victim: &Victim<'_>) -> Bytes {
        let open = || message[..message.len() - 1].to_owned();
        let half = || message.as_bytes()[..message.len() / 2].to_vec();
        let bytes = match self {
            Self::BreakMidway => return half().into(),
            Self::Truncated => half(),
            Self::MalformedJson => format!("{},}}", open()).into_bytes(),
            Self::ResultAndError => {
                format!(r#"{},"error":{{"code":-32603,"message":"an error beside the result"}}}}"#, open()).into_bytes()
            }
            Self::InvalidUtf8 => [open().as_bytes(), b",\"x\":\"\xFF\xFE\"}"].concat(),
            Self::Batch => format!("[{message}]").into_bytes(),
            _ => message.replacen(r#""jsonrpc":"2.0""#, r#""jsonrpc":"1.0""#, 1).into_bytes(),
        };
        victim.ended(bytes)
    }
}

/// Whether a step answers.
pub(super) const fn is_answer(step: &Step) -> bool {
    matches!(step, Step::Result { .. } | Step::Error { .. } | Step::Respond { .. } | Step::Own)
}

fn with_id(mut steps: Vec<Step>, at: usize, new: String) -> Vec<Step> {
    if let Some(Step::Result { id, .. } | Step::Error { id, .. }) = steps.get_mut(at) {
        *id = Some(new.into_bytes().into());
    }
    steps
}

fn progress(number: &str) -> Step {
    Step::Progress { progress: Text::Fixed(number.as_bytes().into()), total: None, message: None }
}

/// Progress for a token as it is.
fn notice(token: &str, loose: bool) -> Step {
    let params = format!(r#"{{"progressToken":{token},"progress":1}}"#);
    let params = Some(Text::Fixed(params.into_bytes().into()));
    Step::Notify { method: "notifications/progress".to_owned(), params, loose }
}

impl Victim<'_> {
    fn on_stdio(&self) -> bool {
        self.facts.asked.link == Link::Stdio
    }

    /// Bytes as what stands for a message: a line on stdio.
    fn ended(&self, mut bytes: Vec<u8>) -> Bytes {
        if self.on_stdio() {
            bytes.push(b'\n');
        }
        bytes.into()
    }

    /// The request's id as JSON text.
    fn id(&self) -> String {
        let id = Json::of_frame(self.facts.asked.message).ok().and_then(|message| message.get("id"));
        id.map_or_else(|| "null".to_owned(), |id| String::from_utf8_lossy(id.raw()).into_owned())
    }

    /// An id that nobody uses.
    fn other_id(&self) -> String {
        match self.id().parse::<i64>() {
            Ok(number) => number.saturating_add(1_000_000).to_string(),
            Err(_) => quote(&format!("not {}", self.id().trim_matches('"'))),
        }
    }

    /// A number as a text, and a text as a number.
    fn id_of_other_type(&self) -> String {
        let id = self.id();
        match id.strip_prefix('"') {
            Some(text) => text.trim_end_matches('"').parse::<i64>().unwrap_or(0).to_string(),
            None => quote(&id),
        }
    }

    fn token(&self) -> Option<String> {
        let params = Json::parse(self.facts.asked.params?).ok()?;
        let token = params.pointer("/_meta/progressToken")?;
        Some(String::from_utf8_lossy(token.raw()).into_owned())
    }

    /// A wait whose time the request tells; none where it tells no time.
    pub(super) fn wait(&self, text: &Text) -> Option<Step> {
        let text = fill::plain(text, &self.context()).ok()?;
        nanos(String::from_utf8_lossy(&text).trim()).map(Step::Wait)
    }

    const fn context(&self) -> Context<'_> {
        let asked = self.facts.asked;
        Context {
            params: asked.params,
            answers: &[],
            nth: self.nth,
            identity: asked.identity,
            values: self.facts.variables,
        }
    }

    fn filled(&self, text: &Text) -> Option<String> {
        let bytes = fill::json(text, &self.context()).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// A whole answer as one message; nothing where it cannot be told before.
    fn message(&self, answer: &Step) -> Option<String> {
        let (name, text) = match answer {
            Step::Result { result, .. } => ("result", result),
            Step::Error { error, .. } => ("error", error),
            _ => return None,
        };
        Some(format!(r#"{{"jsonrpc":"2.0","id":{},"{name}":{}}}"#, self.id(), self.filled(text)?))
    }

    /// A result with so many bytes more, where they belong for this method.
    fn padded(&self, result: &Text, size: u64) -> Text {
        let padding = "x".repeat(size.min(LARGEST) as usize);
        let text = match self.facts.asked.method {
            "tools/call" => format!(r#"{{"content":[{{"type":"text","text":"{padding}"}}]}}"#),
            _ => {
                let result = self.filled(result).unwrap_or_else(|| "{}".to_owned());
                let open = result.trim_end().strip_suffix('}').unwrap_or("{");
                let comma = if open.trim_end().ends_with('{') { "" } else { "," };
                format!(r#"{open}{comma}"padding":"{padding}"}}"#)
            }
        };
        Text::Fixed(text.into_bytes().into())
    }
}
