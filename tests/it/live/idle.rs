//! What the engine costs while nothing happens.

use std::time::Duration;

use super::tape::Tape;
use super::window::Window;

/// Prints what a folder with twenty live and a thousand closed recordings costs while nothing happens.
#[test]
#[ignore = "measures for some seconds and asserts nothing about time"]
fn an_idle_watch_is_cheap() {
    let ticks = || {
        let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
        let fields: Vec<u64> = stat
            .rsplit_once(')')
            .unwrap()
            .1
            .split_whitespace()
            .skip(11)
            .take(2)
            .map(|it| it.parse().unwrap())
            .collect();
        fields[0] + fields[1]
    };
    let folder = tempfile::tempdir().unwrap();
    let mut closed = Tape::begin(folder.path(), "closed");
    closed.batch(Tape::handshake);
    let closed = closed.close();
    for copy in 1..1000 {
        std::fs::copy(&closed, folder.path().join(format!("closed-{copy}.midwire"))).unwrap();
    }
    let mut tapes: Vec<Tape> = (0..20).map(|live| Tape::begin(folder.path(), &format!("live-{live}"))).collect();
    for tape in &mut tapes {
        tape.batch(Tape::handshake);
    }
    let mut window = Window::on(folder.path());
    window.listed("all listed", |list| list.len() == 1020);
    window.listed("all identified", |list| list.iter().all(|listing| listing.server.is_some()));
    window.open(&tapes[0].path);
    let before = ticks();
    std::thread::sleep(Duration::from_secs(10));
    println!("idle: {:.1} % of a core", (ticks() - before) as f64 / 10.0);
    let before = ticks();
    for _ in 0..100 {
        for tape in &mut tapes {
            tape.batch(|tape| tape.call(1, "read", "x"));
        }
        std::thread::sleep(Duration::from_millis(90));
    }
    println!("twenty that grow ten times a second, writing included: {:.1} %", (ticks() - before) as f64 / 10.0);
}
