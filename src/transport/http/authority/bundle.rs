//! One file with everything that a program shall trust, for those that take one file instead of what the
//! system trusts.

use std::collections::HashSet;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use sha2::{Digest, Sha256};

use super::AuthorityError;
use super::files::Folder;

/// Writes the file and says where it is. Its name depends on what is in it, so that two taps which trust
/// different ones have two files.
pub(super) fn write(
    folder: &Folder,
    own: &CertificateDer<'static>,
    also: &[PathBuf],
) -> Result<PathBuf, AuthorityError> {
    let system = rustls_native_certs::load_native_certs().certs.into_iter();
    let also = also.iter().flat_map(|path| CertificateDer::pem_file_iter(path).into_iter().flatten().flatten());
    // A system's file and its folder hold the same ones, and programs read all of it when they start.
    let mut seen = HashSet::new();
    let mut text = String::new();
    for certificate in [own.clone()].into_iter().chain(system).chain(also) {
        if seen.insert(Sha256::digest(&certificate)) {
            text.push_str(&pem(&certificate));
        }
    }
    let digest = Sha256::digest(text.as_bytes());
    let name = format!("trusted-{:02x}{:02x}{:02x}{:02x}.pem", digest[0], digest[1], digest[2], digest[3]);
    folder.replace(&name, text.as_bytes(), false)?;
    Ok(folder.path(&name))
}

/// A certificate as text.
pub(super) fn pem(certificate: &CertificateDer<'_>) -> String {
    let encoded = STANDARD.encode(certificate);
    let mut text = String::with_capacity(encoded.len() + encoded.len() / 64 + 60);
    text.push_str("-----BEGIN CERTIFICATE-----\n");
    let mut rest = encoded.as_str();
    while !rest.is_empty() {
        let (line, more) = rest.split_at(rest.len().min(64));
        text.push_str(line);
        text.push('\n');
        rest = more;
    }
    text.push_str("-----END CERTIFICATE-----\n");
    text
}
