//! The chunked coding of HTTP/1.1 bodies (RFC 9112 section 7.1), taken off as the bytes come.

use std::fmt;

/// The most bytes of one chunk's first line: its size and extensions, which are not passed on.
const LONGEST_LINE: usize = 16 * 1024;
/// The most bytes that trailers may have.
const LONGEST_TRAILERS: usize = 64 * 1024;

/// Takes the chunked coding off one body; begins at its start.
#[derive(Debug, Default)]
pub struct Chunked {
    state: State,
    /// Bytes left in the current chunk; while its first line is read, its size so far.
    size: u64,
    /// How long the line that is being read is so far.
    line: usize,
    trailers: Vec<u8>,
}

/// A stretch of framing and one of data, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// What is not passed on.
    pub framing: usize,
    /// What is.
    pub data: usize,
}

/// Why bytes are not in the chunked coding. The texts fit after "failed to read the body: ".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkFault(&'static str);

impl fmt::Display for ChunkFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for ChunkFault {}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// Before the first digit of a size.
    #[default]
    Start,
    Size,
    /// Behind a size: spaces, extensions.
    Extension,
    /// A CR was read that must be followed by LF; then comes the data.
    SizeCr,
    Data,
    /// Behind the data: CR LF.
    DataEnd,
    DataCr,
    /// At the start of a line behind the last chunk.
    TrailerStart,
    Trailer,
    /// A CR was read at the start of a line.
    TrailerCr,
    Done,
    Faulty(ChunkFault),
}

impl Chunked {
    /// Whether the body has ended.
    pub fn is_done(&self) -> bool {
        self.state == State::Done
    }

    /// The trailers as sent, with the empty line that ends them; empty when there are none. Whole once
    /// the body has ended.
    pub fn trailers(&self) -> &[u8] {
        &self.trailers
    }

    /// The first stretch of framing in `bytes`, and of the data behind it. One of the two may be empty;
    /// both are only when `bytes` is, or the body has ended. After a fault there are only faults.
    pub fn cut(&mut self, bytes: &[u8]) -> Result<Cut, ChunkFault> {
        let mut framing = 0;
        while framing < bytes.len() && !matches!(self.state, State::Data | State::Done) {
            if let Err(fault) = self.step(bytes[framing]) {
                self.state = State::Faulty(fault);
                return Err(fault);
            }
            framing += 1;
        }
        if self.state != State::Data {
            return Ok(Cut { framing, data: 0 });
        }
        let data = usize::try_from(self.size).unwrap_or(usize::MAX).min(bytes.len() - framing);
        self.size -= data as u64;
        if self.size == 0 {
            self.state = State::DataEnd;
        }
        Ok(Cut { framing, data })
    }

    /// Reads one byte that is not data. A line may end in LF alone, as some servers write it; a CR is
    /// always followed by LF.
    fn step(&mut self, byte: u8) -> Result<(), ChunkFault> {
        self.state = match (self.state, byte) {
            (State::Start | State::Size, b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F') => self.digit(byte)?,
            (State::Size | State::Extension, b'\r') => State::SizeCr,
            (State::Size | State::Extension | State::SizeCr, b'\n') => self.size_ended(),
            (State::Size, b' ' | b'\t' | b';') | (State::Extension, _) => State::Extension,
            (State::DataEnd, b'\r') => State::DataCr,
            (State::DataEnd | State::DataCr, b'\n') => State::Start,
            (State::TrailerStart | State::TrailerCr, b'\n') => self.ended(byte),
            (State::TrailerStart, b'\r') => self.trailer(byte, State::TrailerCr),
            (State::Trailer, b'\n') => self.trailer(byte, State::TrailerStart),
            (State::TrailerStart | State::Trailer, _) => self.trailer(byte, State::Trailer),
            (State::Start | State::Size, _) => return Err(ChunkFault("a chunk's size is not a hexadecimal number")),
            (State::DataEnd | State::DataCr, _) => {
                return Err(ChunkFault("a chunk is longer than it says, since no line end follows it"));
            }
            (State::SizeCr | State::TrailerCr, _) => return Err(ChunkFault("a line ends with CR alone")),
            (State::Faulty(fault), _) => return Err(fault),
            (State::Data | State::Done, _) => self.state,
        };
        self.line += 1;
        let is_size = matches!(self.state, State::Start | State::Size | State::Extension | State::SizeCr);
        if is_size && self.line > LONGEST_LINE {
            return Err(ChunkFault("the line before a chunk has no end"));
        }
        if self.trailers.len() > LONGEST_TRAILERS {
            return Err(ChunkFault("the trailers have more than 64 KiB"));
        }
        Ok(())
    }

    fn digit(&mut self, byte: u8) -> Result<State, ChunkFault> {
        if self.state == State::Start {
            (self.size, self.line) = (0, 0);
        }
        if self.size >> 60 != 0 {
            return Err(ChunkFault("a chunk's size is larger than any body"));
        }
        let digit = char::from(byte).to_digit(16).unwrap_or_default();
        self.size = self.size << 4 | u64::from(digit);
        Ok(State::Size)
    }

    fn size_ended(&mut self) -> State {
        if self.size == 0 { State::TrailerStart } else { State::Data }
    }

    fn trailer(&mut self, byte: u8, next: State) -> State {
        self.trailers.push(byte);
        next
    }

    fn ended(&mut self, byte: u8) -> State {
        self.trailers.push(byte);
        if self.trailers.iter().all(|byte| matches!(byte, b'\r' | b'\n')) {
            self.trailers.clear();
        }
        State::Done
    }
}

#[cfg(test)]
mod tests;
