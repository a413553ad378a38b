//! The handshake and what follows it in a legacy session: notifications, settings, batches.

use super::script::{Play, plain};
use crate::peer::client::{EraChoice, Link, Settings};

const GREETED: &str = r#"
    @ open
    = opening
    > {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",$I}}"#;

fn greeted() -> Play {
    let mut play = Play::new(plain(EraChoice::Legacy), Link::Stdio);
    play.run(GREETED);
    play
}

#[test]
fn only_pings_leave_before_the_answer_and_the_rest_waits() {
    greeted().run(
        r#"
        ! call 1 tools/list
        ! notify notifications/custom {"a":1}
        ! call 2 ping
        > {"jsonrpc":"2.0","id":2,"method":"ping"}
        < {"jsonrpc":"2.0","id":9,"method":"ping"}
        > {"jsonrpc":"2.0","id":9,"result":{}}
        ! call 3 prompts/list
        ! cancel 3
        = ended 3 cancelled
        < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}
        = initialize with 2025-11-25: the server speaks 2025-11-25
        > {"jsonrpc":"2.0","method":"notifications/initialized"}
        = open legacy 2025-11-25
        > {"jsonrpc":"2.0","id":3,"method":"tools/list"}
        > {"jsonrpc":"2.0","method":"notifications/custom","params":{"a":1}}
        < {"jsonrpc":"2.0","id":2,"result":{}}
        = ended 2 result {}"#,
    );
}

#[test]
fn what_cannot_be_spoken_is_left_with_a_remedy() {
    greeted().run(
        r#"
        ! call 1 tools/list
        < {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2026-07-28"}}
        = initialize with 2025-11-25: asked for 2025-11-25, the server speaks 2026-07-28
        = ended 1 refused: it was not sent: no version in common: asked for 2025-11-25, the server speaks 2026-07-28; pin that revision to try it
        = failed: no version in common: asked for 2025-11-25, the server speaks 2026-07-28; pin that revision to try it
        = finish
        ! call 2 ping
        = ended 2 refused: it was not sent: the connection is over"#,
    );
    greeted().run(
        r#"
        < {"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}}
        = initialize with 2025-11-25: the server refused initialize: error -32022 (no). It speaks 2026-07-28: choose the era modern or auto
        = failed: the server refused initialize: error -32022 (no). It speaks 2026-07-28: choose the era modern or auto
        = finish"#,
    );
}

#[test]
fn initialize_is_tried_with_another_version_once_and_never_cancelled() {
    greeted().run(
        r#"
        < {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no","data":{"supported":["2024-11-05","2025-03-26","x"]}}}
        = initialize with 2025-11-25: it speaks 2024-11-05, 2025-03-26, x
        > {"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-03-26",$I}}
        + 60
        = initialize with 2025-03-26: the server did not answer initialize: no sign of life for 60 s
        = failed: the server did not answer initialize: no sign of life for 60 s
        = finish"#,
    );
}

#[test]
fn a_stub_that_answers_anything_is_taken_for_what_was_asked() {
    greeted().run(
        r#"
        < {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
        = initialize with 2025-11-25: a result without protocolVersion; taken for the one that was asked for
        > {"jsonrpc":"2.0","method":"notifications/initialized"}
        = open legacy 2025-11-25"#,
    );
}

/// T-61, T-76: nothing vanishes.
#[test]
fn every_notification_is_told_known_or_not() {
    let mut play = Play::legacy(plain(EraChoice::Legacy), "2025-11-25");
    for method in [
        "notifications/message",
        "notifications/progress",
        "notifications/cancelled",
        "notifications/tools/list_changed",
        "notifications/prompts/list_changed",
        "notifications/resources/list_changed",
        "notifications/resources/updated",
        "notifications/elicitation/complete",
        "notifications/tasks/status",
        "notifications/custom",
        "custom",
    ] {
        play.run(&format!("< {{\"jsonrpc\":\"2.0\",\"method\":\"{method}\"}}\n= notified {method}"));
        play.run(&format!(
            "< {{\"jsonrpc\":\"2.0\",\"method\":\"{method}\",\"params\":{{\"x\":1}}}}\n= notified {method}"
        ));
    }
}

#[test]
fn a_batch_is_read_item_by_item() {
    let batch = r#"
        ! call 1 a
        ~
        ! call 2 b
        ~
        < [{"jsonrpc":"2.0","id":3,"result":{"b":1}},{"jsonrpc":"2.0","id":5,"method":"ping"},7,{"jsonrpc":"2.0","id":2,"result":{}}]"#;
    let items = r#"
        = ended 2 result {"b":1}
        > {"jsonrpc":"2.0","id":5,"result":{}}
        = stray: an item that is no message: a message is a JSON object
        = ended 1 result {}"#;
    Play::legacy(plain(EraChoice::Legacy), "2025-03-26").run(batch).run(items);
    let remark = "= stray: a batch, which 2025-11-25 does not have (JR-017); it was read item by item";
    Play::legacy(plain(EraChoice::Legacy), "2025-11-25").run(&format!("{batch}\n{remark}\n{items}"));
    Play::legacy(plain(EraChoice::Legacy), "2025-03-26")
        .run("< []\n= stray: an empty batch, which says nothing (JR-019)");
}

#[test]
fn changed_settings_are_told_of_where_the_server_can_hear_it() {
    let roots = Settings { capabilities: r#"{"roots":{"listChanged":true}}"#.to_owned(), ..plain(EraChoice::Legacy) };
    Play::legacy(roots, "2025-11-25").run(
        r#"
        ! roots [{"uri":"file:///w"}]
        > {"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
        ! roots [{"uri":"file:///w"}]
        < {"jsonrpc":"2.0","id":"r","method":"roots/list"}
        = asked 1 roots/list
        = settled 1: it was answered with the roots
        > {"jsonrpc":"2.0","id":"r","result":{"roots":[{"uri":"file:///w"}]}}
        ! level debug
        > {"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"debug"}}
        < {"jsonrpc":"2.0","id":2,"result":{}}
        = logging/setLevel with debug: the level is set
        ! level loud
        > {"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"loud"}}
        < {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no"}}
        = logging/setLevel with loud: error -32602 (no)"#,
    );
    // Nobody was told that roots may change.
    let silent = Settings { capabilities: r#"{"roots":{}}"#.to_owned(), ..plain(EraChoice::Legacy) };
    Play::legacy(silent, "2025-11-25").run("! roots [1]");
    // In 2026-07-28 each request says it.
    Play::modern(plain(EraChoice::Modern), Link::Stdio).run(
        r#"
        ! level debug
        ! call 1 x
        > {"jsonrpc":"2.0","id":2,"method":"x","params":{"_meta":{$M,"io.modelcontextprotocol/logLevel":"debug"}}}"#,
    );
}
