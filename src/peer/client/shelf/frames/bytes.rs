//! Frames of the shelf: lines, bytes and JSON.

use super::frame;
use crate::peer::client::shelf::build::Make;
use crate::peer::client::shelf::{Group, Nasty, Place};

pub(super) const FRAMES: &[Nasty] = &[
    frame(
        Group::Framing,
        Place::Stdio,
        ("half-a-line", "Half a line"),
        (
            "Tries half a message without a line end: send the rest afterwards, or close.",
            "Nothing, until the line ends; then an answer or an error -32700 (IO-003, IO-006).",
        ),
        Make::Cut(50),
    ),
    frame(
        Group::Framing,
        Place::Anywhere,
        ("cut-line", "A line that ends too early"),
        (
            "Tries half a message with a line end.",
            "An error -32700 without an id or with null (IO-002, JR-011, JR-012).",
        ),
        Make::Cut(50),
    ),
    frame(
        Group::Framing,
        Place::Anywhere,
        ("two-on-a-line", "Two messages on one line"),
        (
            "Tries two objects with nothing between them.",
            "An error -32700; some servers answer the first (IO-003, HX-004).",
        ),
        Make::Text(
            r#"{"jsonrpc":"2.0","id":{id},"method":"{method}"{params}}{"jsonrpc":"2.0","id":{next},"method":"{method}"{params}}"#,
        ),
    ),
    frame(
        Group::Framing,
        Place::Stdio,
        ("line-end-inside", "A line end inside"),
        (
            "Tries a message that is laid out over several lines, as some writers do.",
            "Errors -32700 for its pieces; the next good message is answered (IO-003).",
        ),
        Make::Text("{\n  \"jsonrpc\": \"2.0\",\n  \"id\": {id},\n  \"method\": \"{method}\"{params}\n}"),
    ),
    frame(
        Group::Framing,
        Place::Stdio,
        ("crlf", "CR LF at the end"),
        ("Tries the line end of Windows.", "A result (IO-005)."),
        Make::Around(b"", b"\r"),
    ),
    frame(
        Group::Framing,
        Place::Stdio,
        ("blank-lines", "Blank lines"),
        ("Tries a message between empty lines.", "A result for the message, nothing for the empty lines (IO-005)."),
        Make::Around(b"\n\n", b"\n"),
    ),
    frame(
        Group::Framing,
        Place::Anywhere,
        ("banner", "Text that is no JSON"),
        (
            "Tries a banner, as servers print them by mistake.",
            "An error -32700 or silence, and the next good message is answered (IO-002).",
        ),
        Make::Text("Nightly build ready"),
    ),
    frame(
        Group::Framing,
        Place::Anywhere,
        ("bom", "A byte order mark"),
        (
            "Tries a mark that Windows editors put before text.",
            "An error -32700, or a result from a server that is lenient (IO-004).",
        ),
        Make::Around(b"\xEF\xBB\xBF", b""),
    ),
    frame(
        Group::Framing,
        Place::Anywhere,
        ("nul-byte", "A NUL byte"),
        (
            "Tries a byte at which C programs think that a text ends.",
            "An error -32700; the next good message is answered (IO-002).",
        ),
        Make::Around(b"", b"\0"),
    ),
    frame(
        Group::Framing,
        Place::Anywhere,
        ("not-utf8", "Bytes that are not UTF-8"),
        (
            "Tries a string with the bytes FF FE in it.",
            "An error -32700; the next good message is answered (JR-023, IO-004).",
        ),
        Make::Within(b"\xFF\xFE"),
    ),
    frame(
        Group::Framing,
        Place::Anywhere,
        ("line-separator", "U+2028 inside a string"),
        ("Tries a sign at which some readers of lines break them.", "A result (IO-003)."),
        Make::Within("before\u{2028}after\u{85}end".as_bytes()),
    ),
    frame(
        Group::Json,
        Place::Anywhere,
        ("lone-surrogate", "Half a surrogate pair"),
        (
            "Tries the escape \\ud800 by itself, which JSON allows and no text can hold.",
            "A result or an error -32700, and the connection goes on (JR-023).",
        ),
        Make::Within(br"\ud800"),
    ),
    frame(
        Group::Json,
        Place::Anywhere,
        ("duplicate-keys", "The same member twice"),
        (
            "Tries two methods in one message: parsers disagree about which one counts.",
            "An error -32600, or an answer to either (JR-024).",
        ),
        Make::Text(r#"{"jsonrpc":"2.0","id":{id},"method":"midwire/unknown","method":"{method}"{params}}"#),
    ),
    frame(
        Group::Json,
        Place::Anywhere,
        ("huge-number", "The number 1e400"),
        (
            "Tries a number that no floating-point number can hold.",
            "A result or an error -32700, and the connection goes on (JR-015).",
        ),
        Make::Text(r#"{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{"x":1e400{meta}}}"#),
    ),
    frame(
        Group::Json,
        Place::Anywhere,
        ("big-integer", "The number 2^53 + 1"),
        (
            "Tries a number that JavaScript rounds.",
            "A result; where the server gives it back, with all its digits (JR-025).",
        ),
        Make::Text(r#"{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{"x":9007199254740993{meta}}}"#),
    ),
    frame(
        Group::Json,
        Place::Anywhere,
        ("nan", "The number NaN"),
        ("Tries a number that JSON does not have and Python writes.", "An error -32700 (IO-002)."),
        Make::Text(r#"{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{"x":NaN{meta}}}"#),
    ),
    frame(
        Group::Json,
        Place::Anywhere,
        ("trailing-comma", "A comma too many"),
        ("Tries JSON as people write it by hand.", "An error -32700 (IO-002)."),
        Make::Text(r#"{"jsonrpc":"2.0","id":{id},"method":"{method}"{params},}"#),
    ),
    frame(
        Group::Json,
        Place::Anywhere,
        ("deep", "10,000 brackets"),
        (
            "Tries nesting that overflows the stack of a parser that recurses.",
            "A result or an error -32700, and the process lives on (JR-015).",
        ),
        Make::Deep(10_000),
    ),
    frame(
        Group::Json,
        Place::Anywhere,
        ("huge-string", "A string of 4 MiB"),
        (
            "Tries a message that is larger than most buffers.",
            "A result or an error, and the connection goes on; on HTTP perhaps status 413 (JR-015).",
        ),
        Make::Long(4 << 20),
    ),
];
