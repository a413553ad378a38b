//! Whom to trust, and who to be, where TLS is spoken to a server.

use std::path::PathBuf;

/// What the user set for TLS to servers. The system's certificates are trusted besides.
#[derive(Debug, Clone, Default)]
pub struct Trust {
    /// Files with certificates of authorities that are trusted too (PEM).
    pub ca: Vec<PathBuf>,
    /// Our own certificate and its key (PEM), for servers that ask for one.
    pub client: Option<(PathBuf, PathBuf)>,
    /// The SHA-256 of one certificate that is accepted whatever is wrong with it.
    pub fingerprint: Option<[u8; 32]>,
}
