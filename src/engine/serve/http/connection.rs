//! One client's connection: its requests one after the other. Who may not come, and what no path or method has, is
//! refused here.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

use super::answer::{Answer, End, Manner};
use super::refusal::Refusal;
use super::site::Site;
use super::wire::keeps;
use crate::engine::proxy::journal::Journal;
use crate::engine::record::Flow;
use crate::transport::http::{Broken, Peer, ReadHalf, Reader, Stream, WriteHalf, Writer};
use crate::wire::http::{BodyLength, Head, HeadFault, request_length};

/// How long a client that is being refused may go on sending before its connection is torn down.
const LINGER: Duration = Duration::from_secs(1);
/// A connection that asks for nothing for so long is closed.
const IDLE: Duration = Duration::from_mins(10);
/// Where a client of HTTP+SSE begins, and where it sends its messages.
const SSE: &str = "/sse";
/// See [`SSE`].
pub const MESSAGES: &str = "/message";

/// One client's connection.
pub struct Connection {
    /// The server.
    pub site: Arc<Site>,
    /// What the client sends.
    pub reader: Reader<ReadHalf>,
    /// What it is sent.
    pub writer: Writer<WriteHalf>,
    ip: String,
    stop: watch::Receiver<bool>,
}

/// A request whose body was not read yet.
pub struct Request {
    /// As it was sent.
    pub head: Head,
    /// How its body is framed.
    pub length: BodyLength,
    /// Where it is noted.
    pub journal: Journal,
}

impl Connection {
    /// A client at the other end of `stream`.
    pub fn new(site: Arc<Site>, stream: Stream, ip: String, stop: watch::Receiver<bool>) -> Self {
        let (read, write) = stream.split();
        let (reader, writer) = (Reader::new(read, Peer::Client), Writer::new(write, Peer::Client));
        Self { site, reader, writer, ip, stop }
    }

    /// Serves its requests until it is closed, or the server ends.
    pub async fn serve(mut self) {
        loop {
            let heard = tokio::select! {
                biased;
                heard = self.reader.head() => heard,
                _ = self.stop.changed() => return,
                () = tokio::time::sleep(IDLE) => return,
            };
            let head = match heard {
                Ok(Some(head)) => head,
                Ok(None) => return,
                Err(broken) if broken.is_gone() => return,
                Err(broken) => return self.no_http(&broken).await,
            };
            let journal = self.site.journal(&head, &self.ip);
            journal.head(Flow::Input, head.raw());
            let end = self.exchange(head, journal).await;
            match end {
                End::Kept if self.reader.is_over() => {}
                End::Kept | End::Closed => return self.linger().await,
                // Not reset, which would take back what the client has not read yet.
                End::Cut | End::Gone => return,
            }
        }
    }

    /// What cannot be read as a request is answered, and not noted: there is nothing to note.
    async fn no_http(&mut self, broken: &Broken) {
        let status = match broken {
            Broken::HeadTooLarge { .. } | Broken::Head { source: HeadFault::TooLong, .. } => 431,
            _ => 400,
        };
        let journal = Journal::silent(self.site.hub.queue());
        self.refuse(&Refusal::new(status, format!("failed to {broken}")), Manner::default(), &journal).await;
        self.linger().await;
    }

    /// Answers one request.
    async fn exchange(&mut self, head: Head, journal: Journal) -> End {
        let closes = !keeps(&head);
        let manner = Manner { old: head.minor() == 0, closes, fields: cors(&head), ..Manner::default() };
        let length = match self.let_in(&head) {
            Ok(length) => length,
            // A page that is kept out is told nothing that it could read.
            Err(refusal) => return self.refuse(&refusal, Manner { fields: Vec::new(), ..manner }, &journal).await,
        };
        let request = Request { head, length, journal };
        let path = request.head.target().split('?').next().unwrap_or_default().to_owned();
        let is_sse = self.site.sse && path != self.site.path;
        if request.head.method() == "OPTIONS" {
            return self.options(&request, manner).await;
        }
        match (request.head.method(), path.as_str()) {
            ("POST", path) if path == self.site.path => self.post(request, manner).await,
            ("GET", path) if path == self.site.path => self.listen(&request, manner).await,
            ("DELETE", path) if path == self.site.path => self.delete(&request, manner).await,
            ("GET", SSE) if is_sse => self.sse(&request, manner).await,
            ("POST", MESSAGES) if is_sse => self.post_to_sse(request, manner).await,
            (_, path) => {
                let refusal = self.no_such(path, is_sse);
                self.refuse(&refusal, manner, &request.journal).await
            }
        }
    }

    fn no_such(&self, path: &str, is_sse: bool) -> Refusal {
        let why = "this path has no such method";
        match path {
            path if path == self.site.path => Refusal::method(self.allowed(), why),
            SSE if is_sse => Refusal::method("GET", "this is where HTTP+SSE begins, with GET"),
            MESSAGES if is_sse => Refusal::method("POST", why),
            _ => Refusal::new(404, format!("there is nothing here; the endpoint is {}", self.site.path)),
        }
    }

    /// The methods of the endpoint.
    pub fn allowed(&self) -> &'static str {
        if self.site.has_sessions() { "GET, POST, DELETE" } else { "POST" }
    }

    /// Whether a request may come from where it comes, and can be read in one way only.
    fn let_in(&self, head: &Head) -> Result<BodyLength, Refusal> {
        let length =
            request_length(head).map_err(|fault| Refusal::new(400, format!("failed to read the request: {fault}")))?;
        if head.all("host").count() > 1 {
            return Err(Refusal::new(
                400,
                "the request has several Host fields, which two parties may read differently",
            ));
        }
        let host = head.text("host").unwrap_or_default();
        if !host.is_empty() || head.minor() > 0 {
            self.site.doors.host(&host).map_err(|why| Refusal::new(403, why))?;
        }
        if let Some(origin) = head.text("origin") {
            self.site.doors.origin(&origin, &host).map_err(|why| Refusal::new(403, why))?;
        }
        Ok(length)
    }

    /// What a browser asks before a page may call.
    async fn options(&mut self, request: &Request, mut manner: Manner) -> End {
        manner.fields.push(("Allow", format!("{}, OPTIONS", self.allowed())));
        if request.head.get("origin").is_some() {
            manner.fields.push(("Access-Control-Allow-Methods", self.allowed().to_owned()));
            if let Some(asked) = request.head.text("access-control-request-headers") {
                manner.fields.push(("Access-Control-Allow-Headers", asked.into_owned()));
            }
        }
        self.whole(204, b"", "", manner, &request.journal).await
    }

    /// Refuses a request. Where its body was not read, the connection is closed behind the answer.
    pub async fn refuse(&mut self, refusal: &Refusal, mut manner: Manner, journal: &Journal) -> End {
        if let Some(allow) = refusal.allow {
            manner.fields.push(("Allow", allow.to_owned()));
        }
        self.whole(refusal.status, refusal.body().as_bytes(), "application/json", manner, journal).await
    }

    /// Writes a whole response.
    pub async fn whole(&mut self, status: u16, body: &[u8], media: &str, mut manner: Manner, journal: &Journal) -> End {
        manner.closes |= !self.reader.is_over();
        let mut answer = Answer::new(&mut self.reader, &mut self.writer, journal, manner);
        answer.body(status, body, media).await.unwrap_or(End::Gone)
    }

    /// Lets a client that is still sending read its answer before the connection is torn down.
    async fn linger(&mut self) {
        // A client that has gone needs none of this.
        let _ = self.writer.close().await;
        let _ = timeout(LINGER, self.reader.closed()).await;
    }
}

/// The fields that let a page of this machine read the answer.
fn cors(head: &Head) -> Vec<(&'static str, String)> {
    let Some(origin) = head.text("origin") else { return Vec::new() };
    vec![
        ("Access-Control-Allow-Origin", origin.into_owned()),
        ("Access-Control-Expose-Headers", "Mcp-Session-Id".to_owned()),
        ("Vary", "Origin".to_owned()),
    ]
}
