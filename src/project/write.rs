//! What is saved as TOML: the members of each table and their values as text.

use std::fmt::Write as _;

use super::source::{Source, json};
use super::{
    Chain, Expect, Named, SavedAnswer, SavedBase, SavedCall, SavedReply, SavedSettings, SavedTarget, SavedWay, What,
};

/// The members of a table with their values as TOML text; `None` where there is none.
pub(super) type Members = Vec<(&'static str, Option<String>)>;

pub(super) fn call(call: &SavedCall) -> Members {
    let is = |name: &'static str| {
        let found = match (&call.what, name) {
            (What::Tool(text), "tool")
            | (What::Prompt(text), "prompt")
            | (What::Resource(text), "resource")
            | (What::Template(text), "template")
            | (What::Method(text), "method")
            | (What::Notification(text), "notification") => Some(string(text)),
            (What::Raw(bytes), "raw") => std::str::from_utf8(bytes).ok().map(raw),
            (What::Raw(bytes), "hex") if std::str::from_utf8(bytes).is_err() => Some(hex(bytes)),
            _ => None,
        };
        (name, found)
    };
    let plain = matches!(call.what, What::Method(_) | What::Notification(_));
    let arguments = |wanted: bool| call.arguments.as_deref().filter(|_| wanted).map(raw);
    let mut members = vec![("description", call.description.as_deref().map(string))];
    members.push(("target", call.target.as_deref().map(string)));
    members.extend(["tool", "prompt", "resource", "template", "method", "notification", "raw", "hex"].map(is));
    members.extend([
        ("arguments", arguments(!plain)),
        ("params", arguments(plain)),
        ("meta", call.meta.as_deref().map(raw)),
        ("id", call.id.as_deref().map(raw)),
        ("bare", call.bare.then(|| "true".to_owned())),
        ("task", call.task.map(|ttl| ttl.map_or_else(|| "true".to_owned(), duration))),
        ("headers", pairs(&call.fields)),
        ("patience", call.patience_ms.map(duration)),
        ("cap", call.cap_ms.map(duration)),
        ("pick", pairs(&call.picks)),
        ("expect", (call.expect != Expect::Ok).then(|| string(call.expect.word()))),
        ("answers", texts(&call.answers)),
    ]);
    members
}

pub(super) fn target(target: &SavedTarget) -> Members {
    let mut members = match &target.way {
        SavedWay::Command { command, folder, base, set } => vec![
            ("command", Some(texts(command).unwrap_or_else(|| "[]".to_owned()))),
            ("folder", folder.as_deref().map(string)),
            ("environment", environment(base)),
            ("env", pairs(set)),
        ],
        SavedWay::Url { url, headers, authorities, accepted } => vec![
            ("url", Some(string(url))),
            ("headers", pairs(headers)),
            ("authorities", texts(authorities)),
            ("accept-cert", accepted.as_deref().map(string)),
        ],
        SavedWay::Host { host, server } => {
            vec![("host", host.as_deref().map(string)), ("server", Some(string(server)))]
        }
    };
    // What another kind of target has goes when the kind changes.
    for name in
        ["command", "folder", "environment", "env", "url", "headers", "authorities", "accept-cert", "host", "server"]
    {
        if !members.iter().any(|(other, _)| *other == name) {
            members.push((name, None));
        }
    }
    members.extend(settings(&target.settings));
    members
}

fn settings(settings: &SavedSettings) -> Members {
    vec![
        ("era", settings.era.as_deref().map(string)),
        ("identity", settings.identity.as_deref().map(raw)),
        ("capabilities", settings.capabilities.as_deref().map(raw)),
        ("ids", settings.ids.as_deref().map(value)),
        ("patience", settings.patience_ms.map(duration)),
        ("cap", settings.cap_ms.map(duration)),
        ("probe", settings.probe_ms.map(duration)),
        ("progress", settings.progress.map(|flag| flag.to_string())),
        ("log-level", settings.log_level.as_deref().map(string)),
        ("roots", settings.roots.as_deref().map(raw)),
        ("sampling", settings.sampling.as_ref().map(reply)),
        ("elicitation", settings.elicitation.as_ref().map(reply)),
    ]
}

pub(super) fn chain(chain: &Chain) -> Members {
    vec![
        ("description", chain.description.as_deref().map(string)),
        ("calls", Some(texts(&chain.calls).unwrap_or_else(|| "[]".to_owned()))),
        ("goes-on", chain.goes_on.then(|| "true".to_owned())),
    ]
}

pub(super) fn answer(answer: &SavedAnswer) -> Members {
    vec![("to", Some(string(&answer.to))), ("result", Some(raw(&answer.result)))]
}

fn environment(base: &SavedBase) -> Option<String> {
    match base {
        SavedBase::Inherit => None,
        SavedBase::Sdk => Some(string("sdk")),
        SavedBase::Empty => Some(string("empty")),
        SavedBase::Only(names) => Some(texts(names).unwrap_or_else(|| "[]".to_owned())),
    }
}

fn reply(reply: &SavedReply) -> String {
    match reply {
        SavedReply::Ask => string("ask"),
        SavedReply::Decline => string("decline"),
        SavedReply::Made => string("made"),
        SavedReply::Answer(name) => string(name),
    }
}

/// A variable: as TOML where that says the same, and else as JSON text.
pub(super) fn value(json_text: &str) -> String {
    let plain = super::fill::plain(json_text);
    let candidates = [string(&plain), json_text.to_owned()];
    let same = |candidate: &String| {
        let line = format!("x = {candidate}");
        let source = Source::read(&line).ok();
        source.and_then(|source| json(source.at(&["x"])?).ok()).as_deref() == Some(json_text)
    };
    candidates.into_iter().find(same).unwrap_or_else(|| format!("{{ json = {} }}", raw(json_text)))
}

/// A text between double quotes, or as [`raw`] where that would need escapes.
pub(super) fn string(text: &str) -> String {
    if text.contains(['"', '\\']) || text.contains(char::is_control) { raw(text) } else { format!("\"{text}\"") }
}

/// A text as it is, between single quotes, on several lines where it has several. Only what cannot stand there is
/// escaped.
pub(super) fn raw(text: &str) -> String {
    let barred = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains('\'') && !text.contains('\n') && !text.contains(barred) {
        return format!("'{text}'");
    }
    if !text.contains("'''") && !text.ends_with('\'') && !text.contains(barred) {
        return format!("'''\n{text}'''");
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            // Writing to a String cannot fail.
            c if c.is_control() => drop(write!(out, "\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out + "\""
}

/// A name of a member.
pub(super) fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if bare {
        return name.to_owned();
    }
    // Names have no form on several lines.
    let text = string(name);
    if text.starts_with("'''") { serde_json::Value::from(name).to_string() } else { text }
}

fn texts(items: &[String]) -> Option<String> {
    let items: Vec<String> = items.iter().map(|item| string(item)).collect();
    (!items.is_empty()).then(|| format!("[{}]", items.join(", ")))
}

fn pairs(pairs: &Named<String>) -> Option<String> {
    let pairs: Vec<String> = pairs.iter().map(|(name, value)| format!("{} = {}", key(name), string(value))).collect();
    (!pairs.is_empty()).then(|| format!("{{ {} }}", pairs.join(", ")))
}

fn hex(bytes: &[u8]) -> String {
    let pairs: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("\"{}\"", pairs.join(" "))
}

/// Milliseconds, in the largest unit that says them whole.
fn duration(ms: u64) -> String {
    if ms.is_multiple_of(1_000) { format!("\"{}s\"", ms / 1_000) } else { format!("\"{ms}ms\"") }
}
