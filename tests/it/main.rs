//! The integration tests: one binary, one module for each part of the tool.

#![allow(clippy::print_stdout, reason = "tests that measure say what they measured; cargo shows it with --nocapture")]

mod cli;
mod client;
mod corpus;
mod damage;
mod forms;
#[cfg(target_os = "linux")]
mod http;
mod interop;
mod jsonl;
mod live;
#[cfg(target_os = "linux")]
mod losses;
#[cfg(feature = "gui")]
mod panels;
#[cfg(feature = "pictures")]
mod pictures;
mod playbooks;
#[cfg(target_os = "linux")]
mod process;
mod recorder;
mod recordings;
mod serve;
#[cfg(target_os = "linux")]
mod stdio;
#[cfg(target_os = "linux")]
mod tapped;
mod tidy;
mod wire;
