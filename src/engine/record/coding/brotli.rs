//! `br` (RFC 7932). The large windows that the RFC does not know are refused, so a decoder needs 16 MiB at
//! most.

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};

use super::{Broken, Progress};

/// Decodes brotli.
pub struct Brotli {
    state: Box<BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>>,
    ended: bool,
}

impl Brotli {
    /// At the start of a body.
    pub fn new() -> Self {
        let alloc = StandardAlloc::default;
        Self { state: Box::new(BrotliState::new_strict(alloc(), alloc(), alloc())), ended: false }
    }

    /// See [`Decoder::decode`](super::Decoder::decode).
    pub fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Result<Progress, Broken> {
        if self.ended {
            return if input.is_empty() { Ok(Progress::default()) } else { Err(Broken) };
        }
        let (mut left, mut used) = (input.len(), 0);
        let (mut room, mut made) = (output.len(), 0);
        let mut total = 0;
        let state = &mut self.state;
        match BrotliDecompressStream(&mut left, &mut used, input, &mut room, &mut made, output, &mut total, state) {
            BrotliResult::ResultFailure => Err(Broken),
            result => {
                self.ended = matches!(result, BrotliResult::ResultSuccess);
                Ok(Progress { used, made })
            }
        }
    }

    /// Whether the body may end here.
    pub fn is_whole(&self) -> bool {
        self.ended
    }
}
