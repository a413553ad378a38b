//! Taps on HTTP that are started by the window's handle: they listen, they record, they end in order.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread::{Builder, JoinHandle};

use midwire::engine::view::{Command, Event, TapInfo, TapWish};
use midwire::store::Reader;

use super::window::Window;

/// A server that answers one request, and its URL.
fn server() -> (String, JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let served = Builder::new().name("server".to_owned()).spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut got = [0; 4096];
        let count = stream.read(&mut got).unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok").unwrap();
        String::from_utf8_lossy(&got[..count]).into_owned()
    });
    (url, served.unwrap())
}

fn start(window: &mut Window, wish: TapWish) -> Result<TapInfo, String> {
    window.handle.send(Command::StartTap(wish));
    window.until("the tap's answer", |_, event| match event {
        Event::TapStarted(info) => Some(Ok(info.clone())),
        Event::TapFailed(why) => Some(Err(why.clone())),
        _ => None,
    })
}

fn get(url: &str) -> String {
    let address = url.strip_prefix("http://").and_then(|rest| rest.split_once('/')).expect("a URL with a path").0;
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET /mcp HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut got = String::new();
    stream.read_to_string(&mut got).unwrap();
    got
}

fn is_closed(recording: &Path) -> bool {
    Reader::open(recording).unwrap().recording().unwrap().ended.is_some()
}

#[test]
fn a_tap_of_the_window_passes_on_records_and_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::on(folder.path());
    let (url, served) = server();
    let wish = TapWish { url: url.clone(), name: "mine".to_owned(), ..TapWish::default() };
    let info = start(&mut window, wish).expect("it starts");
    assert_eq!((&*info.name, &info.upstream), ("mine", &url));
    assert!(get(&info.url).ends_with("\r\n\r\nok"));
    assert!(served.join().unwrap().starts_with("GET /mcp HTTP/1.1\r\n"));
    let recording = info.recording.clone().expect("it records");
    window.open(&recording);
    window.settled("the answer is recorded", |state| state.read >= 3 && state.open == 0);
    assert!(window.texts().iter().any(|row| row.starts_with("GET /mcp 200")), "{:?}", window.texts());

    window.handle.send(Command::StopTap(info.id));
    window.until("no tap runs", |_, event| matches!(event, Event::Taps(taps) if taps.is_empty()).then_some(()));
    assert!(is_closed(&recording));
    let address = info.url.trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
    assert!(TcpStream::connect(address).is_err(), "it listens no more");
}

#[test]
fn a_tap_that_cannot_start_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::on(folder.path());
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = taken.local_addr().unwrap().to_string();
    let wish = TapWish { url: "http://127.0.0.1:9/mcp".to_owned(), listen: listen.clone(), ..TapWish::default() };
    let why = start(&mut window, wish).expect_err("the port is taken");
    assert!(why.starts_with("The tap was not started: failed to") && why.contains(&listen), "{why}");
}

#[test]
fn the_taps_of_a_window_end_with_it_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = Window::on(folder.path());
    let wish = || TapWish { url: "http://127.0.0.1:9/mcp".to_owned(), ..TapWish::default() };
    let recordings: Vec<PathBuf> =
        (0..2).map(|_| start(&mut window, wish()).expect("it starts").recording.expect("it records")).collect();
    assert!(recordings.iter().all(|recording| !is_closed(recording)));
    drop(window);
    assert!(recordings.iter().all(|recording| is_closed(recording)));
}
