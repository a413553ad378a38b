//! Joins wire, trace, store and transport: the tap and its recorder, and the live view of a folder of
//! recordings. The only module that reads the clock.

pub mod paths;
pub mod view;
