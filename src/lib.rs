//! midwire: a debugging inspector and traffic recorder for the Model Context Protocol.
//!
//! The modules, from the bytes up; ARCHITECTURE.md says who may import whom and why.

pub mod cli;
pub mod engine;
pub mod filter;
pub mod hosts;
pub mod mcp;
pub mod mock;
pub mod model;
pub mod peer;
pub mod project;
pub mod recorded;
pub mod schema;
pub mod store;
pub mod trace;
pub mod transport;
#[cfg(feature = "gui")]
pub mod ui;
pub mod wire;
