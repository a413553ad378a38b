//! The pages of the window.

pub mod client;
pub mod server;
pub mod traffic;

/// A page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Page {
    /// Recordings.
    #[default]
    Traffic,
    /// Connections of the window's own client.
    Client,
    /// Servers that the window is itself.
    Server,
}
