//! One server of the window, as the page knows it.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;

use super::wish::From;
use super::{Asked, Client, Wish};
use crate::engine::serve::{Happening, Lists};
use crate::engine::view::{Json, ServerId};
use crate::model::Nanos;
use crate::peer::server::{Bytes, ClientId, Kind, RequestNo, Told};

/// Requests that are remembered; of more the oldest that are over go.
const MOST_REQUESTS: usize = 5_000;
/// Bytes that remembered requests may hold.
const MOST_BYTES: usize = 128 * 1024 * 1024;
/// Clients that are remembered; of more the oldest that went go.
const MOST_CLIENTS: usize = 500;
/// Rules and recorded calls of which it is counted how often they answer.
const MOST_HITS: usize = 10_000;
/// Words that are kept.
const MOST_WORDS: usize = 2_000;

/// Where a server stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is being started.
    Starting,
    /// It serves.
    Serving,
    /// It was stopped.
    Stopped,
    /// It could not be started, or ended by itself.
    Failed,
}

/// Something that a server says beside its requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// When.
    pub at: Nanos,
    /// What.
    pub text: String,
    /// The message that it is about; empty where there is none.
    pub message: Bytes,
    /// Whether it deserves a look.
    pub warns: bool,
}

/// A server.
#[derive(Debug)]
pub struct Serving {
    /// Its number.
    pub id: ServerId,
    /// What it was asked for with, as far as it has been changed since.
    pub wish: Wish,
    /// When it was asked for.
    pub since: Nanos,
    /// Where it stands, with the reason where it does not serve.
    pub state: (Standing, String),
    /// Its URL.
    pub url: Option<String>,
    /// The file that it is recorded in.
    pub recording: Option<PathBuf>,
    /// What was read of its source, or why that failed.
    pub source: Option<Result<String, String>>,
    /// Counts up when the source has been read again.
    pub read: u64,
    /// What it has of each kind.
    pub lists: Lists,
    /// How often each rule or recorded call has answered, by its name.
    pub hits: HashMap<String, u64>,
    /// Its clients, the oldest first.
    pub clients: Vec<Client>,
    /// Senders of single requests that are known by another number already, while their request is under way.
    aliases: HashMap<ClientId, ClientId>,
    /// What it was asked, the oldest first.
    pub requests: VecDeque<Asked>,
    /// How many requests were let go.
    pub left_out: u64,
    /// What else it said, the oldest first.
    pub words: VecDeque<Word>,
    bytes: usize,
}

impl Serving {
    /// One that is being started.
    pub fn new(id: ServerId, wish: Wish, now: Nanos) -> Self {
        Self {
            id,
            wish,
            since: now,
            state: (Standing::Starting, String::new()),
            url: None,
            recording: None,
            source: None,
            read: 0,
            lists: Lists::default(),
            hits: HashMap::new(),
            clients: Vec::new(),
            aliases: HashMap::new(),
            requests: VecDeque::new(),
            left_out: 0,
            words: VecDeque::new(),
            bytes: 0,
        }
    }

    /// What it is called.
    pub fn name(&self) -> String {
        self.wish.title()
    }

    /// Where it stands.
    pub const fn standing(&self) -> Standing {
        self.state.0
    }

    /// The mock file that it serves.
    pub fn mock(&self) -> Option<PathBuf> {
        (self.wish.from == From::Mock).then(|| PathBuf::from(self.wish.path.trim()))
    }

    /// A request by its number.
    pub fn request(&self, number: RequestNo) -> Option<&Asked> {
        // They are in the order of their numbers.
        let at = self.requests.binary_search_by_key(&number, |it| it.request).ok()?;
        self.requests.get(at)
    }

    fn with(&mut self, number: RequestNo, act: impl FnOnce(&mut Asked)) {
        if let Ok(at) = self.requests.binary_search_by_key(&number, |it| it.request) {
            let before = self.requests[at].weight();
            act(&mut self.requests[at]);
            self.bytes = self.bytes + self.requests[at].weight() - before;
        }
    }

    /// Requests that wait for a person, the oldest first.
    pub fn waiting(&self) -> impl Iterator<Item = &Asked> {
        self.requests.iter().filter(|it| it.waits)
    }

    /// The `outputSchema` of the tool that a request calls, as JSON text.
    pub fn output_schema(&self, asked: &Asked) -> Option<String> {
        let (_, tools) = self.lists.iter().find(|(kind, _)| *kind == Kind::Tools)?;
        let of = |item: &&Bytes| {
            let json = Json::parse(item).ok();
            json.and_then(|item| item.get("name")).is_some_and(|name| name.is_text(&asked.subject))
        };
        let tool = tools.iter().find(of).filter(|_| asked.method == "tools/call")?;
        let schema = Json::parse(tool).ok()?.get("outputSchema")?;
        Some(String::from_utf8_lossy(schema.raw()).into_owned())
    }

    /// A client by its number.
    pub fn client(&self, id: ClientId) -> Option<&Client> {
        self.clients.iter().find(|it| it.id == id)
    }

    /// It was answered from here: it waits no longer, whatever the engine says of it later.
    pub fn answered(&mut self, request: RequestNo) {
        self.with(request, |it| it.waits = false);
    }

    /// Takes in what the engine says.
    pub fn absorb(&mut self, happening: Happening, now: Nanos) {
        match happening {
            Happening::Told(told) => self.told(told, now),
            Happening::Source(read) => {
                self.source = Some(read);
                self.read += 1;
            }
            Happening::Lists(lists) => self.lists = lists,
            Happening::Over(why) => {
                let stopped = self.standing() == Standing::Stopped;
                if !stopped {
                    self.state = (Standing::Failed, why);
                }
                self.requests.iter_mut().for_each(|it| it.waits = false);
            }
        }
    }

    fn told(&mut self, told: Told, now: Nanos) {
        match told {
            Told::Joined(id, link) => {
                if self.clients.len() >= MOST_CLIENTS {
                    let gone = self.clients.iter().position(|it| it.left.is_some()).unwrap_or(0);
                    self.clients.remove(gone);
                }
                self.clients.push(Client::new(id, link, now));
            }
            Told::Known(id, who) => {
                self.with_client(id, |it| it.who = Some(who));
                self.merge(id);
            }
            Told::Left(id, why) => {
                if self.aliases.remove(&id).is_none() {
                    self.with_client(id, |it| it.left = Some(why).filter(|_| !it.is_stateless()));
                }
            }
            Told::Listening(id, what) => self.with_client(id, |it| it.listen(what)),
            Told::Asked { request, client, id, method, message, era } => {
                let client = self.aliases.get(&client).copied().unwrap_or(client);
                self.with_client(client, |it| {
                    it.requests += 1;
                    it.last = now;
                });
                let asked = Asked::new(request, client, id, method, message, era, now);
                self.bytes += asked.weight();
                self.requests.push_back(asked);
                self.forget();
            }
            Told::Matched { request, by, place, nth } => {
                if self.hits.len() < MOST_HITS || self.hits.contains_key(&by) {
                    *self.hits.entry(by.clone()).or_default() += 1;
                }
                self.with(request, |it| {
                    it.waits = false;
                    it.by = Some((by, nth));
                    it.place = place;
                });
            }
            Told::Missed(request, miss) => self.with(request, |it| it.miss = Some(miss)),
            Told::Waiting(request) => self.with(request, |it| it.waits = true),
            Told::Step(request, what) => self.with(request, |it| it.step(now, what)),
            Told::Heard { request, key, ok, answer } => {
                let word = if ok { "answered" } else { "answered with an error" };
                let text = String::from_utf8_lossy(&answer[..answer.len().min(200)]).into_owned();
                self.with(request, |it| it.step(now, format!("{key} {word}: {text}")));
            }
            Told::Ended { request, how, took } => self.with(request, |it| {
                it.waits = false;
                it.ended = Some(how);
                it.took = took;
            }),
            Told::Notified(_, method, message) => self.say(now, method, message, false),
            Told::Replied { method, ok, answer, .. } => {
                let word = if ok { "was answered" } else { "was answered with an error" };
                self.say(now, format!("{method} {word}"), answer, !ok);
            }
            Told::Stray { bytes, why, .. } => self.say(now, why, bytes, true),
            Told::Note(Some(request), what) if self.request(request).is_some() => {
                self.with(request, |it| it.step(now, what));
            }
            Told::Note(_, what) => self.say(now, what, Bytes::default(), true),
        }
    }

    /// Who sends one request after the other without a session is one client.
    fn merge(&mut self, id: ClientId) {
        let Some(at) = self.clients.iter().position(|it| it.id == id && it.is_stateless()) else { return };
        let same = |it: &&Client| it.id != id && it.is_stateless() && it.who == self.clients[at].who;
        let Some(known) = self.clients.iter().find(same).map(|it| it.id) else { return };
        let gone = self.clients.remove(at);
        self.aliases.insert(id, known);
        self.with_client(known, |it| it.requests += gone.requests);
        for asked in self.requests.iter_mut().rev().take_while(|it| it.client >= id).filter(|it| it.client == id) {
            asked.client = known;
        }
    }

    fn with_client(&mut self, id: ClientId, act: impl FnOnce(&mut Client)) {
        let id = self.aliases.get(&id).copied().unwrap_or(id);
        if let Some(client) = self.clients.iter_mut().find(|it| it.id == id) {
            act(client);
        }
    }

    fn say(&mut self, at: Nanos, text: String, message: Bytes, warns: bool) {
        if self.words.len() == MOST_WORDS {
            self.words.pop_front();
        }
        self.words.push_back(Word { at, text, message, warns });
    }

    /// Lets the oldest go that are over, while there are too many or they are too large.
    fn forget(&mut self) {
        while self.requests.len() > MOST_REQUESTS || self.bytes > MOST_BYTES {
            let over = self.requests.iter().position(|it| it.ended.is_some()).unwrap_or(0);
            // The one that has just come stays, however large.
            if over + 1 == self.requests.len() {
                return;
            }
            if let Some(gone) = self.requests.remove(over) {
                self.bytes -= gone.weight();
                self.left_out += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Serving, Wish};
    use crate::engine::serve::Happening;
    use crate::model::{Era, Id, Revision};
    use crate::peer::server::{Link, Told, Who};

    #[test]
    fn who_asks_without_a_session_is_one_client_however_often() {
        let mut serving = Serving::new(1, Wish::default(), 0);
        let who = |name: &str| Who {
            era: Era::Modern,
            revision: Revision::V2026_07_28,
            identity: Some(format!(r#"{{"name":"{name}"}}"#).into_bytes().into()),
            capabilities: None,
        };
        for (number, name) in [(1, "a"), (2, "b"), (3, "a"), (4, "a")] {
            let asked = Told::Asked {
                request: number,
                client: number,
                id: Id::Number("1".into()),
                method: "tools/list".to_owned(),
                message: (*b"{}").into(),
                era: Era::Modern,
            };
            // Either may come first.
            let known = Told::Known(number, who(name));
            let [first, second] = if number == 3 { [asked, known] } else { [known, asked] };
            for told in [Told::Joined(number, Link::Http), first, second, Told::Left(number, "answered".to_owned())] {
                serving.absorb(Happening::Told(told), 5);
            }
        }
        let seen: Vec<_> = serving.clients.iter().map(|it| (it.name(), it.requests, it.left.is_none())).collect();
        assert_eq!(seen, [("a".to_owned(), 3, true), ("b".to_owned(), 1, true)]);
        assert!(serving.requests.iter().map(|it| it.client).eq([1, 2, 1, 1]));
        assert!(serving.aliases.is_empty());
    }
}
