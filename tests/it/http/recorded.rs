//! What an HTTP tap recorded, read from disk with the store and laid out by request.

use std::fs;
use std::path::{Path, PathBuf};

use midwire::model::{Channel, ChannelId, Entry, EntryKind, Flags, HttpEnd, Lifecycle, Recording, Side};
use midwire::store::Reader;
use midwire::trace::Trace;
use midwire::wire::lifecycle;

/// One recording.
pub struct Recorded {
    /// Its facts.
    pub facts: Recording,
    /// Its channels: one for each request.
    pub channels: Vec<Channel>,
    /// Its entries.
    pub entries: Vec<Entry>,
    /// What was understood of them.
    pub trace: Trace,
    /// Its file.
    pub path: PathBuf,
    /// The folder that the file lies in, where it would be removed otherwise.
    pub folder: Option<tempfile::TempDir>,
}

/// One request with its response, as recorded.
#[derive(Debug, Default)]
pub struct Asked {
    /// The request's head.
    pub request: String,
    /// The request's body.
    pub sent: Vec<u8>,
    /// Informational heads.
    pub informed: Vec<String>,
    /// The response's head.
    pub response: String,
    /// The response's body.
    pub body: Vec<u8>,
    /// The response's events, raw.
    pub events: Vec<String>,
    /// Trailers of the response.
    pub trailers: String,
    /// What was changed on the way, and into what.
    pub changed: Vec<(String, String)>,
    /// How it ended, where an entry says so.
    pub ended: Option<(HttpEnd, String)>,
    /// Whether the response ended in order.
    pub complete: bool,
    /// Its entries.
    pub entries: Vec<Entry>,
}

impl Recorded {
    /// Reads the one recording of a folder.
    pub fn read(folder: &Path) -> Self {
        Self::peek(folder).expect("one recording that opens")
    }

    /// The same while its tap runs; `None` while it is not there.
    pub fn peek(folder: &Path) -> Option<Self> {
        let files = fs::read_dir(folder).ok()?.map(|entry| entry.expect("an entry").path());
        let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|end| end == "midwire")).collect();
        assert!(files.len() <= 1, "one recording: {files:?}");
        Self::open(&files.pop()?)
    }

    /// Reads a file.
    pub fn open(path: &Path) -> Option<Self> {
        let reader = Reader::open(path).ok()?;
        let facts = reader.recording().ok()?;
        let entries = reader.page(1, usize::MAX).expect("has entries");
        let channels = reader.channels().expect("has channels");
        let order = entries.iter().map(|entry| entry.seq);
        assert!(order.eq(1..=entries.len() as u64), "numbers without holes");
        assert!(entries.iter().all(|entry| entry.at <= entry.until), "an entry ends before it begins");
        let mut trace = Trace::new(facts.transport);
        channels.iter().cloned().for_each(|channel| trace.open_channel(channel));
        entries.iter().for_each(|entry| trace.record(entry));
        Some(Self { facts, channels, entries, trace, path: path.to_owned(), folder: None })
    }

    /// The requests, in the order in which they came.
    pub fn asked(&self) -> Vec<Asked> {
        let mut ids: Vec<ChannelId> = Vec::new();
        for entry in self.entries.iter().filter(|entry| entry.kind == EntryKind::Head) {
            if !ids.contains(&entry.channel) {
                ids.push(entry.channel);
            }
        }
        ids.into_iter().map(|id| Asked::of(self.entries.iter().filter(|entry| entry.channel == id))).collect()
    }

    /// The one request.
    pub fn one(&self) -> Asked {
        let mut asked = self.asked();
        assert_eq!(asked.len(), 1, "one request: {asked:?}");
        asked.remove(0)
    }

    /// The whole file and what SQLite keeps beside it, to look for what must not be in it.
    pub fn bytes(&self) -> Vec<u8> {
        let beside = ["-wal", "-shm"].map(|end| PathBuf::from(format!("{}{end}", self.path.display())));
        let paths = std::iter::once(&self.path).chain(&beside);
        paths.flat_map(|path| fs::read(path).unwrap_or_default()).collect()
    }

    /// Whether the file holds these bytes anywhere.
    pub fn holds(&self, text: &str) -> bool {
        self.bytes().windows(text.len()).any(|window| window == text.as_bytes())
    }
}

impl Asked {
    fn of<'a>(entries: impl Iterator<Item = &'a Entry>) -> Self {
        let mut asked = Self::default();
        for entry in entries {
            asked.take(entry);
            asked.entries.push(entry.clone());
        }
        let ends = asked.entries.iter().filter(|entry| entry.side == Some(Side::Server) && ends(entry)).count();
        asked.complete = ends == 1 || asked.ended.as_ref().is_some_and(|(how, _)| *how == HttpEnd::Complete);
        assert!(ends + usize::from(asked.ended.is_some()) <= 1, "it ends once: {asked:?}");
        asked
    }

    fn take(&mut self, entry: &Entry) {
        let text = || String::from_utf8_lossy(&entry.bytes).into_owned();
        match (entry.kind, entry.side) {
            (EntryKind::Head, Some(Side::Client)) if self.request.is_empty() => self.request = text(),
            (EntryKind::Head, Some(Side::Server)) if entry.bytes.starts_with(b"HTTP/1.1 1") => {
                self.informed.push(text());
            }
            (EntryKind::Head, Some(Side::Server)) if self.response.is_empty() => self.response = text(),
            (EntryKind::Head, Some(Side::Server)) => self.trailers = text(),
            (EntryKind::Body, Some(Side::Client)) => self.sent.clone_from(&entry.bytes),
            (EntryKind::Body, Some(Side::Server)) => self.body.clone_from(&entry.bytes),
            (EntryKind::Event, Some(Side::Server)) => self.events.push(text()),
            (EntryKind::Lifecycle, _) => match lifecycle::decode(&entry.bytes) {
                Lifecycle::HttpEnded { how, why } => self.ended = Some((how, why)),
                Lifecycle::Changed { what, to } => self.changed.push((what, to)),
                _ => {}
            },
            _ => {}
        }
    }

    /// Body and events of the response as recorded.
    pub fn said(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned() + &self.events.concat()
    }

    /// How it ended; complete when no entry says otherwise.
    pub fn how(&self) -> Option<HttpEnd> {
        self.ended.as_ref().map(|(how, _)| *how).or(self.complete.then_some(HttpEnd::Complete))
    }
}

fn ends(entry: &Entry) -> bool {
    entry.flags.has(Flags::ENDS)
}
