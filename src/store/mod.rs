//! Recordings on disk: the only module that names rusqlite.
