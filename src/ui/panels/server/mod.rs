//! The regions of the Server page.

pub mod about;
pub mod answer;
pub mod blank;
pub mod clients;
pub mod log;
pub mod miss;
pub mod requests;
pub mod rules;
pub mod say;
pub mod sidebar;
pub mod start;
pub mod top;
pub mod work;
