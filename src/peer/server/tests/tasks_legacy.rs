//! Tasks of 2025-11-25: TD-001 … TD-018, CA-020, CA-022, CN-006.

use super::book::{Book, elicit, error, fixed, result, wait};
use super::script::{Play, at};
use crate::peer::server::{Kind, Settings, Step, Task};

const TOOLS: [(&str, &str); 3] = [("never", "forbidden"), ("may", "optional"), ("must", "required")];

/// A server with a tool of each kind, all of which do this; client 1 is greeted and can be asked for forms.
fn with(steps: Vec<Step>) -> Play {
    let mut book = Book::new().rule("tools/call", steps);
    for (name, support) in TOOLS {
        let tool = format!(
            r#"{{"name":"{name}","inputSchema":{{"type":"object"}},"execution":{{"taskSupport":"{support}"}}}}"#
        );
        book = book.item(Kind::Tools, &tool);
    }
    book.about.page = Some(2);
    let mut play = Play::new(Settings::default(), book);
    play.run("@ join 1 stdio\n~");
    play.run(
        r#"
        1< {$R,"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"t"}}}
        ~
        1< {$R,"method":"notifications/initialized"}
        ~"#,
    );
    play
}

fn call(play: &mut Play, id: u64, method: &str, params: &str) -> Vec<String> {
    play.run(&format!(r#"1< {{$R,"id":{id},"method":"{method}","params":{{{params}}}}}"#));
    play.messages()
}

/// Makes a task of the tool `may`, and gives its id as JSON text.
fn begin(play: &mut Play) -> String {
    let came = call(play, 1, "tools/call", r#""name":"may","task":{"ttl":60000}"#);
    at(&came[0], "/result/task/taskId")
}

#[test]
fn a_call_that_asks_for_a_task_gets_one_and_the_result_waits_for_it() {
    let mut play = with(vec![wait(5), Step::Status(fixed("half way")), wait(5), result(r#"{"content":[]}"#)]);
    let created = call(&mut play, 1, "tools/call", r#""name":"may","task":{"ttl":60000}"#);
    assert_eq!(created.len(), 1);
    assert_eq!(at(&created[0], "/result/task/status"), "\"working\"", "TD-001, TD-003");
    assert_eq!(at(&created[0], "/result/task/ttl"), "60000");
    let id = at(&created[0], "/result/task/taskId");
    let task = format!(r#""taskId":{id}"#);
    let got = call(&mut play, 2, "tasks/get", &task);
    assert_eq!(at(&got[0], "/result/taskId"), id);
    assert!(call(&mut play, 3, "tasks/result", &task).is_empty(), "TD-008");
    play.run("+ 5");
    let told = play.messages();
    assert_eq!(at(&told[0], "/method"), "\"notifications/tasks/status\"");
    assert_eq!(at(&told[0], "/params/statusMessage"), "\"half way\"");
    assert!(!told[0].contains("related-task"), "TD-007");
    play.run("+ 5");
    let told = play.messages();
    assert_eq!(at(&told[0], "/params/status"), "\"completed\"");
    assert_eq!((at(&told[1], "/id"), at(&told[1], "/result/content")), ("3".to_owned(), "[]".to_owned()));
    assert!(told[1].contains(&format!(r#""io.modelcontextprotocol/related-task":{{{task}}}"#)), "TD-006: {}", told[1]);
    // What came of it can be had again, until its time is over.
    assert_eq!(call(&mut play, 4, "tasks/result", &task).len(), 1);
    play.run("+ 51").run("~");
    assert_eq!(at(&call(&mut play, 5, "tasks/get", &task)[0], "/error/code"), "-32602", "TD-010");
}

#[test]
fn tools_say_whether_they_are_called_so() {
    let mut play = with(vec![result("{}")]);
    for (params, expected) in [
        (r#""name":"never","task":{}"#, "-32601"),
        (r#""name":"must""#, "-32601"),
        (r#""name":"never""#, ""),
        (r#""name":"may""#, ""),
    ] {
        let came = call(&mut play, 1, "tools/call", params);
        assert_eq!(at(&came[0], "/error/code"), expected, "TD-011, TD-012: {params}");
        assert!(!came[0].contains("taskId"));
    }
    assert!(call(&mut play, 1, "tools/call", r#""name":"must","task":{}"#)[0].contains(r#""result":{"task":{"#));
}

#[test]
fn a_server_that_declares_no_tasks_passes_them_over() {
    let mut book = Book::new().rule("tools/call", vec![Step::Task(Task::default()), result("{}")]).tool("a");
    book.about.legacy = r#"{"tools":{}}"#.to_owned();
    let mut play = Play::legacy(book, "2025-11-25");
    play.run(
        r#"
        1< {$R,"id":1,"method":"tools/call","params":{"name":"a","task":{}}}
        = note 2: the call did not become a task: this server declares no tasks for the revision
        1> {$R,"id":1,"result":{}}
        1< {$R,"id":2,"method":"tasks/list"}
        1> {$R,"id":2,"error":{"code":-32601,"message":"this server does not declare tasks.list, which tasks/list needs"}}"#,
    );
}

#[test]
fn what_it_asks_goes_to_who_waits_for_its_result() {
    let mut play = with(vec![elicit("who"), result(r#"{"content":[],"isError":true}"#)]);
    let came = call(&mut play, 1, "tools/call", r#""name":"may","task":{}"#);
    assert_eq!(came.len(), 2, "nothing is asked before somebody waits: {came:#?}");
    assert_eq!(at(&came[1], "/params/status"), "\"input_required\"");
    let id = at(&came[0], "/result/task/taskId");
    let task = format!(r#""taskId":{id}"#);
    let asked = call(&mut play, 2, "tasks/result", &task);
    assert_eq!(at(&asked[0], "/method"), "\"elicitation/create\"");
    assert!(asked[0].contains(&format!(r#""io.modelcontextprotocol/related-task":{{{task}}}"#)), "TD-006");
    let number = at(&asked[0], "/id");
    play.run(&format!(r#"1< {{$R,"id":{number},"result":{{"action":"decline"}}}}"#));
    let came = play.messages();
    assert_eq!(at(&came[0], "/params/status"), "\"working\"", "TD-004");
    assert_eq!(at(&came[1], "/params/status"), "\"failed\"", "TD-015");
    assert_eq!((at(&came[2], "/id"), at(&came[2], "/result/isError")), ("2".to_owned(), "true".to_owned()));
}

#[test]
fn a_task_is_cancelled_by_its_own_request_only() {
    let mut play = with(vec![wait(5), result("{}")]);
    let id = begin(&mut play);
    let task = format!(r#""taskId":{id}"#);
    play.run(r#"1< {$R,"method":"notifications/cancelled","params":{"requestId":1}}"#).run("~");
    assert!(call(&mut play, 2, "tasks/result", &task).is_empty());
    let came = call(&mut play, 3, "tasks/cancel", &task);
    assert_eq!(at(&came[0], "/params/status"), "\"cancelled\"");
    assert_eq!(at(&came[1], "/result/status"), "\"cancelled\"", "TD-009");
    assert_eq!((at(&came[2], "/id"), at(&came[2], "/error/code")), ("2".to_owned(), "-32603".to_owned()));
    play.run("+ 10");
    play.silent();
    assert_eq!(at(&call(&mut play, 4, "tasks/cancel", &task)[0], "/error/code"), "-32602", "TD-009");
    assert_eq!(at(&call(&mut play, 5, "tasks/get", &task)[0], "/result/status"), "\"cancelled\"");
}

#[test]
fn an_error_is_what_the_result_is() {
    let mut play = with(vec![error(r#"{"code":-7,"message":"broke"}"#)]);
    let id = begin(&mut play);
    let came = call(&mut play, 2, "tasks/result", &format!(r#""taskId":{id}"#));
    assert_eq!(at(&came[0], "/error"), r#"{"code":-7,"message":"broke"}"#, "TD-008");
}

#[test]
fn tasks_are_listed_in_pages_to_those_whose_they_are() {
    let mut play = with(vec![wait(5), result("{}")]);
    for id in 1..=3 {
        call(&mut play, id, "tools/call", r#""name":"may","task":{}"#);
    }
    let first = call(&mut play, 4, "tasks/list", "");
    assert_eq!(at(&first[0], "/result/tasks/2"), "");
    let cursor = at(&first[0], "/result/nextCursor");
    let second = call(&mut play, 5, "tasks/list", &format!(r#""cursor":{cursor}"#));
    assert!(!at(&second[0], "/result/tasks/0/taskId").is_empty(), "TD-014");
    assert_eq!(at(&call(&mut play, 6, "tasks/list", r#""cursor":"x""#)[0], "/error/code"), "-32602", "TD-010");
    play.run("@ join 2 stdio\n~");
    play.greet(2, "2025-11-25");
    play.run(r#"2< {$R,"id":1,"method":"tasks/list"}"#);
    assert_eq!(at(&play.messages()[0], "/result/tasks"), "[]");
}
