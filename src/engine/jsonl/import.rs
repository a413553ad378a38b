//! JSON Lines to a recording, one line in memory at a time. Lines that cannot be read are told and left
//! out; they do not end the import.

use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::capture::Capture;
use super::line::{ChannelLine, EntryLine, Head};
use super::old::HttpLine;
use super::{BadLine, ImportError, Imported};
use crate::model::{Channel, Entry, EntryKind, Nanos, Recording, Role, Seq, Side, Transport};
use crate::store::{StoreError, Writer};
use crate::wire::PIECE;

/// The longest line that is read: an entry at the usual limit of 64 MiB with every byte escaped fits.
const LONGEST: u64 = 512 << 20;

/// Bad lines that are kept for telling.
const TOLD: usize = 20;

/// Entries, and bytes of them, that are written in one batch.
const BATCH: (u64, u64) = (2000, 4 << 20);

/// Makes the recording `path` of the lines of `input`: the text form of `midwire export`, or the capture
/// format of other programs. `name` is what the recording is called where the input does not say.
pub fn import(input: &mut impl BufRead, path: &Path, name: &str) -> Result<Imported, ImportError> {
    let mut made = Made::new(path, name);
    match read(input, &mut made).and_then(|()| made.close()) {
        Ok(()) => Ok(made.imported),
        Err(error) => {
            made.remove();
            Err(error)
        }
    }
}

fn read(input: &mut impl BufRead, made: &mut Made) -> Result<(), ImportError> {
    let mut capture = Capture::default();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let failed = |source| ImportError::Read { line: number, source };
        if input.take(LONGEST).read_until(b'\n', &mut line).map_err(failed)? == 0 {
            break;
        }
        if line.len() as u64 == LONGEST && !line.ends_with(b"\n") {
            input.skip_until(b'\n').map_err(failed)?;
            made.bad(number, format!("longer than {LONGEST} bytes"));
        } else {
            let result = one(&line, number, &mut capture, made);
            made.note(number, result)?;
        }
    }
    for (number, line) in std::mem::take(&mut made.old) {
        let result = line.add(made);
        made.note(number, result)?;
    }
    Ok(())
}

/// Why a line did not become part of the recording.
pub enum Fault {
    /// It cannot be read.
    Line(String),
    /// The recording cannot be written.
    Store(StoreError),
}

impl From<String> for Fault {
    fn from(why: String) -> Self {
        Self::Line(why)
    }
}

impl From<serde_json::Error> for Fault {
    fn from(error: serde_json::Error) -> Self {
        Self::Line(error.to_string())
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// The members that tell lines apart.
#[derive(Deserialize)]
struct Tag {
    midwire: Option<IgnoredAny>,
    dir: Option<IgnoredAny>,
    seq: Option<IgnoredAny>,
    http: Option<IgnoredAny>,
    channel: Option<IgnoredAny>,
}

fn one(line: &[u8], number: u64, capture: &mut Capture, made: &mut Made) -> Result<(), Fault> {
    // Editors on Windows put a byte order mark in front of the file.
    let line = if number == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
    if line.trim_ascii().is_empty() {
        return Ok(());
    }
    if !line.trim_ascii_start().starts_with(b"{") {
        return Err(Fault::Line("not a JSON object".into()));
    }
    let tag: Tag = serde_json::from_slice(line)?;
    if tag.midwire.is_some() {
        made.begin(serde_json::from_slice::<Head>(line)?.facts()?)?;
        made.told = true;
        Ok(())
    } else if tag.dir.is_some() {
        capture.line(line, made)
    } else if tag.seq.is_some() {
        let (entry, hash) = serde_json::from_slice::<EntryLine<'_>>(line)?.entry()?;
        made.entry(&entry, hash)
    } else if tag.http.is_some() {
        made.old.push((number, serde_json::from_slice(line)?));
        Ok(())
    } else if tag.channel.is_some() {
        made.channel(&serde_json::from_slice::<ChannelLine>(line)?.channel()?)
    } else {
        // A line of a newer text form.
        Ok(())
    }
}

/// The recording that is being made. Its file is made with the first good line.
pub struct Made {
    path: PathBuf,
    name: String,
    writer: Option<Writer>,
    facts: Option<Recording>,
    /// Whether the facts are the input's own.
    told: bool,
    imported: Imported,
    channels: std::collections::HashSet<u32>,
    /// Lines that are added behind the last entry.
    old: Vec<(u64, HttpLine)>,
    last: Seq,
    until: Nanos,
    batch: (u64, u64),
}

impl Made {
    fn new(path: &Path, name: &str) -> Self {
        Self {
            path: path.to_owned(),
            name: name.to_owned(),
            writer: None,
            facts: None,
            told: false,
            imported: Imported::default(),
            channels: std::collections::HashSet::new(),
            old: Vec::new(),
            last: 0,
            until: Nanos::MIN,
            batch: (0, 0),
        }
    }

    /// Begins the recording with the facts of the input.
    fn begin(&mut self, facts: Recording) -> Result<(), Fault> {
        if self.writer.is_some() {
            return Err(Fault::Line("a second recording begins; import it by itself".into()));
        }
        let mut writer = Writer::create(&self.path, &facts)?;
        writer.begin()?;
        self.writer = Some(writer);
        self.facts = Some(facts);
        Ok(())
    }

    /// The writer; a recording whose input says nothing about it begins with what is known by itself.
    fn writer(&mut self, at: Nanos, transport: Transport) -> Result<&mut Writer, Fault> {
        if self.writer.is_none() {
            self.begin(Recording {
                name: self.name.clone(),
                role: Role::Import,
                transport,
                command: Vec::new(),
                left_out: 0,
                url: None,
                directory: None,
                host: None,
                recorder: 0,
                program: env!("CARGO_PKG_VERSION").to_owned(),
                started: at,
                ended: None,
                lost: 0,
            })?;
        }
        self.writer.as_mut().ok_or_else(|| Fault::Line("no recording has begun".into()))
    }

    /// The number of the next entry, and the time before which it cannot be.
    pub fn next(&self) -> (Seq, Nanos) {
        (self.last + 1, self.until)
    }

    /// Says that the recording begins now, where no line has said it better.
    pub fn begin_at(&mut self, at: Nanos, transport: Transport) -> Result<(), Fault> {
        self.writer(at, transport).map(drop)
    }

    /// Adds a channel, or says anew what it is.
    pub fn channel(&mut self, channel: &Channel) -> Result<(), Fault> {
        self.writer(0, channel.transport)?.channel(channel)?;
        self.channels.insert(channel.id);
        self.imported.channels = self.channels.len() as u64;
        Ok(())
    }

    /// Adds an entry, in pieces as a recorder does.
    pub fn entry(&mut self, entry: &Entry, hash: Option<[u8; 32]>) -> Result<(), Fault> {
        if entry.seq <= self.last || entry.seq > i64::MAX as u64 {
            return Err(Fault::Line(format!("entry {} comes after entry {}", entry.seq, self.last)));
        }
        let writer = self.writer(entry.at, Transport::Stdio)?;
        let (first, rest) = entry.bytes.split_at(entry.bytes.len().min(PIECE));
        if rest.is_empty() {
            writer.insert(entry)?;
        } else {
            writer.insert(&Entry { bytes: first.to_vec(), ..*entry })?;
        }
        for (n, piece) in (1..).zip(rest.chunks(PIECE)) {
            writer.append(entry.seq, n, piece)?;
        }
        if hash.is_some() {
            writer.amend(entry.seq, entry.flags, entry.size, entry.until, hash)?;
        }
        self.last = entry.seq;
        self.until = self.until.max(entry.until);
        self.imported.entries += 1;
        let is_request = entry.kind == EntryKind::Head && entry.side == Some(Side::Client);
        self.imported.http += u64::from(is_request);
        self.batch = (self.batch.0 + 1, self.batch.1 + entry.bytes.len() as u64);
        self.commit_when_full()
    }

    fn commit_when_full(&mut self) -> Result<(), Fault> {
        if self.batch.0 >= BATCH.0 || self.batch.1 >= BATCH.1 {
            self.batch = (0, 0);
            if let Some(writer) = &mut self.writer {
                writer.commit()?;
                writer.begin()?;
            }
        }
        Ok(())
    }

    /// Remembers a line that could not be read; what cannot be written ends the import.
    fn note(&mut self, line: u64, result: Result<(), Fault>) -> Result<(), ImportError> {
        match result {
            Ok(()) => Ok(()),
            Err(Fault::Line(why)) => {
                self.bad(line, why);
                Ok(())
            }
            Err(Fault::Store(error)) => Err(error.into()),
        }
    }

    fn bad(&mut self, line: u64, why: String) {
        self.imported.bad += 1;
        if self.imported.first_bad.len() < TOLD {
            self.imported.first_bad.push(BadLine { line, why });
        }
    }

    /// Closes the recording. One whose input gave no facts ends with its last entry.
    fn close(&mut self) -> Result<(), ImportError> {
        let (Some(writer), Some(facts)) = (self.writer.take(), &self.facts) else {
            let first_bad = self.imported.first_bad.first().cloned();
            return Err(ImportError::Nothing { path: self.path.clone(), first_bad });
        };
        let by_itself = !self.told && self.last > 0;
        Ok(writer.close(facts.ended.or(by_itself.then_some(self.until)), facts.lost)?)
    }

    /// Removes what was made, and nothing that was there before.
    fn remove(&mut self) {
        if self.facts.is_some() {
            self.writer = None;
            for ending in ["", "-wal", "-shm"] {
                let mut name = self.path.as_os_str().to_owned();
                name.push(ending);
                let _ = std::fs::remove_file(name);
            }
        }
    }
}
