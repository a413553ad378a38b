//! Lists: pages, cursors that lead nowhere, bad items, staleness.

use super::script::{Play, plain};
use crate::peer::client::{Do, EraChoice, Kind, Link, Order, Settings, Told};

fn legacy() -> Play {
    Play::legacy(plain(EraChoice::Legacy), "2025-11-25")
}

fn modern() -> Play {
    Play::modern(plain(EraChoice::Modern), Link::Http)
}

#[test]
fn a_list_is_fetched_to_its_end_and_told_with_each_page() {
    legacy().run(
        r#"
        ! list 1 tools
        > {"jsonrpc":"2.0","id":2,"method":"tools/list"}
        < {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a"},7],"nextCursor":"é\"1"}}
        = list tools 2 on 1 next "é\"1"
        > {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"é\"1"}}
        < {"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"b"}],"nextCursor":null}}
        = list tools 3 on 2
        = ended 1 result {"tools":[{"name":"b"}],"nextCursor":null}"#,
    );
    for kind in Kind::ALL {
        let (member, method) = (kind.member(), kind.method());
        legacy().run(&format!(
            r#"
            ! list 1 {member}
            > {{"jsonrpc":"2.0","id":2,"method":"{method}"}}
            < {{"jsonrpc":"2.0","id":2,"result":{{"{member}":[]}}}}
            = list {member} 0 on 1
            = ended 1 result {{"{member}":[]}}"#
        ));
    }
}

/// Page by page nothing is fetched by itself, and a page appended knows the keys before it.
#[test]
fn pages_are_fetched_by_hand() {
    legacy().run(
        r#"
        ! page 1 prompts
        > {"jsonrpc":"2.0","id":2,"method":"prompts/list"}
        < {"jsonrpc":"2.0","id":2,"result":{"prompts":[{"name":"a"}],"nextCursor":"x"}}
        = list prompts 1 on 1 next "x"
        = ended 1 result {"prompts":[{"name":"a"}],"nextCursor":"x"}
        ! page 2 prompts x
        > {"jsonrpc":"2.0","id":3,"method":"prompts/list","params":{"cursor":"x"}}
        < {"jsonrpc":"2.0","id":3,"result":{"prompts":[{"name":"a"}]}}
        = list prompts 2 on 2
        = ended 2 result {"prompts":[{"name":"a"}]}
        ! page 3 prompts
        > {"jsonrpc":"2.0","id":4,"method":"prompts/list"}
        < {"jsonrpc":"2.0","id":4,"result":{"prompts":[]}}
        = list prompts 0 on 1
        = ended 3 result {"prompts":[]}"#,
    );
}

/// PG-004: a circle of cursors ends, whichever way it goes.
#[test]
fn cursors_that_go_in_a_circle_are_stopped() {
    legacy().run(
        r#"
        ! list 1
        ~
        < {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a"}],"nextCursor":"x"}}
        ~
        < {"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"b"}],"nextCursor":"y"}}
        ~
        < {"jsonrpc":"2.0","id":4,"result":{"tools":[{"name":"c"}],"nextCursor":"x"}}
        = list tools 3 on 3 next "x": the server gives the cursor "x" a second time, so its pages go in a circle
        = ended 1 result {"tools":[{"name":"c"}],"nextCursor":"x"}"#,
    );
    // The same page for ever: it is not shown twice.
    legacy().run(
        r#"
        ! list 1
        ~
        < {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a"}],"nextCursor":"x"}}
        ~
        < {"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"a"}],"nextCursor":"x"}}
        = list tools 1 on 1 next "x": the server sends the same page again for the cursor that it gave
        = ended 1 result {"tools":[{"name":"a"}],"nextCursor":"x"}"#,
    );
}

#[test]
fn cursors_that_never_end_are_stopped_by_the_limit() {
    let mut play = Play::legacy(Settings { most_pages: 3, ..plain(EraChoice::Legacy) }, "2025-11-25");
    play.run("! list 1\n~");
    for page in 2..4 {
        play.run(&format!(
            "< {{\"jsonrpc\":\"2.0\",\"id\":{page},\"result\":{{\"tools\":[],\"nextCursor\":\"{page}\"}}}}\n~"
        ));
    }
    play.run(
        r#"
        < {"jsonrpc":"2.0","id":4,"result":{"tools":[],"nextCursor":"4"}}
        = list tools 0 on 3 next "4": stopped after 3 pages, the most that are fetched by themselves
        = ended 1 result {"tools":[],"nextCursor":"4"}
        ! page 2 tools 4
        > {"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"cursor":"4"}}
        < {"jsonrpc":"2.0","id":5,"result":{"tools":[{"name":"a"}]}}
        = list tools 1 on 4
        = ended 2 result {"tools":[{"name":"a"}]}"#,
    );
}

/// PG-003: in 2026-07-28 an empty cursor is a cursor; before, servers mean by it that there is none.
#[test]
fn an_empty_cursor_is_a_page_in_the_modern_era_only() {
    legacy().run(
        r#"
        ! list 1
        ~
        < {"jsonrpc":"2.0","id":2,"result":{"tools":[],"nextCursor":""}}
        = list tools 0 on 1
        = ended 1 result {"tools":[],"nextCursor":""}"#,
    );
    modern().run(
        r#"
        ! list 1
        > {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{$M}}}
        < {"jsonrpc":"2.0","id":2,"result":{"tools":[],"nextCursor":""}}
        = list tools 0 on 1 next ""
        > {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"","_meta":{$M}}}
        < {"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"a"}]}}
        = list tools 1 on 2
        = ended 1 result {"tools":[{"name":"a"}]}"#,
    );
}

/// PG-001 and results that are no page: what is there is kept, and the rest is said.
#[test]
fn what_is_no_page_is_said() {
    legacy().run(
        r#"
        ! list 1
        ~
        < {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a"}],"nextCursor":5}}
        = list tools 1 on 1: the cursor of the next page is 5, not a string
        = ended 1 result {"tools":[{"name":"a"}],"nextCursor":5}
        ! list 2
        ~
        < {"jsonrpc":"2.0","id":3,"result":{"tools":{}}}
        = list tools 0 on 1: the result has no array `tools`
        = ended 2 result {"tools":{}}"#,
    );
}

/// A cursor may die while lists change: they begin anew, once, and nothing of the old list stays.
#[test]
fn a_dead_cursor_begins_the_list_anew_once() {
    let mut play = legacy();
    let anew = "the server does not know its own cursor any more; the list begins anew";
    play.run(&format!(
        r#"
        ! list 1
        ~
        < {{"jsonrpc":"2.0","id":2,"result":{{"tools":[{{"name":"a"}},{{"name":"b"}}],"nextCursor":"x"}}}}
        ~
        < {{"jsonrpc":"2.0","id":3,"error":{{"code":-32602,"message":"bad cursor"}}}}
        = list tools 2 on 1 next "x": {anew}
        > {{"jsonrpc":"2.0","id":4,"method":"tools/list"}}
        < {{"jsonrpc":"2.0","id":4,"result":{{"tools":[{{"name":"a"}}],"nextCursor":"y"}}}}
        = list tools 1 on 1 next "y"
        > {{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{{"cursor":"y"}}}}
        < {{"jsonrpc":"2.0","id":5,"error":{{"code":-32602,"message":"bad cursor"}}}}
        = list tools 1 on 1 next "y": error -32602 (bad cursor)
        = ended 1 error {{"code":-32602,"message":"bad cursor"}}"#
    ));
    // The first page is not asked for again, nor is one that was asked for by hand.
    legacy().run(
        r#"
        ! list 1
        ~
        < {"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"no"}}
        = list tools 0 on 0: error -32602 (no)
        = ended 1 error {"code":-32602,"message":"no"}
        ! page 2 tools x
        ~
        < {"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no"}}
        = list tools 0 on 0: error -32602 (no)
        = ended 2 error {"code":-32602,"message":"no"}"#,
    );
}

/// A list that is refreshed stays until the first page of the new one is there.
#[test]
fn a_failed_refresh_leaves_the_old_list() {
    legacy().run(
        r#"
        ! list 1
        ~
        < {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a"}]}}
        ~
        ! list 2
        ~
        < {"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"oh"}}
        = list tools 1 on 1: error -32603 (oh)
        = ended 2 error {"code":-32603,"message":"oh"}
        ! list 3
        ~
        + 61
        > {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4,"reason":"no sign of life for 60 s"}}
        = list tools 1 on 1: no sign of life for 60 s
        = ended 3 timed out: no sign of life for 60 s"#,
    );
}

/// Two who list the same: the later one has the list, the earlier one is told.
#[test]
fn who_lists_anew_takes_over() {
    legacy().run(
        r#"
        ! list 1
        > {"jsonrpc":"2.0","id":2,"method":"tools/list"}
        ! list 2
        > {"jsonrpc":"2.0","id":3,"method":"tools/list"}
        < {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a"}],"nextCursor":"x"}}
        = list tools 1 on 1 next "x"
        > {"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"cursor":"x"}}
        < {"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"b"}]}}
        = list tools 1 on 1
        = ended 2 result {"tools":[{"name":"b"}]}
        < {"jsonrpc":"2.0","id":4,"result":{"tools":[{"name":"c"}]}}
        = ended 1 refused: it was given up: the same was listed anew in the meantime"#,
    );
}

/// Hints of 2026-07-28: the time of the first page that is out of date counts; 0 promises nothing.
#[test]
fn a_list_is_stale_when_its_time_is_up() {
    modern().run(
        r#"
        ! list 1 resources
        ~
        < {"jsonrpc":"2.0","id":2,"result":{"resources":[],"ttlMs":5000,"cacheScope":"public","nextCursor":"x"}}
        ~
        + 1
        < {"jsonrpc":"2.0","id":3,"result":{"resources":[],"ttlMs":2000,"cacheScope":"public"}}
        ~
        + 1.9
        + 0.1
        = list resources 0 on 2 stale
        + 100
        ! list 2 resources
        ~
        < {"jsonrpc":"2.0","id":4,"result":{"resources":[],"ttlMs":0,"cacheScope":"private"}}
        = list resources 0 on 1
        = ended 2 result {"resources":[],"ttlMs":0,"cacheScope":"private"}
        + 1000"#,
    );
    let mut play = modern();
    play.run("! list 1\n~\n< {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[],\"ttlMs\":5000}}\n~");
    assert_eq!(play.client.wakes_at(), Some(5_000_000_000));
}

/// A list that is out of date is told so once; what nobody fetched is not told at all.
#[test]
fn a_changed_list_is_stale() {
    legacy().run(
        r#"
        < {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
        = notified notifications/tools/list_changed
        ! list 1 resources
        ~
        < {"jsonrpc":"2.0","id":2,"result":{"resources":[]}}
        ~
        < {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
        = notified notifications/tools/list_changed
        < {"jsonrpc":"2.0","method":"notifications/resources/list_changed"}
        = list resources 0 on 1 stale
        = notified notifications/resources/list_changed
        < {"jsonrpc":"2.0","method":"notifications/resources/list_changed"}
        = notified notifications/resources/list_changed
        ! list 2 resources
        ~
        < {"jsonrpc":"2.0","id":3,"result":{"resources":[]}}
        = list resources 0 on 1
        = ended 2 result {"resources":[]}"#,
    );
}

/// A thousand pages of ten tools while every list told is kept, as a window might: no item is copied.
#[test]
fn pages_are_shared_by_all_lists_told() {
    let mut play = legacy();
    play.client.order(0, Order::List(1, Kind::Tools));
    let mut told = Vec::new();
    for page in 0..1_000 {
        while let Some(next) = play.client.next() {
            if let Do::Tell(Told::List(_, list)) = next {
                told.push(list);
            }
        }
        let tools: Vec<_> = (0..10).map(|n| format!(r#"{{"name":"t{page}-{n}","inputSchema":{{}}}}"#)).collect();
        let next = if page == 999 { String::new() } else { format!(r#","nextCursor":"c{page}""#) };
        let id = page + 2;
        let frame = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":[{}]{next}}}}}"#, tools.join(","));
        play.client.heard(0, frame.as_bytes());
    }
    while let Some(next) = play.client.next() {
        if let Do::Tell(Told::List(_, list)) = next {
            told.push(list);
        }
    }
    let last = told.last().expect("a list");
    assert_eq!((told.len(), last.items.len(), last.pages, last.stopped.as_deref()), (1_000, 10_000, 1_000, None));
    let first = |at: usize| told[at].items.get(0).map(std::ptr::from_ref);
    assert_eq!(first(0), first(999));
}
