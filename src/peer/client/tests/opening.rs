//! The opening: each way in which a server can answer the probe, and each that it can fail.

use super::script::{Play, plain};
use crate::model::Revision;
use crate::peer::client::{EraChoice, Link};

const PROBE: &str = r#"
    @ open
    = opening
    > {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{$M}}}"#;
const LEGACY: &str = r#"
    > {"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25",$I}}
    < {"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s"}}}
    = initialize with 2025-11-25: the server speaks 2025-06-18
    > {"jsonrpc":"2.0","method":"notifications/initialized"}
    = open legacy 2025-06-18 as {"name":"s"}"#;

fn play(era: EraChoice, link: Link, scripts: &[&str]) {
    let mut play = Play::new(plain(era), link);
    for script in scripts {
        play.run(script);
    }
}

#[test]
fn a_modern_server_is_taken_by_its_word() {
    for link in [Link::Stdio, Link::Http] {
        play(
            EraChoice::Auto,
            link,
            &[
                PROBE,
                r#"
                < {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2025-11-25","2026-07-28"],"capabilities":{},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s"}}}}
                = server/discover with 2026-07-28: the server is modern and speaks 2025-11-25, 2026-07-28
                = open modern 2026-07-28 as {"name":"s"}"#,
            ],
        );
    }
}

#[test]
fn any_other_error_means_legacy_whatever_its_code_and_id() {
    for (answer, came) in [
        (r#""id":1,"error":{"code":-32601,"message":"Method not found"}"#, "error -32601 (Method not found)"),
        (r#""id":1,"error":{"code":-32602,"message":"bad\nparams"}"#, "error -32602 (bad\\nparams)"),
        (r#""id":1,"error":{"code":0}"#, "error 0"),
        (r#""id":1,"error":"no"}"#, "an error without a code"),
        // server-everything over HTTP, and others that gave up before they read the id.
        (r#""id":null,"error":{"code":-32000,"message":"x"}"#, "error -32000 (x)"),
        (r#""error":{"code":-32000,"message":"x"}"#, "error -32000 (x)"),
        (r#""id":1,"result":{"tools":[]}"#, "a result without supportedVersions, which is no answer to it"),
    ] {
        let answer = answer.trim_end_matches('}').to_owned() + &"}".repeat(answer.matches('{').count());
        let script = format!(
            "< {{\"jsonrpc\":\"2.0\",{answer}}}\n= server/discover with 2026-07-28: {came}, so the server is legacy"
        );
        play(EraChoice::Auto, Link::Stdio, &[PROBE, &script, LEGACY]);
    }
}

#[test]
fn what_is_no_mcp_over_http_means_legacy_too() {
    for status in [400, 404, 405, 415, 500] {
        let script = format!(
            "@ refused 1 {status} it is HTML\n= server/discover with 2026-07-28: HTTP {status}: it is HTML, so the \
             server is legacy"
        );
        play(EraChoice::Auto, Link::Http, &[PROBE, &script, LEGACY]);
    }
}

#[test]
fn authorization_and_an_unreachable_server_end_the_opening_by_name() {
    let ends = |status: &str, why: &str, words: &str| {
        let script = format!(
            "@ refused 1 {status} {why}\n= server/discover with 2026-07-28: {words}\n= failed: {words}\n= finish"
        );
        play(EraChoice::Auto, Link::Http, &[PROBE, &script]);
    };
    ends(
        "401",
        "unauthorized",
        "the server wants authorization (HTTP 401). Give a token that it takes, as a bearer token or a header. It says: \
         Bearer realm=\"x\".",
    );
    ends(
        "403",
        "forbidden",
        "the server wants authorization (HTTP 403). Give a token that it takes, as a bearer token or a header.",
    );
    ends("none", "connection refused", "connection refused");
}

#[test]
fn neither_silence_nor_noise_lengthens_the_probe() {
    play(
        EraChoice::Auto,
        Link::Stdio,
        &[
            PROBE,
            r#"
            + 4
            < starting up...
            = stray: this is not JSON: expected a JSON value at byte 0
            < {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}
            = notified notifications/message
            < {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}
            = notified notifications/progress
            + 5.9
            < {"jsonrpc":"2.0","id":"1","result":{"supportedVersions":["2026-07-28"]}}
            = stray: an answer to "1", but the request's id is 1 (JR-007)
            < {"jsonrpc":"2.0","id":7,"error":{"code":1,"message":""}}
            = stray: an answer to 7, which is no request of this client's (JR-007)
            + 0.1
            = server/discover with 2026-07-28: no answer for 10 s, so the server is legacy"#,
            LEGACY,
            // It comes late, changes nothing, and its id is not used again.
            r#"
            < {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"]}}
            = stray: a late answer, after its time was up, to server/discover; it changes nothing
            ! call 1 ping
            > {"jsonrpc":"2.0","id":3,"method":"ping"}"#,
        ],
    );
}

#[test]
fn a_flood_of_lines_alone_lets_the_time_pass() {
    let mut play = Play::new(plain(EraChoice::Auto), Link::Stdio);
    play.run("@ open\n~");
    play.now = 10_000_000_000;
    play.run("< noise\n= stray: this is not JSON: expected a JSON value at byte 0\n= server/discover with 2026-07-28: no answer for 10 s, so the server is legacy\n~");
}

#[test]
fn a_process_that_ends_over_the_probe_is_started_once_more() {
    let mut play = Play::new(plain(EraChoice::Auto), Link::Stdio);
    play.run(PROBE).run(
        r"
        @ exit it ended with code 1
        = server/discover with 2026-07-28: the process ended (it ended with code 1), so it is started again without server/discover
        = restart
        @ open
        = opening",
    );
    play.run(LEGACY);
    let mut twice = Play::new(plain(EraChoice::Auto), Link::Stdio);
    twice.run(PROBE).run(
        "@ exit code 1\n~\n@ open\n~\n@ exit code 1\n= initialize with 2025-11-25: code 1\n= failed: code 1\n= finish",
    );
    // Nobody asked for a way out here.
    let mut modern = Play::new(plain(EraChoice::Modern), Link::Stdio);
    modern
        .run(PROBE)
        .run("@ exit code 1\n= server/discover with 2026-07-28: code 1\n= failed: code 1\n= finish\n@ exit again");
}

#[test]
fn unsupported_versions_are_negotiated_and_never_answered_with_initialize() {
    let error = |supported: &str| {
        let data = format!(r#"{{"supported":{supported},"requested":"2026-07-28"}}"#);
        format!(r#"< {{"jsonrpc":"2.0","id":1,"error":{{"code":-32022,"message":"Unsupported","data":{data}}}}}"#)
    };
    let none = r"
        = server/discover with 2026-07-28: asked for 2026-07-28, the server speaks 2030-01-01
        = failed: no version in common: asked for 2026-07-28, the server speaks 2030-01-01
        = finish";
    play(EraChoice::Auto, Link::Stdio, &[PROBE, &error(r#"["2030-01-01"]"#), none]);
    let discovered = r#"< {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2030-01-01"],"capabilities":{}}}"#;
    play(EraChoice::Auto, Link::Stdio, &[PROBE, discovered, none]);
    // One that contradicts itself is asked once more.
    play(
        EraChoice::Auto,
        Link::Stdio,
        &[
            PROBE,
            &error(r#"["2026-07-28"]"#),
            r#"
            = server/discover with 2026-07-28: error -32022 (Unsupported), though it names that version; once more
            > {"jsonrpc":"2.0","id":2,"method":"server/discover","params":{"_meta":{$M}}}
            < {"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}}
            = server/discover with 2026-07-28: asked for 2026-07-28, the server speaks 2026-07-28
            = failed: no version in common: asked for 2026-07-28, the server speaks 2026-07-28
            = finish"#,
        ],
    );
    // The version in common may be one that begins with a handshake.
    play(
        EraChoice::Auto,
        Link::Stdio,
        &[
            PROBE,
            &error(r#"["2024-11-05","2025-11-25"]"#),
            "= server/discover with 2026-07-28: asked for 2026-07-28, the server speaks 2024-11-05, 2025-11-25, so \
             initialize",
            LEGACY,
        ],
    );
}

#[test]
fn errors_that_only_modern_servers_have_are_reported_and_open_the_connection() {
    play(
        EraChoice::Auto,
        Link::Http,
        &[
            PROBE,
            r#"
            < {"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"Missing","data":{"requiredCapabilities":{"sampling":{}}}}}
            = server/discover with 2026-07-28: error -32021 (Missing), which needs the capabilities {"sampling":{}}; only 2026-07-28 has this error, so the server is modern
            = open modern 2026-07-28
            ! call 1 tools/list
            > {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{$M}}}
            < {"jsonrpc":"2.0","id":2,"result":{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"late"}}}}
            = open modern 2026-07-28 as {"name":"late"}
            = ended 1 result {"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"late"}}}"#,
        ],
    );
}

#[test]
fn a_server_that_answered_the_probe_too_late_is_modern_after_all() {
    play(
        EraChoice::Auto,
        Link::Stdio,
        &[
            PROBE,
            r#"
            + 10
            ~
            < {"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"]}}
            ~
            < {"jsonrpc":"2.0","id":2,"error":{"code":-32022,"message":"Unsupported","data":{"supported":["2026-07-28"]}}}
            = initialize with 2025-11-25: the server is modern after all
            > {"jsonrpc":"2.0","id":3,"method":"server/discover","params":{"_meta":{$M}}}
            < {"jsonrpc":"2.0","id":3,"result":{"supportedVersions":["2026-07-28"]}}
            = server/discover with 2026-07-28: the server is modern and speaks 2026-07-28
            = open modern 2026-07-28"#,
        ],
    );
}

#[test]
fn a_server_that_knows_neither_opening_is_modern() {
    play(
        EraChoice::Auto,
        Link::Http,
        &[
            PROBE,
            r#"
            < {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"x"}}
            ~
            < {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"y"}}
            = initialize with 2025-11-25: error -32601 (y), so the server is modern and only lacks server/discover
            = open modern 2026-07-28"#,
        ],
    );
}

#[test]
fn modern_without_falling_back_opens_even_where_discover_is_missing() {
    play(
        EraChoice::Modern,
        Link::Stdio,
        &[
            PROBE,
            r#"
            < {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"x"}}
            = server/discover with 2026-07-28: error -32601 (x), so the server is perhaps legacy, but 2026-07-28 was asked for
            = open modern 2026-07-28"#,
        ],
    );
    play(
        EraChoice::Modern,
        Link::Http,
        &[
            PROBE,
            r"
            @ refused 1 404 not found
            = server/discover with 2026-07-28: HTTP 404: not found, so the server is perhaps legacy, but 2026-07-28 was asked for
            = failed: HTTP 404: not found. There is no MCP 2026-07-28 at this URL; try it with the era auto
            = finish",
        ],
    );
}

#[test]
fn any_revision_can_be_pinned_and_no_other_is_taken() {
    for known in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2024-10-07"] {
        let script = format!(
            r#"
            @ open
            = opening
            > {{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"protocolVersion":"{known}",$I}}}}
            < {{"jsonrpc":"2.0","id":1,"result":{{"protocolVersion":"{known}"}}}}
            = initialize with {known}: the server speaks {known}
            > {{"jsonrpc":"2.0","method":"notifications/initialized"}}
            = open legacy {known}"#
        );
        play(EraChoice::Pinned(Revision::from_text(known)), Link::Stdio, &[&script]);
    }
    let offer = r#"
        @ open
        ~
        < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05"}}
        = initialize with 2025-03-26: asked for 2025-03-26, the server speaks 2024-11-05
        = failed: no version in common: asked for 2025-03-26, the server speaks 2024-11-05; choose the era legacy to take it
        = finish"#;
    play(EraChoice::Pinned(Revision::V2025_03_26), Link::Stdio, &[offer]);
    let unknown = r#"
        @ open
        = opening
        > {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2030-01-01","io.modelcontextprotocol/clientInfo":{"name":"t"},"io.modelcontextprotocol/clientCapabilities":{}}}}
        < {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}}
        = server/discover with 2030-01-01: asked for 2030-01-01, the server speaks 2026-07-28
        = failed: no version in common: asked for 2030-01-01, the server speaks 2026-07-28
        = finish"#;
    play(EraChoice::Pinned(Revision::from_text("2030-01-01")), Link::Stdio, &[unknown]);
}
