//! Recordings that are made up, and what answers what.

mod eras;
mod matching;
mod misses;

use super::{Call, MatchWay, Matching, Outcome, Player, Session, session};
use crate::model::{Era, Revision};
use crate::peer::server::{Answer, Asked, Link, Plan, Script, Step, Text};

/// A call with params, and how it ended.
fn call(seq: u64, method: &str, params: &str, outcome: Outcome) -> Call {
    Call {
        seq,
        client: Some(0),
        era: Era::Legacy,
        revision: Revision::V2025_11_25,
        method: method.to_owned(),
        params: (!params.is_empty()).then(|| params.as_bytes().into()),
        message: params.as_bytes().into(),
        steps: Vec::new(),
        answered: Vec::new(),
        outcome,
        after: 0,
        notes: Vec::new(),
    }
}

fn modern(call: Call) -> Call {
    Call { era: Era::Modern, revision: Revision::V2026_07_28, client: None, ..call }
}

fn result(text: &str) -> Outcome {
    Outcome::Result(text.as_bytes().into())
}

fn error(text: &str) -> Outcome {
    Outcome::Error(text.as_bytes().into())
}

fn session(calls: Vec<Call>) -> Session {
    Session {
        name: "a.midwire".to_owned(),
        about: session::nobody(),
        spoken: Revision::KNOWN.to_vec(),
        calls,
        loose: Vec::new(),
        lists: Vec::new(),
        warnings: Vec::new(),
    }
}

fn player(calls: Vec<Call>, way: MatchWay) -> Player {
    Player::new(vec![session(calls)], Matching { way, ignored: vec!["/arguments/time".to_owned()] })
}

/// Who asks.
#[derive(Clone, Copy)]
struct Who {
    client: u64,
    link: Link,
    era: Era,
}

const HOST: Who = Who { client: 1, link: Link::Stdio, era: Era::Legacy };
const MODERN_HOST: Who = Who { era: Era::Modern, ..HOST };

/// What is answered, in a line.
fn says(player: &mut Player, who: Who, method: &str, params: &str) -> String {
    match ask(player, who, method, params) {
        Answer::Plan(plan) => said(&plan),
        Answer::Own => "own".to_owned(),
        Answer::Miss(miss) => format!("miss: {}", miss.why),
    }
}

fn ask(player: &mut Player, who: Who, method: &str, params: &str) -> Answer {
    let revision = if who.era == Era::Modern { Revision::V2026_07_28 } else { Revision::V2025_11_25 };
    player.answer(&Asked {
        request: 1,
        client: who.client,
        link: who.link,
        era: who.era,
        revision: &revision,
        method,
        params: (!params.is_empty()).then_some(params.as_bytes()),
        message: b"{}",
        identity: None,
        capabilities: None,
    })
}

fn said(plan: &Plan) -> String {
    let steps: Vec<String> = plan.steps.iter().map(step).collect();
    format!("{} {}: {}", plan.by, plan.nth, steps.join(", "))
}

fn step(step: &Step) -> String {
    let text = |text: &Text| match text {
        Text::Fixed(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Text::Template(_) => "a template".to_owned(),
    };
    match step {
        Step::Result { result, bare, .. } => format!("result {}{}", text(result), if *bare { "" } else { " dressed" }),
        Step::Error { error, .. } => format!("error {}", text(error)),
        Step::Ask { key, method, .. } => format!("ask {key} {method}"),
        Step::Notify { method, .. } => format!("notify {method}"),
        other => format!("{other:?}"),
    }
}
