//! The notation of the scripts. Each line is something that goes in, or the next thing that comes out; before something
//! goes in, all that came out must have been named.
//!
//! In: `@ join CLIENT stdio|http|sse`, `@ left CLIENT`, `@ gone TICKET`; `CLIENT< FRAME` on a link without tickets,
//! `CLIENT/TICKET< FRAME` as a POST with the fields of the lines `# name: value` before it (`# mirror` gives it those of
//! 2026-07-28 for its frame); `+ SECONDS`; `! ORDER` (see [`order`]).
//! Out: `CLIENT> MESSAGE`, `CLIENT/TICKET> MESSAGE`, `CLIENT/TICKET 404> MESSAGE` with a status other than 200;
//! `= WHAT` (see [`tell`]); `~` passes over what came out. `$M` stands for the members that 2026-07-28 wants in `_meta`,
//! `$I` for the params of `initialize` behind the version, `$R` for `"jsonrpc":"2.0"`.

use std::collections::VecDeque;
use std::sync::Arc;

use super::book::Book;
use crate::mcp::mirror;
use crate::model::Nanos;
use crate::peer::server::{Do, Ended, Link, Order, Server, Settings, Step, Text, To, Told};
use crate::wire::Json;

const SECOND: Nanos = 1_000_000_000;
const META: &str = concat!(
    r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t"},"#,
    r#""io.modelcontextprotocol/clientCapabilities":{}"#
);
const INITIALIZE: &str = r#""capabilities":{},"clientInfo":{"name":"t"}"#;

/// A server with the time that it is told.
pub struct Play {
    pub server: Server,
    pub now: Nanos,
    /// Whether also what is usual is told: who joined, what was asked and matched, how it ended.
    pub loud: bool,
    /// The settings as they are, to be changed and ordered.
    pub settings: Settings,
    fields: Vec<String>,
    out: VecDeque<String>,
}

impl Play {
    /// With this script, and nobody there.
    pub fn new(settings: Settings, book: Book) -> Self {
        Self {
            server: Server::new(settings.clone(), Box::new(book), [7; 32]),
            now: 0,
            loud: false,
            settings,
            fields: Vec::new(),
            out: VecDeque::new(),
        }
    }

    /// With client 1 on stdio, which nobody greeted.
    pub fn stdio(book: Book) -> Self {
        let mut play = Self::new(Settings::default(), book);
        play.run("@ join 1 stdio\n~");
        play
    }

    /// With client 1 on stdio after its handshake.
    pub fn legacy(book: Book, revision: &str) -> Self {
        let mut play = Self::stdio(book);
        play.greet(1, revision);
        play
    }

    /// The handshake of a client without tickets; its ids are free from 1 on.
    pub fn greet(&mut self, client: u64, revision: &str) {
        self.run(&format!(
            r#"
            {client}< {{$R,"id":0,"method":"initialize","params":{{"protocolVersion":"{revision}",$I}}}}
            ~
            {client}< {{$R,"method":"notifications/initialized"}}
            ~"#
        ));
    }

    /// Runs a script.
    pub fn run(&mut self, script: &str) -> &mut Self {
        for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let line = line.replace("$M", META).replace("$I", INITIALIZE).replace("$R", r#""jsonrpc":"2.0""#);
            let (mark, rest) = line.split_once([' ']).unwrap_or((&line, ""));
            let is_out = mark == "=" || line.split_once('>').is_some_and(|(start, _)| is_way(start));
            match mark {
                "~" => self.out.clear(),
                _ if is_out => {
                    let came = self.out.pop_front().unwrap_or_else(|| panic!("nothing came, instead of {line}"));
                    assert_eq!(came, line);
                }
                "#" => self.fields.push(rest.to_owned()),
                _ => {
                    assert!(self.out.is_empty(), "before {line} there came {:#?}", self.out);
                    self.take(mark, rest);
                }
            }
        }
        self
    }

    /// That nothing came out that was not named.
    pub fn silent(&mut self) {
        assert!(self.out.is_empty(), "there came {:#?}", self.out);
    }

    /// What came out next.
    pub fn came(&mut self) -> String {
        self.out.pop_front().expect("something came out")
    }

    /// The messages that came out, without what was told.
    pub fn messages(&mut self) -> Vec<String> {
        let out = std::mem::take(&mut self.out).into_iter().filter(|line| !line.starts_with('='));
        out.filter_map(|line| line.split_once("> ").map(|(_, message)| message.to_owned())).collect()
    }

    fn take(&mut self, mark: &str, rest: &str) {
        match mark {
            "+" => {
                self.now += (rest.parse::<f64>().expect("seconds") * SECOND as f64) as Nanos;
                self.server.passed(self.now);
            }
            "!" => {
                let order = order(rest, &mut self.settings);
                self.server.order(self.now, order);
            }
            "@" => self.link(rest),
            _ => self.hear(mark.strip_suffix('<').unwrap_or_else(|| panic!("{mark} {rest} is no line")), rest),
        }
        self.collect();
    }

    fn hear(&mut self, from: &str, frame: &str) {
        let (client, via) = from.split_once('/').unwrap_or((from, ""));
        let (client, via) = (client.parse().expect("a client"), via.parse().unwrap_or_default());
        let mut fields = Vec::new();
        for field in std::mem::take(&mut self.fields) {
            match field.split_once(':') {
                Some((name, value)) => fields.push((name.to_owned(), value.trim().to_owned())),
                None => fields.extend(mirrored(frame)),
            }
        }
        let fields = (via != 0).then_some(fields);
        self.server.heard(self.now, client, via, fields.as_deref(), frame.as_bytes());
    }

    fn link(&mut self, what: &str) {
        let words: Vec<&str> = what.split(' ').collect();
        let number = words.get(1).and_then(|number| number.parse().ok()).expect("a number");
        match (words[0], words.get(2).copied()) {
            ("join", Some("http")) => self.server.joined(self.now, number, Link::Http),
            ("join", Some("sse")) => self.server.joined(self.now, number, Link::Sse),
            ("join", _) => self.server.joined(self.now, number, Link::Stdio),
            ("left", _) => self.server.left(self.now, number, "it went"),
            ("gone", _) => self.server.gone(self.now, number),
            _ => panic!("{what} is nothing that a link does"),
        }
    }

    /// Gathers what came out.
    pub fn collect(&mut self) {
        while let Some(next) = self.server.next() {
            let told = tell(next, self.loud);
            self.out.extend(told);
        }
    }
}

/// The value at a pointer in JSON text; an empty text where there is none.
pub fn at(json: &str, pointer: &str) -> String {
    let json = Json::parse(json.as_bytes()).expect("it is JSON");
    json.pointer(pointer).map(|value| text(value.raw())).unwrap_or_default()
}

/// Whether the start of a line is a client, perhaps with a ticket and a status.
fn is_way(start: &str) -> bool {
    !start.is_empty() && start.bytes().all(|byte| byte.is_ascii_digit() || byte == b'/' || byte == b' ')
}

/// The fields that repeat a frame of 2026-07-28.
fn mirrored(frame: &str) -> Vec<(String, String)> {
    let json = Json::parse(frame.as_bytes()).expect("the test's JSON is valid");
    let method = json.get("method").and_then(|method| method.text()).unwrap_or_default();
    let name = json.get("params").and_then(|params| mirror::name(&method, params));
    let mut fields = vec![
        (mirror::VERSION.to_ascii_lowercase(), "2026-07-28".to_owned()),
        (mirror::METHOD.to_ascii_lowercase(), method.into_owned()),
    ];
    fields.extend(name.map(|name| (mirror::NAME.to_ascii_lowercase(), mirror::encode(&name).into_owned())));
    fields
}

/// `answer NO RESULT`, `error NO ERROR`, `part NO PROGRESS`, `letgo NO`, `drop NO`, `notify CLIENT|all METHOD [PARAMS]`,
/// `ask CLIENT|all METHOD [PARAMS]`, `changed KIND`, `updated URI`, `raw CLIENT|all TEXT`, `end`, `hand METHODS`.
fn order(line: &str, settings: &mut Settings) -> Order {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (first, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let number: u64 = first.parse().unwrap_or_default();
    let whom = (number > 0).then_some(number);
    let (method, params) = rest.split_once(' ').unwrap_or((rest, ""));
    let params = (!params.is_empty()).then(|| params.as_bytes().into());
    let text = || Text::Fixed(rest.as_bytes().into());
    match verb {
        "answer" => Order::Answer(number, vec![Step::Result { result: text(), bare: false, id: None }]),
        "error" => Order::Answer(number, vec![Step::Error { error: text(), id: None }]),
        "part" => Order::Answer(number, vec![Step::Progress { progress: text(), total: None, message: None }]),
        "letgo" => Order::LetGo(number),
        "drop" => Order::Drop(number),
        "notify" => Order::Notify(whom, method.to_owned(), params),
        "ask" => Order::Ask(whom, method.to_owned(), params),
        "changed" => Order::Changed(super::book::kind(first)),
        "updated" => Order::Updated(first.to_owned()),
        "raw" => Order::Raw(whom, rest.as_bytes().into()),
        "end" => Order::EndListening,
        "hand" => {
            let methods = line.trim_start_matches("hand").trim();
            settings.by_hand = super::book::by_hand(methods);
            Order::Change(Arc::new(settings.clone()))
        }
        _ => panic!("{line} is no order of a script"),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn way(client: u64, to: To) -> String {
    match to {
        To::Loose => client.to_string(),
        To::Ticket(ticket) => format!("{client}/{ticket}"),
    }
}

fn tell(next: Do, loud: bool) -> Option<String> {
    let what = match next {
        Do::Send { client, to, message, status } => {
            let status = if status == 200 || to == To::Loose { String::new() } else { format!(" {status}") };
            return Some(format!("{}{status}> {}", way(client, to), text(&message)));
        }
        Do::Raw { client, to, bytes } => format!("raw {} {}", way(client, to), text(&bytes)),
        Do::Done(ticket) => format!("done {ticket}"),
        Do::Respond { ticket, status, fields, body } => {
            format!("respond {ticket} {status} {fields:?} {}", text(&body)).trim_end().to_owned()
        }
        Do::Fields(ticket, fields) => format!("fields {ticket} {fields:?}"),
        Do::Close(ticket) => format!("close {ticket}"),
        Do::Break(ticket) => format!("break {ticket}"),
        Do::LoseSession(client) => format!("lose {client}"),
        Do::Stderr(line) => format!("stderr {line}"),
        Do::Exit(code) => format!("exit {code}"),
        Do::Pass(no, message) => format!("pass {no} {}", text(&message)),
        Do::Tell(told) => return self::told(&told, loud).map(|told| format!("= {told}")),
    };
    Some(format!("= {what}"))
}

/// What is told, in short. What is usual only where it is asked for.
fn told(told: &Told, loud: bool) -> Option<String> {
    Some(match told {
        Told::Missed(no, miss) => format!("missed {no}: {}", miss.why),
        Told::Waiting(no) => format!("waiting {no}"),
        Told::Heard { request, key, ok, answer } => {
            format!("heard {request} {key} {}{}", if *ok { "" } else { "error " }, text(answer))
        }
        Told::Replied { client, method, ok, answer } => {
            format!("replied {client} {method} {}{}", if *ok { "" } else { "error " }, text(answer))
        }
        Told::Listening(client, what) => format!("listening {client}: {what}"),
        Told::Stray { why, .. } => format!("stray: {why}"),
        Told::Note(Some(no), what) => format!("note {no}: {what}"),
        Told::Note(None, what) => format!("note: {what}"),
        Told::Ended { request, how: Ended::Cancelled, .. } => format!("ended {request}: cancelled"),
        Told::Ended { request, how: Ended::Otherwise(how), .. } => format!("ended {request}: {how}"),
        _ if !loud => return None,
        Told::Joined(client, link) => format!("joined {client} {link:?}"),
        Told::Known(client, who) => {
            let identity = who.identity.as_deref().map(|text| format!(" as {}", self::text(text))).unwrap_or_default();
            format!("known {client} {} {}{identity}", who.era.word(), who.revision)
        }
        Told::Left(client, why) => format!("left {client}: {why}"),
        Told::Asked { request, client, id, method, era, .. } => {
            format!("asked {request} by {client} {id} {method} {}", era.word())
        }
        Told::Matched { request, by, place, nth } => {
            let place = place.map(|place| format!(" at {place}")).unwrap_or_default();
            let nth = if *nth == 0 { String::new() } else { format!(" time {nth}") };
            format!("matched {request}: {by}{place}{nth}")
        }
        Told::Step(no, what) => format!("step {no}: {what}"),
        Told::Ended { request, how: Ended::Result(_), .. } => format!("ended {request}: result"),
        Told::Ended { request, how: Ended::Error(_), .. } => format!("ended {request}: error"),
        Told::Notified(client, method, _) => format!("notified {client} {method}"),
    })
}
