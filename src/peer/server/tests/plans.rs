//! Plans being carried out: progress, log messages, cancellation, what belongs to the link, and what comes behind an
//! answer. PR-003 … PR-005, PR-009, LG-*, CN-001 … CN-008, JR-008, EC-003.

use super::book::{Book, elicit, error, fixed, result, wait};
use super::script::Play;
use crate::peer::server::{Kind, Pace, Settings, Step, Text};

fn progress(value: &str) -> Step {
    Step::Progress { progress: fixed(value), total: Some(fixed("3")), message: Some(fixed("a \"b\"")) }
}

fn log(level: &str) -> Step {
    Step::Log { level: level.to_owned(), logger: Some("l".to_owned()), data: fixed("[1]") }
}

#[test]
fn progress_needs_a_token_and_only_grows() {
    let steps = vec![progress("1"), wait(1), progress("2.50"), progress("2.5"), result("{}")];
    let mut play = Play::legacy(Book::new().rule("tools/call", steps), "2025-11-25");
    play.run(
        r#"
        1< {$R,"id":1,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":"t\u0041"}}}
        1> {$R,"method":"notifications/progress","params":{"progressToken":"t\u0041","progress":1,"total":3,"message":"a \"b\""}}
        + 0.5
        + 0.5
        1> {$R,"method":"notifications/progress","params":{"progressToken":"t\u0041","progress":2.50,"total":3,"message":"a \"b\""}}
        = note 2: progress 2.5 was left out: it is not more than 2.5 (PR-004)
        1> {$R,"id":1,"result":{}}
        1< {$R,"id":2,"method":"tools/call","params":{"name":"a"}}
        = note 3: progress was left out: the client gave no progressToken
        + 1
        = note 3: progress was left out: the client gave no progressToken
        = note 3: progress was left out: the client gave no progressToken
        1> {$R,"id":2,"result":{}}"#,
    );
    play.silent();
}

#[test]
fn log_messages_come_by_the_level_that_was_set_or_asked_for() {
    let mut play = Play::legacy(Book::new().rule("tools/call", vec![log("info"), result("{}")]), "2025-11-25");
    let message = r#"1> {$R,"method":"notifications/message","params":{"level":"info","logger":"l","data":[1]}}"#;
    play.run(&format!(
        r#"
        1< {{$R,"id":1,"method":"tools/call","params":{{"name":"a"}}}}
        {message}
        1> {{$R,"id":1,"result":{{}}}}
        1< {{$R,"id":2,"method":"logging/setLevel","params":{{"level":"notice"}}}}
        ~
        1< {{$R,"id":3,"method":"tools/call","params":{{"name":"a"}}}}
        = note 4: a log message (info) was left out: the client wants more severe ones
        1> {{$R,"id":3,"result":{{}}}}
        1< {{$R,"id":4,"method":"tools/call","params":{{"name":"a","_meta":{{$M}}}}}}
        = note 5: a log message (info) was left out: the request asks for none
        ~
        1< {{$R,"id":5,"method":"tools/call","params":{{"name":"a","_meta":{{$M,"io.modelcontextprotocol/logLevel":"debug"}}}}}}
        {message}
        ~"#
    ));
    play.silent();
}

#[test]
fn nothing_is_sent_for_what_was_cancelled() {
    let steps = vec![wait(1), result("{}")];
    let mut play = Play::legacy(Book::new().rule("tools/call", steps), "2025-11-25");
    play.run(
        r#"
        1< {$R,"id":1,"method":"tools/call","params":{"name":"a"}}
        1< {$R,"method":"notifications/cancelled","params":{"requestId":"1"}}
        = note: client 1: nothing with the id "1" is being answered, which it cancels (CN-003)
        1< {$R,"method":"notifications/cancelled","params":{"requestId":1.0,"reason":"no more"}}
        = ended 2: cancelled
        + 2
        1< {$R,"method":"notifications/cancelled"}
        = note: client 1: a cancellation without requestId (CN-005)
        + 1"#,
    );
    play.silent();
    let mut play = Play::stdio(Book::new().rule("initialize", vec![wait(1), Step::Own]));
    play.run(
        r#"
        1< {$R,"id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25",$I}}
        1< {$R,"method":"notifications/cancelled","params":{"requestId":2}}
        = note 1: initialize cannot be cancelled (CN-004)
        + 1"#,
    );
    assert!(play.came().contains(r#""id":2,"result":{"protocolVersion""#));
    play.silent();
}

#[test]
fn a_response_that_is_not_waited_for_is_a_cancellation_in_2026_07_28_only() {
    let mut play = Play::new(Settings::default(), Book::new().rule("tools/call", vec![wait(1), result("{}")]));
    play.run(
        r#"
        @ join 1 http
        # mirror
        1/1< {$R,"id":1,"method":"tools/call","params":{"name":"a","_meta":{$M}}}
        @ gone 1
        = ended 1: cancelled
        + 2
        1/2< {$R,"id":1,"method":"tools/call","params":{"name":"a"}}
        @ gone 2
        + 2
        1/2> {$R,"id":1,"result":{}}
        = done 2
        1/3< {$R,"id":1,"method":"tools/call","params":{"name":"a"}}
        @ left 1
        = ended 3: cancelled
        = done 3
        + 2"#,
    );
    play.silent();
}

#[test]
fn what_belongs_to_the_link_is_done_or_left_out_and_told() {
    let respond =
        || Step::Respond { status: 503, fields: vec![("retry-after".to_owned(), "1".to_owned())], body: fixed("busy") };
    let book = || {
        Book::new()
            .rule("tools/call respond", vec![respond()])
            .rule("tools/call break", vec![Step::Break])
            .rule("tools/call raw", vec![Step::Raw(b"{\"half".to_vec().into())])
            .rule("tools/call lose", vec![Step::LoseSession, result("{}")])
            .rule("tools/call silent", vec![Step::Stderr(fixed("hm"))])
            .rule("tools/call exit", vec![Step::Exit(3)])
    };
    let mut play = Play::new(Settings::default(), book());
    play.run("@ join 1 http");
    for (name, expected) in [
        ("respond", "= respond 1 503 [(\"retry-after\", \"1\")] busy\n= ended 1: with HTTP 503\n= done 1"),
        ("break", "= break 1\n= ended 2: broken off"),
        ("raw", "= raw 1/1 {\"half\n= ended 3: with raw bytes\n= done 1"),
        ("lose", "= lose 1\n1/1> {$R,\"id\":1,\"result\":{}}\n= done 1"),
        ("silent", "= stderr hm\n= ended 5: never answered, as its plan has it"),
        ("exit", "= exit 3\n= ended 6: with exit code 3"),
    ] {
        play.run(&format!(
            "1/1< {{$R,\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"{name}\"}}}}\n{expected}"
        ));
        play.silent();
    }
    let mut play = Play::legacy(book(), "2025-11-25");
    play.run(
        r#"
        1< {$R,"id":1,"method":"tools/call","params":{"name":"respond"}}
        = note 2: a response with HTTP 503 was left out: the client is not on HTTP
        1> {$R,"id":1,"error":{"code":-32603,"message":"rule 1 has no answer here: a response with HTTP 503 was left out: the client is not on HTTP"}}
        1< {$R,"id":2,"method":"tools/call","params":{"name":"lose"}}
        = note 3: the loss of a session was left out: the client is not on HTTP
        1> {$R,"id":2,"result":{}}
        1< {$R,"id":3,"method":"tools/call","params":{"name":"break"}}
        = break 0
        = ended 4: broken off"#,
    );
    play.silent();
}

#[test]
fn what_comes_behind_an_answer_is_sent_and_holds_the_response_only_where_it_needs_it() {
    let twice = vec![result("{}"), wait(1), result(r#"{"again":1}"#)];
    let later = vec![result("{}"), wait(1), Step::Stderr(fixed("later"))];
    let mut play =
        Play::new(Settings::default(), Book::new().rule("tools/call twice", twice).rule("tools/call later", later));
    play.run(
        r#"
        @ join 1 http
        1/1< {$R,"id":1,"method":"tools/call","params":{"name":"twice"}}
        1/1> {$R,"id":1,"result":{}}
        + 1
        1/1> {$R,"id":1,"result":{"again":1}}
        = done 1
        1/2< {$R,"id":2,"method":"tools/call","params":{"name":"later"}}
        1/2> {$R,"id":2,"result":{}}
        = done 2
        + 1
        = stderr later"#,
    );
    play.silent();
}

#[test]
fn errors_go_out_as_written_and_a_code_that_the_era_does_not_have_is_told() {
    let mut play =
        Play::stdio(Book::new().rule("resources/read", vec![error(r#"{"code": -32002,"message":"no","data":1.0}"#)]));
    play.run(
        r#"
        1< {$R,"id":1,"method":"resources/read","params":{"uri":"a:/","_meta":{$M}}}
        = note 1: -32002 is no error code of 2026-07-28 (EC-003)
        1> {$R,"id":1,"error":{"code": -32002,"message":"no","data":1.0}}"#,
    );
    play.silent();
}

#[test]
fn texts_are_filled_in_and_what_cannot_be_is_an_error() {
    let template = |text: &str| Step::Result { result: Text::Template(text.as_bytes().into()), bare: false, id: None };
    let book = Book::new()
        .rule("tools/call good", vec![template(r#"{"city":"{{arguments.city}}","nth":"{{nth}}"}"#)])
        .rule("tools/call bad", vec![template(r#"{"city":"{{arguments.town}}"}"#)])
        .rule("tools/call broken", vec![result("{")]);
    let mut play = Play::legacy(book, "2025-11-25");
    play.run(
        r#"
        1< {$R,"id":1,"method":"tools/call","params":{"name":"good","arguments":{"city":"Ulm"}}}
        1> {$R,"id":1,"result":{"city":"Ulm","nth":1}}
        1< {$R,"id":2,"method":"tools/call","params":{"name":"bad","arguments":{"city":"Ulm"}}}"#,
    );
    let came = play.came();
    assert!(came.contains(r#""code":-32603,"message":"rule 2: failed to"#), "{came}");
    play.run(r#"1< {$R,"id":3,"method":"tools/call","params":{"name":"broken"}}"#);
    let came = play.came();
    assert!(came.contains("rule 3: what was to be sent is not JSON"), "{came}");
    play.silent();
}

#[test]
fn waits_are_taken_as_the_pace_says() {
    for (pace, before, after) in
        [(Pace::Recorded, "3", "1"), (Pace::Scaled(500), "1", "1"), (Pace::Capped(1_000_000_000), "0.5", "0.5")]
    {
        let settings = Settings { pace, ..Settings::default() };
        let mut play = Play::new(settings, Book::new().rule("tools/call", vec![wait(4), result("{}")]));
        if pace == Pace::Scaled(500) {
            play.run("+ 0");
        }
        play.run(&format!(
            r#"
            @ join 1 stdio
            1< {{$R,"id":1,"method":"tools/call","params":{{"name":"a","_meta":{{$M}}}}}}
            + {before}
            + {after}
            ~"#
        ));
        assert_eq!(play.server.wakes_at(), None, "{pace:?}");
    }
    let settings = Settings { pace: Pace::None, ..Settings::default() };
    let mut play = Play::new(settings, Book::new().rule("ping", vec![wait(4), result("{}")]));
    play.run("@ join 1 stdio\n1< {$R,\"id\":1,\"method\":\"ping\"}\n1> {$R,\"id\":1,\"result\":{}}");
}

#[test]
fn notifications_of_a_plan_carry_the_token_of_the_request() {
    let notify = |method: &str, params: &str, loose| Step::Notify {
        method: method.to_owned(),
        params: Some(fixed(params)),
        loose,
    };
    let steps = vec![
        notify("notifications/progress", r#"{"progressToken":"recorded","progress":1}"#, false),
        notify("notifications/odd", r#"{"a": 1}"#, true),
        Step::Changed(Kind::Tools),
        Step::Own,
    ];
    let mut play = Play::new(Settings::default(), Book::new().rule("tools/list", steps));
    play.run(
        r#"
        @ join 1 http
        1/1< {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",$I}}
        ~
        1/2< {$R,"method":"notifications/initialized"}
        ~
        1/3< {$R,"id":1,"method":"tools/list","params":{"_meta":{"progressToken":7}}}
        1/3> {$R,"method":"notifications/progress","params":{"progressToken":7,"progress":1}}
        1> {$R,"method":"notifications/odd","params":{"a": 1}}
        1> {$R,"method":"notifications/tools/list_changed"}
        = note: notifications/tools/list_changed went to one client
        1/3> {$R,"id":1,"result":{"tools":[]}}
        = done 3
        # mirror
        1/4< {$R,"id":1,"method":"tools/list","params":{"_meta":{$M}}}
        = note 3: progress was left out: the client gave no progressToken
        = note 3: notifications/odd was left out: 2026-07-28 has no way for it
        1> {$R,"method":"notifications/tools/list_changed"}
        ~"#,
    );
    play.silent();
}

#[test]
fn what_stands_behind_the_own_answer_follows_it() {
    let steps = vec![wait(1), Step::Own, wait(1), Step::Stderr(fixed("later")), result("{}")];
    let mut play = Play::new(Settings::default(), Book::new().rule("ping", steps));
    play.run(
        r#"
        @ join 1 http
        1/1< {$R,"id":1,"method":"ping"}
        + 1
        1/1> {$R,"id":1,"result":{}}
        + 1
        = stderr later
        1/1> {$R,"id":1,"result":{}}
        = done 1"#,
    );
    play.silent();
}

#[test]
fn a_refusal_within_a_plan_ends_it() {
    let mut play =
        Play::new(Settings::default(), Book::new().rule("tools/call", vec![elicit("k"), wait(1), result("{}")]));
    play.run(
        r#"
        @ join 1 http
        # mirror
        1/1< {$R,"id":1,"method":"tools/call","params":{"name":"a","_meta":{$M}}}
        = note 1: elicitation/create was not asked: the client does not declare elicitation.form
        1/1 400> {$R,"id":1,"error":{"code":-32021,"message":"this needs capabilities that the client does not declare: elicitation.form","data":{"requiredCapabilities":{"elicitation":{"form":{}}}}}}
        = done 1"#,
    );
    play.silent();
}
