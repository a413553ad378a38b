//! A recording that the tests write themselves, entry by entry, while a window watches it.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use midwire::model::{
    Channel, ChannelId, Entry, EntryKind, Flags, Lifecycle, Nanos, Recording, Role, Seq, Side, Transport,
};
use midwire::store::Writer;
use midwire::wire::lifecycle;

/// A recording that is being written.
pub(super) struct Tape {
    pub(super) path: PathBuf,
    pub(super) writer: Writer,
    pub(super) at: Nanos,
    pub(super) seq: Seq,
    /// The channel of the next entries.
    pub(super) on: ChannelId,
}

impl Tape {
    pub(super) fn begin(folder: &Path, name: &str) -> Self {
        Self::begin_by(folder, name, std::process::id())
    }

    /// A recording by the recorder with process id `recorder`.
    pub(super) fn begin_by(folder: &Path, name: &str, recorder: u32) -> Self {
        let mut tape = Self::blank(folder, name, recorder, None);
        tape.writer.channel(&Channel::stdio(1)).unwrap();
        tape
    }

    /// A recording of an HTTP server at `url`; channels are opened as requests come.
    pub(super) fn web(folder: &Path, name: &str, url: &str) -> Self {
        Self::blank(folder, name, std::process::id(), Some(url))
    }

    fn blank(folder: &Path, name: &str, recorder: u32, url: Option<&str>) -> Self {
        let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as Nanos;
        let facts = Recording {
            name: name.to_owned(),
            role: Role::Tap,
            transport: if url.is_some() { Transport::HttpRequest } else { Transport::Stdio },
            command: if url.is_some() { Vec::new() } else { vec!["server".to_owned()] },
            left_out: 0,
            url: url.map(str::to_owned),
            directory: None,
            host: None,
            recorder,
            program: "0.0.0".to_owned(),
            started: at,
            ended: None,
            lost: 0,
        };
        let path = folder.join(format!("{name}.midwire"));
        let writer = Writer::create(&path, &facts).unwrap();
        Self { path, writer, at, seq: 0, on: 1 }
    }

    pub(super) fn entry(&mut self, kind: EntryKind, side: Option<Side>, flags: Flags, bytes: &[u8]) -> Entry {
        self.seq += 1;
        self.at += 1_000_000;
        Entry {
            seq: self.seq,
            at: self.at,
            until: self.at,
            channel: self.on,
            side,
            kind,
            flags,
            size: bytes.len() as u64,
            bytes: bytes.to_vec(),
        }
    }

    pub(super) fn batch(&mut self, write: impl FnOnce(&mut Self)) {
        self.writer.begin().unwrap();
        write(self);
        self.writer.commit().unwrap();
    }

    pub(super) fn frame(&mut self, side: Side, text: &str) {
        let entry = self.entry(EntryKind::Frame, Some(side), Flags::default(), format!("{text}\n").as_bytes());
        self.writer.insert(&entry).unwrap();
    }

    pub(super) fn stderr(&mut self, bytes: &[u8]) {
        let entry = self.entry(EntryKind::Stderr, Some(Side::Server), Flags::default(), bytes);
        self.writer.insert(&entry).unwrap();
    }

    pub(super) fn event(&mut self, event: &Lifecycle) {
        let entry = self.entry(EntryKind::Lifecycle, None, Flags::default(), &lifecycle::encode(event));
        self.writer.insert(&entry).unwrap();
    }

    /// Opens the channel of an HTTP request; the next entries are on it.
    pub(super) fn request(&mut self, id: ChannelId, transport: Transport) {
        self.on = id;
        self.writer.channel(&Channel { transport, peer: Some("a".to_owned()), ..Channel::stdio(id) }).unwrap();
    }

    /// A head, of which the lines are given without their ends.
    pub(super) fn head(&mut self, side: Side, flags: Flags, lines: &[&str]) {
        let text = lines.iter().map(|line| format!("{line}\r\n")).collect::<String>() + "\r\n";
        self.put(EntryKind::Head, side, flags, text.as_bytes());
    }

    pub(super) fn body(&mut self, side: Side, bytes: &[u8]) {
        self.put(EntryKind::Body, side, Flags::ENDS, bytes);
    }

    /// An event of SSE, of which the lines are given without their ends.
    pub(super) fn sse(&mut self, lines: &[&str]) {
        let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>() + "\n";
        self.put(EntryKind::Event, Side::Server, Flags::default(), text.as_bytes());
    }

    fn put(&mut self, kind: EntryKind, side: Side, flags: Flags, bytes: &[u8]) {
        let entry = self.entry(kind, Some(side), flags, bytes);
        self.writer.insert(&entry).unwrap();
    }

    pub(super) fn call(&mut self, id: u32, tool: &str, argument: &str) {
        self.frame(
            Side::Client,
            &format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{{"text":"{argument}"}}}}}}"#
            ),
        );
    }

    pub(super) fn result(&mut self, id: u32, text: &str) {
        self.frame(
            Side::Server,
            &format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#),
        );
    }

    pub(super) fn handshake(&mut self) {
        self.frame(
            Side::Client,
            r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"host","version":"1.2"}}}"#,
        );
        self.frame(
            Side::Server,
            r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"files","version":"3"}}}"#,
        );
        self.frame(Side::Client, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    }

    pub(super) fn close(self) -> PathBuf {
        self.writer.close(self.at, 0).unwrap();
        self.path
    }
}
