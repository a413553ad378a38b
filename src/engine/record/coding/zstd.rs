//! `zstd` (RFC 8878, RFC 9659), block by block. `ruzstd` gives bytes out only once they are further back
//! than the window, which would hold an event back until megabytes have followed. So a frame is told at
//! its start that it has ended, after which everything can be looked at, and goes on all the same.

use std::io::{self, Write};

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::{Broken, Progress};

/// The largest window that RFC 9659 allows in HTTP.
const WINDOW: u64 = 8 << 20;
/// The most that a block holds.
const BLOCK: usize = 128 << 10;
/// An empty raw block that is the last one, and what stands for the checksum of its frame.
const END: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

/// Decodes zstd.
#[derive(Default)]
pub struct Zstd {
    /// The start of a header or block that has not come whole.
    held: Vec<u8>,
    stage: Stage,
}

#[derive(Default)]
enum Stage {
    /// The header of a frame, or the end.
    #[default]
    Header,
    /// So many bytes of a frame that is to be skipped.
    Skip(u32),
    /// A block.
    Block(Box<Frame>),
    /// So many bytes of a frame's checksum.
    Checksum(u8),
}

/// A frame that is being decoded.
struct Frame {
    decoder: FrameDecoder,
    window: usize,
    has_checksum: bool,
    /// Bytes of the decoder's buffer that were given out.
    seen: usize,
    /// Whether its last block was decoded.
    last: bool,
}

impl Zstd {
    /// See [`Decoder::decode`](super::Decoder::decode).
    pub fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Result<Progress, Broken> {
        let mut used = 0;
        loop {
            if let Stage::Block(frame) = &mut self.stage {
                let made = frame.give(output)?;
                if made > 0 {
                    return Ok(Progress { used, made });
                }
                if frame.last {
                    self.stage = if frame.has_checksum { Stage::Checksum(4) } else { Stage::Header };
                }
            }
            let step = self.take(&input[used..])?;
            if step == 0 {
                return Ok(Progress { used, made: 0 });
            }
            used += step;
        }
    }

    /// Whether the body may end here.
    pub fn is_whole(&self) -> bool {
        self.held.is_empty()
            && match &self.stage {
                Stage::Header => true,
                Stage::Block(frame) => frame.last && !frame.has_checksum,
                Stage::Skip(_) | Stage::Checksum(_) => false,
            }
    }

    /// Takes input until a header or a block is whole, and decodes that.
    fn take(&mut self, input: &[u8]) -> Result<usize, Broken> {
        let wanted = match &mut self.stage {
            Stage::Skip(left) => {
                let skipped = input.len().min(*left as usize);
                *left -= skipped as u32;
                if *left == 0 {
                    self.stage = Stage::Header;
                }
                return Ok(skipped);
            }
            Stage::Checksum(left) => {
                let skipped = input.len().min(usize::from(*left));
                *left -= skipped as u8;
                if *left == 0 {
                    self.stage = Stage::Header;
                }
                return Ok(skipped);
            }
            Stage::Header => header_length(&self.held),
            Stage::Block(_) => block_length(&self.held),
        };
        let part = &input[..input.len().min(wanted - self.held.len())];
        self.held.extend_from_slice(part);
        if self.held.len() == wanted {
            let is_known = match &self.stage {
                Stage::Block(_) => block_length(&self.held) == wanted,
                _ => header_length(&self.held) == wanted,
            };
            if is_known {
                self.whole()?;
                self.held.clear();
            }
        }
        Ok(part.len())
    }

    /// What is held is a whole header or a whole block.
    fn whole(&mut self) -> Result<(), Broken> {
        if let Stage::Block(frame) = &mut self.stage {
            frame.block(&self.held)?;
            frame.last = self.held[0] & 1 == 1;
            return Ok(());
        }
        self.stage = if is_skipped(&self.held) {
            match self.held[4..].try_into().map(u32::from_le_bytes) {
                Ok(0) | Err(_) => Stage::Header,
                Ok(length) => Stage::Skip(length),
            }
        } else {
            Stage::Block(Box::new(Frame::new(&self.held)?))
        };
        Ok(())
    }
}

impl Frame {
    fn new(header: &[u8]) -> Result<Self, Broken> {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(WINDOW);
        decoder.init(header).map_err(|_| Broken)?;
        let descriptor = header[4];
        let window = if is_single(descriptor) { decoder.content_size() } else { window_size(header[5]) };
        let window = usize::try_from(window).map_err(|_| Broken)?;
        let mut frame = Self { decoder, window, has_checksum: descriptor & 4 != 0, seen: 0, last: false };
        frame.block(if frame.has_checksum { &END } else { &END[..3] })?;
        Ok(frame)
    }

    fn block(&mut self, block: &[u8]) -> Result<(), Broken> {
        // The checksum of a frame is read with its last block, and is not here yet.
        let mut source = io::Read::chain(block, &END[3..]);
        let one = BlockDecodingStrategy::UptoBlocks(1);
        self.decoder.decode_blocks(&mut source, one).map(drop).map_err(|_| Broken)
    }

    /// Gives out what was decoded and not given out.
    fn give(&mut self, output: &mut [u8]) -> Result<usize, Broken> {
        let mut look = Look { skip: self.seen, output, made: 0 };
        self.decoder.collect_to_writer(&mut look).map_err(|_| Broken)?;
        let made = look.made;
        self.seen += made;
        if made == 0 && self.seen > 2 * self.window.max(1) {
            self.trim()?;
        }
        Ok(made)
    }

    /// Keeps the window and no more: takes everything out and puts the window back as raw blocks, which
    /// change nothing else. So the buffer never wraps around, and can be looked at in one piece.
    fn trim(&mut self) -> Result<(), Broken> {
        let all = self.decoder.collect().ok_or(Broken)?;
        for part in all[all.len().saturating_sub(self.window)..].chunks(BLOCK.min(self.window.max(1))) {
            let length = (part.len() as u32) << 3;
            let mut block = length.to_le_bytes()[..3].to_vec();
            block.extend_from_slice(part);
            self.block(&block)?;
        }
        self.seen = all.len().min(self.window);
        Ok(())
    }
}

/// Looks at a buffer and takes nothing out of it.
struct Look<'a> {
    skip: usize,
    output: &'a mut [u8],
    made: usize,
}

impl Write for Look<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let fresh = bytes.get(self.skip..).unwrap_or(&[]);
        self.made = fresh.len().min(self.output.len());
        self.output[..self.made].copy_from_slice(&fresh[..self.made]);
        Ok(0)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// How many bytes the header that begins so has, as far as these tell.
fn header_length(held: &[u8]) -> usize {
    if is_skipped(held) {
        return 8;
    }
    let Some(descriptor) = held.get(4) else { return 5 };
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let size = match descriptor >> 6 {
        0 => usize::from(is_single(*descriptor)),
        power => 1 << power,
    };
    5 + usize::from(!is_single(*descriptor)) + dictionary + size
}

/// How many bytes the block that begins so has, as far as these tell.
fn block_length(held: &[u8]) -> usize {
    let &[first, second, third, ..] = held else { return 3 };
    let size = usize::from(first >> 3) | usize::from(second) << 5 | usize::from(third) << 13;
    let is_repeated = first >> 1 & 3 == 1;
    // A larger one is refused when it is decoded; it need not be waited for.
    3 + if is_repeated { 1 } else { size.min(BLOCK + 1) }
}

fn is_skipped(held: &[u8]) -> bool {
    matches!(held, [magic, 0x2a, 0x4d, 0x18, ..] if magic & 0xf0 == 0x50)
}

fn is_single(descriptor: u8) -> bool {
    descriptor & 0x20 != 0
}

fn window_size(descriptor: u8) -> u64 {
    let base = 1 << (10 + (descriptor >> 3));
    base + base / 8 * u64::from(descriptor & 7)
}
