//! Scripts for the machine: what is heard in which order, and what is done about it.

mod legacy;
mod modern;
mod script;
mod streams;
