//! The front on HTTP: Streamable HTTP in both shapes and HTTP+SSE, on our own reader and writer, since what is to be broken
//! on purpose must be broken exactly.

mod answer;
mod connection;
mod hall;
mod head;
mod listener;
mod outbox;
mod post;
mod refusal;
mod site;
mod stream;
mod streams;
mod wire;

pub use hall::{Ended, Hall};
pub use listener::{Bound, bind, serve};
pub use outbox::Part;
pub use site::Site;
