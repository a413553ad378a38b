//! The regions of the Client page.

pub mod blank;
pub mod connect;
pub mod list;
pub mod raw;
pub mod result;
pub mod server;
pub mod sidebar;
pub mod stream;
pub mod top;
pub mod work;
