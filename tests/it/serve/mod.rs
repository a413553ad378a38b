//! Our own server: from recordings, from mock files, and at its front: raw bytes over sockets and pipes, as clients send
//! them, and what is recorded of it. What the server decides is tried in `peer/server/tests`.

mod adding;
mod carried;
mod corpus;
mod crossed;
#[cfg(target_os = "linux")]
mod exact;
mod misbehaviour;
mod mock;
#[cfg(target_os = "linux")]
mod posts;
mod process;
mod recorded;
mod replay;
#[cfg(target_os = "linux")]
mod stand;
#[cfg(target_os = "linux")]
mod stdio;
#[cfg(target_os = "linux")]
mod streams;
mod turned;
mod wire;
