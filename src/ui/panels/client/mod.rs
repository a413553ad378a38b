//! The regions of the Client page.

pub mod connect;
pub mod list;
pub mod sidebar;
pub mod top;
