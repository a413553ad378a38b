//! What mock files say, and what comes of it: steps in words, so that a case is a line.

mod answers;
mod choosing;
mod editing;
mod faults;
mod reading;
mod schema;
mod steps;
mod time;

use std::sync::Arc;

use super::{Mock, Player, read};
use crate::model::Revision;
use crate::peer::server::fill::{Context, json, plain};
use crate::peer::server::{Answer, Asked, Bytes, Link, Script, Step, Text};

/// A mock file without faults.
fn mock(text: &str) -> Arc<Mock> {
    let read = read(text);
    assert_eq!(read.faults, [], "{text}");
    read.mock.expect("it is TOML")
}

/// Its faults, each on a line.
fn faults(text: &str) -> Vec<String> {
    read(text).faults.iter().map(ToString::to_string).collect()
}

/// A mock that is asked.
struct Asking {
    player: Player,
    link: Link,
    revision: Revision,
}

impl Asking {
    fn of(text: &str) -> Self {
        Self { player: Player::new(mock(text)), link: Link::Stdio, revision: Revision::V2025_11_25 }
    }

    fn answer(&mut self, method: &str, params: &str) -> Answer {
        let message = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{method}","params":{params}}}"#);
        self.player.answer(&Asked {
            request: 1,
            client: 1,
            link: self.link,
            era: self.revision.era(),
            revision: &self.revision,
            method,
            params: Some(params.as_bytes()),
            message: message.as_bytes(),
            identity: Some(br#"{"name":"host","version":"2"}"#),
            capabilities: Some(br#"{"sampling":{}}"#),
        })
    }

    /// What is done, a step on a line, with what can be filled in filled in.
    fn asks(&mut self, method: &str, params: &str) -> String {
        match self.answer(method, params) {
            Answer::Own => "own".to_owned(),
            Answer::Miss(miss) => format!("miss: {}", miss.why),
            Answer::Plan(plan) => {
                let answers = [("who".to_owned(), Bytes::from(&br#"{"content":{"name":"Ada"}}"#[..]))];
                let context = Context {
                    params: Some(params.as_bytes()),
                    answers: &answers,
                    nth: plan.nth,
                    identity: Some(br#"{"name":"host"}"#),
                    values: &plan.values,
                };
                let mut lines: Vec<String> = plan.steps.iter().map(|step| words(step, &context)).collect();
                if plan.deaf {
                    lines.insert(0, "deaf".to_owned());
                }
                lines.join("\n")
            }
        }
    }

    /// A call of a tool.
    fn calls(&mut self, tool: &str, arguments: &str) -> String {
        self.asks("tools/call", &format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#))
    }
}

fn words(step: &Step, context: &Context<'_>) -> String {
    let say = |bytes: Result<Bytes, String>| match bytes {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(why) => format!("<{why}>"),
    };
    let data = |text: &Text| say(json(text, context));
    let text = |text: &Text| say(plain(text, context));
    let maybe = |text: &Option<Text>| text.as_ref().map_or_else(|| "-".to_owned(), data);
    let with =
        |id: &Option<Bytes>| id.as_ref().map_or_else(String::new, |id| format!("id {} ", String::from_utf8_lossy(id)));
    match step {
        Step::Wait(time) => format!("wait {}ms", time / 1_000_000),
        Step::Progress { progress, total, message } => {
            let message = message.as_ref().map_or_else(|| "-".to_owned(), text);
            format!("progress {} of {}: {message}", data(progress), maybe(total))
        }
        Step::Log { level, logger, data: what } => {
            format!("log {level} {} {}", logger.as_deref().unwrap_or("-"), data(what))
        }
        Step::Notify { method, params, loose } => {
            format!("notify {method} {}{}", maybe(params), if *loose { " loose" } else { "" })
        }
        Step::Changed(kind) => format!("changed {}", kind.method()),
        Step::Updated(uri) => format!("updated {uri}"),
        Step::Ask { key, method, params, forced, .. } => {
            format!("ask {key} {method} {}{}", maybe(params), if *forced { " forced" } else { "" })
        }
        Step::ComeAgain => "come again".to_owned(),
        Step::Task(task) => format!("task {:?} {:?} {}", task.ttl, task.poll, task.forced),
        Step::Status(status) => format!("status {}", text(status)),
        Step::Own => "own".to_owned(),
        Step::Result { result, bare, id } => {
            format!("{}result {}{}", with(id), data(result), if *bare { " bare" } else { "" })
        }
        Step::Error { error, id } => format!("{}error {}", with(id), data(error)),
        Step::Raw(bytes) => format!("raw {}", bytes.escape_ascii().to_string().replace("\\\"", "\"")),
        Step::Stderr(line) => format!("stderr {}", text(line)),
        Step::Respond { status, fields, body } => format!("respond {status} {fields:?} {}", text(body)),
        Step::Fields(fields) => format!("fields {fields:?}"),
        Step::Close => "close".to_owned(),
        Step::Break => "break".to_owned(),
        Step::LoseSession => "lose session".to_owned(),
        Step::Exit(code) => format!("exit {code}"),
    }
}
