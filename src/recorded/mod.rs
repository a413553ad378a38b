//! A recording as a server: its calls, how a request finds the one that answers it, what is said where none does.
//! Answers as a [`Script`](crate::peer::server::Script). Reading recordings is the engine's.
