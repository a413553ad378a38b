//! What the real server said, added to the recording that had no answer. Recordings have one writer; whoever adds to one
//! that is over takes SQLite's write lock for one exchange, numbers its entries behind the last, and lets go. One that is
//! still being recorded is left alone: its recorder counts on its own numbers.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::engine::clock;
use crate::engine::live::is_live;
use crate::model::{Channel, ChannelId, Entry, EntryKind, Era, Flags, Seq, Side};
use crate::peer::server::{Bytes, Step, Text};
use crate::recorded::{Outcome, Session};
use crate::store::{Reader, StoreError, Writer};
use crate::wire::{Json, quote};

/// What is added to one recording in this run, as one more client of its own on stdio.
#[derive(Debug)]
pub struct Adding {
    path: PathBuf,
    /// A recorded handshake: what the client said and the result. What follows it is read by its revision.
    greeting: Option<(Bytes, Bytes)>,
    /// Where this run's exchanges are, by era, once there are some.
    channels: Vec<(Era, ChannelId)>,
}

impl Adding {
    /// Adds to the recording at `path`, of which this was read.
    pub fn new(path: &Path, session: &Session) -> Self {
        let greetings = session.calls.iter().filter(|call| call.method == "initialize");
        let mut greetings = greetings.filter_map(|call| match &call.outcome {
            Outcome::Result(result) => Some((Bytes::clone(&call.message), Bytes::clone(result))),
            _ => None,
        });
        Self { path: path.to_owned(), greeting: greetings.next(), channels: Vec::new() }
    }

    /// Adds a request, as it came, with what answered it; gives its number. What cannot be added stays in this run's own
    /// recording alone, which the error, that fits after "failed to", says.
    pub fn add(&mut self, era: Era, request: &[u8], steps: &[Step]) -> Result<Seq, String> {
        let json = Json::of_frame(request).ok();
        let id = json.and_then(|json| json.get("id")).map_or(&b"null"[..], |id| id.raw());
        let token = json.and_then(|json| json.pointer("/params/_meta/progressToken"));
        let messages: Vec<Vec<u8>> =
            steps.iter().filter_map(|step| message(step, id, token.map(|token| token.raw()))).collect();
        self.write(era, request, &messages).map_err(|why| {
            format!(
                "add to the recording {}: {why}; the exchange is in this run's own recording alone",
                self.path.display()
            )
        })
    }

    fn write(&mut self, era: Era, request: &[u8], answers: &[Vec<u8>]) -> Result<Seq, String> {
        let said = |error: StoreError| error.to_string();
        let facts = Reader::open(&self.path).map_err(|error| error.to_string())?.recording().map_err(said)?;
        if is_live(&facts) {
            return Err("it is being recorded".to_owned());
        }
        let mut writer = Writer::open(&self.path).map_err(said)?;
        writer.begin().map_err(said)?;
        // Behind the lock: nobody else adds between this look and the end of the batch.
        let reader = Reader::open(&self.path).map_err(|error| error.to_string())?;
        let next = last(&reader).map_err(said)? + 1;
        let channel = self.channel(&reader, &mut writer, era).map_err(said)?;
        let mut frames: Vec<(Side, Vec<u8>)> = Vec::new();
        if let (true, Some((client, server))) = (channel.1 && era == Era::Legacy, &self.greeting) {
            let initialized = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_vec();
            let id = Json::parse(client).ok().and_then(|json| json.get("id")).map_or(&b"null"[..], |id| id.raw());
            frames.push((Side::Client, client.to_vec()));
            frames.push((Side::Server, answer(id, "result", server)));
            frames.push((Side::Client, initialized));
        }
        let seq = next + frames.len() as Seq;
        frames.push((Side::Client, request.to_vec()));
        frames.extend(answers.iter().map(|answer| (Side::Server, answer.clone())));
        for (number, (side, frame)) in (next..).zip(frames) {
            writer.insert(&entry(number, channel.0, side, frame)).map_err(said)?;
        }
        drop(reader);
        // Only an end that was there is said anew: of one whose recorder was killed it stays unknown.
        writer.close(facts.ended.map(|_| clock::wall()), facts.lost).map_err(said)?;
        if channel.1 {
            self.channels.push((era, channel.0));
        }
        Ok(seq)
    }

    /// The channel of this run, and whether it is new.
    fn channel(&self, reader: &Reader, writer: &mut Writer, era: Era) -> Result<(ChannelId, bool), StoreError> {
        if let Some((_, channel)) = self.channels.iter().find(|(known, _)| *known == era) {
            return Ok((*channel, false));
        }
        let id = reader.channels()?.iter().map(|channel| channel.id).max().unwrap_or(0) + 1;
        writer.channel(&Channel::stdio(id))?;
        Ok((id, true))
    }
}

/// The number of the last entry, also where damage hides that there are more.
fn last(reader: &Reader) -> Result<Seq, StoreError> {
    let mut last = reader.last_seq()?;
    reader.scan(last, &mut |entry| {
        last = last.max(entry.seq);
        ControlFlow::Continue(())
    })?;
    Ok(last)
}

fn entry(seq: Seq, channel: ChannelId, side: Side, mut bytes: Vec<u8>) -> Entry {
    bytes.retain(|byte| !matches!(byte, b'\n' | b'\r'));
    bytes.push(b'\n');
    let at = clock::wall();
    let size = bytes.len() as u64;
    Entry {
        seq,
        at,
        until: at,
        channel,
        side: Some(side),
        kind: EntryKind::Frame,
        flags: Flags::default(),
        size,
        bytes,
    }
}

/// What a step puts on the wire that belongs in a recording: the answer, and notifications.
fn message(step: &Step, id: &[u8], token: Option<&[u8]>) -> Option<Vec<u8>> {
    match step {
        Step::Result { result: Text::Fixed(result), .. } => Some(answer(id, "result", result)),
        Step::Error { error: Text::Fixed(error), .. } => Some(answer(id, "error", error)),
        Step::Progress { progress, total, message } => {
            let mut params = [br#"{"progressToken":"#, token?, br#","progress":"#, fixed(progress)].concat();
            if let Some(total) = total {
                params = [&params, &br#","total":"#[..], fixed(total)].concat();
            }
            if let Some(message) = message {
                let message = quote(&String::from_utf8_lossy(fixed(message)));
                params = [&params, &br#","message":"#[..], message.as_bytes()].concat();
            }
            params.push(b'}');
            Some(notification("notifications/progress", Some(&params)))
        }
        Step::Notify { method, params, .. } => Some(notification(method, params.as_ref().map(fixed))),
        _ => None,
    }
}

fn fixed(text: &Text) -> &[u8] {
    match text {
        Text::Fixed(bytes) | Text::Template(bytes) => bytes,
    }
}

fn notification(method: &str, params: Option<&[u8]>) -> Vec<u8> {
    let params = params.map(|params| [b",\"params\":", params].concat()).unwrap_or_default();
    [br#"{"jsonrpc":"2.0","method":"#, quote(method).as_bytes(), &params, b"}"].concat()
}

fn answer(id: &[u8], member: &str, value: &[u8]) -> Vec<u8> {
    [br#"{"jsonrpc":"2.0","id":"#, id, b",\"", member.as_bytes(), b"\":", value, b"}"].concat()
}
