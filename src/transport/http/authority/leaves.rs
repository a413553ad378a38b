//! Certificates for hosts, made when they are asked for and kept for a while.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use rcgen::{
    CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, Issuer, KeyPair, KeyUsagePurpose, SanType,
};
use rustls::ServerConfig;
use rustls::pki_types::{PrivatePkcs8KeyDer, ServerName};

use super::{AuthorityError, DAY, make_fault, serial, valid};
use crate::transport::http::serving::config;

/// How long a certificate is valid. Clients take none of more than 397 days.
const VALID: u64 = 30 * DAY;
/// What it must have left to be shown once more.
const LEAST: u64 = DAY;
/// For how many hosts certificates are kept.
const MOST: usize = 128;

/// The longest common name that a certificate may have; longer hosts are named as alternatives only.
const LONGEST_NAME: usize = 64;

/// The certificates, and what they are made with.
#[derive(Debug)]
pub(super) struct Leaves {
    issuer: Issuer<'static, KeyPair>,
    /// Up to when the issuer is valid, in seconds since 1970.
    until: u64,
    /// One key for all of them; it is made anew by each process and never leaves it.
    key: KeyPair,
    /// The one that was asked for last stands last.
    kept: Mutex<Vec<Leaf>>,
}

#[derive(Debug)]
struct Leaf {
    host: String,
    until: u64,
    config: Arc<ServerConfig>,
}

impl Leaves {
    pub(super) fn new(issuer: Issuer<'static, KeyPair>, until: u64) -> Result<Self, AuthorityError> {
        let key = KeyPair::generate().map_err(|fault| make_fault("any host", fault.to_string()))?;
        Ok(Self { issuer, until, key, kept: Mutex::default() })
    }

    /// What to show for a host.
    pub(super) fn config(&self, host: &str, now: u64) -> Result<Arc<ServerConfig>, AuthorityError> {
        let host = host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.').to_ascii_lowercase();
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = kept.iter().position(|leaf| leaf.host == host) {
            let leaf = kept.remove(at);
            if leaf.until >= now + LEAST {
                let config = Arc::clone(&leaf.config);
                kept.push(leaf);
                return Ok(config);
            }
        }
        let until = (now + VALID).min(self.until);
        let config = self.make(&host, now, until)?;
        if kept.len() == MOST {
            kept.remove(0);
        }
        kept.push(Leaf { host, until, config: Arc::clone(&config) });
        Ok(config)
    }

    fn make(&self, host: &str, now: u64, until: u64) -> Result<Arc<ServerConfig>, AuthorityError> {
        let broken = |why: String| make_fault(host, why);
        let mut name = DistinguishedName::new();
        name.push(DnType::OrganizationName, "midwire");
        if host.len() <= LONGEST_NAME {
            name.push(DnType::CommonName, host);
        }
        let mut parameters = CertificateParams::default();
        parameters.distinguished_name = name;
        parameters.subject_alt_names = names(host)?;
        parameters.serial_number = Some(serial()?);
        valid(&mut parameters, now.saturating_sub(DAY), until);
        parameters.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        parameters.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        parameters.use_authority_key_identifier_extension = true;
        let made = parameters.signed_by(&self.key, &self.issuer).map_err(|fault| broken(fault.to_string()))?;
        let key = PrivatePkcs8KeyDer::from(self.key.serialized_der().to_vec());
        config(vec![made.into()], key.into()).map_err(|fault| broken(fault.to_string()))
    }
}

/// The names that a host's certificate is for.
fn names(host: &str) -> Result<Vec<SanType>, AuthorityError> {
    let bad = || make_fault(host, "it is no name of a host, and no address".to_owned());
    let own = ["localhost", "127.0.0.1", "::1"];
    let wanted = if own.contains(&host) { &own[..] } else { &[host][..] };
    let name = |host: &&str| match (host.parse::<IpAddr>(), ServerName::try_from(*host)) {
        (Ok(address), _) => Ok(SanType::IpAddress(address)),
        (_, Ok(ServerName::DnsName(name))) => name.as_ref().try_into().map(SanType::DnsName).map_err(|_| bad()),
        _ => Err(bad()),
    };
    wanted.iter().map(name).collect()
}
