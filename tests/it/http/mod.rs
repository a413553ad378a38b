//! The HTTP tap: the real binary between a scripted client and a scripted server, both of which speak in
//! raw bytes. What the client and the server see must be what they would see without the tap, and the
//! recording must hold it.

pub mod message;
pub mod recorded;
pub mod socket;
pub mod tap;
pub mod tls;
pub mod upstream;

mod bodies;
mod bridge;
mod bridged;
mod certificates;
mod doors;
mod endings;
mod events;
mod forward;
mod ids;
mod passing;
mod places;
