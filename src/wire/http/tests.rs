//! Heads as they come from real clients and servers, and as they should not come.

use super::*;

fn parse(text: &str) -> Head {
    Head::parse(text.as_bytes()).expect("is a head").expect("is whole")
}

#[test]
fn a_request_is_read_as_it_was_sent() {
    let text = "POST /mcp?x=1 HTTP/1.1\r\nHost: a:1\r\nmCP-method:  tools/call \r\nAccept: a\r\nAccept: b\r\n\r\n{}";
    let head = parse(text);
    assert_eq!(head.raw().len(), text.len() - 2);
    assert_eq!((head.method(), head.target(), head.minor()), ("POST", "/mcp?x=1", 1));
    assert_eq!(head.text("Mcp-Method").as_deref(), Some("tools/call"));
    assert_eq!(head.all("accept").collect::<Vec<_>>(), [b"a", b"b"]);
    assert_eq!(head.fields().nth(1).map(|field| field.raw), Some(&b"mCP-method:  tools/call \r\n"[..]));
}
