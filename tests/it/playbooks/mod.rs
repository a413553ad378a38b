//! Playbooks: conversations as text, and what the trace says of them.

pub mod consistent;
mod http;
mod http_links;
mod http_modern;
mod http_old;
mod http_sessions;
mod http_streams;
pub mod notation;
pub mod told;

mod frames;
mod ids;
mod links;
mod random;
mod reference;
mod time;

/// Plays a script and tells the trace.
fn told(script: &str) -> String {
    told::told(&notation::play(script))
}
