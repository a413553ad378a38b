//! The live view, driven as the window drives it: recordings are written in this process by a
//! `store::Writer`, commands are sent, events are awaited. Times are printed, never asserted.

#[cfg(unix)]
mod curl;
mod http;
#[cfg(target_os = "linux")]
mod idle;
mod tape;
mod taps;
mod window;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use midwire::engine::view::{Command, ContentKind, Event, RowKey, Sign, Status, View};
use midwire::model::{EntryKind, Flags, Lifecycle, Nanos, Side};
use midwire::store::Reader;

use tape::Tape;
use window::{PATIENCE, Window};

#[test]
fn entries_of_a_live_recording_become_rows() {
    let folder = tempfile::tempdir().unwrap();
    let mut tape = Tape::begin(folder.path(), "live");
    let mut window = Window::on(folder.path());
    window.open(&tape.path);
    assert!(window.state.live);
    tape.batch(Tape::handshake);
    window.settled("three entries", |state| state.read == 3);
    assert!(window.texts()[0].starts_with("initialize"));

    tape.batch(|tape| tape.call(1, "read", "x"));
    window.settled("one is pending", |state| state.pending == 1);
    let row = window.rows().pop().unwrap();
    assert_eq!((row.status, row.duration, &*row.method, &*row.subject), (Status::Pending, None, "tools/call", "read"));

    tape.batch(|tape| tape.result(1, "done"));
    window.settled("nothing is pending", |state| state.pending == 0);
    let answered = window.rows().pop().unwrap();
    assert_eq!((answered.key, answered.status, answered.duration), (row.key, Status::Ok, Some(1_000_000)));

    let path = tape.close();
    window.settled("no longer live", |state| !state.live);
    assert_eq!(window.rows().last(), Some(&answered));
    assert!(window.woken.load(Ordering::Relaxed) > 0);
    drop(path);
}

#[test]
fn what_is_no_message_has_rows_of_its_own_and_shows_its_text_safely() {
    let folder = tempfile::tempdir().unwrap();
    let mut tape = Tape::begin(folder.path(), "noise");
    tape.batch(|tape| {
        tape.event(&Lifecycle::Spawned { pid: 7 });
        tape.stderr(b"\x1b[31mwarning\x1b[0m: low\n");
        tape.frame(Side::Server, "Server \u{202E}listening");
        tape.frame(Side::Server, "\"just a string\"");
        tape.stderr("long ".repeat(100_000).as_bytes());
        tape.event(&Lifecycle::Exited { code: 1 });
    });
    let path = tape.close();
    let mut window = Window::on(folder.path());
    window.open(&path);
    window.settled("all read", |state| state.read == 6);
    let rows = window.rows();
    let signs: Vec<Sign> = rows.iter().map(|row| row.sign).collect();
    assert_eq!(signs, [Sign::Lifecycle, Sign::Stderr, Sign::Broken, Sign::Broken, Sign::Stderr, Sign::Lifecycle]);
    assert_eq!((&*rows[1].method, &*rows[1].subject), ("stderr", "\\x1b[31mwarning\\x1b[0m: low"));
    assert_eq!((&*rows[2].method, &*rows[2].subject), ("not JSON", "Server \\u{202e}listening"));
    assert!(rows[4].subject.chars().count() <= 301 && rows[4].size == 500_000);
    let detail = window.inspect(rows[4].key);
    assert_eq!(detail.request.as_ref().unwrap().bytes.len(), 500_000);
}

#[test]
fn a_line_that_is_still_being_written_grows_and_becomes_a_message() {
    let folder = tempfile::tempdir().unwrap();
    let mut tape = Tape::begin(folder.path(), "growing");
    let text = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}"#;
    let first = tape.entry(EntryKind::Frame, Some(Side::Client), Flags::UNFINISHED, &text.as_bytes()[..20]);
    tape.batch(|tape| tape.writer.insert(&first).unwrap());
    let mut window = Window::on(folder.path());
    window.open(&tape.path);
    window.settled("the beginning", |state| state.read == 1);
    assert_eq!((&*window.rows()[0].method, window.rows()[0].size), ("unfinished", 20));
    tape.batch(|tape| tape.writer.append(1, 1, &text.as_bytes()[20..]).unwrap());
    tape.batch(|tape| tape.writer.amend(1, Flags::default(), text.len() as u64, tape.at, None).unwrap());
    window.settled("the end", |state| state.pending == 1);
    assert_eq!((&*window.rows()[0].subject, window.rows()[0].size), ("slow", text.len() as u64));
    tape.batch(|tape| tape.writer.amend(1, Flags::UNDELIVERED, text.len() as u64, tape.at, None).unwrap());
    window.until("not delivered", |_, event| matches!(event, Event::State(_)).then_some(()));
    let detail = window.inspect(RowKey::Exchange(0));
    assert!(detail.remarks.iter().any(|remark| remark.contains("not delivered")), "{:?}", detail.remarks);
    assert_eq!(detail.request.as_ref().unwrap().bytes, text.as_bytes());
}

#[test]
fn a_filter_by_text_finds_what_is_there_and_what_comes() {
    let folder = tempfile::tempdir().unwrap();
    let mut tape = Tape::begin(folder.path(), "search");
    tape.batch(|tape| {
        for id in 1..=10_000 {
            tape.call(id, "find", if id % 100 == 0 { "needle" } else { "hay" });
            tape.result(id, if id == 5001 { "needle in the answer" } else { "hay" });
        }
    });
    let mut window = Window::on(folder.path());
    window.open(&tape.path);
    window.settled("all read", |state| state.read == 20_000 && state.matching == 10_000);
    window.show(View::Exchanges, "needle");
    assert_eq!((window.state.matching, window.state.total), (101, 10_000));
    window.show(View::Messages, "needle");
    assert_eq!((window.state.matching, window.state.total), (101, 20_000));
    tape.batch(|tape| tape.result(10_001, "a late needle"));
    window.settled("the new one matches too", |state| state.matching == 102);
    window.show(View::Messages, "");
    assert_eq!(window.state.matching, 20_001);

    window.show(View::Exchanges, "needle");
    let key = window.rows()[50].key;
    window.handle.send(Command::Locate(key));
    let index = window.until("located", |_, event| match event {
        Event::Located { key: found, index } if *found == key => Some(*index),
        _ => None,
    });
    assert_eq!(index, Some(50));
}

#[test]
fn a_filter_by_words_follows_what_changes() {
    let folder = tempfile::tempdir().unwrap();
    let mut tape = Tape::begin(folder.path(), "words");
    tape.batch(|tape| {
        tape.handshake();
        tape.call(1, "read", "x");
        tape.call(2, "write", "y");
        tape.call(3, "read", "z");
        tape.result(3, "done");
    });
    let mut window = Window::on(folder.path());
    window.open(&tape.path);
    window.settled("read", |state| state.read == 7);
    assert_eq!(
        window.state.methods.iter().map(|it| &**it).collect::<Vec<_>>(),
        ["initialize", "notifications/initialized", "tools/call"]
    );
    assert_eq!(window.state.tools.iter().map(|it| &**it).collect::<Vec<_>>(), ["read", "write"]);
    window.show(View::Exchanges, "tool:read");
    assert_eq!(window.texts(), ["tools/call read pending", "tools/call read ok"]);
    window.show(View::Exchanges, "is:pending");
    assert_eq!(window.state.matching, 2);
    tape.batch(|tape| tape.result(1, "done"));
    window.settled("one leaves", |state| state.matching == 1);
    assert_eq!(window.texts(), ["tools/call write pending"]);
    tape.batch(|tape| tape.call(4, "read", "again"));
    window.settled("one comes", |state| state.matching == 2);
    tape.batch(|tape| {
        let error = r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"no such file"}}"#;
        tape.frame(Side::Server, error);
    });
    window.settled("an error", |state| state.errors == 1);
    window.show(View::Exchanges, "is:error code:-32602 id:2");
    assert_eq!(window.rows()[0].status, Status::Error);
    window.show(View::Messages, "is:error or is:pending");
    assert_eq!(window.state.matching, 2, "the answer that is an error, and the request that is pending");
    window.show(View::Exchanges, "tool:write and not \"no such file\"");
    assert_eq!(window.state.matching, 0);
    window.show(View::Exchanges, "latency>");
    assert!(window.state.filter_error.is_some());
    assert_eq!(window.state.matching, window.state.total, "with a filter that cannot be read everything is shown");
}

#[test]
fn recordings_come_and_go() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::on(folder.path());
    window.listed("an empty list", <[_]>::is_empty);
    let mut first = Tape::begin(folder.path(), "first");
    window.listed("the first", |list| list.len() == 1 && list[0].live);
    first.batch(|tape| {
        tape.handshake();
        tape.event(&Lifecycle::Exited { code: 3 });
    });
    window.listed("who speaks", |list| list[0].entries == 4 && list[0].server.is_some());
    assert_eq!(window.list[0].client.as_deref(), Some("host 1.2"));
    assert_eq!(window.list[0].server.as_deref(), Some("files 3"));
    assert_eq!(window.list[0].revision.as_deref(), Some("2025-06-18"));

    let second = Tape::begin(folder.path(), "second");
    window.listed("two", |list| list.len() == 2);
    assert_eq!(window.list[0].path, second.path, "of two live ones the newer is first");
    drop(second.close());
    window.listed("the live one is first", |list| list[0].live && !list[1].live);

    window.handle.send(Command::Delete(first.path.clone()));
    window.until("refusal", |window, _| window.notices.iter().any(|it| it.contains("being recorded")).then_some(()));
    let path = first.close();
    window.listed("how it ended", |list| {
        list.iter().any(|listing| !listing.live && listing.outcome.as_deref() == Some("exited 3"))
    });
    window.handle.send(Command::Delete(path.clone()));
    window.listed("one is left", |list| list.len() == 1);
    assert!(!path.exists());
}

#[test]
fn a_recording_whose_recorder_was_killed_is_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    // A process id that is not in use: no process has the largest one.
    let mut tape = Tape::begin_by(folder.path(), "killed", i32::MAX as u32);
    tape.batch(|tape| tape.call(1, "read", "x"));
    let mut window = Window::on(folder.path());
    window.listed("listed", |list| list.len() == 1);
    assert!(!window.list[0].live);
    assert_eq!(window.list[0].outcome.as_deref(), Some("interrupted"));
    // What the killed recorder left beside the file is in it now, so that the one file can be mailed.
    let mailed = folder.path().join("mailed");
    std::fs::copy(&tape.path, &mailed).unwrap();
    assert_eq!(Reader::open(&mailed).unwrap().count().unwrap(), 1);
    window.open(&tape.path);
    window.settled("read", |state| state.read == 1);
    assert!(window.opened.as_ref().unwrap().warning.as_ref().unwrap().contains("killed"));
    assert_eq!(window.rows()[0].status, Status::Unanswered);
}

#[test]
fn what_cannot_be_opened_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("text.midwire");
    std::fs::write(&text, "this is no recording").unwrap();
    let mut window = Window::on(folder.path());
    for path in [text, folder.path().join("missing.midwire"), folder.path().to_owned()] {
        window.handle.send(Command::Open(path.clone()));
        let why = window.until("failure", |_, event| match event {
            Event::OpenFailed { path: failed, why } if *failed == path => Some(why.clone()),
            _ => None,
        });
        assert!(why.starts_with("failed to open") && why.contains(';') || why.contains(':'), "{why}");
    }
    window.listed("in the list it is named with a reason", |list| {
        list.len() == 1 && list[0].facts.as_ref().is_err_and(|why| why.contains("not a recording"))
    });
}

#[test]
fn a_recording_that_is_replaced_or_deleted_while_open_is_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let aside = tempfile::tempdir().unwrap();
    let mut tape = Tape::begin(folder.path(), "one");
    tape.batch(|tape| tape.call(1, "old", "x"));
    let path = tape.close();
    let mut window = Window::on(folder.path());
    window.open(&path);
    let mut other = Tape::begin(aside.path(), "one");
    other.batch(|tape| tape.call(1, "new", "x"));
    std::fs::rename(other.close(), &path).unwrap();
    window.until("replaced", |window, _| window.notices.iter().any(|it| it.contains("replaced")).then_some(()));
    window.until("first state", |window, event| {
        (matches!(event, Event::State(_)) && window.state.read == 1).then_some(())
    });
    assert_eq!(&*window.rows()[0].subject, "new");
    std::fs::remove_file(&path).unwrap();
    window.until("deleted", |window, _| window.notices.iter().any(|it| it.contains("deleted")).then_some(()));
    assert_eq!(&*window.rows()[0].subject, "new");
}

#[test]
fn a_recording_that_is_damaged_while_open_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut tape = Tape::begin(folder.path(), "damaged");
    tape.batch(|tape| {
        for id in 1..=3000 {
            tape.call(id, "read", &"hay ".repeat(200));
            tape.result(id, "needle");
        }
    });
    let path = tape.close();
    let mut window = Window::on(folder.path());
    window.open(&path);
    window.settled("read", |state| state.read == 6000);
    let length = std::fs::metadata(&path).unwrap().len() as usize;
    std::fs::write(&path, vec![b'x'; length]).unwrap();
    window.show(View::Exchanges, "needle");
    window.show(View::Exchanges, "");
    assert_eq!(window.rows().len(), 1000, "what was read stays");
    let key = RowKey::Exchange(2000);
    window.handle.send(Command::Inspect(key));
    window.until("a detail or a reason why not", |_, event| match event {
        Event::Inspected(detail) if detail.row.key == key => Some(()),
        Event::Notice(why) if why.contains("details") => Some(()),
        _ => None,
    });
    window.handle.send(Command::Open(path));
    window.until("failure", |_, event| matches!(event, Event::OpenFailed { .. }).then_some(()));
}

#[test]
fn a_detail_has_the_bytes_and_what_belongs_to_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut tape = Tape::begin(folder.path(), "detail");
    let request =
        r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"draw","_meta":{"progressToken":7}}}"#;
    let picture = r#"{"jsonrpc":"2.0","id":"a","result":{"content":[{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}]}}"#;
    tape.batch(|tape| {
        tape.handshake();
        tape.frame(Side::Client, request);
        tape.frame(
            Side::Server,
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1,"total":3,"message":"drawing"}}"#,
        );
        tape.stderr(b"drawing a picture\n");
        tape.frame(Side::Server, picture);
    });
    let mut window = Window::on(folder.path());
    window.open(&tape.path);
    window.settled("read", |state| state.read == 7 && state.pending == 0);
    let row = window.rows().into_iter().find(|row| &*row.subject == "draw").unwrap();
    let detail = window.inspect(row.key);
    assert_eq!(detail.id.as_deref(), Some("\"a\""));
    assert_eq!(detail.revision.as_deref(), Some("2025-06-18"));
    let body = detail.request.as_ref().unwrap();
    assert_eq!(body.bytes, format!("{request}\n").as_bytes());
    assert!(body.pretty.is_some());
    let answer = detail.answer.as_ref().unwrap();
    assert_eq!(answer.bytes, format!("{picture}\n").as_bytes());
    assert_eq!((answer.content[0].kind, answer.content[0].bytes.len()), (ContentKind::Image, 8));
    let belongs: Vec<(&str, &str, Nanos, bool)> =
        detail.belongs.iter().map(|it| (&*it.what, &*it.text, it.after, it.certain)).collect();
    assert_eq!(
        belongs,
        [("progress 1 of 3", "drawing", 1_000_000, true), ("stderr", "drawing a picture", 2_000_000, false)]
    );
}

#[test]
fn a_large_body_delays_no_rows_and_the_latest_request_wins() {
    let folder = tempfile::tempdir().unwrap();
    let mut tape = Tape::begin(folder.path(), "large");
    tape.batch(|tape| {
        for id in 1..=3 {
            tape.call(id, "dump", "x");
            tape.result(id, &"0123456789".repeat(400_000));
        }
    });
    let mut window = Window::on(folder.path());
    window.open(&tape.path);
    window.settled("read", |state| state.read == 6);
    for index in 0..3 {
        window.handle.send(Command::Inspect(RowKey::Exchange(index)));
    }
    window.handle.send(Command::Rows { first: 0, count: 10 });
    let mut rows_came = false;
    let last = window.until("the last detail", |_, event| match event {
        Event::Rows { rows, .. } => {
            rows_came = rows.len() == 3;
            None
        }
        Event::Inspected(detail) if detail.row.key == RowKey::Exchange(2) => Some(Arc::clone(detail)),
        _ => None,
    });
    assert!(rows_came, "rows wait for no detail");
    assert!(last.answer.as_ref().unwrap().bytes.len() > 4_000_000);
    assert!(last.answer.as_ref().unwrap().pretty.is_some());
}

#[test]
fn threads_end_when_the_handle_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let mut tape = Tape::begin(folder.path(), "end");
    tape.batch(Tape::handshake);
    let mut window = Window::on(folder.path());
    window.open(&tape.path);
    window.show(View::Messages, "initialize");
    let woken = Arc::clone(&window.woken);
    drop(window);
    let begun = Instant::now();
    // Every thread holds the wake function, which holds the counter.
    while Arc::strong_count(&woken) > 1 {
        assert!(begun.elapsed() < PATIENCE, "a thread goes on");
        std::thread::sleep(Duration::from_millis(1));
    }
    println!("ended after {:?}", begun.elapsed());
}
