//! Where ids are valid: a channel, an HTTP session, all that one client sends (protocol.md 4.2).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};

use super::{Name, Names};
use crate::model::{Channel, ChannelId, Id, Side, Transport};

/// One place in which ids, tokens and cursors are valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Scope {
    /// One channel.
    Channel(ChannelId),
    /// One HTTP session, by its number in [`Channels`].
    Session(u32),
    /// All channels of one client, by its number in [`Channels`].
    Peer(u32),
}

/// What pairing needs to know of one channel.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chan {
    pub(super) id: ChannelId,
    pub(super) transport: Transport,
    session: Option<u32>,
    peer: u32,
    /// The `MCP-Protocol-Version` header.
    pub(super) version: Name,
    /// Which stream it continues.
    pub(super) resumes: Resumes,
    /// Whether it is part of an HTTP+SSE connection: its session is that of the stream.
    pub(super) over_sse: bool,
}

/// Which earlier stream a stream continues: the one that the event of its `Last-Event-ID` came on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Resumes {
    /// None.
    Nothing,
    /// One that is not in the recording.
    Unknown,
    /// The stream that answered the request of this channel.
    Request(ChannelId),
    /// A stream that a GET had opened.
    Stream(ChannelId),
}

impl Chan {
    pub(super) fn is_http(self) -> bool {
        self.transport != Transport::Stdio
    }

    /// The channel whose stream this is, whether it began here or is continued.
    pub(super) fn origin(self) -> ChannelId {
        match self.resumes {
            Resumes::Request(origin) | Resumes::Stream(origin) => origin,
            Resumes::Nothing | Resumes::Unknown => self.id,
        }
    }

    /// Where to look for an id, the narrowest first.
    pub(super) fn scopes(self) -> impl Iterator<Item = Scope> {
        let wide = self.is_http();
        let origin = Some(self.origin()).filter(|origin| *origin != self.id).map(Scope::Channel);
        let session = self.session.filter(|_| wide).map(Scope::Session);
        let peer = wide.then_some(Scope::Peer(self.peer));
        std::iter::once(Scope::Channel(self.id)).chain(origin).chain(session).chain(peer)
    }

    /// The HTTP session, where there is one.
    pub(super) fn session(self) -> Option<Scope> {
        self.session.filter(|_| self.is_http()).map(Scope::Session)
    }

    /// The client whose channel it is: on stdio the pipe itself.
    pub(super) fn group(self) -> Scope {
        if self.is_http() { Scope::Peer(self.peer) } else { Scope::Channel(self.id) }
    }

    /// What the requests in flight of a conversation are counted by.
    pub(super) fn home(self) -> Scope {
        self.session().unwrap_or_else(|| self.group())
    }

    /// Whether what the server sends here is about requests of one channel.
    pub(super) fn names_its_request(self) -> bool {
        self.transport == Transport::HttpRequest || matches!(self.resumes, Resumes::Request(_))
    }

    /// Among which requests to look for the one that something without a name belongs to: those of
    /// the channel, or of the conversation where one stream carries everything. Nothing for a stream
    /// that carries what belongs to no request.
    pub(super) fn attribution(self) -> Option<Scope> {
        match (self.transport, self.resumes) {
            (Transport::Stdio | Transport::HttpRequest, _) => Some(Scope::Channel(self.id)),
            (Transport::HttpSse, _) | (Transport::HttpStream, Resumes::Unknown) => Some(self.home()),
            (Transport::HttpStream, Resumes::Request(origin)) => Some(Scope::Channel(origin)),
            (Transport::HttpStream, Resumes::Nothing | Resumes::Stream(_)) => None,
        }
    }
}

/// The channels of a recording.
#[derive(Debug)]
pub(super) struct Channels {
    list: QuickMap<ChannelId, Chan>,
    /// Session ids by their fingerprints: a server may give out a new one with each request.
    sessions: QuickMap<u128, u32>,
    peers: QuickMap<u128, u32>,
    /// Sessions counted, those of HTTP+SSE included, which have no id of their own.
    counted: u32,
    transport: Transport,
}

impl Channels {
    pub(super) fn new(transport: Transport) -> Self {
        let peers = QuickMap::from_iter([(0, 0)]);
        Self { list: QuickMap::default(), sessions: QuickMap::default(), peers, counted: 0, transport }
    }

    /// Makes a channel known, or what became known of it later.
    pub(super) fn open(&mut self, channel: Channel, names: &mut Names) -> Chan {
        let session = channel.session.map(|session| self.session(session.as_bytes()));
        let peer = channel.peer.map_or(0, |peer| fingerprint(peer.as_bytes()));
        let next = self.peers.len() as u32;
        let chan = Chan {
            id: channel.id,
            transport: channel.transport,
            session,
            peer: *self.peers.entry(peer).or_insert(next),
            version: channel.version.map_or(Name::NONE, |version| names.intern_line(&version, 80)),
            resumes: if channel.resumes.is_some() { Resumes::Unknown } else { Resumes::Nothing },
            over_sse: false,
        };
        self.list.insert(chan.id, chan);
        chan
    }

    pub(super) fn get(&self, id: ChannelId) -> Chan {
        self.list.get(&id).copied().unwrap_or_else(|| self.unknown(id))
    }

    /// What is known of a channel, to be changed.
    pub(super) fn get_mut(&mut self, id: ChannelId) -> &mut Chan {
        let unknown = self.unknown(id);
        self.list.entry(id).or_insert(unknown)
    }

    /// A channel that was not made known.
    fn unknown(&self, id: ChannelId) -> Chan {
        let (transport, version, resumes) = (self.transport, Name::NONE, Resumes::Nothing);
        Chan { id, transport, session: None, peer: 0, version, resumes, over_sse: false }
    }

    /// The number of the session with this id.
    pub(super) fn session(&mut self, id: &[u8]) -> u32 {
        let counted = &mut self.counted;
        *self.sessions.entry(fingerprint(id)).or_insert_with(|| {
            *counted += 1;
            *counted
        })
    }

    /// Puts a channel into a session.
    pub(super) fn enter(&mut self, id: ChannelId, session: Option<u32>, over_sse: bool) {
        let chan = self.get_mut(id);
        (chan.session, chan.over_sse) = (session, over_sse);
    }

    /// A session that has no id: that of an HTTP+SSE connection.
    pub(super) fn new_session(&mut self) -> u32 {
        self.counted += 1;
        self.counted
    }
}

/// The key of an id of one side in a scope. It is a quick hash, so what is found by it must be compared.
pub(super) fn key(scope: Scope, side: Side, id: &Id) -> u64 {
    let (kind, number) = match scope {
        Scope::Channel(number) => (0, number),
        Scope::Session(number) => (1, number),
        Scope::Peer(number) => (2, number),
    };
    let (shape, text) = match id {
        Id::Number(text) => (0, &**text),
        Id::String(text) => (1, &**text),
        Id::Other(text) => (2, &**text),
        Id::Null => (3, ""),
    };
    let mut quick = Quick::default();
    quick.write_u64(u64::from(number) << 8 | kind << 4 | (side as u64) << 2 | shape);
    quick.write(text.as_bytes());
    quick.finish()
}

/// A map whose keys are small numbers or such keys.
pub(super) type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;

/// A hash for keys that nobody gains by making collide: numbers given out here, and hashes that are
/// compared after they are found. Several times as quick as the standard one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Quick(u64);

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.write_u64(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.write_u64(u64::from_le_bytes(last));
        self.write_u64(bytes.len() as u64);
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_u8(&mut self, word: u8) {
        self.write_u64(word.into());
    }

    fn finish(&self) -> u64 {
        // The table takes its bits from both ends, and multiplying mixes upwards only.
        self.0 ^ self.0 >> 32
    }
}

/// A quick hash of bytes, to tell whether they are the same as before.
pub(super) fn glance(bytes: &[u8]) -> u64 {
    let mut quick = Quick::default();
    quick.write(bytes);
    quick.finish()
}

/// A hash that is the same in every run, and for which nobody finds two values easily.
pub(super) fn digest(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// A hash wide enough to stand for the bytes themselves.
pub(super) fn fingerprint(bytes: &[u8]) -> u128 {
    u128::from(digest(&(1_u8, bytes))) << 64 | u128::from(digest(&(2_u8, bytes)))
}
