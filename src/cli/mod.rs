//! The words typed and the modes that they start.
