//! The lines of the text form as serde sees them, and the way from and to the nouns. Member names are
//! those of recordings/FORMAT.md.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Serialize};

use crate::model::{Channel, Entry, Flags, Host, Nanos, Recording};
use crate::store::{EntryRef, words};

/// The version of the text form.
pub const TEXT_FORM: u32 = 1;

/// The first line: the facts. `recorder` is not among them: it tells whether a recording is live, and
/// text never is.
#[derive(Debug, Serialize, Deserialize)]
pub struct Head {
    midwire: u32,
    #[serde(default)]
    name: String,
    role: String,
    transport: String,
    #[serde(default)]
    command: Vec<String>,
    #[serde(default, skip_serializing_if = "is_zero")]
    left_out: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    directory: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    host_pid: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    host_program: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    host_started: Option<Nanos>,
    #[serde(default)]
    program: String,
    started: Nanos,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ended: Option<Nanos>,
    #[serde(default, skip_serializing_if = "is_zero")]
    lost: u64,
}

impl Head {
    /// The line for these facts.
    pub fn new(facts: Recording) -> Self {
        let host = facts.host;
        Self {
            midwire: TEXT_FORM,
            name: facts.name,
            role: words::role_word(facts.role).to_owned(),
            transport: words::transport_word(facts.transport).to_owned(),
            command: facts.command,
            left_out: facts.left_out,
            url: facts.url,
            directory: facts.directory,
            host_pid: host.as_ref().map(|host| host.pid),
            host_started: host.as_ref().and_then(|host| host.started),
            host_program: host.map(|host| host.program),
            program: facts.program,
            started: facts.started,
            ended: facts.ended,
            lost: facts.lost,
        }
    }

    /// The facts of this line, or what is wrong with it.
    pub fn facts(self) -> Result<Recording, String> {
        if self.midwire > TEXT_FORM {
            let found = self.midwire;
            return Err(format!("its text form is {found}, and this midwire reads up to {TEXT_FORM}; update midwire"));
        }
        let (program, started) = (self.host_program.unwrap_or_default(), self.host_started);
        Ok(Recording {
            role: words::role(&self.role).ok_or_else(|| format!("unknown role {:?}", self.role))?,
            transport: transport(&self.transport)?,
            name: self.name,
            command: self.command,
            left_out: self.left_out,
            url: self.url,
            directory: self.directory,
            host: self.host_pid.map(|pid| Host { pid, program, started }),
            recorder: 0,
            program: self.program,
            started: self.started,
            ended: self.ended,
            lost: self.lost,
        })
    }
}

/// A channel.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChannelLine {
    channel: u32,
    transport: Cow<'static, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    peer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    resumes: Option<String>,
}

impl ChannelLine {
    /// The line for this channel.
    pub fn new(channel: Channel) -> Self {
        let Channel { id, transport, peer, session, version, resumes } = channel;
        let transport = words::transport_word(transport).into();
        Self { channel: id, transport, peer, session, version, resumes }
    }

    /// The channel of this line, or what is wrong with it.
    pub fn channel(self) -> Result<Channel, String> {
        let Self { channel, transport: word, peer, session, version, resumes } = self;
        Ok(Channel { id: channel, transport: transport(&word)?, peer, session, version, resumes })
    }
}

fn transport(word: &str) -> Result<crate::model::Transport, String> {
    words::transport(word).ok_or_else(|| format!("unknown transport {word:?}"))
}

/// An entry.
#[derive(Debug, Serialize, Deserialize)]
pub struct EntryLine<'a> {
    seq: u64,
    at: Nanos,
    #[serde(default)]
    time: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<Nanos>,
    channel: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    side: Option<Cow<'static, str>>,
    kind: Cow<'static, str>,
    #[serde(default, skip_serializing_if = "is_zero")]
    flags: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
}

impl<'a> EntryLine<'a> {
    /// The line for this entry.
    pub fn new(entry: EntryRef<'a>, sha256: Option<[u8; 32]>) -> Self {
        let text = std::str::from_utf8(entry.bytes).ok();
        Self {
            seq: entry.seq,
            at: entry.at,
            time: time(entry.at),
            until: (entry.until != entry.at).then_some(entry.until),
            channel: entry.channel,
            side: entry.side.map(|side| side.word().into()),
            kind: words::kind_word(entry.kind).into(),
            flags: entry.flags.0,
            size: Some(entry.size),
            sha256: sha256.map(|hash| hash.iter().map(|byte| format!("{byte:02x}")).collect()),
            text: text.map(Cow::Borrowed),
            base64: text.is_none().then(|| BASE64.encode(entry.bytes)),
        }
    }

    /// The entry of this line with its hash, or what is wrong with it.
    pub fn entry(self) -> Result<(Entry, Option<[u8; 32]>), String> {
        let side = match &self.side {
            Some(word) => Some(words::side(word).ok_or_else(|| format!("unknown side {word:?}"))?),
            None => None,
        };
        let bytes = match (self.text, self.base64) {
            (Some(text), _) => text.into_owned().into_bytes(),
            (None, Some(base64)) => decode(&base64)?,
            (None, None) => return Err("neither text nor base64".into()),
        };
        let entry = Entry {
            seq: self.seq,
            at: self.at,
            until: self.until.unwrap_or(self.at),
            channel: self.channel,
            side,
            kind: words::kind(&self.kind).ok_or_else(|| format!("unknown kind {:?}", self.kind))?,
            flags: Flags(self.flags),
            size: self.size.unwrap_or(bytes.len() as u64),
            bytes,
        };
        Ok((entry, self.sha256.map(|text| hash(&text)).transpose()?))
    }
}

/// Bytes from base64.
pub fn decode(base64: &str) -> Result<Vec<u8>, String> {
    BASE64.decode(base64).map_err(|error| format!("bad base64: {error}"))
}

fn hash(text: &str) -> Result<[u8; 32], String> {
    let digits: Option<Vec<u8>> =
        text.bytes().map(|digit| char::from(digit).to_digit(16).map(|digit| digit as u8)).collect();
    let bytes: Option<Vec<u8>> = digits.map(|digits| digits.chunks_exact(2).map(|two| two[0] << 4 | two[1]).collect());
    let hash = bytes.filter(|_| text.len() == 64).and_then(|bytes| bytes.try_into().ok());
    hash.ok_or_else(|| "sha256 is not 64 hexadecimal digits".into())
}

/// The time in RFC 3339, in UTC.
fn time(at: Nanos) -> String {
    jiff::Timestamp::from_nanosecond(at.into()).map_or_else(|_| String::new(), |time| time.to_string())
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero<T: Default + PartialEq>(number: &T) -> bool {
    *number == T::default()
}
