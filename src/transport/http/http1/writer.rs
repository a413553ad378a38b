//! Writing messages to a connection: a head, its body framed as the head says, trailers.
//!
//! Small pieces are gathered so that a head, the data and the end that lie ready together leave in one
//! write. Whoever is about to wait for anything calls [`Writer::flush`] first; then nothing stays here.

use std::io::{self, IoSlice, Write as _};

use tokio::io::{AsyncWrite, AsyncWriteExt};

use super::{Broken, Peer};
use crate::wire::http::BodyLength;

/// How much is gathered before it is written without being asked to.
const GATHERED: usize = 16 << 10;

/// Writes messages to `W`.
#[derive(Debug)]
pub struct Writer<W> {
    io: W,
    to: Peer,
    /// What is to be written, of which `sent` bytes were.
    out: Vec<u8>,
    sent: usize,
    body: Body,
    /// A write was given up in its middle: where the other end stands is not known.
    torn: bool,
}

/// How the body is framed.
#[derive(Debug, Clone, Copy)]
enum Body {
    /// There is none, whatever is given: the answer to HEAD.
    None,
    /// This many bytes more.
    Exact(u64),
    Chunked,
    UntilClose,
    /// It is over, or has not begun.
    Over,
}

impl<W: AsyncWrite + Unpin> Writer<W> {
    /// A writer of what `to` reads.
    pub fn new(io: W, to: Peer) -> Self {
        Self { io, to, out: Vec::with_capacity(GATHERED), sent: 0, body: Body::Over, torn: false }
    }

    /// Adds a head, the empty line included, whose body is framed by `length`. An informational head has
    /// [`BodyLength::None`], and the next one may follow at once.
    pub fn head(&mut self, head: &[u8], length: BodyLength) {
        self.out.extend_from_slice(head);
        self.body(length);
    }

    /// Says how what is given from here on is framed. `UntilClose` also writes what comes after an
    /// upgrade.
    pub fn body(&mut self, length: BodyLength) {
        self.body = match length {
            BodyLength::None => Body::None,
            BodyLength::Exact(length) => Body::Exact(length),
            BodyLength::Chunked => Body::Chunked,
            BodyLength::UntilClose => Body::UntilClose,
        };
    }

    /// Adds bytes of the body. They are written when they are many, else with what follows or by
    /// [`Writer::flush`]. When this is given up while it waits, the message cannot be gone on with.
    pub async fn data(&mut self, bytes: &[u8]) -> Result<(), Broken> {
        self.whole()?;
        let mut tail: &[u8] = b"";
        match self.body {
            Body::None => return Ok(()),
            _ if bytes.is_empty() => return Ok(()),
            Body::UntilClose => {}
            Body::Exact(left) => match left.checked_sub(bytes.len() as u64) {
                Some(less) => self.body = Body::Exact(less),
                None => return Err(self.misfit(i128::from(left) - bytes.len() as i128)),
            },
            Body::Chunked => {
                // Writing into a Vec does not fail.
                let _ = write!(self.out, "{:x}\r\n", bytes.len());
                tail = b"\r\n";
            }
            Body::Over => return Err(self.misfit(-(bytes.len() as i128))),
        }
        if self.out.len() + bytes.len() + tail.len() <= GATHERED {
            self.out.extend_from_slice(bytes);
            self.out.extend_from_slice(tail);
            return Ok(());
        }
        self.write_out(bytes, tail).await
    }

    /// Ends the message, with `trailers` as they came (field lines and an empty line, or nothing; left out
    /// where the framing has no place for them), and writes all of it. A body that lasts until the connection is
    /// closed ends by closing this direction.
    pub async fn finish(&mut self, trailers: &[u8]) -> Result<(), Broken> {
        self.whole()?;
        match self.body {
            Body::Exact(0) | Body::None | Body::Over => {}
            Body::Exact(left) => return Err(self.misfit(i128::from(left))),
            Body::Chunked => {
                self.out.extend_from_slice(b"0\r\n");
                self.out.extend_from_slice(if trailers.is_empty() { b"\r\n" } else { trailers });
            }
            Body::UntilClose => {
                self.flush().await?;
                self.body = Body::Over;
                return self.close().await;
            }
        }
        self.body = Body::Over;
        self.flush().await
    }

    /// Whether [`Writer::flush`] has something to do.
    pub const fn holds(&self) -> bool {
        !self.out.is_empty()
    }

    /// Whether the message was written to its end.
    pub const fn is_over(&self) -> bool {
        matches!(self.body, Body::Over) && !self.torn
    }

    /// Writes what was gathered. May be given up while it waits, and is gone on with by the next call.
    pub async fn flush(&mut self) -> Result<(), Broken> {
        self.whole()?;
        if self.out.is_empty() {
            return Ok(());
        }
        while self.sent < self.out.len() {
            let written = self.io.write(&self.out[self.sent..]).await;
            self.sent += self.count(written)?;
        }
        self.io.flush().await.map_err(|source| Broken::Write { to: self.to, source })?;
        self.emptied();
        Ok(())
    }

    /// The connection.
    pub const fn get_ref(&self) -> &W {
        &self.io
    }

    /// The connection, without what was not written.
    pub fn into_inner(self) -> W {
        self.io
    }

    /// Closes this direction, so that the other end reads an end of stream.
    pub async fn close(&mut self) -> Result<(), Broken> {
        self.io.shutdown().await.map_err(|source| Broken::Write { to: self.to, source })
    }

    /// Writes what was gathered, `bytes` and `tail`, without copying `bytes`.
    async fn write_out(&mut self, bytes: &[u8], tail: &[u8]) -> Result<(), Broken> {
        self.torn = true;
        let mut parts = [IoSlice::new(&self.out[self.sent..]), IoSlice::new(bytes), IoSlice::new(tail)];
        let mut parts = &mut parts[..];
        IoSlice::advance_slices(&mut parts, 0);
        while !parts.is_empty() {
            let written = match self.io.write_vectored(parts).await {
                Ok(0) => Err(io::ErrorKind::WriteZero.into()),
                other => other,
            };
            let count = written.map_err(|source| Broken::Write { to: self.to, source })?;
            IoSlice::advance_slices(&mut parts, count);
        }
        self.io.flush().await.map_err(|source| Broken::Write { to: self.to, source })?;
        self.torn = false;
        self.emptied();
        Ok(())
    }

    fn count(&self, written: io::Result<usize>) -> Result<usize, Broken> {
        match written {
            Ok(0) => Err(Broken::Write { to: self.to, source: io::ErrorKind::WriteZero.into() }),
            Ok(count) => Ok(count),
            Err(source) => Err(Broken::Write { to: self.to, source }),
        }
    }

    fn emptied(&mut self) {
        self.out.clear();
        self.sent = 0;
    }

    const fn whole(&self) -> Result<(), Broken> {
        if self.torn { Err(Broken::Torn { to: self.to }) } else { Ok(()) }
    }

    const fn misfit(&self, left: i128) -> Broken {
        Broken::Length { to: self.to, left }
    }
}
