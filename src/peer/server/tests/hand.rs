//! Requests that a person or the real server answers, misses, and what the script does by itself.

use super::book::Book;
use super::script::Play;
use crate::peer::server::{Kind, MissPolicy, Order, Settings};

fn missing(policy: MissPolicy) -> Play {
    let mut book = Book::new();
    book.misses = true;
    let mut play = Play::new(Settings { miss: policy, ..Settings::default() }, book);
    play.run("@ join 1 stdio\n~");
    play.greet(1, "2025-11-25");
    play
}

const CALL: &str = r#"1< {$R,"id":1,"method":"tools/call","params":{"name":"a","arguments":{"a":2}}}"#;

#[test]
fn a_miss_names_what_comes_nearest() {
    let mut play = missing(MissPolicy::Error);
    play.run(CALL).run(
        r#"
        = missed 2: no rule answers this
        1> {$R,"id":1,"error":{"code":-32603,"message":"no rule answers this; the nearest is rule 1, which at \"/arguments/a\" wants 1 where 2 came"}}"#,
    );
    play.silent();
}

#[test]
fn a_person_answers_in_pieces_and_the_script_learns_the_whole() {
    let mut play = missing(MissPolicy::ByHand);
    play.run(CALL).run(
        r#"
        = missed 2: no rule answers this
        = waiting 2
        ! part 2 1
        = note 2: progress was left out: the client gave no progressToken
        = waiting 2
        ! answer 2 {"content":[]}
        1> {$R,"id":1,"result":{"content":[]}}
        ! answer 2 {}
        = note 2: it is over, and cannot be answered any more
        1< {$R,"id":2,"method":"tools/call","params":{"name":"a"}}
        = note 3: progress was left out: the client gave no progressToken
        1> {$R,"id":2,"result":{"content":[]}}"#,
    );
    play.silent();
}

#[test]
fn what_waits_can_be_let_go_dropped_or_cancelled() {
    let mut play = missing(MissPolicy::ByHand);
    play.run(CALL).run(
        "= missed 2: no rule answers this
        = waiting 2
        ! letgo 2
        = missed 2: no rule answers this
        ~",
    );
    play.run(CALL).run(
        "= missed 3: no rule answers this
        = waiting 3
        ! drop 3
        = ended 3: dropped by hand, never answered
        ! drop 3",
    );
    play.run(CALL).run(
        r#"
        = missed 4: no rule answers this
        = waiting 4
        1< {$R,"method":"notifications/cancelled","params":{"requestId":1}}
        = ended 4: cancelled"#,
    );
    play.silent();
}

#[test]
fn which_requests_wait_for_a_person_can_be_set() {
    let mut play = Play::legacy(Book::new().tool("a"), "2025-11-25");
    play.run(
        r#"
        ! hand calls
        1< {$R,"id":1,"method":"tools/list"}
        ~
        1< {$R,"id":2,"method":"tools/call","params":{"name":"a"}}
        = waiting 3
        ! error 3 {"code":-1,"message":"no"}
        1> {$R,"id":2,"error":{"code":-1,"message":"no"}}
        ! hand tools/call b,ping
        1< {$R,"id":3,"method":"tools/call","params":{"name":"a"}}
        1> {$R,"id":3,"error":{"code":-32603,"message":"the tool a is listed, but nothing says what it answers"}}
        1< {$R,"id":4,"method":"ping"}
        = waiting 5
        ! letgo 5
        1> {$R,"id":4,"result":{}}
        1< {$R,"id":5,"method":"tools/call","params":{"name":"b"}}
        = waiting 6
        ! hand everything
        1< {$R,"id":6,"method":"tools/list"}
        = waiting 7
        ! letgo 7
        ~
        ! answer 3 {}
        = note 3: it is over, and cannot be answered any more"#,
    );
    play.silent();
}

#[test]
fn the_real_server_is_asked_and_what_it_says_is_learnt() {
    let mut play = missing(MissPolicy::Pass);
    play.run(CALL).run(
        r#"
        = missed 2: no rule answers this
        = pass 2 {$R,"id":1,"method":"tools/call","params":{"name":"a","arguments":{"a":2}}}
        ! answer 2 {"content":[1]}
        1> {$R,"id":1,"result":{"content":[1]}}
        1< {$R,"id":2,"method":"tools/call","params":{"name":"a"}}
        1> {$R,"id":2,"result":{"content":[1]}}"#,
    );
    play.silent();
}

#[test]
fn a_script_does_things_by_itself_when_they_are_due() {
    let mut book = Book::new();
    book.orders.push((2_000_000_000, Order::Changed(Kind::Tools)));
    book.orders.push((5_000_000_000, Order::Raw(None, b"odd".to_vec().into())));
    let mut play = Play::legacy(book, "2025-11-25");
    assert_eq!(play.server.wakes_at(), Some(2_000_000_000));
    play.run(
        r#"
        + 1
        + 1
        1> {$R,"method":"notifications/tools/list_changed"}
        = note: notifications/tools/list_changed went to one client
        + 3
        = raw 1 odd"#,
    );
    assert_eq!(play.server.wakes_at(), None);
}

#[test]
fn what_is_sent_is_one_line() {
    let mut play =
        Play::legacy(Book::new().rule("ping", vec![super::book::result("{\n\"a\": \"b\"\r\n}")]), "2025-11-25");
    play.run("1< {$R,\"id\":1,\"method\":\"ping\"}\n1> {$R,\"id\":1,\"result\":{ \"a\": \"b\"  }}");
}
