//! Whom to trust, and who to be, where TLS is spoken to a server: what the user set, and the files it
//! names.

use std::path::{Path, PathBuf};

use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use super::connect_error::ConnectError;

/// What the user set for TLS to servers. The system's certificates are trusted besides.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trust {
    /// Files with certificates of authorities that are trusted too (PEM).
    pub ca: Vec<PathBuf>,
    /// Our own certificate and its key (PEM), for servers that ask for one.
    pub client: Option<(PathBuf, PathBuf)>,
    /// The SHA-256 of one certificate that is accepted whatever is wrong with it.
    pub fingerprint: Option<[u8; 32]>,
}

/// A certificate with those that vouch for it, and its key.
pub(super) type Identity = (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

impl Trust {
    /// The certificates in the files.
    pub(super) fn authorities(&self) -> Result<Vec<CertificateDer<'static>>, ConnectError> {
        let mut all = Vec::new();
        for path in &self.ca {
            all.extend(certificates("the certificates of an authority in", path)?);
        }
        Ok(all)
    }

    /// Our own certificate.
    pub(super) fn identity(&self) -> Result<Option<Identity>, ConnectError> {
        let Some((certificate, key)) = &self.client else { return Ok(None) };
        let chain = certificates("the client certificate in", certificate)?;
        let what = "the client certificate's key in";
        let key = PrivateKeyDer::from_pem_file(key).map_err(|fault| file(what, key, &fault, "key"))?;
        Ok(Some((chain, key)))
    }
}

pub(super) fn certificates(what: &'static str, path: &Path) -> Result<Vec<CertificateDer<'static>>, ConnectError> {
    let read = CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    match read {
        Ok(found) if found.is_empty() => Err(file(what, path, &pem::Error::NoItemsFound, "certificate")),
        Ok(found) => Ok(found),
        Err(fault) => Err(file(what, path, &fault, "certificate")),
    }
}

pub(super) fn file(what: &'static str, path: &Path, fault: &pem::Error, noun: &str) -> ConnectError {
    let why = match fault {
        pem::Error::Io(error) => error.to_string(),
        pem::Error::NoItemsFound => {
            format!("it holds no {noun} in PEM form (a block that begins with -----BEGIN); convert it with openssl")
        }
        fault => format!("it is damaged: {fault}"),
    };
    ConnectError::File { what, path: path.to_owned(), why }
}
