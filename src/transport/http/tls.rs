//! TLS to servers: what is offered and trusted, and the handshake.

use std::sync::Arc;
use std::time::Duration;

use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::connect_error::{Cause, ConnectError, Step};
use super::stream::Stream;
use super::tls_fault::{handshake, identity};
use super::trust::{Identity, Trust};
use super::verifier::Verifier;

/// How long a handshake may take.
const PATIENCE: Duration = Duration::from_secs(15);

/// Speaks TLS to servers.
#[derive(Debug)]
pub(super) struct Tls {
    wants: Arc<Wants>,
    /// Made for the first server that is reached by TLS: the system's certificates take a while to read.
    offers: OnceCell<Result<Offers, String>>,
}

/// What the user wants.
#[derive(Debug)]
struct Wants {
    authorities: Vec<CertificateDer<'static>>,
    identity: Option<Identity>,
    fingerprint: Option<[u8; 32]>,
}

/// What is offered to servers, for each set of protocols.
#[derive(Debug)]
struct Offers {
    both: Arc<ClientConfig>,
    only_http1: Arc<ClientConfig>,
}

impl Tls {
    /// Reads the files that `trust` names.
    pub(super) fn new(trust: &Trust) -> Result<Self, ConnectError> {
        let (authorities, identity) = (trust.authorities()?, trust.identity()?);
        let wants = Wants { authorities, identity, fingerprint: trust.fingerprint };
        Ok(Self { wants: Arc::new(wants), offers: OnceCell::new() })
    }

    /// Agrees on TLS with the server `host`, and on HTTP/2 if `offers_http2` and the server likes it: then
    /// true is returned.
    pub(super) async fn secure(&self, stream: Stream, host: &str, offers_http2: bool) -> Result<(Stream, bool), Cause> {
        let offers = self.offers().await.map_err(|why| Cause::new(Step::Settings, why))?;
        let config = if offers_http2 { &offers.both } else { &offers.only_http1 };
        let name = ServerName::try_from(host.to_owned())
            .map_err(|_| Cause::new(Step::Tls, format!("{host:?} is not a name that a certificate could have")))?;
        let agreement = TlsConnector::from(Arc::clone(config)).connect(name, stream);
        let agreed = timeout(PATIENCE, agreement).await.map_err(|_| {
            let wait = PATIENCE.as_secs();
            Cause::new(Step::Tls, format!("the server did not answer in TLS within {wait} s; is this its https port?"))
        })?;
        let agreed = agreed.map_err(|error| Cause::new(Step::Tls, handshake(&error, host)))?;
        let is_http2 = agreed.get_ref().1.alpn_protocol() == Some(b"h2");
        Ok((Stream::Tls(Box::new(agreed.into())), is_http2))
    }

    async fn offers(&self) -> Result<&Offers, String> {
        let made = self.offers.get_or_init(async || {
            let wants = Arc::clone(&self.wants);
            spawn_blocking(move || wants.offers()).await.unwrap_or_else(|fault| Err(fault.to_string()))
        });
        made.await.as_ref().map_err(Clone::clone)
    }
}

impl Wants {
    fn offers(&self) -> Result<Offers, String> {
        let mut roots = RootCertStore::empty();
        // What the system has and cannot be read is missing from the trusted ones, which the error about
        // an unknown issuer says well enough.
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        roots.add_parsable_certificates(self.authorities.iter().cloned());
        let provider = Arc::new(ring::default_provider());
        let verifier = Verifier::new(roots, self.authorities.clone(), self.fingerprint, Arc::clone(&provider));
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|fault| fault.to_string())?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier));
        let mut both = match &self.identity {
            Some((chain, key)) => {
                builder.with_client_auth_cert(chain.clone(), key.clone_key()).map_err(|fault| identity(&fault))?
            }
            None => builder.with_no_client_auth(),
        };
        both.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let mut only_http1 = both.clone();
        only_http1.alpn_protocols.remove(0);
        Ok(Offers { both: Arc::new(both), only_http1: Arc::new(only_http1) })
    }
}
