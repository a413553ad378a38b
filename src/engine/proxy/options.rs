//! What an HTTP tap is asked to do. Plain data; nothing is checked here.

use std::path::PathBuf;

use crate::transport::http::Trust;

/// What an HTTP tap is asked to do. Make one with [`Options::reverse`] or [`Options::forward`].
#[derive(Debug, Clone)]
pub struct Options {
    /// What to call the server in the list of recordings; otherwise its host's name.
    pub name: Option<String>,
    /// The folder for the recording; otherwise see [`paths::folder`](crate::engine::paths::folder).
    pub recordings: Option<PathBuf>,
    /// How many bytes of one entry are kept.
    pub max_entry: u64,
    /// Whether what looks like a secret is recorded.
    pub keep_secrets: bool,
    /// Whom it stands for.
    pub mode: Mode,
    /// The address and port to listen at, `127.0.0.1:0` for any free port.
    pub listen: String,
    /// Whether an address that others can reach may be listened at.
    pub allow_remote: bool,
    /// Further origins whose pages may use the tap, as browsers write them: `https://app.example.com`.
    pub allow_origins: Vec<String>,
    /// Whom to trust, and who to be, in TLS with servers.
    pub trust: Trust,
    /// Header fields added upstream and never recorded: credentials.
    pub headers: Vec<(String, String)>,
    /// Whether clients speak TLS with the tap.
    pub serve_tls: ServeTls,
    /// Set when this process is the one inside: who keeps it.
    pub keeper: Option<u32>,
    /// Whether a client is started with it, which is given what it needs.
    pub has_command: bool,
}

/// Whom an HTTP tap stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mode {
    /// For one server: clients are pointed at the tap instead of it.
    Reverse {
        /// The server's URL, with the path of its MCP endpoint.
        url: String,
    },
    /// For every server that a client asks for: the tap is the client's `HTTP_PROXY`.
    Forward {
        /// Hosts that are recorded, https decrypted; when empty, all plain HTTP is recorded and no https
        /// is decrypted.
        only: Vec<String>,
    },
}

/// Whether clients speak TLS with the tap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServeTls {
    /// They speak plain HTTP.
    No,
    /// With a certificate of midwire's local authority.
    Generated,
    /// With these files in PEM.
    Files {
        /// The certificate with its chain.
        certificate: PathBuf,
        /// Its private key.
        key: PathBuf,
    },
}

impl Options {
    /// A tap for the server at `url`, on a free port of this machine.
    pub fn reverse(url: impl Into<String>) -> Self {
        Self::with(Mode::Reverse { url: url.into() })
    }

    /// A forward proxy on a free port of this machine.
    pub fn forward(only: Vec<String>) -> Self {
        Self::with(Mode::Forward { only })
    }

    fn with(mode: Mode) -> Self {
        Self {
            name: None,
            recordings: None,
            max_entry: 64 << 20,
            keep_secrets: false,
            mode,
            listen: "127.0.0.1:0".to_owned(),
            allow_remote: false,
            allow_origins: Vec::new(),
            trust: Trust::default(),
            headers: Vec::new(),
            serve_tls: ServeTls::No,
            keeper: None,
            has_command: false,
        }
    }
}
