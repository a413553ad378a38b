//! Bytes to frames and back: lines, JSON text, the JSON-RPC envelope. Lenient, and every byte is kept.

mod pretty;

pub use pretty::{Pretty, PrettyLine};
