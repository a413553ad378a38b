//! One task and how it is written: nested and with `ttl` in 2025-11-25, flat and with `ttlMs` in the extension of
//! 2026-07-28 (TD-001 … TD-005, TE-001 … TE-006).

use super::{Bytes, ClientId, RequestNo};
use crate::model::{Era, Nanos};
use crate::wire::{Json, quote};

/// How a task stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    /// It runs.
    Working,
    /// It waits for what it asks.
    InputRequired,
    /// It has a result.
    Completed,
    /// It has an error; in 2025-11-25 also a result with `isError`.
    Failed,
    /// It was cancelled.
    Cancelled,
}

impl Status {
    const fn word(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::InputRequired => "input_required",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether it stays so for ever.
    pub(super) const fn is_terminal(self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}

/// What came of a task: a result object, or an error object, as JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A result.
    Result(Bytes),
    /// An error.
    Error(Bytes),
}

impl Outcome {
    pub(super) const fn bytes(&self) -> &Bytes {
        match self {
            Self::Result(bytes) | Self::Error(bytes) => bytes,
        }
    }
}

/// A task.
#[derive(Debug, Clone)]
pub(super) struct Record {
    /// Its id on the wire.
    pub(super) id: String,
    /// The era of the call that made it.
    pub(super) era: Era,
    /// Who called.
    pub(super) client: ClientId,
    /// The call.
    pub(super) request: RequestNo,
    /// How it stands.
    pub(super) status: Status,
    /// `statusMessage`.
    pub(super) says: Option<String>,
    /// When it was made.
    pub(super) created: Nanos,
    /// When it changed last.
    pub(super) updated: Nanos,
    /// How long it is kept, in milliseconds; `None`: as long as there is room.
    pub(super) ttl: Option<u64>,
    /// How often to ask for it at most, in milliseconds.
    pub(super) poll: Option<u64>,
    /// What came of it, when it is over.
    pub(super) outcome: Option<Outcome>,
    /// What it asks in the modern era: `inputRequests`, as JSON text.
    pub(super) asks: Option<String>,
}

impl Record {
    /// When it is forgotten.
    pub(super) fn ends_at(&self) -> Option<Nanos> {
        let ttl = i64::try_from(self.ttl?).unwrap_or(i64::MAX);
        Some(self.created.saturating_add(ttl.saturating_mul(1_000_000)))
    }

    /// It is over. A result that says `isError` is a failure in 2025-11-25 only (TD-015, TE-005).
    pub(super) fn end(&mut self, now: Nanos, outcome: Outcome) {
        let says_error = |bytes: &Bytes| {
            let json = Json::parse(bytes).ok();
            json.and_then(|json| json.get("isError")).and_then(|flag| flag.as_bool()) == Some(true)
        };
        self.status = match &outcome {
            Outcome::Error(_) => Status::Failed,
            Outcome::Result(bytes) if self.era == Era::Legacy && says_error(bytes) => Status::Failed,
            Outcome::Result(_) => Status::Completed,
        };
        if let (Outcome::Error(error), None) = (&outcome, &self.says) {
            let message = Json::parse(error).ok().and_then(|error| error.get("message"));
            self.says = message.and_then(|message| message.text()).map(Into::into);
        }
        self.outcome = Some(outcome);
        self.asks = None;
        self.updated = now;
    }

    /// The object of 2025-11-25.
    pub(super) fn legacy(&self) -> String {
        format!("{{{}}}", self.members(Era::Legacy))
    }

    /// The result that the call gets in 2025-11-25 (TD-001).
    pub(super) fn legacy_created(&self) -> String {
        format!(r#"{{"task":{}}}"#, self.legacy())
    }

    /// The result that the call gets in 2026-07-28 (TE-001).
    pub(super) fn modern_created(&self) -> String {
        format!(r#"{{"resultType":"task",{}}}"#, self.members(Era::Modern))
    }

    /// The members of `tasks/get` and `notifications/tasks` in 2026-07-28, without `resultType` (TE-003).
    pub(super) fn modern_detail(&self) -> String {
        let mut members = self.members(Era::Modern);
        let mut add = |name: &str, value: &str| members.extend([",", &quote(name), ":", value]);
        if let (Status::InputRequired, Some(asks)) = (self.status, &self.asks) {
            add("inputRequests", asks);
        }
        match &self.outcome {
            Some(Outcome::Result(result)) => add("result", &String::from_utf8_lossy(result)),
            Some(Outcome::Error(error)) => add("error", &String::from_utf8_lossy(error)),
            None => {}
        }
        members
    }

    fn members(&self, era: Era) -> String {
        let number = |value: Option<u64>| value.map_or_else(|| "null".to_owned(), |value| value.to_string());
        let says = self.says.as_ref().map(|says| format!(r#""statusMessage":{},"#, quote(says))).unwrap_or_default();
        let (ttl, poll) = match era {
            Era::Legacy => ("ttl", "pollInterval"),
            Era::Modern => ("ttlMs", "pollIntervalMs"),
        };
        let poll = self.poll.map(|value| format!(",{}:{value}", quote(poll))).unwrap_or_default();
        format!(
            r#""taskId":{},"status":"{}",{says}"createdAt":"{}","lastUpdatedAt":"{}",{}:{}{poll}"#,
            quote(&self.id),
            self.status.word(),
            iso(self.created),
            iso(self.updated),
            quote(ttl),
            number(self.ttl),
        )
    }
}

/// A time in ISO 8601, in milliseconds.
fn iso(at: Nanos) -> String {
    let at = jiff::Timestamp::from_nanosecond(i128::from(at)).unwrap_or_default();
    format!("{at:.3}")
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Outcome, Record, Status};
    use crate::model::Era;

    /// A task that was made at the beginning of 1970.
    pub(in crate::peer::server) fn record(id: &str, era: Era) -> Record {
        Record {
            id: id.to_owned(),
            era,
            client: 1,
            request: 1,
            status: Status::Working,
            says: None,
            created: 0,
            updated: 0,
            ttl: Some(60_000),
            poll: Some(500),
            outcome: None,
            asks: None,
        }
    }

    #[test]
    fn each_era_writes_it_in_its_way() {
        let mut task = record("t1", Era::Legacy);
        let when = r#""createdAt":"1970-01-01T00:00:00.000Z","lastUpdatedAt":"1970-01-01T00:00:00.000Z""#;
        let plain = format!(r#"{{"taskId":"t1","status":"working",{when},"ttl":60000,"pollInterval":500}}"#);
        assert_eq!(task.legacy(), plain);
        assert_eq!(task.legacy_created(), format!(r#"{{"task":{plain}}}"#));
        (task.era, task.ttl, task.poll) = (Era::Modern, None, None);
        task.says = Some("half \"way\"".to_owned());
        let flat = format!(r#""taskId":"t1","status":"working","statusMessage":"half \"way\"",{when},"ttlMs":null"#);
        assert_eq!(task.modern_created(), format!(r#"{{"resultType":"task",{flat}}}"#));
        assert_eq!(task.modern_detail(), flat);
    }

    #[test]
    fn what_came_of_it_gives_its_status() {
        let result = |text: &str| Outcome::Result(text.as_bytes().into());
        let error = Outcome::Error(br#"{"code":-32603,"message":"broke"}"#.as_slice().into());
        let cases = [
            (Era::Legacy, result(r#"{"content":[]}"#), Status::Completed),
            (Era::Legacy, result(r#"{"content":[],"isError":true}"#), Status::Failed),
            (Era::Modern, result(r#"{"content":[],"isError":true}"#), Status::Completed),
            (Era::Modern, error, Status::Failed),
        ];
        for (era, outcome, status) in cases {
            let mut task = record("t1", era);
            task.end(1_500_000_000, outcome);
            assert_eq!(task.status, status);
            assert!(task.status.is_terminal());
        }
        let mut task = record("t1", Era::Modern);
        task.end(1_500_000_000, Outcome::Error(br#"{"code":1,"message":"broke"}"#.as_slice().into()));
        assert!(task.modern_detail().contains(r#""statusMessage":"broke""#), "TE-006");
        assert!(task.modern_detail().ends_with(r#""error":{"code":1,"message":"broke"}"#));
        assert!(task.modern_detail().contains(r#""lastUpdatedAt":"1970-01-01T00:00:01.500Z""#));
    }

    #[test]
    fn it_is_kept_for_its_time() {
        let mut task = record("t1", Era::Legacy);
        assert_eq!(task.ends_at(), Some(60_000_000_000));
        task.ttl = Some(u64::MAX);
        assert_eq!(task.ends_at(), Some(i64::MAX));
        task.ttl = None;
        assert_eq!(task.ends_at(), None);
    }
}
