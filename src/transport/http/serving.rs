//! The TLS side of a listener: with which certificate it answers, and the handshake with a client. Where it
//! listens is decided elsewhere.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{AlertDescription, Error as TlsError, InvalidMessage, ServerConfig};
use thiserror::Error;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use super::certificate::fingerprint;
use super::connect_error::ConnectError;
use super::stream::Stream;
use super::trust;

/// How long a client may take for its handshake.
const PATIENCE: Duration = Duration::from_secs(15);

/// What a listener answers with.
#[derive(Debug, Clone)]
pub struct Serving {
    /// For [`accept`].
    pub config: Arc<ServerConfig>,
    /// The SHA-256 of the certificate, by which a client can be told to accept it.
    pub fingerprint: [u8; 32],
}

/// Why a certificate and a key cannot be served with; each fits after "failed to".
#[derive(Debug, Error)]
pub enum ServeError {
    /// One of the files cannot be read.
    #[error(transparent)]
    File(#[from] ConnectError),
    /// The key's file holds a key that only a passphrase opens.
    #[error(
        "read the key in {path:?}: it is encrypted, and no passphrase is asked for; decrypt it with \
             `openssl pkey -in {path:?} -out KEY.pem`"
    )]
    Encrypted {
        /// The file.
        path: PathBuf,
    },
    /// They do not belong together, or are of a kind that is not known.
    #[error("serve TLS with the certificate in {certificate:?} and the key in {key:?}: {why}")]
    Pair {
        /// The certificate's file.
        certificate: PathBuf,
        /// The key's file.
        key: PathBuf,
        /// What is wrong with them.
        why: String,
    },
}

impl Serving {
    /// With the certificate, and those that vouch for it, in one file, and its key in another, both in PEM.
    pub fn from_files(certificate: &Path, key: &Path) -> Result<Self, ServeError> {
        let chain = trust::certificates("the certificate in", certificate)?;
        let secret = read_key(key)?;
        let fingerprint = chain.first().map(|first| fingerprint(first)).unwrap_or_default();
        let config = config(chain, secret).map_err(|fault| ServeError::Pair {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
            why: pair(&fault),
        })?;
        Ok(Self { config, fingerprint })
    }
}

fn read_key(path: &Path) -> Result<PrivateKeyDer<'static>, ServeError> {
    let is_encrypted = |bytes: &[u8]| memchr::memmem::find(bytes, b"ENCRYPTED").is_some();
    PrivateKeyDer::from_pem_file(path).map_err(|fault| match std::fs::read(path) {
        Ok(bytes) if is_encrypted(&bytes) => ServeError::Encrypted { path: path.to_owned() },
        _ => trust::file("the key in", path, &fault, "key").into(),
    })
}

fn pair(fault: &TlsError) -> String {
    match fault {
        TlsError::InconsistentKeys(_) => {
            "the key belongs to another certificate; name the two files of one pair, and in the certificate's file let \
             the server's own stand first"
                .to_owned()
        }
        TlsError::InvalidCertificate(fault) => format!("the certificate cannot be read: {fault}"),
        fault => format!("{fault}; use an RSA, ECDSA or Ed25519 key"),
    }
}

/// A listener's settings: TLS 1.2 and 1.3, HTTP/1.1.
pub(super) fn config(
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
) -> Result<Arc<ServerConfig>, TlsError> {
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, key)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// Why a client and the listener did not agree on TLS, as a clause about the client.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AcceptError {
    /// It does not trust the certificate.
    #[error("the client does not trust the certificate ({0}); tell it to trust midwire's authority")]
    Untrusted(String),
    /// It closed the connection; some do so without a word when they do not trust the certificate.
    #[error("the client closed the connection during the TLS handshake; perhaps it does not trust the certificate")]
    Closed,
    /// It speaks something else.
    #[error("the client does not speak TLS there; use https:// in its URL")]
    NotTls,
    /// It speaks another protocol only, such as HTTP/2.
    #[error("the client does not offer HTTP/1.1")]
    NoHttp1,
    /// It says nothing.
    #[error("the client did not finish the TLS handshake in time")]
    Slow,
    /// Something else.
    #[error("the TLS handshake with the client failed: {0}")]
    Other(String),
}

/// Agrees on TLS with a client that has connected.
pub async fn accept(config: Arc<ServerConfig>, stream: Stream) -> Result<Stream, AcceptError> {
    let agreed = timeout(PATIENCE, TlsAcceptor::from(config).accept(stream)).await.map_err(|_| AcceptError::Slow)?;
    match agreed {
        Ok(agreed) => Ok(Stream::Tls(Box::new(agreed.into()))),
        Err(error) => Err(explain(&error)),
    }
}

fn explain(error: &io::Error) -> AcceptError {
    use AlertDescription as Alert;
    match error.get_ref().and_then(|inner| inner.downcast_ref()) {
        Some(TlsError::AlertReceived(
            alert @ (Alert::UnknownCA
            | Alert::BadCertificate
            | Alert::CertificateUnknown
            | Alert::UnsupportedCertificate),
        )) => AcceptError::Untrusted(format!("{alert:?}")),
        Some(TlsError::InvalidMessage(InvalidMessage::InvalidContentType)) => AcceptError::NotTls,
        Some(TlsError::NoApplicationProtocol) => AcceptError::NoHttp1,
        Some(fault) => AcceptError::Other(fault.to_string()),
        None if matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset) => {
            AcceptError::Closed
        }
        None => AcceptError::Other(error.to_string()),
    }
}
