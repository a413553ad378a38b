//! The nouns: plain data that every other module speaks of. No I/O, no parsing, nothing serialised.

mod channel;
mod entry;
mod id;
mod lifecycle;
mod recording;
mod revision;
mod side;

pub use channel::{Channel, ChannelId, Transport};
pub use entry::{Entry, EntryKind, Flags, Nanos, Seq};
pub use id::Id;
pub use lifecycle::{HttpEnd, Lifecycle, StopReason};
pub use recording::{Host, Recording, Role};
pub use revision::{Era, Revision};
pub use side::Side;
