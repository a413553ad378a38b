//! Our own client at work: carries what `peer::client` decides to a server on stdio or HTTP, records it like any other
//! traffic, and tells what happens.

mod target;

pub use target::{Base, Environment, Target, Way};
