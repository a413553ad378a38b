//! Who is told of changes: SU-001 … SU-014, CA-007, CA-008, CN-009, and each session once on one stream.

use super::book::{Book, result};
use super::script::Play;
use crate::peer::server::{Kind, Settings, Step};

const M: &str = concat!(
    r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
    r#""io.modelcontextprotocol/clientCapabilities":{}}"#
);

#[test]
fn the_acknowledgement_comes_first_and_only_what_was_asked_for_follows() {
    let mut play = Play::stdio(Book::new());
    play.run(&format!(
        r#"
        1< {{$R,"id":1,"method":"subscriptions/listen","params":{{{M},"notifications":{{"toolsListChanged":true}}}}}}
        1> {{$R,"method":"notifications/subscriptions/acknowledged","params":{{"notifications":{{"toolsListChanged":true}},"_meta":{{"io.modelcontextprotocol/subscriptionId":1}}}}}}
        = listening 1: to {{"toolsListChanged":true}}
        1< {{$R,"id":"1","method":"subscriptions/listen","params":{{{M},"notifications":{{"resourceSubscriptions":["file:///a"]}}}}}}
        1> {{$R,"method":"notifications/subscriptions/acknowledged","params":{{"notifications":{{"resourceSubscriptions":["file:///a"]}},"_meta":{{"io.modelcontextprotocol/subscriptionId":"1"}}}}}}
        = listening 1: to {{"resourceSubscriptions":["file:///a"]}}
        ! changed tools
        1> {{$R,"method":"notifications/tools/list_changed","params":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":1}}}}}}
        = note: notifications/tools/list_changed went to one client
        ! updated file:///a/b
        1> {{$R,"method":"notifications/resources/updated","params":{{"uri":"file:///a/b","_meta":{{"io.modelcontextprotocol/subscriptionId":"1"}}}}}}
        = note: notifications/resources/updated went to one client
        ! changed prompts
        = note: notifications/prompts/list_changed went to nobody: no client is to be told of it
        ! updated file:///ab
        = note: notifications/resources/updated went to nobody: no client is to be told of it
        1< {{$R,"method":"notifications/cancelled","params":{{"requestId":"1"}}}}
        = listening 1: no more
        = ended 2: cancelled
        ! updated file:///a
        = note: notifications/resources/updated went to nobody: no client is to be told of it
        ! end
        1> {{$R,"id":1,"result":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":1,"io.modelcontextprotocol/serverInfo":{{"name":"s","version":"1"}}}},"resultType":"complete"}}}}
        1> {{$R,"method":"notifications/cancelled","params":{{"requestId":1,"reason":"the subscription is over"}}}}
        = listening 1: no more: the server ended it"#
    ));
    play.silent();
}

#[test]
fn over_http_the_response_is_the_subscription() {
    let mut play = Play::new(Settings::default(), Book::new());
    play.run("@ join 1 http\n~");
    play.run(&format!(
        r#"
        # mirror
        1/1< {{$R,"id":7,"method":"subscriptions/listen","params":{{{M},"notifications":{{"toolsListChanged":true}}}}}}
        1/1> {{$R,"method":"notifications/subscriptions/acknowledged","params":{{"notifications":{{"toolsListChanged":true}},"_meta":{{"io.modelcontextprotocol/subscriptionId":7}}}}}}
        = listening 1: to {{"toolsListChanged":true}}
        ! changed tools
        1/1> {{$R,"method":"notifications/tools/list_changed","params":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":7}}}}}}
        ~
        # mirror
        1/2< {{$R,"id":8,"method":"subscriptions/listen","params":{{{M},"notifications":{{}}}}}}
        ~
        @ gone 1
        = listening 1: no more
        = ended 1: cancelled
        ! changed tools
        = note: notifications/tools/list_changed went to nobody: no client is to be told of it
        ! end
        1/2> {{$R,"id":8,"result":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":8,"io.modelcontextprotocol/serverInfo":{{"name":"s","version":"1"}}}},"resultType":"complete"}}}}
        = listening 1: no more: the server ended it
        = done 2"#
    ));
    play.silent();
}

#[test]
fn a_filter_of_the_wrong_shape_is_refused() {
    let mut play = Play::stdio(Book::new());
    for (filter, code) in [
        (r#""notifications":[]"#, -32602),
        (r#""x":1"#, -32602),
        (r#""notifications":{"toolsListChanged":"yes"}"#, -32602),
        (r#""notifications":{"taskIds":["t"]}"#, -32021),
    ] {
        play.run(&format!(r#"1< {{$R,"id":1,"method":"subscriptions/listen","params":{{{M},{filter}}}}}"#));
        let came = play.came();
        assert!(came.contains(&format!(r#""code":{code}"#)), "SU-001, SU-017: {filter}: {came}");
        play.run("~");
    }
}

#[test]
fn sessions_are_told_of_lists_and_of_what_they_subscribed_to() {
    let book = Book::new().rule("tools/call", vec![Step::Changed(Kind::Templates), result("{}")]);
    let mut play = Play::new(Settings::default(), book);
    for client in [1, 2] {
        play.run(&format!("@ join {client} stdio\n~"));
        play.greet(client, "2025-06-18");
    }
    // It did not say that it is ready.
    play.run("@ join 3 stdio\n~");
    play.run(r#"3< {$R,"id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",$I}}"#).run("~");
    play.run(
        r#"
        ! changed tools
        1> {$R,"method":"notifications/tools/list_changed"}
        2> {$R,"method":"notifications/tools/list_changed"}
        = note: notifications/tools/list_changed went to 2 clients
        1< {$R,"id":1,"method":"resources/subscribe","params":{"uri":"test://a"}}
        = listening 1: to test://a
        1> {$R,"id":1,"result":{}}
        ! updated test://a
        1> {$R,"method":"notifications/resources/updated","params":{"uri":"test://a"}}
        = note: notifications/resources/updated went to one client
        1< {$R,"id":2,"method":"resources/unsubscribe","params":{"uri":"test://a"}}
        = listening 1: no more to test://a
        1> {$R,"id":2,"result":{}}
        ! updated test://a
        = note: notifications/resources/updated went to nobody: no client is to be told of it
        1< {$R,"id":3,"method":"resources/subscribe","params":{}}
        1> {$R,"id":3,"error":{"code":-32602,"message":"params.uri is no string"}}
        2< {$R,"id":1,"method":"tools/call","params":{"name":"a"}}
        1> {$R,"method":"notifications/resources/list_changed"}
        2> {$R,"method":"notifications/resources/list_changed"}
        = note: notifications/resources/list_changed went to 2 clients
        2> {$R,"id":1,"result":{}}"#,
    );
    play.silent();
}

#[test]
fn what_is_not_declared_is_not_told_of() {
    let mut book = Book::new();
    book.about.legacy = r#"{"tools":{}}"#.to_owned();
    book.about.modern = r#"{"tools":{}}"#.to_owned();
    let mut play = Play::legacy(book, "2025-11-25");
    play.run(&format!(
        r#"
        1< {{$R,"id":1,"method":"subscriptions/listen","params":{{{M},"notifications":{{"toolsListChanged":true}}}}}}
        1> {{$R,"method":"notifications/subscriptions/acknowledged","params":{{"notifications":{{}},"_meta":{{"io.modelcontextprotocol/subscriptionId":1}}}}}}
        = listening 1: to {{}}
        ! changed tools
        = note: notifications/tools/list_changed went to nobody: no client is to be told of it
        1< {{$R,"id":2,"method":"resources/subscribe","params":{{"uri":"test://a"}}}}"#
    ));
    assert!(play.came().contains(r#""code":-32601"#), "CA-008");
    play.run("~");
}

#[test]
fn another_script_tells_of_the_lists_that_differ() {
    let mut play = Play::legacy(Book::new().tool("a").item(Kind::Prompts, r#"{"name":"p"}"#), "2025-11-25");
    let next = Book::new().tool("b").item(Kind::Prompts, r#"{"name":"p"}"#);
    let next = next.item(Kind::Templates, r#"{"name":"t","uriTemplate":"x://{y}"}"#);
    play.server.replace(0, Box::new(next.item(Kind::Resources, r#"{"name":"r","uri":"x://1"}"#)));
    play.collect();
    play.run(
        r#"
        1> {$R,"method":"notifications/tools/list_changed"}
        = note: notifications/tools/list_changed went to one client
        1> {$R,"method":"notifications/resources/list_changed"}
        = note: notifications/resources/list_changed went to one client"#,
    );
    play.silent();
}
