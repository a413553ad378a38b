//! The tap's one place of decisions while its server runs: hears of ends and signals, climbs the
//! ladder, and leaves nothing running.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use super::Options;
use super::ladder::{Do, Ladder};
use super::relay::{Gauge, Outlet, Pump, Told};
use crate::engine::record::{Flow, Queue, Say, Stream, secrets};
use crate::model::{Lifecycle, Nanos, StopReason};
use crate::transport::{self, Ending, Server, Standard};

const TERM: i32 = 15;
const KILL: i32 = 9;
const HUP: i32 = 1;
const MILLISECOND: Nanos = 1_000_000;
/// When the server has ended and others hold its pipes: silence of so long is taken for the end.
const QUIET: Nanos = 300 * MILLISECOND;
/// The longest that others may go on talking on its pipes.
const TALK: Nanos = 5_000 * MILLISECOND;
/// A server that ends sooner, unsuccessfully and without a word, is explained on stderr.
const AT_ONCE: Nanos = 2_000 * MILLISECOND;

/// A running server with the threads that relay it.
pub struct Control {
    server: u32,
    keeper: Option<u32>,
    queue: Arc<Queue>,
    started: Nanos,
    ladder: Ladder,
    inbox: Receiver<Told>,
    tell: SyncSender<Told>,
    to_server: Arc<Outlet>,
    /// stdout and stderr of the server.
    answers: [Answers; 2],
    ending: Option<Ending>,
    /// Wait no longer for anything.
    over: bool,
    #[cfg(windows)]
    job: Arc<std::sync::Mutex<Box<dyn process_wrap::std::ChildWrapper>>>,
}

/// One of the server's two outputs.
struct Answers {
    flow: Flow,
    gauge: Arc<Gauge>,
    /// A second handle of the pipe, to ask whether something lies in it.
    pipe: File,
    ended: bool,
}

impl Control {
    /// Starts the threads that relay `server`.
    pub fn start(server: Server, standard: Standard, queue: &Arc<Queue>, options: &Options) -> io::Result<Self> {
        let (tell, inbox) = sync_channel(64);
        let to_server = Outlet::new(server.input);
        let answers = [Answers::new(Flow::Output, &server.output)?, Answers::new(Flow::Error, &server.error)?];
        let pump = |flow, from, to, gauge: &Arc<Gauge>| {
            let (queue, gauge, tell) = (Arc::clone(queue), Arc::clone(gauge), tell.clone());
            Pump { flow, from, to, queue, gauge, tell }.start()
        };
        pump(Flow::Output, server.output, Outlet::new(standard.output), &answers[0].gauge)?;
        pump(Flow::Error, server.error, Outlet::new(standard.error), &answers[1].gauge)?;
        pump(Flow::Input, standard.input, Arc::clone(&to_server), &Arc::default())?;
        Ok(Self {
            server: server.pid,
            keeper: options.keeper,
            queue: Arc::clone(queue),
            started: queue.now(),
            ladder: Ladder::new(options.grace),
            inbox,
            tell,
            to_server,
            answers,
            ending: None,
            over: false,
            #[cfg(windows)]
            job: wait_for(server.job, tell.clone())?,
        })
    }

    /// Hears of signals and of the ends of processes from here on.
    #[cfg(unix)]
    pub fn watch(&self, watch: transport::Watch) -> io::Result<()> {
        let tell = self.tell.clone();
        let work = move || watch.each(&mut |noticed| tell.send(Told::Noticed(noticed)).is_ok());
        std::thread::Builder::new().name("signals".to_owned()).spawn(work).map(drop)
    }

    /// The server's end is heard of already.
    #[cfg(windows)]
    pub fn watch(&self, (): ()) -> io::Result<()> {
        Ok(())
    }

    /// Until the server has ended and all it said was passed on; then nothing that it started is left.
    pub fn run(mut self, command: &[OsString], say: &Say) -> Ending {
        while self.ending.is_none() && !self.over {
            self.step(None);
        }
        let ended = self.queue.now();
        self.drain();
        self.record_end();
        self.sweep();
        let ending = self.ending.unwrap_or(Ending::Signal(KILL));
        self.explain(ending, ended, command, say);
        ending
    }

    /// Waits for the next thing to happen or to be done, at most until `limit`.
    fn step(&mut self, limit: Option<Duration>) {
        let now = self.queue.now();
        let due = self.ladder.due().map(|due| Duration::from_nanos(u64::try_from(due - now).unwrap_or(0)));
        let timeout = [due, limit, self.watchful()].into_iter().flatten().min();
        let told = match timeout {
            Some(timeout) => self.inbox.recv_timeout(timeout),
            None => self.inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        if let Ok(told) = told {
            self.hear(told);
        }
        let now = self.queue.now();
        while let Some(step) = self.ladder.tick(now) {
            self.act(step);
        }
    }

    /// Where the system does not tell us that our keeper died, we look ourselves.
    fn watchful(&self) -> Option<Duration> {
        (!cfg!(target_os = "linux") && self.keeper.is_some()).then_some(Duration::from_secs(1))
    }

    fn hear(&mut self, told: Told) {
        let now = self.queue.now();
        match told {
            Told::Ended(Flow::Input) => {
                self.queue.happened(Stream::STDIO, Lifecycle::ClientClosed);
                if let Some(step) = self.ladder.input_ended(now) {
                    self.act(step);
                }
            }
            Told::Ended(flow) => {
                self.answers.iter_mut().filter(|one| one.flow == flow).for_each(|one| one.ended = true);
                if flow == Flow::Output {
                    self.queue.happened(Stream::STDIO, Lifecycle::ServerClosed);
                }
            }
            Told::Refused(Flow::Input) => self.queue.happened(Stream::STDIO, Lifecycle::ServerStoppedReading),
            Told::Refused(Flow::Output) => {
                self.queue.happened(Stream::STDIO, Lifecycle::ClientStoppedReading);
                if let Some(step) = self.ladder.client_gone(now) {
                    self.act(step);
                }
            }
            // Nobody reads what a server complains about: no reason to stop it.
            Told::Refused(Flow::Error) => {}
            #[cfg(unix)]
            Told::Noticed(transport::Noticed::Ended(pid, ending)) if pid == self.server => self.ending = Some(ending),
            #[cfg(unix)]
            Told::Noticed(transport::Noticed::Ended(..)) => {}
            #[cfg(unix)]
            Told::Noticed(transport::Noticed::Signal(signal)) => self.signalled(signal, now),
            #[cfg(windows)]
            Told::ServerEnded(ending) => self.ending = Some(ending),
        }
    }

    #[cfg(unix)]
    fn signalled(&mut self, signal: i32, now: Nanos) {
        if self.keeper.is_some_and(|keeper| !transport::keeper_is(keeper)) {
            return self.orphaned();
        }
        if self.ending.is_some() {
            // The server has ended already: the signal is for us alone.
            self.over |= signal == TERM || signal == HUP;
            return;
        }
        transport::send_group(self.server, signal);
        self.queue.happened(Stream::STDIO, Lifecycle::SignalPassed { signal });
        if signal == TERM || signal == HUP {
            self.ladder.signalled(now);
        }
    }

    /// Our keeper was killed, and nobody is left to end the server but us.
    #[cfg(unix)]
    fn orphaned(&mut self) {
        if !self.over {
            self.over = true;
            self.stop(Some(KILL), StopReason::TapKilled);
            self.kill();
        }
    }

    fn act(&mut self, step: Do) {
        if self.ending.is_some() {
            // It is too late to stop the server, and time to stop waiting for what it left behind.
            self.over |= !matches!(step, Do::CloseInput(_));
            return;
        }
        match step {
            Do::CloseInput(reason) => {
                self.to_server.close();
                self.stop(None, reason);
            }
            Do::Terminate(reason) => {
                self.stop(Some(TERM), reason);
                #[cfg(unix)]
                transport::send_group(self.server, TERM);
            }
            Do::Kill(reason) => {
                self.stop(Some(KILL), reason);
                self.kill();
            }
            Do::GiveUp => self.over = true,
        }
    }

    fn stop(&self, signal: Option<i32>, reason: StopReason) {
        self.queue.happened(Stream::STDIO, Lifecycle::Stopping { signal, reason });
    }

    #[cfg(unix)]
    fn kill(&self) {
        transport::send_group(self.server, KILL);
        transport::end_descendants(false);
    }

    #[cfg(windows)]
    fn kill(&self) {
        let mut job = self.job.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let _ = job.start_kill();
    }

    /// Waits until what the server said has been passed on: to the end of its streams, or, when
    /// others hold them, until these are quiet.
    fn drain(&mut self) {
        let start = self.queue.now();
        let (mut quiet, mut moved) = (start, u64::MAX);
        while !self.over && !self.answers.iter().all(|one| one.ended) {
            self.step(Some(Duration::from_millis(20)));
            let now = self.queue.now();
            let is_busy = self.answers.iter().any(Answers::is_busy);
            let moved_now = self.answers.iter().map(|one| one.gauge.moved()).sum();
            if is_busy || moved_now != moved {
                (quiet, moved) = (now, moved_now);
            }
            if now - quiet >= QUIET || !is_busy && now - start >= TALK {
                break;
            }
        }
    }

    fn record_end(&self) {
        match self.ending {
            Some(Ending::Code(code)) => self.queue.happened(Stream::STDIO, Lifecycle::Exited { code }),
            Some(Ending::Signal(signal)) => self.queue.happened(Stream::STDIO, Lifecycle::Signalled { signal }),
            None => {}
        }
    }

    /// Ends what the server left behind, and takes in the last that it wrote.
    fn sweep(&mut self) {
        #[cfg(unix)]
        if !cfg!(target_os = "linux") {
            transport::send_group(self.server, KILL);
        }
        #[cfg(windows)]
        self.kill();
        let pids = transport::end_descendants(true);
        if !pids.is_empty() {
            self.queue.happened(Stream::STDIO, Lifecycle::Swept { pids });
        }
        self.over = false;
        for _ in 0..15 {
            if self.ending.is_some() && self.answers.iter().all(|one| one.ended) {
                return;
            }
            let had_ended = self.ending.is_some();
            self.step(Some(Duration::from_millis(20)));
            if !had_ended {
                self.record_end();
            }
        }
    }

    /// Says on stderr, where a host shows it, that the server did not come up.
    fn explain(&self, ending: Ending, ended: Nanos, command: &[OsString], say: &Say) {
        let took = ended - self.started;
        if ending == Ending::Code(0)
            || took > AT_ONCE
            || self.answers[0].gauge.moved() > 0
            || self.ladder.due().is_some()
        {
            return;
        }
        let how = match ending {
            Ending::Code(code) => format!("exited with code {code}"),
            Ending::Signal(signal) => format!("was ended by signal {signal}"),
        };
        let words: Vec<_> = command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        // Hosts keep what is said here in their logs.
        let (words, _) = secrets::mask(&words);
        let said = if self.answers[1].gauge.moved() > 0 { "what it said is above" } else { "it said nothing" };
        say(&format!(
            "the server {how} after {} ms without an answer; {said}\nits command is: {}\nrun that command in a terminal to see why",
            took / MILLISECOND,
            words.join(" ")
        ));
    }
}

impl Answers {
    fn new(flow: Flow, pipe: &File) -> io::Result<Self> {
        Ok(Self { flow, gauge: Arc::default(), pipe: pipe.try_clone()?, ended: false })
    }

    /// Whether something that it said has not been passed on.
    fn is_busy(&self) -> bool {
        !self.ended && (self.gauge.is_busy() || transport::has_input(&self.pipe))
    }
}

/// Waits for the server's end on a thread of its own, and keeps its job at hand to end it.
#[cfg(windows)]
fn wait_for(
    job: Box<dyn process_wrap::std::ChildWrapper>,
    tell: SyncSender<Told>,
) -> io::Result<Arc<std::sync::Mutex<Box<dyn process_wrap::std::ChildWrapper>>>> {
    let job = Arc::new(std::sync::Mutex::new(job));
    let waited = Arc::clone(&job);
    let work = move || {
        loop {
            let ended = waited.lock().unwrap_or_else(std::sync::PoisonError::into_inner).try_wait();
            match ended {
                Ok(None) => std::thread::sleep(Duration::from_millis(10)),
                Ok(Some(status)) => {
                    let _ = tell.send(Told::ServerEnded(Ending::Code(status.code().unwrap_or(1))));
                    return;
                }
                Err(_) => return,
            }
        }
    };
    std::thread::Builder::new().name("server".to_owned()).spawn(work)?;
    Ok(job)
}
