//! Requests as they are asked for: bytes, ids, clocks, cancelling, late and odd answers.

use super::script::{Play, is_json, plain};
use crate::model::Id;
use crate::peer::client::{Call, Do, EraChoice, Ids, Link, Order, Outcome, Refused, Settings, Told};

fn legacy() -> Play {
    Play::legacy(plain(EraChoice::Legacy), "2025-11-25")
}

/// T-22: ids of every kind, on purpose.
#[test]
fn any_json_can_be_an_id_and_its_answer_is_known_by_type_and_value() {
    for id in ["0", "-1", "\"a\"", "\"1\"", "null", "true", "{\"a\":[1]}", "1.5", "1e400", "9007199254740993"] {
        legacy().run(&format!(
            r#"
            ! call 1/{id} x
            > {{"jsonrpc":"2.0","id":{id},"method":"x"}}
            < {{"jsonrpc":"2.0","id":{id},"result":{{}}}}
            = ended 1 result {{}}"#
        ));
    }
    // What no JSON is goes out as it is typed, on purpose.
    legacy().run("! call 1/abc x\n> {\"jsonrpc\":\"2.0\",\"id\":abc,\"method\":\"x\"}");
    // The same id twice: the older one is answered first.
    legacy().run(
        r#"
        ! call 1/7 x
        > {"jsonrpc":"2.0","id":7,"method":"x"}
        ! call 2/7 y
        > {"jsonrpc":"2.0","id":7,"method":"y"}
        < {"jsonrpc":"2.0","id":7.0,"result":{}}
        = ended 1 result {}
        < {"jsonrpc":"2.0","id":7,"result":{}}
        = ended 2 result {}"#,
    );
    // Our own count passes over ids that are taken.
    legacy().run("! call 1/2 x\n~\n! call 2 y\n> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"y\"}");
    let strings = Settings { ids: Ids::Strings("é\"".to_owned()), ..plain(EraChoice::Legacy) };
    Play::new(strings, Link::Stdio).run(
        r#"
        @ open
        = opening
        > {"jsonrpc":"2.0","id":"é\"1","method":"initialize","params":{"protocolVersion":"2025-11-25",$I}}"#,
    );
}

/// T-60, T-11: what is unknown is sent as it is, with its digits.
#[test]
fn params_leave_byte_for_byte() {
    legacy().run(
        r#"
        ! call 1 what/ever {"b":2512292042121000001, "a":1.0,"a":1e400,"_meta":{"x":[ ]},"é":"\u00e9"}
        > {"jsonrpc":"2.0","id":2,"method":"what/ever","params":{"b":2512292042121000001, "a":1.0,"a":1e400,"_meta":{"x":[ ]},"é":"\u00e9"}}
        ! call 2 odd [1]
        > {"jsonrpc":"2.0","id":3,"method":"odd","params":[1]}
        ! call 3 odd {"a":
        > {"jsonrpc":"2.0","id":4,"method":"odd","params":{"a":}"#,
    );
    let progress = Settings { progress: true, log_level: Some("info".to_owned()), ..plain(EraChoice::Modern) };
    Play::modern(progress, Link::Stdio).run(
        r#"
        ! call 1 tools/call {"name":"x","_meta":{"traceparent":"00"}}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x","_meta":{"traceparent":"00",$M,"io.modelcontextprotocol/logLevel":"info","progressToken":2}}}
        ! call 2/"s" x
        > {"jsonrpc":"2.0","id":"s","method":"x","params":{"_meta":{$M,"io.modelcontextprotocol/logLevel":"info","progressToken":"s"}}}
        ! call 3/null x
        > {"jsonrpc":"2.0","id":null,"method":"x","params":{"_meta":{$M,"io.modelcontextprotocol/logLevel":"info","progressToken":"null"}}}
        ! bare 4 x {"a":1}
        > {"jsonrpc":"2.0","id":3,"method":"x","params":{"a":1}}
        ! bare 5 x
        > {"jsonrpc":"2.0","id":4,"method":"x"}"#,
    );
}

#[test]
fn on_stdio_a_request_is_one_line_and_on_http_it_keeps_its_shape() {
    let typed = "{\n  \"a\": \"x\"\n}";
    for (link, sent) in [(Link::Stdio, "{   \"a\": \"x\" }"), (Link::Http, typed)] {
        let mut play = Play::modern(plain(EraChoice::Modern), link);
        let call = Call { method: "x".into(), params: Some(typed.into()), bare: true, ..Call::default() };
        play.client.order(0, Order::Call(1, call));
        let Some(Do::Send(message, _)) = play.client.next() else { panic!("nothing was sent") };
        assert_eq!(
            String::from_utf8_lossy(&message),
            format!("{{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"x\",\"params\":{sent}}}")
        );
    }
}

#[test]
fn a_recorded_request_leaves_again_and_its_answer_is_taken_by_its_id() {
    legacy().run(
        r#"
        ! again 1 { "id" : "x", "method":"tools/call", "jsonrpc":"2.0","foo":1,"params":{"_meta":{"progressToken":"t"}} }
        > { "id" : "x", "method":"tools/call", "jsonrpc":"2.0","foo":1,"params":{"_meta":{"progressToken":"t"}} }
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1.50,"total":3,"message":"half"}}
        = progress 1 1.50 of 3 half
        = notified notifications/progress in 1
        < {"jsonrpc":"2.0","id":"x","error":{"code":-32042,"message":"url","data":{"elicitations":[{"mode":"url"}]}}}
        = ended 1 error {"code":-32042,"message":"url","data":{"elicitations":[{"mode":"url"}]}}
        ! call 4 x
        > {"jsonrpc":"2.0","id":2,"method":"x"}
        ! again 5 {"jsonrpc":"2.0","id":2,"method":"y"}
        = ended 5 refused: it was not sent: x with the same id 2 waits for its answer; wait for that, or send it with a new id
        < {"jsonrpc":"2.0","id":2,"result":{}}
        = ended 4 result {}
        ! anew 3 {"id":"x","method":"tools/call","foo":1,"jsonrpc":"2.0"}
        > {"id":3,"method":"tools/call","foo":1,"jsonrpc":"2.0"}
        < {"jsonrpc":"2.0","id":3,"result":{"content":[]}}
        = ended 3 result {"content":[]}
        ! again 2 {"jsonrpc":"2.0","method":"notifications/x"}
        = ended 2 refused: it was not sent: only one JSON-RPC request can be sent again as a call; send other bytes raw
        ! raw {"half
        = raw {"half
        ! raw [{"jsonrpc":"2.0","id":"r","method":"ping"}]
        = raw [{"jsonrpc":"2.0","id":"r","method":"ping"}]
        < {"jsonrpc":"2.0","id":"r","result":{}}
        = stray: the answer to "r", which was sent raw"#,
    );
}

#[test]
fn core_tasks_are_asked_for_in_the_params() {
    let mut play = legacy();
    for (task, sent) in [(None, r#""task":{}"#), (Some(5), r#""task":{"ttl":5}"#)] {
        let params = Some(br#"{"name":"x"}"#.to_vec());
        let call = Call { method: "tools/call".into(), params, task: Some(task), ..Call::default() };
        play.client.order(0, Order::Call(1, call));
        let Some(Do::Send(message, _)) = play.client.next() else { panic!("nothing was sent") };
        let message = String::from_utf8_lossy(&message).into_owned();
        assert!(message.contains(&format!("\"name\":\"x\",{sent}}}")) && is_json(&message), "{message}");
        while play.client.next().is_some() {}
    }
}

/// T-55: progress keeps a call alive, up to the cap.
#[test]
fn patience_begins_anew_with_progress_and_the_cap_does_not() {
    let patient = |counts: bool| {
        let second = 1_000_000_000;
        let settings = Settings {
            progress: true,
            progress_counts: counts,
            patience: Some(5 * second),
            cap: Some(12 * second),
            ..plain(EraChoice::Legacy)
        };
        let mut play = Play::legacy(settings, "2025-06-18");
        play.run("! call 1 slow\n> {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"slow\",\"params\":{\"_meta\":{\"progressToken\":2}}}");
        play
    };
    let progress = r#"
        + 4
        < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":2,"progress":1}}
        = progress 1 1
        = notified notifications/progress in 1"#;
    let late = |which: &str| {
        format!(
            "> {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{{\"requestId\":2,\"reason\":\"{which}\"}}}}\n= ended 1 timed out: {which}"
        )
    };
    patient(true).run(progress).run(progress).run(&format!("+ 4\n{}", late("no answer within 12 s in all")));
    patient(true).run(progress).run(&format!("+ 5\n{}", late("no sign of life for 5 s")));
    patient(false).run(progress).run(&format!("+ 1\n{}", late("no sign of life for 5 s")));
    // Another type of token is another token (T-57).
    patient(true).run(&format!(
        r#"
        + 4
        < {{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":"2","progress":1}}}}
        = notified notifications/progress
        + 1
        {}"#,
        late("no sign of life for 5 s")
    ));
}

/// T-58: late is not lost, and not an error.
#[test]
fn an_answer_after_the_cancel_is_late() {
    legacy().run(
        r#"
        ! call 1 x
        ~
        ! cancel 1 no "need"
        > {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"no \"need\""}}
        = ended 1 cancelled
        < {"jsonrpc":"2.0","id":2,"result":{"a":1}}
        = late 1 {"jsonrpc":"2.0","id":2,"result":{"a":1}}
        ! call 2 x
        ~
        ! forget 2
        = ended 2 refused: nobody waits for it any more; the server was not told
        < {"jsonrpc":"2.0","id":3,"result":{}}
        = late 2 {"jsonrpc":"2.0","id":3,"result":{}}
        ! call 3 x
        ~
        < {"jsonrpc":"2.0","id":4,"result":{}}
        = ended 3 result {}
        < {"jsonrpc":"2.0","id":4,"result":{}}
        = late 3 {"jsonrpc":"2.0","id":4,"result":{}}"#,
    );
}

#[test]
fn in_2026_07_28_over_http_closing_the_stream_is_the_cancel() {
    Play::modern(plain(EraChoice::Modern), Link::Http)
        .run("! call 1 x\n~\n! cancel 1 why\n= drop 2\n= ended 1 cancelled")
        .run("! call 2 x\n~\n+ 60\n= drop 3\n= ended 2 timed out: no sign of life for 60 s");
    Play::modern(plain(EraChoice::Modern), Link::Stdio).run(
        r#"
        ! call 1 x
        ~
        ! cancel 1 why
        > {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"why"}}
        = ended 1 cancelled"#,
    );
}

#[test]
fn answers_to_nothing_are_told_with_the_reason() {
    legacy().run(
        r#"
        ! call 1 x
        ~
        < {"jsonrpc":"2.0","id":"2","result":{}}
        = stray: an answer to "2", but the request's id is 2 (JR-007)
        < {"jsonrpc":"2.0","result":{}}
        = stray: an answer without an id (JR-011)
        < {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}
        = stray: an answer with the id null
        < {"jsonrpc":"2.0","id":44,"result":{}}
        = stray: an answer to 44, which is no request of this client's (JR-007)
        < {"jsonrpc":"2.0"}
        = stray: this is no message: an object without `method`, `result` and `error`
        <
        + 60
        ~"#,
    );
}

/// HM-024: once, with the tools of all pages, and not where the fields or the id were typed.
#[test]
fn header_fields_that_disagree_are_mended_once_by_a_new_list_of_tools() {
    Play::modern(plain(EraChoice::Modern), Link::Http).run(
        r#"
        ! call 1 tools/call {"name":"a"}
        ~
        < {"jsonrpc":"2.0","id":2,"error":{"code":-32020,"message":"no"}}
        = link the server found header fields that do not agree with the body (-32020): the tools are listed anew, and the call is made once more
        > {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{$M}}}
        < {"jsonrpc":"2.0","id":3,"result":{"tools":[],"nextCursor":"2"}}
        > {"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"cursor":"2","_meta":{$M}}}
        < {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"gone"}}
        > {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"a","_meta":{$M}}}
        < {"jsonrpc":"2.0","id":5,"error":{"code":-32020,"message":"no"}}
        = ended 1 error {"code":-32020,"message":"no"}
        ! call 2/"x" tools/call {"name":"a"}
        ~
        < {"jsonrpc":"2.0","id":"x","error":{"code":-32020,"message":"no"}}
        = ended 2 error {"code":-32020,"message":"no"}
        ! call 3 prompts/get {"name":"a"}
        ~
        < {"jsonrpc":"2.0","id":6,"error":{"code":-32020,"message":"no"}}
        = ended 3 error {"code":-32020,"message":"no"}"#,
    );
}

#[test]
fn what_http_refuses_ends_the_call_and_the_end_of_the_link_ends_all() {
    Play::modern(plain(EraChoice::Modern), Link::Http).run(
        r"
        ! call 1 x
        ~
        @ refused 2 503 busy
        = ended 1 http Some(503) busy <html>
        @ refused - 400 a bad notification
        = stray: HTTP 400: a bad notification
        ! call 2 y
        ~
        ! call 3 z
        ~
        @ exit the network is gone
        = ended 2 lost: the network is gone
        = ended 3 lost: the network is gone
        = failed: the network is gone
        = finish",
    );
    legacy().run("! close\n= closed: it was closed from here\n= finish\n@ exit\n< {}");
}

#[test]
fn of_two_requests_with_one_id_the_one_is_answered_that_the_link_names() {
    let mut play = Play::modern(plain(EraChoice::Modern), Link::Http);
    play.run("! call 1/\"x\" a\n~\n! call 2/\"x\" b\n~\n! call 3/\"x\" c\n~");
    // The first message was the probe.
    play.client.heard_at(0, br#"{"jsonrpc":"2.0","id":"x","result":2}"#, Some(3));
    let refused = Refused { status: Some(500), why: "busy".to_owned(), body: [].into(), challenge: None };
    play.client.refused_at(0, &[Id::from("x")], refused, Some(4));
    play.client.heard_at(0, br#"{"jsonrpc":"2.0","id":"x","result":0}"#, Some(3));
    play.client.heard_at(0, br#"{"jsonrpc":"2.0","id":"x","result":1}"#, None);
    let ended: Vec<(u64, bool)> = std::iter::from_fn(|| play.client.next())
        .filter_map(|next| match next {
            Do::Tell(Told::Ended { call, outcome, .. }) => Some((call, outcome == Outcome::Result(b"1"[..].into()))),
            _ => None,
        })
        .collect();
    assert_eq!(ended, [(2, false), (3, false), (1, true)], "what is not awaited any more ends no other call");
}

#[test]
fn what_was_sent_is_told_with_its_id_and_bytes() {
    let mut play = legacy();
    play.client.order(0, Order::Call(9, Call { method: "x".into(), ..Call::default() }));
    let sent: Vec<Do> = std::iter::from_fn(|| play.client.next()).collect();
    let message: crate::peer::client::Bytes = br#"{"jsonrpc":"2.0","id":2,"method":"x"}"#.as_slice().into();
    let told = Do::Tell(Told::Sent { call: 9, round: 1, id: Id::from(2), message: message.clone() });
    assert_eq!(sent, [Do::Send(message, Vec::new()), told]);
}
