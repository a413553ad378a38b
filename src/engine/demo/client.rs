//! The demo's client: a small host that asks, answers what the server asks of it, and reads what it is
//! told. What it says is in `legacy` and `modern`.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::thread;
use std::time::Duration;

use super::talk::{Heard, Raw, Talk};

/// Who the demo's client says it is.
pub(super) const CLIENT_INFO: &str = r#"{"name":"demo-host","title":"Demo host","version":"0.9.0"}"#;

/// The client, over any streams.
pub(super) struct Client<R, W> {
    talk: Talk<R, W>,
    /// How long it thinks before it speaks.
    pace: Duration,
    next_id: i64,
    /// Notifications heard while something else was awaited.
    told: VecDeque<String>,
}

/// An answer: the result, or the error object.
pub(super) type Answer = Result<Raw, Raw>;

impl<R: BufRead, W: Write> Client<R, W> {
    pub(super) fn new(input: R, output: W, first_id: i64, pace: Duration) -> Self {
        Self { talk: Talk::new(input, output), pace, next_id: first_id, told: VecDeque::new() }
    }

    /// Asks under the next id and waits for the answer.
    pub(super) fn request(&mut self, method: &str, params: &str) -> io::Result<Answer> {
        let id = self.start(method, params)?;
        self.answer(&id)
    }

    /// Asks under the next id and does not wait.
    pub(super) fn start(&mut self, method: &str, params: &str) -> io::Result<String> {
        self.think();
        self.start_at_once(method, params)
    }

    /// Asks under the next id, without a moment's thought after what was said before.
    pub(super) fn start_at_once(&mut self, method: &str, params: &str) -> io::Result<String> {
        let id = self.next_id.to_string();
        self.next_id += 1;
        self.talk.request(&id, method, params)?;
        Ok(id)
    }

    /// Asks under an id of one's own, given as JSON text, and does not wait.
    pub(super) fn start_as(&mut self, id: &str, method: &str, params: &str) -> io::Result<()> {
        self.think();
        self.talk.request(id, method, params)
    }

    /// Tells the server something.
    pub(super) fn notify(&mut self, method: &str, params: &str) -> io::Result<()> {
        self.think();
        self.talk.notify(method, params)
    }

    /// Waits for the answer to this id, serving the server's own requests meanwhile.
    pub(super) fn answer(&mut self, id: &str) -> io::Result<Answer> {
        loop {
            match self.hear()? {
                Heard::Answer { id: answered, body } if answered == id => return Ok(body),
                other => self.take(other)?,
            }
        }
    }

    /// Waits until the server has told this.
    pub(super) fn until_told(&mut self, method: &str) -> io::Result<()> {
        loop {
            if let Some(at) = self.told.iter().position(|told| told == method) {
                self.told.remove(at);
                return Ok(());
            }
            let heard = self.hear()?;
            self.take(heard)?;
        }
    }

    /// Closes the output and reads what still comes.
    pub(super) fn finish(self) -> io::Result<()> {
        self.think();
        io::copy(&mut self.talk.into_input(), &mut io::sink())?;
        Ok(())
    }

    /// Lets a moment pass.
    pub(super) fn think(&self) {
        thread::sleep(self.pace);
    }

    fn hear(&mut self) -> io::Result<Heard> {
        self.talk.hear()?.ok_or_else(|| {
            io::Error::new(io::ErrorKind::UnexpectedEof, "the server closed its output before it had answered")
        })
    }

    fn take(&mut self, heard: Heard) -> io::Result<()> {
        match heard {
            Heard::Notification { method, .. } => self.told.push_back(method),
            Heard::Request { id, method, .. } => self.serve(&id, &method)?,
            // Late answers and lines that are no messages: a client goes on.
            Heard::Answer { .. } | Heard::Noise => {}
        }
        Ok(())
    }

    /// Answers a request of the server, as a person and a model would.
    fn serve(&mut self, id: &str, method: &str) -> io::Result<()> {
        self.think();
        let result = match method {
            "roots/list" => r#"{"roots":[{"uri":"file:///home/ada/rounds","name":"rounds"}]}"#,
            "sampling/createMessage" => {
                r#"{"role":"assistant","content":{"type":"text","text":"Malmö, Lund, Ystad"},"model":"demo-small-1","stopReason":"endTurn"}"#
            }
            "elicitation/create" => r#"{"action":"accept","content":{"confirm":true,"reason":"damaged"}}"#,
            "ping" => "{}",
            _ => return self.talk.error(id, -32601, &format!("unknown method: {method}"), None),
        };
        self.talk.result(id, result)
    }
}
