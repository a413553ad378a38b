//! What went wrong with TLS, in words that say what to do.

use std::io;

use jiff::Timestamp;
use rustls::pki_types::UnixTime;
use rustls::{AlertDescription, CertificateError, Error, InvalidMessage, OtherError};

use super::certificate::{Certificate, fingerprint_text};
use super::connect_error::plainly;
use super::verifier::Refusal;

/// Why the handshake with `host` failed.
pub(super) fn handshake(error: &io::Error, host: &str) -> String {
    match inside(error) {
        Some(fault) => explain(fault, host),
        None if error.kind() == io::ErrorKind::UnexpectedEof => {
            "the server closed the connection during the handshake; is this its https port, and does it know the name \
             that it was asked for?"
                .to_owned()
        }
        None => format!("the connection broke during the handshake: {}; is this its https port?", plainly(error)),
    }
}

/// What a server has against us, where it says so only after the handshake (TLS 1.3).
pub(super) fn later(error: &io::Error) -> Option<String> {
    match inside(error)? {
        Error::AlertReceived(alert) => Some(alerted(*alert)),
        fault => Some(fault.to_string()),
    }
}

/// Why our own certificate cannot be used.
pub(super) fn identity(fault: &Error) -> String {
    format!("the client certificate and its key cannot be used together: {fault}; check that they are a pair")
}

fn inside(error: &io::Error) -> Option<&Error> {
    error.get_ref()?.downcast_ref()
}

fn explain(fault: &Error, host: &str) -> String {
    match fault {
        Error::InvalidCertificate(CertificateError::Other(OtherError(other))) => {
            match other.downcast_ref::<Refusal>() {
                Some(refusal) => refused(refusal, host),
                None => format!("the server's certificate is not accepted: {other}"),
            }
        }
        Error::AlertReceived(alert) => alerted(*alert),
        Error::InvalidMessage(InvalidMessage::InvalidContentType) => {
            "the server does not speak TLS there; use http:// instead of https://, or check the port".to_owned()
        }
        fault => format!("{fault}; is this the server's https port?"),
    }
}

/// The server ended it, and says why in one word.
fn alerted(alert: AlertDescription) -> String {
    match alert {
        AlertDescription::CertificateRequired => {
            "the server asks for a client certificate; give it one with --client-cert FILE and --client-key FILE"
                .to_owned()
        }
        AlertDescription::BadCertificate
        | AlertDescription::UnknownCA
        | AlertDescription::CertificateUnknown
        | AlertDescription::CertificateExpired
        | AlertDescription::CertificateRevoked
        | AlertDescription::UnsupportedCertificate
        | AlertDescription::AccessDenied => {
            format!(
                "the server does not accept the client certificate ({alert:?}); give it another one with --client-cert and --client-key"
            )
        }
        AlertDescription::UnrecognisedName => {
            "the server knows no site by this name; use the name that it is configured for".to_owned()
        }
        AlertDescription::ProtocolVersion => {
            "the server speaks neither TLS 1.2 nor TLS 1.3; nothing older is spoken here".to_owned()
        }
        AlertDescription::HandshakeFailure => {
            "the server found nothing in common to speak, or wants a client certificate (HandshakeFailure)".to_owned()
        }
        alert => format!("the server ended the handshake ({alert:?})"),
    }
}

fn refused(refusal: &Refusal, host: &str) -> String {
    let Refusal { fault, certificate } = refusal;
    let accept = format!("--accept-cert {}", fingerprint_text(&certificate.fingerprint));
    let anyway = format!("renew it, or accept exactly this one with {accept}");
    let Error::InvalidCertificate(fault) = fault else {
        return format!("the server's certificate cannot be judged: {fault}; accept it with {accept} if you know it");
    };
    match fault {
        CertificateError::ExpiredContext { not_after, .. } => {
            format!("the server's certificate expired on {}; {anyway}", day(*not_after))
        }
        CertificateError::Expired => format!("the server's certificate has expired; {anyway}"),
        CertificateError::NotValidYetContext { not_before, .. } => {
            let day = day(*not_before);
            format!("the server's certificate is not valid before {day}; check this machine's clock, {anyway}")
        }
        CertificateError::NotValidYet => {
            format!("the server's certificate is not valid yet; check this machine's clock, {anyway}")
        }
        CertificateError::NotValidForNameContext { presented, .. } => format!(
            "the server's certificate is not for {host:?} but for {}; use such a name in the URL, or accept exactly this \
             one with {accept}",
            listed(presented)
        ),
        CertificateError::UnknownIssuer => unknown(certificate, &accept),
        _ if certificate.is_own_issuer => unknown(certificate, &accept),
        CertificateError::Revoked => "the server's certificate was revoked; do not trust it".to_owned(),
        fault => format!("the server's certificate is not accepted: {fault}; accept it with {accept} if you know it"),
    }
}

fn unknown(certificate: &Certificate, accept: &str) -> String {
    if certificate.is_own_issuer {
        return format!(
            "the server's certificate is self-signed; if you know it, accept it with {accept}, or with --ca FILE"
        );
    }
    let issuer = certificate.issuer.as_ref().map_or_else(String::new, |name| format!(" {name:?}"));
    format!(
        "the server's certificate was issued by{issuer}, whom this machine does not trust (or the server does not send \
         the certificates in between); name the issuer's certificate with --ca FILE, or accept exactly this one with \
         {accept}"
    )
}

/// The names of a certificate, which come as `DnsName("a")` or `IpAddress(1.2.3.4)`.
fn listed(names: &[String]) -> String {
    let plain = |name: &String| {
        let inner = name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or(name);
        inner.trim_matches('"').to_owned()
    };
    match names {
        [] => "no name at all".to_owned(),
        names => names.iter().take(10).map(plain).collect::<Vec<_>>().join(", "),
    }
}

/// The date, in universal time.
fn day(time: UnixTime) -> String {
    let seconds = i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
    Timestamp::from_second(seconds)
        .map_or_else(|_| "an unknown day".to_owned(), |time| time.strftime("%Y-%m-%d").to_string())
}
