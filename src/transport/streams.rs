//! Plain blocking reads and writes on our own standard streams and on a server's pipes. No buffering:
//! what was read is what is written, in the same pieces.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};

/// Our own three standard streams, as files that close when they are dropped.
#[derive(Debug)]
pub struct Standard {
    /// What the host sends.
    pub input: File,
    /// What the host reads.
    pub output: File,
    /// Where the host shows or keeps what a server complains about.
    pub error: File,
}

impl Standard {
    /// Takes the streams over. On Unix stdin and stdout are replaced by the null device, because a
    /// stream that is open twice cannot be closed: the host would wait for an end that never comes.
    pub fn take() -> io::Result<Self> {
        let streams = Self { input: duplicate_input()?, output: duplicate_output()?, error: duplicate_error()? };
        forget()?;
        Ok(streams)
    }
}

#[cfg(unix)]
fn duplicate_input() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdin().as_fd().try_clone_to_owned()?.into())
}

#[cfg(unix)]
fn duplicate_output() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(unix)]
fn duplicate_error() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stderr().as_fd().try_clone_to_owned()?.into())
}

#[cfg(windows)]
fn duplicate_input() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdin().as_handle().try_clone_to_owned()?.into())
}

#[cfg(windows)]
fn duplicate_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
}

#[cfg(windows)]
fn duplicate_error() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stderr().as_handle().try_clone_to_owned()?.into())
}

/// Lets go of stdin and stdout, for a process that only watches another one use them.
pub fn forget() -> io::Result<()> {
    #[cfg(unix)]
    {
        let null = File::options().read(true).write(true).open("/dev/null")?;
        rustix::stdio::dup2_stdin(&null)?;
        rustix::stdio::dup2_stdout(&null)?;
    }
    Ok(())
}

/// Reads what is there, waiting for the first byte; 0 at the end of the stream. A stream that
/// somebody else set to non-blocking is waited for all the same.
pub fn read(mut file: &File, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(into) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => wait(file, Readiness::Input)?,
            // Windows reports the end of a pipe as an error.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(0),
            other => return other,
        }
    }
}

/// Writes all of `bytes`.
///
/// Errors: how many bytes were written before it failed, and why.
pub fn write(mut file: &File, bytes: &[u8]) -> Result<(), (usize, io::Error)> {
    let mut done = 0;
    while done < bytes.len() {
        match file.write(&bytes[done..]) {
            Ok(0) => return Err((done, ErrorKind::WriteZero.into())),
            Ok(count) => done += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                wait(file, Readiness::Output).map_err(|error| (done, error))?;
            }
            Err(error) => return Err((done, error)),
        }
    }
    Ok(())
}

/// Whether a small write would go through at once; `false` where the platform cannot tell.
pub fn is_writable(file: &File) -> bool {
    is_ready(file, Readiness::Output)
}

/// Whether bytes lie ready to be read; `false` where the platform cannot tell.
pub fn has_input(file: &File) -> bool {
    is_ready(file, Readiness::Input)
}

#[derive(Clone, Copy)]
enum Readiness {
    Input,
    Output,
}

#[cfg(unix)]
fn poll(file: &File, readiness: Readiness, timeout: Option<&rustix::event::Timespec>) -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags};
    let wanted = match readiness {
        Readiness::Input => PollFlags::IN,
        Readiness::Output => PollFlags::OUT,
    };
    let mut polled = [PollFd::new(file, wanted)];
    match rustix::event::poll(&mut polled, timeout) {
        Ok(_) => Ok(polled[0].revents().contains(wanted)),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(unix)]
fn wait(file: &File, readiness: Readiness) -> io::Result<()> {
    poll(file, readiness, None).map(|_| ())
}

#[cfg(unix)]
fn is_ready(file: &File, readiness: Readiness) -> bool {
    poll(file, readiness, Some(&rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 })).unwrap_or(false)
}

#[cfg(windows)]
fn wait(_: &File, _: Readiness) -> io::Result<()> {
    std::thread::sleep(std::time::Duration::from_millis(1));
    Ok(())
}

#[cfg(windows)]
fn is_ready(_: &File, _: Readiness) -> bool {
    false
}
