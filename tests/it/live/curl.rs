//! The command that sends an HTTP request again, run by a shell against a server that says what it got.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::thread::{Builder, JoinHandle};

use midwire::model::{Flags, Side, Transport};

use super::tape::Tape;
use super::window::Window;

/// Runs `text` in a folder and returns what the server at `listener` got: its head and its body.
fn run(text: &str, folder: &Path, listener: TcpListener) -> (String, Vec<u8>) {
    let served: JoinHandle<(String, Vec<u8>)> = Builder::new()
        .name("server".to_owned())
        .spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let got = read(&mut stream);
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok").unwrap();
            got
        })
        .unwrap();
    let shell = Command::new("sh").arg("-c").arg(text).current_dir(folder).env("TOKEN", "t0p").output().unwrap();
    assert!(shell.status.success(), "{text}\n{}", String::from_utf8_lossy(&shell.stderr));
    assert_eq!(shell.stdout, b"ok", "{text}");
    served.join().unwrap()
}

fn read(stream: &mut TcpStream) -> (String, Vec<u8>) {
    let mut got = Vec::new();
    let mut piece = vec![0; 65_536];
    loop {
        let count = stream.read(&mut piece).unwrap();
        got.extend_from_slice(&piece[..count]);
        let Some(end) = got.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8(got[..end].to_vec()).unwrap();
        let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
        let length: usize = length.map_or(0, |length| length.parse().unwrap());
        if head.contains("Expect: 100-continue") && got.len() == end + 4 {
            stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").unwrap();
        }
        if got.len() >= end + 4 + length || count == 0 {
            return (head, got.split_off(end + 4));
        }
    }
}

/// Records a POST of `body` and sends it again by its command.
fn sent_again(body: &[u8]) -> (String, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let mut tape = Tape::web(folder.path(), "it's", &format!("{origin}/mcp"));
    tape.batch(|tape| {
        tape.request(1, Transport::HttpRequest);
        let lines = [
            "POST /mcp?a=b&c={d} HTTP/1.1",
            "Host: 127.0.0.1:1",
            "Accept: application/json, text/event-stream",
            "Content-Type: application/json",
            "Authorization: Bearer \u{2022}\u{2022}\u{2022}",
            "MCP-Protocol-Version: 2025-11-25",
            "Mcp-Session-Id: a'b\"c$d`e",
            "Accept-Encoding: gzip",
        ];
        tape.head(Side::Client, Flags::default(), &lines);
        tape.body(Side::Client, body);
        tape.head(Side::Server, Flags::default(), &["HTTP/1.1 200 OK", "Content-Type: application/json"]);
        tape.body(Side::Server, b"{}");
    });
    let path = tape.close();
    let mut window = Window::on(folder.path());
    window.open(&path);
    window.settled("all read", |state| state.read == 4);
    let key = window.rows()[0].key;
    let http = window.inspect(key).http.clone().expect("it came over HTTP");
    let curl = http.curl.as_ref().expect("a command");
    let text = match curl.text.split_once(" > body.bin\n") {
        // The first line makes the file; jq may not be there, so the test makes it.
        Some((make, command)) => {
            assert!(make.contains("--json | jq"), "{make}");
            std::fs::write(folder.path().join("body.bin"), body).unwrap();
            command.to_owned()
        }
        None => curl.text.clone(),
    };
    run(&text, folder.path(), listener)
}

#[test]
fn the_command_sends_what_was_sent() {
    let has_curl = Command::new("curl").arg("--version").output().is_ok_and(|output| output.status.success());
    if !has_curl {
        println!("there is no curl here");
        return;
    }
    let long = format!(r#"{{"text":"{}"}}"#, "0123456789".repeat(10_000));
    let bodies: [&[u8]; 6] = [
        br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"q":"it's \"$HOME\" `id` \\n %s !"}}"#,
        "{\n  \"text\": \"gr\u{fc}\u{df}e \u{1F980}\"\n}\n".as_bytes(),
        b"@file",
        b"\x00\xff%d\r\n\\",
        b"",
        long.as_bytes(),
    ];
    for body in bodies {
        let (head, got) = sent_again(body);
        assert_eq!(got, body, "{head}");
        assert!(head.starts_with("POST /mcp?a=b&c={d} HTTP/1.1\r\n"), "{head}");
        for field in [
            "Accept: application/json, text/event-stream",
            "Content-Type: application/json",
            "Authorization: Bearer t0p",
            "MCP-Protocol-Version: 2025-11-25",
            "Mcp-Session-Id: a'b\"c$d`e",
        ] {
            assert_eq!(head.lines().filter(|line| *line == field).count(), 1, "{field} in {head}");
        }
        assert!(!head.contains("gzip"), "{head}");
    }
}
