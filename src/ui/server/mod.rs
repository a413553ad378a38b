//! What the Server page knows: the servers of this window and what they were asked, mirrored from events, and what is
//! being filled in to start one. No egui in it.

mod asked;
mod client;
pub mod reply;
mod serving;
mod stand;
pub mod wish;

pub use asked::{Asked, Fate};
pub use client::Client;
pub use serving::{Serving, Standing, Word};
pub use stand::Stand;
pub use wish::Wish;
