//! The link to a URL: `engine::remote` carries the client's messages, and gives each of the server's whole and as it was.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::{Receiver, channel};
use url::Url;

use super::link::{News, too_long, until};
use super::substitute::Sources;
use crate::engine::proxy::Options as ProxyOptions;
use crate::engine::proxy::plan::Outline;
use crate::engine::record::Queue;
use crate::engine::remote::{self, Carrier, Courier, Do, Line, Machine, Refusal};
use crate::model::Id;
use crate::peer::client::{Bytes, Refused, Told};
use crate::transport::http::{Connector, Proxies, Trust};

/// How long what was sent last, and the end of a session, may take to be heard by the server.
const FAREWELL: i64 = 1_000_000_000;

/// A link to a URL.
pub struct Remote {
    carrier: Carrier,
    queue: Arc<Queue>,
    heard: Receiver<remote::News>,
    /// Which message the next news is an answer to.
    answers: Option<u64>,
    opened: bool,
    finishing: bool,
    over: bool,
}

impl Remote {
    /// A link to `url`; `headers` go with each request, and are not recorded. An error fits after "failed to".
    pub fn new(
        url: &str,
        headers: &[(String, String)],
        trust: &Trust,
        sources: &Sources<'_>,
        queue: &Arc<Queue>,
    ) -> Result<Self, String> {
        let mut options = ProxyOptions::reverse(url);
        for (name, value) in headers {
            let filled = sources.fill(value).map_err(|why| format!("set the header {name}: failed to {why}"))?;
            options.headers.push((name.clone(), filled.value));
        }
        let outline = Outline::of(&options).map_err(|error| error.to_string())?;
        let site = outline.site.as_ref().ok_or("reach the server: there is no URL of it")?;
        let url = format!("{}{}", site.name, outline.path);
        let url = Url::parse(&url).map_err(|error| format!("use the URL {url:?}: {error}"))?;
        let connector = Connector::new(trust, Proxies::from_env()).map_err(|error| error.to_string())?;
        let (tells, heard) = channel(64);
        let courier = Arc::new(Courier::new(connector, Arc::clone(queue), outline.headers, tells));
        let carrier = Carrier::new(Machine::whole(url, FAREWELL), courier, Arc::clone(queue));
        Ok(Self {
            carrier,
            queue: Arc::clone(queue),
            heard,
            answers: None,
            opened: false,
            finishing: false,
            over: false,
        })
    }

    /// It stands at once: a connection is made for each request.
    pub fn open(&mut self) {
        self.opened = true;
    }

    /// Sends a message, or bytes as they are.
    pub fn send(&mut self, bytes: Bytes, fields: Vec<(String, String)>, raw: bool) {
        let now = self.queue.now();
        self.carrier.machine.send(now, Line::of(bytes, fields, raw));
    }

    /// Closes the stream that answers a request.
    pub fn drop_request(&mut self, id: &Id) {
        let now = self.queue.now();
        self.carrier.machine.let_go(now, id);
    }

    /// Breaks a stream.
    pub fn break_stream(&mut self, id: Option<&Id>) {
        let now = self.queue.now();
        self.carrier.machine.break_stream(now, id);
    }

    /// Begins the end: the session is taken leave of.
    pub fn finish(&mut self) {
        if !std::mem::replace(&mut self.finishing, true) {
            let now = self.queue.now();
            self.carrier.machine.finish_up(now);
        }
    }

    /// Ends it now.
    pub fn hurry(&mut self) {
        self.finish();
        let now = self.queue.now();
        self.carrier.machine.stop(now, true);
        self.carrier.machine.stop(now, true);
    }

    /// Whether nothing is left of it.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Waits for news.
    pub async fn next(&mut self) -> Option<News> {
        loop {
            if std::mem::take(&mut self.opened) {
                return Some(News::Opened);
            }
            while let Some(next) = self.carrier.next() {
                if let Some(news) = self.news(next) {
                    return Some(news);
                }
            }
            if self.over {
                return None;
            }
            let now = self.queue.now();
            let due: Option<Duration> = self.carrier.machine.wakes_at().map(|at| until(now, at));
            tokio::select! {
                Some(news) = self.heard.recv() => self.carrier.hear(news),
                () = tokio::time::sleep(due.unwrap_or_default()), if due.is_some() => {
                    let now = self.queue.now();
                    self.carrier.machine.passed(now);
                }
            }
        }
    }

    fn news(&mut self, next: Do) -> Option<News> {
        match next {
            Do::Print(mut line) => {
                // A line end of the machine's, since it serves hosts on stdio too.
                line.pop();
                Some(News::Frame(line, self.answers.take()))
            }
            Do::Answers(place) => {
                self.answers = Some(place);
                None
            }
            Do::Refused(id, refusal) => {
                Some(News::Refused(id.into_iter().collect(), refused(refusal), self.answers.take()))
            }
            Do::Damaged(start, size) => Some(News::Told(too_long(&start, size))),
            Do::Say(text) => Some(News::Told(Told::Link(text))),
            Do::Finish => {
                self.over = true;
                None
            }
            // The carrier does the others.
            _ => None,
        }
    }
}

fn refused(refusal: Refusal) -> Refused {
    let Refusal { status, why, body, challenge } = refusal;
    Refused { status, why, body: body.into(), challenge }
}
