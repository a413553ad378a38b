//! What the HTTP tap costs: throughput of small JSON on eight connections, the delay of the first event of a
//! stream, and the memory over many exchanges and over one large body. Directly, through the tap, and
//! through nginx and mitmproxy where they are there, in turns in one run, since only the ratios mean
//! anything.
//!
//! `cargo bench --bench http [-- full]`; mitmproxy is looked for in `$PEERS/py-mitm` and in `PATH`.
#![allow(clippy::print_stdout)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::Builder;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

const CONNECTIONS: usize = 8;
const CALL: &str =
    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}"#;
const ANSWER: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"3"}],"isError":false}}"#;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.first().is_some_and(|word| word == "--serve") {
        return serve();
    }
    let full = words.iter().any(|word| word == "full");
    let folder = std::env::temp_dir().join(format!("midwire-bench-http-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let server = Running::server();
    let mut ways = ways(&folder, server.port);
    throughput(&mut ways, if full { 5 } else { 2 }, Duration::from_secs(if full { 5 } else { 1 }));
    first_event(&mut ways, if full { 1000 } else { 100 });
    drop(ways);
    memory(&folder, server.port, if full { 200_000 } else { 5_000 }, if full { 2 << 30 } else { 64 << 20 });
    let _ = std::fs::remove_dir_all(&folder);
}

/// The server: says its port on stdout, then answers until it is killed.
fn serve() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    println!("at 127.0.0.1:{}", listener.local_addr().expect("an address").port());
    for stream in listener.incoming().flatten() {
        Builder::new().name("connection".into()).spawn(move || answer(stream)).expect("a thread");
    }
}

fn answer(stream: TcpStream) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut writer = stream.try_clone().ok()?;
    let mut reader = BufReader::with_capacity(64 << 10, stream);
    let small = json(ANSWER);
    let large = json(&ANSWER.replace('3', &"x".repeat(10_000)));
    loop {
        let (line, _) = message(&mut reader)?;
        let target = line.split(' ').nth(1)?;
        match target.split_once('?') {
            Some(("/event", _)) => {
                writer
                    .write_all(
                        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
                    )
                    .ok()?;
                std::thread::sleep(Duration::from_millis(3));
                let event = format!("data: {:020}\n\n", now());
                writer.write_all(format!("{:x}\r\n{event}\r\n0\r\n\r\n", event.len()).as_bytes()).ok()?;
            }
            Some(("/body", size)) => {
                let size: usize = size.parse().ok()?;
                let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {size}\r\n\r\n");
                writer.write_all(head.as_bytes()).ok()?;
                let block = vec![b'x'; 1 << 20];
                for _ in 0..size >> 20 {
                    writer.write_all(&block).ok()?;
                }
            }
            _ if target == "/large" => writer.write_all(large.as_bytes()).ok()?,
            _ => writer.write_all(small.as_bytes()).ok()?,
        }
    }
}

fn json(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock").as_nanos()
}

/// Reads a message with `Content-Length` or in chunks; gives its first line and its body's length.
fn message(reader: &mut BufReader<TcpStream>) -> Option<(String, usize)> {
    let (first, length) = head(reader)?;
    let mut total = 0;
    loop {
        let piece = match length {
            Some(length) => length,
            None => usize::from_str_radix(line(reader)?.trim(), 16).ok()?,
        };
        let taken = std::io::copy(&mut reader.by_ref().take(piece as u64), &mut std::io::sink()).ok()?;
        if taken as usize != piece {
            return None;
        }
        total += piece;
        if length.is_some() {
            return Some((first, total));
        }
        line(reader)?;
        if piece == 0 {
            return Some((first, total));
        }
    }
}

/// The first line of a head, and its `Content-Length`; without one a response is in chunks.
fn head(reader: &mut BufReader<TcpStream>) -> Option<(String, Option<usize>)> {
    let first = line(reader)?;
    let mut length = (!first.starts_with("HTTP/")).then_some(0);
    loop {
        let field = line(reader)?;
        if field.trim().is_empty() {
            return Some((first, length));
        }
        if field.len() > 15 && field[..15].eq_ignore_ascii_case("content-length:") {
            length = field[15..].trim().parse().ok();
        }
    }
}

fn line(reader: &mut BufReader<TcpStream>) -> Option<String> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|count| *count > 0).map(|_| line)
}

/// A process that listens, ended when dropped.
struct Running {
    child: Option<Child>,
    port: u16,
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Running {
    fn server() -> Self {
        let me = std::env::current_exe().expect("this program");
        let mut child = Command::new(me).arg("--serve").stdout(Stdio::piped()).spawn().expect("starts");
        let port = port_said(child.stdout.take().expect("piped"));
        Self { child: Some(child), port }
    }

    fn tap(folder: &Path, upstream: u16) -> Self {
        let url = format!("http://127.0.0.1:{upstream}/mcp");
        let mut command = Command::new(env!("CARGO_BIN_EXE_midwire"));
        command.args(["tap", "--url", &url, "--recordings"]).arg(folder.join("recordings"));
        let mut child = command.stderr(Stdio::piped()).spawn().expect("starts");
        let port = port_said(child.stderr.take().expect("piped"));
        Self { child: Some(child), port }
    }

    /// A program of others that is told its port; `None` when it is not there.
    fn told(command: &mut Command, port: u16) -> Option<Self> {
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
        let running = Self { child: Some(child), port };
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if start.elapsed() > Duration::from_mins(1) {
                return None;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Some(running)
    }

    fn connect(&self) -> BufReader<TcpStream> {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_nodelay(true).expect("an option");
        BufReader::with_capacity(64 << 10, stream)
    }

    /// A number of `/proc/PID/status`, in KiB.
    fn status(&self, name: &str) -> u64 {
        let pid = self.child.as_ref().map_or(0, Child::id);
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or_default()
    }
}

/// The port in a line such as `listening at http://127.0.0.1:4000/mcp for …`. What comes later is read by
/// nobody, and little.
fn port_said(from: impl Read) -> u16 {
    let mut said = String::new();
    BufReader::new(from).read_line(&mut said).expect("a line");
    let (_, rest) = said.split_once("127.0.0.1:").unwrap_or_else(|| panic!("no port: {said}"));
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().expect("a port")
}

struct Way {
    name: &'static str,
    running: Running,
    rates: Vec<f64>,
    delays: Vec<Duration>,
}

fn ways(folder: &Path, server: u16) -> Vec<Way> {
    let direct = Running { child: None, port: server };
    let all = [
        ("direct", Some(direct)),
        ("tap", Some(Running::tap(folder, server))),
        ("nginx", nginx(folder, server)),
        ("mitmproxy", mitmproxy(folder, server)),
    ];
    let way = |(name, running): (_, Option<_>)| {
        let absent = || println!("{name} is not there");
        running
            .or_else(|| {
                absent();
                None
            })
            .map(|running| Way { name, running, rates: Vec::new(), delays: Vec::new() })
    };
    all.into_iter().filter_map(way).collect()
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port()
}

/// nginx as a plain reverse proxy that buffers nothing and keeps its connections.
fn nginx(folder: &Path, server: u16) -> Option<Running> {
    let (port, root) = (free_port(), folder.display());
    let text = format!(
        "worker_processes 2; daemon off; master_process off; pid {root}/pid; error_log /dev/null;\n\
         events {{ }}\nhttp {{ access_log off; client_body_temp_path {root}/b; proxy_temp_path {root}/p;\n\
         fastcgi_temp_path {root}/f; uwsgi_temp_path {root}/u; scgi_temp_path {root}/s;\n\
         upstream up {{ server 127.0.0.1:{server}; keepalive 16; }}\n\
         server {{ listen 127.0.0.1:{port}; keepalive_requests 1000000000; location / {{ proxy_pass http://up;\n\
         proxy_http_version 1.1; proxy_set_header Connection \"\"; proxy_buffering off; }} }} }}\n"
    );
    let file = folder.join("nginx.conf");
    std::fs::write(&file, text).ok()?;
    Running::told(Command::new("nginx").arg("-p").arg(folder).arg("-c").arg(&file), port)
}

fn mitmproxy(folder: &Path, server: u16) -> Option<Running> {
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let peers = std::env::var_os("PEERS").map_or_else(|| home.join("mcp-peers"), PathBuf::from);
    let installed = peers.join("py-mitm/bin/mitmdump");
    let program = if installed.exists() { installed } else { "mitmdump".into() };
    let (port, mode) = (free_port(), format!("reverse:http://127.0.0.1:{server}"));
    let mut command = Command::new(program);
    command.args(["-q", "--mode", &mode, "--listen-host", "127.0.0.1", "-p", &port.to_string()]);
    command.args(["--set", "stream_large_bodies=1", "--set"]).arg(format!("confdir={}", folder.display()));
    Running::told(&mut command, port)
}

/// Small JSON, each connection asking again as soon as it is answered.
fn throughput(ways: &mut [Way], turns: usize, time: Duration) {
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         Content-Length: {}\r\n\r\n{CALL}",
        CALL.len()
    );
    for _ in 0..turns {
        for way in &mut *ways {
            let end = Instant::now() + time;
            let asking = (0..CONNECTIONS).map(|_| {
                let (mut reader, request) = (way.running.connect(), request.clone());
                let ask = move || {
                    let mut count = 0;
                    while Instant::now() < end {
                        reader.get_mut().write_all(request.as_bytes()).expect("writes");
                        message(&mut reader).expect("an answer");
                        count += 1;
                    }
                    count
                };
                Builder::new().name("client".into()).spawn(ask).expect("a thread")
            });
            let asking: Vec<_> = asking.collect();
            let count: u32 = asking.into_iter().map(|thread| thread.join().expect("asks")).sum();
            way.rates.push(f64::from(count) / time.as_secs_f64());
        }
    }
    println!("\nsmall JSON, {CONNECTIONS} connections, exchanges a second (median of {turns})");
    let median = |rates: &mut Vec<f64>| {
        rates.sort_by(f64::total_cmp);
        rates[rates.len() / 2]
    };
    let tap = ways.iter_mut().find(|way| way.name == "tap").map_or(1.0, |way| median(&mut way.rates));
    for way in ways {
        let rate = median(&mut way.rates);
        println!("{:>12}: {rate:>9.0}   the tap reaches {:.2} × of it", way.name, tap / rate);
    }
}

/// From the writing of a stream's first event to its arrival.
fn first_event(ways: &mut [Way], rounds: usize) {
    for _ in 0..rounds {
        for way in &mut *ways {
            let mut reader = way.running.connect();
            let request = b"GET /event?1 HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n";
            reader.get_mut().write_all(request).expect("writes");
            head(&mut reader).expect("a head");
            let written = loop {
                let text = line(&mut reader).expect("an event");
                if let Some(number) = text.strip_prefix("data: ") {
                    break number.trim().parse::<u128>().expect("a time");
                }
            };
            way.delays.push(Duration::from_nanos(now().saturating_sub(written) as u64));
        }
    }
    println!("\nfirst event of a stream, from its writing to its arrival");
    let direct = at(&mut ways[0].delays, 0.5);
    for way in ways {
        let (p50, p90) = (at(&mut way.delays, 0.5), at(&mut way.delays, 0.9));
        println!(
            "{:>12}: p50 {p50:>9.1?}  p90 {p90:>9.1?}  {:.1?} more than directly",
            way.name,
            p50.saturating_sub(direct)
        );
    }
}

fn at(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    times[((times.len() - 1) as f64 * share) as usize]
}

/// The tap's memory over exchanges of 10 KB and over one large body.
fn memory(folder: &Path, server: u16, exchanges: usize, size: usize) {
    let tap = Running::tap(folder, server);
    let mut reader = tap.connect();
    println!("\nmemory of the tap, MiB");
    for turn in 1..=10 {
        for _ in 0..exchanges / 10 {
            reader.get_mut().write_all(b"GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").expect("writes");
            message(&mut reader).expect("an answer");
        }
        println!("{:>12} exchanges of 10 KB: {:>6.1}", exchanges / 10 * turn, tap.status("VmRSS:") as f64 / 1024.0);
    }
    let request = format!("GET /body?{size} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    reader.get_mut().write_all(request.as_bytes()).expect("writes");
    let (_, got) = message(&mut reader).expect("a body");
    assert_eq!(got, size, "all of it");
    println!(
        "{:>12} MiB in one body: {:>6.1}, at most {:.1}",
        size >> 20,
        tap.status("VmRSS:") as f64 / 1024.0,
        tap.status("VmHWM:") as f64 / 1024.0
    );
}
