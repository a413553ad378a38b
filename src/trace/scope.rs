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
    /// Whether the stream continues an earlier one.
    pub(super) resumes: bool,
}

impl Chan {
    pub(super) fn is_http(self) -> bool {
        self.transport != Transport::Stdio
    }

    /// Where to look for an id, the narrowest first.
    pub(super) fn scopes(self) -> impl Iterator<Item = Scope> {
        let wide = self.is_http();
        let session = self.session.filter(|_| wide).map(Scope::Session);
        let peer = wide.then_some(Scope::Peer(self.peer));
        std::iter::once(Scope::Channel(self.id)).chain(session).chain(peer)
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

    /// Whether what the server sends here is about requests of this very channel.
    pub(super) fn names_its_request(self) -> bool {
        self.transport == Transport::HttpRequest
    }

    /// Among which requests to look for the one that something without a name belongs to: those of
    /// the channel, or of the conversation where one stream carries everything. Nothing for a stream
    /// that carries what belongs to no request.
    pub(super) fn attribution(self) -> Option<Scope> {
        match self.transport {
            Transport::Stdio | Transport::HttpRequest => Some(Scope::Channel(self.id)),
            Transport::HttpSse => Some(self.home()),
            Transport::HttpStream => self.resumes.then(|| self.home()),
        }
    }
}

/// The channels of a recording.
#[derive(Debug)]
pub(super) struct Channels {
    list: QuickMap<ChannelId, Chan>,
    sessions: HashMap<String, u32>,
    peers: HashMap<Option<String>, u32>,
    transport: Transport,
}

impl Channels {
    pub(super) fn new(transport: Transport) -> Self {
        Self { list: QuickMap::default(), sessions: HashMap::new(), peers: HashMap::from([(None, 0)]), transport }
    }

    /// Makes a channel known, or what became known of it later.
    pub(super) fn open(&mut self, channel: Channel, names: &mut Names) -> Chan {
        let chan = Chan {
            id: channel.id,
            transport: channel.transport,
            session: channel.session.map(|session| number(&mut self.sessions, session)),
            peer: number(&mut self.peers, channel.peer),
            version: channel.version.map_or(Name::NONE, |version| names.intern(&version)),
            resumes: channel.resumes.is_some(),
        };
        self.list.insert(chan.id, chan);
        chan
    }

    pub(super) fn get(&self, id: ChannelId) -> Chan {
        let unknown =
            Chan { id, transport: self.transport, session: None, peer: 0, version: Name::NONE, resumes: false };
        self.list.get(&id).copied().unwrap_or(unknown)
    }
}

fn number<K: Hash + Eq>(map: &mut HashMap<K, u32>, key: K) -> u32 {
    let next = map.len() as u32;
    *map.entry(key).or_insert(next)
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
