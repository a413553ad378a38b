//! The thread that watches the folder of recordings: which there are, which are live, how many entries
//! they hold. Who speaks in them is read by `identify`; the one that is open is read by `session`.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::time::{Duration, Instant, SystemTime};

use super::alive;
use super::identify::{self, Job, Summary};
use super::outbox::{Gone, Outbox};
use super::stamp::Stamp;
use super::view::{Command, Event, Listing};
use crate::model::Recording;
use crate::store::{self, Reader};

/// How often the folder and the live recordings are looked at.
const TICK: Duration = Duration::from_millis(100);
/// How often every file is looked at even though the folder seems unchanged.
const SWEEP: Duration = Duration::from_secs(2);
/// How long the list may be built before what is known of it is shown.
const SLICE: Duration = Duration::from_millis(100);
/// How often a live recording that grows is read for who speaks in it.
const REREAD: Duration = Duration::from_secs(1);
/// A file younger than this that cannot be read is one that a recorder is just creating.
const YOUNG: Duration = Duration::from_secs(1);
/// Files that `identify` may have before it.
const JOBS: usize = 64;

/// Watches `folder` until the window has gone.
pub(super) fn run(folder: PathBuf, commands: &Receiver<Command>, out: &Outbox) {
    let (jobs, queue) = sync_channel(JOBS);
    let (done, summaries) = sync_channel(JOBS);
    let reader_out = out.clone();
    super::handle::spawn("identify", out, move || identify::run(&queue, &done, &reader_out));
    let mut watch =
        Watch { folder, known: HashMap::new(), jobs, sent: None, dirty: true, listed: None, settled: false };
    loop {
        let complete = watch.tick(&summaries);
        if watch.tell(out).is_err() || out.stopped() {
            return;
        }
        // While the first long list is being read there is no time to sleep.
        let wait = if complete { TICK } else { Duration::ZERO };
        match commands.recv_timeout(wait) {
            Ok(Command::Rescan) => watch.forget(),
            Ok(Command::Delete(path)) => {
                if watch.delete(&path, out).is_err() {
                    return;
                }
            }
            Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

struct Watch {
    folder: PathBuf,
    known: HashMap<PathBuf, Known>,
    jobs: SyncSender<Job>,
    /// The list as the window has it.
    sent: Option<Vec<Listing>>,
    /// Something may have changed since; a thousand lines are not compared for nothing.
    dirty: bool,
    /// When every file was last looked at, and the folder's time of change then.
    listed: Option<(Instant, Option<SystemTime>)>,
    /// Whether the folder was the same in two listings: its time of change is coarse, so a file that
    /// came within the same instant would be missed otherwise.
    settled: bool,
}

/// What is known of one file.
struct Known {
    stamp: Stamp,
    /// Whether the file must be opened to bring `listing` up to date.
    stale: bool,
    /// `None` until the file has been opened.
    listing: Option<Listing>,
    /// Kept open while the recording is live.
    reader: Option<Reader>,
    /// The state of the file that was handed to `identify`, and when.
    asked: Option<(Stamp, Instant)>,
}

impl Watch {
    /// Looks once; `false` when files remain to be opened.
    fn tick(&mut self, summaries: &Receiver<(Job, Summary)>) -> bool {
        let changed = std::fs::metadata(&self.folder).and_then(|folder| folder.modified()).ok();
        let due = self.listed.is_none_or(|(when, then)| then != changed || when.elapsed() >= SWEEP);
        if due || !self.settled {
            self.settled = self.listed.is_some_and(|(_, then)| then == changed);
            self.listed = Some((Instant::now(), changed));
            self.list();
        }
        let complete = self.open_new();
        for known in self.known.values_mut() {
            self.dirty |= known.follow();
        }
        while let Ok((job, summary)) = summaries.try_recv() {
            self.learn(&job, summary);
        }
        self.identify();
        complete
    }

    /// Brings the table of files up to date with the folder.
    fn list(&mut self) {
        let mut found = HashMap::new();
        let Ok(entries) = std::fs::read_dir(&self.folder) else {
            self.dirty |= !self.known.is_empty();
            return self.known.clear();
        };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.extension() == Some(OsStr::new("midwire"))
                && let Some(stamp) = Stamp::of(&path)
            {
                found.insert(path, stamp);
            }
        }
        let before = self.known.len();
        self.known.retain(|path, _| found.contains_key(path));
        self.dirty |= before != self.known.len();
        for (path, stamp) in found {
            match self.known.get_mut(&path) {
                Some(known) if known.reader.is_some() && known.stamp.same_file(&stamp) => {}
                Some(known) if known.stamp == stamp => {}
                Some(known) => (known.stamp, known.stale, known.reader) = (stamp, true, None),
                None => {
                    let known = Known { stamp, stale: true, listing: None, reader: None, asked: None };
                    self.known.insert(path, known);
                }
            }
        }
    }

    /// Opens files that have not been opened yet, newest first, for as long as a slice lasts.
    fn open_new(&mut self) -> bool {
        let begun = Instant::now();
        let mut fresh: Vec<(&PathBuf, &mut Known)> = self.known.iter_mut().filter(|(_, known)| known.stale).collect();
        fresh.sort_by_key(|(_, known)| std::cmp::Reverse(known.stamp.modified));
        for (path, known) in fresh {
            if begun.elapsed() > SLICE {
                return false;
            }
            known.open(path);
            self.dirty = true;
        }
        true
    }

    fn learn(&mut self, job: &Job, summary: Summary) {
        if let Some(known) = self.known.get_mut(&job.path)
            && let Some(listing) = &mut known.listing
        {
            summary.tell(listing);
            self.dirty = true;
        }
    }

    /// Hands files whose state is not known yet to `identify`: live ones first, then the newest.
    fn identify(&mut self) {
        let mut due: Vec<(&PathBuf, &mut Known)> =
            self.known.iter_mut().filter(|(_, known)| known.wants_summary()).collect();
        due.sort_by_key(|(_, known)| std::cmp::Reverse((known.reader.is_some(), known.stamp.modified)));
        for (path, known) in due {
            let job = Job { path: path.clone(), live: known.reader.is_some(), bytes: known.stamp.bytes };
            match self.jobs.try_send(job) {
                Ok(()) => known.asked = Some((known.stamp, Instant::now())),
                Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => return,
            }
        }
    }

    /// Sends the list when it differs from the one that the window has.
    fn tell(&mut self, out: &Outbox) -> Result<(), Gone> {
        if !self.dirty {
            return Ok(());
        }
        let mut list: Vec<Listing> = self.known.values().filter_map(|known| known.listing.clone()).collect();
        list.sort_by(|a, b| order(b).cmp(&order(a)));
        self.dirty = false;
        if self.sent.as_ref() == Some(&list) {
            return Ok(());
        }
        if out.offer(Event::Recordings { folder: self.folder.clone(), list: list.clone() })? {
            self.sent = Some(list);
        } else {
            self.dirty = true;
        }
        Ok(())
    }

    /// Reads every file anew; what is known stays in the list until then.
    fn forget(&mut self) {
        for known in self.known.values_mut() {
            (known.stale, known.asked, known.reader) = (true, None, None);
        }
        self.listed = None;
        self.sent = None;
        self.dirty = true;
    }

    fn delete(&mut self, path: &Path, out: &Outbox) -> Result<(), Gone> {
        let live = match self.known.get(path) {
            Some(known) => known.listing.as_ref().is_some_and(|listing| listing.live),
            None => Reader::open(path).is_ok_and(|reader| reader.recording().is_ok_and(|facts| is_live(&facts))),
        };
        let name = path.file_name().unwrap_or(path.as_os_str()).display();
        if live {
            return out.post(Event::Notice(format!(
                "{name} was not deleted: it is being recorded. End its server first, then delete it."
            )));
        }
        if let Err(error) = super::listings::remove(path) {
            return out.post(Event::Notice(format!("{name} was not deleted: {error}")));
        }
        self.known.remove(path);
        self.dirty = true;
        Ok(())
    }
}

/// The recordings of a folder as they are now, in the order of the list, with all that is known of
/// them: the list without a thread that watches.
pub(super) fn once(folder: &Path) -> std::io::Result<Vec<Listing>> {
    let mut list = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension() == Some(OsStr::new("midwire")) {
            list.extend(listing(&path));
        }
    }
    list.sort_by(|a, b| order(b).cmp(&order(a)));
    Ok(list)
}

/// What is known of one recording; `None` when it is gone or a recorder is just creating it.
pub(super) fn listing(path: &Path) -> Option<Listing> {
    let mut known = Known { stamp: Stamp::of(path)?, stale: true, listing: None, reader: None, asked: None };
    known.open(path);
    let mut listing = known.listing?;
    if listing.facts.is_ok() {
        let job = Job { path: path.to_owned(), live: listing.live, bytes: listing.bytes };
        identify::summary(&job).unwrap_or_default().tell(&mut listing);
    }
    Some(listing)
}

/// Live ones first, then by start; files that cannot be read stand last, by their time of change.
fn order(listing: &Listing) -> (bool, bool, i64, &Path) {
    let started = listing.facts.as_ref().map_or(0, |facts| facts.started);
    (listing.live, listing.facts.is_ok(), started, &listing.path)
}

/// Opens a recording and reads what its line in the list says.
fn read(path: &Path) -> Result<(Reader, Recording, u64), String> {
    let reader = Reader::open(path).map_err(|error| format!("failed to {error}"))?;
    let facts = reader.recording().map_err(|error| format!("failed to {error}"))?;
    let entries = reader.count().map_err(|error| format!("failed to {error}"))?;
    Ok((reader, facts, entries))
}

/// Whether the recorder of a recording is still at work.
pub(in crate::engine) fn is_live(facts: &Recording) -> bool {
    facts.ended.is_none() && alive::records(facts.recorder, facts.started)
}

impl Known {
    fn open(&mut self, path: &Path) {
        let fresh = Listing {
            path: path.to_owned(),
            facts: Err(String::new()),
            live: false,
            entries: 0,
            errors: None,
            client: None,
            server: None,
            revision: None,
            outcome: None,
            bytes: self.stamp.bytes,
        };
        // Who speaks in it stays in the list until it has been read again.
        let mut listing = self.listing.take().unwrap_or(fresh);
        (listing.live, listing.outcome, listing.bytes) = (false, None, self.stamp.bytes);
        match read(path) {
            Ok((reader, facts, entries)) => {
                listing.live = is_live(&facts);
                listing.entries = entries;
                if facts.ended.is_none() && !listing.live {
                    listing.outcome = Some(INTERRUPTED.to_owned());
                }
                listing.facts = Ok(facts);
                self.reader = listing.live.then_some(reader);
                if !listing.live {
                    // So that the one file can be mailed. Where it cannot be written it stays as it
                    // is, which is read just as well.
                    let _ = store::settle(path);
                }
            }
            Err(_) if self.stamp.age() < YOUNG => return,
            Err(why) => listing.facts = Err(why),
        }
        self.stale = false;
        self.listing = Some(listing);
    }

    /// Brings a live recording up to date, and lets go of one that has ended; `true` when something
    /// has changed.
    fn follow(&mut self) -> bool {
        let (Some(reader), Some(listing)) = (&mut self.reader, &mut self.listing) else { return false };
        let changed = reader.changed();
        if changed {
            // A read that fails is tried again at the next change; the file itself is looked at anew
            // by the sweep.
            if let (Ok(facts), Ok(entries)) = (reader.recording(), reader.count()) {
                (listing.facts, listing.entries) = (Ok(facts), entries);
            }
            if let Some(stamp) = Stamp::of(&listing.path) {
                self.stamp = stamp;
                listing.bytes = stamp.bytes;
            }
        }
        let Ok(facts) = &listing.facts else { return changed };
        if is_live(facts) {
            return changed;
        }
        listing.live = false;
        listing.outcome = facts.ended.is_none().then(|| INTERRUPTED.to_owned());
        self.reader = None;
        self.asked = None;
        true
    }

    fn wants_summary(&self) -> bool {
        self.listing.as_ref().is_some_and(|listing| listing.facts.is_ok())
            && self
                .asked
                .is_none_or(|(stamp, when)| stamp != self.stamp && (self.reader.is_none() || when.elapsed() >= REREAD))
    }
}

/// The outcome of a recording whose recorder was killed.
pub(super) const INTERRUPTED: &str = "interrupted";
