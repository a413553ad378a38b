//! Streams of `subscriptions/listen`, and subscriptions of the legacy era.

use super::script::{Play, plain};
use crate::peer::client::{EraChoice, Link};

const OPEN: &str = r#"
    ! listen 1 {"toolsListChanged":true}
    > {"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{$M}}}
    < {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2},"notifications":{"toolsListChanged":true}}}
    = stream 1 acknowledged
    = notified notifications/subscriptions/acknowledged in 1"#;

fn stream(link: Link) -> Play {
    let mut play = Play::modern(plain(EraChoice::Modern), link);
    play.run(OPEN);
    play
}

/// SU-004: what a stream brings belongs to it by the typed id; what names no stream belongs to none.
#[test]
fn notifications_belong_to_their_stream_by_typed_id() {
    let mut play = stream(Link::Stdio);
    play.run(
        r#"
        ! listen 2 {"resourceSubscriptions":["file:///a"]}
        ~
        < {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":3},"notifications":{"resourceSubscriptions":["file:///a"]}}}
        ~
        < {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":3},"uri":"file:///a/b"}}
        = notified notifications/resources/updated in 2
        < {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}
        = notified notifications/tools/list_changed in 1
        < {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":99}}}
        = notified notifications/tools/list_changed
        < {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
        = notified notifications/tools/list_changed"#,
    );
    // An id of a call's own choice: the number and the text are two streams.
    Play::modern(plain(EraChoice::Modern), Link::Stdio).run(
        r#"
        ! listen 1 {"toolsListChanged":true}
        ~
        < {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"2"},"notifications":{"toolsListChanged":true}}}
        = stream 1 the server names it "2", but the id of the request is 2 (SU-004)
        = stream 1 acknowledged
        = notified notifications/subscriptions/acknowledged in 1
        < {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"2"}}}
        = notified notifications/tools/list_changed in 1"#,
    );
}

/// SU-002, SU-003, SU-005, SU-016: the acknowledgement is compared with what was asked, and what comes with it.
#[test]
fn the_acknowledgement_is_checked() {
    let ack = |notifications: &str| {
        format!(
            r#"< {{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":2}}{notifications}}}}}"#
        )
    };
    let open = "! listen 1 {\"toolsListChanged\":true,\"resourceSubscriptions\":[\"a:\",\"b:\"]}\n~\n";
    let notified = "\n= notified notifications/subscriptions/acknowledged in 1";
    for (said, told) in [
        (
            r#","notifications":{"resourceSubscriptions":["b:","c:"]}"#,
            "acknowledged, but without a:, toolsListChanged, and with c:, which was not asked for (SU-003)",
        ),
        (r#","notifications":{"toolsListChanged":true,"resourceSubscriptions":["a:","b:"]}"#, "acknowledged"),
        (r#","notifications":7"#, "acknowledged, but without saying what for"),
        ("", "acknowledged, but without saying what for"),
    ] {
        let script = format!("{open}{}\n= stream 1 {told}{notified}", ack(said));
        Play::modern(plain(EraChoice::Modern), Link::Http).run(&script);
    }
    let mut play = Play::modern(plain(EraChoice::Modern), Link::Http);
    play.run(
        r#"
        ! listen 1 {"toolsListChanged":true}
        ~
        < {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}
        = stream 1 something came before the acknowledgement (SU-002)
        = notified notifications/tools/list_changed in 1
        < {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true}}}
        = stream 1 the acknowledgement does not name its subscription (SU-004)
        = stream 1 acknowledged
        = notified notifications/subscriptions/acknowledged in 1
        < {"jsonrpc":"2.0","method":"notifications/prompts/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}
        = stream 1 notifications/prompts/list_changed was not asked for (SU-005)
        = notified notifications/prompts/list_changed in 1
        < {"jsonrpc":"2.0","method":"notifications/prompts/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}
        = notified notifications/prompts/list_changed in 1"#,
    );
}

/// An end in order is no loss: it is not opened again.
#[test]
fn a_server_may_end_a_stream() {
    let result = r#"{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":2}}"#;
    stream(Link::Http).run(&format!(
        "< {{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{result}}}\n= stream 1 the server ended it, in order\n= ended 1 result {result}\n+ 100"
    ));
    // 8.1: on stdio a notification may come first, and the result is waited for.
    let cancelled = r#"< {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#;
    stream(Link::Stdio).run(&format!(
        r#"
        {cancelled}
        = stream 1 the server ends it
        = notified notifications/cancelled in 1
        < {{"jsonrpc":"2.0","id":2,"result":{result}}}
        = stream 1 the server ended it, in order
        = ended 1 result {result}"#
    ));
    stream(Link::Stdio).run(&format!(
        r#"
        {cancelled}
        ~
        + 0.9
        + 0.1
        = ended 1 lost: the server ended the stream, without a result (SU-008)
        < {{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":77}}}}
        = notified notifications/cancelled"#
    ));
}

/// A stream that is lost is opened again with a new id, later each time, and not for ever.
#[test]
fn a_lost_stream_is_opened_again_with_patience() {
    let mut play = stream(Link::Http);
    play.run(
        r#"
        ! list 2
        ~
        < {"jsonrpc":"2.0","id":3,"result":{"tools":[]}}
        ~
        @ refused 2 - the stream broke off
        = stream 1 lost: the stream broke off; it is opened again in 1 s (attempt 1 of 10)
        + 0.9
        + 0.1
        > {"jsonrpc":"2.0","id":4,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{$M}}}
        @ refused 4 503 come back later
        = stream 1 lost: come back later; it is opened again in 2 s (attempt 2 of 10)
        + 2
        > {"jsonrpc":"2.0","id":5,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{$M}}}
        < {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}
        = list tools 0 on 1 stale
        = notified notifications/tools/list_changed
        ! list 3
        ~
        < {"jsonrpc":"2.0","id":6,"result":{"tools":[]}}
        ~
        < {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":5},"notifications":{"toolsListChanged":true}}}
        = stream 1 acknowledged, again; what changed in between was not told
        = list tools 0 on 1 stale
        = notified notifications/subscriptions/acknowledged in 1
        @ refused 5 - gone
        = stream 1 lost: gone; it is opened again in 1 s (attempt 1 of 10)
        ! cancel 1 enough
        = ended 1 cancelled
        + 100"#,
    );
    let mut play = stream(Link::Http);
    for id in 2..12 {
        play.run(&format!("@ refused {id} - gone\n~\n+ 30\n~"));
    }
    play.run("@ refused 12 - gone\n= ended 1 http None gone <html>\n+ 100");
}

/// What never stood is not tried again, and what is refused by a status of 4xx is not either.
#[test]
fn a_refusal_is_no_loss() {
    let mut play = Play::modern(plain(EraChoice::Modern), Link::Http);
    play.run("! listen 1 {}\n~\n@ refused 2 - nobody there\n= ended 1 http None nobody there <html>\n+ 100");
    stream(Link::Http).run("@ refused 2 404 not here\n= ended 1 http Some(404) not here <html>\n+ 100");
    Play::modern(plain(EraChoice::Modern), Link::Http).run(
        r#"
        ! listen 1 {"taskIds":["t"]}
        ~
        < {"jsonrpc":"2.0","id":2,"error":{"code":-32021,"message":"no"}}
        = ended 1 error {"code":-32021,"message":"no"}"#,
    );
}

/// IO-011, CN-010: on stdio a notification ends it, on HTTP closing the stream does.
#[test]
fn a_stream_is_cancelled_as_its_transport_wants_it() {
    stream(Link::Stdio).run(
        r#"
        ! cancel 1 enough
        > {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"enough"}}
        = ended 1 cancelled
        < {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}}}
        = notified notifications/tools/list_changed"#,
    );
    stream(Link::Http).run("! cancel 1 enough\n= drop 2\n= ended 1 cancelled");
    // It may be silent for as long as it likes.
    stream(Link::Stdio).run("+ 100000");
}

/// Legacy: an update belongs to the call that subscribed, until it unsubscribes.
#[test]
fn updates_belong_to_the_call_that_subscribed() {
    let updated = |uri: &str| {
        format!(r#"< {{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{{"uri":"{uri}"}}}}"#)
    };
    let mut play = Play::legacy(plain(EraChoice::Legacy), "2025-06-18");
    play.run(&format!(
        r#"
        ! call 1 resources/subscribe {{"uri":"file:///a"}}
        ~
        {}
        = notified notifications/resources/updated
        < {{"jsonrpc":"2.0","id":2,"result":{{}}}}
        = ended 1 result {{}}
        {}
        = notified notifications/resources/updated in 1
        {}
        = notified notifications/resources/updated
        ! call 2 resources/unsubscribe {{"uri":"file:///a"}}
        ~
        < {{"jsonrpc":"2.0","id":3,"result":{{}}}}
        ~
        {}
        = notified notifications/resources/updated"#,
        updated("file:///a"),
        updated("file:///a/b"),
        updated("file:///ab"),
        updated("file:///a")
    ));
}
