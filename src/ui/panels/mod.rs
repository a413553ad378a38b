//! The regions of the window. Each is drawn from what the desk knows; what a person does there goes
//! back to the desk as commands.

pub mod arguments;
pub mod belongs;
pub mod client;
pub mod content;
pub mod copying;
pub mod detail;
pub mod empty;
pub mod entry;
pub mod filter_bar;
pub mod find;
pub mod form;
pub mod frames;
pub mod heads;
pub mod http;
pub mod keys_help;
pub mod listing;
mod moving;
pub mod open_file;
pub mod part;
pub mod pretty;
pub mod questions;
pub mod rail;
pub mod raw;
pub mod recordings;
pub mod resend;
pub mod saved;
pub mod server;
pub mod stack;
pub mod status_bar;
pub mod suggest;
pub mod taps;
pub mod timeline;
pub mod timing;
pub mod tree;
pub mod turn;
pub mod waterfall;
