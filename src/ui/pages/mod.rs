//! The pages of the window.

pub mod traffic;
