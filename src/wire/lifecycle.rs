//! The recorded form of lifecycle events: a JSON object on one line, such as `{"event":"spawned","pid":1}`.

use super::{Json, quote};
use crate::model::{HttpEnd, Lifecycle, StopReason};

/// The bytes that a lifecycle entry holds; no line end.
pub fn encode(event: &Lifecycle) -> Vec<u8> {
    let (word, members) = match event {
        Lifecycle::Spawned { pid } => ("spawned", format!(r#","pid":{pid}"#)),
        Lifecycle::SpawnFailed { why } => ("spawn-failed", format!(r#","why":{}"#, quote(why))),
        Lifecycle::Exited { code } => ("exited", format!(r#","code":{code}"#)),
        Lifecycle::Signalled { signal } => ("signalled", format!(r#","signal":{signal}"#)),
        Lifecycle::ClientClosed => ("client-closed", String::new()),
        Lifecycle::ClientStoppedReading => ("client-stopped-reading", String::new()),
        Lifecycle::ServerClosed => ("server-closed", String::new()),
        Lifecycle::ServerStoppedReading => ("server-stopped-reading", String::new()),
        Lifecycle::SignalPassed { signal } => ("signal-passed", format!(r#","signal":{signal}"#)),
        Lifecycle::Stopping { signal, reason } => ("stopping", stopping(*signal, *reason)),
        Lifecycle::Swept { pids } => ("swept", format!(r#","pids":{pids:?}"#).replace(' ', "")),
        Lifecycle::Lost { entries, why } => ("lost", format!(r#","entries":{entries},"why":{}"#, quote(why))),
        Lifecycle::Listening { url } => ("listening", format!(r#","url":{}"#, quote(url))),
        Lifecycle::Changed { what, to } => ("changed", format!(r#","what":{},"to":{}"#, quote(what), quote(to))),
        Lifecycle::HttpEnded { how, why } => ("http-ended", http_ended(*how, why)),
        Lifecycle::Unknown { text } => return text.clone().into_bytes(),
    };
    format!(r#"{{"event":"{word}"{members}}}"#).into_bytes()
}

/// The event that the bytes of a lifecycle entry stand for. What this version does not know, or what
/// lacks a member, is [`Lifecycle::Unknown`].
pub fn decode(bytes: &[u8]) -> Lifecycle {
    let known = Json::parse(bytes).ok().and_then(event);
    known.unwrap_or_else(|| Lifecycle::Unknown { text: String::from_utf8_lossy(bytes).into_owned() })
}

fn event(json: Json<'_>) -> Option<Lifecycle> {
    let word = json.get("event")?.text()?;
    Some(match &*word {
        "spawned" => Lifecycle::Spawned { pid: integer(json, "pid")? },
        "spawn-failed" => Lifecycle::SpawnFailed { why: text(json, "why")? },
        "exited" => Lifecycle::Exited { code: integer(json, "code")? },
        "signalled" => Lifecycle::Signalled { signal: integer(json, "signal")? },
        "client-closed" => Lifecycle::ClientClosed,
        "client-stopped-reading" => Lifecycle::ClientStoppedReading,
        "server-closed" => Lifecycle::ServerClosed,
        "server-stopped-reading" => Lifecycle::ServerStoppedReading,
        "signal-passed" => Lifecycle::SignalPassed { signal: integer(json, "signal")? },
        "stopping" => Lifecycle::Stopping { signal: integer(json, "signal"), reason: reason(json)? },
        "swept" => Lifecycle::Swept { pids: pids(json)? },
        "lost" => Lifecycle::Lost { entries: integer(json, "entries")?, why: text(json, "why")? },
        "listening" => Lifecycle::Listening { url: text(json, "url")? },
        "changed" => Lifecycle::Changed { what: text(json, "what")?, to: text(json, "to")? },
        "http-ended" => Lifecycle::HttpEnded { how: how(json)?, why: text(json, "why").unwrap_or_default() },
        _ => return None,
    })
}

fn http_ended(how: HttpEnd, why: &str) -> String {
    let word = HttpEnd::WORDS.iter().find(|(known, _)| *known == how).map_or("", |(_, word)| word);
    let why = if why.is_empty() { String::new() } else { format!(r#","why":{}"#, quote(why)) };
    format!(r#","how":"{word}"{why}"#)
}

fn how(json: Json<'_>) -> Option<HttpEnd> {
    let sent = json.get("how")?;
    HttpEnd::WORDS.iter().find(|(_, word)| sent.is_text(word)).map(|(how, _)| *how)
}

fn stopping(signal: Option<i32>, reason: StopReason) -> String {
    let word = StopReason::WORDS.iter().find(|(known, _)| *known == reason).map_or("", |(_, word)| word);
    let signal = signal.map_or_else(String::new, |signal| format!(r#","signal":{signal}"#));
    format!(r#"{signal},"reason":"{word}""#)
}

fn reason(json: Json<'_>) -> Option<StopReason> {
    let sent = json.get("reason")?;
    StopReason::WORDS.iter().find(|(_, word)| sent.is_text(word)).map(|(reason, _)| *reason)
}

fn pids(json: Json<'_>) -> Option<Vec<u32>> {
    json.get("pids")?.items().map(|pid| pid.as_i64().and_then(|pid| pid.try_into().ok())).collect()
}

fn integer<T: TryFrom<i64>>(json: Json<'_>, name: &str) -> Option<T> {
    json.get(name)?.as_i64()?.try_into().ok()
}

fn text(json: Json<'_>, name: &str) -> Option<String> {
    Some(json.get(name)?.text()?.into_owned())
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};
    use crate::model::{HttpEnd, Lifecycle, StopReason};

    #[test]
    fn every_event_survives_its_recorded_form() {
        let events = [
            (Lifecycle::Spawned { pid: 7 }, r#"{"event":"spawned","pid":7}"#),
            (Lifecycle::SpawnFailed { why: "no \"x\"\n".into() }, r#"{"event":"spawn-failed","why":"no \"x\"\n"}"#),
            (Lifecycle::Exited { code: -1 }, r#"{"event":"exited","code":-1}"#),
            (Lifecycle::Signalled { signal: 9 }, r#"{"event":"signalled","signal":9}"#),
            (Lifecycle::ClientClosed, r#"{"event":"client-closed"}"#),
            (Lifecycle::ClientStoppedReading, r#"{"event":"client-stopped-reading"}"#),
            (Lifecycle::ServerClosed, r#"{"event":"server-closed"}"#),
            (Lifecycle::ServerStoppedReading, r#"{"event":"server-stopped-reading"}"#),
            (Lifecycle::SignalPassed { signal: 2 }, r#"{"event":"signal-passed","signal":2}"#),
            (
                Lifecycle::Stopping { signal: Some(15), reason: StopReason::EndOfInput },
                r#"{"event":"stopping","signal":15,"reason":"end-of-input"}"#,
            ),
            (
                Lifecycle::Stopping { signal: None, reason: StopReason::TapKilled },
                r#"{"event":"stopping","reason":"tap-killed"}"#,
            ),
            (Lifecycle::Swept { pids: vec![1, 2] }, r#"{"event":"swept","pids":[1,2]}"#),
            (Lifecycle::Lost { entries: 3, why: "full".into() }, r#"{"event":"lost","entries":3,"why":"full"}"#),
            (
                Lifecycle::Listening { url: "http://127.0.0.1:1/mcp".into() },
                r#"{"event":"listening","url":"http://127.0.0.1:1/mcp"}"#,
            ),
            (
                Lifecycle::Changed { what: "Origin".into(), to: String::new() },
                r#"{"event":"changed","what":"Origin","to":""}"#,
            ),
            (
                Lifecycle::HttpEnded { how: HttpEnd::Complete, why: String::new() },
                r#"{"event":"http-ended","how":"complete"}"#,
            ),
            (
                Lifecycle::HttpEnded { how: HttpEnd::Failed, why: "TCP".into() },
                r#"{"event":"http-ended","how":"failed","why":"TCP"}"#,
            ),
            (Lifecycle::Unknown { text: r#"{"event":"paused"}"#.into() }, r#"{"event":"paused"}"#),
            (Lifecycle::Unknown { text: r#"{"event":"spawned"}"#.into() }, r#"{"event":"spawned"}"#),
            (Lifecycle::Unknown { text: "not JSON".into() }, "not JSON"),
        ];
        for (event, recorded) in events {
            assert_eq!(String::from_utf8(encode(&event)).unwrap(), recorded);
            assert_eq!(decode(recorded.as_bytes()), event);
        }
    }
}
