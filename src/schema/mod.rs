//! JSON Schema as tools use it: what a form shows for it, the form's state, made-up instances, and whether an
//! instance fits. Numbers stay as typed. Nothing is fetched, nothing recurses without a limit, and what a schema says
//! is advice: whatever is typed can be sent.

mod field;

pub use field::{Control, Field, FieldId, Presence};
