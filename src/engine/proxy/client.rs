//! One client's connection: its requests one after the other, each with the connection upstream that
//! belongs to it. Whichever of the two closes, so does the other.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use super::connect;
use super::exchange::{self, Over};
use super::refusal::{self, Refusal};
use super::rewrite;
use super::site::Site;
use super::tap::{Role, Tap};
use crate::transport::http::{Broken, Connection, Peer, ReadHalf, Reader, Stream, WriteHalf, Writer};
use crate::wire::http::{Head, HeadFault};

/// How long a client that is being refused may go on sending before its connection is torn down.
const LINGER: Duration = Duration::from_secs(1);

/// One client's connection.
pub struct Client {
    /// The tap.
    pub tap: Arc<Tap>,
    /// What the client sends.
    pub reader: Reader<ReadHalf>,
    /// What it is sent.
    pub writer: Writer<WriteHalf>,
    /// Its address, without port.
    pub ip: String,
    /// `https` when it speaks TLS with us.
    pub scheme: &'static str,
    /// The server that it believes to speak with, when it asked for that by CONNECT.
    pub within: Option<Arc<Site>>,
    /// Its connection upstream.
    pub link: Option<Link>,
}

/// A connection upstream.
pub struct Link {
    /// To whom.
    pub site: Arc<Site>,
    /// The connection.
    pub connection: Connection,
}

impl Client {
    /// A client at the other end of `stream`.
    pub fn new(tap: Arc<Tap>, stream: Stream, ip: String, within: Option<Arc<Site>>) -> Self {
        let scheme = if matches!(stream, Stream::Tls(_)) { "https" } else { "http" };
        let (read, write) = stream.split();
        let (reader, writer) = (Reader::new(read, Peer::Client), Writer::new(write, Peer::Client));
        Self { tap, reader, writer, ip, scheme, within, link: None }
    }

    /// Its bytes; `None` when it has said something that was not listened to.
    pub fn into_stream(self) -> Option<Stream> {
        let (read, heard) = self.reader.into_inner();
        Stream::join(read, self.writer.into_inner()).filter(|_| heard.is_empty())
    }

    /// Serves its requests until one of the two connections is closed.
    pub async fn serve(mut self) {
        while let Some(head) = self.request().await {
            if let (Role::Forward(rules), "CONNECT") = (&self.tap.role, head.method()) {
                let rules = rules.clone();
                return Box::pin(connect::run(self, head, &rules)).await;
            }
            let keeps = rewrite::keeps(&head);
            match self.exchange(head).await {
                Over::Kept if keeps && self.reader.is_over() && self.is_linked() => {}
                Over::Kept | Over::Closed if self.reader.is_over() => return,
                Over::Kept | Over::Closed => return self.linger().await,
                Over::Cut => return,
                Over::Reset => return self.writer.get_ref().reset(),
            }
        }
    }

    /// The next request; `None` when there is none.
    async fn request(&mut self) -> Option<Head> {
        let link = &mut self.link;
        let closed = async {
            match link {
                Some(link) => link.connection.closed().await,
                None => std::future::pending().await,
            }
        };
        let heard = tokio::select! {
            biased;
            heard = self.reader.head() => heard,
            () = closed => return None,
        };
        match heard {
            Ok(head) => head,
            Err(broken) if broken.is_gone() => None,
            Err(broken) => {
                self.refuse(&not_http(&broken)).await;
                None
            }
        }
    }

    async fn exchange(&mut self, head: Head) -> Over {
        match self.request_of(head) {
            Ok(request) => exchange::run(self, request).await,
            Err((refusal, head)) => {
                // What is refused is noted too: somebody will wonder why nothing arrives.
                let journal = self.tap.journal(&head, head.target(), &self.ip);
                refusal::note(&journal, &head, &refusal);
                self.refuse_to(head.method(), &refusal).await;
                Over::Closed
            }
        }
    }

    /// Whether there is a connection upstream that can be used again.
    fn is_linked(&self) -> bool {
        self.link.as_ref().is_none_or(|link| link.connection.reusable())
    }

    /// Answers a request that is not passed on.
    async fn refuse(&mut self, refusal: &Refusal) {
        self.refuse_to("", refusal).await;
        self.linger().await;
    }

    /// The same, without waiting for the client to notice.
    pub async fn refuse_to(&mut self, method: &str, refusal: &Refusal) {
        let (head, length) = refusal.head();
        self.writer.head(head.raw(), length);
        let body: &[u8] = if method == "HEAD" { b"" } else { refusal.why.as_bytes() };
        // A client that has gone needs no answer.
        let _ = self.writer.data(body).await;
        let _ = self.writer.flush().await;
    }

    /// Lets a client that is still sending read its answer before the connection is torn down.
    async fn linger(&mut self) {
        let _ = self.writer.close().await;
        let _ = timeout(LINGER, self.reader.closed()).await;
    }

    /// The origin by which the client calls the tap.
    pub fn ours(&self, head: &Head) -> Option<String> {
        match self.tap.role {
            Role::Reverse(_) => Some(format!("{}://{}", self.scheme, head.text("host")?)),
            Role::Forward(_) => None,
        }
    }
}

fn not_http(broken: &Broken) -> Refusal {
    let status = match broken {
        Broken::HeadTooLarge { .. } | Broken::Head { source: HeadFault::TooLong, .. } => 431,
        _ => 400,
    };
    Refusal::new(status, format!("failed to {broken}"))
}
