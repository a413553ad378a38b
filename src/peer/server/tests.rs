//! What the server does, as scripts: who says what, and what comes out. The notation is in `script`.

pub mod book;
mod script;

mod asking;
mod broken;
mod hand;
mod handshake;
mod listening;
mod lists;
mod modern;
mod plans;
mod rounds;
mod tasks_legacy;
mod tasks_modern;
mod urls;
