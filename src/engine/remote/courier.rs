//! Carries one request to the server and what it answers back, piece by piece and no faster than the
//! pieces are used up, and records both. What they mean is for the machine.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::machine::{Answer, Number, Request};
use crate::engine::proxy::journal::Journal;
use crate::engine::record::{Flow, Queue, secrets};
use crate::model::{Channel, HttpEnd, Transport};
use crate::transport::http::{Connection, Connector, Heard, Origin};
use crate::wire::http::{Head, HeadWriter};

/// A connection that has been idle for longer is not used again: servers close theirs after five seconds
/// or later, and a request that meets such an end would be lost.
const FRESH: Duration = Duration::from_secs(4);
/// So many idle connections are kept.
const IDLE: usize = 4;

/// What a courier tells.
#[derive(Debug)]
pub enum News {
    /// The request was written to its end.
    Sent(Number),
    /// The response's head.
    Head(Number, Answer),
    /// Bytes of its body; the next come when these are used up.
    Body(Number, Vec<u8>),
    /// It is over: in order, or why not.
    Ended(Number, Option<String>),
}

/// Who carries requests to one server.
#[derive(Debug)]
pub struct Courier {
    connector: Connector,
    queue: Arc<Queue>,
    /// Fields that the user adds; their values are not recorded.
    extra: Vec<(String, String)>,
    news: Sender<News>,
    idle: Mutex<Vec<Idle>>,
}

/// A connection that waits for the next request.
#[derive(Debug)]
struct Idle {
    origin: Origin,
    connection: Connection,
    since: Instant,
}

/// A request under way. Dropping it closes its connection.
#[derive(Debug)]
pub struct Errand {
    task: JoinHandle<()>,
    reads_on: Sender<()>,
    journal: Arc<Journal>,
}

impl Errand {
    /// What was given of the body is used up.
    pub fn read_on(&self) {
        // One piece at a time is under way, so there is room.
        let _ = self.reads_on.try_send(());
    }

    /// Closes the connection.
    pub fn abort(&self) {
        self.task.abort();
    }

    /// What is noted of it. Its channel is closed when the errand is dropped as well.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }
}

impl Drop for Errand {
    fn drop(&mut self) {
        self.abort();
    }
}

impl Courier {
    /// One that tells `news`.
    pub fn new(connector: Connector, queue: Arc<Queue>, extra: Vec<(String, String)>, news: Sender<News>) -> Self {
        Self { connector, queue, extra, news, idle: Mutex::default() }
    }

    /// Sends a request on its way.
    pub fn start(self: &Arc<Self>, number: Number, request: Request) -> Errand {
        let (reads_on, used_up) = channel(1);
        let journal = Arc::new(Journal::open(
            &self.queue,
            Channel {
                id: number,
                transport: Transport::HttpRequest,
                peer: None,
                session: request.field("Mcp-Session-Id").map(str::to_owned),
                version: request.field("MCP-Protocol-Version").map(str::to_owned),
                resumes: request.field("Last-Event-ID").map(str::to_owned),
            },
        ));
        let carried = Carried { courier: Arc::clone(self), number, journal: Arc::clone(&journal), used_up };
        let task = tokio::spawn(carried.run(request));
        Errand { task, reads_on, journal }
    }

    /// A connection that was used before and is still open.
    async fn kept(&self, origin: &Origin) -> Option<Connection> {
        loop {
            let kept = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut kept = kept?;
            let closed = tokio::time::timeout(Duration::ZERO, kept.connection.closed()).await.is_ok();
            if !closed && kept.since.elapsed() < FRESH && kept.origin == *origin {
                return Some(kept.connection);
            }
        }
    }

    fn keep(&self, origin: &Origin, connection: Connection) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if connection.reusable() && idle.len() < IDLE {
            idle.push(Idle { origin: origin.clone(), connection, since: Instant::now() });
        }
    }

    /// The head as it is sent, and as it is recorded.
    fn heads(&self, request: &Request, origin: &Origin) -> (Head, Head) {
        let url = &request.url;
        let target = url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()));
        let head = |masked: bool| {
            let mut writer = HeadWriter::request(request.method, &target);
            writer.field("Host", origin.authority());
            let agent = ("User-Agent".to_owned(), concat!("midwire/", env!("CARGO_PKG_VERSION")).to_owned());
            let identity = ("Accept-Encoding".to_owned(), "identity".to_owned());
            let ours = [agent, identity].into_iter().chain(request.fields.iter().cloned());
            for (name, value) in ours {
                if !self.extra.iter().any(|(extra, _)| extra.eq_ignore_ascii_case(&name)) {
                    writer.field(&name, &value);
                }
            }
            for (name, value) in &self.extra {
                writer.field(name, if masked { secrets::MASK } else { value });
            }
            if request.method == "POST" {
                writer.field("Content-Length", request.body.len().to_string());
            }
            writer.finish()
        };
        (head(false), head(true))
    }
}

/// A request with what it needs on its way.
struct Carried {
    courier: Arc<Courier>,
    number: Number,
    journal: Arc<Journal>,
    used_up: Receiver<()>,
}

impl Carried {
    async fn run(mut self, request: Request) {
        let number = self.number;
        let end = match Origin::of(&request.url) {
            Some(origin) => self.carry(&request, &origin).await,
            None => Err((HttpEnd::Failed, "the URL is neither http nor https".to_owned())),
        };
        if let Err((how, why)) = &end {
            self.journal.over(*how, why.clone());
        }
        self.tell(News::Ended(number, end.err().map(|(_, why)| why))).await;
    }

    /// Carries it to its end.
    async fn carry(&mut self, request: &Request, origin: &Origin) -> Result<(), (HttpEnd, String)> {
        let courier = Arc::clone(&self.courier);
        let (head, recorded) = courier.heads(request, origin);
        self.record_request(request, &recorded);
        let mut connection = match courier.kept(origin).await {
            Some(connection) => connection,
            None => courier.connector.connect(origin).await.map_err(|error| failed(&error))?,
        };
        self.journal.wake();
        self.exchange(&mut connection, &head, request).await?;
        self.journal.ended(Flow::Output);
        courier.keep(origin, connection);
        Ok(())
    }

    fn record_request(&self, request: &Request, head: &Head) {
        self.journal.head(Flow::Input, head.raw());
        if !request.body.is_empty() {
            self.journal.body(Flow::Input, head, false);
            self.journal.data(Flow::Input, &request.body);
        }
        self.journal.ended(Flow::Input);
    }

    /// Writes the request and hears the response, both at once: a server may answer before it has read
    /// all.
    async fn exchange(
        &mut self,
        connection: &mut Connection,
        head: &Head,
        request: &Request,
    ) -> Result<(), (HttpEnd, String)> {
        let (mut sending, mut hearing) = connection.send(head).map_err(|broken| failed(&broken))?;
        let send = async {
            sending.data(&request.body).await?;
            sending.finish(b"").await
        };
        tokio::pin!(send);
        let (mut is_sent, mut has_head) = (false, false);
        loop {
            let heard = tokio::select! {
                done = &mut send, if !is_sent => {
                    // A server that closed its ear may have answered all the same.
                    is_sent = true;
                    if done.is_ok() {
                        self.tell(News::Sent(self.number)).await;
                    }
                    continue;
                }
                heard = hearing.next() => heard,
            };
            match heard {
                Ok(Heard::Head(head)) => has_head |= self.head(&head, request.method).await,
                Ok(Heard::Data(bytes)) => {
                    self.journal.data(Flow::Output, bytes);
                    self.journal.wake();
                    self.tell(News::Body(self.number, bytes.to_vec())).await;
                    if self.used_up.recv().await.is_none() {
                        return Err((HttpEnd::Stopped, "midwire was stopped".to_owned()));
                    }
                }
                Ok(Heard::Trailers(trailers)) => self.journal.head(Flow::Output, &trailers),
                Ok(Heard::End) => return Ok(()),
                Err(broken) if has_head => return Err((HttpEnd::ServerGone, failed(&broken).1)),
                Err(broken) => return Err(failed(&broken)),
            }
        }
    }

    /// Takes a head; whether it is the last.
    async fn head(&self, head: &Head, method: &str) -> bool {
        self.journal.head(Flow::Output, head.raw());
        let status = head.status().unwrap_or_default();
        if (100..200).contains(&status) {
            return false;
        }
        let text = |name: &str| head.text(name).map(std::borrow::Cow::into_owned);
        let media = text("Content-Type").unwrap_or_default();
        let is_stream = media.trim().to_ascii_lowercase().starts_with("text/event-stream");
        self.journal.body(Flow::Output, head, is_stream);
        if is_stream && method == "GET" && status == 200 {
            self.journal.learn(|channel| channel.transport = Transport::HttpStream);
        }
        self.journal.wake();
        let answer = Answer {
            status,
            media,
            session: text("Mcp-Session-Id"),
            challenge: text("WWW-Authenticate"),
            location: text("Location"),
        };
        self.tell(News::Head(self.number, answer)).await;
        true
    }

    async fn tell(&self, news: News) {
        // Nobody listens any more when the bridge is at its end.
        let _ = self.courier.news.send(news).await;
    }
}

fn failed(error: &dyn std::error::Error) -> (HttpEnd, String) {
    (HttpEnd::Failed, format!("failed to {error}"))
}
