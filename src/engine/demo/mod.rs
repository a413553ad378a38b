//! The demo: a client and a server, real processes, that converse in both eras over the real tap.
//! It knows nothing of the recordings' contents; they come about as those of any other server.

mod answers;
mod catalog;
mod client;
mod legacy;
mod modern;
mod picture;
mod server;
mod stage;
mod talk;
mod tools;

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

pub use stage::{Demo, DemoError};

use crate::model::Era;

/// The names of the two recordings.
pub const fn name(era: Era) -> &'static str {
    match era {
        Era::Legacy => "demo-legacy",
        Era::Modern => "demo-modern",
    }
}

/// Is the demo's server until `input` ends; a step of its work takes `step`.
pub fn serve(input: impl BufRead, output: impl Write, errors: impl Write, step: Duration) -> io::Result<()> {
    server::Server::new(input, output, errors, step).run()
}

/// Is the demo's client in one era: starts the server by `command`, converses, closes the server's
/// stdin and waits for its end. It thinks for `pace` before each thing that it says.
pub fn converse(era: Era, command: &mut Command, pace: Duration) -> io::Result<ExitStatus> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let talked = talk(era, &mut child, pace);
    let status = child.wait()?;
    talked.map(|()| status)
}

fn talk(era: Era, child: &mut Child, pace: Duration) -> io::Result<()> {
    let (Some(output), Some(input)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::Error::other("the server has no pipes"));
    };
    hold_conversation(era, BufReader::new(input), output, pace)
}

fn hold_conversation(era: Era, input: impl BufRead, output: impl Write, pace: Duration) -> io::Result<()> {
    match era {
        Era::Legacy => {
            let mut client = client::Client::new(input, output, 0, pace);
            client.converse_legacy()?;
            client.finish()
        }
        Era::Modern => {
            let mut client = client::Client::new(input, output, 1, pace);
            client.converse_modern()?;
            client.finish()
        }
    }
}

#[cfg(test)]
mod tests;
