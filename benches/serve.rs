//! What our server carries over HTTP: a thousand sessions at once, and small calls of a tool per second over some
//! connections, without one that is lost. The same calls to a server on the official Rust SDK, in turns in one run, since
//! only the ratio means anything. The calls go round all sessions.
//!
//! `cargo build --release --example rmcp-peer && cargo bench --bench serve [-- full]`
#![allow(clippy::print_stdout, reason = "a bench tells its figures")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SESSIONS: usize = 1_000;
const CONNECTIONS: usize = 16;
const MOCK: &str = "[server]\nname = \"bench\"\nversion = \"1\"\n\n[[tool]]\nname = \"echo\"\nanswer = \"x\"\n";
const OPENING: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#;
const OPENED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --benches` only asks whether it starts.
    if words.iter().any(|word| word == "--test") {
        return;
    }
    let full = words.iter().any(|word| word == "full");
    let (rounds, time) = if full { (5, Duration::from_secs(5)) } else { (2, Duration::from_secs(2)) };
    let folder = tempfile::tempdir().expect("a folder");
    let mock = folder.path().join("bench.mock.toml");
    std::fs::write(&mock, MOCK).expect("a file");
    let mut serve = Command::new(env!("CARGO_BIN_EXE_midwire"));
    serve.arg("serve").arg(&mock).args(["--http", "127.0.0.1:0", "--json", "--quiet", "--recordings"]);
    serve.arg(folder.path());
    let mut ways = vec![Way::start("midwire serve", serve)];
    let peer = std::path::Path::new(env!("CARGO_BIN_EXE_midwire")).with_file_name("examples").join("rmcp-peer");
    if peer.is_file() {
        let mut peer = Command::new(peer);
        peer.arg("serve-http");
        ways.push(Way::start("rmcp", peer));
    } else {
        println!("rmcp is not there: cargo build --release --example rmcp-peer");
    }
    for way in &mut ways {
        let begun = Instant::now();
        way.open();
        println!("{:<14} {SESSIONS} sessions in {:.2} s", way.name, begun.elapsed().as_secs_f64());
    }
    for _ in 0..rounds {
        for way in &mut ways {
            let rate = way.calls(time);
            way.rates.push(rate);
        }
    }
    let medians: Vec<f64> = ways.iter_mut().map(Way::median).collect();
    for (way, median) in ways.iter().zip(&medians) {
        println!("{:<14} {median:>8.0} calls/s, none lost; rounds: {:.0?}", way.name, way.rates);
    }
    if let [ours, theirs] = medians[..] {
        println!("ratio to rmcp: {:.2}; to reach: 10,000 calls/s", ours / theirs);
    }
}

/// A server that is measured.
struct Way {
    name: &'static str,
    child: Child,
    address: String,
    sessions: Vec<String>,
    rates: Vec<f64>,
}

impl Way {
    /// Starts it; where it listens stands in its first line, on stderr for ours and on stdout for the other.
    fn start(name: &'static str, mut command: Command) -> Self {
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        let mut stderr = BufReader::new(child.stderr.take().expect("stderr"));
        if name == "rmcp" {
            BufReader::new(child.stdout.take().expect("stdout")).read_line(&mut line).expect("a line");
        } else {
            stderr.read_line(&mut line).expect("a line");
        }
        // Nobody is to wait until this is read.
        let drain = move || std::io::copy(&mut stderr, &mut std::io::sink());
        std::thread::Builder::new().name("stderr".into()).spawn(drain).expect("a thread");
        let url = line.split_whitespace().find(|word| word.starts_with("http://")).expect("an address");
        let address = url.trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
        Self { name, child, address, sessions: Vec::new(), rates: Vec::new() }
    }

    fn open(&mut self) {
        let mut line = Line::connect(&self.address);
        for _ in 0..SESSIONS {
            let (session, _) = line.post("", OPENING);
            let session = session.expect("a session");
            line.post(&session, OPENED);
            self.sessions.push(session);
        }
    }

    /// Calls per second for so long; each answer is looked at.
    fn calls(&self, time: Duration) -> f64 {
        let begun = Instant::now();
        let done: usize = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..CONNECTIONS).map(|number| scope.spawn(move || self.caller(number, time))).collect();
            threads.into_iter().map(|thread| thread.join().expect("all are answered")).sum()
        });
        done as f64 / begun.elapsed().as_secs_f64()
    }

    fn caller(&self, number: usize, time: Duration) -> usize {
        let (mut line, begun, mut done) = (Line::connect(&self.address), Instant::now(), 0);
        let mut sessions = self.sessions.iter().skip(number).step_by(CONNECTIONS).cycle();
        while begun.elapsed() < time {
            let session = sessions.next().expect("sessions");
            let id = number * 10_000_000 + done;
            let call = format!(
                r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"echo","arguments":{{"text":"x"}}}}}}"#
            );
            let (_, body) = line.post(session, &call);
            assert!(body.contains(&format!("\"id\":{id}")) && body.contains("\"result\""), "{body}");
            done += 1;
        }
        done
    }

    fn median(&mut self) -> f64 {
        self.rates.sort_by(f64::total_cmp);
        self.rates[self.rates.len() / 2]
    }
}

impl Drop for Way {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A connection that is kept.
struct Line {
    address: String,
    reader: BufReader<TcpStream>,
}

impl Line {
    fn connect(address: &str) -> Self {
        let stream = TcpStream::connect(address).expect("it listens");
        stream.set_nodelay(true).expect("no delay");
        Self { address: address.to_owned(), reader: BufReader::with_capacity(64 << 10, stream) }
    }

    /// Posts a message; the session that the response names, and its body.
    fn post(&mut self, session: &str, body: &str) -> (Option<String>, String) {
        let session = if session.is_empty() { String::new() } else { format!("Mcp-Session-Id: {session}\r\n") };
        let request = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
             {session}Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        self.reader.get_mut().write_all(request.as_bytes()).expect("it reads");
        let (mut given, mut length, mut chunked) = (None, 0, false);
        loop {
            let line = self.line();
            let Some((name, value)) = line.split_once(':') else {
                if line.is_empty() {
                    break;
                }
                continue;
            };
            match name.to_ascii_lowercase().as_str() {
                "mcp-session-id" => given = Some(value.trim().to_owned()),
                "content-length" => length = value.trim().parse().expect("a length"),
                "transfer-encoding" => chunked = true,
                _ => {}
            }
        }
        let mut said = Vec::new();
        if !chunked {
            self.take(length, &mut said);
        }
        while chunked {
            let size = usize::from_str_radix(&self.line(), 16).expect("a chunk");
            self.take(size, &mut said);
            self.line();
            chunked = size > 0;
        }
        (given, String::from_utf8_lossy(&said).into_owned())
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.reader.read_line(&mut line).expect("a line");
        line.trim_end().to_owned()
    }

    fn take(&mut self, count: usize, into: &mut Vec<u8>) {
        let taken = self.reader.by_ref().take(count as u64).read_to_end(into).expect("a body");
        assert_eq!(taken, count, "the whole body");
    }
}
