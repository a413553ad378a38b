//! TLS with clients: that of the listener, and of hosts which a forward proxy looks into. Certificates are
//! made and handshakes done by `transport`; here it is decided who is shown which.

use std::path::PathBuf;
use std::sync::Arc;

use super::StartError;
use super::client::Client;
use super::options::{Mode, Options, ServeTls};
use super::site::Site;
use super::tap::Tap;
use crate::engine::record::Flow;
use crate::engine::{clock, paths};
use crate::model::HttpEnd;
use crate::transport::http::{Authority, Serving, Stream, accept};
use crate::wire::http::Head;

/// What is needed for TLS with clients.
#[derive(Debug, Default)]
pub struct Identity {
    /// Vouches for hosts, and for the listener when it has no certificate of its own.
    authority: Option<Authority>,
    /// The listener's own certificate.
    own: Option<Serving>,
    serves_tls: bool,
}

impl Identity {
    /// Opens or makes what `options` ask for.
    pub fn of(options: &Options) -> Result<Self, StartError> {
        let decrypts = matches!(&options.mode, Mode::Forward { only } if !only.is_empty());
        let generates = options.serve_tls == ServeTls::Generated;
        let authority =
            if decrypts || generates { Some(Authority::open(&paths::authority()?, clock::wall())?) } else { None };
        let own = match &options.serve_tls {
            ServeTls::Files { certificate, key } => Some(Serving::from_files(certificate, key)?),
            ServeTls::No | ServeTls::Generated => None,
        };
        Ok(Self { authority, own, serves_tls: options.serve_tls != ServeTls::No })
    }

    /// The authority's certificate, for clients that take it beside what they trust.
    pub fn certificate(&self) -> Option<PathBuf> {
        self.authority.as_ref().map(Authority::certificate_path)
    }

    /// A file with everything that a client should trust, `also` included.
    pub fn bundle(&self, also: &[PathBuf]) -> Result<Option<PathBuf>, StartError> {
        Ok(self.authority.as_ref().map(|authority| authority.bundle(also)).transpose()?)
    }

    /// What the listener says to a new client, whom it may believe to be called `host`.
    pub async fn greet(&self, stream: Stream, host: &str) -> Option<Stream> {
        if !self.serves_tls {
            return Some(stream);
        }
        let config = match (&self.own, &self.authority) {
            (Some(own), _) => Arc::clone(&own.config),
            (None, Some(authority)) => authority.server_config(host, clock::wall()).ok()?,
            (None, None) => return None,
        };
        // Who does not want our certificate says so to its own user.
        accept(config, stream).await.ok()
    }

    /// Which files a client must be told to trust, in words; `None` when there is nothing to say.
    /// `SSL_CERT_FILE` replaces what a program trusts, and hosts that are not looked into keep their own
    /// certificates; so it gets everything.
    pub fn advice(&self, has_command: bool) -> Option<String> {
        let own = self.certificate().filter(|_| !has_command)?;
        let all = self.bundle(&[]).ok().flatten().unwrap_or_else(|| own.clone());
        Some(format!(
            "clients must trust midwire's authority: NODE_EXTRA_CA_CERTS={} (node), SSL_CERT_FILE={} (others)",
            own.display(),
            all.display()
        ))
    }
}

/// Serves a client that believes to speak TLS with `site`, for which it asked with `head`. There is no `stream`
/// when it had gone on without waiting for an answer.
pub async fn decrypt(tap: &Arc<Tap>, ip: String, stream: Option<Stream>, site: Arc<Site>, head: &Head) {
    let failed = |why: String| {
        let journal = tap.journal(head, head.target(), &ip);
        journal.head(Flow::Input, head.raw());
        journal.ended(Flow::Input);
        journal.over(HttpEnd::Failed, why);
    };
    let Some(authority) = &tap.identity.authority else { return };
    let config = match authority.server_config(&site.origin.host, clock::wall()) {
        Ok(config) => config,
        Err(error) => return failed(format!("failed to {error}")),
    };
    let Some(stream) = stream else {
        return failed("the client went on before it was told that it is connected".to_owned());
    };
    match accept(config, stream).await {
        Ok(stream) => Box::pin(Client::new(Arc::clone(tap), stream, ip.clone(), Some(site)).serve()).await,
        Err(error) => failed(error.to_string()),
    }
}
