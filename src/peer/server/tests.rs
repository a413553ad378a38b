//! What the server does, as scripts: who says what, and what comes out. The notation is in `script`.

mod book;
mod script;

mod asking;
mod handshake;
mod listening;
mod rounds;
mod tasks_legacy;
mod tasks_modern;
