//! A server on HTTP, as if it were on stdio: messages go in and come out, and sessions, streams, their resumption, the
//! mirrored header fields and the fallback to HTTP+SSE are seen to. The bridge serves a host with it, and our own client
//! uses it itself. `machine` decides, `courier` carries.

mod carrier;
mod courier;
mod events;
mod inlet;
mod line;
mod machine;
mod refusal;
mod values;

pub use carrier::Carrier;
pub use courier::{Courier, News};
pub use line::Line;
pub use machine::{Do, Machine};
pub use refusal::Refusal;
