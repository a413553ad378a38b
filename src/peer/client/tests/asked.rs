//! What the server asks, and how it is answered.

use super::script::{Play, plain};
use crate::peer::client::{EraChoice, Link, Reply, Settings};

fn able() -> Settings {
    let capabilities = r#"{"roots":{},"sampling":{},"elicitation":{}}"#.to_owned();
    Settings { capabilities, ..plain(EraChoice::Legacy) }
}

fn legacy(settings: Settings) -> Play {
    Play::legacy(settings, "2025-11-25")
}

#[test]
fn a_person_answers_and_ids_come_back_as_they_were_written() {
    legacy(able()).run(
        r#"
        ! call 1 tools/call {"name":"x"}
        ~
        < {"jsonrpc":"2.0","id":1.0,"method":"sampling/createMessage","params":{"maxTokens":1e3}}
        = asked 1 sampling/createMessage {"maxTokens":1e3} in 1
        < {"jsonrpc":"2.0","id":"\u0041","method":"elicitation/create","params":{"message":"?"}}
        = asked 2 elicitation/create {"message":"?"} in 1
        ! answer 2 {"action":"accept", "content":{"n":1.00}}
        = settled 2: it was answered
        > {"jsonrpc":"2.0","id":"\u0041","result":{"action":"accept", "content":{"n":1.00}}}
        ! error 1 {"code":-1,"message":"no"}
        = settled 1: it was answered with an error
        > {"jsonrpc":"2.0","id":1.0,"error":{"code":-1,"message":"no"}}
        ! error 1 {"code":-1,"message":"no"}
        < {"jsonrpc":"2.0","id":3,"method":"elicitation/create"}
        = asked 3 elicitation/create in 1
        ! silence 3
        = settled 3: it stays without an answer"#,
    );
}

#[test]
fn what_was_not_declared_is_refused_as_the_specification_says() {
    let refused = |settings: Settings, request: &str, error: &str| {
        let (method, params) = request
            .split_once(' ')
            .map_or((request, String::new()), |(method, params)| (method, format!(",\"params\":{params}")));
        legacy(settings).run(&format!(
            r#"
            < {{"jsonrpc":"2.0","id":5,"method":"{method}"{params}}}
            = asked 1 {request}
            > {{"jsonrpc":"2.0","id":5,"error":{error}}}
            = settled 1: it was answered with an error: {error}"#
        ));
    };
    let none = || plain(EraChoice::Legacy);
    refused(none(), "roots/list", r#"{"code":-32601,"message":"Roots not supported"}"#);
    let undeclared = "is not supported: it was not declared";
    for method in ["sampling/createMessage", "elicitation/create"] {
        refused(none(), method, &format!(r#"{{"code":-32601,"message":"{method} {undeclared}"}}"#));
    }
    refused(able(), "tasks/get {\"taskId\":\"x\"}", r#"{"code":-32601,"message":"Method not found: tasks/get"}"#);
    refused(able(), "made/up", r#"{"code":-32601,"message":"Method not found: made/up"}"#);
    let mode = r#"{"code":-32602,"message":"This mode of elicitation was not declared"}"#;
    refused(able(), r#"elicitation/create {"mode":"url","url":"https://x"}"#, mode);
    let url = || Settings { capabilities: r#"{"elicitation":{"url":{}}}"#.to_owned(), ..none() };
    refused(url(), r#"elicitation/create {"message":"?"}"#, mode);
    let tools = r#"{"code":-32602,"message":"Sampling with tools was not declared"}"#;
    refused(able(), r#"sampling/createMessage {"tools":[]}"#, tools);
}

#[test]
fn the_settings_answer_where_they_are_told_to() {
    let answered = |settings: Settings, method: &str, how: &str, answer: &str| {
        legacy(settings).run(&format!(
            r#"
            < {{"jsonrpc":"2.0","id":5,"method":"{method}"}}
            = asked 1 {method}
            = settled 1: {how}
            > {{"jsonrpc":"2.0","id":5,{answer}}}"#
        ));
    };
    let saved = || Reply::Result(r#"{"saved":1.0}"#.to_owned());
    let by_saved = "it was answered with the saved answer";
    let declined = "it was declined by the settings";
    let result = r#""result":{"saved":1.0}"#;
    answered(Settings { roots_reply: saved(), ..able() }, "roots/list", by_saved, result);
    answered(Settings { sampling: saved(), ..able() }, "sampling/createMessage", by_saved, result);
    answered(Settings { elicitation: saved(), ..able() }, "elicitation/create", by_saved, result);
    answered(
        Settings { elicitation: Reply::Decline, ..able() },
        "elicitation/create",
        declined,
        r#""result":{"action":"decline"}"#,
    );
    answered(
        Settings { sampling: Reply::Decline, ..able() },
        "sampling/createMessage",
        declined,
        r#""error":{"code":-1,"message":"The user rejected the sampling request"}"#,
    );
    answered(
        Settings { roots_reply: Reply::Decline, ..able() },
        "roots/list",
        declined,
        r#""error":{"code":-32601,"message":"Not supported"}"#,
    );
}

#[test]
fn a_question_that_is_taken_back_is_settled() {
    legacy(able()).run(
        r#"
        < {"jsonrpc":"2.0","id":5,"method":"elicitation/create"}
        = asked 1 elicitation/create
        < {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"5"}}
        = notified notifications/cancelled
        < {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5,"reason":"too slow"}}
        = settled 1: the server took it back: too slow
        = notified notifications/cancelled
        ! answer 1 {}"#,
    );
}

/// A person may take their time: the call that asks is not late meanwhile, but for the cap.
#[test]
fn while_the_server_waits_for_us_nobody_is_late() {
    legacy(able()).run(
        r#"
        ! call 1 x
        ~
        + 50
        < {"jsonrpc":"2.0","id":5,"method":"elicitation/create"}
        = asked 1 elicitation/create in 1
        + 300
        ! answer 1 {"action":"cancel"}
        = settled 1: it was answered
        > {"jsonrpc":"2.0","id":5,"result":{"action":"cancel"}}
        + 59
        + 1
        > {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"no sign of life for 60 s"}}
        = ended 1 timed out: no sign of life for 60 s
        ! call 2 x
        ~
        < {"jsonrpc":"2.0","id":6,"method":"elicitation/create"}
        = asked 2 elicitation/create in 2
        + 600
        > {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3,"reason":"no answer within 600 s in all"}}
        = ended 2 timed out: no answer within 600 s in all
        @ exit gone
        = settled 2: the connection ended
        = failed: gone
        = finish"#,
    );
}

#[test]
fn in_2026_07_28_a_request_of_the_servers_is_astray() {
    Play::modern(able(), Link::Stdio).run(
        r#"
        < {"jsonrpc":"2.0","id":5,"method":"ping"}
        = stray: the server asks with a request (ping), which 2026-07-28 does not have (JR-027)
        < {"jsonrpc":"2.0","id":5,"method":"roots/list"}
        = stray: the server asks with a request (roots/list), which 2026-07-28 does not have (JR-027)"#,
    );
}
