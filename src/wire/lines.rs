//! Bytes to lines, as they come: the framing of stdio (protocol.md 3.1). It splits on LF and on
//! nothing else, keeps every byte, and holds at most one piece in memory. It does not look into lines.

use memchr::memchr;

use super::hold::{Hold, Piece};

/// Splits a stream that comes in chunks of any size into lines.
///
/// Only LF (0x0A) ends a line: a lone CR is a progress bar, and U+2028 or U+0085 may stand inside
/// a JSON string. A line of more than [`PIECE`](super::PIECE) bytes is given out in pieces of exactly that length
/// and a rest, however the stream was cut into chunks.
#[derive(Debug, Default)]
pub struct Lines {
    hold: Hold,
}

impl Lines {
    /// At the start of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next chunk and gives out every piece that is complete.
    pub fn push(&mut self, mut chunk: &[u8], emit: &mut dyn FnMut(Piece<'_>)) {
        while !chunk.is_empty() {
            let room = self.hold.room().min(chunk.len());
            let end = memchr(b'\n', &chunk[..room]).map(|at| at + 1);
            let (part, rest) = chunk.split_at(end.unwrap_or(room));
            chunk = rest;
            self.hold.take(part, end.is_some(), emit);
        }
    }

    /// Gives out what is held of the current line, so that a prompt or a half-written message can be
    /// seen while its writer pauses. The line goes on.
    pub fn flush(&mut self, emit: &mut dyn FnMut(Piece<'_>)) {
        self.hold.flush(emit);
    }

    /// The stream has ended: gives out the rest as a last piece without a line end (IO-006). When the
    /// line was given out already, that piece is empty.
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

    /// Whether a piece of a line was given out whose end has not been seen.
    pub fn begun(&self) -> bool {
        self.hold.begun()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Lines, Piece};
    use crate::wire::PIECE;

    type Owned = (Vec<u8>, bool, bool);

    fn split(chunks: &[&[u8]]) -> Vec<Owned> {
        let mut lines = Lines::new();
        let mut pieces = Vec::new();
        let mut emit = |piece: Piece<'_>| pieces.push((piece.bytes.to_vec(), piece.first, piece.last));
        for chunk in chunks {
            lines.push(chunk, &mut emit);
        }
        lines.finish(&mut emit);
        pieces
    }

    fn whole(text: &[u8]) -> Owned {
        (text.to_vec(), true, true)
    }

    #[test]
    fn only_lf_ends_a_line_and_every_byte_is_kept() {
        let stream = b"\xEF\xBB\xBF{}\r\n\n 10%\r 20%\r\xFF\xFE\n\"a\xE2\x80\xA8b\xC2\x85\"\ntail";
        let expected: [&[u8]; 5] =
            [b"\xEF\xBB\xBF{}\r\n", b"\n", b" 10%\r 20%\r\xFF\xFE\n", b"\"a\xE2\x80\xA8b\xC2\x85\"\n", b"tail"];
        assert_eq!(split(&[stream]), expected.map(whole));
    }

    #[test]
    fn a_long_line_comes_in_pieces_of_equal_length() {
        let mut text = vec![b'a'; 2 * PIECE];
        text.push(b'\n');
        let pieces = split(&[&text]);
        let shape: Vec<_> = pieces.iter().map(|(bytes, first, last)| (bytes.len(), *first, *last)).collect();
        assert_eq!(shape, [(PIECE, true, false), (PIECE, false, false), (1, false, true)]);
        text.drain(..=PIECE);
        assert_eq!(split(&[&text]), [whole(&text)]);
    }

    #[test]
    fn a_line_without_end_is_held_in_constant_memory() {
        let mut lines = Lines::new();
        let chunk = vec![b'a'; 64 * 1024 + 1];
        let mut seen = 0;
        for _ in 0..3200 {
            lines.push(&chunk, &mut |piece| seen += piece.bytes.len());
            assert!(lines.hold.capacity() <= 2 * PIECE);
        }
        lines.finish(&mut |piece| seen += piece.bytes.len());
        assert_eq!(seen, 3200 * chunk.len());
    }

    #[test]
    fn a_paused_line_can_be_given_out_and_goes_on() {
        let mut lines = Lines::new();
        let mut pieces = Vec::new();
        let mut emit = |piece: Piece<'_>| pieces.push((piece.bytes.to_vec(), piece.first, piece.last));
        lines.flush(&mut emit);
        lines.push(b"Password: ", &mut emit);
        assert!(lines.pending() && !lines.begun());
        lines.flush(&mut emit);
        lines.flush(&mut emit);
        assert!(!lines.pending() && lines.begun());
        lines.push(b"ok\nnext", &mut emit);
        lines.flush(&mut emit);
        lines.finish(&mut emit);
        lines.finish(&mut emit);
        let expected: [(&[u8], bool, bool); 4] =
            [(b"Password: ", true, false), (b"ok\n", false, true), (b"next", true, false), (b"", false, true)];
        assert_eq!(pieces, expected.map(|(bytes, first, last)| (bytes.to_vec(), first, last)));
    }

    proptest! {
        #[test]
        fn the_cuts_between_chunks_do_not_matter(
            chunks in prop::collection::vec(prop::collection::vec(prop::sample::select(&b"\n\r\na\xFF{"[..]), 0..20), 0..20),
            filler in prop::sample::select(vec![0, PIECE - 3, PIECE - 1, PIECE, PIECE + 2]),
        ) {
            let filler = vec![b'x'; filler];
            let mut cut: Vec<&[u8]> = vec![&filler];
            cut.extend(chunks.iter().map(Vec::as_slice));
            let joined = cut.concat();
            let pieces = split(&cut);
            prop_assert_eq!(&pieces, &split(&[&joined]));
            let again: Vec<u8> = pieces.iter().flat_map(|(bytes, ..)| bytes.iter().copied()).collect();
            prop_assert_eq!(again, joined);
        }
    }
}
