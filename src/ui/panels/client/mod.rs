//! The regions of the Client page.

pub mod sidebar;
