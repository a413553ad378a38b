//! What a recording says about its client and its server, so that our own client can take the place of the one and
//! connect to the other.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::client::{Base, Environment, Target, Way};
use super::record::secrets::MASK;
use crate::mcp::meta::Meta;
use crate::model::{EntryKind, Flags, Recording, Side};
use crate::store::Reader;
use crate::transport::http::Trust;
use crate::wire::http::Head;
use crate::wire::{self, Frame, Item, Json, Message};

/// Header fields: names and values.
type Fields = Vec<(String, String)>;

/// Entries looked at: who a client is stands in its first messages.
const LOOKED: u64 = 5_000;

/// The client of a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imitation {
    /// `clientInfo` as JSON text, as sent.
    pub identity: Option<String>,
    /// `capabilities` as JSON text, as sent.
    pub capabilities: Option<String>,
    /// The revision that it asked for.
    pub revision: Option<String>,
    /// Where that stood: `initialize`, or the method of the first request with `_meta` of 2026-07-28.
    pub source: String,
    /// The sequence number of that entry.
    pub seq: u64,
}

/// The server of a recording.
#[derive(Debug, Clone)]
pub struct Original {
    /// What to connect to, with `from` set.
    pub target: Target,
    /// What was left out of the recording as a secret and must be given again: `argument 3`, `Authorization`.
    pub missing: Vec<String>,
}

/// Who the client of a recording was: what it says in `initialize`, or in the first request that says it in `_meta`
/// (2026-07-28). A probe that gets a legacy server an `initialize` says the same in both; the first counts. The error
/// fits after "failed to".
pub fn client(recording: &Path) -> Result<Imitation, String> {
    let reader = open(recording)?;
    let (mut found, mut left) = (None, LOOKED);
    let scanned = reader.scan(0, &mut |entry| {
        left -= 1;
        let speaks = entry.kind != EntryKind::Lifecycle && entry.side == Some(Side::Client);
        if speaks && !entry.flags.has(Flags::TRUNCATED) {
            found = of_frame(entry.bytes, entry.seq);
        }
        if found.is_some() || left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    scanned.map_err(|error| error.to_string())?;
    let none = "its client says nowhere who it is (no `initialize`, no `_meta` of 2026-07-28)";
    found.ok_or_else(|| format!("imitate the client of {}: {none}", recording.display()))
}

/// What the server of a recording was started or reached by. The error fits after "failed to".
pub fn server(recording: &Path) -> Result<Original, String> {
    let reader = open(recording)?;
    let facts = reader.recording().map_err(|error| error.to_string())?;
    let from = Some(format!("the recording {}", recording.display()));
    let Recording { name, command, url, directory, .. } = facts;
    if let Some(url) = url {
        let (headers, missing) = fields(&reader)?;
        let mut missing = missing;
        if url.contains(MASK) {
            missing.insert(0, "a part of the URL".to_owned());
        }
        let way = Way::Url { url, headers, trust: Trust::default() };
        return Ok(Original { target: Target { name, way, from }, missing });
    }
    if command.is_empty() {
        let why = "it names neither a command nor a URL, as recordings that were imported do not";
        return Err(format!("connect to the server of {}: {why}", recording.display()));
    }
    let masked = command.iter().enumerate().filter(|(_, word)| word.contains(MASK));
    let missing = masked.map(|(index, word)| format!("argument {index} ({word})")).collect();
    let folder = directory.map(PathBuf::from).filter(|folder| folder.is_dir());
    let environment = Environment { base: Base::Inherit, ..Environment::default() };
    let way = Way::Command { command, folder, environment };
    Ok(Original { target: Target { name, way, from }, missing })
}

fn open(recording: &Path) -> Result<Reader, String> {
    Reader::open(recording).map_err(|error| error.to_string())
}

/// What a message, or the first of a batch that says it, tells of its sender.
fn of_frame(bytes: &[u8], seq: u64) -> Option<Imitation> {
    match wire::read(bytes) {
        Frame::Message(message) => of_message(&message, seq),
        Frame::Batch(items) => items.iter().find_map(|item| match item {
            Item::Message(message) => of_message(message, seq),
            Item::NotRpc { .. } => None,
        }),
        _ => None,
    }
}

fn of_message(message: &Message<'_>, seq: u64) -> Option<Imitation> {
    let (method, params) = (message.method.as_deref()?, message.params?);
    let text = |json: Option<Json<'_>>| json.map(|json| String::from_utf8_lossy(json.raw()).into_owned());
    let word = |json: Option<Json<'_>>| Some(json?.text()?.into_owned());
    if method == "initialize" {
        return Some(Imitation {
            identity: text(params.get("clientInfo")),
            capabilities: text(params.get("capabilities")),
            revision: word(params.get("protocolVersion")),
            source: method.to_owned(),
            seq,
        });
    }
    let meta = Meta::read(params.get("_meta")?);
    // A progress token alone says nothing of who asks.
    meta.client.or(meta.capabilities)?;
    Some(Imitation {
        identity: text(meta.client),
        capabilities: text(meta.capabilities),
        revision: word(meta.version),
        source: method.to_owned(),
        seq,
    })
}

/// Fields of requests that carried credentials: their values were left out, so each becomes a reference that must be
/// given, under a name made of its own.
fn fields(reader: &Reader) -> Result<(Fields, Vec<String>), String> {
    let (mut headers, mut left) = (Fields::new(), LOOKED);
    let scanned = reader.scan(0, &mut |entry| {
        left -= 1;
        if entry.kind == EntryKind::Head && entry.side == Some(Side::Client) {
            for field in Head::read(entry.bytes).fields() {
                let (name, value) = (String::from_utf8_lossy(field.name), String::from_utf8_lossy(field.value));
                let known = |(other, _): &(String, String)| other.eq_ignore_ascii_case(&name);
                if value.contains(MASK) && !headers.iter().any(known) {
                    let variable: String = name.chars().map(plain).collect();
                    headers.push((name.clone().into_owned(), value.replace(MASK, &format!("${{{variable}}}"))));
                }
            }
        }
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    scanned.map_err(|error| error.to_string())?;
    let missing = headers.iter().map(|(name, _)| name.clone()).collect();
    Ok((headers, missing))
}

fn plain(c: char) -> char {
    if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }
}

#[cfg(test)]
mod tests {
    use super::of_frame;

    /// Identity, capabilities, revision, and where they stood.
    type Read = (Option<String>, Option<String>, Option<String>, String);

    fn read(text: &str) -> Option<Read> {
        let found = of_frame(text.as_bytes(), 7)?;
        assert_eq!(found.seq, 7);
        Some((found.identity, found.capabilities, found.revision, found.source))
    }

    #[test]
    fn a_client_says_who_it_is_in_either_era() {
        let some = |text: &str| Some(text.to_owned());
        let legacy = read(
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",
               "capabilities":{"x": {"y":1.0}},"clientInfo":{"name":"a", "version":"1"}}}"#,
        );
        let expected = (
            some(r#"{"name":"a", "version":"1"}"#),
            some(r#"{"x": {"y":1.0}}"#),
            some("2025-06-18"),
            "initialize".into(),
        );
        assert_eq!(legacy, Some(expected));
        let modern = read(
            r#"[{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{
               "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"b"},
               "io.modelcontextprotocol/clientCapabilities":{}}}}]"#,
        );
        assert_eq!(modern, Some((some(r#"{"name":"b"}"#), some("{}"), some("2026-07-28"), "tools/list".into())));
    }

    #[test]
    fn other_messages_say_nothing_of_it() {
        for text in [
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"progressToken":1}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{"clientInfo":{}}}"#,
            "banner",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
