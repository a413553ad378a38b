//! Our own server: from recordings, from mock files, on its transports.

mod adding;
mod corpus;
mod crossed;
mod process;
mod recorded;
mod replay;
mod turned;
mod wire;
