//! What servers ask while a call runs: as requests in the legacy era, as rounds in 2026-07-28 (T-26, T-75).

use midwire::engine::client::Happening;
use midwire::peer::client::{Answer, Order, Question, Reply, Settings, Told};

use super::server::{Era, Over, Server, text};
use super::session::Talk;
use crate::http::upstream::Gate;

const SAMPLING: &str = r#"{"messages":[],"maxTokens":10}"#;

/// A server whose tool wants a model's answer before it gives its own.
fn asking(over: Over, era: Era) -> Server {
    let answered = Gate::new();
    Server::start(over, era, move |heard, say| match (era, heard.method().as_str()) {
        (Era::Legacy, "tools/call") => {
            say(&format!(
                r#"{{"jsonrpc":"2.0","id":"s\u0031","method":"sampling/createMessage","params":{SAMPLING}}}"#
            ));
            answered.pass();
            say(&heard.result(r#"{"content":[]}"#));
        }
        (Era::Modern, "tools/call") if heard.at("/params/inputResponses").is_empty() => {
            let asks = format!(r#"{{"k":{{"method":"sampling/createMessage","params":{SAMPLING}}}}}"#);
            let state = r#""requestState":"st\u0061te""#;
            say(&heard.result(&format!(r#"{{"resultType":"input_required","inputRequests":{asks},{state}}}"#)));
        }
        (Era::Modern, "tools/call") => say(&heard.result(r#"{"content":[]}"#)),
        (_, "") => answered.open(),
        _ => {}
    })
}

fn question(talk: &mut Talk) -> Question {
    talk.until("a question", |happening| match happening {
        Happening::Told(Told::Asked(question)) => Some(question.clone()),
        _ => None,
    })
}

/// T-75.
#[test]
fn a_question_during_a_call_is_told_at_once_and_answered_by_hand() {
    for over in [Over::Stdio, Over::Http] {
        for era in [Era::Legacy, Era::Modern] {
            let server = asking(over, era);
            let mut talk = Talk::open(server.way(), Settings::default());
            let call = talk.ask("tools/call", r#"{"name":"x","arguments":{"a":1.0}}"#);
            let asked = question(&mut talk);
            assert_eq!((asked.method.as_str(), asked.call), ("sampling/createMessage", Some(call)));
            assert_eq!(asked.params.as_deref().map(text).as_deref(), Some(SAMPLING));
            let answer = r#"{"role":"assistant", "content":{"type":"text","text":"é"},"model":"me"}"#;
            talk.order(Order::Answer(asked.id, Answer::Result(answer.into())));
            assert_eq!(talk.result(call), r#"{"content":[]}"#);
            let heard = server.heard();
            match era {
                Era::Legacy => {
                    let sent = format!(r#"{{"jsonrpc":"2.0","id":"s\u0031","result":{answer}}}"#);
                    assert!(heard.iter().any(|heard| heard.0 == sent), "its id as it was written: {heard:?}");
                }
                Era::Modern => {
                    let rounds = server.heard_of("tools/call");
                    assert_eq!(rounds.len(), 2);
                    assert_ne!(rounds[0].id(), rounds[1].id());
                    assert_eq!(rounds[1].at("/params/arguments"), r#"{"a":1.0}"#);
                    assert_eq!(rounds[1].at("/params/inputResponses/k"), answer);
                    assert_eq!(rounds[1].at("/params/requestState"), r#""st\u0061te""#, "as it was written");
                }
            }
            let ends = |happening: &&Happening| matches!(happening, Happening::Told(Told::Ended { .. }));
            assert_eq!(talk.told.iter().filter(ends).count(), 1, "one call, however many rounds");
            talk.end();
        }
    }
}

#[test]
fn questions_can_be_answered_without_a_person() {
    for over in [Over::Stdio, Over::Http] {
        for era in [Era::Legacy, Era::Modern] {
            let server = asking(over, era);
            let settings = Settings { sampling: Reply::Made, ..Settings::default() };
            let mut talk = Talk::open(server.way(), settings);
            let call = talk.ask("tools/call", r#"{"name":"x"}"#);
            assert_eq!(talk.result(call), r#"{"content":[]}"#);
            talk.end();
        }
    }
}
