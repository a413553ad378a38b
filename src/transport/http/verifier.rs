//! Judging a server's certificate: by the authorities that are trusted, except for the one certificate
//! that the user accepts by its fingerprint.

use std::fmt;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, DigitallySignedStruct, Error, OtherError, RootCertStore, SignatureScheme};

use super::certificate::{Certificate, fingerprint};

/// Judges certificates.
#[derive(Debug)]
pub(super) struct Verifier {
    /// `None` when no authority is trusted at all.
    judge: Option<Arc<WebPkiServerVerifier>>,
    /// Certificates that the user gave as authorities.
    given: Vec<CertificateDer<'static>>,
    accepted: Option<[u8; 32]>,
    provider: Arc<CryptoProvider>,
}

/// Why a certificate is not accepted, with what is known of it.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) fault: Error,
    pub(super) certificate: Certificate,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fault.fmt(f)
    }
}

impl std::error::Error for Refusal {}

impl Verifier {
    pub(super) fn new(
        roots: RootCertStore,
        given: Vec<CertificateDer<'static>>,
        accepted: Option<[u8; 32]>,
        provider: Arc<CryptoProvider>,
    ) -> Self {
        // It fails without any root, and only then.
        let judge = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider)).build().ok();
        Self { judge, given, accepted, provider }
    }

    fn judge(
        &self,
        certificate: &CertificateDer<'_>,
        chain: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        now: UnixTime,
    ) -> Result<(), Error> {
        let Some(judge) = &self.judge else {
            return Err(CertificateError::UnknownIssuer.into());
        };
        let judged = judge.verify_server_cert(certificate, chain, name, &[], now).map(|_| ());
        // A certificate that openssl has signed by itself calls itself an authority by default, which an
        // end of a connection may not be. The user gave it by name, and its dates were looked at before.
        if judged.as_ref().is_err_and(is_authority_itself) && self.given.iter().any(|given| given == certificate) {
            return verify_server_name(&ParsedCertificate::try_from(certificate)?, name);
        }
        judged
    }
}

/// Whether a certificate was refused for being that of an authority, and for nothing before that.
fn is_authority_itself(fault: &Error) -> bool {
    matches!(fault, Error::InvalidCertificate(CertificateError::Other(OtherError(other)))
        if other.to_string() == "CaUsedAsEndEntity")
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        chain: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        _ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if self.accepted.is_some_and(|accepted| accepted == fingerprint(certificate)) {
            return Ok(ServerCertVerified::assertion());
        }
        self.judge(certificate, chain, name, now).map(|()| ServerCertVerified::assertion()).map_err(|fault| {
            let refusal = Refusal { fault, certificate: Certificate::read(certificate) };
            CertificateError::Other(OtherError(Arc::new(refusal))).into()
        })
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
