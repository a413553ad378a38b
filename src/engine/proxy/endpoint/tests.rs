//! What the lookout passes on, however the stream is cut.

use super::*;

fn lookout(stream: &str) -> Lookout {
    Lookout::new(Url::parse(stream).expect("a URL"), Some("http://127.0.0.1:4000".to_owned()))
}

/// What comes out of a stream that arrives in two pieces, and what was announced.
fn cut(stream: &[u8], at: usize) -> (Vec<u8>, Option<Announced>) {
    let mut lookout = lookout("http://up.example:3001/a/sse?k=1");
    let mut out = Vec::new();
    let first = lookout.take(&stream[..at], &mut out);
    let second = lookout.take(&stream[at..], &mut out);
    lookout.finish(&mut out);
    (out, first.or(second))
}

/// The stream with `\n` written as each of the line ends.
fn with_ends(stream: &str) -> [Vec<u8>; 3] {
    ["\n", "\r\n", "\r"].map(|end| stream.replace('\n', end).into_bytes())
}

#[test]
fn an_endpoint_that_names_the_origin_is_led_through_the_tap_wherever_it_is_cut() {
    let cases = [
        (
            "event: endpoint\ndata: http://up.example:3001/m?s=1&t=2\n\n",
            "http://127.0.0.1:4000/m?s=1&t=2",
            "/m?s=1&t=2",
        ),
        (": hello\n\n: again\nevent:endpoint\ndata:HTTP://UP.example:3001/m\n\n", "http://127.0.0.1:4000/m", "/m"),
        ("data: //up.example:3001/m?x\nid: 4\nevent: endpoint\n\n", "http://127.0.0.1:4000/m?x", "/m?x"),
        ("\u{feff}event: endpoint\ndata: http://up.example:3001\n\n", "http://127.0.0.1:4000", "/"),
        ("retry: 5\n\nevent: endpoint\ndata: http://up.example:3001/a/b/\n\n", "http://127.0.0.1:4000/a/b/", "/a/b/"),
    ];
    for (stream, told, target) in cases {
        let uri = stream.lines().find_map(|line| line.strip_prefix("data:")).expect("data").trim();
        let tail = "event: message\ndata: {\"x\":\"event: endpoint\"}\n\n";
        for (whole, expected) in
            with_ends(&format!("{stream}{tail}")).iter().zip(with_ends(&format!("{}{tail}", stream.replace(uri, told))))
        {
            for at in 0..=whole.len() {
                let (out, announced) = cut(whole, at);
                assert_eq!(String::from_utf8_lossy(&out), String::from_utf8_lossy(&expected), "cut at {at}");
                let expected = Announced { target: target.into(), told: Some(told.into()), is_foreign: false };
                assert_eq!(announced, Some(expected), "{stream} cut at {at}");
            }
        }
    }
}

#[test]
fn what_needs_no_change_passes_as_it_is() {
    let cases = [
        ("event: endpoint\ndata: /messages/?session_id=ab%20c\n\n", Some(("/messages/?session_id=ab%20c", false))),
        ("event: endpoint\ndata: messages?s=1\n\n", Some(("/a/messages?s=1", false))),
        ("event: endpoint\ndata: ?s=1\n\n", Some(("/a/sse?s=1", false))),
        ("event: endpoint\ndata: https://other.example/m\n\n", Some(("/m", true))),
        ("event: endpoint\ndata: https://up.example:3001/m\n\n", Some(("/m", true))),
        ("event: endpoint\ndata: /a\ndata: /b\n\n", None),
        ("event: endpoint\n\n", None),
        ("data: http://up.example:3001/m\n\n", None),
        ("event: endpoints\ndata: http://up.example:3001/m\n\n", None),
        (
            "id: 1\ndata:\n\ndata: {\"a\":1}\n\nevent: message\ndata: x\n\n: c\n\ndata: y\n\nevent: endpoint\ndata: http://up.example:3001/\n\n",
            None,
        ),
        ("event: endpoint\ndata: http://up.example:3001/m", None),
        ("", None),
    ];
    for (stream, announced) in cases {
        for whole in with_ends(stream) {
            for at in 0..=whole.len() {
                let (out, found) = cut(&whole, at);
                assert_eq!(String::from_utf8_lossy(&out), String::from_utf8_lossy(&whole), "cut at {at}");
                let found = found.as_ref().map(|found| (found.target.as_str(), found.is_foreign));
                assert_eq!(found, announced, "{stream} cut at {at}");
            }
        }
    }
}

#[test]
fn nothing_but_an_endpoint_is_held_back() {
    for piece in [
        "data: {\"a",
        "event: message\nda",
        "event: mess",
        ": ping\n",
        "data: [",
        "event: message\ndata: x\n\n",
        "\n",
        "id: 3\ndata:\n\n",
    ] {
        let mut lookout = lookout("http://up.example/sse");
        let mut out = Vec::new();
        lookout.take(piece.as_bytes(), &mut out);
        assert_eq!(String::from_utf8_lossy(&out), piece);
    }
    let mut held = lookout("http://up.example/sse");
    let mut out = Vec::new();
    held.take(&vec![b'a'; 2 * LONGEST], &mut out);
    assert_eq!(out.len(), 2 * LONGEST, "what is too long for an endpoint passes");
    assert!(!held.is_done());
    held.take(b"\n\ndata: {}\n\ndata: {}\n\ndata: {}\n\n", &mut out);
    assert!(held.is_done());
}
