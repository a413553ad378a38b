//! One end of a connection, used by the scripted upstream and by the scripted client: writes exactly the
//! bytes it is told, and reads HTTP/1 without help from the product. Waiting is bounded.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};

use super::message::{Framing, Message, framing};
use crate::tapped::PATIENCE;

/// What carries the bytes: TCP, or TLS over it.
pub trait Carrier: Read + Write + Send {}

impl<T: Read + Write + Send> Carrier for T {}

/// How the other side ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// With a FIN.
    Closed,
    /// With a RST, or a TLS connection cut short.
    Reset,
}

/// One end of a connection.
pub struct Socket {
    tcp: TcpStream,
    carrier: Box<dyn Carrier>,
    ahead: Vec<u8>,
    framing: Framing,
}

impl Socket {
    /// Connects over TCP to an address such as `127.0.0.1:80`.
    pub fn connect(address: impl ToSocketAddrs) -> Self {
        Self::on(TcpStream::connect(address).expect("somebody listens"))
    }

    /// Over a TCP connection that is there.
    pub fn on(tcp: TcpStream) -> Self {
        let carrier = Box::new(tcp.try_clone().expect("a handle"));
        Self::over(tcp, carrier)
    }

    /// Over something on top of a TCP connection.
    pub fn over(tcp: TcpStream, carrier: Box<dyn Carrier>) -> Self {
        tcp.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        tcp.set_write_timeout(Some(PATIENCE)).expect("a timeout");
        tcp.set_nodelay(true).expect("no delay");
        Self { tcp, carrier, ahead: Vec::new(), framing: Framing::UntilClose }
    }

    /// Begins TLS as a client on this connection, which must not have been read ahead of.
    pub fn secure(self, config: rustls::ClientConfig, name: &str) -> Self {
        assert!(self.ahead.is_empty(), "nothing was read ahead");
        let name = rustls::pki_types::ServerName::try_from(name.to_owned()).expect("a host name");
        let session = rustls::ClientConnection::new(config.into(), name).expect("a session");
        let stream = rustls::StreamOwned::new(session, self.tcp.try_clone().expect("a handle"));
        Self::over(self.tcp, Box::new(stream))
    }

    /// Writes; the other side must be there.
    pub fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.try_send(bytes).expect("the other side reads");
    }

    /// Writes as far as the other side lets it.
    pub fn try_send(&mut self, bytes: impl AsRef<[u8]>) -> std::io::Result<()> {
        self.carrier.write_all(bytes.as_ref())?;
        self.carrier.flush()
    }

    /// The next head, from its first line to the empty line; `None` when the other side ended before it.
    pub fn head(&mut self) -> Option<Message> {
        let head = self.try_until(b"\r\n\r\n").ok()?;
        let message = Message::new(head);
        self.framing = framing(&message, "");
        Some(message)
    }

    /// The next request with all of its body; `None` when there is none.
    pub fn request(&mut self) -> Option<Message> {
        let message = self.head()?;
        Some(self.rest_of(message))
    }

    /// The next response that is not informational, to a request of this method, with all of its body.
    pub fn response_to(&mut self, method: &str) -> Message {
        let message = self.response_head(method);
        self.rest_of(message)
    }

    /// The next response that is not informational, to a POST or GET, with all of its body.
    pub fn response(&mut self) -> Message {
        self.response_to("POST")
    }

    /// The head of the next response; its body is had by [`Socket::more`] and [`Socket::content`].
    pub fn response_head(&mut self, method: &str) -> Message {
        loop {
            let message = self.head().expect("a response");
            if message.status() == 101 || message.status() >= 200 {
                self.framing = framing(&message, method);
                return message;
            }
        }
    }

    fn rest_of(&mut self, mut message: Message) -> Message {
        loop {
            match self.more() {
                Ok(Some(bytes)) => message.body.extend(bytes),
                Ok(None) => return message.with_trailers(self),
                Err(end) => panic!("{end:?} in the midst of {message:?}"),
            }
        }
    }

    /// The next piece of the body, its framing taken off; `None` when it is complete.
    pub fn more(&mut self) -> Result<Option<Vec<u8>>, End> {
        match self.framing {
            Framing::Exact(0) | Framing::Over => Ok(None),
            Framing::Exact(left) => {
                self.fill(1)?;
                let piece: Vec<u8> = self.ahead.drain(..self.ahead.len().min(left)).collect();
                self.framing = Framing::Exact(left - piece.len());
                Ok(Some(piece))
            }
            Framing::UntilClose => match self.fill(1) {
                Ok(()) => Ok(Some(std::mem::take(&mut self.ahead))),
                Err(End::Closed) => Ok(None),
                Err(End::Reset) => Err(End::Reset),
            },
            Framing::Chunked => self.chunk(),
        }
    }

    fn chunk(&mut self) -> Result<Option<Vec<u8>>, End> {
        let line = self.try_until(b"\r\n")?;
        let text = String::from_utf8_lossy(&line);
        let size = text.trim_end().split(';').next().unwrap_or_default();
        let size = usize::from_str_radix(size, 16).unwrap_or_else(|_| panic!("no size of a chunk: {text:?}"));
        if size == 0 {
            self.framing = Framing::Over;
            return Ok(None);
        }
        self.fill(size + 2)?;
        let piece: Vec<u8> = self.ahead.drain(..size).collect();
        assert_eq!(self.ahead.drain(..2).collect::<Vec<_>>(), b"\r\n", "a chunk ends with CRLF");
        Ok(Some(piece))
    }

    /// The next bytes of the body, their framing taken off: at least so many.
    pub fn content(&mut self, at_least: usize) -> Vec<u8> {
        let mut all = Vec::new();
        while all.len() < at_least {
            let more = self.more().unwrap_or_else(|end| panic!("{end:?} after {:?}", String::from_utf8_lossy(&all)));
            all.extend(more.unwrap_or_else(|| panic!("over after {:?}", String::from_utf8_lossy(&all))));
        }
        all
    }

    /// Bytes as they are on the wire, up to and including `mark`.
    pub fn until(&mut self, mark: &[u8]) -> Vec<u8> {
        self.try_until(mark).unwrap_or_else(|end| panic!("{end:?} before {:?}", String::from_utf8_lossy(mark)))
    }

    fn try_until(&mut self, mark: &[u8]) -> Result<Vec<u8>, End> {
        let mut from = 0;
        loop {
            let found = self.ahead[from..].windows(mark.len()).position(|window| window == mark);
            if let Some(at) = found {
                return Ok(self.ahead.drain(..from + at + mark.len()).collect());
            }
            from = (self.ahead.len() + 1).saturating_sub(mark.len());
            self.fill(self.ahead.len() + 1)?;
        }
    }

    /// So many bytes as they are on the wire.
    pub fn exactly(&mut self, count: usize) -> Vec<u8> {
        self.fill(count).expect("more comes");
        self.ahead.drain(..count).collect()
    }

    /// All that still comes as it is on the wire, and how it ended.
    pub fn rest(&mut self) -> (Vec<u8>, End) {
        loop {
            if let Err(end) = self.fill(self.ahead.len() + 1) {
                return (std::mem::take(&mut self.ahead), end);
            }
        }
    }

    /// Sends no more, but reads on.
    pub fn half_close(&self) {
        self.tcp.shutdown(Shutdown::Write).expect("a connection");
    }

    /// Closes with a RST.
    pub fn reset(self) {
        let Self { tcp, carrier, .. } = self;
        drop(carrier);
        tokio::net::TcpSocket::from_std_stream(tcp).set_zero_linger().expect("a socket option");
    }

    /// Reads until at least so many bytes lie ahead.
    fn fill(&mut self, count: usize) -> Result<(), End> {
        let mut buffer = vec![0; 64 * 1024];
        while self.ahead.len() < count {
            match self.carrier.read(&mut buffer) {
                Ok(0) => return Err(End::Closed),
                Ok(count) => self.ahead.extend(&buffer[..count]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    panic!("nothing comes after {:?}", String::from_utf8_lossy(&self.ahead));
                }
                Err(_) => return Err(End::Reset),
            }
        }
        Ok(())
    }

    /// The lines between the last chunk and the end of the body.
    pub(super) fn trailers(&mut self) -> Vec<u8> {
        if !matches!(self.framing, Framing::Over) {
            return Vec::new();
        }
        let mut all = Vec::new();
        loop {
            let line = self.until(b"\r\n");
            if line == b"\r\n" {
                return all;
            }
            all.extend(line);
        }
    }
}
