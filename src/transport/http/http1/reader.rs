//! Reading messages from a connection: heads whole, bodies in pieces as they arrive. Memory is bounded
//! whatever is sent, and no piece waits for another.

use std::io::ErrorKind;
use std::ops::Range;

use tokio::io::{AsyncRead, AsyncReadExt};

use super::{Broken, Heard, Peer};
use crate::wire::chunked::Chunked;
use crate::wire::http::{BodyLength, Head};

/// How large a head may be.
const HEAD_LIMIT: usize = 256 << 10;
/// What a connection begins with; most messages of MCP fit.
const FIRST_BUFFER: usize = 8 << 10;
/// What it grows to while bodies keep it full.
const FULL_BUFFER: usize = 64 << 10;

/// Reads messages from `R`. Every method may be given up while it waits: nothing is lost.
#[derive(Debug)]
pub struct Reader<R> {
    io: R,
    from: Peer,
    /// All of it is initialised; what was read and not yet used lies in `start..end`.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    body: Body,
    /// Bytes of this body that were handed out.
    got: u64,
    /// The other end has closed its direction.
    closed: bool,
}

/// What is expected next.
#[derive(Debug)]
enum Body {
    /// This many bytes more.
    Exact { left: u64, of: u64 },
    /// Chunks, and trailers behind them.
    Chunked(Chunked),
    /// Whatever comes.
    UntilClose,
    /// Nothing: the message is over.
    Over,
}

/// What lies in the buffer.
enum Taken {
    Data(Range<usize>),
    Trailers(Vec<u8>),
    End,
}

impl<R: AsyncRead + Unpin> Reader<R> {
    /// A reader of what `from` sends.
    pub fn new(io: R, from: Peer) -> Self {
        let buffer = vec![0; FIRST_BUFFER];
        Self { io, from, buffer, start: 0, end: 0, body: Body::Over, got: 0, closed: false }
    }

    /// The next head; `None` when the connection ends before its first byte. What belongs to it is read
    /// with [`Reader::body`] and [`Reader::next`].
    pub async fn head(&mut self) -> Result<Option<Head>, Broken> {
        // How far an end was looked for, so that a head in many pieces is not parsed for each of them.
        let mut sought = 0;
        loop {
            let held = &self.buffer[self.start..self.end];
            let is_worth_it = held.len() <= FIRST_BUFFER || has_end(held, &mut sought);
            if is_worth_it && let Some(head) = self.parse()? {
                self.start += head.raw().len();
                return Ok(Some(head));
            }
            let got = self.end - self.start;
            if got >= HEAD_LIMIT {
                return Err(Broken::HeadTooLarge { from: self.from, limit: HEAD_LIMIT });
            }
            if !self.fill(HEAD_LIMIT).await? {
                return if got == 0 { Ok(None) } else { Err(Broken::ClosedInHead { from: self.from, got }) };
            }
        }
    }

    fn parse(&self) -> Result<Option<Head>, Broken> {
        let held = &self.buffer[self.start..self.end];
        // A TLS record: a handshake from a client, an alert from a server.
        if matches!(held, [0x15 | 0x16, 0x03, ..]) {
            return Err(Broken::Tls { from: self.from });
        }
        Head::parse(held).map_err(|source| Broken::Head { from: self.from, source })
    }

    /// Says how long the body is that follows. `UntilClose` also reads what comes after an upgrade.
    pub fn body(&mut self, length: BodyLength) {
        self.got = 0;
        self.body = match length {
            BodyLength::None | BodyLength::Exact(0) => Body::Over,
            BodyLength::Exact(of) => Body::Exact { left: of, of },
            BodyLength::Chunked => Body::Chunked(Chunked::default()),
            BodyLength::UntilClose => Body::UntilClose,
        };
    }

    /// The next piece of the body, as soon as there is one. Once the end was heard it is heard again.
    pub async fn next(&mut self) -> Result<Heard<'_>, Broken> {
        loop {
            match self.take()? {
                Some(Taken::Data(range)) => {
                    self.got += range.len() as u64;
                    return Ok(Heard::Data(&self.buffer[range]));
                }
                Some(Taken::Trailers(lines)) => return Ok(Heard::Trailers(lines)),
                Some(Taken::End) => return Ok(Heard::End),
                None => {}
            }
            if !self.fill(FULL_BUFFER).await? {
                self.end_of_input()?;
            }
        }
    }

    /// What lies ready to be read, as soon as there is anything; empty when the other end has closed.
    pub async fn peek(&mut self) -> Result<&[u8], Broken> {
        if self.start == self.end {
            self.fill(FULL_BUFFER).await?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    /// The connection, and what was read from it and not used.
    pub fn into_inner(self) -> (R, Vec<u8>) {
        (self.io, self.buffer[self.start..self.end].to_vec())
    }

    /// Whether the message was read to its end.
    pub const fn is_over(&self) -> bool {
        matches!(self.body, Body::Over)
    }

    /// Resolves when the other end closes or resets the connection. What arrives meanwhile is kept and
    /// read later; when the buffer is full of it, nobody listens any more and this never resolves.
    pub async fn closed(&mut self) {
        while !self.closed {
            if self.end - self.start >= FULL_BUFFER {
                std::future::pending::<()>().await;
            }
            if !matches!(self.fill(FULL_BUFFER).await, Ok(true)) {
                self.closed = true;
            }
        }
    }

    /// How much memory its buffer has.
    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.buffer.capacity()
    }

    fn take(&mut self) -> Result<Option<Taken>, Broken> {
        let held = self.end - self.start;
        match &mut self.body {
            Body::Over => Ok(Some(Taken::End)),
            Body::Chunked(_) => self.take_chunks(),
            _ if held == 0 => Ok(None),
            Body::UntilClose => Ok(Some(self.hand_out(held))),
            Body::Exact { left, .. } => {
                let count = usize::try_from(*left).unwrap_or(usize::MAX).min(held);
                *left -= count as u64;
                if *left == 0 {
                    self.body = Body::Over;
                }
                Ok(Some(self.hand_out(count)))
            }
        }
    }

    const fn hand_out(&mut self, count: usize) -> Taken {
        let range = self.start..self.start + count;
        self.start += count;
        Taken::Data(range)
    }

    /// Takes the coding off all that lies in the buffer, and moves its data together there.
    fn take_chunks(&mut self) -> Result<Option<Taken>, Broken> {
        let Body::Chunked(chunked) = &mut self.body else { return Ok(None) };
        let begin = self.start;
        let mut to = begin;
        while self.start < self.end && !chunked.is_done() {
            let held = &self.buffer[self.start..self.end];
            let cut = match chunked.cut(held) {
                Ok(cut) => cut,
                // What came before it is handed out first; the fault is found again then.
                Err(_) if to > begin => break,
                Err(source) => return Err(Broken::Chunk { from: self.from, source }),
            };
            let data = self.start + cut.framing..self.start + cut.framing + cut.data;
            self.start = data.end;
            if data.start != to {
                self.buffer.copy_within(data, to);
            }
            to += cut.data;
        }
        if to > begin {
            return Ok(Some(Taken::Data(begin..to)));
        }
        if !chunked.is_done() {
            return Ok(None);
        }
        let trailers = chunked.trailers().to_vec();
        self.body = Body::Over;
        Ok(Some(if trailers.is_empty() { Taken::End } else { Taken::Trailers(trailers) }))
    }

    /// After the other end closed its direction.
    fn end_of_input(&mut self) -> Result<(), Broken> {
        let of = match self.body {
            Body::UntilClose | Body::Over => {
                self.body = Body::Over;
                return Ok(());
            }
            Body::Exact { of, .. } => Some(of),
            Body::Chunked(_) => None,
        };
        Err(Broken::ClosedInBody { from: self.from, got: self.got, of })
    }

    /// Reads once, into a buffer of at most `limit` bytes. False when the other end has closed.
    async fn fill(&mut self, limit: usize) -> Result<bool, Broken> {
        self.make_room(limit);
        if self.closed {
            return Ok(false);
        }
        let read = self.io.read(&mut self.buffer[self.end..]).await;
        match read {
            Ok(0) => {
                self.closed = true;
                Ok(false)
            }
            Ok(count) => {
                self.end += count;
                Ok(true)
            }
            // TLS that ended without saying so: many servers close like that.
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                self.closed = true;
                Ok(false)
            }
            Err(source) => Err(Broken::Read { from: self.from, source }),
        }
    }

    /// Sees that the buffer has room behind what it holds.
    fn make_room(&mut self, limit: usize) {
        let length = self.buffer.len();
        if self.start == self.end {
            let was_full = self.end == length;
            (self.start, self.end) = (0, 0);
            if length > FULL_BUFFER {
                // A head was that large; the next will not be.
                self.buffer.truncate(FULL_BUFFER);
                self.buffer.shrink_to_fit();
            } else if was_full && length < FULL_BUFFER {
                // More is coming than fits.
                self.buffer.resize(length * 2, 0);
            }
        } else if self.end == length {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
            if self.end == length {
                self.buffer.resize((length * 2).min(limit).max(length), 0);
            }
        }
    }
}

/// Whether an empty line was seen; looks on from where it had got to.
fn has_end(bytes: &[u8], sought: &mut usize) -> bool {
    while let Some(at) = memchr::memchr(b'\n', &bytes[*sought..]) {
        let after = *sought + at + 1;
        match &bytes[after..] {
            [b'\n', ..] | [b'\r', b'\n', ..] => return true,
            // More must come before this line end can be judged.
            [] | [b'\r'] => return false,
            _ => *sought = after,
        }
    }
    *sought = bytes.len();
    false
}
