//! The parts that panels are made of: each draws one thing, knows nothing of the engine, and has an
//! accessible name.

pub mod audio;
pub mod button;
pub mod cell;
pub mod choice;
pub mod code;
pub mod columns;
pub mod field;
pub mod hex;
pub mod highlight;
pub mod raw_text;
pub mod script;
pub mod scroll;
pub mod sheet;
pub mod tree;
