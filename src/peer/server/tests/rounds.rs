//! Rounds of MRTR: MR-001 … MR-017, RT-003 … RT-005, CA-018, EC-008, EC-009, EL-003, JR-027.

use super::book::{Book, elicit, result};
use super::script::{Play, at};
use crate::peer::server::{Settings, Step, Text};
use crate::wire::Json;

/// A server that has this for calls of `a`, and the client says what it can do in each request.
struct Rounds {
    play: Play,
    can: &'static str,
    id: u64,
}

const ALL: &str = r#"{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}}}"#;

impl Rounds {
    fn new(steps: Vec<Step>) -> Self {
        Self::with(Settings::default(), steps)
    }

    fn with(settings: Settings, steps: Vec<Step>) -> Self {
        let book = Book::new().rule("tools/call a", steps.clone()).rule("tools/list", steps.clone());
        let book = book.rule("prompts/get p", steps.clone()).rule("resources/read test://r", steps);
        let mut play = Play::new(settings, book);
        play.run("@ join 1 stdio\n~");
        Self { play, can: ALL, id: 0 }
    }

    /// What a call of `a` with these further params gets: a result or an error, as text.
    fn call(&mut self, more: &str) -> String {
        self.ask("tools/call", &format!(r#""name":"a"{more}"#))
    }

    fn ask(&mut self, method: &str, params: &str) -> String {
        self.id += 1;
        let meta = format!(
            r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}"#,
            self.can
        );
        let params = format!(r#"{{{params},"_meta":{{{meta}}}}}"#);
        self.play.run(&format!(r#"1< {{$R,"id":{},"method":"{method}","params":{params}}}"#, self.id));
        let came = self.play.messages().remove(0);
        let json = Json::parse(came.as_bytes()).expect("it is JSON");
        let body = json.get("result").or_else(|| json.get("error")).expect("an answer");
        String::from_utf8_lossy(body.raw()).into_owned()
    }
}

fn state(round: &str) -> String {
    at(round, "/requestState")
}

fn keys(round: &str) -> Vec<String> {
    let json = Json::parse(round.as_bytes()).expect("it is JSON");
    let asked = json.get("inputRequests");
    asked.iter().flat_map(Json::members).map(|(key, _)| key.text().unwrap_or_default().into_owned()).collect()
}

fn ask(key: &str, method: &str, params: &str) -> Step {
    let params = Some(Text::Template(params.as_bytes().into()));
    Step::Ask { key: key.to_owned(), method: method.to_owned(), params, forced: false }
}

fn told(text: &str) -> Step {
    Step::Result { result: Text::Template(text.as_bytes().into()), bare: false, id: None }
}

const YES: &str = r#"{"action":"accept","content":{"name":"Ann"}}"#;

#[test]
fn asks_that_follow_each_other_are_one_round_and_the_next_request_answers_them() {
    let steps = vec![elicit("who"), ask("roots", "roots/list", "{}"), told(r#"{"hi":"{{answer.who.content.name}}"}"#)];
    let mut rounds = Rounds::new(steps);
    let round = rounds.call("");
    assert_eq!(at(&round, "/resultType"), "\"input_required\"");
    assert_eq!(keys(&round), ["who", "roots"]);
    // MR-002: bare requests.
    assert_eq!(at(&round, "/inputRequests/roots"), r#"{"method":"roots/list","params":{}}"#);
    assert!(at(&round, "/ttlMs").is_empty() && !at(&round, "/_meta").is_empty(), "RT-005, ME-008: {round}");
    let given = format!(r#","inputResponses":{{"who":{YES},"roots":{{"roots":[]}}}},"requestState":{}"#, state(&round));
    let done = rounds.call(&given);
    assert_eq!(at(&done, "/hi"), "\"Ann\"");
    assert_eq!(at(&done, "/resultType"), "\"complete\"");
}

#[test]
fn partial_answers_are_kept_and_the_rest_is_asked_again() {
    let steps = vec![elicit("a"), elicit("b"), told(r#"{"a":"{{answer.a.content.name}}"}"#)];
    let mut rounds = Rounds::new(steps);
    let first = rounds.call("");
    let given = format!(r#","inputResponses":{{"a":{YES},"other":{{}}}},"requestState":{}"#, state(&first));
    let second = rounds.call(&given);
    assert_eq!(keys(&second), ["b"], "MR-012, MR-013");
    assert_ne!(state(&first), state(&second));
    let given = format!(r#","inputResponses":{{"b":{YES}}},"requestState":{}"#, state(&second));
    assert_eq!(at(&rounds.call(&given), "/a"), "\"Ann\"");
    // The first round can be come back to: nothing on the way changed it.
    let given = format!(r#","inputResponses":{{"b":{YES}}},"requestState":{}"#, state(&first));
    assert_eq!(keys(&rounds.call(&given)), ["a"]);
}

#[test]
fn an_ask_that_names_an_answer_of_the_same_round_is_the_next_round() {
    let second = ask("b", "elicitation/create", r#"{"message":"{{answer.a.content.name}}?","requestedSchema":{}}"#);
    let mut rounds = Rounds::new(vec![elicit("a"), second, result("{}")]);
    let first = rounds.call("");
    assert_eq!(keys(&first), ["a"]);
    let given = format!(r#","inputResponses":{{"a":{YES}}},"requestState":{}"#, state(&first));
    let second = rounds.call(&given);
    assert_eq!(at(&second, "/inputRequests/b/params/message"), "\"Ann?\"");
}

#[test]
fn answers_without_a_state_answer_what_is_asked_from_the_beginning() {
    let mut rounds = Rounds::new(vec![elicit("who"), result(r#"{"done":true}"#)]);
    let right = rounds.call(&format!(r#","inputResponses":{{"who":{YES},"extra":{{}}}}"#));
    assert_eq!(at(&right, "/done"), "true");
    assert_eq!(keys(&rounds.call(r#","inputResponses":{"wrong":{}}"#)), ["who"], "MR-013");
    for wrong in [r#"{"who":12345}"#, r#"{"who":{"action":"yes"}}"#, "null", "[]"] {
        let error = rounds.call(&format!(r#","inputResponses":{wrong}"#));
        assert_eq!(at(&error, "/code"), "-32602", "MR-011: {wrong}");
    }
}

#[test]
fn a_state_that_was_changed_or_moved_is_refused() {
    let mut rounds = Rounds::new(vec![elicit("who"), result("{}")]);
    let round = rounds.call("");
    let state = state(&round);
    let tampered = format!("{}-TAMPERED\"", state.trim_end_matches('"'));
    for (params, state) in [
        (r#""name":"a""#, tampered.as_str()),
        (r#""name":"a","arguments":{"x":1}"#, &state),
        (r#""name":"a""#, "7"),
        (r#""name":"a""#, "\"\""),
    ] {
        let error = rounds.ask("tools/call", &format!(r#"{params},"inputResponses":{{}},"requestState":{state}"#));
        assert_eq!(at(&error, "/code"), "-32602", "MR-016: {params} {state}");
    }
    let error = rounds.ask("prompts/get", &format!(r#""name":"p","requestState":{state}"#));
    assert_eq!(at(&error, "/code"), "-32602");
    rounds.play.run("+ 301");
    let late = rounds.call(&format!(r#","inputResponses":{{"who":{YES}}},"requestState":{state}"#));
    assert!(late.contains("expired"), "{late}");
}

#[test]
fn a_state_may_be_good_for_one_retry_only() {
    let mut rounds =
        Rounds::with(Settings { single_use: true, ..Settings::default() }, vec![elicit("who"), result("{}")]);
    let again = format!(r#","inputResponses":{{"who":{YES}}},"requestState":{}"#, state(&rounds.call("")));
    assert_eq!(at(&rounds.call(&again), "/resultType"), "\"complete\"");
    assert_eq!(at(&rounds.call(&again), "/code"), "-32602");
}

#[test]
fn the_state_is_good_on_another_connection() {
    let mut rounds = Rounds::new(vec![Step::ComeAgain, result(r#"{"done":true}"#)]);
    let round = rounds.call("");
    assert!(keys(&round).is_empty() && !round.contains("inputRequests"), "RT-004: {round}");
    rounds.play.run("@ left 1\n~\n@ join 1 stdio\n~");
    let done = rounds.call(&format!(r#","requestState":{}"#, state(&round)));
    assert_eq!(at(&done, "/done"), "true");
}

#[test]
fn only_what_the_request_declares_is_asked() {
    let sampling = ask("s", "sampling/createMessage", r#"{"messages":[],"maxTokens":1}"#);
    let mut rounds = Rounds::new(vec![elicit("e"), sampling, result("{}")]);
    rounds.can = r#"{"sampling":{}}"#;
    assert_eq!(keys(&rounds.call("")), ["s"], "CA-018");
    rounds.can = "{}";
    let error = rounds.call("");
    assert_eq!(at(&error, "/code"), "-32021");
    let needed = r#"{"elicitation":{"form":{}},"sampling":{}}"#;
    assert_eq!(at(&error, "/data/requiredCapabilities"), needed, "EC-008");
    let forced = Step::Ask { key: "e".to_owned(), method: "acme/odd".to_owned(), params: None, forced: true };
    let mut rounds = Rounds::new(vec![forced, result("{}")]);
    rounds.can = "{}";
    assert_eq!(at(&rounds.call(""), "/inputRequests/e"), r#"{"method":"acme/odd"}"#);
}

#[test]
fn only_three_methods_can_ask() {
    let mut rounds = Rounds::new(vec![elicit("who"), result("{}")]);
    assert_eq!(keys(&rounds.ask("prompts/get", r#""name":"p""#)), ["who"]);
    assert_eq!(keys(&rounds.ask("resources/read", r#""uri":"test://r""#)), ["who"]);
    let list = rounds.ask("tools/list", r#""x":1"#);
    assert_eq!(at(&list, "/resultType"), "\"complete\"", "RT-003");
}

#[test]
fn a_url_is_asked_without_the_id_that_the_legacy_era_has() {
    let params = r#"{"mode":"url","message":"?","url":"https://x.test/","elicitationId":"e"}"#;
    let mut rounds = Rounds::new(vec![ask("u", "elicitation/create", params), result("{}")]);
    let round = rounds.call("");
    let expected = r#"{"mode":"url","message":"?","url":"https://x.test/"}"#;
    assert_eq!(at(&round, "/inputRequests/u/params"), expected, "EL-003");
    rounds.can = r#"{"elicitation":{}}"#;
    assert_eq!(at(&rounds.call(""), "/code"), "-32021", "CA-013");
}

#[test]
fn a_person_goes_on_where_the_rounds_end() {
    let mut rounds = Rounds::new(Vec::new());
    rounds.play.run("! hand calls\n~");
    let meta = format!(
        r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{ALL}"#
    );
    rounds.play.run(&format!(
        r#"
        1< {{$R,"id":1,"method":"tools/call","params":{{"name":"a","_meta":{{{meta}}}}}}}
        = waiting 1"#
    ));
    let now = rounds.play.now;
    rounds.play.server.order(now, crate::peer::server::Order::Answer(1, vec![elicit("who")]));
    rounds.play.collect();
    let round = rounds.play.came();
    let json = round[round.find('>').expect("a message") + 1..].to_owned();
    let state = at(&json, "/result/requestState");
    let given = format!(r#""inputResponses":{{"who":{YES}}},"requestState":{state}"#);
    rounds.play.run("~").run(&format!(
        r#"
        1< {{$R,"id":2,"method":"tools/call","params":{{"name":"a",{given},"_meta":{{{meta}}}}}}}
        = heard 2 who {YES}
        = waiting 2
        ! answer 2 {{"done":true}}"#
    ));
    assert!(rounds.play.came().contains(r#""done":true"#));
}

#[test]
fn a_round_is_the_whole_response_of_its_request() {
    let book = Book::new().rule("tools/call a", vec![elicit("who"), result("{}")]);
    let mut play = Play::new(Settings::default(), book);
    play.loud = true;
    play.run("@ join 1 http\n~");
    for (ticket, can, last) in [(1, ALL, "result"), (2, "{}", "error")] {
        let meta = format!(
            r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{can}"#
        );
        let params = format!(r#"{{"name":"a","_meta":{{{meta}}}}}"#);
        play.run("# mirror");
        play.run(&format!(r#"1/{ticket}< {{$R,"id":{ticket},"method":"tools/call","params":{params}}}"#));
        let mut rest = Vec::new();
        while rest.last().is_none_or(|line: &String| !line.starts_with("= done")) {
            rest.push(play.came());
        }
        assert_eq!(rest[rest.len() - 2..], [format!("= ended {ticket}: {last}"), format!("= done {ticket}")]);
        play.silent();
    }
}
