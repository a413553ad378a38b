//! Who speaks, and by which revision each exchange is read (protocol.md 0.6).

use std::collections::HashMap;

use super::params::{Answer, Params};
use super::record::Heard;
use super::remark::Remark;
use super::scope::{Chan, Scope, glance};
use super::{Name, Session, Trace};
use crate::mcp::{Capabilities, Identity};
use crate::model::{Channel, ChannelId, Era, Revision, Side};
use crate::wire::{Json, MessageKind};

/// Which session is spoken where.
#[derive(Debug, Default)]
pub(super) struct Speakers {
    /// The legacy session that was begun last in a scope.
    legacy: HashMap<Scope, u32>,
    /// The modern conversation of a client.
    modern: HashMap<Scope, u32>,
    /// Exchanges whose session had not agreed on a revision when they began.
    waiting: HashMap<u32, Vec<u32>>,
    /// Sessions by the channel of their `initialize`, for a session id that becomes known later.
    begun_on: HashMap<ChannelId, u32>,
    /// What was last read of a modern session's client and server, so that it is read only once.
    read: HashMap<u32, [u64; 3]>,
}

/// By which revision an exchange is read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Voice {
    pub(super) revision: Name,
    pub(super) era: Option<Era>,
    pub(super) certain: bool,
    pub(super) session: Option<u32>,
}

/// Exchanges that wait for a handshake; more than these keep what was asked for.
const MOST_WAITING: usize = 1000;

impl Trace {
    /// Makes a channel known, before its first entry; again when its session id becomes known. A
    /// channel that was not made known is taken for one of the recording's own transport.
    pub fn open_channel(&mut self, channel: Channel) {
        // Heads say what a channel is; what they said is not overridden by what was gathered from them.
        if self.https.number(channel.id).is_none() {
            let chan = self.channels.open(channel, &mut self.names);
            self.speaks_in(chan);
        }
    }

    /// The session id of a channel is known now: the session that began on it is spoken there.
    pub(super) fn speaks_in(&mut self, chan: Chan) {
        let begun = self.speakers.begun_on.get(&chan.id).copied();
        if let (Some(scope), Some(session)) = (chan.session(), begun) {
            self.speakers.legacy.insert(scope, session);
        }
    }

    /// The legacy session that is spoken in a scope.
    pub(super) fn legacy_session(&self, scope: Scope) -> Option<u32> {
        self.speakers.legacy.get(&scope).copied()
    }

    /// Resolves the revision of a request, and begins a session with `initialize`.
    pub(super) fn voice(&mut self, heard: &Heard<'_>, method: &str, params: &Params<'_>, exchange: u32) -> Voice {
        let named = params.meta.version.and_then(|version| version.text());
        if let (Side::Client, Some(version)) = (heard.side, named) {
            let revision = self.names.intern(&crate::mcp::one_line(&version, 80));
            let session = self.modern_session(heard, params, revision);
            return Voice { revision, era: Some(Era::Modern), certain: true, session: Some(session) };
        }
        if heard.side == Side::Client && method == "initialize" {
            self.begin_session(heard, params, exchange);
        }
        self.voice_of_place(heard, exchange)
    }

    /// The revision of a request that does not name one: by where it was seen.
    fn voice_of_place(&mut self, heard: &Heard<'_>, exchange: u32) -> Voice {
        let chan = heard.chan;
        let by_id = chan.session().and_then(|scope| self.speakers.legacy.get(&scope).copied());
        if let Some(session) = by_id {
            return self.voice_of_session(session, exchange);
        }
        let by_group = self.speakers.legacy.get(&chan.group()).copied();
        let begins_here = self.speakers.begun_on.contains_key(&chan.id);
        if chan.is_http() && !chan.version.is_none() && !begins_here {
            let era = Revision::from_text(self.names.text(chan.version)).era();
            return Voice { revision: chan.version, era: Some(era), certain: true, session: by_group };
        }
        if let Some(session) = by_group {
            return self.voice_of_session(session, exchange);
        }
        if let Some(&session) = self.speakers.modern.get(&chan.group()) {
            // A request without `_meta` where only modern ones were seen: the server's own, or a mistake.
            let revision = self.sessions[session as usize].revision;
            return Voice { revision, era: Some(Era::Modern), certain: false, session: Some(session) };
        }
        if chan.over_sse {
            let revision = self.names.intern(Revision::V2024_11_05.text());
            return Voice { revision, era: Some(Era::Legacy), certain: false, session: None };
        }
        if chan.is_http() {
            // Neither session nor header: by the rules of 2025-03-26, and so only likely.
            let revision = self.names.intern(Revision::V2025_03_26.text());
            return Voice { revision, era: Some(Era::Legacy), certain: false, session: None };
        }
        Voice::default()
    }

    /// The revision that a session agreed on, or until then the one that its client asked for.
    fn voice_of_session(&mut self, session: u32, exchange: u32) -> Voice {
        let this = &self.sessions[session as usize];
        let certain = !this.revision.is_none();
        let revision = if certain { this.revision } else { this.requested };
        if !certain {
            let waiting = self.speakers.waiting.entry(session).or_default();
            if waiting.len() < MOST_WAITING {
                waiting.push(exchange);
            }
        }
        let era = (!revision.is_none()).then_some(Era::Legacy);
        Voice { revision, era, certain, session: Some(session) }
    }

    fn begin_session(&mut self, heard: &Heard<'_>, params: &Params<'_>, exchange: u32) {
        let session = self.sessions.len() as u32;
        let asked = params.version.and_then(|version| version.text());
        let requested = asked.map_or(Name::NONE, |asked| self.names.intern(&crate::mcp::one_line(&asked, 80)));
        self.sessions.push(Session {
            client: params.client.and_then(Identity::read),
            client_can: params.capabilities.map_or(Capabilities::UNKNOWN, Capabilities::read),
            initialize: Some(exchange),
            requested,
            ..session_of(heard, Era::Legacy)
        });
        self.speakers.begun_on.insert(heard.chan.id, session);
        self.speakers.legacy.insert(heard.chan.group(), session);
        if let Some(scope) = heard.chan.session() {
            self.speakers.legacy.insert(scope, session);
        }
    }

    /// The modern conversation of a client, brought up to date with what this request says.
    fn modern_session(&mut self, heard: &Heard<'_>, params: &Params<'_>, revision: Name) -> u32 {
        let group = heard.chan.group();
        let session = *self.speakers.modern.entry(group).or_insert_with(|| {
            self.sessions.push(session_of(heard, Era::Modern));
            self.sessions.len() as u32 - 1
        });
        let read = self.speakers.read.entry(session).or_default();
        let this = &mut self.sessions[session as usize];
        (this.revision, this.requested) = (revision, revision);
        if is_news(&mut read[0], params.meta.client) {
            this.client = params.meta.client();
        }
        if is_news(&mut read[1], params.meta.capabilities) {
            this.client_can = params.meta.client_can();
        }
        session
    }

    /// Learns from an answer who the server is, and which revision was agreed on.
    pub(super) fn learn_speaker(&mut self, exchange: u32, heard: &Heard<'_>, result: &Answer<'_>) {
        let this = &self.exchanges[exchange as usize];
        let (method, session, era) = (this.method, this.session, this.era);
        let Some(session) = session else { return };
        if heard.message.kind != MessageKind::Result || heard.side != Side::Server {
            self.note_stale_probe(exchange, method);
            return;
        }
        if self.sessions[session as usize].initialize == Some(exchange) {
            self.agreed(session, heard, result);
        } else if era == Some(Era::Modern) {
            let read = self.speakers.read.entry(session).or_default();
            let this = &mut self.sessions[session as usize];
            if result.meta.server.is_some() && is_news(&mut read[2], result.meta.server) {
                this.server = result.meta.server();
            }
            if method == self.words.discover {
                if let Some(server) = result.server.filter(|_| this.server.is_none()) {
                    this.server = Identity::read(server);
                }
                this.server_can = result.capabilities.map_or(Capabilities::UNKNOWN, Capabilities::read);
            }
            self.note_stale_probe(exchange, method);
        }
    }

    /// The `initialize` result: the revision is certain from here on, and for what came before.
    fn agreed(&mut self, session: u32, heard: &Heard<'_>, result: &Answer<'_>) {
        let agreed = result.version.and_then(|version| version.text());
        let revision = agreed.map_or(Name::NONE, |agreed| self.names.intern(&crate::mcp::one_line(&agreed, 80)));
        let this = &mut self.sessions[session as usize];
        this.server = result.server.and_then(Identity::read);
        this.server_can = result.capabilities.map_or(Capabilities::UNKNOWN, Capabilities::read);
        this.revision = revision;
        if let Some(scope) = heard.chan.session() {
            self.speakers.legacy.insert(scope, session);
        }
        let waiting = self.speakers.waiting.remove(&session).unwrap_or_default();
        for exchange in waiting.into_iter().filter(|_| !revision.is_none()) {
            let this = &mut self.exchanges[exchange as usize];
            (this.revision, this.era, this.certain) = (revision, Some(Era::Legacy), true);
            self.touch(exchange);
        }
    }

    /// A client that waits too long for its probe goes on with `initialize` (protocol.md 8.30).
    fn note_stale_probe(&mut self, exchange: u32, method: Name) {
        if method != self.words.discover {
            return;
        }
        let probe = &self.exchanges[exchange as usize];
        let chan = self.channels.get(probe.channel);
        let legacy = self.speakers.legacy.get(&chan.group());
        if legacy.is_some_and(|&session| self.sessions[session as usize].began > probe.request.seq) {
            self.remark(exchange, Remark::StaleProbe);
        }
    }
}

/// Whether a value differs from the one that was read last.
fn is_news(last: &mut u64, value: Option<Json<'_>>) -> bool {
    let now = value.map_or(1, |value| glance(value.raw()));
    std::mem::replace(last, now) != now
}

fn session_of(heard: &Heard<'_>, era: Era) -> Session {
    Session {
        era,
        channel: heard.chan.id,
        began: heard.at.seq,
        at: heard.began,
        initialize: None,
        client: None,
        server: None,
        client_can: Capabilities::UNKNOWN,
        server_can: Capabilities::UNKNOWN,
        requested: Name::NONE,
        revision: Name::NONE,
    }
}
