//! Rounds of MRTR: what the next request says and what it must not say, who answers, and where it ends.

use super::script::{Play, plain};
use crate::peer::client::{EraChoice, Link, Reply, Settings};

fn modern() -> Play {
    Play::modern(plain(EraChoice::Modern), Link::Stdio)
}

fn with(change: impl FnOnce(&mut Settings)) -> Play {
    let mut settings = plain(EraChoice::Modern);
    change(&mut settings);
    Play::modern(settings, Link::Stdio)
}

/// MR-004 … MR-008: a new id, the same params to the byte, an answer to every key under the key as it was written,
/// and the state to the byte.
#[test]
fn the_next_round_says_the_same_and_what_was_asked() {
    modern().run(
        r#"
        ! call 1 tools/call {"name":"deploy", "arguments":{"n":1.0,"env":"\u00e9"}}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"deploy", "arguments":{"n":1.0,"env":"\u00e9"},"_meta":{$M}}}
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"o\u006b":{"method":"elicitation/create","params":{"message":"Sure?"}},"r":{"method":"roots/list"}},"requestState":"s\u0031\/"}}
        = round 1 1
        = asked 1 elicitation/create {"message":"Sure?"} in 1 as ok of round 1
        = asked 2 roots/list in 1 as r of round 1
        = settled 2: it was answered with the roots
        ! answer 1 {"action":"accept","content":{"yes":1.0}}
        = settled 1: it was answered
        > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"deploy", "arguments":{"n":1.0,"env":"\u00e9"},"inputResponses":{"o\u006b":{"action":"accept","content":{"yes":1.0}},"r":{"roots":[]}},"requestState":"s\u0031\/","_meta":{$M}}}
        < {"jsonrpc":"2.0","id":3,"result":{"resultType":"input_required","inputRequests":{"again":{"method":"elicitation/create"}}}}
        = round 1 2
        = asked 3 elicitation/create in 1 as again of round 2
        ! answer 3 {"action":"decline"}
        = settled 3: it was answered
        > {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"deploy", "arguments":{"n":1.0,"env":"\u00e9"},"inputResponses":{"again":{"action":"decline"}},"_meta":{$M}}}
        < {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","content":[]}}
        = ended 1 result {"resultType":"complete","content":[]}"#,
    );
}

/// A method that nobody knows is asked too, and so is what is no request; a cancel is sent as one.
#[test]
fn whatever_is_asked_is_asked() {
    modern().run(
        r#"
        ! call 1 prompts/get {"name":"p"}
        ~
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"x/unknown","params":[1]},"b":7}}}
        = round 1 1
        = asked 1 x/unknown [1] in 1 as a of round 1
        = asked 2  7 in 1 as b of round 1
        ! answer 2 {"action":"cancel"}
        = settled 2: it was answered
        ! answer 1 null
        = settled 1: it was answered
        > {"jsonrpc":"2.0","id":3,"method":"prompts/get","params":{"name":"p","inputResponses":{"a":null,"b":{"action":"cancel"}},"_meta":{$M}}}"#,
    );
}

/// RT-003, and results of other kinds: the result is told as it is.
#[test]
fn only_three_methods_and_one_kind_of_result_ask_for_input() {
    modern().run(
        r#"
        ! call 1 completion/complete {}
        ~
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","requestState":"s"}}
        = ended 1 result {"resultType":"input_required","requestState":"s"}
        ! call 2 tools/call {}
        ~
        < {"jsonrpc":"2.0","id":3,"result":{"resultType":"strange","requestState":"s"}}
        = ended 2 result {"resultType":"strange","requestState":"s"}
        ! call 3 prompts/get {}
        ~
        < {"jsonrpc":"2.0","id":4,"result":{"resultType":"task","taskId":"t","status":"working"}}
        = ended 3 result {"resultType":"task","taskId":"t","status":"working"}"#,
    );
    // In the legacy era the word means nothing.
    Play::legacy(plain(EraChoice::Legacy), "2025-11-25").run(
        r#"
        ! call 1 tools/call {}
        ~
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","requestState":"s"}}
        = ended 1 result {"resultType":"input_required","requestState":"s"}"#,
    );
}

/// Rounds without a question go on by themselves, and ever more slowly.
#[test]
fn a_state_alone_is_sent_back_with_patience() {
    let mut play = modern();
    play.run(
        r#"
        ! call 1 resources/read {"uri":"x:"}
        ~
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","requestState":"a"}}
        = round 1 1 next {"uri":"x:","requestState":"a"}
        > {"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"x:","requestState":"a","_meta":{$M}}}
        < {"jsonrpc":"2.0","id":3,"result":{"resultType":"input_required","requestState":"b"}}
        = round 1 2 next {"uri":"x:","requestState":"b"}
        + 0.09
        + 0.01
        > {"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"x:","requestState":"b","_meta":{$M}}}
        < {"jsonrpc":"2.0","id":4,"result":{"resultType":"input_required","requestState":"c"}}
        = round 1 3 next {"uri":"x:","requestState":"c"}
        + 0.1"#,
    );
    assert_eq!(play.client.wakes_at(), Some(play.now + 100_000_000));
    // Who cancels between two rounds cancels the call; nothing is on the wire that the server could be told of.
    play.run(
        "
        ! cancel 1 enough
        = ended 1 cancelled
        + 10",
    );
}

/// MR-018: the limit of rounds, and results that name nothing by which to go on.
#[test]
fn rounds_end() {
    with(|settings| settings.most_rounds = 2).run(
        r#"
        ! call 1 tools/call {}
        ~
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","requestState":"a"}}
        ~
        < {"jsonrpc":"2.0","id":3,"result":{"resultType":"input_required","requestState":"b"}}
        = round 1 2
        = ended 1 refused: the server wants input after 2 rounds; the most that one call may take is 2"#,
    );
    modern().run(
        r#"
        ! call 1 tools/call {}
        ~
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":[1]}}
        = round 1 1
        = ended 1 refused: the server wants input, but names neither questions nor a state, so nothing can be sent (RT-004)
        ! call 2 tools/call [1]
        ~
        < {"jsonrpc":"2.0","id":3,"result":{"resultType":"input_required","requestState":"a"}}
        = round 2 1
        = ended 2 refused: the next round was not sent: the params of the call are no JSON object, so answers have no place"#,
    );
}

/// Giving up a call settles its questions, and an answer that comes too late does nothing.
#[test]
fn giving_up_settles_the_questions() {
    let ask = r#"< {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create"},"b":{"method":"elicitation/create"}}}}"#;
    for (order, end) in [
        ("cancel 1 no", "= ended 1 cancelled"),
        ("forget 1", "= ended 1 refused: nobody waits for it any more; the server was not told"),
    ] {
        modern().run(&format!(
            "! call 1 tools/call {{}}\n~\n{ask}\n~\n! {order}\n= settled 1: its call is over\n= settled 2: its call is over\n{end}\n! answer 1 {{}}"
        ));
    }
    // There are no errors in MRTR: an error gives up the call.
    modern().run(&format!(
        r#"
        ! call 1 tools/call {{}}
        ~
        {ask}
        ~
        ! error 1 {{"code":-1}}
        = settled 1: it was answered with an error
        = settled 2: its call is over
        = ended 1 refused: given up: the question `a` was refused, and MRTR has no errors to send"#
    ));
    // Silence leaves its key out, on purpose.
    modern().run(&format!(
        r#"
        ! call 1 tools/call {{}}
        ~
        {ask}
        ~
        ! silence 1
        = settled 1: it stays without an answer
        ! answer 2 {{}}
        = settled 2: it was answered
        > {{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{{"inputResponses":{{"b":{{}}}},"_meta":{{$M}}}}}}"#
    ));
}

/// The settings answer, and a refusal of theirs gives up the call without further questions.
#[test]
fn the_settings_answer_rounds() {
    let ask = r#"< {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{}},"b":{"method":"sampling/createMessage","params":{}}}}}"#;
    with(|settings| {
        settings.elicitation = Reply::Decline;
        settings.sampling = Reply::Result(r#"{"role":"assistant"}"#.to_owned());
    })
    .run(&format!(
        r#"
        ! call 1 tools/call {{}}
        ~
        {ask}
        = round 1 1
        = asked 1 elicitation/create {{}} in 1 as a of round 1
        = settled 1: it was declined by the settings
        = asked 2 sampling/createMessage {{}} in 1 as b of round 1
        = settled 2: it was answered with the saved answer
        > {{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{{"inputResponses":{{"a":{{"action":"decline"}},"b":{{"role":"assistant"}}}},"_meta":{{$M}}}}}}"#
    ));
    with(|settings| settings.sampling = Reply::Decline).run(&format!(
        "
        ! call 1 tools/call {{}}
        ~
        {}
        = round 1 1
        = asked 1 sampling/createMessage {{}} in 1 as b of round 1
        = settled 1: it was declined by the settings
        = ended 1 refused: given up: the question `b` was refused, and MRTR has no errors to send",
        ask.replace(r#""a":{"method":"elicitation/create","params":{}},"#, "")
            .replace(r#""params":{}}}}}"#, r#""params":{}},"c":{"method":"elicitation/create"}}}}"#)
    ));
}

/// Step by step, each round is shown and may be edited before it is sent.
#[test]
fn rounds_wait_for_a_step_and_may_be_edited() {
    with(|settings| settings.step_rounds = true).run(
        r#"
        ! call 1 tools/call {"name":"a"}
        ~
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create"}},"requestState":"s"}}
        = round 1 1
        = asked 1 elicitation/create in 1 as k of round 1
        ! answer 1 {"action":"cancel"}
        = settled 1: it was answered
        = round 1 1 next {"name":"a","inputResponses":{"k":{"action":"cancel"}},"requestState":"s"}
        + 100
        ! step 1 {"name":"b","requestState":"forged"}
        > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"b","requestState":"forged","_meta":{$M}}}
        < {"jsonrpc":"2.0","id":3,"result":{"resultType":"input_required","requestState":"t"}}
        = round 1 2 next {"name":"b","requestState":"t"}
        + 100
        ! step 1
        > {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"b","requestState":"t","_meta":{$M}}}
        < {"jsonrpc":"2.0","id":4,"result":{"content":[]}}
        = ended 1 result {"content":[]}
        ! step 1"#,
    );
    // A step does not wait for answers; what was not answered is left out.
    modern().run(
        r#"
        ! call 1 tools/call {}
        ~
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create"}}}}
        ~
        ! step 1
        = settled 1: the next round was sent without it
        > {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"inputResponses":{},"_meta":{$M}}}"#,
    );
}

/// MR-009: state and answers are those of their own call, also of two calls of the same tool at once.
#[test]
fn two_calls_keep_their_rounds_apart() {
    modern().run(
        r#"
        ! call 1 tools/call {"name":"t"}
        ~
        ! call 2 tools/call {"name":"t"}
        ~
        < {"jsonrpc":"2.0","id":3,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create"}},"requestState":"two"}}
        ~
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create"}},"requestState":"one"}}
        ~
        ! answer 2 {"a":1}
        = settled 2: it was answered
        > {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"t","inputResponses":{"k":{"a":1}},"requestState":"one","_meta":{$M}}}
        ! answer 1 {"a":2}
        = settled 1: it was answered
        > {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"t","inputResponses":{"k":{"a":2}},"requestState":"two","_meta":{$M}}}"#,
    );
}

/// A request that is sent again byte for byte goes on with its own params, whatever it said about itself.
#[test]
fn a_request_sent_again_has_rounds_too() {
    modern().run(
        r#"
        ! again 1 {"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"t","requestState":"old","_meta":{"a":1}}}
        ~
        < {"jsonrpc":"2.0","id":"x","result":{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"}}}}
        = round 1 1
        = asked 1 roots/list in 1 as k of round 1
        = settled 1: it was answered with the roots
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","_meta":{"a":1},"inputResponses":{"k":{"roots":[]}}}}"#,
    );
}
