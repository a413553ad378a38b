//! The thread that reads who speaks in a recording, by which revision, and how it ended: all of a small
//! recording, beginning and end of a large one.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender};

use super::channels::Channels;
use super::outbox::Outbox;
use super::view::Listing;
use crate::model::{EntryKind, Lifecycle, Seq};
use crate::store::Reader;
use crate::trace::Trace;
use crate::wire::lifecycle;

/// A recording up to this many entries and bytes is read as a whole.
const SMALL: u64 = 10_000;
/// In bytes of the file.
const SMALL_BYTES: u64 = 64 << 20;
/// Entries read at the beginning and at the end of a larger one.
const SAMPLE: u64 = 300;

/// A recording to be read.
#[derive(Debug, Clone)]
pub(super) struct Job {
    /// Its file.
    pub(super) path: PathBuf,
    /// Whether it grows: then what was read is kept, and the next time goes on from there.
    pub(super) live: bool,
    /// Size of the file.
    pub(super) bytes: u64,
}

/// What was read.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Summary {
    errors: Option<u64>,
    client: Option<String>,
    server: Option<String>,
    revision: Option<String>,
    outcome: Option<String>,
}

impl Summary {
    /// Puts what was read into the line of the list. That a recorder was killed says more about a
    /// recording than how its server ended.
    pub(super) fn tell(self, listing: &mut Listing) {
        let interrupted = listing.facts.as_ref().is_ok_and(|facts| facts.ended.is_none()) && !listing.live;
        (listing.errors, listing.client, listing.server) = (self.errors, self.client, self.server);
        listing.revision = self.revision;
        if !interrupted {
            listing.outcome = self.outcome;
        }
    }
}

/// Reads recordings as they are asked for, until the window has gone.
pub(super) fn run(queue: &Receiver<Job>, done: &SyncSender<(Job, Summary)>, out: &Outbox) {
    let mut followed: HashMap<PathBuf, Followed> = HashMap::new();
    while let Ok(job) = queue.recv() {
        let summary = match followed.remove(&job.path).filter(|_| job.live) {
            Some(earlier) => earlier.read_on(),
            None => Followed::open(&job).and_then(Followed::read_on),
        };
        let summary = summary.map(|(read, summary)| {
            if job.live && read.small {
                followed.insert(job.path.clone(), read);
            }
            summary
        });
        // A file that cannot be read is told of by the watch.
        if out.stopped() || done.send((job, summary.unwrap_or_default())).is_err() {
            return;
        }
    }
}

/// What one recording says, read at once; `None` when it cannot be read.
pub(super) fn summary(job: &Job) -> Option<Summary> {
    Followed::open(job).and_then(Followed::read_on).map(|(_, summary)| summary)
}

/// A recording that was read so far.
struct Followed {
    reader: Reader,
    trace: Trace,
    channels: Channels,
    next: Seq,
    small: bool,
    outcome: Option<String>,
}

impl Followed {
    fn open(job: &Job) -> Option<Self> {
        let reader = Reader::open(Path::new(&job.path)).ok()?;
        let mut trace = Trace::new(reader.recording().ok()?.transport);
        let mut channels = Channels::default();
        channels.renew(&reader, &mut trace).ok()?;
        let small = reader.count().ok()? <= SMALL && job.bytes <= SMALL_BYTES;
        Some(Self { reader, trace, channels, next: 0, small, outcome: None })
    }

    fn read_on(mut self) -> Option<(Self, Summary)> {
        if self.small {
            self.read(u64::MAX)?;
            self.small = self.next <= SMALL;
            let errors = self.trace.exchanges().iter().filter(|exchange| exchange.status.is_error()).count();
            let summary = Summary { errors: Some(errors as u64), ..self.summary() };
            return Some((self, summary));
        }
        self.read(SAMPLE)?;
        let summary = self.summary();
        // The end is read for how the server ended only; it means nothing without what is before it.
        self.next = self.next.max(self.reader.last_seq().ok()?.saturating_sub(SAMPLE));
        self.read(u64::MAX)?;
        let outcome = self.outcome.take();
        Some((self, Summary { outcome, ..summary }))
    }

    fn read(&mut self, most: u64) -> Option<()> {
        let Self { reader, trace, channels, next, outcome, .. } = self;
        let mut left = most;
        let result = reader.scan(*next, &mut |entry| {
            *next = entry.seq + 1;
            if entry.kind == EntryKind::Lifecycle {
                *outcome = ending(&lifecycle::decode(entry.bytes)).or(outcome.take());
            }
            channels.meet(entry.channel, reader, trace);
            trace.record(&entry.to_entry());
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        trace.take_touched();
        trace.take_touched_https();
        result.ok()
    }

    fn summary(&self) -> Summary {
        let sessions = self.trace.sessions();
        let mut revisions: Vec<&str> = Vec::new();
        for session in sessions {
            let revision = &**self.trace.name(session.revision);
            if !revision.is_empty() && !revisions.contains(&revision) {
                revisions.push(revision);
            }
        }
        revisions.sort_unstable();
        Summary {
            errors: None,
            client: sessions.iter().rev().find_map(|session| session.client.as_ref()).map(ToString::to_string),
            server: sessions.iter().rev().find_map(|session| session.server.as_ref()).map(ToString::to_string),
            revision: (!revisions.is_empty()).then(|| revisions.join(" + ")),
            outcome: self.outcome.clone(),
        }
    }
}

/// How a server ended, in few words; `None` for events that are no end.
fn ending(event: &Lifecycle) -> Option<String> {
    match event {
        Lifecycle::Exited { code } => Some(format!("exited {code}")),
        Lifecycle::Signalled { signal } => Some(format!("killed by signal {signal}")),
        Lifecycle::SpawnFailed { .. } => Some("did not start".to_owned()),
        _ => None,
    }
}
