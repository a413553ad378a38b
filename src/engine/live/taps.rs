//! The thread that starts and stops the taps on HTTP of this window. A tap runs on threads of its own and
//! is the same as one started in a terminal; here is only told which run, and that they end with the window.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::outbox::{Gone, Outbox};
use super::view::{Command, Event, TapId, TapInfo, TapWish};
use crate::engine::clock;
use crate::engine::proxy::{self, Options, Running, StartError};
use crate::store::Reader;

/// How often it is looked whether a tap has ended by itself.
const LOOK: Duration = Duration::from_millis(250);

/// How long a recorder may take to begin its file, in looks at it.
const MOST_LOOKS: u32 = 300;
/// Between two of them.
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);

/// Recordings are named by the second, the server and the process, so two taps of one window must not begin
/// within the same second.
const APART: Duration = Duration::from_millis(1_050);

/// Starts and stops taps that record into `folder`, until the window has gone; then stops them all.
pub(super) fn run(folder: &Path, commands: &Receiver<Command>, out: &Outbox) {
    let mut taps = Taps { folder, out, running: Vec::new(), next: 1, begun: None };
    // It ends when the window goes: that is the only error there is.
    let _ = taps.serve(commands);
    for (_, running) in taps.running.drain(..) {
        running.stop();
    }
}

struct Taps<'a> {
    folder: &'a Path,
    out: &'a Outbox,
    running: Vec<(TapInfo, Running)>,
    next: TapId,
    /// When the last tap was started.
    begun: Option<Instant>,
}

impl Taps<'_> {
    fn serve(&mut self, commands: &Receiver<Command>) -> Result<(), Gone> {
        loop {
            match commands.recv_timeout(LOOK) {
                Ok(Command::StartTap(wish)) => self.start(&wish)?,
                Ok(Command::StopTap(id)) => self.stop(id)?,
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Gone),
            }
            if self.out.stopped() {
                return Err(Gone);
            }
            self.look()?;
        }
    }

    fn start(&mut self, wish: &TapWish) -> Result<(), Gone> {
        if let Some(begun) = self.begun.replace(Instant::now()) {
            std::thread::sleep(APART.saturating_sub(begun.elapsed()));
            self.begun = Some(Instant::now());
        }
        let out = self.out.clone();
        let say = Arc::new(move |line: &str| {
            // Where it listens is shown by the form. What else a tap says belongs before whoever started it;
            // a window that is too busy has it in the recording.
            if !line.starts_with("listening at ") {
                let _ = out.offer(Event::Notice(line.to_owned()));
            }
        });
        match options(wish, self.folder).and_then(|options| proxy::start(options, say).map_err(|error| said(&error))) {
            Ok(running) => {
                let info = self.info(wish, &running);
                self.running.push((info.clone(), running));
                self.tell()?;
                self.await_file(info.recording.as_deref());
                self.out.post(Event::TapStarted(info))
            }
            Err(why) => self.out.post(Event::TapFailed(why)),
        }
    }

    /// Waits until the recording can be opened, since that is what the window does next: a tap listens a
    /// moment before its recorder has written anything.
    fn await_file(&self, recording: Option<&Path>) {
        let Some(recording) = recording else { return };
        for _ in 0..MOST_LOOKS {
            let is_there = Reader::open(recording).is_ok_and(|reader| reader.recording().is_ok());
            if is_there || self.out.stopped() {
                return;
            }
            std::thread::sleep(BETWEEN_LOOKS);
        }
    }

    fn info(&mut self, wish: &TapWish, running: &Running) -> TapInfo {
        let id = self.next;
        self.next += 1;
        let upstream = without_credentials(wish.url.trim());
        let name = wish.name.trim();
        TapInfo {
            id,
            name: if name.is_empty() { host(&upstream) } else { name.to_owned() },
            upstream,
            url: running.url(),
            recording: running.recording(),
            since: clock::wall(),
            stopping: false,
        }
    }

    fn stop(&mut self, id: TapId) -> Result<(), Gone> {
        let Some(place) = self.running.iter().position(|(info, _)| info.id == id) else { return Ok(()) };
        self.running[place].0.stopping = true;
        self.tell()?;
        let (_, running) = self.running.remove(place);
        running.stop();
        self.tell()
    }

    /// Notices taps that have ended by themselves.
    fn look(&mut self) -> Result<(), Gone> {
        let before = self.running.len();
        self.running.retain(|(_, running)| running.is_running());
        if self.running.len() == before { Ok(()) } else { self.tell() }
    }

    fn tell(&self) -> Result<(), Gone> {
        self.out.post(Event::Taps(self.running.iter().map(|(info, _)| info.clone()).collect()))
    }
}

/// What a tap is started with; the error is a sentence.
fn options(wish: &TapWish, folder: &Path) -> Result<Options, String> {
    if let Some((_, fault)) = wish.faults().into_iter().next() {
        return Err(fault);
    }
    let mut options = Options::reverse(wish.url.trim());
    options.recordings = Some(folder.to_owned());
    options.name = Some(wish.name.trim().to_owned()).filter(|name| !name.is_empty());
    let listen = wish.listen.trim();
    if !listen.is_empty() {
        listen.clone_into(&mut options.listen);
    }
    let bearer = wish.bearer.trim();
    if !bearer.is_empty() {
        options.headers.push(("Authorization".to_owned(), format!("Bearer {}", token(bearer)?)));
    }
    Ok(options)
}

fn token(variable: &str) -> Result<String, String> {
    let set = std::env::var(variable).ok().map(|token| token.trim().to_owned()).filter(|token| !token.is_empty());
    set.ok_or_else(|| {
        format!(
            "The variable {variable} is not set in the environment of this window, so there is no token to add. Set \
             it in the shell and start midwire from there."
        )
    })
}

/// A sentence for the form.
fn said(error: &StartError) -> String {
    format!("The tap was not started: failed to {error}")
}

/// Host and port of a URL, which is what its recording is called.
fn host(text: &str) -> String {
    let Ok(url) = url::Url::parse(text) else { return text.to_owned() };
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}{port}", url.host_str().unwrap_or(text))
}

/// A URL that may be shown.
fn without_credentials(text: &str) -> String {
    let Ok(mut url) = url::Url::parse(text) else { return text.to_owned() };
    // They fail only for URLs that have no host.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.to_string()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{TapWish, options, without_credentials};

    #[test]
    fn a_wish_becomes_options_or_a_sentence() {
        let wish = TapWish { url: " http://h:1/mcp ".to_owned(), name: " n ".to_owned(), ..TapWish::default() };
        let made = options(&wish, Path::new("/r")).unwrap();
        assert_eq!((made.name.as_deref(), &*made.listen), (Some("n"), "127.0.0.1:0"));
        assert_eq!(made.recordings.as_deref(), Some(Path::new("/r")));
        let unset = TapWish { bearer: "MIDWIRE_NO_SUCH_VARIABLE".to_owned(), ..wish };
        assert!(options(&unset, Path::new("/r")).unwrap_err().contains("MIDWIRE_NO_SUCH_VARIABLE is not set"));
        assert!(options(&TapWish::default(), Path::new("/r")).unwrap_err().contains("URL"));
        assert_eq!(without_credentials("https://u:p@h/x"), "https://h/x");
    }
}
