//! Elicitation by URL as an error and its end: EC-003, EC-005 … EC-007, EL-003, EL-017; and notifications that an era does
//! not have or only tells those who listen.

use super::book::{Book, fixed, result};
use super::script::{Play, at};
use crate::peer::server::{Step, Text};

const ERROR: &str = concat!(
    r#"{"code":-32042,"message":"?","data":{"elicitations":[{"mode":"url","elicitationId":"e1","#,
    r#""url":"https://x.test/{{nth}}","message":"go there"}]}}"#
);

fn url_error() -> Step {
    Step::Error { error: Text::Template(ERROR.as_bytes().into()), id: None }
}

/// A call of `a` in 2026-07-28 by a client that can do this.
fn modern(id: u64, can: &str, more: &str) -> String {
    let meta = format!(
        r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{can}"#
    );
    format!(r#"1< {{$R,"id":{id},"method":"tools/call","params":{{"name":"a"{more},"_meta":{{{meta}}}}}}}"#)
}

#[test]
fn the_error_is_a_round_where_there_is_no_such_error() {
    let mut play = Play::stdio(Book::new().rule("tools/call", vec![url_error()]));
    let can = r#"{"elicitation":{"url":{}}}"#;
    play.run(&modern(1, can, ""));
    let round = play.messages().remove(0);
    let asked = r#"{"mode":"url","url":"https://x.test/1","message":"go there"}"#;
    assert_eq!(at(&round, "/result/inputRequests/e1/params"), asked, "EC-003, EL-003");
    // The script is asked anew, as it is when a legacy client calls once more.
    let state = at(&round, "/result/requestState");
    play.run(&modern(2, can, &format!(r#","inputResponses":{{"e1":{{"action":"accept"}}}},"requestState":{state}"#)));
    let round = play.messages().remove(0);
    assert_eq!(at(&round, "/result/inputRequests/e1/params/url"), "\"https://x.test/2\"");
    play.run(&modern(3, r#"{"elicitation":{}}"#, ""));
    let refused = play.messages().remove(0);
    assert_eq!(at(&refused, "/error/data/requiredCapabilities"), r#"{"elicitation":{"url":{}}}"#);
}

#[test]
fn in_its_own_revision_it_goes_out_and_what_is_wrong_about_it_is_told() {
    let mut play = Play::legacy(Book::new().rule("tools/call", vec![url_error()]), "2025-11-25");
    play.run(
        r#"
        1< {$R,"id":1,"method":"tools/call","params":{"name":"a"}}
        = note 2: -32042 was sent to a client that does not declare elicitation.url (EC-006)"#,
    );
    assert_eq!(at(&play.messages()[0], "/error/data/elicitations/0/elicitationId"), "\"e1\"", "EC-005");
    let mut play = Play::legacy(Book::new().rule("tools/call", vec![url_error()]), "2025-06-18");
    play.run(
        r#"
        1< {$R,"id":1,"method":"tools/call","params":{"name":"a"}}
        = note 2: -32042 is an error of 2025-11-25 only (EC-007)
        ~"#,
    );
}

#[test]
fn its_end_is_told_with_the_id_that_was_given_out() {
    let ask = Step::Ask {
        key: "u".to_owned(),
        method: "elicitation/create".to_owned(),
        params: Some(fixed(r#"{"mode":"url","message":"?","url":"https://x.test/"}"#)),
        forced: false,
    };
    let method = "notifications/elicitation/complete".to_owned();
    let complete = Step::Notify { method, params: None, loose: false };
    let mut play = Play::stdio(Book::new().rule("tools/call", vec![ask, complete, result("{}")]));
    play.run(
        r#"
        1< {$R,"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"url":{}}},"clientInfo":{"name":"t"}}}
        ~
        1< {$R,"method":"notifications/initialized"}
        ~
        1< {$R,"id":1,"method":"tools/call","params":{"name":"a"}}"#,
    );
    let id = at(&play.messages()[0], "/params/elicitationId");
    assert!(id.len() > 20, "EL-018: {id}");
    play.run(r#"1< {$R,"id":1,"result":{"action":"accept"}}"#);
    assert_eq!(at(&play.messages()[0], "/params/elicitationId"), id, "EL-017");
    play.run(&modern(2, r#"{"elicitation":{"url":{}}}"#, r#","inputResponses":{"u":{"action":"accept"}}"#));
    play.run(
        r#"
        = heard 3 u {"action":"accept"}
        = note 3: notifications/elicitation/complete was left out: 2026-07-28 has no such notification
        1> {$R,"id":2,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}}"#,
    );
}

#[test]
fn what_only_listeners_are_told_never_comes_on_another_way() {
    let method = "notifications/tools/list_changed".to_owned();
    let steps = vec![Step::Notify { method, params: None, loose: false }, result("{}")];
    let mut play = Play::stdio(Book::new().rule("tools/call", steps));
    play.run(&modern(1, "{}", ""));
    assert_eq!(play.messages().len(), 1, "SU-007");
    let listen = modern(2, "{}", r#","notifications":{"toolsListChanged":true}"#);
    play.run(&listen.replace("tools/call", "subscriptions/listen")).run("~");
    play.run(&modern(3, "{}", ""));
    assert!(play.messages()[0].contains(r#""io.modelcontextprotocol/subscriptionId":2"#));
    play.run("! notify 1 notifications/resources/updated {\"uri\":\"x://1\"}");
    assert_eq!(at(&play.messages()[0], "/params/uri"), "\"x://1\"", "by hand it comes, whatever was asked for");
}

#[test]
fn a_state_that_a_script_hands_out_itself_is_its_own_to_check() {
    let own = r#"{"resultType":"input_required","requestState":"mine"}"#;
    let mut play = Play::stdio(Book::new().rule("tools/call", vec![result(own)]));
    play.run(&modern(1, "{}", r#","requestState":"mine""#));
    assert_eq!(at(&play.messages()[0], "/error/code"), "-32602");
    play.run(&modern(2, "{}", ""));
    assert_eq!(at(&play.messages()[0], "/result/requestState"), "\"mine\"");
    play.run(&modern(3, "{}", r#","requestState":"mine""#));
    assert_eq!(at(&play.messages()[0], "/result/requestState"), "\"mine\"");
    play.run(&modern(4, "{}", r#","requestState":"yours""#));
    assert_eq!(at(&play.messages()[0], "/error/code"), "-32602");
}
