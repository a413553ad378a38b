//! A recording as a server: its calls, how a request finds the one that answers it, what is said where none does.
//! Answers as a [`Script`](crate::peer::server::Script). Reading recordings is the engine's.

mod call;
mod canon;
mod era;
mod loose;
mod matching;
mod near;
mod player;
mod seats;
mod session;
mod shelf;

pub use call::{Answered, Call, Outcome};
pub use matching::{MatchWay, Matching};
pub use player::Player;
pub use session::{By, Listing, Loose, LooseWhat, Session, nobody};

#[cfg(test)]
mod tests;
