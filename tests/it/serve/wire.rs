//! A client's end of a server: what is sent and heard, message by message. Here to the machine itself.

use std::collections::VecDeque;

use midwire::peer::server::{Do, Link, Script, Server, Settings, To, Told};
use midwire::recorded::{Player, Session};

/// One end of a connection.
pub trait Wire {
    /// A new client, in the place of the one before.
    fn fresh(&mut self);
    /// Sends a message.
    fn send(&mut self, message: &[u8]);
    /// Whether an answer is to come now.
    fn expect(&mut self, _answer: bool) {}
    /// The next message that comes; nothing where none will.
    fn hear(&mut self) -> Option<Vec<u8>>;
}

/// The machine, told the time by whoever waits.
pub struct Pure {
    server: Server,
    now: i64,
    client: u64,
    inbox: VecDeque<Vec<u8>>,
    /// What it told that a person should see.
    pub notes: Vec<String>,
}

impl Pure {
    /// A server that answers from this.
    pub fn new(session: &Session, settings: Settings) -> Self {
        let player = Player::new(vec![session.clone()], midwire::recorded::Matching::default());
        Self::of(Box::new(player), settings)
    }

    /// One that answers as this script does.
    pub fn of(script: Box<dyn Script>, settings: Settings) -> Self {
        let server = Server::new(settings, script, [7; 32]);
        Self { server, now: 0, client: 0, inbox: VecDeque::new(), notes: Vec::new() }
    }

    fn drain(&mut self) {
        while let Some(done) = self.server.next() {
            match done {
                Do::Send { client, to: To::Ticket(_) | To::Loose, message, .. } if client == self.client => {
                    self.inbox.push_back(message.to_vec());
                }
                Do::Tell(Told::Note(_, note)) => self.notes.push(note),
                Do::Tell(Told::Missed(_, miss)) => self.notes.push(format!("miss: {}", miss.why)),
                _ => {}
            }
        }
    }
}

impl Wire for Pure {
    fn fresh(&mut self) {
        if self.client > 0 {
            self.server.left(self.now, self.client, "the test goes on");
        }
        self.drain();
        self.inbox.clear();
        self.client += 1;
        self.server.joined(self.now, self.client, Link::Stdio);
    }

    fn send(&mut self, message: &[u8]) {
        self.now += 1;
        self.server.heard(self.now, self.client, 0, None, message);
        self.drain();
    }

    fn hear(&mut self) -> Option<Vec<u8>> {
        for _ in 0..10_000 {
            if let Some(message) = self.inbox.pop_front() {
                return Some(message);
            }
            self.now = self.server.wakes_at()?.max(self.now);
            self.server.passed(self.now);
            self.drain();
        }
        None
    }
}
