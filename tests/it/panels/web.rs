//! The window over HTTP traffic: the tab, the command, streams that are open, taps that are started.

use std::sync::Arc;

use eframe::egui::accesskit::Role;
use eframe::egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use midwire::engine::view::{
    Change, Command, Curl, Detail, EventView, FieldView, Going, HeadKind, HeadView, HttpDetail, HttpTimes, Row, RowKey,
    Sign, Status,
};
use midwire::model::{HttpEnd, Nanos, Side};
use midwire::ui::app::App;

use super::stage::{START, Stage};
use super::{asked, copied, window};

const MILLI: Nanos = 1_000_000;

/// A stream that is open, and a call that nothing comes for.
fn rows() -> Vec<Row> {
    let row = |index: u32, method: &str, subject: &str, outcome: &str, status: Status| Row {
        key: RowKey::Exchange(index),
        seq: u64::from(index) + 1,
        at: START + Nanos::from(index) * MILLI,
        sign: Sign::FromClient,
        method: method.into(),
        subject: subject.into(),
        status,
        outcome: outcome.into(),
        duration: None,
        size: 120,
        rounds: 1,
        going: None,
    };
    let going = |events, awaited| Some(Going { since: START + 2_120 * MILLI, events, awaited });
    vec![
        Row { going: going(2, false), ..row(0, "GET", "/mcp", "open, 2 events", Status::None) },
        Row { going: going(0, true), ..row(1, "tools/call", "slow", "pending", Status::Pending) },
        row(2, "GET", "/.well-known/oauth-protected-resource", "404", Status::Error),
    ]
}

/// What the tab HTTP shows of each of them.
fn detail(row: &Row) -> HttpDetail {
    let field = |name: &str, value: &str| FieldView {
        name: name.to_owned(),
        value: value.to_owned(),
        masked: value.contains('\u{2022}'),
    };
    let head = |seq, side, kind, line: &str, fields| HeadView {
        seq,
        at: row.at,
        side: Some(side),
        kind,
        line: line.to_owned(),
        fields,
    };
    let ended = row.status == Status::Error;
    let event = |seq, at: Nanos, id: &str, text: &str| EventView {
        seq,
        at: row.at + at * MILLI,
        name: None,
        id: Some(id.to_owned()),
        retry: (seq == 3).then_some(500),
        text: text.to_owned(),
        has_data: !text.is_empty(),
        size: 40,
    };
    HttpDetail {
        channel: 2,
        method: row.method.to_string(),
        target: row.subject.to_string(),
        url: Some(format!("https://api.example.com{}", row.subject)),
        status: Some(if ended { 404 } else { 200 }),
        is_stream: !ended,
        heads: vec![
            head(
                1,
                Side::Client,
                HeadKind::Request,
                "GET /mcp HTTP/1.1",
                vec![
                    field("Host", "127.0.0.1:40001"),
                    field("Authorization", "Bearer \u{2022}\u{2022}\u{2022}"),
                    field("X-Long", &"long value ".repeat(60)),
                ],
            ),
            head(
                2,
                Side::Server,
                HeadKind::Response,
                "HTTP/1.1 200 OK",
                vec![field("Content-Type", "text/event-stream")],
            ),
        ],
        times: HttpTimes {
            at: row.at,
            sent: Some(row.at + MILLI),
            responded: Some(row.at + 40 * MILLI),
            first_byte: Some(row.at + 60 * MILLI),
            last_byte: Some(row.at + 2_120 * MILLI),
            ended: ended.then_some(row.at + 90 * MILLI),
        },
        sent_bytes: 0,
        received_bytes: 80,
        end: ended.then_some(HttpEnd::ServerGone),
        why: if ended {
            "the server closed the connection in the middle of its answer".to_owned()
        } else {
            String::new()
        },
        changes: vec![Change { what: "Origin".to_owned(), to: "https://api.example.com".to_owned() }],
        events: vec![event(3, 60, "1", ""), event(4, 2_120, "2", "{\"jsonrpc\":\"2.0\"}")],
        event_count: 2,
        curl: Some(Curl {
            text: "curl -N 'https://api.example.com/mcp' \\\n  -H 'Authorization: Bearer '\"$TOKEN\"''".to_owned(),
            notes: vec!["Set TOKEN first: the recording does not hold it.".to_owned()],
        }),
    }
}

/// A detail with the tab HTTP.
fn with(detail: Detail) -> Detail {
    let http = self::detail(&detail.row);
    Detail { http: Some(Arc::new(http)), ..detail }
}

#[test]
fn an_open_stream_and_a_silent_answer_say_so() {
    let (harness, _) = window(Stage::of(rows(), with));
    harness.get_by_label("1 GET /mcp open, 2 events");
    harness.get_by_label("2 tools/call slow pending");
    harness.get_by_label("3 GET /.well-known/oauth-protected-resource 404");
}

#[test]
fn the_tab_http_shows_heads_times_events_and_what_was_changed() {
    let (mut harness, sent) = window(Stage::of(rows(), with));
    harness.get_by_label("1 GET /mcp open, 2 events").click();
    harness.run_ok();
    harness.key_press(Key::Num5);
    harness.run_ok();
    let shown = |harness: &mut egui_kittest::Harness<'static, App>, texts: &[&str]| {
        for text in texts {
            assert!(harness.query_all_by_label_contains(text).next().is_some(), "{text} is not shown");
        }
    };
    let top = [
        "GET https://api.example.com/mcp",
        "200 OK",
        "open: 2 events, silent for 12 s",
        "midwire passed Origin on as: https://api.example.com",
        "waiting + 1.0 ms",
        "silent + 2,120 ms",
        "events 2",
        "Authorization: Bearer \u{2022}\u{2022}\u{2022}   (left out)",
    ];
    shown(&mut harness, &top);
    for key in [Key::Enter, Key::End] {
        harness.key_press(key);
        harness.run_ok();
    }
    shown(
        &mut harness,
        &["Content-Type: text/event-stream", "curl -N 'https://api.example.com/mcp'", "Set TOKEN first"],
    );
    harness.get_by_label_contains("event + 60 ms message id 1, retry 500 ms").click();
    harness.run_ok();
    assert!(asked(&sent, |command| matches!(command, Command::Inspect(RowKey::Entry(3)))));
}

#[test]
fn an_abnormal_end_says_why() {
    let (mut harness, _) = window(Stage::of(rows(), with));
    harness.get_by_label("3 GET /.well-known/oauth-protected-resource 404").click();
    harness.run_ok();
    harness.get_by_role_and_label(Role::Tab, "HTTP").click();
    harness.run_ok();
    harness.get_by_label_contains("the server went away after 90 ms");
    harness.get_by_label_contains("closed the connection in the middle");
}

#[test]
fn the_command_is_copied_whole_and_only_where_there_is_one() {
    let (mut harness, _) = window(Stage::of(rows(), with));
    harness.get_by_label("1 GET /mcp open, 2 events").click();
    harness.run_ok();
    let text = copied(&mut harness, Key::U, Modifiers::NONE).expect("a command");
    assert!(text.starts_with("curl -N 'https://api.example.com/mcp' \\\n"), "{text}");
    let (mut harness, _) = window(Stage::conversation());
    harness.get_by_label("12 tools/list 16 tools").click();
    harness.run_ok();
    assert_eq!(copied(&mut harness, Key::U, Modifiers::NONE), None);
    assert!(harness.query_by_role_and_label(Role::Tab, "HTTP").is_none());
}

#[test]
fn a_tap_is_started_from_the_window_and_stopped_again() {
    let (mut harness, sent) = window(Stage::conversation());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::T);
    harness.run_ok();
    harness.get_by_label("URL of the server").type_text("localhost:3000/mcp");
    harness.run_ok();
    harness.get_by_label("It must begin with http:// or https://.");
    harness.get_by_label("Start the tap").click();
    harness.run_ok();
    assert!(!asked(&sent, |command| matches!(command, Command::StartTap(_))), "what cannot work is not tried");
    harness.get_by_label("URL of the server").focus();
    harness.run_ok();
    for _ in 0.."localhost:3000/mcp".len() {
        harness.key_press(Key::Backspace);
    }
    harness.run_ok();
    harness.get_by_label("URL of the server").type_text("https://api.example.com/mcp");
    harness.run_ok();
    harness.get_by_label("Start the tap").click();
    harness.run_ok();
    assert!(asked(
        &sent,
        |command| matches!(command, Command::StartTap(wish) if wish.url == "https://api.example.com/mcp")
    ));
    harness.get_by_label("The tap listens");
    harness.get_by_label("Copy the URL for the host");
    harness.get_by_label("Close the form").click();
    harness.run_ok();
    harness.get_by_label("Copy the URL http://127.0.0.1:40001/mcp");
    harness.get_by_label_contains("Stop the tap").click();
    harness.run_ok();
    assert!(asked(&sent, |command| matches!(command, Command::StopTap(1))));
    assert!(harness.query_by_label_contains("Stop the tap").is_none());
}

#[test]
fn a_tap_that_cannot_start_says_why_in_the_form() {
    let (mut harness, _) = window(Stage::empty());
    harness.get_by_label("Tap an HTTP server now").click();
    harness.run_ok();
    harness.get_by_label("URL of the server").type_text("http://refused.example/");
    harness.run_ok();
    harness.key_press(Key::Enter);
    harness.run_ok();
    harness.get_by_label_contains("failed to listen at 127.0.0.1:1: it is taken");
    harness.get_by_label("Cancel the tap").click();
    harness.run_ok();
    assert!(harness.query_by_label("Cancel the tap").is_none());
}
