//! The client at work: sessions with servers on stdio and HTTP, what is told of them and what is recorded. What users
//! of such tools report (reports.md) must not happen here.

#[cfg(target_os = "linux")]
mod accepted;
#[cfg(target_os = "linux")]
mod asked;
#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod environment;
#[cfg(target_os = "linux")]
mod features;
#[cfg(target_os = "linux")]
mod http;
#[cfg(target_os = "linux")]
mod processes;
#[cfg(target_os = "linux")]
mod server;
#[cfg(target_os = "linux")]
pub(crate) mod session;
#[cfg(target_os = "linux")]
mod stdio;
#[cfg(target_os = "linux")]
mod streams;
