//! Certificates for tests: an authority that nobody trusts by itself, and what it signs.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore, ServerConfig};

/// An authority.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    /// A new one.
    pub fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, "authority of a test");
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("an authority"))
    }

    /// Writes its certificate into a folder, for `--ca`.
    pub fn write(&self, folder: &Path) -> PathBuf {
        let path = folder.join("authority.pem");
        fs::write(&path, self.0.pem()).expect("a file");
        path
    }

    /// Its certificate.
    pub fn pem(&self) -> String {
        self.0.pem()
    }

    /// What a server shows that has one of these names, until the end of `year`.
    pub fn issue(&self, names: &[&str], year: i32) -> Identity {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(names).expect("names");
        params.not_before = date_time_ymd(2020, 1, 1);
        params.not_after = date_time_ymd(year, 12, 31);
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.0).expect("a certificate");
        Identity { certificate: certificate.pem(), key: key.serialize_pem() }
    }

    /// How a client trusts it.
    pub fn trusted(&self) -> ClientConfig {
        trusting(self.0.pem().as_bytes())
    }
}

/// A certificate and its key, in PEM.
pub struct Identity {
    /// The certificate.
    pub certificate: String,
    /// Its key.
    pub key: String,
}

impl Identity {
    /// Signed by itself.
    pub fn self_signed(name: &str) -> Self {
        let made = rcgen::generate_simple_self_signed(vec![name.to_owned()]).expect("a certificate");
        Self { certificate: made.cert.pem(), key: made.signing_key.serialize_pem() }
    }

    /// How a server shows it.
    pub fn served(&self) -> ServerConfig {
        let chain = chain(self.certificate.as_bytes());
        let key = PrivateKeyDer::from_pem_slice(self.key.as_bytes()).expect("a key");
        let builder = ServerConfig::builder_with_provider(provider()).with_safe_default_protocol_versions();
        builder.expect("versions").with_no_client_auth().with_single_cert(chain, key).expect("a pair")
    }
}

/// A client that trusts the certificates of a PEM file and no other.
pub fn trusting(pem: &[u8]) -> ClientConfig {
    let mut roots = RootCertStore::empty();
    chain(pem).into_iter().for_each(|certificate| roots.add(certificate).expect("an authority"));
    let builder = ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions();
    builder.expect("versions").with_root_certificates(roots).with_no_client_auth()
}

fn chain(pem: &[u8]) -> Vec<CertificateDer<'static>> {
    CertificateDer::pem_slice_iter(pem).map(|one| one.expect("a certificate")).collect()
}

fn provider() -> Arc<rustls::crypto::CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}
