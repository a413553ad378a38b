//! The part that all transports have: a session of the client is opened, and what it tells until then becomes the
//! steps of era and version.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use super::{Chart, Fault, Verdict};
use crate::engine::client::{self, Happening, Options, Session};
use crate::engine::record::Say;
use crate::peer::client::{Attempt, Bytes, Order, Peer, State, Told};

/// So long a server may take to be opened, probes and all.
const PATIENCE: Duration = Duration::from_mins(2);
/// So many things of a kind are kept.
const MOST: usize = 20;

/// A session, and what was told until it was open.
pub(super) struct Opened {
    pub(super) session: Session,
    pub(super) told: Heard,
    news: Receiver<Happening>,
}

/// What was told.
#[derive(Debug, Default)]
pub(super) struct Heard {
    pub(super) peer: Option<Arc<Peer>>,
    pub(super) attempts: Vec<Attempt>,
    /// What was no message: how much, and the first of it.
    pub(super) strays: u64,
    pub(super) first_strays: Vec<(Bytes, String)>,
    /// Lines of stderr: how many, and the first of them.
    pub(super) noise: u64,
    pub(super) first_noise: Vec<String>,
    /// Why it is over.
    pub(super) over: Option<String>,
    is_late: bool,
}

/// Starts a session and waits until it is open or over. An error fits after "failed to".
pub(super) fn open(options: Options, say: Say) -> Result<Opened, String> {
    let (mail, news) = sync_channel(256);
    let tell = Arc::new(move |happening| drop(mail.send(happening)));
    let session = client::start(options, tell, say).map_err(|error| error.to_string())?;
    let mut opened = Opened { session, told: Heard::default(), news };
    opened.hear(PATIENCE, |told| told.peer.is_some() || told.over.is_some());
    opened.told.is_late = opened.told.peer.is_none() && opened.told.over.is_none();
    Ok(opened)
}

impl Opened {
    /// Takes what is told until `enough` is true, or for so long.
    pub(super) fn hear(&mut self, patience: Duration, enough: impl Fn(&Heard) -> bool) {
        let until = Instant::now() + patience;
        while !enough(&self.told) {
            match self.news.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(happening) => self.told.take(happening),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Ends it in order; how long that took.
    pub(super) fn close(mut self) -> (Heard, Duration) {
        let began = Instant::now();
        self.session.order(Order::Close);
        self.hear(Duration::from_secs(30), |told| told.over.is_some());
        let Self { session, told, news } = self;
        drop(news);
        session.stop();
        (told, began.elapsed())
    }
}

impl Heard {
    fn take(&mut self, happening: Happening) {
        match happening {
            Happening::Told(Told::State(State::Open(peer))) => self.peer = Some(peer),
            Happening::Told(Told::State(State::Closed { why, .. })) => self.over = Some(why),
            Happening::Told(Told::Attempt(attempt)) => self.attempts.push(attempt),
            Happening::Told(Told::Stray { bytes, why }) => {
                self.strays += 1;
                if self.first_strays.len() < MOST {
                    self.first_strays.push((bytes, why));
                }
            }
            Happening::Stderr(line) => {
                self.noise += 1;
                if self.first_noise.len() < MOST {
                    self.first_noise.push(line);
                }
            }
            _ => {}
        }
    }

    /// The steps of era and version; whether they are good.
    pub(super) fn chart(&self, chart: &mut Chart<'_>) -> bool {
        let way = self.attempts.iter().map(|attempt| format!("{}: {}", attempt.what, attempt.came));
        let way = way.collect::<Vec<_>>().join("; then ");
        if let Some(peer) = &self.peer {
            let found = if way.is_empty() { String::new() } else { format!(" ({way})") };
            chart.step("era", Verdict::Fine, format!("{}{found}", peer.era.word()), "");
            let supported = peer.supported.join(", ");
            let supported = if supported.is_empty() { String::new() } else { format!(", of {supported}") };
            let known = crate::model::Revision::KNOWN.contains(&peer.revision);
            let (verdict, remedy) = if known {
                (Verdict::Fine, "")
            } else {
                (Verdict::Odd, "this revision is not known; tell the server's author")
            };
            chart.aside("version", verdict, format!("{}{supported}{}", peer.revision, who(peer)), remedy);
            return true;
        }
        let why = match &self.over {
            Some(why) => why.clone(),
            None => format!("the server did not answer within {} s", PATIENCE.as_secs()),
        };
        let late = self.is_late || why.contains("no answer");
        let fault = if late { Fault::Late } else { Fault::Protocol };
        let detail = if way.is_empty() || way.contains(&why) { why } else { format!("{way}; {why}") };
        let remedy = "try --era legacy and --era modern, and look at the recording for what was said";
        chart.step("era", Verdict::Failed(fault), detail, remedy);
        chart.skip(&["version"], "there is no era to speak");
        false
    }
}

/// Who the server says it is.
fn who(peer: &Peer) -> String {
    let json = peer.identity.as_deref().and_then(|identity| crate::wire::Json::parse(identity).ok());
    let text = |name: &str| json.and_then(|json| json.get(name)).and_then(|text| text.text());
    match (text("name"), text("version")) {
        (Some(name), Some(version)) => format!(", {name} {version}"),
        (Some(name), None) => format!(", {name}"),
        _ => String::new(),
    }
}
