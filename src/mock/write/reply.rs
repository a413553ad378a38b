//! A recorded call as an answer of a mock file: its steps, and how it ends.

use super::toml;
use crate::model::Nanos;
use crate::peer::server::{About, Step, Task, Text};
use crate::recorded::{Call, Outcome};
use crate::wire::{Json, JsonKind};

/// Shorter waits are nobody's intention, and would only stand in the way of who reads the file.
const NOTICED: Nanos = 5_000_000;

/// What answers as a call was answered; `extra` are steps more, as TOML.
pub(super) fn reply(call: &Call, about: &About, extra: &[String]) -> String {
    let mut steps = Vec::new();
    let mut asked = false;
    for (after, step) in &call.steps {
        let asks = matches!(step, Step::Ask { .. } | Step::ComeAgain);
        // Between two rounds of questions there has to be something.
        if *after >= NOTICED || (asked && asks && *after > 0) {
            steps.push(format!("{{ wait = {} }}", toml::time(*after)));
        }
        asked = asks;
        steps.extend(self::step(step));
    }
    if call.after >= NOTICED && !matches!(call.outcome, Outcome::Nothing | Outcome::Cancelled) {
        steps.push(format!("{{ wait = {} }}", toml::time(call.after)));
    }
    steps.extend(extra.iter().cloned());
    let mut out = match steps.as_slice() {
        [] => String::new(),
        [one] => format!("steps = [{one}]\n"),
        all => format!("steps = [\n{}]\n", all.iter().map(|step| format!("  {step},\n")).collect::<String>()),
    };
    out += &outcome(call, about);
    if out.contains("{{") { format!("fill = false\n{out}") } else { out }
}

fn fixed(text: &Text) -> &[u8] {
    match text {
        Text::Fixed(bytes) | Text::Template(bytes) => bytes,
    }
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn line(bytes: &[u8]) -> String {
    Json::parse(bytes).map_or_else(|_| toml::text_in_line(&lossy(bytes)), toml::json_line)
}

fn step(step: &Step) -> Option<String> {
    Some(match step {
        Step::Progress { progress, total, message } => {
            let total = total.as_ref().map(|total| format!(", total = {}", lossy(fixed(total)))).unwrap_or_default();
            let message = message.as_ref().map(|text| toml::text_in_line(&lossy(fixed(text))));
            let message = message.map(|message| format!(", message = {message}")).unwrap_or_default();
            format!("{{ progress = {}{total}{message} }}", lossy(fixed(progress)))
        }
        Step::Log { level, logger, data } => log(level, logger.as_deref(), fixed(data)),
        Step::Notify { method, params, loose } => {
            let params =
                params.as_ref().map(|params| format!(", params = {}", line(fixed(params)))).unwrap_or_default();
            let loose = if *loose { ", loose = true" } else { "" };
            format!("{{ notify = {}{params}{loose} }}", toml::text_in_line(method))
        }
        Step::Ask { key, method, params, .. } => {
            let params =
                params.as_ref().map(|params| format!(", params = {}", line(fixed(params)))).unwrap_or_default();
            format!("{{ ask = {}, method = {}{params} }}", toml::text_in_line(key), toml::text_in_line(method))
        }
        Step::ComeAgain => "{ come-again = true }".to_owned(),
        Step::Task(task) => format!("{{ task = {} }}", terms(task)),
        Step::Status(text) => format!("{{ status = {} }}", toml::text_in_line(&lossy(fixed(text)))),
        _ => return None,
    })
}

fn terms(task: &Task) -> String {
    let time = |name: &str, ms: Option<u64>| ms.map(|ms| format!("{name} = \"{ms}ms\""));
    let terms: Vec<String> = [time("ttl", task.ttl), time("poll", task.poll)].into_iter().flatten().collect();
    if terms.is_empty() { "true".to_owned() } else { format!("{{ {} }}", terms.join(", ")) }
}

fn log(level: &str, logger: Option<&str>, data: &[u8]) -> String {
    let json = Json::parse(data).ok();
    let said = json.and_then(toml::value);
    let Some(said) = said else {
        let logger = logger.map(|logger| format!("\"logger\":{},", super::raw(logger))).unwrap_or_default();
        let params = format!("{{\"level\":{},{logger}\"data\":{}}}", super::raw(level), lossy(data));
        return format!("{{ notify = \"notifications/message\", params = {} }}", line(params.as_bytes()));
    };
    let logger = logger.map(|logger| format!(", logger = {}", toml::text_in_line(logger))).unwrap_or_default();
    format!("{{ log = {said}, level = {}{logger} }}", toml::text_in_line(level))
}

fn outcome(call: &Call, about: &About) -> String {
    match &call.outcome {
        Outcome::Result(result) => self::result(call, about, result),
        Outcome::Error(error) => self::error(error),
        Outcome::Nothing | Outcome::Cancelled => "# It was never answered.\nfault = \"no-answer\"\n".to_owned(),
        Outcome::Broken => "fault = \"break\"\n".to_owned(),
        Outcome::Lost(why) => {
            let why = format!("the recording does not have the answer: {why}");
            format!("error = {{ code = -32603, message = {} }}\n", toml::text_in_line(&why))
        }
        Outcome::Http { status, media, body } => {
            let headers =
                media.as_deref().map(|media| format!(", headers = {{ Content-Type = {} }}", toml::text_in_line(media)));
            let body = toml::text_in_line(&lossy(body));
            format!("response = {{ status = {status}{}, body = {body} }}\n", headers.unwrap_or_default())
        }
    }
}

/// A result: what is only text as `answer`, anything else as it was.
fn result(call: &Call, about: &About, result: &[u8]) -> String {
    let plain = super::undressed::result(&call.method, about, result);
    let Ok(json) = Json::parse(&plain) else { return String::new() };
    if json.kind() != JsonKind::Object {
        return format!("# This answer is no object, which a mock file cannot say: {}\n", toml::basic(&lossy(&plain)));
    }
    if call.method == "tools/call"
        && let Some(answer) = answer(json)
    {
        return answer;
    }
    format!("result = {}\n", toml::json(json))
}

/// Content that is text alone.
fn answer(json: Json<'_>) -> Option<String> {
    let only =
        |json: Json<'_>, names: &[&str]| json.members().all(|(name, _)| names.iter().any(|known| name.is_text(known)));
    if !only(json, &["content", "isError"]) || json.get("content")?.kind() != JsonKind::Array {
        return None;
    }
    let texts = json.get("content")?.items().map(|block| {
        let plain = only(block, &["type", "text"]) && block.get("type")?.is_text("text");
        Some(block.get("text")?.text()?.into_owned()).filter(|_| plain)
    });
    let texts: Option<Vec<String>> = texts.collect();
    let failed = match json.get("isError") {
        None => String::new(),
        Some(is) => format!("isError = {}\n", is.as_bool()?),
    };
    let answer = match texts?.as_slice() {
        [one] => toml::text(one),
        all => {
            let all: Vec<String> = all.iter().map(|text| toml::text_in_line(text)).collect();
            format!("[{}]", all.join(", "))
        }
    };
    Some(format!("answer = {answer}\n{failed}"))
}

fn error(error: &[u8]) -> String {
    let json = Json::parse(error).ok();
    let member = |name: &str| json.and_then(|json| json.get(name));
    let code = member("code").and_then(|code| code.number()).unwrap_or("-32603");
    let message = member("message").and_then(|message| message.text()).unwrap_or_default();
    let data = member("data").map(|data| format!(", data = {}", toml::json_line(data))).unwrap_or_default();
    format!("error = {{ code = {code}, message = {}{data} }}\n", toml::text_in_line(&message))
}
