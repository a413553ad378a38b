//! Content codings undone as the bytes come: gzip, deflate, br and zstd. Only the recorded copy is decoded;
//! what is passed on stays as it came. Memory is bounded by the windows of the codings, whatever is sent,
//! and what a flush of the sender completed comes out at once, so that compressed events are seen one by one.

mod brotli;
mod inflate;
mod zstd;

use std::panic::{AssertUnwindSafe, catch_unwind};

use self::brotli::Brotli;
use self::inflate::Inflate;
use self::zstd::Zstd;
use super::queue::Coding;

/// From here on a coding that makes so many bytes of one is taken for a bomb: decoding it all would cost
/// the recorder, and with it the traffic, minutes.
const BOMB: (u64, u64) = (64 << 20, 2000);

/// How far one call came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Bytes of the input that were used.
    pub used: usize,
    /// Bytes that were made of it. When they fill the output, there may be more.
    pub made: usize,
}

/// The bytes are not what their coding says, or it is one that cannot be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken;

/// Undoes the coding of one body.
pub struct Decoder {
    kind: Kind,
    used: u64,
    made: u64,
}

enum Kind {
    Inflate(Inflate),
    Brotli(Brotli),
    Zstd(Zstd),
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decoder").field("used", &self.used).field("made", &self.made).finish_non_exhaustive()
    }
}

impl Decoder {
    /// A decoder for this coding; `None` when there is nothing to undo, or nobody knows how.
    pub fn new(coding: Coding) -> Option<Self> {
        let kind = match coding {
            Coding::Identity | Coding::Unknown => return None,
            Coding::Gzip => Kind::Inflate(Inflate::gzip()),
            Coding::Deflate => Kind::Inflate(Inflate::deflate()),
            Coding::Brotli => Kind::Brotli(Brotli::new()),
            Coding::Zstd => Kind::Zstd(Zstd::default()),
        };
        Some(Self { kind, used: 0, made: 0 })
    }

    /// Decodes as much of `input` as there is room for. When neither anything was used nor made, more input
    /// is needed.
    pub fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Result<Progress, Broken> {
        let kind = &mut self.kind;
        // The libraries are careful, but they read what strangers sent: a panic in one of them must cost
        // the view of one body, not the recording.
        let result = catch_unwind(AssertUnwindSafe(|| match kind {
            Kind::Inflate(inflate) => inflate.decode(input, output),
            Kind::Brotli(brotli) => brotli.decode(input, output),
            Kind::Zstd(zstd) => zstd.decode(input, output),
        }));
        let progress = result.unwrap_or(Err(Broken))?;
        self.used += progress.used as u64;
        self.made += progress.made as u64;
        if self.made > BOMB.0 && self.made / BOMB.1 > self.used {
            return Err(Broken);
        }
        Ok(progress)
    }

    /// Whether the body may end here.
    pub fn is_whole(&self) -> bool {
        match &self.kind {
            Kind::Inflate(inflate) => inflate.is_whole(),
            Kind::Brotli(brotli) => brotli.is_whole(),
            Kind::Zstd(zstd) => zstd.is_whole(),
        }
    }
}

#[cfg(test)]
mod tests;
