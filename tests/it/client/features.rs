//! What takes several requests, with a server that this project did not write: pages, rounds, tasks, subscriptions.
//! The server checks what it is sent: a cursor or a state that differs by a byte is refused.

use std::sync::Arc;

use midwire::engine::client::{Environment, Happening, Trust, Way};
use midwire::model::Era;
use midwire::peer::client::{Answer, Bytes, Call, EraChoice, Kind, List, Order, Outcome, Question, Told};

use super::session::Talk;
use crate::interop::http::Served;
use crate::interop::peers::{Installed, rmcp_peer};

/// A session with the server, and the server where it is one that listens.
struct Peer {
    talk: Talk,
    served: Option<Served>,
}

fn stdio(era: EraChoice) -> Peer {
    let command = vec![rmcp_peer().display().to_string(), "features".to_owned()];
    let way = Way::Command { command, folder: None, environment: Environment::default() };
    Peer { talk: open(way, era), served: None }
}

fn http(era: EraChoice) -> Peer {
    let served = Served::rust_features();
    let way = Way::Url { url: served.url().to_owned(), headers: Vec::new(), trust: Trust::default() };
    Peer { talk: open(way, era), served: Some(served) }
}

fn open(way: Way, era: EraChoice) -> Talk {
    let mut talk = Talk::with(way, |options| options.settings.era = era);
    talk.opened();
    talk
}

/// On both transports in one era.
fn both(era: EraChoice) -> [Peer; 2] {
    [stdio(era.clone()), http(era)]
}

fn tool(name: &str) -> Call {
    let params = format!(r#"{{"name":"{name}","arguments":{{}}}}"#);
    Call { method: "tools/call".to_owned(), params: Some(params.into_bytes()), ..Call::default() }
}

fn text(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Result(json) | Outcome::Error(json) => String::from_utf8_lossy(json).into_owned(),
        other => panic!("{other:?}"),
    }
}

impl Peer {
    fn told<T>(&mut self, what: &str, wanted: impl Fn(&Told) -> Option<T>) -> T {
        self.talk.until(what, |happening| if let Happening::Told(told) = happening { wanted(told) } else { None })
    }

    fn asked(&mut self) -> Question {
        self.told("a question", |told| if let Told::Asked(question) = told { Some(question.clone()) } else { None })
    }

    fn stream(&mut self) -> String {
        self.told("a stream", |told| if let Told::Stream { what, .. } = told { Some(what.clone()) } else { None })
    }

    fn list(&mut self) -> Arc<List> {
        self.told("a list", |told| if let Told::List(_, list) = told { Some(Arc::clone(list)) } else { None })
    }

    fn answer(&self, question: &Question, answer: &str) {
        self.talk.order(Order::Answer(question.id, Answer::Result(answer.as_bytes().to_vec())));
    }

    /// The requests of a call that were sent.
    fn sent(&self, wanted: u64) -> Vec<Bytes> {
        let sent = |happening: &Happening| match happening {
            Happening::Told(Told::Sent { call, message, .. }) if *call == wanted => Some(Arc::clone(message)),
            _ => None,
        };
        self.talk.told.iter().filter_map(sent).collect()
    }
}

#[test]
fn a_list_comes_page_by_page() {
    for era in [EraChoice::Legacy, EraChoice::Modern] {
        for mut peer in both(era.clone()) {
            peer.talk.order(Order::List(1, Kind::Tools));
            assert!(peer.talk.ended(1).is_ok());
            let lists: Vec<_> = (0..).map_while(|page| lists(&peer).get(page).cloned()).collect();
            let told: Vec<_> = lists.iter().map(|list| (list.items.len(), list.pages, list.next.is_some())).collect();
            assert_eq!(told, [(2, 1, true), (4, 2, true), (6, 3, false)]);
            let keys: Vec<_> = lists[2].items.iter().map(|item| item.key.clone()).collect();
            assert_eq!(keys, ["rounds", "work", "stuck", "broken", "touch", "hang-up"]);
            assert!(lists[2].items.iter().all(|item| item.faults.is_empty()));
            assert_eq!(peer.sent(1).len(), 3);
            // A cursor that the server did not give is refused, and leaves the list alone.
            peer.talk.order(Order::Page(2, Kind::Tools, Some("nonsense".to_owned())));
            assert!(text(&peer.talk.ended(2)).contains("no such cursor"));
            let last = lists_of(&peer);
            assert_eq!((last.items.len(), last.stopped.is_some()), (6, true), "{era:?}");
            peer.talk.stop();
        }
    }
}

fn lists(peer: &Peer) -> Vec<Arc<List>> {
    let list = |happening: &Happening| match happening {
        Happening::Told(Told::List(_, list)) => Some(Arc::clone(list)),
        _ => None,
    };
    peer.talk.told.iter().filter_map(list).collect()
}

fn lists_of(peer: &Peer) -> Arc<List> {
    Arc::clone(lists(peer).last().expect("a list"))
}

#[test]
fn rounds_are_answered_by_hand() {
    for (answer, said) in
        [(r#"{"action":"accept","content":{"name":"Ferris"}}"#, "Ferris"), (r#"{"action":"decline"}"#, "nobody")]
    {
        for mut peer in both(EraChoice::Modern) {
            peer.talk.order(Order::Call(1, tool("rounds")));
            let mut questions = [peer.asked(), peer.asked()];
            questions.sort_by(|one, other| one.key.cmp(&other.key));
            let keys: Vec<_> = questions.iter().map(|question| (question.key.as_deref(), question.round)).collect();
            assert_eq!(keys, [(Some("a name"), 2), (Some("roots"), 2)]);
            peer.answer(&questions[0], answer);
            let result = text(&peer.talk.ended(1));
            assert!(result.contains(said) && result.contains("with 0 roots"), "{result}");
            let sent = peer.sent(1);
            let has = |at: usize, part: &str| String::from_utf8_lossy(&sent[at]).contains(part);
            assert_eq!(sent.len(), 3);
            assert!(!has(0, "requestState") && !has(1, "inputResponses") && has(2, r#""requestState":"asked""#));
            peer.talk.stop();
        }
    }
}

#[test]
fn tasks_are_polled_answered_and_end_their_call() {
    for mut peer in both(EraChoice::Modern) {
        for (call, name) in [(1, "work"), (2, "broken")] {
            peer.talk.order(Order::Call(call, tool(name)));
            let question = peer.asked();
            assert_eq!((question.key.as_deref(), question.call), (Some("colour"), Some(call)));
            peer.answer(&question, r#"{"action":"accept","content":{"colour":"green"}}"#);
            let outcome = peer.talk.ended(call);
            let expected = if name == "work" { r#"painted \"green\""# } else { "the brush broke" };
            assert!(text(&outcome).contains(expected), "{outcome:?}");
            assert_eq!(matches!(outcome, Outcome::Error(_)), name == "broken");
            let methods: Vec<_> = peer.sent(call).iter().map(method).collect();
            assert_eq!(methods.iter().filter(|method| *method == "tasks/update").count(), 1, "{methods:?}");
        }
        peer.talk.stop();
    }
}

fn method(sent: &Bytes) -> String {
    let text = String::from_utf8_lossy(sent).into_owned();
    text.split(r#""method":""#).nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default().to_owned()
}

#[test]
fn cancelling_a_call_cancels_its_task_at_the_server() {
    for mut peer in both(EraChoice::Modern) {
        peer.talk.order(Order::Call(1, tool("stuck")));
        let id =
            peer.told("a task", |told| if let Told::Task { task, .. } = told { Some(task.id.clone()) } else { None });
        peer.talk.order(Order::Cancel(1, "enough".to_owned()));
        assert_eq!(peer.talk.ended(1), Outcome::Cancelled);
        let outcome = peer.talk.call(2, "tasks/get", &format!(r#"{{"taskId":"{id}"}}"#));
        assert!(text(&outcome).contains(r#""status":"cancelled""#), "{outcome:?}");
        let cancelled = peer.sent(1).iter().filter(|sent| method(sent) == "tasks/cancel").count();
        assert_eq!(cancelled, 1);
        peer.talk.stop();
    }
}

#[test]
fn a_stream_brings_what_was_asked_for_and_ends_in_order() {
    let filter = r#"{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["note:///all"]}"#;
    for mut peer in both(EraChoice::Modern) {
        peer.talk.order(Order::List(1, Kind::Tools));
        peer.talk.ended(1);
        peer.talk.order(Order::Listen(2, filter.to_owned()));
        assert_eq!(peer.stream(), "acknowledged, but without promptsListChanged");
        peer.talk.order(Order::Call(3, tool("touch")));
        assert!(peer.list().stale, "the list of tools changed");
        let updated = peer.told("an update", |told| match told {
            Told::Notified { method, call, .. } if method == "notifications/resources/updated" => Some(*call),
            _ => None,
        });
        // On stdio the server says it twice: on the stream, and besides.
        assert!(updated == Some(2) || peer.served.is_none(), "{updated:?}");
        peer.talk.order(Order::Call(4, tool("hang-up")));
        assert_eq!(peer.stream(), "the server ended it, in order");
        assert!(peer.talk.ended(2).is_ok());
        peer.talk.stop();
    }
}

#[test]
fn updates_of_the_legacy_era_belong_to_who_subscribed() {
    for mut peer in both(EraChoice::Legacy) {
        assert!(peer.talk.call(1, "resources/subscribe", r#"{"uri":"note:///all"}"#).is_ok());
        peer.talk.order(Order::Call(2, tool("touch")));
        let updated = peer.told("an update", |told| match told {
            Told::Notified { method, call, .. } if method == "notifications/resources/updated" => Some(*call),
            _ => None,
        });
        assert_eq!(updated, Some(1));
        peer.talk.stop();
    }
}

#[test]
fn the_era_that_is_found_out_is_the_modern_one() {
    for mut peer in both(EraChoice::Auto) {
        let era = peer.talk.told.iter().find_map(|happening| match happening {
            Happening::Told(Told::State(midwire::peer::client::State::Open(peer))) => Some(peer.era),
            _ => None,
        });
        assert_eq!(era, Some(Era::Modern));
        peer.talk.stop();
    }
}

/// A task of 2025-11-25 that asks while it runs: its question comes on the stream of `tasks/result`.
#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn a_core_task_asks_and_has_its_result_fetched() {
    let peers = Installed::find();
    let command = peers.node_server("everything", &["stdio"]);
    let served = Served::at_port(&peers.node_server("everything", &["streamableHttp"]), &[("PORT", "PORT")], "/mcp");
    let url = Way::Url { url: served.url().to_owned(), headers: Vec::new(), trust: Trust::default() };
    for way in [Way::Command { command, folder: None, environment: Environment::default() }, url] {
        let mut peer = Peer { talk: open(way, EraChoice::Legacy), served: None };
        let params = br#"{"name":"simulate-research-query","arguments":{"topic":"rust","ambiguous":true}}"#.to_vec();
        let call = Call { params: Some(params), task: Some(Some(60_000)), ..tool("") };
        peer.talk.order(Order::Call(1, call));
        let question = loop {
            let question = peer.asked();
            if question.method == "elicitation/create" {
                break question;
            }
        };
        assert_eq!(question.call, Some(1));
        peer.answer(&question, r#"{"action":"accept","content":{"interpretation":"technical"}}"#);
        let result = text(&peer.talk.ended(1));
        assert!(result.contains("Research Report"), "{result}");
        let methods: Vec<_> = peer.sent(1).iter().map(method).collect();
        assert_eq!(methods.iter().filter(|method| *method == "tasks/result").count(), 1, "{methods:?}");
        peer.talk.stop();
    }
}
