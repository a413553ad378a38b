//! The outer process of a tap on Linux. The host knows this one: it passes signals on to the tap
//! inside and exits as that does. Both are subreapers, so whichever is killed, the other finds all
//! that the server started and ends it: this one by itself, the tap inside by a signal that the
//! kernel sends when this process dies. The tap inside has a process group of its own, because hosts
//! kill by group.

#[cfg(target_os = "linux")]
use super::Options;
#[cfg(target_os = "linux")]
use crate::engine::record::Say;
#[cfg(target_os = "linux")]
use crate::transport::Ending;

/// Runs `inside`, which is this program again, and watches it. `None` when that cannot be started: then the
/// tap must do without a keeper. What is left when it was killed is ended, of which `left` tells.
#[cfg(target_os = "linux")]
pub fn keep(inside: std::process::Command, left: &str, say: &Say) -> Option<Ending> {
    use crate::transport::{self, Noticed};

    transport::guard();
    let watch = transport::watch().ok()?;
    let (inside, at_terminal) = start(inside)?;
    // From here on the host's pipes are the business of the tap inside; ours would keep them open.
    let _ = transport::forget();
    let mut ending = None;
    watch.each(&mut |noticed| {
        match noticed {
            Noticed::Signal(signal) if at_terminal && KEYS.contains(&signal) => {}
            Noticed::Signal(signal) => transport::send(inside, signal),
            Noticed::Ended(pid, how) if pid == inside => ending = Some(how),
            Noticed::Ended(..) => {}
        }
        ending.is_none()
    });
    if !transport::end_descendants(false).is_empty() {
        say(left);
    }
    ending
}

/// Signals that a terminal sends to everybody in the foreground, so that they need no passing on.
#[cfg(unix)]
pub const KEYS: [i32; 3] = [2, 3, 28];

/// Starts the tap inside: its process id, and whether it shares our process group, because at a
/// terminal a process outside the foreground group may not read.
#[cfg(target_os = "linux")]
fn start(mut inside: std::process::Command) -> Option<(u32, bool)> {
    use std::io::IsTerminal;
    use std::os::unix::process::CommandExt;

    let at_terminal = std::io::stdin().is_terminal();
    if !at_terminal {
        inside.process_group(0);
    }
    inside.spawn().ok().map(|child| (child.id(), at_terminal))
}

/// This program again, as the tap that this process keeps.
#[cfg(target_os = "linux")]
pub fn again() -> Option<std::process::Command> {
    use std::os::unix::process::CommandExt;

    let mut command = std::process::Command::new(crate::transport::own_program().ok()?);
    command.arg0("midwire").arg("tap").arg("--kept-by").arg(std::process::id().to_string());
    Some(command)
}

/// The tap on stdio with these options, inside.
#[cfg(target_os = "linux")]
pub fn tap(options: &Options) -> Option<std::process::Command> {
    let mut command = again()?;
    if let Some(host) = options.host {
        command.arg("--host").arg(host.to_string());
    }
    if let Some(name) = &options.name {
        command.arg(format!("--name={name}"));
    }
    if let Some(folder) = &options.recordings {
        command.arg("--recordings").arg(folder);
    }
    command.arg("--grace").arg(options.grace.as_secs_f64().to_string());
    command.arg("--max-entry").arg((options.max_entry >> 20).to_string());
    if options.keep_secrets {
        command.arg("--keep-secrets");
    }
    command.arg("--").args(&options.command);
    Some(command)
}
