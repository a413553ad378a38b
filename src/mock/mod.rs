//! Mock files: a server that somebody wrote down. Reads the file, says what is wrong with it and where, and answers by
//! its rules as a [`Script`](crate::peer::server::Script). Documented in `assets/MOCK.md`.
