//! Frames of the shelf: ids, members and batches.

use super::frame;
use crate::peer::client::shelf::build::Make;
use crate::peer::client::shelf::{Group, Nasty, Place};

pub(super) const FRAMES: &[Nasty] = &[
    frame(
        Group::Id,
        Place::Anywhere,
        ("id-string", "An id that is text"),
        (
            "Tries whether text comes back as text: \"9001\" is not 9001.",
            "A result whose id is the same text with the same type (JR-003, JR-007).",
        ),
        Make::Id("\"9001\""),
    ),
    frame(
        Group::Id,
        Place::Anywhere,
        ("id-zero", "The id 0"),
        ("Tries whether 0 is taken for a missing id.", "A result with the id 0 (JR-003, JR-007)."),
        Make::Id("0"),
    ),
    frame(
        Group::Id,
        Place::Anywhere,
        ("id-negative", "The id -1"),
        ("Tries whether a negative id is an id.", "A result with the id -1 (JR-003, JR-007)."),
        Make::Id("-1"),
    ),
    frame(
        Group::Id,
        Place::Anywhere,
        ("id-big", "An id beyond 2^53"),
        (
            "Tries whether an id goes through a floating-point number on its way.",
            "A result with all digits of the id; a server that cannot should refuse it (JR-007, JR-025).",
        ),
        Make::Id("9007199254740993"),
    ),
    frame(
        Group::Id,
        Place::Anywhere,
        ("id-empty", "An id that is empty text"),
        (
            "Tries whether an empty text is taken for a missing id.",
            "A result with the empty text as its id (JR-003, JR-007).",
        ),
        Make::Id("\"\""),
    ),
    frame(
        Group::Id,
        Place::Anywhere,
        ("id-null", "The id null"),
        ("Tries an id that JSON-RPC knows and MCP forbids.", "An error -32600; neither a result nor silence (JR-004)."),
        Make::Id("null"),
    ),
    frame(
        Group::Id,
        Place::Anywhere,
        ("id-missing", "A request without an id"),
        ("Tries a request that lacks its id, which makes it a notification.", "No answer at all (JR-013, JR-014)."),
        Make::Text(r#"{"jsonrpc":"2.0","method":"{method}"{params}}"#),
    ),
    frame(
        Group::Id,
        Place::Anywhere,
        ("id-fraction", "The id 1.5"),
        ("Tries an id with a fraction.", "An error -32600 (JR-003)."),
        Make::Id("1.5"),
    ),
    frame(
        Group::Id,
        Place::Anywhere,
        ("id-float", "The id 7.0"),
        (
            "Tries a whole number that is written with a fraction.",
            "A result whose id is 7 or 7.0, or an error -32600 (JR-003).",
        ),
        Make::Id("7.0"),
    ),
    frame(
        Group::Id,
        Place::Anywhere,
        ("id-bool", "The id true"),
        ("Tries an id of a wrong type.", "An error -32600 (JR-003)."),
        Make::Id("true"),
    ),
    frame(
        Group::Id,
        Place::Anywhere,
        ("id-object", "An id that is an object"),
        ("Tries an id of a wrong type.", "An error -32600 (JR-003)."),
        Make::Id("{\"n\":1}"),
    ),
    frame(
        Group::Id,
        Place::Stdio,
        ("id-twice", "Two requests with one id"),
        (
            "Tries two requests with the same id, one right behind the other.",
            "An answer to the first; the second is a fault of the client's, which must not confuse the server (JR-005, JR-006).",
        ),
        Make::Text(
            "{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\"{params}}\n{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\"{params}}",
        ),
    ),
    frame(
        Group::Envelope,
        Place::Anywhere,
        ("no-jsonrpc", "No member jsonrpc"),
        ("Tries a message that does not say what it is.", "An error -32600 with the id (JR-001, JR-011)."),
        Make::Text(r#"{"id":{id},"method":"{method}"{params}}"#),
    ),
    frame(
        Group::Envelope,
        Place::Anywhere,
        ("jsonrpc-1.0", "jsonrpc 1.0"),
        ("Tries a version of JSON-RPC that there is no MCP for.", "An error -32600 with the id (JR-001, JR-011)."),
        Make::Text(r#"{"jsonrpc":"1.0","id":{id},"method":"{method}"{params}}"#),
    ),
    frame(
        Group::Envelope,
        Place::Anywhere,
        ("jsonrpc-number", "jsonrpc as a number"),
        ("Tries 2.0 instead of the text \"2.0\".", "An error -32600 with the id (JR-001, JR-011)."),
        Make::Text(r#"{"jsonrpc":2.0,"id":{id},"method":"{method}"{params}}"#),
    ),
    frame(
        Group::Envelope,
        Place::Anywhere,
        ("no-method", "Neither method nor result"),
        (
            "Tries a message that is neither request nor answer.",
            "An error -32600, or silence where it is taken for a broken answer (JR-002).",
        ),
        Make::Text(r#"{"jsonrpc":"2.0","id":{id}}"#),
    ),
    frame(
        Group::Envelope,
        Place::Anywhere,
        ("method-number", "A method that is a number"),
        ("Tries a method of a wrong type.", "An error -32600 with the id (JR-016, JR-011)."),
        Make::Text(r#"{"jsonrpc":"2.0","id":{id},"method":7{params}}"#),
    ),
    frame(
        Group::Envelope,
        Place::Anywhere,
        ("method-and-result", "Method and result at once"),
        ("Tries a message that is request and answer at once.", "An error -32600, or silence (JR-002)."),
        Make::Text(r#"{"jsonrpc":"2.0","id":{id},"method":"{method}","result":{}{params}}"#),
    ),
    frame(
        Group::Envelope,
        Place::Anywhere,
        ("params-array", "params as an array"),
        (
            "Tries positional parameters, which JSON-RPC knows and MCP does not.",
            "An error -32600 or -32602 with the id (JR-015).",
        ),
        Make::Text(r#"{"jsonrpc":"2.0","id":{id},"method":"{method}","params":[]}"#),
    ),
    frame(
        Group::Envelope,
        Place::Anywhere,
        ("params-null", "params null"),
        (
            "Tries parameters that are there and nothing.",
            "An error -32600 or -32602; many servers take it for none (JR-015).",
        ),
        Make::Text(r#"{"jsonrpc":"2.0","id":{id},"method":"{method}","params":null}"#),
    ),
    frame(
        Group::Envelope,
        Place::Anywhere,
        ("unknown-members", "Members that nobody knows"),
        ("Tries whether unknown members are passed over, at the top and inside.", "A result as without them (JR-032)."),
        Make::Text(r#"{"jsonrpc":"2.0","x-trace":{"a":[1]},"id":{id},"method":"{method}"{params},"later":null}"#),
    ),
    frame(
        Group::Envelope,
        Place::Anywhere,
        ("unknown-method", "A method that there is not"),
        (
            "Tries whether an unknown method is refused and the connection goes on.",
            "An error -32601 with the id; on HTTP in 2026-07-28 with status 404 (JR-026, EC-014, HM-013).",
        ),
        Make::Call("midwire/unknown", ""),
    ),
    frame(
        Group::Envelope,
        Place::Anywhere,
        ("reserved-method", "A method that begins with rpc."),
        ("Tries a name that JSON-RPC keeps for itself.", "An error -32601 with the id (JR-016, EC-014)."),
        Make::Call("rpc.discover", ""),
    ),
    frame(
        Group::Envelope,
        Place::Anywhere,
        ("notification-with-id", "A notification with an id"),
        (
            "Tries a notification that looks like a request.",
            "An error -32601 with the id, or silence; never a crash (JR-013).",
        ),
        Make::Text(r#"{"jsonrpc":"2.0","id":{id},"method":"notifications/initialized"{params}}"#),
    ),
    frame(
        Group::Envelope,
        Place::Anywhere,
        ("unknown-notification", "A notification that nobody knows"),
        ("Tries whether an unknown notification is passed over.", "No answer at all (JR-014, JR-031)."),
        Make::Text(r#"{"jsonrpc":"2.0","method":"notifications/midwire/unknown"{params}}"#),
    ),
    frame(
        Group::Envelope,
        Place::Anywhere,
        ("response-to-nothing", "An answer to nothing"),
        (
            "Tries a result that nobody asked for.",
            "No answer; in 2026-07-28 a client sends no answers at all (JR-007, JR-014, JR-028).",
        ),
        Make::Text(r#"{"jsonrpc":"2.0","id":{id},"result":{}}"#),
    ),
    frame(
        Group::Envelope,
        Place::Anywhere,
        ("error-to-nothing", "An error without an id"),
        ("Tries an error that belongs to no request.", "No answer (JR-012, JR-014)."),
        Make::Text(
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"midwire tries an error without an id"}}"#,
        ),
    ),
    frame(
        Group::Envelope,
        Place::Anywhere,
        ("prerelease-code", "An error with a code from before the release"),
        ("Tries an answer with -32001, as servers of a draft of 2026-07-28 gave it.", "No answer (JR-014, EC-024)."),
        Make::Text(
            r#"{"jsonrpc":"2.0","id":{id},"error":{"code":-32001,"message":"Unsupported protocol version","data":{"supported":["DRAFT-2026-v1"]}}}"#,
        ),
    ),
    frame(
        Group::Batch,
        Place::Anywhere,
        ("batch", "A batch of two"),
        (
            "Tries an array of requests: a must in 2025-03-26, forbidden since 2025-06-18.",
            "In 2025-03-26 an array of two results; otherwise an error -32600 (JR-017, JR-018, JR-022).",
        ),
        Make::Text(
            r#"[{"jsonrpc":"2.0","id":{id},"method":"{method}"{params}},{"jsonrpc":"2.0","id":{next},"method":"{method}"{params}}]"#,
        ),
    ),
    frame(
        Group::Batch,
        Place::Anywhere,
        ("batch-empty", "An empty batch"),
        ("Tries an array without anything in it.", "One error -32600, not an array (JR-017, JR-019)."),
        Make::Text("[]"),
    ),
    frame(
        Group::Batch,
        Place::Anywhere,
        ("batch-of-junk", "A batch of numbers"),
        (
            "Tries an array of things that are no messages.",
            "An error -32600, in 2025-03-26 one for each (JR-017, JR-019).",
        ),
        Make::Text("[1,2,3]"),
    ),
    frame(
        Group::Batch,
        Place::Anywhere,
        ("batch-mixed", "A batch of a request and a notification"),
        (
            "Tries an array in which one member wants an answer and one does not.",
            "In 2025-03-26 an array of one result; otherwise an error -32600 (JR-017, JR-020).",
        ),
        Make::Text(
            r#"[{"jsonrpc":"2.0","id":{id},"method":"{method}"{params}},{"jsonrpc":"2.0","method":"notifications/midwire/unknown"{params}}]"#,
        ),
    ),
];
