//! Bytes to frames and back: lines, HTTP heads, events, JSON text, the JSON-RPC envelope. Lenient, and
//! every byte is kept. Nothing here knows MCP.

pub mod chunked;
mod hold;
pub mod http;
mod json;
pub mod lifecycle;
mod lines;
mod message;
mod oddities;
mod pretty;
mod scan;
pub mod sse;
mod text;
mod typed;

pub use hold::{Hold, PIECE, Piece};
pub use json::{Json, JsonKind};
pub use lines::Lines;
pub use message::{Frame, Item, Message, MessageKind, read};
pub use oddities::Oddities;
pub use pretty::{Needle, Pretty, PrettyLine, Token, Tokens};
pub use scan::JsonFault;
pub use sse::payload;
pub use text::quote;
pub use typed::typed_tokens;
