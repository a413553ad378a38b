//! A stream of server-sent events cut into events as it comes. It does not look into them, and holds at
//! most one piece in memory.
//!
//! An event goes to the end of the empty line behind it. Where lines end with CRLF, that is its LF. Where
//! they end with CR, nobody knows whether an LF follows, and waiting for it would hold the event back
//! until the next one comes; so there an event ends with the CR, and if an LF follows it begins the next
//! piece, where [`Event`](super::Event) passes over it.

use memchr::memchr2;

use crate::wire::hold::{Hold, Piece};

/// Splits a stream that comes in chunks of any size into events; the empty line belongs to the event
/// before it. The pieces joined are the stream. An event of more than [`PIECE`](crate::wire::PIECE) bytes comes in several.
#[derive(Debug, Default)]
pub struct Events {
    pub(super) hold: Hold,
    place: Place,
    /// Whether the last line that ended did so with CRLF.
    crlf: bool,
    /// How many bytes of a BOM were seen; all, once none can come any more.
    bom: usize,
}

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// Where in a line the stream is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Place {
    /// At its start.
    #[default]
    Start,
    /// Inside, so that it is not empty.
    Inside,
    /// Behind a CR that ended it; an LF would belong to it.
    Cr,
    /// Behind a CR that ended an empty line; the event waits for the LF, as lines end with CRLF.
    EmptyCr,
    /// Behind a CR that ended an empty line, and the event with it.
    EndedCr,
}

impl Events {
    /// At the start of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next chunk and gives out every piece that is complete.
    pub fn push(&mut self, mut chunk: &[u8], emit: &mut dyn FnMut(Piece<'_>)) {
        while !chunk.is_empty() {
            let room = self.hold.room().min(chunk.len());
            let (used, ends) = self.scan(&chunk[..room]);
            let (part, rest) = chunk.split_at(used);
            chunk = rest;
            self.hold.take(part, ends, emit);
        }
    }

    /// Gives out what is held of the current event, so that it can be seen while its writer pauses. The
    /// event goes on.
    pub fn flush(&mut self, emit: &mut dyn FnMut(Piece<'_>)) {
        self.hold.flush(emit);
    }

    /// The stream has ended: gives out the rest as a last piece. It has no empty line, so parsers discard
    /// that event (SE-006); `Event::complete` says so.
    pub fn finish(&mut self, emit: &mut dyn FnMut(Piece<'_>)) {
        self.hold.finish(emit);
    }

    /// Whether bytes are held that were not given out.
    pub fn pending(&self) -> bool {
        !self.hold.bytes().is_empty()
    }

    /// How many bytes are held that were not given out.
    pub fn held(&self) -> usize {
        self.hold.bytes().len()
    }

    /// Whether a piece of an event was given out whose end has not been seen.
    pub fn begun(&self) -> bool {
        self.hold.begun()
    }

    /// Reads up to the end of the event; says how far that is, and whether the event ends there.
    fn scan(&mut self, bytes: &[u8]) -> (usize, bool) {
        let mut at = 0;
        while at < bytes.len() {
            let is_lf = bytes[at] == b'\n';
            match self.place {
                Place::Inside => match memchr2(b'\r', b'\n', &bytes[at..]) {
                    None => at = bytes.len(),
                    Some(text) => {
                        at += text;
                        self.line_ended(bytes[at]);
                        at += 1;
                    }
                },
                Place::Cr | Place::EndedCr => {
                    self.place = Place::Start;
                    self.crlf = is_lf;
                    at += usize::from(is_lf);
                }
                Place::EmptyCr => {
                    self.place = Place::Start;
                    return (at + usize::from(is_lf), true);
                }
                Place::Start if BOM.get(self.bom) == Some(&bytes[at]) => {
                    self.bom += 1;
                    at += 1;
                }
                // The start of a BOM that does not go on is text.
                Place::Start if matches!(self.bom, 1 | 2) => {
                    self.bom = BOM.len();
                    self.place = Place::Inside;
                }
                Place::Start => {
                    self.bom = BOM.len();
                    at += 1;
                    if self.line_begins(bytes[at - 1]) {
                        return (at, true);
                    }
                }
            }
        }
        (at, false)
    }

    fn line_ended(&mut self, by: u8) {
        self.place = if by == b'\r' { Place::Cr } else { Place::Start };
        self.crlf = false;
    }

    /// Takes the first byte of a line; says whether the event ends with it.
    fn line_begins(&mut self, byte: u8) -> bool {
        match byte {
            b'\n' => true,
            b'\r' if self.crlf => {
                self.place = Place::EmptyCr;
                false
            }
            b'\r' => {
                self.place = Place::EndedCr;
                true
            }
            _ => {
                self.place = Place::Inside;
                false
            }
        }
    }
}
