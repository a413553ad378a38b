//! The handshake of the legacy era: LC-001 … LC-006, LC-011, LC-013, EC-025, JR-021, HL-020 … HL-023, CN-004.

use super::book::{Book, result};
use super::script::Play;
use crate::model::Revision;
use crate::peer::server::Settings;

/// A handshake in this revision, and which is answered.
fn agreed(settings: Settings, asked: &str) -> String {
    let mut play = Play::new(settings, Book::new());
    play.run("@ join 1 stdio");
    play.run(&format!(r#"1< {{$R,"id":1,"method":"initialize","params":{{"protocolVersion":"{asked}",$I}}}}"#));
    play.came()
}

fn only(revisions: &[Revision]) -> Settings {
    Settings { revisions: revisions.to_vec(), ..Settings::default() }
}

#[test]
fn a_revision_that_is_spoken_is_echoed_and_else_the_newest_with_a_handshake_is_offered() {
    for known in &Revision::KNOWN[..4] {
        assert!(agreed(Settings::default(), known.text()).contains(&format!(r#""protocolVersion":"{known}""#)));
    }
    for unknown in ["2026-07-28", "2025-01-01", "1.0", "2099-01-01", ""] {
        let came = agreed(Settings::default(), unknown);
        assert!(came.contains(r#""result":{"protocolVersion":"2025-11-25""#), "{unknown}: {came}");
    }
    let two = only(&[Revision::V2024_11_05, Revision::V2025_03_26]);
    assert!(agreed(two, "2025-11-25").contains(r#""protocolVersion":"2025-03-26""#));
}

#[test]
fn who_shakes_hands_is_known_and_told_what_the_server_is() {
    let mut book = Book::new();
    book.about.legacy = r#"{"tools":{}}"#.to_owned();
    book.about.instructions = Some("be kind".to_owned());
    let mut play = Play::new(Settings::default(), book);
    play.loud = true;
    play.run(
        r#"
        @ join 1 stdio
        = joined 1 Stdio
        1< {$R,"id":"a","method":"initialize","params":{"protocolVersion":"2025-06-18",$I}}
        = asked 1 by 1 "a" initialize legacy
        = matched 1: the protocol
        = known 1 legacy 2025-06-18 as {"name":"t"}
        1> {$R,"id":"a","result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"},"instructions":"be kind"}}
        = ended 1: result
        1< {$R,"method":"notifications/initialized"}
        = notified 1 notifications/initialized
        1< {$R,"id":1,"method":"ping"}
        = asked 2 by 1 1 ping legacy
        = matched 2: the protocol
        1> {$R,"id":1,"result":{}}
        = ended 2: result
        @ left 1
        = left 1: it went"#,
    );
    play.silent();
}

#[test]
fn hosts_that_speak_too_early_are_answered_and_it_is_told_once() {
    let mut play = Play::stdio(Book::new());
    play.run(
        r#"
        1< {$R,"id":1,"method":"ping"}
        1> {$R,"id":1,"result":{}}
        1< {$R,"id":2,"method":"tools/list"}
        = note: client 1: tools/list came before initialize; it is answered all the same (LC-001)
        1> {$R,"id":2,"result":{"tools":[]}}
        1< {$R,"id":3,"method":"prompts/list"}
        1> {$R,"id":3,"result":{"prompts":[]}}
        1< {$R,"id":4,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}
        = note: client 1: initialize lacks clientInfo or capabilities; it is answered all the same (LC-002)
        ~
        1< {$R,"id":5,"method":"tools/list"}
        = note: client 1: tools/list came before notifications/initialized; it is answered all the same (LC-006)
        1> {$R,"id":5,"result":{"tools":[]}}
        1< {$R,"method":"notifications/initialized"}
        1< {$R,"id":6,"method":"initialize","params":{"protocolVersion":"2025-03-26",$I}}
        = note: client 1: a second initialize; what it says counts from now on (LC-011)
        ~
        1< [{$R,"id":7,"method":"ping"}]
        1> [{$R,"id":7,"result":{}}]"#,
    );
    play.silent();
}

#[test]
fn an_initialize_that_says_nothing_is_refused() {
    let mut play = Play::stdio(Book::new());
    for params in ["", r#","params":{}"#, r#","params":{"protocolVersion":20251125}"#] {
        play.run(&format!(
            r#"
            1< {{$R,"id":1,"method":"initialize"{params}}}
            1> {{$R,"id":1,"error":{{"code":-32602,"message":"params.protocolVersion is no string (LC-002)","data":{{"supported":["2024-11-05","2025-03-26","2025-06-18","2025-11-25"]}}}}}}"#
        ));
    }
    play.run(
        r#"
        1< {$R,"id":1,"method":"tools/list","params":[1]}
        1> {$R,"id":1,"error":{"code":-32602,"message":"params must be an object, not a list (JR-015)"}}
        1< [{$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26",$I}}]
        1> [{$R,"id":1,"error":{"code":-32600,"message":"initialize must not be in a batch (JR-021)"}}]"#,
    );
    play.silent();
}

#[test]
fn the_answer_of_a_script_decides_which_revision_is_spoken() {
    let odd = r#"{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"x"}}"#;
    let mut play = Play::stdio(Book::new().rule("initialize", vec![result(odd)]));
    play.loud = true;
    play.run(
        r#"
        1< {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",$I}}
        = asked 1 by 1 1 initialize legacy
        = matched 1: rule 1 time 1
        = known 1 legacy 2025-06-18 as {"name":"t"}
        ~
        1< {$R,"id":2,"method":"tasks/list"}
        ~"#,
    );
}

#[test]
fn a_server_without_the_legacy_era_names_what_it_speaks() {
    let mut play = Play::new(only(&[Revision::V2026_07_28]), Book::new());
    play.run(
        r#"
        @ join 1 stdio
        1< {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",$I}}
        1> {$R,"id":1,"error":{"code":-32022,"message":"this revision is not spoken here; these are: 2026-07-28","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}}}
        1< {$R,"id":2,"method":"tools/list"}
        1> {$R,"id":2,"error":{"code":-32602,"message":"params._meta lacks io.modelcontextprotocol/protocolVersion (ME-005)"}}
        @ join 2 http
        2/1< {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",$I}}
        2/1 400> {$R,"id":1,"error":{"code":-32022,"message":"this revision is not spoken here; these are: 2026-07-28","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}}}
        = done 1"#,
    );
    play.silent();
}

#[test]
fn a_server_without_the_modern_era_knows_nothing_of_it() {
    let mut play = Play::new(only(&Revision::KNOWN[..4]), Book::new());
    play.run(
        r#"
        @ join 1 stdio
        1< {$R,"id":1,"method":"server/discover","params":{"_meta":{$M}}}
        1> {$R,"id":1,"error":{"code":-32601,"message":"2025-11-25 has no request server/discover of clients"}}
        @ join 2 http
        # mirror
        2/1< {$R,"id":1,"method":"server/discover","params":{"_meta":{$M}}}
        2/1 400> {$R,"id":1,"error":{"code":-32601,"message":"2025-03-26 has no request server/discover of clients"}}
        = done 1
        # mirror
        2/2< {$R,"id":2,"method":"tools/list","params":{"_meta":{$M}}}
        2/2 400> {$R,"id":2,"error":{"code":-32600,"message":"MCP-Protocol-Version \"2026-07-28\" is not spoken here; these are: 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25"}}
        = done 2"#,
    );
    play.silent();
}

#[test]
fn the_version_field_of_a_session_is_checked() {
    let mut play = Play::new(Settings::default(), Book::new());
    play.run(
        r#"
        @ join 1 http
        1/1< {$R,"id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",$I}}
        ~
        # mcp-protocol-version: 2025-06-18
        1/2< {$R,"method":"notifications/initialized"}
        = done 2
        # mcp-protocol-version: 2025-06-18
        1/3< {$R,"id":2,"method":"ping"}
        1/3> {$R,"id":2,"result":{}}
        = done 3
        1/4< {$R,"id":3,"method":"ping"}
        1/4> {$R,"id":3,"result":{}}
        = done 4
        # mcp-protocol-version: 2025-11-25
        1/5< {$R,"id":4,"method":"ping"}
        = note: client 1: MCP-Protocol-Version is 2025-11-25, but 2025-06-18 was agreed upon (HL-021)
        ~
        # mcp-protocol-version: 1.0
        1/6< {$R,"id":5,"method":"ping"}
        1/6 400> {$R,"id":5,"error":{"code":-32600,"message":"MCP-Protocol-Version \"1.0\" is not spoken here; these are: 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28"}}
        = done 6
        # mcp-protocol-version: 1.0
        1/7< {$R,"method":"notifications/roots/list_changed"}
        = stray: MCP-Protocol-Version "1.0" is not spoken here; these are: 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28
        1/7 400> {$R,"error":{"code":-32600,"message":"MCP-Protocol-Version \"1.0\" is not spoken here; these are: 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28"}}
        = done 7"#,
    );
    play.silent();
}
