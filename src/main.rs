//! The binary: parses, runs the mode that was asked for, and exits with its code.

use std::process::ExitCode;

fn main() -> ExitCode {
    midwire::cli::run()
}
