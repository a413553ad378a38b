//! One question of a server, put to a person line by line: sampling, elicitation by form or URL, anything else as
//! JSON. Pure: lines go in, lines and in the end an answer come out.

use super::clerk::decline;
use super::form::{Filled, Questionnaire};
use super::voice::start;
use crate::peer::client::{Answer, Question};
use crate::wire::{Json, JsonKind, quote};

/// A dialogue about one question.
#[derive(Debug)]
pub(super) struct Dialogue {
    method: String,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// An answer of the model is typed.
    Sampling,
    /// The fields of a form are filled in.
    Form(Box<Questionnaire>),
    /// What was filled in is looked at.
    Confirm(String),
    /// A URL is looked at.
    Url,
    /// A result is typed as JSON.
    Other,
}

/// What comes of a line.
#[derive(Debug)]
pub(super) enum Step {
    /// These lines are put before the person; the last waits.
    Ask(Vec<String>),
    /// The answer.
    Done(Answer),
}

const CHOICES: &str = "[y]es, [n]o (decline), [c]ancel, or other JSON: ";

impl Dialogue {
    /// Begins, with the lines that are put before the person.
    pub(super) fn of(question: &Question) -> (Self, Vec<String>) {
        let params = question.params.as_deref().and_then(|bytes| Json::parse(bytes).ok());
        let text = |name: &str| {
            let value = params.and_then(|params| params.get(name));
            value.and_then(|value| value.text()).map(std::borrow::Cow::into_owned)
        };
        let mut lines = vec![String::new()];
        let stage = match question.method.as_str() {
            "sampling/createMessage" => {
                lines.push("The server asks for an answer of a model to:".to_owned());
                lines.extend(messages(params));
                lines.push("The answer (empty: decline; a JSON object: that result): ".to_owned());
                Stage::Sampling
            }
            "elicitation/create" if text("mode").as_deref() == Some("url") => {
                lines.push(format!("The server asks: {}", text("message").unwrap_or_default()));
                let url = text("url").unwrap_or_default();
                lines.push(format!("It wants you to open this page: {url}"));
                if let Some(host) = url::Url::parse(&url).ok().and_then(|url| url.host_str().map(str::to_owned)) {
                    lines.push(format!("  on the host {host}"));
                }
                lines.push("Open it yourself if you trust it. Accept? [y]es, [n]o (decline), [c]ancel: ".to_owned());
                Stage::Url
            }
            "elicitation/create" => {
                lines.push(format!("The server asks: {}", text("message").unwrap_or_default()));
                let schema = params.and_then(|params| params.get("requestedSchema"));
                let form = Questionnaire::new(schema.map_or(&b"true"[..], |schema| schema.raw()));
                let (stage, more) = asked(form);
                lines.extend(more);
                stage
            }
            method => {
                lines.push(format!("The server asks {method}:"));
                lines.extend(params.map(|params| start(params.raw())));
                lines.push("The result as JSON (empty: refuse): ".to_owned());
                Stage::Other
            }
        };
        (Self { method: question.method.clone(), stage }, lines)
    }

    /// What declines it.
    pub(super) fn decline(&self) -> Answer {
        decline(&self.method)
    }

    /// Takes a line.
    pub(super) fn line(&mut self, line: &str) -> Step {
        let line = line.trim_end_matches(['\r', '\n']);
        match &mut self.stage {
            Stage::Form(form) => {
                form.answer(line);
                let Stage::Form(form) = std::mem::replace(&mut self.stage, Stage::Other) else {
                    return Step::Done(self.decline());
                };
                let (stage, lines) = asked(*form);
                self.stage = stage;
                Step::Ask(lines)
            }
            Stage::Confirm(content) => match chosen(line, true) {
                Chosen::Accept => Step::Done(accept(Some(content))),
                Chosen::Json(content) => Step::Done(accept(Some(&content))),
                other => self.otherwise(&other),
            },
            Stage::Url => match chosen(line, false) {
                Chosen::Accept => Step::Done(accept(None)),
                other => self.otherwise(&other),
            },
            Stage::Sampling | Stage::Other if line.trim().is_empty() => Step::Done(self.decline()),
            Stage::Sampling => Step::Done(Answer::Result(object(line).unwrap_or_else(|| said(line)))),
            Stage::Other => match Json::parse(line.as_bytes()) {
                Ok(json) => Step::Done(Answer::Result(json.raw().to_vec())),
                Err(fault) => Step::Ask(vec![format!("That is no JSON: {fault}. Once more: ")]),
            },
        }
    }

    fn otherwise(&self, chosen: &Chosen) -> Step {
        match chosen {
            Chosen::Decline => Step::Done(self.decline()),
            Chosen::Cancel => Step::Done(Answer::Result(br#"{"action":"cancel"}"#.to_vec())),
            _ => Step::Ask(vec!["Please answer y, n or c: ".to_owned()]),
        }
    }
}

enum Chosen {
    Accept,
    Decline,
    Cancel,
    Json(String),
    Unclear,
}

/// Only what is filled in is sent by an empty line; a page is accepted in so many letters.
fn chosen(line: &str, by_default: bool) -> Chosen {
    match line.trim().to_ascii_lowercase().as_str() {
        "" if by_default => Chosen::Accept,
        "y" | "yes" => Chosen::Accept,
        "n" | "no" => Chosen::Decline,
        "c" | "cancel" => Chosen::Cancel,
        _ => object(line).and_then(|json| String::from_utf8(json).ok()).map_or(Chosen::Unclear, Chosen::Json),
    }
}

/// Asks for the next field, or whether all is well.
fn asked(form: Questionnaire) -> (Stage, Vec<String>) {
    match form.next() {
        Filled::Ask(lines) => (Stage::Form(Box::new(form)), lines),
        Filled::Done { content, advice } => {
            let mut lines: Vec<String> = advice.iter().map(|advice| format!("  ! {advice}")).collect();
            lines.push(format!("  {content}"));
            lines.push(format!("Send it? {CHOICES}"));
            (Stage::Confirm(content), lines)
        }
    }
}

fn accept(content: Option<&str>) -> Answer {
    let content = content.map_or_else(String::new, |content| format!(r#","content":{content}"#));
    Answer::Result(format!(r#"{{"action":"accept"{content}}}"#).into_bytes())
}

/// The result of sampling for a text that a person typed.
fn said(text: &str) -> Vec<u8> {
    let text = quote(text);
    let rest = r#""model":"person","stopReason":"endTurn""#;
    format!(r#"{{"role":"assistant","content":{{"type":"text","text":{text}}},{rest}}}"#).into_bytes()
}

fn object(line: &str) -> Option<Vec<u8>> {
    let json = Json::parse(line.as_bytes()).ok()?;
    (json.kind() == JsonKind::Object).then(|| json.raw().to_vec())
}

/// The messages of sampling, one a line.
fn messages(params: Option<Json<'_>>) -> Vec<String> {
    let Some(params) = params else { return Vec::new() };
    let system = params.get("systemPrompt").and_then(|text| text.text()).map(|text| format!("  system: {text}"));
    let message = |message: Json<'_>| {
        let role = message.get("role").and_then(|role| role.text()).unwrap_or_default().into_owned();
        let content = message.get("content");
        let text = content.and_then(|content| content.get("text")).and_then(|text| text.text());
        let text = text.map(std::borrow::Cow::into_owned);
        let text = text.unwrap_or_else(|| content.map(|content| start(content.raw())).unwrap_or_default());
        format!("  {role}: {text}")
    };
    let all = params.get("messages").map(|all| all.items().map(message).collect::<Vec<_>>()).unwrap_or_default();
    system.into_iter().chain(all).collect()
}

#[cfg(test)]
mod tests;
