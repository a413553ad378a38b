//! The window's handle on the engine: starts the threads, passes commands on without ever waiting, and
//! gives out events. What the threads do is in `watch`, `session` and `inspect`.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::mem::discriminant;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use super::outbox::Outbox;
use super::view::{Command, Event};
use super::{clients, servers, session, taps, watch};

/// Commands that may wait for a thread before later ones replace earlier ones.
const CAPACITY: usize = 64;

/// The live view of a folder of recordings and of the one that is open.
///
/// Neither [`send`](Self::send) nor [`poll`](Self::poll) waits, locks or reads a file, so both may be
/// called in a frame. Dropping the handle ends its threads: each notices between two slices of work.
pub struct Handle {
    watch: Line,
    session: Line,
    /// Those that end in order before the window does.
    taps: Option<(Line, JoinHandle<()>)>,
    clients: Option<(Line, JoinHandle<()>)>,
    servers: Option<(Line, JoinHandle<()>)>,
    events: Receiver<Event>,
    stopped: Arc<AtomicBool>,
}

impl Handle {
    /// Watches `folder` and stands ready to open recordings. `wake` is called, from any thread,
    /// whenever an event lies ready for [`poll`](Self::poll).
    pub fn start(folder: impl Into<PathBuf>, wake: impl Fn() + Send + Sync + 'static) -> Self {
        let (outbox, events, stopped) = Outbox::new(Arc::new(wake));
        let folder: PathBuf = folder.into();
        let (line, commands) = Line::new();
        let (out, taps_folder) = (outbox.clone(), folder.clone());
        let taps = spawn("taps", &outbox, move || taps::run(&taps_folder, &commands, &out));
        let taps = taps.map(|thread| (line, thread));
        let (line, commands) = Line::new();
        let (out, clients_folder) = (outbox.clone(), folder.clone());
        let clients = spawn("clients", &outbox, move || clients::run(&clients_folder, &commands, &out));
        let clients = clients.map(|thread| (line, thread));
        let (line, commands) = Line::new();
        let (out, servers_folder) = (outbox.clone(), folder.clone());
        let servers = spawn("servers", &outbox, move || servers::run(&servers_folder, &commands, &out));
        let servers = servers.map(|thread| (line, thread));
        let (watch, commands) = Line::new();
        let out = outbox.clone();
        spawn("watch", &outbox, move || watch::run(folder, &commands, &out));
        let (session, commands) = Line::new();
        let out = outbox.clone();
        spawn("session", &outbox, move || session::run(&commands, &out));
        Self { watch, session, taps, clients, servers, events, stopped }
    }

    /// Passes a command on. When the engine is that far behind, the last of several commands that
    /// replace each other (rows, filters, details) wins.
    pub fn send(&self, command: Command) {
        match command {
            Command::Rescan | Command::Delete(_) => self.watch.send(command),
            Command::StartTap(_) | Command::StopTap(_) => {
                if let Some((taps, _)) = &self.taps {
                    taps.send(command);
                }
            }
            Command::Client(_) => {
                if let Some((clients, _)) = &self.clients {
                    clients.send(command);
                }
            }
            Command::Server(_) => {
                if let Some((servers, _)) = &self.servers {
                    servers.send(command);
                }
            }
            _ => self.session.send(command),
        }
    }

    /// The time on the wall, since only the engine reads clocks.
    pub fn now(&self) -> crate::model::Nanos {
        crate::engine::clock::wall()
    }

    /// The next event, if one lies ready.
    pub fn poll(&self) -> Option<Event> {
        self.watch.flush();
        self.session.flush();
        [&self.taps, &self.clients, &self.servers].into_iter().flatten().for_each(|(line, _)| line.flush());
        self.events.try_recv().ok()
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        // The taps, connections and servers of this process end in order, so that their recordings are closed and no server
        // is left: the process must not end before. A thread that panicked has nothing more to close.
        let ending = [self.taps.take(), self.clients.take(), self.servers.take()];
        let ending: Vec<_> = ending.into_iter().flatten().collect();
        let threads: Vec<_> = ending.into_iter().map(|(_, thread)| thread).collect();
        for thread in threads {
            while !thread.is_finished() {
                // It may wait for room for what nobody reads any more.
                while self.events.try_recv().is_ok() {}
                std::thread::sleep(Duration::from_millis(2));
            }
            let _ = thread.join();
        }
    }
}

/// Starts a named thread of the engine; where that fails the window is told.
pub(super) fn spawn(name: &str, outbox: &Outbox, work: impl FnOnce() + Send + 'static) -> Option<JoinHandle<()>> {
    let started = std::thread::Builder::new().name(name.to_owned()).spawn(work);
    if let Err(error) = &started {
        // Without the thread nothing would ever come, so the reason must be seen.
        let _ = outbox.offer(Event::Notice(format!("cannot start the thread \"{name}\": {error}")));
    }
    started.ok()
}

/// A bounded channel to one thread, with what did not fit into it.
struct Line {
    channel: SyncSender<Command>,
    waiting: RefCell<VecDeque<Command>>,
}

impl Line {
    fn new() -> (Self, Receiver<Command>) {
        let (channel, commands) = sync_channel(CAPACITY);
        (Self { channel, waiting: RefCell::default() }, commands)
    }

    fn send(&self, command: Command) {
        let mut waiting = self.waiting.borrow_mut();
        waiting.retain(|earlier| !replaces(&command, earlier));
        waiting.push_back(command);
        self.move_on(&mut waiting);
    }

    fn flush(&self) {
        self.move_on(&mut self.waiting.borrow_mut());
    }

    fn move_on(&self, waiting: &mut VecDeque<Command>) {
        while let Some(command) = waiting.pop_front() {
            match self.channel.try_send(command) {
                Ok(()) => {}
                Err(TrySendError::Full(command)) => {
                    waiting.push_front(command);
                    return;
                }
                // The thread is gone; so will the window be.
                Err(TrySendError::Disconnected(_)) => return waiting.clear(),
            }
        }
    }
}

/// Whether `later` makes `earlier`, which has not been passed on yet, pointless.
fn replaces(later: &Command, earlier: &Command) -> bool {
    match later {
        // What was asked about another recording is not worth an answer; the filter stays in force.
        Command::Open(_) | Command::Close => !matches!(earlier, Command::Show { .. } | Command::Delete(_)),
        Command::Delete(path) => matches!(earlier, Command::Delete(other) if other == path),
        // Each is asked for on its own.
        Command::Client(_) | Command::Server(_) => false,
        Command::StopTap(tap) => matches!(earlier, Command::StopTap(other) if other == tap),
        _ => discriminant(later) == discriminant(earlier),
    }
}

#[cfg(test)]
mod tests {
    use super::{CAPACITY, Line};
    use crate::engine::view::{Command, View};

    #[test]
    fn a_full_line_keeps_the_last_of_what_replaces_each_other_and_the_order() {
        let (line, commands) = Line::new();
        for _ in 0..CAPACITY {
            line.send(Command::Rescan);
        }
        line.send(Command::Open("a".into()));
        line.send(Command::Rows { first: 0, count: 1 });
        line.send(Command::Show { view: View::Messages, filter: "x".to_owned() });
        line.send(Command::Open("b".into()));
        for first in 1..=1000 {
            line.send(Command::Rows { first, count: 1 });
        }
        for _ in 0..CAPACITY {
            assert!(matches!(commands.try_recv(), Ok(Command::Rescan)));
        }
        assert!(commands.try_recv().is_err());
        line.flush();
        assert!(matches!(commands.try_recv(), Ok(Command::Show { .. })));
        assert!(matches!(commands.try_recv(), Ok(Command::Open(path)) if path.as_os_str() == "b"));
        assert!(matches!(commands.try_recv(), Ok(Command::Rows { first: 1000, .. })));
        assert!(commands.try_recv().is_err());
    }
}
