//! Recordings of one era answered to clients of the other.

use midwire::engine::serve::recording;
use midwire::model::{Era, Revision};
use midwire::peer::server::{Pace, Settings, Step};
use midwire::recorded::{Call, Outcome, Session};
use serde_json::{Value, json};

use super::recorded::kept;
use super::replay::{Replay, Seen, bare};
use super::wire::{Pure, Wire as _};

/// Who asks says of itself in `_meta`, in 2026-07-28.
const META: [&str; 4] = ["protocolVersion", "clientInfo", "clientCapabilities", "logLevel"];

/// What came of a recording in the other era.
#[derive(Debug, Default)]
pub struct Crossed {
    /// Calls that were answered with what was recorded, in the dress of the era.
    pub same: usize,
    /// Calls that have no meaning in the other era, and whose answer says so.
    pub said: Vec<String>,
    /// Calls that came out otherwise.
    pub wrong: Vec<String>,
}

/// Every call of a recording that is no matter of the protocol alone, asked in the other era.
pub fn crossed(session: &Session) -> Crossed {
    let mut crossed = Crossed::default();
    for era in [Era::Legacy, Era::Modern] {
        let settings = Settings { pace: Pace::None, ..Settings::default() };
        let mut wire = Pure::new(session, settings);
        wire.fresh();
        let greeting = greeting(era);
        let mut replay = Replay::new(&mut wire);
        if let Some(greeting) = &greeting {
            replay.call(greeting);
        }
        let other = |call: &&Call| call.era != era && !call.is_protocols_own();
        // Of the same call in both eras the one of the era answers, which is no crossing.
        let twin = |call: &&Call| session.calls.iter().any(|it| it.era == era && it.key() == call.key());
        for call in session.calls.iter().filter(other).filter(|call| !twin(call)) {
            let Some(asked) = in_era(call, era) else { continue };
            let seen = replay.call(&asked).unwrap_or_default();
            judge(call, &seen, &mut crossed);
        }
    }
    crossed
}

fn judge(call: &Call, seen: &Seen, into: &mut Crossed) {
    let came = seen.answer.as_ref().map(|(ok, text)| (*ok, bare(text)));
    let same = match (&call.outcome, &came) {
        (Outcome::Result(recorded), Some((true, came))) => bare(&String::from_utf8_lossy(recorded)) == *came,
        (Outcome::Error(recorded), Some((false, came))) => {
            let recorded = bare(&String::from_utf8_lossy(recorded));
            recorded["message"] == came["message"] && recorded.get("data") == came.get("data")
        }
        (Outcome::Nothing | Outcome::Cancelled | Outcome::Broken, None) => true,
        _ => false,
    };
    let words =
        came.as_ref().filter(|(ok, _)| !ok).and_then(|(_, error)| error["message"].as_str()).unwrap_or_default();
    let name = || format!("{} {}", call.seq, call.method);
    let lacks = ["does not have", "means nothing", "cannot ask for input", "has no answer here", "no such request"];
    if same {
        into.same += 1;
    } else if lacks.iter().any(|said| words.contains(said)) {
        into.said.push(format!("{}: {words}", name()));
    } else {
        let steps: Vec<&Step> = call.steps.iter().map(|(_, step)| step).collect();
        let recorded = match &call.outcome {
            Outcome::Result(text) | Outcome::Error(text) => String::from_utf8_lossy(text).into_owned(),
            other => format!("{other:?}"),
        };
        let short = |text: String| text.chars().take(300).collect::<String>();
        into.wrong.push(format!(
            "{}\n     recorded {} after {}\n     came     {}",
            name(),
            short(recorded),
            short(format!("{steps:?}")),
            short(format!("{:?}", seen.answer))
        ));
    }
}

fn can() -> Value {
    json!({ "roots": {}, "sampling": { "tools": {}, "context": {} }, "elicitation": { "form": {}, "url": {} },
            "extensions": { "io.modelcontextprotocol/tasks": {} } })
}

/// The handshake of the legacy era.
fn greeting(era: Era) -> Option<Call> {
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": can(), "clientInfo": { "name": "x", "version": "1" } });
    let message = json!({ "jsonrpc": "2.0", "id": "greeting", "method": "initialize", "params": params });
    (era == Era::Legacy).then(|| call(&message, Era::Legacy))
}

fn call(message: &Value, era: Era) -> Call {
    Call {
        seq: 1,
        client: None,
        era,
        revision: if era == Era::Modern { Revision::V2026_07_28 } else { Revision::V2025_11_25 },
        method: message["method"].as_str().unwrap_or_default().to_owned(),
        params: None,
        message: message.to_string().into_bytes().into(),
        steps: Vec::new(),
        answered: Vec::new(),
        outcome: Outcome::Nothing,
        after: 0,
        notes: Vec::new(),
    }
}

/// The same request as a client of this era writes it. Nothing where the test's JSON cannot say it.
fn in_era(recorded: &Call, era: Era) -> Option<Call> {
    let mut message: Value = serde_json::from_slice(&recorded.message).ok()?;
    let params = message.as_object_mut()?.entry("params").or_insert_with(|| json!({})).as_object_mut()?;
    for once in ["task", "requestState", "inputResponses"] {
        params.remove(once);
    }
    let meta = params.entry("_meta").or_insert_with(|| json!({})).as_object_mut()?;
    for name in META {
        meta.remove(&format!("io.modelcontextprotocol/{name}"));
    }
    if era == Era::Modern {
        meta.insert("io.modelcontextprotocol/protocolVersion".to_owned(), json!("2026-07-28"));
        meta.insert("io.modelcontextprotocol/clientInfo".to_owned(), json!({ "name": "x", "version": "1" }));
        meta.insert("io.modelcontextprotocol/clientCapabilities".to_owned(), can());
    }
    let asked = call(&message, era);
    Some(Call { answered: recorded.answered.clone(), outcome: recorded.outcome.clone(), ..asked })
}

#[test]
fn each_recording_is_answered_to_clients_of_the_other_era() {
    for (name, least, unsayable) in [("demo-legacy.midwire", 9, 0), ("demo-modern.midwire", 9, 1)] {
        let session = recording::read(&kept(name)).expect("it can be read");
        let crossed = crossed(&session);
        assert!(crossed.wrong.is_empty(), "{name}:\n{}", crossed.wrong.join("\n"));
        assert!(crossed.same >= least, "{name}: {crossed:#?}");
        assert_eq!(crossed.said.len(), unsayable, "{name}: {crossed:#?}");
    }
}
