//! The only place that prints. Everything else hands its words here, because on a stdio tap stdout is
//! the protocol and must carry nothing of ours.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::io::Write;

/// Says on stderr what went wrong or what somebody should know. A host shows this to its user, so
/// each line begins with our name. A stderr that is closed is no reason to stop.
pub fn problem(text: &str) {
    let mut words = String::new();
    for line in text.lines() {
        words.push_str("midwire: ");
        words.push_str(line);
        words.push('\n');
    }
    let _ = std::io::stderr().write_all(words.as_bytes());
}
