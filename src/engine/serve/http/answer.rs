//! Writes one response from its outbox: as a body where a single answer is all that comes, else as a stream of events.
//! What is written is noted first, and is handed to the recorder once it has left.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::timeout;

use super::head::Fields;
use super::outbox::{Outbox, Part};
use super::wire;
use crate::engine::proxy::journal::Journal;
use crate::engine::record::Flow;
use crate::model::HttpEnd;
use crate::peer::server::Bytes;
use crate::transport::http::{Broken, ReadHalf, Reader, WriteHalf, Writer};
use crate::wire::http::BodyLength;

/// After so long without an event a stream gets a comment, which keeps proxies from closing it.
const QUIET: Duration = Duration::from_secs(15);
/// A client that takes nothing for so long has gone.
const STALL: Duration = Duration::from_mins(1);

/// How a response ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// In order; the connection may carry another request.
    Kept,
    /// In order; the connection is to be closed.
    Closed,
    /// In the middle, on purpose.
    Cut,
    /// The client has gone.
    Gone,
}

/// How a response may look.
#[derive(Debug, Clone, Default)]
pub struct Manner {
    /// A single answer is a body.
    pub json: bool,
    /// The client takes no streams: what precedes the answer is left out.
    pub only_json: bool,
    /// Events are named `message`, as HTTP+SSE has it.
    pub named: bool,
    /// HTTP/1.0: a body without a known length lasts until the connection is closed.
    pub old: bool,
    /// The connection is to be closed behind it.
    pub closes: bool,
    /// Fields that are there whatever it is: those of CORS.
    pub fields: Vec<(&'static str, String)>,
}

/// A response that is being written.
pub struct Answer<'a> {
    /// What the client sends meanwhile is kept; that it goes is noticed.
    pub reader: &'a mut Reader<ReadHalf>,
    /// To where.
    pub writer: &'a mut Writer<WriteHalf>,
    /// Where it is noted.
    pub journal: &'a Journal,
    /// How it may look.
    pub manner: Manner,
    /// Its session id, and what a plan changes of its head.
    session: Option<String>,
    changes: Vec<(String, Option<String>)>,
    waiting: VecDeque<Part>,
    begun: bool,
    closes: bool,
}

/// What a response is, as far as that is known.
enum Shape {
    /// Not known yet.
    Unknown,
    Body(u16, Bytes),
    Empty,
    Response(u16, Vec<(String, String)>, Bytes),
    Stream,
    Nothing,
}

impl<'a> Answer<'a> {
    /// One of which nothing was written.
    pub fn new(
        reader: &'a mut Reader<ReadHalf>,
        writer: &'a mut Writer<WriteHalf>,
        journal: &'a Journal,
        manner: Manner,
    ) -> Self {
        let closes = manner.closes;
        let (session, changes, waiting) = (None, Vec::new(), VecDeque::new());
        Self { reader, writer, journal, manner, session, changes, waiting, begun: false, closes }
    }

    /// Writes what comes until the end. `prime` gives the event with which a stream begins, asked when it does.
    pub async fn run(&mut self, outbox: &Outbox, prime: impl Fn() -> Option<Vec<u8>>) -> End {
        loop {
            let parts = tokio::select! {
                biased;
                parts = outbox.take() => parts,
                () = self.reader.closed() => return self.left(),
                () = tokio::time::sleep(QUIET), if self.begun => {
                    match self.stalls(b": still here\n\n").await {
                        Ok(()) => continue,
                        Err(_) => return self.lost(),
                    }
                }
            };
            self.waiting.extend(parts);
            match timeout(STALL, self.write(&prime)).await {
                Ok(Ok(None)) => {}
                Ok(Ok(Some(end))) => return end,
                Ok(Err(_)) | Err(_) => return self.lost(),
            }
        }
    }

    /// Begins a stream at once, with this event or none.
    pub async fn open(&mut self, first: Option<Vec<u8>>) -> Result<(), Broken> {
        self.begin();
        match first {
            Some(event) => self.stalls(&event).await,
            None => self.writer.flush().await,
        }
    }

    async fn stalls(&mut self, bytes: &[u8]) -> Result<(), Broken> {
        self.data(bytes).await?;
        self.writer.flush().await?;
        self.journal.wake();
        Ok(())
    }

    /// The client takes no more.
    fn lost(&self) -> End {
        self.journal.undelivered(Flow::Output);
        self.left()
    }

    fn left(&self) -> End {
        self.journal.over(HttpEnd::ClientGone, "the client closed its connection before the response was complete");
        End::Gone
    }

    fn cut(&self) -> End {
        self.journal.over(HttpEnd::ServerGone, "the response was broken off on purpose");
        End::Cut
    }

    /// Writes what waits.
    async fn write(&mut self, prime: &impl Fn() -> Option<Vec<u8>>) -> Result<Option<End>, Broken> {
        if !self.begun {
            match self.shape() {
                Shape::Unknown => return Ok(None),
                Shape::Body(status, bytes) => return self.body(status, &bytes, "application/json").await.map(Some),
                Shape::Empty => return self.body(202, b"", "").await.map(Some),
                Shape::Response(status, fields, body) => {
                    let fields = fields.into_iter().map(|(name, value)| (name, Some(value)));
                    self.changes.extend(fields);
                    let media = if body.is_empty() { "" } else { "application/json" };
                    return self.body(status, &body, media).await.map(Some);
                }
                Shape::Nothing => return Ok(Some(self.cut())),
                Shape::Stream => {
                    self.begin();
                    if let Some(event) = prime() {
                        self.data(&event).await?;
                    }
                }
            }
        }
        while let Some(part) = self.waiting.pop_front() {
            match part {
                Part::Message(bytes, id, _) => {
                    let name = self.manner.named.then_some("message");
                    self.data(&wire::event(name, id.as_deref(), &bytes)).await?;
                }
                Part::Raw(bytes) => self.data(&bytes).await?,
                Part::Done | Part::Close => return self.end().await.map(Some),
                Part::Break | Part::Respond(..) => {
                    self.writer.flush().await?;
                    self.journal.wake();
                    return Ok(Some(self.cut()));
                }
                // The head has left.
                Part::Fields(_) | Part::Session(_) => {}
            }
        }
        self.writer.flush().await?;
        self.journal.wake();
        Ok(None)
    }

    /// What the response is, by what waits.
    fn shape(&mut self) -> Shape {
        let (session, changes) = (&mut self.session, &mut self.changes);
        self.waiting.retain_mut(|part| match part {
            Part::Session(id) => {
                *session = Some(std::mem::take(id));
                false
            }
            Part::Fields(fields) => {
                changes.append(fields);
                false
            }
            _ => true,
        });
        let json = self.manner.json || self.manner.only_json;
        match self.waiting.make_contiguous() {
            [] => Shape::Unknown,
            [Part::Done] => Shape::Empty,
            [.., Part::Respond(status, fields, body)] => {
                Shape::Response(*status, std::mem::take(fields), std::mem::take(body))
            }
            [Part::Break] => Shape::Nothing,
            [Part::Message(bytes, _, status), Part::Done] if json || *status != 200 => {
                Shape::Body(*status, std::mem::take(bytes))
            }
            [Part::Raw(bytes), Part::Done] => Shape::Body(200, std::mem::take(bytes)),
            // Its end is on its way.
            [Part::Message(_, _, status)] if *status != 200 => Shape::Unknown,
            _ if self.manner.only_json => self.last(),
            _ => Shape::Stream,
        }
    }

    /// The last message is the answer, for a client that takes one only.
    fn last(&mut self) -> Shape {
        match self.waiting.back() {
            Some(Part::Done | Part::Close) => {}
            Some(Part::Break) => return Shape::Nothing,
            _ => return Shape::Unknown,
        }
        let last = self.waiting.drain(..).rev().find_map(|part| match part {
            Part::Message(bytes, _, status) => Some((status, bytes)),
            Part::Raw(bytes) => Some((200, bytes)),
            _ => None,
        });
        last.map_or(Shape::Empty, |(status, bytes)| Shape::Body(status, bytes))
    }

    /// Writes a whole response.
    pub async fn body(&mut self, status: u16, body: &[u8], media: &str) -> Result<End, Broken> {
        let mut fields = Fields::default();
        if !media.is_empty() {
            fields.add("Content-Type", media);
        }
        let is_bare = matches!(status, 204 | 304) || status < 200;
        if !is_bare {
            fields.add("Content-Length", body.len().to_string());
        }
        let length = if is_bare { BodyLength::None } else { BodyLength::Exact(body.len() as u64) };
        self.head(fields, status, length, false);
        if !is_bare && !body.is_empty() {
            self.data(body).await?;
        }
        self.end().await
    }

    fn begin(&mut self) {
        self.begun = true;
        let mut fields = Fields::default();
        fields.add("Content-Type", "text/event-stream");
        fields.add("Cache-Control", "no-cache");
        fields.add("X-Accel-Buffering", "no");
        let length = if self.manner.old { BodyLength::UntilClose } else { BodyLength::Chunked };
        if !self.manner.old {
            fields.add("Transfer-Encoding", "chunked");
        }
        self.head(fields, 200, length, true);
    }

    fn head(&mut self, mut fields: Fields, status: u16, length: BodyLength, events: bool) {
        if let Some(session) = self.session.take() {
            self.journal.learn(|channel| channel.session = Some(session.clone()));
            fields.add("Mcp-Session-Id", session);
        }
        std::mem::take(&mut self.manner.fields).into_iter().for_each(|(name, value)| fields.add(name, value));
        if self.manner.closes {
            fields.close();
        }
        std::mem::take(&mut self.changes).iter().for_each(|(name, value)| fields.change(name, value.as_deref()));
        let (head, length, closes) = fields.finish(status, length);
        self.closes |= closes;
        self.journal.head(Flow::Output, head.raw());
        if !matches!(length, BodyLength::None | BodyLength::Exact(0)) {
            self.journal.body(Flow::Output, &head, events);
        }
        self.writer.head(head.raw(), length);
    }

    async fn data(&mut self, bytes: &[u8]) -> Result<(), Broken> {
        self.journal.data(Flow::Output, bytes);
        self.writer.data(bytes).await
    }

    async fn end(&mut self) -> Result<End, Broken> {
        self.journal.ended(Flow::Output);
        self.writer.finish(b"").await?;
        self.journal.wake();
        Ok(if self.closes { End::Closed } else { End::Kept })
    }
}
