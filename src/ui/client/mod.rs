//! What the Client page knows of its connections: fed by [`ClientEvent`](crate::engine::view::ClientEvent)s, emptied
//! of commands once a frame. Nothing here draws, waits or reads a file.

pub mod answer;
pub mod attendant;
pub mod behaviour;
pub mod bench;
pub mod call;
pub mod chain;
pub mod compare;
pub mod connection;
pub mod errand;
pub mod item;
pub mod keeping;
pub mod options;
pub mod params;
pub mod reconnect;
pub mod servers;
pub mod subject;
pub mod variables;
pub mod wish;

pub use bench::Bench;
pub use call::CallRecord;
pub use connection::{Connection, Standing};
pub use errand::{Errand, Shown};
pub use reconnect::Reconnect;
pub use subject::Subject;
pub use wish::Wish;
