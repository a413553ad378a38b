//! What is printed of the end of a call: the result as it was sent, or one object about the outcome. An error is said
//! on stderr as well, so that a script sees it even where it reads only the result.

use std::io::Write as _;

use super::class::Class;
use super::object::Object;
use super::seat::{Ended, Seat};
use super::voice::{cut, start};
use crate::cli::failure::Failure;
use crate::cli::out::{Color, Page};
use crate::peer::client::Outcome;
use crate::wire::{Json, quote};

/// Prints JSON, and a line end.
pub(in crate::cli) fn json(text: &[u8]) -> Result<(), Failure> {
    let mut page = Page::new(Color::Never);
    page.write_all(text)?;
    page.write_all(b"\n")?;
    page.flush()?;
    Ok(())
}

/// Prints the end of a call; its class.
pub(in crate::cli) fn ended(seat: &Seat, ended: &Ended, envelope: bool) -> Result<Class, Failure> {
    say(seat, ended);
    if envelope {
        json(&object(seat, ended, &[]))?;
    } else if let Some(result) = ended.result() {
        json(result)?;
    }
    Ok(ended.class())
}

/// Says what went wrong.
pub(in crate::cli) fn say(seat: &Seat, ended: &Ended) {
    outcome(seat, &ended.outcome);
}

/// Says what went wrong with a call that ended so.
pub(in crate::cli) fn outcome(seat: &Seat, outcome: &Outcome) {
    match outcome {
        Outcome::Result(_) if !outcome.is_ok() => seat.voice.note("the tool says isError"),
        Outcome::Result(_) => {}
        Outcome::Error(error) => seat.voice.warn(&error_words(error)),
        Outcome::Http { status, why, body, challenge } => {
            let status = status.map_or_else(String::new, |status| format!("HTTP {status}: "));
            seat.voice.warn(&format!("{status}{}", cut(why)));
            if let Some(challenge) = challenge {
                seat.voice.warn(&format!("WWW-Authenticate: {}", cut(challenge)));
            }
            if !body.is_empty() {
                seat.voice.warn(&format!("the body begins: {}", start(body)));
            }
        }
        Outcome::TimedOut(why) | Outcome::Lost(why) | Outcome::Refused(why) => seat.voice.warn(cut(why)),
        Outcome::Cancelled => seat.voice.warn("cancelled"),
    }
}

/// An error object in a line.
fn error_words(error: &[u8]) -> String {
    let json = Json::parse(error).ok();
    let member = |name: &str| json.and_then(|json| json.get(name));
    let message = member("message").and_then(|text| text.text());
    let (Some(code), Some(message)) = (member("code"), message) else { return format!("error {}", start(error)) };
    let data = member("data").map_or_else(String::new, |data| format!("; data: {}", start(data.raw())));
    format!("error {}: {}{data}", start(code.raw()), cut(&message))
}

/// One object about the outcome, with further members of the command's own.
pub(in crate::cli) fn object(seat: &Seat, ended: &Ended, more: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut object = Object::new();
    let class = ended.class();
    object.text("outcome", word(&ended.outcome, class)).plain("exit", class.code());
    object.plain("took_ms", milliseconds(ended.took));
    if let Some(id) = &ended.id {
        object.raw("id", id.to_string().as_bytes());
    }
    if let Some(peer) = seat.peer() {
        object.text("era", peer.era.word()).text("revision", peer.revision.text());
    }
    object.plain("rounds", ended.rounds).plain("progress", ended.progress);
    let recording = seat.recording().map(|path| path.to_string_lossy().into_owned());
    object.maybe("recording", recording.as_deref());
    for (name, json) in more {
        object.raw(name, json);
    }
    match &ended.outcome {
        Outcome::Result(result) => {
            object.raw("result", result);
        }
        Outcome::Error(error) => {
            object.raw("error", error);
        }
        Outcome::Http { status, why, body, challenge } => {
            if let Some(status) = status {
                object.plain("status", status);
            }
            object.text("why", why).maybe("challenge", challenge.as_deref());
            object.text("body", &String::from_utf8_lossy(body));
        }
        Outcome::TimedOut(why) | Outcome::Lost(why) | Outcome::Refused(why) => {
            object.text("why", why);
        }
        Outcome::Cancelled => {}
    }
    object.finish()
}

const fn word(outcome: &Outcome, class: Class) -> &'static str {
    match outcome {
        Outcome::Result(_) if matches!(class, Class::Answered) => "tool-error",
        Outcome::Result(_) => "ok",
        other => other.word(),
    }
}

/// Nanoseconds as milliseconds with three digits behind the point.
pub(in crate::cli) fn milliseconds(nanos: crate::model::Nanos) -> String {
    let micros = nanos / 1_000;
    format!("{}.{:03}", micros / 1_000, micros % 1_000)
}

/// A string as JSON.
pub(in crate::cli) fn text(text: &str) -> Vec<u8> {
    quote(text).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_said_in_a_line() {
        assert_eq!(error_words(br#"{"code":-32602,"message":"no \u001b tool"}"#), "error -32602: no \u{1b} tool");
        assert_eq!(error_words(br#"{"code":1,"message":"x","data":{"a":1.0}}"#), r#"error 1: x; data: {"a":1.0}"#);
        assert_eq!(error_words(br#""odd""#), r#"error "odd""#);
        assert_eq!(milliseconds(1_234_567), "1.234");
    }
}
