//! The demo's two ends against each other over pipes, without a tap.

use std::io::{self, BufReader, Read, Write};
use std::thread;
use std::time::Duration;

use super::{hold_conversation, serve};
use crate::model::Era;
use crate::wire::{self, Frame};

/// Writes to a pipe and keeps a copy.
struct Copying<W> {
    to: W,
    copy: std::sync::Arc<std::sync::Mutex<Vec<u8>>>,
}

impl<W: Write> Write for Copying<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.copy.lock().unwrap().extend_from_slice(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// What client and server say in one era, and what the server writes on stderr.
fn played(era: Era) -> [String; 3] {
    let (server_in, client_out) = io::pipe().unwrap();
    let (client_in, server_out) = io::pipe().unwrap();
    let (mut errors_in, errors_out) = io::pipe().unwrap();
    let [asked, told] = [(); 2].map(|()| std::sync::Arc::default());
    let to_client = Copying { to: server_out, copy: std::sync::Arc::clone(&told) };
    let to_server = Copying { to: client_out, copy: std::sync::Arc::clone(&asked) };
    let server = thread::Builder::new()
        .name("demo-server".to_owned())
        .spawn(move || serve(BufReader::new(server_in), to_client, errors_out, Duration::ZERO))
        .unwrap();
    hold_conversation(era, BufReader::new(client_in), to_server, Duration::ZERO).unwrap();
    server.join().unwrap().unwrap();
    let mut errors = String::new();
    errors_in.read_to_string(&mut errors).unwrap();
    let text =
        |bytes: std::sync::Arc<std::sync::Mutex<Vec<u8>>>| String::from_utf8(bytes.lock().unwrap().clone()).unwrap();
    [text(asked), text(told), errors]
}

fn frames(stream: &str) -> impl Iterator<Item = Frame<'_>> {
    stream.lines().map(|line| wire::read(line.as_bytes()))
}

#[test]
fn each_line_is_a_message_but_the_deliberate_one() {
    for era in [Era::Legacy, Era::Modern] {
        let [asked, told, errors] = played(era);
        assert!(frames(&asked).all(|frame| matches!(frame, Frame::Message(_))), "{asked}");
        let noise = frames(&told).filter(|frame| !matches!(frame, Frame::Message(_))).count();
        assert_eq!(noise, 1, "{told}");
        for frame in frames(&asked).chain(frames(&told)) {
            if let Frame::Message(message) = frame {
                assert_eq!(message.oddities.0, 0);
            }
        }
        assert!(errors.lines().count() >= 3, "{errors}");
    }
}

#[test]
fn modern_messages_carry_what_the_revision_wants_of_each() {
    let [asked, told, _] = played(Era::Modern);
    for frame in frames(&asked) {
        let Frame::Message(message) = frame else { continue };
        assert!(!matches!(message.kind, wire::MessageKind::Result | wire::MessageKind::Error), "JR-028");
        if message.kind == wire::MessageKind::Request {
            let params = message.params.as_ref().unwrap();
            for key in ["protocolVersion", "clientInfo", "clientCapabilities"] {
                assert!(params.pointer(&format!("/_meta/io.modelcontextprotocol~1{key}")).is_some(), "ME-005: {key}");
            }
        }
    }
    for frame in frames(&told) {
        let Frame::Message(message) = frame else { continue };
        assert_ne!(message.kind, wire::MessageKind::Request, "JR-027");
        if let Some(result) = &message.result {
            assert!(result.get("resultType").is_some(), "RT-001");
            assert!(result.pointer("/_meta/io.modelcontextprotocol~1serverInfo").is_some(), "ME-008");
        }
    }
    for (code, times) in [(-32021, 1), (-32602, 1)] {
        assert_eq!(told.matches(&format!(r#""code":{code}"#)).count(), times, "{code}");
    }
    for kind in ["input_required", "task"] {
        assert_eq!(told.matches(&format!(r#""resultType":"{kind}""#)).count(), 1, "{kind}");
    }
}

#[test]
fn the_legacy_server_asks_the_client_and_gets_answers() {
    let [asked, told, _] = played(Era::Legacy);
    for method in ["roots/list", "sampling/createMessage", "elicitation/create"] {
        assert_eq!(told.matches(&format!(r#""method":"{method}""#)).count(), 1, "{method}");
    }
    assert!(told.contains("route saved in rounds: Malmö, Lund, Ystad"), "{told}");
    assert!(told.contains("12.50 EUR paid back"), "{told}");
    assert!(!told.contains("resultType"), "{told}");
    assert!(told.lines().last().unwrap().contains("parcels of 2024 archived"), "the late answer: {told}");
    assert!(!asked.contains("io.modelcontextprotocol/"), "{asked}");
}

#[test]
fn numbers_are_sent_as_they_are() {
    let [asked, told, _] = played(Era::Legacy);
    assert!(asked.contains(r#""after":9007199254740993,"max_weight":1.0"#), "{asked}");
    assert!(told.contains(
        r#""structuredContent":{"parcels":[{"id":1915883588174806058,"city":"Malmö","weight":1.0,"insured":1e400}"#
    ));
}
