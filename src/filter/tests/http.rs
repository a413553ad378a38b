//! The words that ask about HTTP: what they match, and that they print as they are read.

use super::{Facts, Filter, Is, filter};
use crate::filter::{Vocabulary, complete};
use crate::model::{EntryKind, Transport};

const HEAD: &[u8] =
    b"POST /mcp HTTP/1.1\r\nHost: h\r\nContent-Type:  Text/HTML; charset=utf-8\r\nMCP-Session-Id: 1868a90c\r\n\r\n";

fn matches(text: &str) -> bool {
    let facts = Facts {
        is: Is::OPEN.with(Is::STREAM),
        status: Some(404),
        session: Some("1868a90c-7b1e"),
        channel: Some(3),
        transport: Some(Transport::HttpStream),
        ..Facts::default()
    };
    filter(text).matches(&facts, &mut |pattern| pattern.reads(EntryKind::Head) && pattern.is_in(HEAD))
}

#[test]
fn questions_about_http_are_answered() {
    for text in [
        "status:404",
        "status>=400",
        "status:4*",
        "status:4xx",
        "status:40*",
        "status!=200",
        "-status:5*",
        "session:1868a90c-7b1e",
        "session:1868*",
        "session:/7b1e$/",
        "channel:3",
        "channel:stream",
        "CHANNEL:STREAM",
        "is:open",
        "is:stream status:404",
        "header:mcp-session-id",
        "header:MCP-SESSION-ID",
        "header:1868A90C",
        "header:\"content-type: text/html\"",
        "header:content-type:text/html",
        "header:/^host: h$/",
        "header:/session-id: [0-9a-f]+$/",
        "not header:authorization",
    ] {
        assert!(matches(text), "{text}");
    }
    for text in [
        "status:40",
        "status:-32602",
        "status:5*",
        "status:41*",
        "status<400",
        "session:1868",
        "channel:4",
        "channel:stdio",
        "channel:request",
        "channel:sse",
        "header:authorization",
        "header:\"content-type: text/plain\"",
        "header:/^type/",
    ] {
        assert!(!matches(text), "{text}");
    }
}

#[test]
fn a_header_is_looked_for_in_heads_alone_and_not_marked_in_messages() {
    let asked = filter("header:accept or accept");
    let kinds = |number: usize| {
        let pattern = asked.texts()[number];
        (pattern.reads(EntryKind::Head), pattern.reads(EntryKind::Body), pattern.reads(EntryKind::Frame))
    };
    assert_eq!((kinds(0), kinds(1)), ((true, false, false), (true, true, true)));
    assert_eq!(asked.patterns().len(), 1, "only the text is marked in messages");
    assert!(asked.needs_text());
}

#[test]
fn without_http_nothing_is_answered_with_yes() {
    for text in ["status>=0", "status:4*", "session:*", "channel:1", "channel:stdio", "is:open", "is:stream"] {
        assert!(!filter(text).matches(&Facts::default(), &mut |_| true), "{text}");
    }
}

#[test]
fn what_is_printed_means_the_same() {
    for text in [
        "status:4*",
        "status>=400",
        "header:mcp-name",
        "header:\"a: \\\"b\\\"\"",
        "header:/^a: b$/",
        "session:\"a b\"",
        "channel:12",
        "channel:sse",
        "is:stream is:open",
    ] {
        let printed = filter(text).to_string();
        assert_eq!(filter(&printed).to_string(), printed, "{text}");
        assert_eq!(printed.split(' ').count(), text.split(' ').count());
    }
}

#[test]
fn faults_say_what_to_write() {
    let fault = |text: &str| Filter::parse(text).unwrap_err().message;
    assert!(fault("channel:pipe").contains("`stdio`, `request`, `stream` or `sse`"));
    assert!(fault("channel>3").contains("not a number to compare"));
    assert!(fault("header>3").contains("not a number to compare"));
    assert!(fault("status:4**5").contains("is not a number") || fault("status:4**5").contains("unknown unit"));
    assert!(fault("stats:404").contains("`status:`"));
    assert!(fault("header:/(/").contains("regular expression"));
    assert!(fault("header:\"\"").contains("no text"));
}

#[test]
fn completion_knows_what_mcp_says_over_http() {
    let sessions = ["1868a90c".into()];
    let vocabulary = Vocabulary { sessions: &sessions, ..Vocabulary::default() };
    let offer =
        |text: &str| complete(text, text.len(), &vocabulary).into_iter().map(|one| one.insert).collect::<Vec<_>>();
    assert_eq!(
        offer("status:40"),
        ["status:400", "status:401", "status:403", "status:404", "status:405", "status:406"]
    );
    assert_eq!(offer("header:mcp-s"), ["header:mcp-session-id"]);
    assert_eq!(offer("session:"), ["session:1868a90c"]);
    assert_eq!(offer("channel:s"), ["channel:stdio", "channel:stream", "channel:sse", "channel:request"]);
    assert_eq!(offer("stat"), ["status:"]);
}
