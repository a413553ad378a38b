//! Requests of 2026-07-28: ME-005, EC-010 … EC-015, HM-001 … HM-016, DI-001 … DI-003, LC-016, RT-001, CH-001, in the
//! order of 3.4 (HM-028).

use super::book::Book;
use super::script::Play;
use crate::peer::server::{Kind, Settings};

/// A tool whose argument `city` is repeated in a header field.
const WEATHER: &str = concat!(
    r#"{"name":"weather","inputSchema":{"type":"object","#,
    r#""properties":{"city":{"type":"string","x-mcp-header":"City"}}}}"#
);

fn http() -> Play {
    let mut play = Play::new(Settings::default(), Book::new().item(Kind::Tools, WEATHER).tool("plain"));
    play.run("@ join 1 http\n~");
    play
}

/// What is answered to a POST with these fields.
fn posted(fields: &[&str], frame: &str) -> String {
    let mut play = http();
    for field in fields {
        play.run(&format!("# {field}"));
    }
    play.run(&format!("1/1< {frame}"));
    let came = play.came();
    play.run("= done 1");
    play.silent();
    came
}

const LIST: &str = r#"{$R,"id":1,"method":"tools/list","params":{"_meta":{$M}}}"#;

#[test]
fn a_server_is_discovered_and_a_client_needs_no_handshake() {
    let mut play = Play::stdio(Book::new().tool("a"));
    play.run(
        r#"
        1< {$R,"id":1,"method":"server/discover","params":{"_meta":{$M}}}
        ~
        1< {$R,"id":2,"method":"tools/list","params":{"_meta":{$M}}}
        1> {$R,"id":2,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}}
        1< {$R,"id":3,"method":"tools/list"}
        1> {$R,"id":3,"error":{"code":-32602,"message":"params._meta lacks io.modelcontextprotocol/protocolVersion (ME-005)"}}
        1< {$R,"id":4,"method":"initialize","params":{"protocolVersion":"2025-11-25",$I}}
        ~
        1< {$R,"method":"notifications/initialized"}
        1< {$R,"id":5,"method":"tools/list"}
        1> {$R,"id":5,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}}
        1< {$R,"id":6,"method":"prompts/list","params":{"_meta":{$M}}}
        1> {$R,"id":6,"result":{"prompts":[],"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}}"#,
    );
    play.silent();
}

#[test]
fn what_discover_says_is_what_is_spoken() {
    let mut play = Play::stdio(Book::new());
    play.run(r#"1< {$R,"id":1,"method":"server/discover","params":{"_meta":{$M}}}"#);
    let came = play.came();
    for member in [
        r#""supportedVersions":["2026-07-28"]"#,
        r#""resultType":"complete""#,
        r#""ttlMs":0"#,
        r#""cacheScope":"private""#,
    ] {
        assert!(came.contains(member), "{member} in {came}");
    }
    assert!(!came.contains(r#""tasks":{"list""#), "CA-024: {came}");
}

#[test]
fn what_is_missing_or_disagrees_is_refused_in_the_order_of_the_specification() {
    let version = "mcp-protocol-version: 2026-07-28";
    let method = "mcp-method: tools/list";
    let code = |fields: &[&str], frame: &str| {
        let came = posted(fields, frame);
        let (start, rest) = came.split_once("> ").expect("a message");
        let code = rest.split_once(r#""code":"#).and_then(|(_, rest)| rest.split_once(','));
        format!("{start} {}", code.map_or("result", |(code, _)| code))
    };
    let bare = r#"{$R,"id":1,"method":"tools/list"}"#;
    let partly = r#"{$R,"id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
    let old = r#"{$R,"id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1999-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
    let future = old.replace("1999", "2099");
    let number = old.replace("\"1999-01-01\"", "20260728");
    let cases = [
        (&[version, method][..], LIST, "1/1 result"),
        (&[method], LIST, "1/1 400 -32020"),
        (&[version], LIST, "1/1 400 -32020"),
        (&[version, "mcp-method: Tools/list"], LIST, "1/1 400 -32020"),
        (&[version, "mcp-method: tools/list, tools/list"], LIST, "1/1 400 -32020"),
        (&["mcp-protocol-version: 2025-11-25", method], LIST, "1/1 400 -32020"),
        (&[version, method], bare, "1/1 400 -32602"),
        (&[version, method], partly, "1/1 400 -32602"),
        (&[version, method], &number, "1/1 400 -32602"),
        // A missing field comes before a missing member, and disagreement before an unknown revision.
        (&[version], bare, "1/1 400 -32020"),
        (&[version, method], old, "1/1 400 -32020"),
        (&["mcp-protocol-version: 1999-01-01", method], old, "1/1 400 -32022"),
        (&["mcp-protocol-version: 2099-01-01", method], &future, "1/1 400 -32022"),
        // The legacy era: no field of 2026-07-28, no member.
        (&[], bare, "1/1 result"),
        (&["mcp-protocol-version: 2025-11-25"], bare, "1/1 result"),
    ];
    for (fields, frame, expected) in cases {
        assert_eq!(code(fields, frame), expected, "{fields:?} {frame}");
    }
}

#[test]
fn an_unknown_revision_is_answered_with_those_that_are_spoken() {
    let mut play = Play::stdio(Book::new());
    play.run(
        r#"
        1< {$R,"id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}
        1> {$R,"id":1,"error":{"code":-32022,"message":"this revision is not spoken here; these are: 2026-07-28","data":{"supported":["2026-07-28"],"requested":"2099-01-01"}}}
        1< {$R,"id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25","io.modelcontextprotocol/clientCapabilities":{}}}}
        1> {$R,"id":2,"error":{"code":-32022,"message":"this revision is not spoken here; these are: 2026-07-28","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}}}"#,
    );
    play.silent();
}

#[test]
fn the_name_and_the_arguments_that_are_repeated_must_agree() {
    let call = |name: &str, arguments: &str| {
        format!(
            r#"{{$R,"id":1,"method":"tools/call","params":{{"name":"{name}","arguments":{arguments},"_meta":{{$M}}}}}}"#
        )
    };
    let (version, method) = ("mcp-protocol-version: 2026-07-28", "mcp-method: tools/call");
    let cases = [
        ("weather", r#"{"city":"Ulm"}"#, &["mcp-name: weather", "mcp-param-city: Ulm"][..], true),
        ("weather", r#"{"city":"Ulm"}"#, &["mcp-name: weather", "mcp-param-city: =?base64?VWxt?="], true),
        ("weather", r#"{"city":"Ulm"}"#, &["mcp-name: =?base64?d2VhdGhlcg==?=", "mcp-param-city: Ulm"], true),
        ("weather", r#"{"city":null}"#, &["mcp-name: weather"], true),
        // HM-010: what the tool did not announce is passed over.
        ("plain", r#"{"city":"Ulm"}"#, &["mcp-name: plain", "mcp-param-city: Bonn"], true),
        ("weather", r#"{"city":"Ulm"}"#, &["mcp-name: weather"], false),
        ("weather", r#"{"city":"Ulm"}"#, &["mcp-name: weather", "mcp-param-city: ulm"], false),
        ("weather", r#"{"city":"Ulm"}"#, &["mcp-name: weather", "mcp-param-city: =?base64?VWx?="], false),
        ("weather", "{}", &["mcp-name: weather", "mcp-param-city: Ulm"], false),
        ("weather", r#"{"city":"Ulm"}"#, &["mcp-param-city: Ulm"], false),
        ("weather", r#"{"city":"Ulm"}"#, &["mcp-name: Weather", "mcp-param-city: Ulm"], false),
    ];
    for (name, arguments, fields, fits) in cases {
        let fields: Vec<&str> = [version, method].iter().chain(fields).copied().collect();
        let came = posted(&fields, &call(name, arguments));
        assert_eq!(came.contains(r#""code":-32020"#), !fits, "{fields:?}: {came}");
        assert_eq!(came.starts_with("1/1 400>"), !fits, "{came}");
    }
}

#[test]
fn what_the_revision_does_not_have_is_an_unknown_method() {
    let mut book = Book::new();
    book.about.modern = r#"{"tools":{}}"#.to_owned();
    let mut play = Play::new(Settings::default(), book);
    play.run("@ join 1 http\n~");
    for method in ["ping", "initialize", "logging/setLevel", "resources/subscribe", "tasks/result", "tasks/list", "odd"]
    {
        play.run(&format!("# mirror\n1/1< {{$R,\"id\":1,\"method\":\"{method}\",\"params\":{{\"_meta\":{{$M}}}}}}"));
        let came = play.came();
        assert!(came.starts_with("1/1 404>") && came.contains(r#""code":-32601"#), "{came}");
        play.run("= done 1");
    }
    play.run(
        r#"
        # mirror
        1/2< {$R,"id":1,"method":"prompts/list","params":{"_meta":{$M}}}
        1/2 404> {$R,"id":1,"error":{"code":-32601,"message":"this server does not declare prompts, which prompts/list needs"}}
        = done 2"#,
    );
    play.silent();
}

#[test]
fn what_is_not_there_has_the_code_of_its_era() {
    let mut play = Play::stdio(Book::new().tool("mute"));
    play.run(
        r#"
        1< {$R,"id":1,"method":"resources/read","params":{"uri":"a:/b","_meta":{$M}}}
        1> {$R,"id":1,"error":{"code":-32602,"message":"unknown resource: a:/b","data":{"uri":"a:/b"}}}
        1< {$R,"id":2,"method":"tools/call","params":{"name":"none","_meta":{$M}}}
        1> {$R,"id":2,"error":{"code":-32602,"message":"unknown tool: none"}}
        1< {$R,"id":3,"method":"tools/call","params":{"name":"mute","_meta":{$M}}}
        1> {$R,"id":3,"error":{"code":-32603,"message":"the tool mute is listed, but nothing says what it answers"}}
        1< {$R,"id":4,"method":"tools/call","params":{"_meta":{$M}}}
        1> {$R,"id":4,"error":{"code":-32602,"message":"params.name is no string"}}"#,
    );
    play.greet(1, "2025-11-25");
    play.run(
        r#"
        1< {$R,"id":5,"method":"resources/read","params":{"uri":"a:/b"}}
        1> {$R,"id":5,"error":{"code":-32002,"message":"unknown resource: a:/b","data":{"uri":"a:/b"}}}"#,
    );
    play.silent();
}

#[test]
fn a_level_that_is_none_is_refused() {
    let mut play = Play::stdio(Book::new());
    play.run(
        r#"
        1< {$R,"id":1,"method":"tools/list","params":{"_meta":{$M,"io.modelcontextprotocol/logLevel":"loud"}}}
        1> {$R,"id":1,"error":{"code":-32602,"message":"the level must be one of debug, info, notice, warning, error, critical, alert, emergency"}}"#,
    );
    play.silent();
}
