//! Entries to exchanges and operations: revision resolution, pairing, linking.
//!
//! [`Trace`] takes a recording's entries one by one, live or from disk, and says what belongs to what.
//! It is pure and incremental: it keeps no bytes, and reading a recording again gives the same trace.
//! A link that is not certain is marked so, and what cannot be told is left unlinked: a wrong link is
//! worse than none. It does not judge by the rules of the protocol; that is for the checks.

mod agreement;
mod answers;
mod bodies;
mod chains;
mod closing;
mod endings;
mod exchange;
mod flights;
mod heads;
mod http;
mod http_remark;
mod https;
mod losses;
mod mirrors;
mod names;
mod note;
mod notices;
mod operation;
mod params;
mod recent;
mod record;
mod reissue;
mod remark;
mod requests;
mod scope;
mod session;
mod speakers;
mod streams;
mod tasks;
mod tokens;
mod truncated;

use std::collections::HashMap;
use std::sync::Arc;

use crate::model::{ChannelId, Revision, Seq, Side, Transport};

pub use exchange::{AttachKind, Attached, Exchange, Place, Status};
pub use http::{Http, Waiting};
pub use names::{Name, Names};
pub use note::{Marks, Note, NoteKind};
pub use operation::{Member, Operation, OperationKind, Part};
pub use remark::of_frame as frame_remark;
pub use session::Session;

/// What a row of the exchange view stands for; rows are in order of their first entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowRef {
    /// An exchange, by its index in [`Trace::exchanges`].
    Exchange(u32),
    /// An entry that belongs to no exchange, or only possibly.
    Entry(Seq),
}

/// What a recording's entries mean together, as far as they were recorded.
#[derive(Debug)]
pub struct Trace {
    names: Names,
    words: Words,
    notes: Vec<Note>,
    items: HashMap<Seq, Vec<Note>>,
    exchanges: Vec<Exchange>,
    operations: Vec<Operation>,
    sessions: Vec<Session>,
    https: https::Https,
    streams: streams::Streams,
    losses: losses::Losses,
    broken: reissue::Broken,
    mirrors: mirrors::Mirrors,
    statuses: scope::QuickMap<u16, Name>,
    rows: Vec<RowRef>,
    remarks: scope::QuickMap<u32, Vec<remark::Remark>>,
    touched: Vec<u32>,
    reordered: u64,
    channels: scope::Channels,
    flights: flights::Flights,
    speakers: speakers::Speakers,
    chains: chains::Chains,
    tasks: tasks::Tasks,
}

/// Names that the trace itself uses.
#[derive(Debug)]
struct Words {
    pending: Name,
    cancelled: Name,
    late: Name,
    ambiguous: Name,
    unanswered: Name,
    listening: Name,
    ended_by_client: Name,
    ended_by_server: Name,
    ended_with_connection: Name,
    not_reached: Name,
    refused: Name,
    disconnected: Name,
    listen: Name,
    discover: Name,
    initialize: Name,
    tools: Name,
}

impl Words {
    fn new(names: &mut Names) -> Self {
        Self {
            pending: names.intern("pending"),
            cancelled: names.intern("cancelled"),
            late: names.intern("cancelled, late"),
            ambiguous: names.intern("ambiguous"),
            unanswered: names.intern("unanswered"),
            listening: names.intern("listening"),
            ended_by_client: names.intern("ended by the client"),
            ended_by_server: names.intern("ended by the server"),
            ended_with_connection: names.intern("ended with the connection"),
            not_reached: names.intern("not reached"),
            refused: names.intern("refused"),
            disconnected: names.intern("cancelled by disconnect"),
            listen: names.intern("subscriptions/listen"),
            discover: names.intern("server/discover"),
            initialize: names.intern("initialize"),
            tools: names.intern("tools/list"),
        }
    }
}

impl Trace {
    /// An empty trace of a recording whose bytes travelled this way.
    pub fn new(transport: Transport) -> Self {
        let mut names = Names::new();
        Self {
            words: Words::new(&mut names),
            names,
            notes: Vec::new(),
            items: HashMap::new(),
            exchanges: Vec::new(),
            operations: Vec::new(),
            sessions: Vec::new(),
            https: https::Https::default(),
            streams: streams::Streams::default(),
            losses: losses::Losses::default(),
            broken: reissue::Broken::default(),
            mirrors: mirrors::Mirrors::default(),
            statuses: scope::QuickMap::default(),
            rows: Vec::new(),
            remarks: scope::QuickMap::default(),
            touched: Vec::new(),
            reordered: 0,
            channels: scope::Channels::new(transport),
            flights: flights::Flights::default(),
            speakers: speakers::Speakers::default(),
            chains: chains::Chains::default(),
            tasks: tasks::Tasks::default(),
        }
    }

    /// One note for each entry, in order.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The note of an entry.
    pub fn note(&self, seq: Seq) -> Option<&Note> {
        self.position(seq).map(|index| &self.notes[index])
    }

    /// Where the note of an entry is in [`Trace::notes`].
    pub fn position(&self, seq: Seq) -> Option<usize> {
        // Numbers have gaps only where entries were lost, so the first guess is nearly always right.
        let guess = usize::try_from(seq).ok()?.wrapping_sub(1);
        if self.notes.get(guess).is_some_and(|note| note.seq == seq) {
            return Some(guess);
        }
        self.notes.binary_search_by_key(&seq, |note| note.seq).ok()
    }

    /// The messages of an entry that is a batch, each as a note of its own; nothing for other entries.
    pub fn items(&self, seq: Seq) -> &[Note] {
        self.items.get(&seq).map_or(&[], Vec::as_slice)
    }

    /// The exchanges, in order of their requests.
    pub fn exchanges(&self) -> &[Exchange] {
        &self.exchanges
    }

    /// The operations, in the order in which they were found to be some.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// Who talked to whom; in order of their beginnings.
    pub fn sessions(&self) -> &[Session] {
        &self.sessions
    }

    /// The HTTP requests with their responses, in order of their requests.
    pub fn https(&self) -> &[Http] {
        &self.https.list
    }

    /// The HTTP request of a channel; `None` on stdio, or when its head is not in the recording.
    pub fn http(&self, channel: ChannelId) -> Option<&Http> {
        self.https.of(channel)
    }

    /// How bytes travel on a channel.
    pub fn transport(&self, channel: ChannelId) -> Transport {
        self.channels.get(channel).transport
    }

    /// What is unusual about an HTTP request with its response, each in a sentence that says what it
    /// means. They are among [`Trace::remarks`] of its exchange and [`Trace::entry_remarks`] of its row.
    pub fn http_remarks(&self, channel: ChannelId) -> Vec<String> {
        self.sentences(channel).collect()
    }

    /// For how long an exchange has been waiting for a response that has begun: one that was answered
    /// with a status and a stream, and on which nothing comes. `None` when no such response is open.
    pub fn waiting(&self, exchange: u32) -> Option<Waiting> {
        let this = self.exchanges.get(exchange as usize).filter(|this| this.status.is_open())?;
        let http = self.http(this.channel).filter(|http| http.is_open())?;
        let since = http.last_byte.or(http.responded)?;
        Some(Waiting { since, events: http.events })
    }

    /// The rows of the exchange view, in order of their first entry. Rows are only ever appended,
    /// except when [`Trace::reordered`] changes.
    pub fn rows(&self) -> &[RowRef] {
        &self.rows
    }

    /// Changes whenever a row was replaced or taken out (an unfinished line turned out to be a
    /// message): indexes into [`Trace::rows`] must be drawn up anew.
    pub const fn reordered(&self) -> u64 {
        self.reordered
    }

    /// The exchanges that began or changed since this was last asked, each at least once, in the
    /// order of their changes; so that a live view filters only those anew.
    pub fn take_touched(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.touched)
    }

    /// The HTTP requests, as indexes into [`Trace::https`], that began or changed since this was last
    /// asked: a status came, events were counted, a remark was made. Each at least once.
    pub fn take_touched_https(&mut self) -> Vec<u32> {
        self.https.take_touched()
    }

    /// An interned string: method, subject, outcome, revision.
    pub fn name(&self, name: Name) -> &Arc<str> {
        self.names.text(name)
    }

    /// How many interned strings there are; their numbers run from 0.
    pub fn name_count(&self) -> usize {
        self.names.count()
    }

    /// The revision by which an exchange is read.
    pub fn revision(&self, exchange: &Exchange) -> Option<Revision> {
        (!exchange.revision.is_none()).then(|| Revision::from_text(self.name(exchange.revision)))
    }

    /// What is unusual about an exchange, each in a sentence that says what it means.
    pub fn remarks(&self, exchange: u32) -> Vec<String> {
        let Some(this) = self.exchanges.get(exchange as usize) else { return Vec::new() };
        let seen = self.remarks.get(&exchange).into_iter().flatten().map(|remark| remark.sentence(this));
        let operation = this.operation.map(|number| &self.operations[number as usize]);
        let part = operation.and_then(|operation| {
            let first = operation.members.first()?;
            operation.sentence(exchange, self.began(first.exchange))
        });
        let of_http = self.sentences(this.channel).filter(|_| this.side == Side::Client);
        let of_state = remark::of_state(this, self.revision(this).as_ref());
        part.into_iter().chain(seen).chain(of_http).chain(of_state).collect()
    }

    /// What is unusual about an entry itself, each in a sentence that says what it means. What the
    /// wire says of it ([`Note::flags`]) is not repeated.
    pub fn entry_remarks(&self, seq: Seq) -> Vec<String> {
        let Some(note) = self.note(seq) else { return Vec::new() };
        let of_http = self.sentences(note.channel).filter(|_| self.speaks_for_http(note));
        remark::of_entry(note, self.name(note.method), self.items(seq)).into_iter().chain(of_http).collect()
    }
}
