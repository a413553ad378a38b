//! One connection of a run, and what is told on it.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender};

use super::request::asking;
use super::runner::Mail;
use crate::engine::client::{self, Options, Session, Way};
use crate::engine::record::Say;
use crate::model::Era;
use crate::peer::client::{CallId, Kind, Order, Peer, Reply, Settings, State, Told};
use crate::project::{Named, Ready};

/// A connection that stands.
pub(super) struct Seat {
    pub(super) session: Session,
    pub(super) number: usize,
    settings: Settings,
    over_http: bool,
    pub(super) peer: Option<Arc<Peer>>,
    /// Why it is over.
    pub(super) over: Option<String>,
    /// Whether the tools were listed, as header fields of calls come from their schemas.
    listed: bool,
}

impl Seat {
    pub(super) fn start(number: usize, options: Options, mail: SyncSender<Mail>, say: Say) -> Result<Self, String> {
        let (settings, over_http) = (options.settings.clone(), matches!(options.target.way, Way::Url { .. }));
        // Nobody listens any more once the run is over: then there is nothing to be told.
        let tell = Arc::new(move |happening| drop(mail.send(Mail::Happening(number, happening))));
        let session = client::start(options, tell, say).map_err(|error| error.to_string())?;
        Ok(Self { session, number, settings, over_http, peer: None, over: None, listed: false })
    }

    /// Notes what a seat must know.
    pub(super) fn see(&mut self, told: &Told) {
        match told {
            Told::State(State::Open(peer)) => self.peer = Some(Arc::clone(peer)),
            Told::State(State::Closed { why, .. }) => self.over = Some(why.clone()),
            _ => {}
        }
    }

    /// Whether the tools must be listed before a call, as a client over HTTP does in 2026-07-28: their schemas say
    /// which arguments stand in header fields too. Asks for them.
    pub(super) fn lists(&mut self, ready: &Ready, call: CallId) -> bool {
        let modern = self.peer.as_ref().is_some_and(|peer| peer.era == Era::Modern);
        let wanted = self.over_http && modern && ready.method == "tools/call" && !self.listed;
        self.listed |= wanted;
        wanted && self.session.order(Order::List(call, Kind::Tools))
    }

    /// Behaves for a call: what a saved answer is for is asked of us, and for anything else nobody is there.
    pub(super) fn behave(&self, answers: &Named<String>) {
        let mut settings = self.settings.clone();
        for reply in [&mut settings.sampling, &mut settings.elicitation] {
            if *reply == Reply::Ask {
                *reply = Reply::Decline;
            }
        }
        let settings = asking(&settings, answers).unwrap_or(settings);
        self.session.order(Order::Change(Arc::new(settings)));
    }
}

/// Ends connections in order. What is still told meanwhile finds somebody, or a session would wait for room.
pub(super) fn leave(seats: Vec<Seat>, news: Receiver<Mail>, hurry: bool) {
    let drain = std::thread::Builder::new().name("drain".to_owned()).spawn(move || for _ in news {});
    for seat in &seats {
        if hurry {
            seat.session.hurry();
        }
    }
    drop(seats);
    // Without the thread the receiver is gone, and nobody waits.
    drop(drain);
}
