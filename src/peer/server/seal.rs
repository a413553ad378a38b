//! A seal on what the server hands out and must know again, so that nobody can change or move it: `requestState`
//! (MRTR wants it protected and bound to its request), cursors, ids of tasks.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// A key of this run.
#[derive(Debug, Clone)]
pub struct Seal {
    key: [u8; 32],
}

impl Seal {
    /// With this key.
    pub const fn new(key: [u8; 32]) -> Self {
        Self { key }
    }

    /// The payload, readable for whoever decodes it, sealed for whatever it is bound to.
    pub fn close(&self, payload: &[u8], bound: &[&[u8]]) -> String {
        let mac = self.mac(payload, bound).finalize().into_bytes();
        format!("{}.{}", BASE64.encode(payload), BASE64.encode(mac))
    }

    /// The payload of a token that this seal closed for the same; nothing for any other.
    pub fn open(&self, token: &str, bound: &[&[u8]]) -> Option<Vec<u8>> {
        let (payload, mac) = token.split_once('.')?;
        let payload = BASE64.decode(payload).ok()?;
        self.mac(&payload, bound).verify_slice(&BASE64.decode(mac).ok()?).ok()?;
        Some(payload)
    }

    /// An id that nobody can guess, always the same for the same.
    pub fn id(&self, of: &[&[u8]]) -> String {
        let mac = self.mac(b"id", of).finalize().into_bytes();
        BASE64.encode(&mac[..16])
    }

    fn mac(&self, payload: &[u8], bound: &[&[u8]]) -> Hmac<Sha256> {
        // HMAC fills a short key up with zeros.
        let mut block = [0; 64];
        block[..self.key.len()].copy_from_slice(&self.key);
        let mut mac = Hmac::<Sha256>::new(&block.into());
        for part in [payload].iter().chain(bound) {
            // With its length before it, so that no two lists of parts are the same bytes.
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::Seal;

    #[test]
    fn only_what_was_closed_for_the_same_opens() {
        let seal = Seal::new([7; 32]);
        let token = seal.close(b"round 2", &[b"tools/call", b"{}"]);
        assert_eq!(seal.open(&token, &[b"tools/call", b"{}"]).as_deref(), Some(&b"round 2"[..]));
        assert_eq!(seal.open(&token, &[b"tools/call{}", b""]), None);
        assert_eq!(seal.open(&token, &[b"tools/call"]), None);
        assert_eq!(Seal::new([8; 32]).open(&token, &[b"tools/call", b"{}"]), None);
        let (payload, mac) = token.split_once('.').expect("it has two parts");
        assert_eq!(seal.open(&format!("{payload}A.{mac}"), &[b"tools/call", b"{}"]), None);
        assert_eq!(seal.open(&format!("{payload}."), &[b"tools/call", b"{}"]), None);
        assert_eq!(seal.open("", &[]), None);
    }
}
