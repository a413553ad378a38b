//! The notation of the scripts. Each line is something that goes in, or the next thing that comes out; before
//! something goes in, all that came out must have been named.
//!
//! In: `@ open`, `@ exit WHY`, `@ refused ID STATUS WHY`; `< FRAME`; `+ SECONDS`; `! ORDER` (see [`order`]).
//! Out: `> MESSAGE`; `= WHAT` (see [`told`]); `~` passes over what came out. `$M` stands for the members that
//! 2026-07-28 wants in `_meta`, `$I` for the params of `initialize` behind the version.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::model::{Id, Nanos};
use crate::peer::client::{Answer, Call, Client, Do, EraChoice, Kind, Link, Order, Outcome, Refused, Settings};
use crate::peer::client::{State, Told};
use crate::wire::Json;

const SECOND: Nanos = 1_000_000_000;
const META: &str = concat!(
    r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t"},"#,
    r#""io.modelcontextprotocol/clientCapabilities":{}"#
);
const INITIALIZE: &str = r#""capabilities":{},"clientInfo":{"name":"t"}"#;

/// Settings that say little: no capabilities, no progress tokens.
pub fn plain(era: EraChoice) -> Settings {
    Settings {
        era,
        identity: r#"{"name":"t"}"#.to_owned(),
        capabilities: "{}".to_owned(),
        progress: false,
        ..Settings::default()
    }
}

/// A client with the time that it is told.
pub struct Play {
    pub client: Client,
    pub now: Nanos,
    /// The settings as they are, to be changed and ordered.
    pub settings: Settings,
    out: VecDeque<String>,
}

impl Play {
    pub fn new(settings: Settings, link: Link) -> Self {
        Self { client: Client::new(settings.clone(), link), now: 0, settings, out: VecDeque::new() }
    }

    /// A legacy session on stdio, its own ids from 2 on.
    pub fn legacy(settings: Settings, revision: &str) -> Self {
        let mut play = Self::new(Settings { era: EraChoice::Legacy, ..settings }, Link::Stdio);
        play.run(&format!(
            r#"
            @ open
            ~
            < {{"jsonrpc":"2.0","id":1,"result":{{"protocolVersion":"{revision}","capabilities":{{"logging":{{}}}}}}}}
            ~"#
        ));
        play
    }

    /// A modern connection, its own ids from 2 on.
    pub fn modern(settings: Settings, link: Link) -> Self {
        let mut play = Self::new(Settings { era: EraChoice::Modern, ..settings }, link);
        play.run(
            r#"
            @ open
            ~
            < {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{}}}
            ~"#,
        );
        play
    }

    /// Runs a script.
    pub fn run(&mut self, script: &str) -> &mut Self {
        for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let line = line.replace("$M", META).replace("$I", INITIALIZE);
            let (mark, rest) = line.split_once(' ').unwrap_or((&line, ""));
            match mark {
                ">" | "=" => {
                    let came = self.out.pop_front().unwrap_or_else(|| panic!("nothing came, instead of {line}"));
                    assert_eq!(came, line);
                }
                "~" => self.out.clear(),
                _ => {
                    assert!(self.out.is_empty(), "before {line} there came {:#?}", self.out);
                    self.take(mark, rest);
                }
            }
        }
        self
    }

    fn take(&mut self, mark: &str, rest: &str) {
        match mark {
            "<" => self.client.heard(self.now, rest.as_bytes()),
            "+" => {
                self.now += (rest.parse::<f64>().expect("seconds") * SECOND as f64) as Nanos;
                self.client.passed(self.now);
            }
            "!" => {
                let order = order(rest, &mut self.settings);
                self.client.order(self.now, order);
            }
            "@" => self.link(rest),
            _ => panic!("{mark} {rest} is no line of a script"),
        }
        self.collect();
    }

    fn link(&mut self, what: &str) {
        let words: Vec<&str> = what.splitn(4, ' ').collect();
        match words.as_slice() {
            ["open"] => self.client.opened(self.now),
            ["exit", why @ ..] => self.client.closed(self.now, &why.join(" "), true),
            ["refused", ids, status, why] => {
                let ids: Vec<Id> = if *ids == "-" { Vec::new() } else { vec![Id::number(ids)] };
                let challenge = (*status == "401").then(|| "Bearer realm=\"x\"".to_owned());
                let (status, body) = (status.parse().ok(), Arc::from(*b"<html>"));
                self.client.refused(self.now, &ids, Refused { status, why: (*why).to_owned(), body, challenge });
            }
            _ => panic!("@ {what} is no line of a script"),
        }
    }

    fn collect(&mut self) {
        while let Some(next) = self.client.next() {
            self.out.extend(tell(next));
        }
    }
}

impl Drop for Play {
    fn drop(&mut self) {
        let named = self.out.is_empty() || std::thread::panicking();
        assert!(named, "at the end there came {:#?}", self.out);
    }
}

/// Orders: `call N METHOD [PARAMS]`, `call N/ID METHOD [PARAMS]` with an id of its own, `bare N METHOD [PARAMS]`,
/// `again N MESSAGE`, `anew N MESSAGE`, `list N [KIND]`, `page N KIND [CURSOR]`, `step N [PARAMS]`, `poll N`, `task N PARAMS`, `cancel N REASON`, `forget N`, `listen N FILTER`, `answer Q RESULT`,
/// `error Q ERROR`, `silence Q`, `notify METHOD [PARAMS]`, `raw TEXT`, `level LEVEL`, `roots ROOTS`, `close`.
fn order(line: &str, settings: &mut Settings) -> Order {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (first, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let (number, id) = first.split_once('/').map_or((first, None), |(number, id)| (number, Some(id)));
    let number: u64 = number.parse().unwrap_or_default();
    let bytes = |text: &str| text.as_bytes().to_vec();
    let some = |text: &str| (!text.is_empty()).then(|| text.as_bytes().to_vec());
    match verb {
        "call" | "bare" => {
            let (method, params) = rest.split_once(' ').unwrap_or((rest, ""));
            let (params, id, bare) = (some(params), id.map(bytes), verb == "bare");
            Order::Call(number, Call { method: method.to_owned(), params, id, bare, ..Call::default() })
        }
        "again" => Order::Again(number, bytes(rest)),
        "anew" => Order::Anew(number, bytes(rest)),
        "list" => Order::List(number, kind(rest)),
        "page" => {
            let (kind_of, cursor) = rest.split_once(' ').map_or((rest, None), |(kind, cursor)| (kind, Some(cursor)));
            Order::Page(number, kind(kind_of), cursor.map(str::to_owned))
        }
        "step" => Order::Step(number, some(rest)),
        "poll" => Order::Poll(number),
        "task" => {
            let call = Call { method: "tools/call".to_owned(), params: some(rest), ..Call::default() };
            Order::Call(number, Call { task: Some(Some(60_000)), ..call })
        }
        "cancel" => Order::Cancel(number, rest.to_owned()),
        "forget" => Order::Forget(number),
        "listen" => Order::Listen(number, rest.to_owned()),
        "answer" => Order::Answer(number, Answer::Result(bytes(rest))),
        "error" => Order::Answer(number, Answer::Error(bytes(rest))),
        "silence" => Order::Answer(number, Answer::Silence),
        "notify" => Order::Notify(first.to_owned(), some(rest)),
        "raw" => Order::Raw(bytes(line.trim_start_matches("raw ")), Vec::new()),
        "close" => Order::Close,
        "level" | "roots" => {
            match verb {
                "level" => settings.log_level = Some(first.to_owned()),
                _ => first.clone_into(&mut settings.roots),
            }
            Order::Change(Arc::new(settings.clone()))
        }
        _ => panic!("{line} is no order of a script"),
    }
}

/// The kind of this name; without one, tools.
fn kind(name: &str) -> Kind {
    Kind::ALL.into_iter().find(|kind| kind.member() == name).unwrap_or(Kind::Tools)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn tell(next: Do) -> Option<String> {
    let what = match next {
        Do::Send(message, _) => return Some(format!("> {}", text(&message))),
        Do::SendRaw(bytes, _) => format!("raw {}", text(&bytes)),
        Do::Drop(id) => format!("drop {id}"),
        Do::Break(id) => format!("break {}", id.map_or_else(|| "-".to_owned(), |id| id.to_string())),
        Do::Restart => "restart".to_owned(),
        Do::Finish => "finish".to_owned(),
        Do::Tell(told) => return self::told(&told).map(|told| format!("= {told}")),
    };
    Some(format!("= {what}"))
}

/// What is told, in short; what was sent is seen anyway.
fn told(told: &Told) -> Option<String> {
    Some(match told {
        Told::State(State::Opening) => "opening".to_owned(),
        Told::State(State::Open(peer)) => {
            let identity = peer.identity.as_deref().map(|text| format!(" as {}", self::text(text))).unwrap_or_default();
            format!("open {} {}{identity}", peer.era.word(), peer.revision)
        }
        Told::State(State::Closed { why, failed: false }) => format!("closed: {why}"),
        Told::State(State::Closed { why, failed: true }) => format!("failed: {why}"),
        Told::Attempt(attempt) => format!("{}: {}", attempt.what, attempt.came),
        Told::Sent { .. } => return None,
        Told::Progress { call, progress, total, message } => {
            let total = total.as_deref().map(|total| format!(" of {total}")).unwrap_or_default();
            format!("progress {call} {progress}{total} {}", message.as_deref().unwrap_or_default())
                .trim_end()
                .to_owned()
        }
        Told::Ended { call, outcome, .. } => format!("ended {call} {}", self::outcome(outcome)),
        Told::Late { call, message } => format!("late {call} {}", text(message)),
        Told::Asked(question) => {
            let params = question.params.as_deref().map(|params| format!(" {}", text(params))).unwrap_or_default();
            let call = question.call.map(|call| format!(" in {call}")).unwrap_or_default();
            let key = question.key.as_ref().map(|key| format!(" as {key} of round {}", question.round));
            let call = format!("{call}{}", key.unwrap_or_default());
            format!("asked {} {}{params}{call}", question.id, question.method)
        }
        Told::Settled(question, how) => format!("settled {question}: {how}"),
        Told::Notified { method, call, .. } => {
            format!("notified {method}{}", call.map(|call| format!(" in {call}")).unwrap_or_default())
        }
        Told::Stray { why, .. } => format!("stray: {why}"),
        Told::List(kind, list) => {
            let next = list.next.as_deref().map(|next| format!(" next {next:?}")).unwrap_or_default();
            let stale = if list.stale { " stale" } else { "" };
            let stopped = list.stopped.as_deref().map(|why| format!(": {why}")).unwrap_or_default();
            format!("list {} {} on {}{next}{stale}{stopped}", kind.member(), list.items.len(), list.pages)
        }
        Told::Round { call, round, next, .. } => {
            let next = next.as_deref().map(|next| format!(" next {}", text(next))).unwrap_or_default();
            format!("round {call} {round}{next}")
        }
        Told::Task { call, task } => {
            let next = task.next.map(|at| format!(" next at {} s", at as f64 / 1e9)).unwrap_or_default();
            format!("task {call} {} {}{next}", task.id, task.status)
        }
        Told::Stream { call, what } => format!("stream {call} {what}"),
        Told::Link(what) => format!("link {what}"),
    })
}

fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Result(json) => format!("result {}", text(json)),
        Outcome::Error(json) => format!("error {}", text(json)),
        Outcome::Http { status, why, body, .. } => format!("http {status:?} {why} {}", text(body)),
        Outcome::TimedOut(which) => format!("timed out: {which}"),
        Outcome::Cancelled => "cancelled".to_owned(),
        Outcome::Lost(why) => format!("lost: {why}"),
        Outcome::Refused(why) => format!("refused: {why}"),
    }
}

/// Whether a text is JSON.
pub fn is_json(text: &str) -> bool {
    Json::parse(text.as_bytes()).is_ok()
}
