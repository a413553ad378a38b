//! Our own roles in the protocol, as state machines: bytes and a time go in, what is to be done comes out.
//! No I/O, no clock, no threads; `engine` carries for them.

pub mod client;
mod edit;
pub mod server;
