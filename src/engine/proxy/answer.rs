//! The way of a response: heads, informational ones first, then the body piece by piece as it comes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::client::Client;
use super::endpoint::{Announced, Lookout};
use super::journal::{self, Journal};
use super::request::Request;
use super::rewrite::{self, Downstream, Origins};
use super::site::{Belongs, Endpoints, Known, session};
use super::tap::Tap;
use crate::engine::record::{Coding, Flow};
use crate::model::Transport;
use crate::transport::http::{Broken, Heard, Hearing, WriteHalf, Writer};
use crate::wire::http::{BodyLength, Head};

/// How the way of a response ended.
#[derive(Debug)]
pub enum End {
    /// With the response; the client's connection is to be closed after it, or not.
    Complete { closes: bool },
    /// Both sides speak another protocol from here on.
    Switched,
    /// The client has gone.
    Client(Option<Broken>),
    /// The server has gone, or says what is not HTTP.
    Server(Broken),
}

/// A response on its way.
pub struct Answer<'a> {
    tap: Arc<Tap>,
    request: &'a Request,
    journal: &'a Journal,
    /// The origin by which the client calls the tap.
    ours: Option<String>,
    /// The server frames bodies without a connection's end.
    is_http2: bool,
    /// A part of a head was passed on.
    has_begun: AtomicBool,
    closes: bool,
    lookout: Option<Lookout>,
    /// What the lookout passes on.
    passed: Vec<u8>,
    known: Option<Known>,
}

impl<'a> Answer<'a> {
    /// The response to `request`, of which nothing was heard yet.
    pub fn new(client: &Client, request: &'a Request, journal: &'a Journal, protocol: &str) -> Self {
        Self {
            tap: Arc::clone(&client.tap),
            request,
            journal,
            ours: client.ours(&request.head),
            is_http2: protocol == "HTTP/2",
            has_begun: AtomicBool::new(false),
            closes: !rewrite::keeps(&request.head),
            lookout: None,
            passed: Vec::new(),
            known: None,
        }
    }

    /// Whether the client was sent anything of it.
    pub fn has_begun(&self) -> bool {
        self.has_begun.load(Ordering::Relaxed)
    }

    /// Passes the response on until its end.
    pub async fn hear(&mut self, hearing: &mut Hearing<'_>, writer: &mut Writer<WriteHalf>) -> End {
        let mut trailers = Vec::new();
        loop {
            let heard = tokio::select! {
                biased;
                heard = hearing.next() => heard,
                flushed = writer.flush(), if writer.holds() => match flushed {
                    Ok(()) => {
                        self.journal.wake();
                        continue;
                    }
                    Err(broken) => return self.refused(broken),
                }
            };
            let passed = match heard {
                Ok(Heard::Head(head)) => {
                    if self.head(&head, hearing.length(), writer) {
                        return self.switch(writer).await;
                    }
                    Ok(())
                }
                Ok(Heard::Data(bytes)) => self.data(bytes, writer).await,
                Ok(Heard::Trailers(lines)) => {
                    self.journal.head(Flow::Output, &lines);
                    trailers = lines;
                    Ok(())
                }
                Ok(Heard::End) => return self.end(&trailers, writer).await,
                Err(broken) => return End::Server(broken),
            };
            if let Err(broken) = passed {
                return self.refused(broken);
            }
        }
    }

    /// Passes a head on; says whether the two change to another protocol with it.
    fn head(&mut self, head: &Head, length: BodyLength, writer: &mut Writer<WriteHalf>) -> bool {
        self.journal.head(Flow::Output, head.raw());
        let status = head.status().unwrap_or_default();
        let is_informational = (100..200).contains(&status) && status != 101;
        let minor = self.request.head.minor();
        if is_informational && minor == 0 {
            return false;
        }
        let framing = self.framing(head, length);
        if !is_informational {
            self.closes |= framing == BodyLength::UntilClose || !(self.is_http2 || rewrite::keeps(head));
            self.begin(head, length);
        }
        let origins = self.ours.as_deref().map(|ours| Origins {
            theirs: &self.request.site.name,
            ours,
            page: self.request.page.as_deref(),
        });
        let closes = self.closes && !is_informational;
        let (made, changed) = rewrite::response(head, &Downstream { length, framing, closes, minor, origins });
        changed.iter().for_each(|(what, to)| self.journal.changed(what, to));
        writer.head(made.raw(), if status == 101 { BodyLength::UntilClose } else { framing });
        self.has_begun.store(true, Ordering::Relaxed);
        status == 101
    }

    /// How the body is framed towards the client: as it came, where the client can read that.
    fn framing(&self, head: &Head, length: BodyLength) -> BodyLength {
        let is_new = self.request.head.minor() > 0;
        match length {
            BodyLength::Chunked if !is_new => BodyLength::UntilClose,
            BodyLength::UntilClose if self.is_http2 && is_new => BodyLength::Chunked,
            _ if head.status() == Some(101) => BodyLength::None,
            length => length,
        }
    }

    /// Takes from the head of the response what matters for the rest.
    fn begin(&mut self, head: &Head, length: BodyLength) {
        let media = head.get("content-type").unwrap_or_default();
        let essence = media.split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
        let is_events = essence.eq_ignore_ascii_case(b"text/event-stream");
        let is_stream = is_events && self.request.head.method() == "GET" && head.status() == Some(200);
        let given = head.text("mcp-session-id").filter(|id| !id.is_empty());
        if is_stream || given.is_some() {
            self.journal.learn(|channel| {
                if is_stream {
                    channel.transport = Transport::HttpStream;
                }
                if let Some(id) = given {
                    channel.session = Some(id.into_owned());
                }
            });
        }
        if !matches!(length, BodyLength::None | BodyLength::Exact(0)) {
            self.journal.body(Flow::Output, head, is_events);
        }
        // A body of a length that was said cannot have its endpoint changed.
        let is_open = matches!(length, BodyLength::Chunked | BodyLength::UntilClose);
        if is_stream && is_open && journal::coding(head) == Coding::Identity {
            let url = self.request.site.url(self.request.path());
            self.lookout = url.map(|url| Lookout::new(url, self.ours.clone()));
        }
        self.tap.explain_oauth(head);
    }

    async fn data(&mut self, bytes: &[u8], writer: &mut Writer<WriteHalf>) -> Result<(), Broken> {
        self.journal.data(Flow::Output, bytes);
        if let Some(lookout) = &mut self.lookout {
            self.passed.clear();
            if let Some(found) = lookout.take(bytes, &mut self.passed) {
                self.announced(&found);
            }
            if self.lookout.as_ref().is_some_and(Lookout::is_done) {
                self.lookout = None;
            }
            writer.data(&self.passed).await?;
        } else {
            writer.data(bytes).await?;
        }
        if !writer.holds() {
            self.journal.wake();
        }
        Ok(())
    }

    /// The stream turned out to be one of HTTP+SSE.
    fn announced(&mut self, found: &Announced) {
        let mut belongs = Belongs { session: session(&found.target), peer: None };
        self.journal.learn(|channel| {
            channel.transport = Transport::HttpSse;
            channel.session = Some(belongs.session.clone());
            belongs.peer.clone_from(&channel.peer);
        });
        if let Some(told) = &found.told {
            self.journal.changed("endpoint", told);
        } else if found.is_foreign {
            self.journal.changed("endpoint", "left as it is: it leads to another origin, past midwire");
        }
        self.known = Some(Endpoints::announce(&self.tap.endpoints, &found.target, belongs));
    }

    /// The response ended in order.
    async fn end(&mut self, trailers: &[u8], writer: &mut Writer<WriteHalf>) -> End {
        self.journal.ended(Flow::Output);
        let passed = match self.lookout.take() {
            Some(mut lookout) => {
                self.passed.clear();
                lookout.finish(&mut self.passed);
                writer.data(&self.passed).await
            }
            None => Ok(()),
        };
        let passed = match passed {
            Ok(()) => writer.finish(trailers).await,
            broken => broken,
        };
        self.journal.wake();
        match passed {
            Ok(()) => End::Complete { closes: self.closes },
            Err(broken) => self.refused(broken),
        }
    }

    async fn switch(&self, writer: &mut Writer<WriteHalf>) -> End {
        match writer.flush().await {
            Ok(()) => End::Switched,
            Err(broken) => self.refused(broken),
        }
    }

    /// The client takes no more.
    fn refused(&self, broken: Broken) -> End {
        self.journal.undelivered(Flow::Output);
        End::Client(Some(broken))
    }
}
