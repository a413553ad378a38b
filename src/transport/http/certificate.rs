//! The little of a certificate that an error must say, read from its DER form (RFC 5280 §4.1): who issued
//! it, whether that is itself, and its fingerprint. Nothing is judged here.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// What is told of a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Certificate {
    pub(super) fingerprint: [u8; 32],
    /// The common name of its issuer, or else the organisation; `None` when it has neither.
    pub(super) issuer: Option<String>,
    /// Issued by itself.
    pub(super) is_own_issuer: bool,
}

impl Certificate {
    pub(super) fn read(der: &[u8]) -> Self {
        let names = names(der);
        Self {
            fingerprint: fingerprint(der),
            issuer: names.and_then(|(issuer, _)| called(issuer)),
            is_own_issuer: names.is_some_and(|(issuer, subject)| issuer == subject),
        }
    }
}

/// The SHA-256 of a certificate's DER form.
pub(super) fn fingerprint(der: &[u8]) -> [u8; 32] {
    Sha256::digest(der).into()
}

/// As it is written on the command line: `sha256:` and 64 digits.
pub fn fingerprint_text(fingerprint: &[u8; 32]) -> String {
    fingerprint.iter().fold("sha256:".to_owned(), |mut text, byte| {
        // Writing into a String does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Reads a fingerprint: with or without `sha256:` in front, with or without colons between the bytes.
pub fn read_fingerprint(text: &str) -> Option<[u8; 32]> {
    let lower = text.trim().to_ascii_lowercase();
    let digits = lower.strip_prefix("sha256:").or(lower.strip_prefix("sha256 fingerprint=")).unwrap_or(&lower);
    let digits: Vec<u8> = digits.bytes().filter(|byte| *byte != b':').collect();
    let mut fingerprint = [0; 32];
    if digits.len() != 64 {
        return None;
    }
    for (byte, pair) in fingerprint.iter_mut().zip(digits.chunks(2)) {
        let value = |digit: u8| char::from(digit).to_digit(16);
        *byte = (value(pair[0])? << 4 | value(pair[1])?) as u8;
    }
    Some(fingerprint)
}

const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const VERSION: u8 = 0xA0;
const COMMON_NAME: &[u8] = &[0x55, 4, 3];
const ORGANISATION: &[u8] = &[0x55, 4, 10];

/// The names of issuer and subject.
fn names(der: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut outer = Der(der);
    let mut outer = Der(outer.take(SEQUENCE)?);
    let mut fields = Der(outer.take(SEQUENCE)?);
    if fields.0.first() == Some(&VERSION) {
        fields.any()?;
    }
    let (_serial, _algorithm) = (fields.any()?, fields.any()?);
    let issuer = fields.take(SEQUENCE)?;
    let _validity = fields.any()?;
    Some((issuer, fields.take(SEQUENCE)?))
}

/// What a name says that a person would call it by.
fn called(name: &[u8]) -> Option<String> {
    let find = |wanted: &[u8]| {
        let mut parts = Der(name);
        while let Some(set) = parts.take(SET) {
            let pair = Der(set).take(SEQUENCE)?;
            let mut pair = Der(pair);
            if pair.any()?.1 == wanted {
                return Some(String::from_utf8_lossy(pair.any()?.1).into_owned());
            }
        }
        None
    };
    find(COMMON_NAME).or_else(|| find(ORGANISATION))
}

/// What is left of a run of DER elements.
struct Der<'a>(&'a [u8]);

impl<'a> Der<'a> {
    /// The next element: its tag and what is in it.
    fn any(&mut self) -> Option<(u8, &'a [u8])> {
        let (&[tag, first], rest) = self.0.split_first_chunk::<2>()?;
        let (length, rest) = if first < 0x80 {
            (usize::from(first), rest)
        } else {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7F))?;
            let length = digits.iter().try_fold(0_usize, |sum, byte| sum.checked_mul(256)?.checked_add((*byte).into()));
            (length?, rest)
        };
        let (content, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some((tag, content))
    }

    fn take(&mut self, tag: u8) -> Option<&'a [u8]> {
        self.any().and_then(|(found, content)| (found == tag).then_some(content))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_says_who_issued_it() {
        let key = rcgen::KeyPair::generate().expect("a key");
        let mut parameters = rcgen::CertificateParams::new(vec!["a.test".to_owned()]).expect("parameters");
        parameters.distinguished_name.push(rcgen::DnType::CommonName, "a test");
        let certificate = parameters.self_signed(&key).expect("signed");
        let read = Certificate::read(certificate.der());
        assert_eq!((read.issuer.as_deref(), read.is_own_issuer), (Some("a test"), true));
        // Nothing in front of the end of the names may be missing; and nothing panics.
        for length in 0..certificate.der().len() {
            let _ = Certificate::read(&certificate.der()[..length]);
        }
        assert!(!Certificate::read(&[0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]).is_own_issuer);
    }

    #[test]
    fn a_fingerprint_is_read_as_tools_write_it() {
        let bytes: [u8; 32] = std::array::from_fn(|at| at as u8 * 8);
        let text = fingerprint_text(&bytes);
        assert_eq!(read_fingerprint(&text), Some(bytes));
        assert_eq!(read_fingerprint(&text["sha256:".len()..].to_uppercase()), Some(bytes));
        let colons = bytes.map(|byte| format!("{byte:02X}")).join(":");
        assert_eq!(read_fingerprint(&format!("sha256 Fingerprint={colons}")), Some(bytes));
        assert_eq!(read_fingerprint(&text[..70]), None);
        assert_eq!(read_fingerprint(&text.replace('0', "g")), None);
    }
}
