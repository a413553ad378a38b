//! A local certificate authority: it vouches for whatever host the tap stands for, towards clients that
//! were told to trust it. Its key lies in a folder that only the user can read; nothing is ever installed.
//! Which hosts it is asked for, and who is told to trust it, is decided elsewhere.

mod bundle;
mod files;
mod leaves;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use memchr::memmem;
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, PKCS_ECDSA_P256_SHA256, SerialNumber,
};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::certificate::fingerprint;
use crate::model::Nanos;
use files::Folder;
use leaves::Leaves;

/// The file with key and certificate; for the user alone.
const SECRET: &str = "authority.pem";
/// The file with the certificate, for clients.
const CERTIFICATE: &str = "authority-certificate.pem";
/// What stands before the time, in seconds since 1970, up to which the authority is valid.
const UNTIL: &str = "midwire's local authority; keep this file to yourself. Valid until: ";

const DAY: u64 = 24 * 60 * 60;
/// How long a new authority is valid: a person may have told a client to trust it by hand.
const VALID: u64 = 10 * 365 * DAY;
/// What it must have left to be used; then a new one takes its place.
const LEAST: u64 = 2 * DAY;

/// Why the authority cannot be used; each fits after "failed to".
#[derive(Debug, Error)]
pub enum AuthorityError {
    /// Its files cannot be read or written.
    #[error("keep the local authority's files in {path:?}: {source}; choose a folder that you can write to")]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// What was wrong.
        source: std::io::Error,
    },
    /// Its file is not what was once written.
    #[error("read the local authority in {path:?}: {why}; remove the file, and a new authority is made")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A certificate cannot be made.
    #[error("make a certificate for {host:?}: {why}")]
    Make {
        /// Whom it was for.
        host: String,
        /// What was wrong.
        why: String,
    },
}

/// The authority.
#[derive(Debug)]
pub struct Authority {
    folder: Folder,
    certificate: CertificateDer<'static>,
    leaves: Leaves,
}

impl Authority {
    /// Opens the authority in a folder, or makes one there. When two processes do so at once, both get the
    /// same. An authority that is about to expire is replaced.
    pub fn open(folder: &Path, now: Nanos) -> Result<Self, AuthorityError> {
        let folder = Folder::open(folder)?;
        let now = seconds(now);
        let found = match folder.read(SECRET)? {
            Some(text) => Kept::read(&text, &folder.path(SECRET))?,
            None => folder.keep_first(SECRET, Kept::make(now)?.text.as_bytes(), Kept::read)?,
        };
        let kept = if found.until < now + LEAST {
            let new = Kept::make(now)?;
            folder.replace(SECRET, new.text.as_bytes(), true)?;
            new
        } else {
            found
        };
        folder.replace(CERTIFICATE, bundle::pem(&kept.certificate).as_bytes(), false)?;
        let leaves = Leaves::new(Issuer::new(parameters(&kept.key), kept.key), kept.until)?;
        Ok(Self { folder, certificate: kept.certificate, leaves })
    }

    /// The file with the authority's certificate, for `NODE_EXTRA_CA_CERTS`.
    pub fn certificate_path(&self) -> PathBuf {
        self.folder.path(CERTIFICATE)
    }

    /// The SHA-256 of the authority's certificate.
    pub fn fingerprint(&self) -> [u8; 32] {
        fingerprint(&self.certificate)
    }

    /// A file with the certificates that the system trusts, those in the files `also`, and the authority's:
    /// for `SSL_CERT_FILE` and `REQUESTS_CA_BUNDLE`, which replace what a program trusts. Reading the
    /// system's takes some milliseconds, and a file of `also` that cannot be read is left out.
    pub fn bundle(&self, also: &[PathBuf]) -> Result<PathBuf, AuthorityError> {
        bundle::write(&self.folder, &self.certificate, also)
    }

    /// What a listener shows to a client that wants to speak with `host`, a name or an address: a
    /// certificate for it, HTTP/1.1 only. One of this machine's own names is given all of them.
    pub fn server_config(&self, host: &str, now: Nanos) -> Result<Arc<ServerConfig>, AuthorityError> {
        self.leaves.config(host, seconds(now))
    }
}

/// What lies in the authority's file.
struct Kept {
    text: String,
    certificate: CertificateDer<'static>,
    key: KeyPair,
    /// Up to when it is valid, in seconds since 1970.
    until: u64,
}

impl Kept {
    fn make(now: u64) -> Result<Self, AuthorityError> {
        let broken = |fault: rcgen::Error| make_fault("the local authority", fault.to_string());
        let key = KeyPair::generate().map_err(broken)?;
        let mut parameters = parameters(&key);
        let until = now + VALID;
        valid(&mut parameters, now.saturating_sub(2 * DAY), until);
        parameters.serial_number = Some(serial()?);
        let made = parameters.self_signed(&key).map_err(broken)?;
        let text = format!("{UNTIL}{until}\n{}{}", bundle::pem(made.der()), key.serialize_pem());
        Ok(Self { text, certificate: made.into(), key, until })
    }

    fn read(bytes: &[u8], path: &Path) -> Result<Self, AuthorityError> {
        let damaged = |why| AuthorityError::Damaged { path: path.to_owned(), why };
        let text = String::from_utf8_lossy(bytes).into_owned();
        let until = text.lines().find_map(|line| line.strip_prefix(UNTIL)?.trim().parse().ok());
        let until = until.ok_or_else(|| damaged("it does not say how long it is valid"))?;
        let certificate =
            CertificateDer::from_pem_slice(bytes).map_err(|_| damaged("it holds no certificate that can be read"))?;
        let key = PrivatePkcs8KeyDer::from_pem_slice(bytes).map_err(|_| damaged("it holds no key"))?;
        let key = KeyPair::from_pkcs8_der_and_sign_algo(&key, &PKCS_ECDSA_P256_SHA256)
            .map_err(|_| damaged("its key cannot be read"))?;
        if memmem::find(&certificate, key.public_key_raw()).is_none() {
            return Err(damaged("its key belongs to another certificate"));
        }
        Ok(Self { text, certificate, key, until })
    }
}

/// What an authority with this key is: its name tells it from others of its kind, and it may vouch for
/// servers only, and for no further authorities.
fn parameters(key: &KeyPair) -> CertificateParams {
    let digest = Sha256::digest(key.public_key_raw());
    let mut name = DistinguishedName::new();
    name.push(DnType::OrganizationName, "midwire");
    name.push(
        DnType::CommonName,
        format!("midwire local authority {:02x}{:02x}{:02x}", digest[0], digest[1], digest[2]),
    );
    let mut parameters = CertificateParams::default();
    parameters.distinguished_name = name;
    parameters.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    parameters.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    parameters.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    parameters
}

/// Says from when to when a certificate is valid, in seconds since 1970.
fn valid(parameters: &mut CertificateParams, from: u64, until: u64) {
    let start = rcgen::date_time_ymd(1970, 1, 1);
    parameters.not_before = start + Duration::from_secs(from);
    parameters.not_after = start + Duration::from_secs(until);
}

/// A number that no other certificate has; two with one number are refused by browsers.
fn serial() -> Result<SerialNumber, AuthorityError> {
    let mut bytes = [0; 16];
    let random = rustls::crypto::ring::default_provider().secure_random;
    random.fill(&mut bytes).map_err(|_| make_fault("anyone", "the system gives no random numbers".to_owned()))?;
    bytes[0] = bytes[0] & 0x7F | 0x40;
    Ok(SerialNumber::from_slice(&bytes))
}

fn make_fault(host: &str, why: String) -> AuthorityError {
    AuthorityError::Make { host: host.to_owned(), why }
}

/// Whole seconds since 1970, up to the year 5000: certificates have four digits for it.
fn seconds(now: Nanos) -> u64 {
    u64::try_from(now / 1_000_000_000).unwrap_or_default().min(95_617_584_000)
}

#[cfg(test)]
mod tests;
