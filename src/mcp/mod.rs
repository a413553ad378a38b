//! What messages mean: methods, revisions, capabilities, readings of payloads.
//!
//! Readings are lenient: a payload of the wrong shape reads as "not there", never as a failure, and
//! one bad item of a list hides only itself. It does not say what is wrong; that is for the checks.

mod capabilities;
pub mod content;
mod identity;
mod line;
pub mod meta;
pub mod methods;
pub mod mirror;
pub mod mirrored;
mod outcome;
mod subject;
pub mod template;

pub use capabilities::{Capabilities, Known};
pub use content::content;
pub use identity::Identity;
pub use line::{one_line, one_line_of};
pub use outcome::{error_outcome, outcome};
pub use subject::subject;
