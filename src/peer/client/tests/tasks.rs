//! Calls that became tasks of the extension of 2026-07-28.

use super::script::{Play, plain};
use crate::peer::client::{EraChoice, Link, Reply, Settings};

const CREATED: &str = r#"
    ! call 1 tools/call {"name":"t"}
    > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","_meta":{$M}}}
    < {"jsonrpc":"2.0","id":2,"result":{"resultType":"task","taskId":"é","status":"working","ttlMs":null,"pollIntervalMs":500}}
    = task 1 é working next at 0.5 s"#;

fn extension() -> Play {
    let mut play = Play::modern(plain(EraChoice::Modern), Link::Stdio);
    play.run(CREATED);
    play
}

/// TE-016: polled no faster than the server says; the result inline is that of the call.
#[test]
fn a_task_of_the_extension_is_polled_until_it_is_over() {
    extension().run(
        r#"
        + 0.4
        + 0.1
        > {"jsonrpc":"2.0","id":3,"method":"tasks/get","params":{"taskId":"é","_meta":{$M}}}
        + 5
        < {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","taskId":"é","status":"working","statusMessage":"half","pollIntervalMs":1000}}
        = task 1 é working next at 6.5 s
        + 1
        > {"jsonrpc":"2.0","id":4,"method":"tasks/get","params":{"taskId":"é","_meta":{$M}}}
        < {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","taskId":"é","status":"completed","result":{"content":[],"isError":true}}}
        = task 1 é completed
        = ended 1 result {"content":[],"isError":true}
        + 100"#,
    );
    extension().run(
        r#"
        + 0.5
        ~
        < {"jsonrpc":"2.0","id":3,"result":{"taskId":"é","status":"failed","error":{"code":-32000,"message":"m"}}}
        = task 1 é failed
        = ended 1 error {"code":-32000,"message":"m"}"#,
    );
    extension().run(
        r#"
        + 0.5
        ~
        < {"jsonrpc":"2.0","id":3,"result":{"taskId":"é","status":"completed"}}
        = task 1 é completed
        = ended 1 refused: the task is completed, but the server does not say with what (TE-003)"#,
    );
    extension().run(
        r#"
        + 0.5
        ~
        < {"jsonrpc":"2.0","id":3,"result":{"taskId":"é","status":"cancelled","statusMessage":"no room"}}
        = task 1 é cancelled
        = ended 1 refused: the server cancelled the task: no room"#,
    );
}

/// TE-012, TE-013: each key is asked once and answered once, answers of the settings leave together, and what the
/// server does not ask any more is settled.
#[test]
fn a_task_of_the_extension_is_answered_with_an_update() {
    let poll = |id: u32, requests: &str| {
        format!(
            r#"< {{"jsonrpc":"2.0","id":{id},"result":{{"taskId":"é","status":"input_required","inputRequests":{{{requests}}}}}}}"#
        )
    };
    let (a, b) = (r#""a":{"method":"elicitation/create"}"#, r#""b":{"method":"roots/list"}"#);
    let c = r#""c":{"method":"roots/list"},"d":{"method":"elicitation/create"}"#;
    let update = r#"> {"jsonrpc":"2.0","id":4,"method":"tasks/update","params":{"taskId":"é","inputResponses":{"b":{"roots":[]},"c":{"roots":[]}},"_meta":{$M}}}"#;
    extension().run(&format!(
        r#"
        + 0.5
        ~
        {}
        = task 1 é input_required next at 1 s
        = asked 1 elicitation/create in 1 as a of round 1
        = asked 2 roots/list in 1 as b of round 1
        = settled 2: it was answered with the roots
        = asked 3 roots/list in 1 as c of round 1
        = settled 3: it was answered with the roots
        = asked 4 elicitation/create in 1 as d of round 1
        {update}
        ! answer 1 {{"action":"accept"}}
        = settled 1: it was answered
        > {{"jsonrpc":"2.0","id":5,"method":"tasks/update","params":{{"taskId":"é","inputResponses":{{"a":{{"action":"accept"}}}},"_meta":{{$M}}}}}}
        < {{"jsonrpc":"2.0","id":4,"result":{{"resultType":"complete"}}}}
        < {{"jsonrpc":"2.0","id":5,"result":{{"resultType":"complete"}}}}
        + 0.5
        ~
        {}
        = settled 4: the task does not ask it any more
        = task 1 é input_required next at 1.5 s
        ! answer 4 {{}}
        + 0.5
        ~
        < {{"jsonrpc":"2.0","id":7,"result":{{"taskId":"é","status":"completed","result":{{"content":[]}}}}}}
        = task 1 é completed
        = ended 1 result {{"content":[]}}"#,
        poll(3, &format!("{a},{b},{c}")),
        poll(6, &format!("{a},{b}"))
    ));
}

/// A question that was taken back unanswered is asked anew when it comes again.
#[test]
fn a_question_may_come_back() {
    let asked = |id: u32| {
        format!(
            r#"< {{"jsonrpc":"2.0","id":{id},"result":{{"taskId":"é","status":"input_required","inputRequests":{{"a":{{"method":"x"}}}}}}}}"#
        )
    };
    extension().run(&format!(
        r#"
        + 0.5
        ~
        {}
        = task 1 é input_required next at 1 s
        = asked 1 x in 1 as a of round 1
        + 0.5
        ~
        < {{"jsonrpc":"2.0","id":4,"result":{{"taskId":"é","status":"working"}}}}
        = settled 1: the task does not ask it any more
        = task 1 é working next at 1.5 s
        + 0.5
        ~
        {}
        = task 1 é input_required next at 2 s
        = asked 2 x in 1 as a of round 2"#,
        asked(3),
        asked(5)
    ));
}

/// An update that fails is asked for again, but not for ever.
#[test]
fn answers_that_do_not_arrive_are_asked_for_again() {
    let settings = Settings { elicitation: Reply::Decline, ..plain(EraChoice::Modern) };
    let mut play = Play::modern(settings, Link::Stdio);
    play.run(CREATED);
    for (poll, update) in [(3, 4), (5, 6), (7, 8), (9, 10)] {
        play.run(&format!(
            r#"
            + 1
            ~
            < {{"jsonrpc":"2.0","id":{poll},"result":{{"taskId":"é","status":"input_required","inputRequests":{{"a":{{"method":"elicitation/create"}}}}}}}}
            ~
            < {{"jsonrpc":"2.0","id":{update},"error":{{"code":-32603,"message":"no"}}}}
            ~"#
        ));
    }
    play.run(
        r#"
        + 1
        ~
        < {"jsonrpc":"2.0","id":11,"result":{"taskId":"é","status":"input_required","inputRequests":{"a":{"method":"elicitation/create"}}}}
        ~
        < {"jsonrpc":"2.0","id":12,"error":{"code":-32603,"message":"no"}}
        = ended 1 error {"code":-32603,"message":"no"}
        + 100"#,
    );
}

/// Polls that fail are repeated ever more slowly; that the server does not know the task is the end.
#[test]
fn polls_that_fail_are_repeated_within_bounds() {
    extension().run(
        r#"
        + 0.5
        ~
        < {"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"busy"}}
        = task 1 é working next at 1.5 s
        + 1
        ~
        @ refused 4 502 bad gateway
        = task 1 é working next at 3.5 s
        + 2
        ~
        < {"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"unknown task"}}
        = ended 1 error {"code":-32602,"message":"unknown task"}
        + 100"#,
    );
    let mut play = extension();
    for id in 3..7 {
        play.run(&format!("+ 100\n~\n@ refused {id} 502 bad\n~"));
    }
    play.run("+ 100\n~\n@ refused 7 502 bad\n= ended 1 http Some(502) bad <html>\n+ 1000");
}

/// CN-006: a task is cancelled with `tasks/cancel`. In the extension it may still end otherwise; who cancels twice
/// does not wait for that.
#[test]
fn cancelling_a_call_cancels_its_task() {
    let cancel = r#"
        ! cancel 1 enough
        > {"jsonrpc":"2.0","id":3,"method":"tasks/cancel","params":{"taskId":"é","_meta":{$M}}}
        < {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete"}}
        > {"jsonrpc":"2.0","id":4,"method":"tasks/get","params":{"taskId":"é","_meta":{$M}}}"#;
    extension().run(cancel).run(
        r#"
        < {"jsonrpc":"2.0","id":4,"result":{"taskId":"é","status":"cancelled"}}
        = task 1 é cancelled
        = ended 1 cancelled"#,
    );
    extension().run(cancel).run(
        r#"
        < {"jsonrpc":"2.0","id":4,"result":{"taskId":"é","status":"completed","result":{}}}
        = task 1 é completed
        = ended 1 result {}"#,
    );
    extension().run(cancel).run(
        r#"
        ! cancel 1 now
        > {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4,"reason":"now"}}
        = ended 1 cancelled"#,
    );
    extension().run(
        r#"
        ! cancel 1
        ~
        < {"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"no"}}
        = stray: the task was not cancelled: error -32601 (no)
        > {"jsonrpc":"2.0","id":4,"method":"tasks/get","params":{"taskId":"é","_meta":{$M}}}"#,
    );
}

/// Nothing is asked by itself where that is not wanted.
#[test]
fn tasks_are_polled_by_hand() {
    let mut play = Play::modern(Settings { poll_tasks: false, ..plain(EraChoice::Modern) }, Link::Stdio);
    play.run(
        r#"
        ! call 1 tools/call {"name":"t"}
        ~
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"task","taskId":"é","status":"working","ttlMs":1000}}
        = task 1 é working
        + 1000
        ! poll 1
        > {"jsonrpc":"2.0","id":3,"method":"tasks/get","params":{"taskId":"é","_meta":{$M}}}
        ! poll 1
        < {"jsonrpc":"2.0","id":3,"result":{"taskId":"é","status":"working"}}
        = task 1 é working
        ! poll 1
        ~
        < {"jsonrpc":"2.0","id":4,"error":{"code":-32603,"message":"busy"}}
        = task 1 é working
        + 1000
        ! poll 1
        ~
        < {"jsonrpc":"2.0","id":5,"result":{"taskId":"é","status":"completed","result":{}}}
        = task 1 é completed
        = ended 1 result {}
        ! poll 1"#,
    );
    assert_eq!(play.client.wakes_at(), None);
}

/// What a stream says of a task counts like a poll; one that is over without its result is asked for it.
#[test]
fn notifications_move_a_task_on() {
    let told = |members: &str| {
        format!(r#"< {{"jsonrpc":"2.0","method":"notifications/tasks","params":{{"taskId":"é",{members}}}}}"#)
    };
    extension().run(&format!(
        "{}\n= task 1 é completed\n= ended 1 result {{}}\n= notified notifications/tasks in 1\n+ 100",
        told(r#""status":"completed","result":{}"#)
    ));
    extension().run(&format!(
        "{}\n= task 1 é completed next at 0 s\n= notified notifications/tasks in 1\n~\n{}\n= task 1 é completed\n= ended 1 result 1",
        told(r#""status":"completed""#),
        r#"< {"jsonrpc":"2.0","id":3,"result":{"taskId":"é","status":"completed","result":1}}"#
    ));
}

/// Rounds come first and the task after; both belong to the call.
#[test]
fn a_task_may_follow_rounds() {
    Play::modern(plain(EraChoice::Modern), Link::Stdio).run(
        r#"
        ! call 1 tools/call {"name":"t"}
        ~
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","requestState":"s"}}
        ~
        < {"jsonrpc":"2.0","id":3,"result":{"resultType":"task","taskId":"é","status":"working"}}
        = task 1 é working next at 1 s
        ! cancel 1
        > {"jsonrpc":"2.0","id":4,"method":"tasks/cancel","params":{"taskId":"é","_meta":{$M}}}
        @ exit it crashed
        = ended 1 lost: it crashed
        = failed: it crashed
        = finish"#,
    );
}
