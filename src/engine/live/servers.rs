//! The thread that holds this window's own servers, and reads and writes the mock files that they are made from. Each
//! server has threads of its own; here is only told which to begin, what to do and when to end.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use super::outbox::{Gone, Outbox};
use super::turn;
use super::view::{Command, Event, ServerCommand, ServerEvent, ServerId};
use crate::engine::serve::{self, Options, Running};

/// How often it is looked whether the window has gone.
const LOOK: Duration = Duration::from_millis(100);

/// Holds the servers, recorded into `folder`, until the window has gone; then ends them all.
pub(super) fn run(folder: &Path, commands: &Receiver<Command>, out: &Outbox) {
    let mut servers = Servers { folder, out, running: Vec::new() };
    // It ends when the window goes: that is the only error there is.
    let _ = servers.serve(commands);
    // All at once, since each takes a moment.
    servers.running.iter().for_each(|(_, running)| running.stop());
}

struct Servers<'a> {
    folder: &'a Path,
    out: &'a Outbox,
    running: Vec<(ServerId, Running)>,
}

impl Servers<'_> {
    fn serve(&mut self, commands: &Receiver<Command>) -> Result<(), Gone> {
        loop {
            match commands.recv_timeout(LOOK) {
                Ok(Command::Server(command)) => self.obey(command)?,
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Gone),
            }
            if self.out.stopped() {
                return Err(Gone);
            }
            // What has ended is waited for without waiting.
            self.running.retain(|(_, running)| running.is_running());
        }
    }

    fn obey(&mut self, command: ServerCommand) -> Result<(), Gone> {
        match command {
            ServerCommand::Start(id, options) => self.start(id, *options),
            ServerCommand::Order(id, order) => {
                if let Some((_, running)) = self.running.iter().find(|(known, _)| *known == id)
                    && !running.order(*order)
                    && running.is_running()
                {
                    let sentence =
                        "The server is so far behind that nothing more can be asked of it; wait, or stop it.";
                    return self.out.post(Event::Notice(sentence.to_owned()));
                }
                Ok(())
            }
            ServerCommand::Stop(id) => {
                self.running.iter().filter(|(known, _)| *known == id).for_each(|(_, running)| running.stop());
                Ok(())
            }
            ServerCommand::Read(path) => {
                let read = serve::mock_file::read(&path);
                self.tell(ServerEvent::File(path, read))
            }
            ServerCommand::Write(path, was, text) => {
                let written = serve::mock_file::write(&path, &was, &text);
                self.tell(ServerEvent::File(path, written))
            }
            ServerCommand::Turn { recording, what, to } => {
                let turned = turn::into_mock(&recording, &what, &to);
                self.tell(ServerEvent::Turned(to, turned))
            }
        }
    }

    fn start(&mut self, id: ServerId, mut options: Options) -> Result<(), Gone> {
        options.recordings = Some(PathBuf::from(self.folder));
        let out = self.out.clone();
        let tell = Arc::new(move |happening| {
            // When the window has gone, nobody need know.
            let _ = out.post(Event::Server(ServerEvent::Happened(id, Box::new(happening))));
        });
        let out = self.out.clone();
        let say = Arc::new(move |line: &str| {
            // Where it listens is shown by the page; a window that is too busy has the rest in the recording.
            if !line.starts_with("listening at ") {
                let _ = out.offer(Event::Notice(line.to_owned()));
            }
        });
        match serve::start(options, tell, say) {
            Ok(running) => {
                let started = ServerEvent::Started(id, running.url(), running.recording());
                self.running.push((id, running));
                self.tell(started)
            }
            Err(error) => self.tell(ServerEvent::Failed(id, format!("Failed to {error}."))),
        }
    }

    fn tell(&self, event: ServerEvent) -> Result<(), Gone> {
        self.out.post(Event::Server(event))
    }
}
