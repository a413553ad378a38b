//! What the machine does, as scripts: what goes in, and all that comes out of it.

mod asked;
mod calls;
mod core_tasks;
mod legacy;
mod listens;
mod lists;
mod opening;
mod rounds;
pub mod script;
mod tasks;
