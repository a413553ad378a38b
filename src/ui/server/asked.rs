//! One request that a server of the window was asked, and what became of it.

use crate::engine::view::Json;
use crate::model::{Era, Id, Nanos};
use crate::peer::server::{Bytes, ClientId, Ended, Miss, RequestNo};

/// What was done about a request, that is kept of each.
const MOST_STEPS: usize = 200;

/// Where a request stands, in one word for its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is being answered.
    Running,
    /// It waits for a person.
    Waiting,
    /// It ended with a result.
    Answered,
    /// It ended with an error.
    Error,
    /// It ended otherwise, or on purpose with no answer.
    Otherwise,
    /// The client cancelled it, or went away.
    Cancelled,
}

/// A request.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Its number.
    pub request: RequestNo,
    /// Who asks.
    pub client: ClientId,
    /// Its id.
    pub id: Id,
    /// Its method.
    pub method: String,
    /// What it is about: a tool's or prompt's name, a URI.
    pub subject: String,
    /// The message.
    pub message: Bytes,
    /// The era in which it was read.
    pub era: Era,
    /// When it came, by the window's clock.
    pub at: Nanos,
    /// What answers it, and how often that has.
    pub by: Option<(String, u64)>,
    /// Where that stands: a line of the mock file, or a recorded request.
    pub place: Option<u64>,
    /// Why nothing does.
    pub miss: Option<Box<Miss>>,
    /// Whether it waits for a person.
    pub waits: bool,
    /// What was done about it, and when.
    pub steps: Vec<(Nanos, String)>,
    /// How it ended.
    pub ended: Option<Ended>,
    /// How long it took.
    pub took: Nanos,
}

impl Asked {
    /// One that has just come.
    pub fn new(
        request: RequestNo,
        client: ClientId,
        id: Id,
        method: String,
        message: Bytes,
        era: Era,
        at: Nanos,
    ) -> Self {
        let params = Json::of_frame(&message).ok().and_then(|it| it.get("params"));
        let word = |name| Some(params?.get(name)?.text()?.into_owned());
        let subject = word("name").or_else(|| word("uri")).or_else(|| word("taskId")).unwrap_or_default();
        Self {
            request,
            client,
            id,
            method,
            subject,
            message,
            era,
            at,
            by: None,
            place: None,
            miss: None,
            waits: false,
            steps: Vec::new(),
            ended: None,
            took: 0,
        }
    }

    /// Where it stands.
    pub fn fate(&self) -> Fate {
        match &self.ended {
            None if self.waits => Fate::Waiting,
            None => Fate::Running,
            Some(Ended::Result(_)) => Fate::Answered,
            Some(Ended::Error(_)) => Fate::Error,
            Some(Ended::Otherwise(_)) => Fate::Otherwise,
            Some(Ended::Cancelled) => Fate::Cancelled,
        }
    }

    /// `params` as they were sent; `{}` where there are none.
    pub fn params(&self) -> &[u8] {
        Json::of_frame(&self.message).ok().and_then(|it| it.get("params")).map_or(b"{}", |it| it.raw())
    }

    /// Notes that something was done about it.
    pub fn step(&mut self, at: Nanos, what: String) {
        if self.steps.len() < MOST_STEPS {
            self.steps.push((at, what));
        }
    }

    /// The bytes that it holds, about.
    pub fn weight(&self) -> usize {
        let ended = match &self.ended {
            Some(Ended::Result(bytes) | Ended::Error(bytes)) => bytes.len(),
            _ => 0,
        };
        self.message.len() + ended
    }
}
