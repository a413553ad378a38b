//! Starting a server as a child process, and how it ended. Its argv is passed on untouched; so are our environment and
//! folder, unless others are given.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use thiserror::Error;

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// With this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

/// Why a server could not be started; fits after "failed to".
#[derive(Debug, Error)]
pub enum StartError {
    /// No such command.
    #[error("start the server: the command {program:?} was not found{}", searched(.looked.as_deref()))]
    NotFound {
        /// The command's first word.
        program: OsString,
        /// The value of PATH, where it was searched.
        looked: Option<OsString>,
    },
    /// The file is there, but not what should run it.
    #[error(
        "start the server: {} is a script for {interpreter:?}, which was not found; \
         install it, or name the interpreter in the command", path.display()
    )]
    NoInterpreter {
        /// The script.
        path: PathBuf,
        /// What its first line asks for.
        interpreter: String,
    },
    /// The file is there and may not be run.
    #[error(
        "start the server: {} cannot be executed: {source}; \
         make it executable (chmod +x), or name an interpreter in front of it", path.display()
    )]
    NotExecutable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The folder it is to run in is not there.
    #[error("start the server: there is no folder {}; make it, or choose another for it", folder.display())]
    NoFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// Anything else.
    #[error("start the server {program:?}: {source}")]
    Other {
        /// The command's first word.
        program: OsString,
        /// What the system said.
        source: io::Error,
    },
}

impl StartError {
    /// The exit code that a shell would give.
    pub const fn code(&self) -> i32 {
        match self {
            Self::NotFound { .. } | Self::NoInterpreter { .. } => 127,
            Self::NotExecutable { .. } | Self::NoFolder { .. } | Self::Other { .. } => 126,
        }
    }
}

fn searched(path: Option<&OsStr>) -> String {
    match path {
        Some(path) => format!(
            "; PATH is {}; give the command's full path, or add its folder to PATH where the host is configured",
            path.display()
        ),
        None => "; check the path".to_owned(),
    }
}

/// A running server. Its process is ended by its group (Unix) or its job (Windows), not by dropping.
#[derive(Debug)]
pub struct Server {
    /// Its process id; on Unix also that of its process group.
    pub pid: u32,
    /// Its stdin.
    pub input: File,
    /// Its stdout.
    pub output: File,
    /// Its stderr.
    pub error: File,
    /// The job that holds it and all that it starts. A job is not ended when its last handle closes, so
    /// when midwire is killed the server is left to notice the end of its input.
    #[cfg(windows)]
    pub job: Box<dyn process_wrap::std::ChildWrapper>,
}

/// What is started, and in which surroundings.
#[derive(Debug, Clone, Default)]
pub struct Launch {
    /// Program and arguments.
    pub command: Vec<OsString>,
    /// The folder it runs in; otherwise ours.
    pub folder: Option<PathBuf>,
    /// All of its environment; otherwise ours.
    pub environment: Option<Vec<(OsString, OsString)>>,
}

impl Launch {
    /// The command in our own surroundings.
    pub fn of(command: &[OsString]) -> Self {
        Self { command: command.to_vec(), ..Self::default() }
    }

    /// Has `spawn` start it; what went wrong is explained.
    fn run<T>(&self, spawn: impl Fn(Command) -> io::Result<T>) -> Result<T, StartError> {
        let Some((program, arguments)) = self.command.split_first() else {
            return Err(StartError::NotFound { program: OsString::new(), looked: None });
        };
        if let Some(folder) = self.folder.as_ref().filter(|folder| !folder.is_dir()) {
            return Err(StartError::NoFolder { folder: folder.clone() });
        }
        match spawn(self.dress(program, arguments)) {
            Err(error) if is_plain_script(&error) => {
                let script = self.find(program).map_or_else(|| program.clone(), OsString::from);
                let all: Vec<OsString> = std::iter::once(script).chain(arguments.iter().cloned()).collect();
                spawn(self.dress(OsStr::new("/bin/sh"), &all))
            }
            other => other,
        }
        .map_err(|source| self.explain(program, source))
    }

    fn dress(&self, program: &OsStr, arguments: &[OsString]) -> Command {
        // On Windows a bare name may mean a `.cmd` shim (npx, uvx): PATHEXT decides, which CreateProcess ignores.
        let found = if cfg!(windows) { self.find(program) } else { None };
        let mut command = Command::new(found.map_or_else(|| program.to_owned(), OsString::from));
        command.args(arguments);
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        if let Some(environment) = &self.environment {
            command.env_clear().envs(environment.iter().map(|(name, value)| (name, value)));
        }
        command
    }

    /// The PATH in which the program is looked for.
    fn path(&self) -> Option<OsString> {
        match &self.environment {
            Some(all) => all.iter().find(|(name, _)| name.eq_ignore_ascii_case("PATH")).map(|(_, value)| value.clone()),
            None => std::env::var_os("PATH"),
        }
    }

    fn find(&self, program: &OsStr) -> Option<PathBuf> {
        let folder = self.folder.clone().or_else(|| std::env::current_dir().ok())?;
        which::which_in(program, self.path(), folder).ok()
    }
}

impl Server {
    /// Starts `command` with pipes, as the leader of a process group or job of its own.
    pub fn start(command: &[OsString]) -> Result<Self, StartError> {
        Self::launch(&Launch::of(command))
    }

    /// The same in surroundings that are given.
    pub fn launch(launch: &Launch) -> Result<Self, StartError> {
        launch.run(spawn)
    }

    /// Starts `command` with our own streams, as the leader of a process group of its own: its process id.
    #[cfg(unix)]
    pub fn share(command: &[OsString]) -> Result<u32, StartError> {
        use std::os::unix::process::CommandExt;
        Launch::of(command).run(|mut command| Ok(command.process_group(0).spawn()?.id()))
    }
}

#[cfg(unix)]
fn spawn(mut command: Command) -> io::Result<Server> {
    use std::os::fd::OwnedFd;
    use std::os::unix::process::CommandExt;

    command.process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let missing = || io::Error::other("a pipe is missing");
    // The child is reaped by process id with all others that are handed to us (see `signals`).
    Ok(Server {
        pid: child.id(),
        input: OwnedFd::from(child.stdin.take().ok_or_else(missing)?).into(),
        output: OwnedFd::from(child.stdout.take().ok_or_else(missing)?).into(),
        error: OwnedFd::from(child.stderr.take().ok_or_else(missing)?).into(),
    })
}

#[cfg(windows)]
fn spawn(mut command: Command) -> io::Result<Server> {
    use std::os::windows::io::OwnedHandle;

    use process_wrap::std::{CommandWrap, JobObject};

    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = CommandWrap::from(command).wrap(JobObject).spawn()?;
    let missing = || io::Error::other("a pipe is missing");
    Ok(Server {
        pid: child.id(),
        input: OwnedHandle::from(child.stdin().take().ok_or_else(missing)?).into(),
        output: OwnedHandle::from(child.stdout().take().ok_or_else(missing)?).into(),
        error: OwnedHandle::from(child.stderr().take().ok_or_else(missing)?).into(),
        job: child,
    })
}

/// ENOEXEC: an executable file without a first line that names its interpreter. A shell, and the
/// `execvp` that most hosts use, give it to `/bin/sh`.
fn is_plain_script(error: &io::Error) -> bool {
    cfg!(unix) && error.raw_os_error() == Some(8)
}

impl Launch {
    /// What is behind the system's terse error.
    fn explain(&self, program: &OsStr, source: io::Error) -> StartError {
        let is_path = Path::new(program).components().count() > 1;
        let found = if is_path { None } else { self.on_path(program) };
        let path = found.unwrap_or_else(|| self.folder.as_deref().unwrap_or(Path::new("")).join(program));
        match source.kind() {
            ErrorKind::NotFound => match interpreter(&path) {
                Some(interpreter) => StartError::NoInterpreter { path, interpreter },
                None => StartError::NotFound {
                    program: program.to_owned(),
                    looked: if is_path { None } else { self.path() },
                },
            },
            ErrorKind::PermissionDenied => StartError::NotExecutable { path, source },
            _ if is_plain_script(&source) => StartError::NotExecutable { path, source },
            _ => StartError::Other { program: program.to_owned(), source },
        }
    }

    /// The first file of that name in PATH, executable or not.
    fn on_path(&self, program: &OsStr) -> Option<PathBuf> {
        let path = self.path()?;
        std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
    }
}

/// The interpreter that a script's first line names.
fn interpreter(path: &Path) -> Option<String> {
    let mut head = [0; 256];
    let count = File::open(path).and_then(|mut file| file.read(&mut head)).ok()?;
    let line = head[..count].split(|byte| *byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line.strip_prefix(b"#!")?);
    line.split_whitespace().next().map(str::to_owned)
}

/// Our own program file, to start ourselves again. On Linux it is the very file that runs, even
/// when an upgrade has replaced it.
pub fn own_program() -> io::Result<PathBuf> {
    if cfg!(target_os = "linux") {
        return Ok("/proc/self/exe".into());
    }
    std::env::current_exe()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_command_says_where_it_was_searched_and_what_to_do() {
        let error = Server::start(&["midwire-no-such-command".into()]).expect_err("not there");
        assert_eq!(error.code(), 127);
        let said = error.to_string();
        assert!(said.contains("\"midwire-no-such-command\" was not found; PATH is "), "{said}");
        let error = Server::start(&["./midwire/no/such".into()]).expect_err("not there");
        assert!(error.to_string().ends_with("; check the path"), "{error}");
    }

    #[test]
    #[cfg(unix)]
    fn a_file_that_cannot_run_says_why() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let script = folder.path().join("server.py");
        std::fs::write(&script, "#!/no/such/python -u\nprint()\n").expect("written");
        let error = Server::start(&[script.clone().into()]).expect_err("not executable");
        assert_eq!(error.code(), 126);
        assert!(error.to_string().contains("chmod +x"), "{error}");
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("executable");
        let error = Server::start(&[script.into()]).expect_err("no interpreter");
        assert_eq!(error.code(), 127);
        assert!(error.to_string().contains("\"/no/such/python\""), "{error}");
    }
}
