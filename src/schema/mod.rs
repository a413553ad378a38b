//! JSON Schema as tools use it: what a form shows for it, the form's state, made-up instances, and whether an
//! instance fits. Numbers stay as typed. Nothing is fetched, nothing recurses without a limit, and what a schema says
//! is advice: whatever is typed can be sent.

mod canon;
mod cost;
mod dialect;
mod field;
mod form;
mod number;
mod read;
mod refs;
mod sample;
mod shape;
mod tree;
mod validator;
mod verdict;

pub use canon::canonical;
pub use field::{Choices, Control, Field, FieldId, Presence};
pub use form::Form;
pub use number::compare;
pub use read::Schema;
pub use sample::sample;
pub use validator::{Problem, Validator};
pub use verdict::Verdict;
