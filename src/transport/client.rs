//! Starting a client, the program that midwire taps from behind: it keeps our terminal and our streams.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::process::{Child, Command};

use thiserror::Error;

/// Why a client could not be started; fits after "failed to".
#[derive(Debug, Error)]
#[error("start the client {program:?}: {source}{}", advice(.source))]
pub struct ClientError {
    /// The command's first word.
    program: OsString,
    /// What the system said.
    source: io::Error,
}

impl ClientError {
    /// The exit code that a shell would give.
    pub fn code(&self) -> i32 {
        if self.source.kind() == ErrorKind::NotFound { 127 } else { 126 }
    }
}

fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::NotFound => "; check the command, or give its full path",
        ErrorKind::PermissionDenied => "; make it executable (chmod +x), or name an interpreter in front of it",
        _ => "",
    }
}

/// Starts `command` with our own streams and these variables set besides ours: its process id. Its end is
/// noticed by [`Watch`](super::Watch).
#[cfg(unix)]
pub fn start_client(command: &[OsString], set: &[(&str, OsString)]) -> Result<u32, ClientError> {
    spawn(command, set).map(|child| child.id())
}

/// Runs `command` to its end with our own streams and these variables set besides ours.
#[cfg(not(unix))]
pub fn run_client(command: &[OsString], set: &[(&str, OsString)]) -> Result<super::Ending, ClientError> {
    let status = spawn(command, set)?.wait();
    let program = command.first().cloned().unwrap_or_default();
    let status = status.map_err(|source| ClientError { program, source })?;
    Ok(super::Ending::Code(status.code().unwrap_or(1)))
}

fn spawn(command: &[OsString], set: &[(&str, OsString)]) -> Result<Child, ClientError> {
    let (program, arguments) =
        command.split_first().map_or((OsString::new(), &[][..]), |(first, rest)| (first.clone(), rest));
    // A bare name may mean a `.cmd` shim on Windows, which is found by PATHEXT only.
    let found = if cfg!(windows) {
        which::which(&program).map_or_else(|_| program.clone(), OsString::from)
    } else {
        program.clone()
    };
    let spawned = Command::new(found).args(arguments).envs(set.iter().map(|(name, value)| (name, value))).spawn();
    spawned.map_err(|source| ClientError { program, source })
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(unix)]
    fn a_missing_client_is_named() {
        let error = super::start_client(&["midwire-no-such-client".into()], &[]).expect_err("not there");
        assert_eq!(error.code(), 127);
        assert!(error.to_string().contains("\"midwire-no-such-client\""), "{error}");
    }
}
