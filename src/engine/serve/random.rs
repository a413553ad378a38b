//! Bytes that nobody can guess.

/// So many of them, from the system; the error fits after "failed to".
pub fn bytes<const N: usize>() -> Result<[u8; N], String> {
    let mut bytes = [0; N];
    match getrandom::fill(&mut bytes) {
        Ok(()) => Ok(bytes),
        Err(error) => Err(format!("get random bytes from the system: {error}")),
    }
}
