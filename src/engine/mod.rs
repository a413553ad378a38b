//! Joins wire, trace, store and transport: the tap and its recorder, and the live view of a folder of
//! recordings. The only module that reads the clock.

pub mod bridge;
pub mod client;
pub mod clock;
pub mod demo;
mod desk;
pub mod doctor;
mod doors;
pub mod hosts;
pub mod imitation;
pub mod jsonl;
mod live;
pub mod paths;
pub mod project;
pub mod proxy;
pub mod record;
mod remote;
pub mod serve;
pub mod tap;

pub use record::Say;

pub use live::{Handle, is_hidden, listings, transcript, view};
