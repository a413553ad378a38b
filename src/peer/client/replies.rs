//! Answers that need no person: by the settings, and refusals of what was never offered.

use super::made::{elicited, sampled};
use super::{Answer, Reply, Settings};
use crate::model::{Era, Revision};
use crate::wire::{Json, quote};

const MADE: &str = "it was answered with a made-up answer";

/// The answer that the settings have for a question, and how it came about.
pub(super) fn automatic(
    settings: &Settings,
    method: &str,
    params: Option<Json<'_>>,
    revision: &Revision,
) -> Option<(Answer, &'static str)> {
    let reply = match method {
        "roots/list" => &settings.roots_reply,
        "sampling/createMessage" => &settings.sampling,
        "elicitation/create" => &settings.elicitation,
        _ => return None,
    };
    let answer = match reply {
        Reply::Ask | Reply::Made if method == "roots/list" => {
            return Some((result(&format!(r#"{{"roots":{}}}"#, settings.roots)), "it was answered with the roots"));
        }
        Reply::Ask => return None,
        Reply::Result(text) => (result(text), "it was answered with the saved answer"),
        Reply::Decline => (decline(method, revision), "it was declined by the settings"),
        Reply::Made if method == "sampling/createMessage" => (result(&sampled(params)), MADE),
        Reply::Made => (result(&elicited(params)), MADE),
    };
    Some(answer)
}

fn result(text: &str) -> Answer {
    Answer::Result(text.as_bytes().to_vec())
}

fn decline(method: &str, revision: &Revision) -> Answer {
    match method {
        "elicitation/create" => result(r#"{"action":"decline"}"#),
        "sampling/createMessage" if revision.era() == Era::Legacy => {
            Answer::Error(br#"{"code":-1,"message":"The user rejected the sampling request"}"#.to_vec())
        }
        _ => Answer::Error(br#"{"code":-32601,"message":"Not supported"}"#.to_vec()),
    }
}

/// The error for a question that the declared capabilities (JSON text) do not allow (CA-010 … CA-016, EC-020,
/// EC-021), and for a method that nobody knows.
pub(super) fn refused_for(method: &str, params: Option<Json<'_>>, declared: &str) -> Option<String> {
    let declared = Json::parse(declared.as_bytes()).ok();
    let has = |pointer: &str| declared.is_some_and(|json| json.pointer(pointer).is_some());
    let member = |name: &str| params.and_then(|params| params.get(name));
    match method {
        "roots/list" if has("/roots") => None,
        "sampling/createMessage" if has("/sampling") => {
            let wants_tools = member("tools").is_some() || member("toolChoice").is_some();
            let refused = wants_tools && !has("/sampling/tools");
            refused.then(|| error(-32602, "Sampling with tools was not declared"))
        }
        "elicitation/create" if has("/elicitation") => {
            let wants_url = member("mode").is_some_and(|mode| mode.is_text("url"));
            let form_only = declared.and_then(|json| json.get("elicitation")?.members().next()).is_none();
            let offered = if wants_url { has("/elicitation/url") } else { form_only || has("/elicitation/form") };
            (!offered).then(|| error(-32602, "This mode of elicitation was not declared"))
        }
        "roots/list" => Some(error(-32601, "Roots not supported")),
        "sampling/createMessage" | "elicitation/create" => {
            Some(error(-32601, &format!("{method} is not supported: it was not declared")))
        }
        _ => Some(error(-32601, &format!("Method not found: {method}"))),
    }
}

fn error(code: i32, message: &str) -> String {
    format!(r#"{{"code":{code},"message":{}}}"#, quote(message))
}
