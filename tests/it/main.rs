//! The integration tests: one binary, one module for each part of the tool.

mod interop;
mod live;
mod tidy;
