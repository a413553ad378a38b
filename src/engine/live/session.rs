//! The thread that reads the recording that is open and answers what the window asks about it. Works
//! in slices of some milliseconds, so that an answer never waits for a large file.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::detail::{self, Outline};
use super::outbox::{Gone, Outbox};
use super::reading::{News, Reading};
use super::shown::Shown;
use super::slot::{Give, slot};
use super::tally::Tally;
use super::view::{Command, Event, Opened, RowKey, State, View};
use super::{handle, http, inspect, rows};
use crate::model::Entry;
use crate::trace::Trace;

/// How long one piece of work may take before commands are looked at.
const SLICE: Duration = Duration::from_millis(8);
/// How often the file of a live recording is looked at.
const LIVE: Duration = Duration::from_millis(25);
/// How often the file of another recording is.
const STILL: Duration = Duration::from_millis(250);
/// How often a search is asked for its hits.
const SEARCHING: Duration = Duration::from_millis(2);
/// How often the window is told how far things are, while it changes all the time.
const TELL: Duration = Duration::from_millis(33);
/// Rows in one answer at most.
const MOST_ROWS: u32 = 10_000;

/// Serves the window until it has gone.
pub(super) fn run(commands: &Receiver<Command>, out: &Outbox) {
    let (details, work) = slot();
    let inspect_out = out.clone();
    handle::spawn("inspect", out, move || inspect::run(&work, &inspect_out));
    let mut session =
        Session { out, details, wish: (View::Exchanges, String::new()), open: None, version: 0, openings: 0 };
    // It ends when the window goes: that is the only error there is.
    let _ = session.serve(commands);
}

struct Session<'a> {
    out: &'a Outbox,
    details: Give<Outline>,
    /// The view and the filter that the window asked for last, also while nothing is open.
    wish: (View, String),
    open: Option<Open>,
    /// Counts up for all recordings together, so that no old row is taken for a new one.
    version: u64,
    /// Counts the recordings opened.
    openings: u64,
}

/// The recording that is open and how it is shown.
struct Open {
    reading: Reading,
    shown: Shown,
    tally: Tally,
    /// The trace's count of moved rows, as last seen.
    reordered: u64,
    /// Something changed that the window has not been told.
    dirty: bool,
    /// The window was told last that no row matches.
    is_empty: bool,
    told: Instant,
    /// What went wrong last.
    failed: Option<String>,
    /// When the file was last looked at.
    polled: Instant,
}

impl Session<'_> {
    fn serve(&mut self, commands: &Receiver<Command>) -> Result<(), Gone> {
        loop {
            match commands.recv_timeout(self.patience()) {
                Ok(command) => {
                    self.obey(command)?;
                    while let Ok(command) = commands.try_recv() {
                        self.obey(command)?;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Gone),
            }
            if self.out.stopped() {
                return Err(Gone);
            }
            self.work()?;
            self.tell()?;
        }
    }

    /// How long there is nothing to do unless a command comes.
    fn patience(&self) -> Duration {
        let Some(open) = &self.open else { return Duration::from_secs(1) };
        if open.reading.is_behind() || open.shown.is_busy(&open.reading.trace) {
            return Duration::ZERO;
        }
        let rest = if open.shown.is_searching() {
            SEARCHING
        } else if open.reading.live {
            LIVE
        } else {
            STILL
        };
        if open.dirty { rest.min(TELL.saturating_sub(open.told.elapsed())) } else { rest }
    }

    fn obey(&mut self, command: Command) -> Result<(), Gone> {
        match command {
            Command::Open(path) => self.open(path),
            Command::Close => {
                self.open = None;
                Ok(())
            }
            Command::Show { view, filter } => {
                self.wish = (view, filter);
                self.show()
            }
            Command::Rows { first, count } => self.rows(first, count),
            Command::Inspect(key) => {
                self.inspect(key);
                Ok(())
            }
            Command::Locate(key) => {
                let index = self.open.as_ref().and_then(|open| open.shown.index(&open.reading.trace, key));
                self.out.post(Event::Located { key, index })
            }
            // Other threads have these.
            Command::Rescan
            | Command::Delete(_)
            | Command::StartTap(_)
            | Command::StopTap(_)
            | Command::Client(_)
            | Command::Server(_) => Ok(()),
        }
    }

    fn open(&mut self, path: PathBuf) -> Result<(), Gone> {
        self.open = None;
        let (reading, warning) = match Reading::open(&path) {
            Ok(opened) => opened,
            Err(why) => return self.out.post(Event::OpenFailed { path, why }),
        };
        self.openings += 1;
        let opened = Opened { path, facts: reading.facts.clone(), warning };
        self.out.post(Event::Opened(Arc::new(opened)))?;
        let now = Instant::now();
        let shown = Shown::new(self.wish.0, &self.wish.1, reading.facts.started);
        let tally = Tally::default();
        self.open = Some(Open {
            reading,
            shown,
            tally,
            reordered: 0,
            dirty: true,
            is_empty: true,
            told: now,
            failed: None,
            polled: now,
        });
        // The first rows are there before the window can ask for them.
        self.work()?;
        self.state()
    }

    fn show(&mut self) -> Result<(), Gone> {
        let Some(open) = &mut self.open else { return Ok(()) };
        open.shown = Shown::new(self.wish.0, &self.wish.1, open.reading.facts.started);
        open.shown.apply(&open.reading.path, open.reading.read(), self.out);
        self.work()?;
        self.state()
    }

    fn rows(&mut self, first: u64, count: u32) -> Result<(), Gone> {
        let Some(open) = &self.open else { return Ok(()) };
        let Open { reading, shown, .. } = open;
        let trace = &reading.trace;
        let view = shown.view;
        let keys =
            (first..first.saturating_add(count.min(MOST_ROWS).into())).map_while(|index| shown.key(trace, index));
        let mut head = |seq| reading.head(seq);
        let rows = keys.filter_map(|key| rows::row(trace, view, key, &mut head)).collect();
        self.out.post(Event::Rows { version: self.version, first, rows })
    }

    fn inspect(&mut self, key: RowKey) {
        let Some(open) = &self.open else { return };
        let reading = &open.reading;
        let mut head = |seq| reading.head(seq);
        let trace = &reading.trace;
        let outline = detail::outline(trace, open.shown.view, key, reading.path.clone(), self.version, &mut head);
        if let Some(outline) = outline {
            let channel = detail::channel(trace, key);
            let http = channel.and_then(|channel| http::outline(trace, channel, reading.facts.url.as_deref()));
            self.details.give(Outline { opening: self.openings, http, ..outline });
        }
    }

    /// One slice of everything that is to be done.
    fn work(&mut self) -> Result<(), Gone> {
        let Some(open) = &mut self.open else { return Ok(()) };
        let (news, failures) = open.work();
        for sentence in failures {
            // What fails again and again is said once.
            if open.failed.as_ref() == Some(&sentence) {
                continue;
            }
            open.failed = Some(sentence.clone());
            self.out.post(Event::Notice(sentence))?;
        }
        let name = open.reading.path.file_name().unwrap_or_default().display().to_string();
        match news {
            News::Nothing | News::Changed => Ok(()),
            News::Gone => self.out.post(Event::Notice(format!(
                "{name} was deleted or moved. What was read of it stays here until another recording is opened."
            ))),
            News::Replaced => {
                let path = open.reading.path.clone();
                self.out.post(Event::Notice(format!("{name} was replaced by another file, which is shown now.")))?;
                self.open(path)
            }
        }
    }

    /// Tells the window how far things are, when that has changed and not too often.
    fn tell(&mut self) -> Result<(), Gone> {
        match &self.open {
            Some(open) if open.dirty && (open.told.elapsed() >= TELL || open.is_urgent()) => self.state(),
            _ => Ok(()),
        }
    }

    fn state(&mut self) -> Result<(), Gone> {
        let Some(open) = &mut self.open else { return Ok(()) };
        self.version += 1;
        open.dirty = !self.out.offer(Event::State(open.state(self.version)))?;
        open.told = Instant::now();
        Ok(())
    }
}

impl Open {
    /// Follows the file, reads on, filters on: a slice of each.
    fn work(&mut self) -> (News, Vec<String>) {
        let Self { reading, shown, tally, .. } = self;
        let mut failures = Vec::new();
        let mut changed = false;
        let mut news = News::Nothing;
        if self.polled.elapsed() >= if reading.live { LIVE / 2 } else { STILL } {
            self.polled = Instant::now();
            news = reading.poll();
            changed = news != News::Nothing;
        }
        let behind = reading.is_behind();
        let mut seen = |trace: &Trace, entry: &Entry| {
            changed = true;
            tally.entry(trace, entry.seq);
            shown.entry(trace, entry);
        };
        if news == News::Changed {
            reading.amend(&mut seen);
        }
        if behind && let Err(sentence) = reading.advance(Instant::now() + SLICE, &mut seen) {
            failures.push(sentence);
        }
        reading.conclude();
        if behind && !reading.is_behind() {
            failures.extend(reading.warning());
        }
        if self.reordered != reading.trace.reordered() {
            self.reordered = reading.trace.reordered();
            shown.moved();
        }
        for index in reading.trace.take_touched() {
            changed = true;
            tally.count(&reading.trace, index);
            shown.exchange(&reading.trace, index);
        }
        for index in reading.trace.take_touched_https() {
            changed = true;
            tally.http(&reading.trace, index);
            shown.http(&reading.trace, index);
        }
        match shown.advance(&reading.trace, Instant::now() + SLICE) {
            Ok(more) => changed |= more,
            Err(sentence) => failures.push(sentence),
        }
        self.dirty |= changed;
        (news, failures)
    }

    /// Whether the window shows an empty table although there is a first row for it.
    fn is_urgent(&self) -> bool {
        self.is_empty && self.shown.len(&self.reading.trace) > 0
    }

    fn state(&mut self, version: u64) -> State {
        self.is_empty = self.shown.len(&self.reading.trace) == 0;
        let Self { reading, shown, tally, .. } = self;
        let trace = &reading.trace;
        State {
            version,
            live: reading.live,
            entries: reading.entries,
            read: trace.notes().len() as u64,
            lost: reading.facts.lost,
            total: shown.total(trace).into(),
            matching: shown.len(trace),
            filtered: shown.done(trace),
            filter_error: shown.error.clone(),
            errors: tally.errors,
            pending: tally.pending,
            open: tally.open,
            bytes: reading.bytes,
            methods: tally.methods(trace),
            tools: tally.tools(trace),
            sessions: tally.sessions(trace),
        }
    }
}
