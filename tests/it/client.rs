//! The client at work: sessions with servers on stdio and HTTP, what is told of them and what is recorded.

#[cfg(target_os = "linux")]
mod environment;
#[cfg(target_os = "linux")]
mod session;
#[cfg(target_os = "linux")]
mod stdio;
