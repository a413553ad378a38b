//! Sessions of HTTP that were assigned, ended and lost: what a client does with its session id
//! afterwards (protocol.md 3.3, report T-48).

use super::Trace;
use super::http_remark::HttpRemark;
use super::recent::Recent;
use super::scope::Scope;
use crate::model::{ChannelId, Nanos, Seq, Side};

/// What is remembered of sessions.
#[derive(Debug, Default)]
pub(super) struct Losses {
    /// Sessions that are over.
    over: Recent<Scope, Loss>,
    /// By client: the sessions that it lost and has not replaced.
    waiting: Recent<Scope, Vec<Scope>>,
    /// By client and place: the response that assigned a session.
    assigned: Recent<(Scope, u64), Seq>,
}

/// A session that is over.
#[derive(Debug, Clone, Copy)]
struct Loss {
    /// The head of the response that said so.
    seq: Seq,
    /// The channel of that response.
    channel: ChannelId,
    /// Whether its client had ended it.
    ended: bool,
}

/// The most sessions of each kind that are remembered.
const MOST: usize = 4096;
/// The most sessions that one client may have lost at one time.
const MOST_WAITING: usize = 64;

impl Losses {
    /// A session was assigned to a client.
    pub(super) fn assigned(&mut self, group: Scope, place: u64, seq: Seq) {
        self.assigned.put((group, place), seq, MOST);
    }

    /// Where a client was given a session for this place.
    pub(super) fn was_assigned(&self, group: Scope, place: u64) -> Option<Seq> {
        self.assigned.get(&(group, place)).copied()
    }

    /// Whether a session is over since this head of a response.
    pub(super) fn is_over_since(&self, session: Scope, head: Seq) -> bool {
        self.over.get(&session).is_some_and(|loss| loss.seq == head)
    }
}

impl Trace {
    /// The server answered 404 to a request with a session id.
    pub(super) fn session_unknown(&mut self, channel: ChannelId, seq: Seq) {
        let chan = self.channels.get(channel);
        let Some(session) = chan.session() else { return };
        let sent = self.https.of(channel).map_or(0, |http| http.request);
        let remark = match self.losses.over.get(&session) {
            Some(loss) if loss.ended => HttpRemark::SessionEnded(loss.seq),
            Some(loss) if loss.seq < sent => HttpRemark::SessionGoesOn(loss.seq),
            Some(loss) => HttpRemark::SessionLostToo(loss.seq),
            None => {
                self.losses.over.put(session, Loss { seq, channel, ended: false }, MOST);
                let mut waiting = self.losses.waiting.remove(&chan.group()).unwrap_or_default();
                waiting.truncate(MOST_WAITING);
                waiting.push(session);
                self.losses.waiting.put(chan.group(), waiting, MOST);
                HttpRemark::SessionLost { again: None }
            }
        };
        self.remark_http(channel, remark);
    }

    /// The server accepted a DELETE with a session id.
    pub(super) fn session_deleted(&mut self, channel: ChannelId, seq: Seq) {
        let chan = self.channels.get(channel);
        if let Some(session) = chan.session() {
            self.losses.over.put(session, Loss { seq, channel, ended: true }, MOST);
        }
    }

    /// The server serves a session: so it is not lost.
    pub(super) fn session_served(&mut self, channel: ChannelId) {
        if !self.losses.over.is_empty()
            && let Some(session) = self.channels.get(channel).session()
        {
            self.losses.over.remove(&session);
        }
    }

    /// A client begins anew: it has seen that its session is lost (HL-006).
    pub(super) fn session_renewed(&mut self, channel: ChannelId, seq: Seq) {
        let group = self.channels.get(channel).group();
        for session in self.losses.waiting.remove(&group).unwrap_or_default() {
            let Some(loss) = self.losses.over.get(&session) else { continue };
            let Some(number) = self.https.number(loss.channel) else { continue };
            for remark in self.https.remarks_mut(number) {
                if let HttpRemark::SessionLost { again } = remark {
                    again.get_or_insert(seq);
                }
            }
            self.touch_http(number);
        }
    }

    /// What is in flight in a session gets no answer any more.
    pub(super) fn session_over(&mut self, session: Scope, at: Nanos, why: &'static str) {
        for side in [Side::Client, Side::Server] {
            let open = self.flights.in_flight(session, side);
            let open: Vec<u32> = open.into_iter().flatten().copied().filter(|one| !self.may_settle(*one)).collect();
            for exchange in open {
                self.give_up_one(exchange, at, why);
            }
        }
    }

    /// Whether the HTTP request of an exchange is open, so that its own response will tell how it ends.
    fn may_settle(&self, exchange: u32) -> bool {
        let this = &self.exchanges[exchange as usize];
        let chan = self.channels.get(this.channel);
        this.side == Side::Client && !chan.over_sse && self.https.open(this.channel).is_some()
    }
}
