//! Recordings on disk: one SQLite file each, written by one [`Writer`] and read by any number of
//! [`Reader`]s, also while it is being written. The only module that names rusqlite.
//!
//! It keeps bytes and facts, and knows nothing of what they mean. The format is described in
//! recordings/FORMAT.md.

mod error;
mod facts;
mod open;
mod peek;
mod reader;
mod salvage;
mod scan;
mod schema;
mod settle;
pub mod words;
mod writer;

pub use error::{OpenError, StoreError};
pub use facts::FactValue;
pub use reader::Reader;
pub use scan::EntryRef;
pub use schema::{APPLICATION_ID, FORMAT};
pub use settle::settle;
pub use writer::Writer;
