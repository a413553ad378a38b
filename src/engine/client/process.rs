//! The process of a server that our client talks to: its start, with a keeper where there is one, the signals that end
//! it, and its end.

use std::fs::File;

use super::keep;
use crate::transport::{Ending, Launch, Server, StartError};

/// A server that was started.
#[derive(Debug)]
pub struct Process {
    /// Its process id.
    pub pid: u32,
    /// Its stdin.
    pub input: File,
    /// Its stdout.
    pub output: File,
    /// Its stderr.
    pub error: File,
    /// What ends it.
    pub reins: Reins,
    /// What tells of its end.
    pub life: Life,
}

/// How a server ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// With which code or by which signal; `None` where the system does not tell.
    pub ending: Option<Ending>,
    /// What it had left behind and was ended.
    pub swept: Vec<u32>,
}

/// Starts a server; an error fits after "failed to".
pub fn start(launch: &Launch) -> Result<Process, String> {
    #[cfg(target_os = "linux")]
    if keep::is_possible() {
        return kept::start(launch);
    }
    let _ = keep::is_possible();
    Server::launch(launch).map(plain).map_err(|error: StartError| error.to_string())
}

/// Ends a server.
#[cfg(unix)]
#[derive(Debug, Clone)]
pub struct Reins(u32);

#[cfg(unix)]
impl Reins {
    /// Sends TERM to its group.
    pub fn terminate(&self) {
        crate::transport::send_group(self.0, 15);
    }

    /// Sends KILL to its group; what has left that is ended by the keeper.
    pub fn kill(&self) {
        crate::transport::send_group(self.0, 9);
    }
}

/// Tells of a server's end.
#[cfg(unix)]
#[derive(Debug)]
pub struct Life {
    /// The server, or its keeper, which ends as the server did.
    waited: u32,
    /// The server.
    pid: u32,
    /// What its keeper reports.
    report: Option<File>,
    /// How it ended, where that was seen already.
    ending: Option<Ending>,
}

#[cfg(unix)]
impl Life {
    /// Waits until it has ended; nothing of its group is left then.
    pub fn wait(self) -> Ended {
        let ending = self.ending.or_else(|| crate::transport::wait_for(self.waited));
        // Where a keeper was killed, or there is none, nobody else does it.
        crate::transport::send_group(self.pid, 9);
        Ended { ending, swept: self.report.as_ref().map(swept).unwrap_or_default() }
    }
}

/// The process ids in a keeper's last report.
#[cfg(unix)]
fn swept(report: &File) -> Vec<u32> {
    let mut text = [0; 4096];
    if !crate::transport::has_input(report) {
        return Vec::new();
    }
    let count = crate::transport::read(report, &mut text).unwrap_or(0);
    let text = String::from_utf8_lossy(&text[..count]);
    text.strip_prefix("swept ").map_or(Vec::new(), |pids| pids.split_whitespace().flat_map(str::parse).collect())
}

#[cfg(unix)]
fn plain(server: Server) -> Process {
    let Server { pid, input, output, error } = server;
    Process {
        pid,
        input,
        output,
        error,
        reins: Reins(pid),
        life: Life { waited: pid, pid, report: None, ending: None },
    }
}

#[cfg(target_os = "linux")]
mod kept {
    //! A server with a keeper.

    use std::fs::File;
    use std::io;
    use std::os::fd::{AsRawFd, OwnedFd};
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::{Child, Command, Stdio};
    use std::time::Duration;

    use super::{Ending, Launch, Life, Process, Reins};
    use crate::transport;

    /// How often it is looked whether the keeper has reported: five seconds in all.
    const LOOKS: u32 = 5_000;
    const BETWEEN: Duration = Duration::from_millis(1);

    /// Starts a keeper with the server.
    pub fn start(launch: &Launch) -> Result<Process, String> {
        if let Some(folder) = launch.folder.as_ref().filter(|folder| !folder.is_dir()) {
            let folder = folder.clone();
            return Err(transport::StartError::NoFolder { folder }.to_string());
        }
        let fault = |error: io::Error| format!("start the process that keeps the server: {error}");
        let (from, to) = io::pipe().map_err(fault)?;
        let mut command = command(launch, &to).map_err(fault)?;
        let mut keeper = command.spawn().map_err(fault)?;
        let report = File::from(OwnedFd::from(from));
        let (told, ending) = await_report(&report, &mut keeper);
        drop(to);
        let pid = match told.split_once(' ') {
            Some(("pid", pid)) => pid.trim().parse().ok(),
            Some(("failed", why)) => return Err(reaped(keeper, why.to_owned())),
            _ => None,
        };
        let Some(pid) = pid else {
            transport::send(keeper.id(), 9);
            return Err(reaped(keeper, "start the server: the process that keeps it did not report".to_owned()));
        };
        let pipes = (keeper.stdin.take(), keeper.stdout.take(), keeper.stderr.take());
        let (Some(input), Some(output), Some(error)) = pipes else {
            transport::send(keeper.id(), 9);
            return Err(reaped(keeper, "start the server: a pipe is missing".to_owned()));
        };
        Ok(Process {
            pid,
            input: OwnedFd::from(input).into(),
            output: OwnedFd::from(output).into(),
            error: OwnedFd::from(error).into(),
            reins: Reins(pid),
            life: Life { waited: keeper.id(), pid, report: Some(report), ending },
        })
    }

    fn command(launch: &Launch, report: &io::PipeWriter) -> io::Result<Command> {
        let mut command = Command::new(transport::own_program()?);
        let ourselves = std::process::id();
        command.arg0("midwire").args(["keep", "--by", &ourselves.to_string()]);
        // A path, so that no other process that is started at the same time inherits it.
        command.args(["--report", &format!("/proc/{ourselves}/fd/{}", report.as_raw_fd())]);
        command.arg("--").args(&launch.command).process_group(0);
        if let Some(folder) = &launch.folder {
            command.current_dir(folder);
        }
        if let Some(environment) = &launch.environment {
            command.env_clear().envs(environment.iter().map(|(name, value)| (name, value)));
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Ok(command)
    }

    /// What the keeper says first, and how it ended, if it has.
    fn await_report(report: &File, keeper: &mut Child) -> (String, Option<Ending>) {
        let mut text = [0; 4096];
        let mut status = None;
        for _ in 0..LOOKS {
            if transport::has_input(report) {
                let count = transport::read(report, &mut text).unwrap_or(0);
                return (String::from_utf8_lossy(&text[..count]).into_owned(), status);
            }
            if status.is_some() {
                break;
            }
            // One more look follows: it may have reported just before.
            status = keeper.try_wait().ok().flatten().map(ending);
            if status.is_none() {
                std::thread::sleep(BETWEEN);
            }
        }
        (String::new(), status)
    }

    fn ending(status: std::process::ExitStatus) -> Ending {
        status.signal().map_or_else(|| Ending::Code(status.code().unwrap_or(1)), Ending::Signal)
    }

    /// The error, once the keeper has gone.
    fn reaped(mut keeper: Child, why: String) -> String {
        // It ends at once; that it is gone already is no error.
        let _ = keeper.wait();
        why
    }
}

#[cfg(windows)]
pub use job::{Life, Reins};

#[cfg(windows)]
fn plain(server: Server) -> Process {
    let Server { pid, input, output, error, job } = server;
    let (reins, life) = job::hold(job);
    Process { pid, input, output, error, reins, life }
}

#[cfg(windows)]
mod job {
    //! A server in its job.

    use std::sync::{Arc, Mutex, PoisonError};
    use std::time::Duration;

    use process_wrap::std::ChildWrapper;

    use super::{Ended, Ending};

    type Job = Arc<Mutex<Box<dyn ChildWrapper>>>;

    /// Ends a server with all that it started.
    #[derive(Debug, Clone)]
    pub struct Reins(Job);

    /// Tells of a server's end.
    #[derive(Debug)]
    pub struct Life(Job);

    /// Both for one job.
    pub fn hold(job: Box<dyn ChildWrapper>) -> (Reins, Life) {
        let job = Arc::new(Mutex::new(job));
        (Reins(Arc::clone(&job)), Life(job))
    }

    impl Reins {
        /// There is no gentle way here but the end of its input.
        pub fn terminate(&self) {}

        /// Ends the job.
        pub fn kill(&self) {
            let _ = self.0.lock().unwrap_or_else(PoisonError::into_inner).start_kill();
        }
    }

    impl Life {
        /// Waits until it has ended.
        pub fn wait(self) -> Ended {
            loop {
                let ended = self.0.lock().unwrap_or_else(PoisonError::into_inner).try_wait();
                match ended {
                    Ok(None) => std::thread::sleep(Duration::from_millis(10)),
                    Ok(Some(status)) => {
                        let _ = self.0.lock().unwrap_or_else(PoisonError::into_inner).start_kill();
                        let ending = Some(Ending::Code(status.code().unwrap_or(1)));
                        return Ended { ending, swept: Vec::new() };
                    }
                    Err(_) => return Ended { ending: None, swept: Vec::new() },
                }
            }
        }
    }
}
