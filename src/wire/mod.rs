//! Bytes to frames and back: lines, JSON text, the JSON-RPC envelope. Lenient, and every byte is kept.
//! Nothing here knows MCP.

mod json;
pub mod lifecycle;
mod lines;
mod message;
mod oddities;
mod pretty;
mod scan;
mod text;

pub use json::{Json, JsonKind};
pub use lines::{Lines, PIECE, Piece};
pub use message::{Frame, Item, Message, MessageKind, read};
pub use oddities::Oddities;
pub use pretty::{Needle, Pretty, PrettyLine, Token, Tokens};
pub use scan::JsonFault;
pub use text::quote;
