//! Requests to clients of the legacy era: CA-010 … CA-017, JR-005, JR-007, EL-003, EL-017, EL-018, SM-011, RO-003, CN-001,
//! HX one stream.

use super::book::{Book, elicit, fixed, result};
use super::script::Play;
use crate::peer::server::{Settings, Step, Text};

/// A server with client 1 on stdio that can all this; its ids are free from 1 on.
fn with(book: Book, revision: &str, capabilities: &str) -> Play {
    let mut play = Play::stdio(book);
    greet(&mut play, revision, capabilities);
    play
}

fn greet(play: &mut Play, revision: &str, capabilities: &str) {
    let params =
        format!(r#"{{"protocolVersion":"{revision}","capabilities":{capabilities},"clientInfo":{{"name":"t"}}}}"#);
    play.run(&format!(
        r#"
        1< {{$R,"id":0,"method":"initialize","params":{params}}}
        ~
        1< {{$R,"method":"notifications/initialized"}}
        ~"#
    ));
}

fn ask(key: &str, method: &str, params: Option<&str>) -> Step {
    Step::Ask { key: key.to_owned(), method: method.to_owned(), params: params.map(fixed), forced: false }
}

fn told(text: &str) -> Step {
    Step::Result { result: Text::Template(text.as_bytes().into()), bare: false, id: None }
}

const ALL: &str = r#"{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}}}"#;
const CALL: &str = r#"1< {$R,"id":1,"method":"tools/call","params":{"name":"a"}}"#;

#[test]
fn what_is_asked_has_ids_of_its_own_and_the_plan_goes_on_with_each_answer() {
    let steps = vec![
        elicit("who"),
        ask("roots", "roots/list", None),
        told(r#"{"content":[],"who":"{{answer.who.content.name}}","roots":"{{answer.roots.roots}}"}"#),
    ];
    let mut play = with(Book::new().rule("tools/call a", steps), "2025-11-25", ALL);
    play.run(CALL);
    play.run(
        r#"
        1> {$R,"id":1,"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}
        1< {$R,"id":1,"result":{"action":"accept","content":{"name":"Ann"}}}
        = heard 2 who {"action":"accept","content":{"name":"Ann"}}
        1> {$R,"id":2,"method":"roots/list"}
        1< {$R,"id":"2","result":{"roots":[]}}
        = stray: an answer to nothing that was asked (JR-007)
        1< {$R,"id":2,"result":{"roots":[{"uri":"file:///w"}]}}
        = heard 2 roots {"roots":[{"uri":"file:///w"}]}
        1> {$R,"id":1,"result":{"content":[],"who":"Ann","roots":[{"uri":"file:///w"}]}}
        1< {$R,"id":2,"result":{"roots":[]}}
        = stray: an answer to nothing that was asked (JR-007)"#,
    );
    play.silent();
}

#[test]
fn an_error_and_an_answer_of_the_wrong_shape_are_answers_too() {
    let steps = vec![elicit("a"), elicit("b"), told(r#"{"content":[],"a":"{{answer.a.message}}"}"#)];
    let mut play = with(Book::new().rule("tools/call a", steps), "2025-11-25", ALL);
    play.run(CALL).run(
        r#"
        ~
        1< {$R,"id":1,"error":{"code":-1,"message":"no"}}
        = heard 2 a error {"code":-1,"message":"no"}
        ~
        1< {$R,"id":2,"result":{"action":"yes"}}
        = note 2: the answer to elicitation/create has the wrong shape: its `action` "yes" is none of accept, decline, cancel (EL-008) (MR-011)
        = heard 2 b {"action":"yes"}
        1> {$R,"id":1,"result":{"content":[],"a":"no"}}"#,
    );
}

#[test]
fn only_what_was_declared_is_asked_unless_it_is_forced() {
    let sample = |forced| Step::Ask {
        key: "s".to_owned(),
        method: "sampling/createMessage".to_owned(),
        params: Some(fixed(r#"{"messages":[],"maxTokens":1,"tools":[]}"#)),
        forced,
    };
    let book = Book::new()
        .rule("tools/call a", vec![sample(false), result(r#"{"content":[]}"#)])
        .rule("tools/call b", vec![sample(true), result(r#"{"content":[]}"#)])
        .rule("tools/call c", vec![sample(false)]);
    let mut play = with(book, "2025-11-25", r#"{"sampling":{}}"#);
    play.run(CALL).run(
        r#"
        = note 2: sampling/createMessage was not asked: the client does not declare sampling.tools
        1> {$R,"id":1,"result":{"content":[]}}
        1< {$R,"id":2,"method":"tools/call","params":{"name":"b"}}
        1> {$R,"id":1,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"tools":[]}}
        1< {$R,"id":1,"error":{"code":-1,"message":"no"}}
        ~
        1< {$R,"id":3,"method":"tools/call","params":{"name":"c"}}
        = note 4: sampling/createMessage was not asked: the client does not declare sampling.tools
        1> {$R,"id":3,"error":{"code":-32603,"message":"rule 3 has no answer here: sampling/createMessage was not asked: the client does not declare sampling.tools"}}
        ~"#,
    );
}

#[test]
fn elicitations_are_worded_for_the_revision() {
    let url = ask("u", "elicitation/create", Some(r#"{"mode":"url","message":"?","url":"https://x.test/"}"#));
    let book = || Book::new().rule("tools/call a", vec![url.clone(), result("{}")]);
    let mut play = with(book(), "2025-11-25", ALL);
    play.run(CALL);
    let came = play.came();
    assert!(came.contains(r#""url":"https://x.test/","elicitationId":""#), "EL-001: {came}");
    play.run("~");
    let mut play = with(book(), "2025-06-18", r#"{"elicitation":{}}"#);
    play.run(CALL).run(
        r#"
        = note 2: elicitation/create was not asked: 2025-06-18 has no elicitation by URL
        1> {$R,"id":1,"result":{}}"#,
    );
    let form = ask("f", "elicitation/create", Some(r#"{"mode":"form","message":"?","requestedSchema":{}}"#));
    let mut play = with(Book::new().rule("tools/call a", vec![form]), "2025-06-18", r#"{"elicitation":{}}"#);
    play.run(CALL).run(
        r#"
        1> {$R,"id":1,"method":"elicitation/create","params":{"message":"?","requestedSchema":{}}}
        ~"#,
    );
}

#[test]
fn what_is_not_answered_in_time_is_taken_back_and_counts_as_an_error() {
    let steps = vec![elicit("a"), told(r#"{"content":[],"a":"{{answer.a.message}}"}"#)];
    let settings = Settings { patience: Some(10_000_000_000), ..Settings::default() };
    let mut play = Play::new(settings, Book::new().rule("tools/call a", steps));
    play.run("@ join 1 stdio\n~");
    greet(&mut play, "2025-11-25", ALL);
    play.run(CALL).run("~");
    assert_eq!(play.server.wakes_at(), Some(10_000_000_000));
    play.run(
        r#"
        + 9
        + 1
        1> {$R,"method":"notifications/cancelled","params":{"requestId":1,"reason":"no answer to elicitation/create came within 10 s"}}
        = note 2: no answer to elicitation/create came within 10 s
        = heard 2 a error {"code":-32603,"message":"no answer to elicitation/create came within 10 s"}
        1> {$R,"id":1,"result":{"content":[],"a":"no answer to elicitation/create came within 10 s"}}
        1< {$R,"id":1,"result":{"action":"decline"}}
        = stray: an answer to nothing that was asked (JR-007)"#,
    );
}

#[test]
fn what_is_asked_is_cancelled_with_its_call() {
    let mut play = with(Book::new().rule("tools/call a", vec![elicit("a"), result("{}")]), "2025-11-25", ALL);
    play.run(CALL).run(
        r#"
        ~
        1< {$R,"method":"notifications/cancelled","params":{"requestId":1}}
        1> {$R,"method":"notifications/cancelled","params":{"requestId":1,"reason":"the request that it belongs to is over"}}
        = ended 2: cancelled"#,
    );
}

#[test]
fn over_http_it_goes_on_the_way_of_its_request_and_the_answer_comes_with_any_post() {
    let mut play = Play::new(Settings::default(), Book::new().rule("tools/call a", vec![elicit("a"), result("{}")]));
    play.run("@ join 1 http\n~");
    let params = format!(r#"{{"protocolVersion":"2025-11-25","capabilities":{ALL},"clientInfo":{{"name":"t"}}}}"#);
    play.run(&format!(
        r#"
        1/1< {{$R,"id":0,"method":"initialize","params":{params}}}
        ~
        1/2< {{$R,"method":"notifications/initialized"}}
        ~
        1/3< {{$R,"id":1,"method":"tools/call","params":{{"name":"a"}}}}
        1/3> {{$R,"id":1,"method":"elicitation/create","params":{{"message":"?","requestedSchema":{{"type":"object","properties":{{}}}}}}}}
        1/4< {{$R,"id":1,"result":{{"action":"decline"}}}}
        = heard 2 a {{"action":"decline"}}
        1/3> {{$R,"id":1,"result":{{}}}}
        = done 3
        = done 4"#
    ));
}

#[test]
fn what_belongs_to_no_request_is_asked_of_those_who_can_answer() {
    let mut play = with(Book::new(), "2025-11-25", r#"{"roots":{}}"#);
    play.run("@ join 2 http\n~");
    play.run(
        r#"
        ! ask all roots/list
        1> {$R,"id":1,"method":"roots/list"}
        1< {$R,"id":1,"result":{"roots":[]}}
        = replied 1 roots/list {"roots":[]}
        ! ask 1 ping
        1> {$R,"id":2,"method":"ping"}
        1< {$R,"id":2,"error":{"code":-32601,"message":"?"}}
        = replied 1 ping error {"code":-32601,"message":"?"}
        ! ask 1 sampling/createMessage {}
        = note: client 1: sampling/createMessage was not asked: the client does not declare sampling
        ! ask 2 ping
        = note: client 2: ping was not asked: requests need a client that shook hands (JR-027)"#,
    );
}
