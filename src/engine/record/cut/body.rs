//! The framing of a body: all of it is one entry, in pieces of [`PIECE`](crate::wire::PIECE) when it is larger. The counterpart
//! of `wire::Lines` and `wire::sse::Events`, which look for ends inside; here the end is said.

use crate::wire::{Hold, Piece};

/// Gathers a body that comes in chunks of any size; holds at most one piece.
#[derive(Debug, Default)]
pub struct Body {
    hold: Hold,
}

impl Body {
    /// Takes the next chunk and gives out every piece that is complete.
    pub fn push(&mut self, mut chunk: &[u8], emit: &mut dyn FnMut(Piece<'_>)) {
        while !chunk.is_empty() {
            // A full piece is given out only when more follows, so that what just fits into one is whole.
            if self.hold.room() == 0 {
                self.hold.flush(emit);
            }
            let (part, rest) = chunk.split_at(self.hold.room().min(chunk.len()));
            self.hold.keep(part);
            chunk = rest;
        }
    }

    /// Gives out what is held; the body goes on.
    pub fn flush(&mut self, emit: &mut dyn FnMut(Piece<'_>)) {
        self.hold.flush(emit);
    }

    /// The body has ended: gives out the rest as its last piece, which is empty when all was given out. A
    /// body without bytes is none.
    pub fn finish(&mut self, emit: &mut dyn FnMut(Piece<'_>)) {
        self.hold.finish(emit);
    }

    /// What is held and was not given out.
    pub fn held(&self) -> &[u8] {
        self.hold.bytes()
    }

    /// Whether a piece was given out of a body that has not ended.
    pub fn begun(&self) -> bool {
        self.hold.begun()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::PIECE;

    #[test]
    fn a_body_is_one_entry_in_pieces_of_equal_length() {
        for (length, shape) in [
            (0, vec![]),
            (1, vec![(1, true, true)]),
            (PIECE, vec![(PIECE, true, true)]),
            (2 * PIECE + 1, vec![(PIECE, true, false), (PIECE, false, false), (1, false, true)]),
        ] {
            let (mut body, mut seen) = (Body::default(), Vec::new());
            let mut emit = |piece: Piece<'_>| seen.push((piece.bytes.len(), piece.first, piece.last));
            for chunk in vec![b'x'; length].chunks(70_001) {
                body.push(chunk, &mut emit);
            }
            body.finish(&mut emit);
            assert_eq!(seen, shape, "{length}");
        }
    }

    #[test]
    fn a_paused_body_goes_on() {
        let (mut body, mut seen) = (Body::default(), Vec::new());
        let mut emit = |piece: Piece<'_>| seen.push((piece.bytes.to_vec(), piece.first, piece.last));
        body.flush(&mut emit);
        body.push(b"ab", &mut emit);
        body.flush(&mut emit);
        body.push(b"c", &mut emit);
        body.flush(&mut emit);
        body.finish(&mut emit);
        assert!(!body.begun());
        let expected: [(&[u8], bool, bool); 3] = [(b"ab", true, false), (b"c", false, false), (b"", false, true)];
        assert_eq!(seen, expected.map(|(bytes, first, last)| (bytes.to_vec(), first, last)));
    }
}
