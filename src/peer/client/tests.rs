//! What the machine does, as scripts: what goes in, and all that comes out of it.

mod asked;
mod calls;
mod legacy;
mod opening;
pub mod script;
