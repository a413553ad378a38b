//! The integration tests: one binary, one module for each part of the tool.

mod interop;
mod live;
#[cfg(target_os = "linux")]
mod losses;
#[cfg(target_os = "linux")]
mod process;
#[cfg(target_os = "linux")]
mod stdio;
#[cfg(target_os = "linux")]
mod tapped;
mod recordings;
mod tidy;
