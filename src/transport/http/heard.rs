//! What is heard of a message while it arrives.

use crate::wire::http::Head;

/// One piece of a message, in the order in which they arrive.
#[derive(Debug)]
pub enum Heard<'a> {
    /// A head. A response may have several: informational ones (1xx) come before the last.
    Head(Head),
    /// Bytes of the body, without chunked framing, as they came; never empty.
    Data(&'a [u8]),
    /// The trailer fields as they came, with the empty line that ends them; never empty.
    Trailers(Vec<u8>),
    /// The message ended in order.
    End,
}
