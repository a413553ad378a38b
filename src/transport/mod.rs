//! The bytes' way in and out: child processes and our own standard streams.
