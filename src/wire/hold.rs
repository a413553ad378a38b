//! What a stream that is being cut holds back: less than a piece, until its end or more is seen. Shared by
//! all that cut (lines, events, bodies); where to cut is for them.

/// The most bytes that one piece holds. What is no longer than this comes as one piece.
pub const PIECE: usize = 256 * 1024;

/// A line, an event, a body, or a part of one. Joined in order, the pieces of a stream are that stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'a> {
    /// The bytes, the line end or empty line included where this is the end.
    pub bytes: &'a [u8],
    /// Whether it begins here.
    pub first: bool,
    /// Whether it ends here: with what ends it, or with the end of the stream.
    pub last: bool,
}

/// The start of what is being cut that was not given out yet.
#[derive(Debug, Default)]
pub struct Hold {
    held: Vec<u8>,
    begun: bool,
}

impl Hold {
    /// How many bytes more make a whole piece.
    pub fn room(&self) -> usize {
        PIECE - self.held.len()
    }

    /// Takes bytes, at most as many as there is room for. They are held while it neither ends with them
    /// nor fills a piece, and given out otherwise.
    pub fn take(&mut self, part: &[u8], ends: bool, emit: &mut dyn FnMut(Piece<'_>)) {
        if ends || part.len() >= self.room() {
            self.give(part, ends, emit);
        } else {
            self.keep(part);
        }
    }

    /// Takes bytes, at most as many as there is room for, and holds them.
    pub fn keep(&mut self, part: &[u8]) {
        self.held.extend_from_slice(part);
    }

    /// Gives out what is held, if anything; it goes on.
    pub fn flush(&mut self, emit: &mut dyn FnMut(Piece<'_>)) {
        if !self.held.is_empty() {
            self.give(&[], false, emit);
        }
    }

    /// The stream has ended: gives out the rest as a last piece, which is empty when all of it was given
    /// out already.
    pub fn finish(&mut self, emit: &mut dyn FnMut(Piece<'_>)) {
        if self.begun || !self.held.is_empty() {
            self.give(&[], true, emit);
        }
    }

    /// What is held.
    pub fn bytes(&self) -> &[u8] {
        &self.held
    }

    /// Whether a piece was given out of something whose end has not been seen.
    pub const fn begun(&self) -> bool {
        self.begun
    }

    /// Gives out the held bytes followed by `part`, without copying where nothing is held.
    fn give(&mut self, part: &[u8], last: bool, emit: &mut dyn FnMut(Piece<'_>)) {
        let first = !self.begun;
        if self.held.is_empty() {
            emit(Piece { bytes: part, first, last });
        } else {
            self.held.extend_from_slice(part);
            emit(Piece { bytes: &self.held, first, last });
            self.held.clear();
        }
        self.begun = !last;
    }

    /// How much memory it has.
    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.held.capacity()
    }
}
