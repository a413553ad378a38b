//! A recorded call said in the era of who asks: as it was recorded in its own, translated as far as that has a meaning in
//! the other.

use super::{Call, Outcome};
use crate::model::Era;
use crate::peer::server::{Asked, Kind, Link, Step, Text};
use crate::wire::Json;

/// Resource not found, until 2025-11-25.
const NOT_FOUND: i64 = -32002;
/// A URL has to be visited first, in 2025-11-25.
const VISIT_URL: i64 = -32042;
/// Invalid params; in 2026-07-28 also a resource that is not there.
const INVALID_PARAMS: i64 = -32602;
/// `HeaderMismatch`, `MissingRequiredClientCapability`, `UnsupportedProtocolVersion` of 2026-07-28.
const MODERN_ONLY: [i64; 3] = [-32020, -32021, -32022];

/// The steps that answer; a sentence where it cannot be said to this client.
pub(super) fn steps(call: &Call, asked: &Asked<'_>) -> Result<Vec<Step>, String> {
    let name = call.name();
    if let Outcome::Lost(why) = &call.outcome {
        return Err(format!("{name} was answered, but the answer is not there: {why}"));
    }
    if let Outcome::Http { status, .. } = &call.outcome {
        let same = call.era == asked.era;
        if asked.link != Link::Http || !same {
            let here = if same { "on this transport" } else { "in the other era" };
            return Err(format!("{name} was refused with the HTTP status {status}, which means nothing {here}"));
        }
    }
    let plan = call.plan();
    // What was learnt may have been written by hand, without what the era wants.
    if call.era == asked.era && call.seq > 0 {
        return Ok(plan);
    }
    plan.into_iter().map(|step| translated(step, call, asked)).collect()
}

fn translated(step: Step, call: &Call, asked: &Asked<'_>) -> Result<Step, String> {
    Ok(match step {
        Step::Result { result, id, .. } => Step::Result { result, bare: false, id },
        Step::Error { error: Text::Fixed(error), id } => {
            Step::Error { error: Text::Fixed(error_of(&error, call, asked)?.into()), id }
        }
        Step::Notify { method, params, loose } => notify(method, params, loose),
        other => other,
    })
}

/// An error in the words of the other era.
fn error_of(error: &[u8], call: &Call, asked: &Asked<'_>) -> Result<Vec<u8>, String> {
    let Some((json, code)) = Json::parse(error).ok().and_then(|json| Some((json, json.get("code")?))) else {
        return Ok(error.to_vec());
    };
    let recoded = |new: i64| Ok(with(json, code, new.to_string().as_bytes()));
    let cannot = |what: &str| {
        let revision = asked.revision;
        Err(format!("{} ended with the error {}, {what}, which {revision} does not have", call.name(), raw(code)))
    };
    match (code.as_i64(), asked.era) {
        (Some(NOT_FOUND), Era::Modern) => recoded(INVALID_PARAMS),
        (Some(INVALID_PARAMS), Era::Legacy) if call.method == "resources/read" => recoded(NOT_FOUND),
        (Some(VISIT_URL), Era::Modern) => cannot("a demand to visit a URL before the call is made again"),
        (Some(code), Era::Legacy) if MODERN_ONLY.contains(&code) => cannot("a refusal of 2026-07-28"),
        _ => Ok(error.to_vec()),
    }
}

/// A notification on the way of the other era.
fn notify(method: String, params: Option<Text>, loose: bool) -> Step {
    let uri = || {
        let Some(Text::Fixed(params)) = &params else { return None };
        Some(Json::parse(params).ok()?.get("uri")?.text()?.into_owned())
    };
    match method.as_str() {
        "notifications/tools/list_changed" => Step::Changed(Kind::Tools),
        "notifications/resources/list_changed" => Step::Changed(Kind::Resources),
        "notifications/prompts/list_changed" => Step::Changed(Kind::Prompts),
        "notifications/resources/updated" => match uri() {
            Some(uri) => Step::Updated(uri),
            None => Step::Notify { method, params, loose },
        },
        _ => Step::Notify { method, params, loose },
    }
}

/// An object with one of its values exchanged.
fn with(json: Json<'_>, value: Json<'_>, by: &[u8]) -> Vec<u8> {
    let start = value.raw().as_ptr().addr() - json.raw().as_ptr().addr();
    [&json.raw()[..start], by, &json.raw()[start + value.raw().len()..]].concat()
}

fn raw(json: Json<'_>) -> String {
    String::from_utf8_lossy(json.raw()).into_owned()
}
