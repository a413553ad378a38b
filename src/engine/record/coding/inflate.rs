//! `gzip` with all its members (RFC 1952), and `deflate` as it is meant (zlib) and as some send it (bare).

use flate2::{Decompress, FlushDecompress, Status};

use super::{Broken, Progress};

/// Decodes what DEFLATE made.
pub struct Inflate {
    inner: Decompress,
    stage: Stage,
}

/// What comes next.
enum Stage {
    /// The first byte of a deflate body, which tells whether it is zlib's.
    Deflate,
    /// The next byte of the header of a gzip member.
    Header(Header),
    /// Compressed data; of a gzip member or not.
    Data { gzip: bool },
    /// So many bytes of the trailer of a gzip member.
    Trailer(u8),
    /// The end, or another member.
    Member,
    /// The end.
    End,
}

impl Inflate {
    /// At the start of a gzip body.
    pub fn gzip() -> Self {
        Self { inner: Decompress::new(false), stage: Stage::Header(Header::default()) }
    }

    /// At the start of a deflate body.
    pub fn deflate() -> Self {
        Self { inner: Decompress::new(false), stage: Stage::Deflate }
    }

    /// See [`Decoder::decode`](super::Decoder::decode).
    pub fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Result<Progress, Broken> {
        let mut used = 0;
        loop {
            if let Stage::Data { gzip } = self.stage {
                let (more, made) = self.data(&input[used..], output, gzip)?;
                used += more;
                if made > 0 || matches!(self.stage, Stage::Data { .. }) {
                    return Ok(Progress { used, made });
                }
            }
            let Some(byte) = input.get(used) else { return Ok(Progress { used, made: 0 }) };
            used += usize::from(self.byte(*byte)?);
        }
    }

    /// Whether the body may end here.
    pub fn is_whole(&self) -> bool {
        matches!(self.stage, Stage::Member | Stage::End)
    }

    fn data(&mut self, input: &[u8], output: &mut [u8], gzip: bool) -> Result<(usize, usize), Broken> {
        let before = (self.inner.total_in(), self.inner.total_out());
        let status = self.inner.decompress(input, output, FlushDecompress::None).map_err(|_| Broken)?;
        if status == Status::StreamEnd {
            self.stage = if gzip { Stage::Trailer(8) } else { Stage::End };
        }
        Ok(((self.inner.total_in() - before.0) as usize, (self.inner.total_out() - before.1) as usize))
    }

    /// Takes a byte that is no compressed data; says whether it is used up.
    fn byte(&mut self, byte: u8) -> Result<bool, Broken> {
        match &mut self.stage {
            Stage::Deflate => {
                // In zlib's first byte the low half is 8. Bare data that begins so would have a stored block
                // whose padding is not zero, which no encoder writes.
                self.inner = Decompress::new(byte & 0x0f == 8);
                self.stage = Stage::Data { gzip: false };
                return Ok(false);
            }
            Stage::Header(header) => {
                if header.byte(byte)? {
                    self.inner.reset(false);
                    self.stage = Stage::Data { gzip: true };
                }
            }
            Stage::Trailer(1) => self.stage = Stage::Member,
            Stage::Trailer(left) => *left -= 1,
            // Some pad a file with zeros.
            Stage::Member if byte == 0 => {}
            Stage::Member => {
                self.stage = Stage::Header(Header::default());
                return Ok(false);
            }
            Stage::End | Stage::Data { .. } => return Err(Broken),
        }
        Ok(true)
    }
}

/// The header of a gzip member, read byte by byte and not kept.
#[derive(Debug, Default)]
struct Header {
    flags: u8,
    part: Part,
}

#[derive(Debug)]
enum Part {
    /// So many of the ten bytes that every header has were seen.
    Fixed(u8),
    /// The length of the extra field, of which the low byte was seen or not.
    ExtraLength(Option<u8>),
    /// So many bytes of the extra field.
    Extra(u16),
    /// A name up to its NUL.
    Name,
    /// A comment up to its NUL.
    Comment,
    /// So many bytes of a checksum.
    Checksum(u8),
    /// Nothing more.
    Done,
}

impl Default for Part {
    fn default() -> Self {
        Self::Fixed(0)
    }
}

impl Header {
    const CHECKSUM: u8 = 2;
    const EXTRA: u8 = 4;
    const NAME: u8 = 8;
    const COMMENT: u8 = 16;

    /// Takes the next byte; says whether the header ends with it.
    fn byte(&mut self, byte: u8) -> Result<bool, Broken> {
        self.part = match self.part {
            Part::Fixed(at) => {
                let expected = [Some(0x1f), Some(0x8b), Some(8)].get(usize::from(at)).copied().flatten();
                if expected.is_some_and(|expected| expected != byte) {
                    return Err(Broken);
                }
                if at == 3 {
                    self.flags = byte;
                }
                if at < 9 { Part::Fixed(at + 1) } else { self.after(0) }
            }
            Part::ExtraLength(None) => Part::ExtraLength(Some(byte)),
            Part::ExtraLength(Some(low)) => match u16::from_le_bytes([low, byte]) {
                0 => self.after(Self::EXTRA),
                left => Part::Extra(left),
            },
            Part::Extra(1) => self.after(Self::EXTRA),
            Part::Extra(left) => Part::Extra(left - 1),
            Part::Name if byte != 0 => Part::Name,
            Part::Name => self.after(Self::NAME),
            Part::Comment if byte != 0 => Part::Comment,
            Part::Comment => self.after(Self::COMMENT),
            Part::Checksum(2) => Part::Checksum(1),
            Part::Checksum(_) | Part::Done => Part::Done,
        };
        Ok(matches!(self.part, Part::Done))
    }

    /// What follows the part with this flag.
    fn after(&self, flag: u8) -> Part {
        let next = |wanted| flag < wanted && self.flags & wanted != 0;
        if next(Self::EXTRA) {
            Part::ExtraLength(None)
        } else if next(Self::NAME) {
            Part::Name
        } else if next(Self::COMMENT) {
            Part::Comment
        } else if self.flags & Self::CHECKSUM != 0 {
            Part::Checksum(2)
        } else {
            Part::Done
        }
    }
}
