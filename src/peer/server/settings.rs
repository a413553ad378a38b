//! How a server is to behave, whatever it has its answers from.

use crate::model::{Nanos, Revision};

/// Which requests a person answers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ByHand {
    /// None, unless [`MissPolicy::ByHand`].
    #[default]
    Nothing,
    /// Those with these methods; `tools/call NAME` means calls of that tool.
    Methods(Vec<String>),
    /// All but the protocol's own: handshake, ping, lists, levels, subscriptions, tasks.
    Calls,
    /// All.
    Everything,
}

/// What is done about a request for which the script has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MissPolicy {
    /// It is answered with an error that names the nearest.
    #[default]
    Error,
    /// A person answers it.
    ByHand,
    /// The real server is asked, and what it says is learnt.
    Pass,
}

/// How [`super::Step::Wait`] is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pace {
    /// As it says.
    #[default]
    Recorded,
    /// So many thousandths of it: 500 is twice as fast.
    Scaled(u32),
    /// As it says, but no longer than this.
    Capped(Nanos),
    /// Not at all.
    None,
}

impl Pace {
    /// How long this span takes.
    pub fn of(self, span: Nanos) -> Nanos {
        match self {
            Self::Recorded => span,
            Self::Scaled(thousandths) => (span / 1_000).saturating_mul(i64::from(thousandths)),
            Self::Capped(most) => span.min(most),
            Self::None => 0,
        }
    }
}

/// How a server is to behave.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// Only these revisions of those that the script speaks; empty: all.
    pub revisions: Vec<Revision>,
    /// Which requests a person answers.
    pub by_hand: ByHand,
    /// What is done about a miss.
    pub miss: MissPolicy,
    /// How waits are taken.
    pub pace: Pace,
    /// How long the client may take to answer what it is asked, and to come back with a round of MRTR; `None`: five
    /// minutes.
    pub patience: Option<Nanos>,
    /// Whether a `requestState` of MRTR is good for one retry only.
    pub single_use: bool,
}
