//! The thread that writes what was seen. Traffic never waits for a disk that fails: then the
//! loss is counted, said once on stderr, written down as soon as there is room again.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use super::book::Book;
use super::draft::Draft;
use super::drafter::Drafter;
use super::queue::{Batch, Queue, Stream, Waited};
use crate::engine::paths;
use crate::model::{Channel, Nanos, Recording, Transport};
use crate::store::{StoreError, Writer};

/// Says something to the person at the host.
pub type Say = Arc<dyn Fn(&str) + Send + Sync>;

/// How much may lie in the queue, in bytes.
pub const ROOM: usize = 4 << 20;
/// While the recording fails, so much is kept for a next try before entries are given up.
const HELD: usize = ROOM / 2;
/// How long the recorder gathers before it writes: a commit for each message would cost the two who
/// talk more than it gives who watches.
const GATHER: Duration = Duration::from_millis(2);
/// With so much there, it writes at once.
const PLENTY: usize = 256 * 1024;
/// How long after a failure it tries again, at the least.
const RETRY: Nanos = 1_000_000_000;
/// A try that took long (somebody holds the file) is not made again before so many times as long:
/// while it lasts the queue fills, and traffic would wait.
const RESPITE: Nanos = 10;
/// How far a file's name may be from when it began, because others of that name are there.
const NAMES: Nanos = 60_000_000_000;
/// Failures are told of at most this often.
const QUIET: Nanos = 60_000_000_000;

/// What the recorder needs to know.
#[derive(Debug)]
pub struct Plan {
    /// The folder for the recording, or why there is none.
    pub folder: Result<PathBuf, String>,
    /// The facts about it.
    pub facts: Recording,
    /// How many bytes of one entry are kept.
    pub max_entry: u64,
    /// Whether secrets in HTTP heads and in bodies of OAuth are recorded; otherwise they are masked.
    pub keep_secrets: bool,
}

/// Starts the recorder's thread; it ends when the queue is closed. `plan` is made on that thread, so
/// that it costs the server's start nothing.
pub fn start(
    queue: Arc<Queue>,
    plan: impl FnOnce() -> Plan + Send + 'static,
    say: Say,
) -> std::io::Result<JoinHandle<()>> {
    start_and_name(queue, plan, say, |_| {})
}

/// The same, and tells once, when the recording can be opened, which file it is.
pub fn start_and_name(
    queue: Arc<Queue>,
    plan: impl FnOnce() -> Plan + Send + 'static,
    say: Say,
    made: impl FnOnce(PathBuf) + Send + 'static,
) -> std::io::Result<JoinHandle<()>> {
    let work = move || {
        let _closes = Closes(Arc::clone(&queue));
        let mut recorder = Recorder::new(queue, plan(), say);
        recorder.made = Some(Box::new(made));
        recorder.run();
    };
    std::thread::Builder::new().name("recorder".to_owned()).spawn(work)
}

/// Closes the queue when the recorder is gone, even by a panic: nobody may wait for it then.
struct Closes(Arc<Queue>);

impl Drop for Closes {
    fn drop(&mut self) {
        self.0.close();
    }
}

struct Recorder {
    queue: Arc<Queue>,
    plan: Plan,
    say: Say,
    writer: Option<Writer>,
    book: Book,
    drafter: Drafter,
    batch: Batch,
    draft: Draft,
    trouble: Option<Trouble>,
    told: Option<Nanos>,
    /// Who is to be told which file it is.
    made: Option<Box<dyn FnOnce(PathBuf)>>,
}

/// The recording cannot be written.
struct Trouble {
    why: String,
    retry: Nanos,
    lost_before: u64,
    was_told: bool,
}

impl Recorder {
    fn new(queue: Arc<Queue>, plan: Plan, say: Say) -> Self {
        let place = if plan.facts.transport == Transport::Stdio { Stream::STDIO } else { Stream::WHOLE };
        Self {
            drafter: Drafter::new(plan.max_entry, plan.keep_secrets),
            queue,
            plan,
            say,
            writer: None,
            book: Book::new(place),
            batch: Batch::default(),
            draft: Draft::default(),
            trouble: None,
            told: None,
            made: None,
        }
    }

    fn run(mut self) {
        // An empty recording is there as soon as the server runs, not with its first message.
        self.write();
        while self.wait() != Waited::Closed {
            self.advance();
        }
        // What is left of the batch in hand comes first: the next one would take the place of its bytes.
        loop {
            while !self.batch.items.is_empty() {
                self.advance_to_end();
            }
            if !self.queue.take(&mut self.batch) {
                break;
            }
        }
        self.drafter.finish(self.queue.now(), &mut self.draft);
        self.advance_to_end();
        self.close();
    }

    /// Waits for something to do.
    fn wait(&mut self) -> Waited {
        if let Some(trouble) = &self.trouble {
            let left = trouble.retry - self.queue.now();
            return self.queue.wait(HELD, Some(nanos(left)));
        }
        if !self.batch.items.is_empty() {
            return Waited::Filled;
        }
        let pause = self.drafter.pauses_at().map(|at| nanos(at - self.queue.now()));
        match self.queue.wait(1, pause) {
            Waited::Filled => match self.queue.wait(PLENTY, Some(GATHER)) {
                Waited::Closed => Waited::Closed,
                _ => Waited::Filled,
            },
            other => other,
        }
    }

    /// Does what there is to do.
    fn advance(&mut self) {
        let now = self.queue.now();
        if let Some(trouble) = &self.trouble {
            if now < trouble.retry {
                // The queue fills up, so something must go: the oldest.
                let why = trouble.why.clone();
                self.book.lose(&self.draft, &why);
                self.draft.clear();
            }
            if now >= trouble.retry && !self.draft.steps.is_empty() {
                return self.write();
            }
        }
        if self.batch.items.is_empty() {
            self.queue.take(&mut self.batch);
        }
        self.drafter.feed(&mut self.batch, &mut self.draft);
        self.drafter.paused(now, &mut self.draft);
        if self.trouble.as_ref().is_none_or(|trouble| now >= trouble.retry) {
            self.write();
        }
    }

    /// The same when no time is left to try again later.
    fn advance_to_end(&mut self) {
        self.drafter.feed(&mut self.batch, &mut self.draft);
        self.write();
        if let Some(trouble) = &self.trouble {
            let why = trouble.why.clone();
            self.book.lose(&self.draft, &why);
            self.draft.clear();
        }
    }

    fn write(&mut self) {
        let began = self.queue.now();
        match self.try_to_write() {
            Ok(()) => {
                self.draft.clear();
                self.recovered();
            }
            Err(why) => self.failed(why, began),
        }
    }

    fn try_to_write(&mut self) -> Result<(), String> {
        if self.writer.is_none() {
            self.writer = Some(self.create()?);
        }
        match &mut self.writer {
            Some(_) if self.draft.steps.is_empty() => Ok(()),
            Some(writer) => self.book.write(writer, &self.draft).map_err(|error| error.to_string()),
            None => Ok(()),
        }
    }

    fn create(&mut self) -> Result<Writer, String> {
        let Plan { folder, facts, .. } = &self.plan;
        let folder = folder.as_ref().map_err(Clone::clone)?;
        paths::make(folder).map_err(|error| error.to_string())?;
        // Another tap of this process may have begun in the same second: the file is its, and the next
        // second's name is taken.
        let mut started = facts.started;
        loop {
            let path = folder.join(paths::file_name(started, &facts.name, facts.recorder));
            match set_up(&path, facts) {
                Err(StoreError::Exists { .. }) if started - facts.started < NAMES => started += 1_000_000_000,
                Err(error @ StoreError::Exists { .. }) => return Err(error.to_string()),
                Err(error) => {
                    // A file that is only half made must not stand in the way of the next try.
                    let _ = std::fs::remove_file(&path);
                    return Err(error.to_string());
                }
                Ok(writer) => {
                    if let Some(made) = self.made.take() {
                        made(path);
                    }
                    return Ok(writer);
                }
            }
        }
    }

    fn failed(&mut self, why: String, began: Nanos) {
        let now = self.queue.now();
        let mut was_told = self.trouble.as_ref().is_some_and(|trouble| trouble.was_told);
        let lost_before = self.trouble.as_ref().map_or(self.book.lost(), |trouble| trouble.lost_before);
        if !was_told && self.told.is_none_or(|told| now - told >= QUIET) {
            (self.say)(&format!("failed to {why}\ntraffic goes on; what cannot be recorded is counted"));
            self.told = Some(now);
            was_told = true;
        }
        let respite = RETRY.max(now.saturating_sub(began).saturating_mul(RESPITE));
        self.trouble = Some(Trouble { why, retry: now.saturating_add(respite), lost_before, was_told });
    }

    fn recovered(&mut self) {
        let Some(trouble) = self.trouble.take() else { return };
        if trouble.was_told {
            (self.say)(&format!("recording goes on; entries lost: {}", self.book.lost() - trouble.lost_before));
        }
    }

    fn close(mut self) {
        let (ended, lost) = (self.queue.now(), self.book.lost());
        if lost > 0 {
            (self.say)(&format!("the recording is incomplete; entries lost: {lost}"));
        }
        if let Some(writer) = self.writer.take()
            && let Err(error) = writer.close(ended, lost)
        {
            (self.say)(&format!("failed to {error}"));
        }
    }
}

/// Makes the file, with the one channel of a recording on stdio.
fn set_up(path: &Path, facts: &Recording) -> Result<Writer, StoreError> {
    let mut writer = Writer::create(path, facts)?;
    if facts.transport == Transport::Stdio {
        writer.begin()?;
        writer.channel(&Channel::stdio(Stream::STDIO))?;
        writer.commit()?;
    }
    Ok(writer)
}

/// A span that may have passed already.
fn nanos(span: Nanos) -> Duration {
    Duration::from_nanos(u64::try_from(span).unwrap_or(0))
}
