//! Tasks of the extension of 2026-07-28: TE-001 … TE-017, CA-023, CA-024, RT-006, PR-011.

use super::book::{Book, elicit, error, result, wait};
use super::script::{Play, at};
use crate::peer::server::{Kind, Step, Task};

const BOTH: &str = r#"{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;

fn with(mut steps: Vec<Step>) -> Play {
    steps.insert(0, Step::Task(Task { ttl: Some(60_000), poll: Some(500), forced: false }));
    Play::stdio(Book::new().rule("tools/call", steps.clone()).rule("prompts/get", steps))
}

/// The messages that a request gets, of a client that can do this.
fn ask(play: &mut Play, can: &str, id: u64, method: &str, params: &str) -> Vec<String> {
    let meta = format!(
        r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{can}"#
    );
    play.run(&format!(r#"1< {{$R,"id":{id},"method":"{method}","params":{{{params},"_meta":{{{meta}}}}}}}"#));
    play.messages()
}

fn begin(play: &mut Play) -> String {
    let created = ask(play, BOTH, 1, "tools/call", r#""name":"a""#);
    format!(r#""taskId":{}"#, at(&created[0], "/result/taskId"))
}

#[test]
fn a_task_is_flat_and_its_result_comes_with_get() {
    let mut play = with(vec![wait(5), result(r#"{"content":[],"isError":true}"#)]);
    let created = ask(&mut play, BOTH, 1, "tools/call", r#""name":"a","task":{"ttl":1}"#);
    assert_eq!(at(&created[0], "/result/resultType"), "\"task\"", "TE-001");
    assert_eq!(at(&created[0], "/result/ttlMs"), "60000", "TE-010");
    assert_eq!(at(&created[0], "/result/pollIntervalMs"), "500");
    assert!(!created[0].contains("requestState") && !created[0].contains("\"task\":{"), "TE-004");
    let task = format!(r#""taskId":{}"#, at(&created[0], "/result/taskId"));
    let got = ask(&mut play, BOTH, 2, "tasks/get", &task);
    assert_eq!(at(&got[0], "/result/resultType"), "\"complete\"", "TE-002, TE-011");
    assert_eq!((at(&got[0], "/result/status"), at(&got[0], "/result/result")), ("\"working\"".into(), String::new()));
    play.run("+ 5").run("~");
    let got = ask(&mut play, BOTH, 3, "tasks/get", &task);
    assert_eq!(at(&got[0], "/result/status"), "\"completed\"", "TE-005");
    assert_eq!(at(&got[0], "/result/result/isError"), "true", "TE-003");
    assert!(!got[0].contains("related-task"));
    let ack = ask(&mut play, BOTH, 4, "tasks/cancel", &task);
    assert_eq!(
        (at(&ack[0], "/result/resultType"), at(&ack[0], "/result/taskId")),
        ("\"complete\"".into(), String::new())
    );
    assert_eq!(at(&ask(&mut play, BOTH, 5, "tasks/get", &task)[0], "/result/status"), "\"completed\"", "TE-012");
}

#[test]
fn an_error_is_a_failure_with_a_message() {
    let mut play = with(vec![error(r#"{"code":-7,"message":"broke"}"#)]);
    let task = begin(&mut play);
    let got = ask(&mut play, BOTH, 2, "tasks/get", &task);
    assert_eq!(at(&got[0], "/result/status"), "\"failed\"", "TE-005");
    assert_eq!(at(&got[0], "/result/error"), r#"{"code":-7,"message":"broke"}"#);
    assert_eq!(at(&got[0], "/result/statusMessage"), "\"broke\"", "TE-006");
}

#[test]
fn what_it_asks_is_answered_with_updates_perhaps_in_parts() {
    let mut play = with(vec![elicit("a"), elicit("b"), result(r#"{"done":true}"#)]);
    let task = begin(&mut play);
    let got = ask(&mut play, BOTH, 2, "tasks/get", &task);
    assert_eq!(at(&got[0], "/result/status"), "\"input_required\"");
    assert_eq!(at(&got[0], "/result/inputRequests/b/method"), "\"elicitation/create\"", "TE-003");
    let give = |answers: &str| format!(r#"{task},"inputResponses":{{{answers}}}"#);
    let wrong = ask(&mut play, BOTH, 3, "tasks/update", &give(r#""a":7"#));
    assert_eq!(at(&wrong[0], "/error/code"), "-32602");
    let ack = ask(&mut play, BOTH, 4, "tasks/update", &give(r#""a":{"action":"decline"},"x":{}"#));
    assert_eq!(at(&ack[0], "/result/resultType"), "\"complete\"", "TE-007, TE-014");
    let got = ask(&mut play, BOTH, 5, "tasks/get", &task);
    assert_eq!(
        (at(&got[0], "/result/inputRequests/a"), at(&got[0], "/result/status")),
        (String::new(), "\"input_required\"".into())
    );
    ask(&mut play, BOTH, 6, "tasks/update", &give(r#""b":{"action":"decline"}"#));
    let got = ask(&mut play, BOTH, 7, "tasks/get", &task);
    assert_eq!(
        (at(&got[0], "/result/status"), at(&got[0], "/result/result/done")),
        ("\"completed\"".into(), "true".into())
    );
}

#[test]
fn without_the_extension_a_call_stays_a_call_or_is_refused() {
    let mut play = with(vec![result("{}")]);
    let came = ask(&mut play, "{}", 1, "tools/call", r#""name":"a""#);
    assert_eq!(at(&came[0], "/result/resultType"), "\"complete\"", "CA-023");
    let came = ask(&mut play, BOTH, 2, "prompts/get", r#""name":"a""#);
    assert_eq!(at(&came[0], "/result/resultType"), "\"complete\"", "RT-006");
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let came = ask(&mut play, "{}", 3, method, r#""taskId":"x""#);
        assert_eq!(at(&came[0], "/error/code"), "-32021", "TE-009: {method}");
        let needed = r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;
        assert_eq!(at(&came[0], "/error/data/requiredCapabilities"), needed);
        let came = ask(&mut play, BOTH, 4, method, r#""taskId":"x","inputResponses":{}"#);
        assert_eq!(at(&came[0], "/error/code"), "-32602", "TE-008: {method}");
    }
    for method in ["tasks/result", "tasks/list"] {
        let came = ask(&mut play, BOTH, 5, method, r#""taskId":"x""#);
        assert_eq!(at(&came[0], "/error/code"), "-32601", "TE-010: {method}");
    }
    let tool = r#"{"name":"a","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}"#;
    let steps = vec![Step::Task(Task::default()), result("{}")];
    let mut play = Play::stdio(Book::new().rule("tools/call", steps).item(Kind::Tools, tool));
    let came = ask(&mut play, "{}", 1, "tools/call", r#""name":"a""#);
    assert_eq!(at(&came[0], "/error/code"), "-32021", "TE-009");
}

#[test]
fn rounds_come_before_the_task_and_its_result_knows_them() {
    let steps = vec![elicit("who"), Step::Task(Task::default()), result(r#"{"done":true}"#)];
    let mut play = Play::stdio(Book::new().rule("tools/call", steps));
    let round = ask(&mut play, BOTH, 1, "tools/call", r#""name":"a""#);
    assert!(!round[0].contains("taskId"));
    let state = at(&round[0], "/result/requestState");
    let given = format!(r#""name":"a","inputResponses":{{"who":{{"action":"decline"}}}},"requestState":{state}"#);
    let created = ask(&mut play, BOTH, 2, "tools/call", &given);
    assert_eq!(at(&created[0], "/result/resultType"), "\"task\"");
    assert!(!created[0].contains("requestState"), "TE-004");
}

#[test]
fn who_listens_is_told_of_each_state() {
    let mut play = with(vec![wait(5), elicit("a"), result(r#"{"done":true}"#)]);
    let task = begin(&mut play);
    let id = task.trim_start_matches(r#""taskId":"#).to_owned();
    let ack =
        ask(&mut play, BOTH, 2, "subscriptions/listen", &format!(r#""notifications":{{"taskIds":[{id},"none"]}}"#));
    assert_eq!(at(&ack[0], "/params/notifications/taskIds"), format!("[{id}]"));
    play.run("+ 5");
    let told = play.messages();
    assert_eq!(at(&told[0], "/method"), "\"notifications/tasks\"", "TE-017");
    assert_eq!(at(&told[0], "/params/inputRequests/a/method"), "\"elicitation/create\"");
    assert!(told[0].contains(r#""io.modelcontextprotocol/subscriptionId":2"#));
    let update = format!(r#"{task},"inputResponses":{{"a":{{"action":"decline"}}}}"#);
    let told = ask(&mut play, BOTH, 3, "tasks/update", &update);
    assert_eq!(at(&told[1], "/params/status"), "\"working\"");
    assert_eq!(at(&told[2], "/params/result/done"), "true");
}

#[test]
fn a_cancelled_task_stays_so_and_nothing_more_is_done() {
    let mut play = with(vec![wait(5), result("{}")]);
    let task = begin(&mut play);
    ask(&mut play, BOTH, 2, "tasks/cancel", &task);
    play.run("+ 10");
    play.silent();
    assert_eq!(at(&ask(&mut play, BOTH, 3, "tasks/get", &task)[0], "/result/status"), "\"cancelled\"");
}
