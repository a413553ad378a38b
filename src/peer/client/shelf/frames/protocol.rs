//! Frames of the shelf: what MCP says, and header fields.

use super::frame;
use crate::peer::client::shelf::build::Make;
use crate::peer::client::shelf::{Group, Nasty, Place};

pub(super) const FRAMES: &[Nasty] = &[
    frame(
        Group::Protocol,
        Place::Modern,
        ("no-meta", "No _meta"),
        (
            "Tries a request of 2026-07-28 without what every request must carry.",
            "An error -32602; on HTTP with status 400 (ME-005, EC-013, HM-014).",
        ),
        Make::Text(r#"{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{}}"#),
    ),
    frame(
        Group::Protocol,
        Place::Modern,
        ("no-client-info", "No clientInfo"),
        ("Tries a request that does not say who sends it, which is only a should.", "A result (ME-006, ME-007)."),
        Make::Text(
            r#"{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#,
        ),
    ),
    frame(
        Group::Protocol,
        Place::Anywhere,
        ("wrong-version", "A version that there is not"),
        (
            "Tries the protocol version 1900-01-01, in body and field alike.",
            "In 2026-07-28 an error -32022 that names the supported ones; on HTTP with status 400 (EC-010, HM-012, HL-022).",
        ),
        Make::Version("1900-01-01"),
    ),
    frame(
        Group::Protocol,
        Place::Legacy,
        ("initialize-again", "A second initialize"),
        (
            "Tries a handshake in the middle of a session.",
            "An error, or the same result again; the session goes on (LC-011).",
        ),
        Make::Call(
            "initialize",
            r#""protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"midwire","version":"0"}"#,
        ),
    ),
    frame(
        Group::Protocol,
        Place::Modern,
        ("initialize-modern", "initialize in 2026-07-28"),
        (
            "Tries a method that the revision has removed.",
            "An error -32601; a server of both eras may answer (LC-016, EC-014).",
        ),
        Make::Call(
            "initialize",
            r#""protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"midwire","version":"0"}"#,
        ),
    ),
    frame(
        Group::Protocol,
        Place::Anywhere,
        ("unknown-tool", "A tool that there is not"),
        ("Tries a call of something that the server never listed.", "An error -32602, not a result (EC-016)."),
        Make::Call("tools/call", r#""name":"midwire-unknown","arguments":{}"#),
    ),
    frame(
        Group::Protocol,
        Place::Anywhere,
        ("arguments-text", "Arguments that are text"),
        (
            "Tries arguments that were turned into a string, as models do.",
            "An error -32602, or a result with isError (EC-016, JR-015).",
        ),
        Make::Call("tools/call", r#""name":"midwire-unknown","arguments":"{}""#),
    ),
    frame(
        Group::Protocol,
        Place::Anywhere,
        ("unknown-cursor", "A cursor that nobody gave out"),
        ("Tries a page of a list that there is not.", "An error -32602 (EC-018, PG-002)."),
        Make::Call("tools/list", r#""cursor":"midwire-unknown""#),
    ),
    frame(
        Group::Protocol,
        Place::Legacy,
        ("unknown-level", "A level that there is not"),
        (
            "Tries to set a log level that the protocol does not have.",
            "An error -32602; -32601 from a server without logging (EC-019, LG-001).",
        ),
        Make::Call("logging/setLevel", r#""level":"chatty""#),
    ),
    frame(
        Group::Protocol,
        Place::Anywhere,
        ("cancel-nothing", "A cancellation of nothing"),
        ("Tries to cancel a request that was never made.", "No answer (CN-001, JR-014)."),
        Make::Text(
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"midwire-unknown","reason":"tried"{meta}}}"#,
        ),
    ),
    frame(
        Group::Protocol,
        Place::Legacy,
        ("progress-on-nothing", "Progress on nothing"),
        ("Tries progress with a token that nobody gave.", "No answer (PR-003, JR-014)."),
        Make::Text(
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"midwire-unknown","progress":1}}"#,
        ),
    ),
    frame(
        Group::Http,
        Place::ModernHttp,
        ("wrong-method-field", "Mcp-Method that is another"),
        (
            "Tries a field that contradicts the body: whoever routes by it is misled.",
            "Status 400 with an error -32020 (HM-003, HM-011).",
        ),
        Make::Field("Mcp-Method", "prompts/list"),
    ),
    frame(
        Group::Http,
        Place::ModernHttp,
        ("no-method-field", "Mcp-Method that is empty"),
        ("Tries a request whose mirrored field says nothing.", "Status 400 with an error -32020 (HM-003, HM-011)."),
        Make::Field("Mcp-Method", ""),
    ),
    frame(
        Group::Http,
        Place::Http,
        ("wrong-version-field", "MCP-Protocol-Version that is another"),
        (
            "Tries a version in the field that the body or the session does not have.",
            "Status 400; in 2026-07-28 with an error -32020 (HM-002, HM-028, HL-022).",
        ),
        Make::Field("MCP-Protocol-Version", "1900-01-01"),
    ),
    frame(
        Group::Http,
        Place::Http,
        ("foreign-origin", "A foreign Origin"),
        (
            "Tries what a page on the web would send that was led to this server by DNS rebinding.",
            "Status 403 (HX-009).",
        ),
        Make::Field("Origin", "https://attacker.example"),
    ),
    frame(
        Group::Http,
        Place::Http,
        ("accept-json", "Accept without event streams"),
        (
            "Tries a client that takes nothing but JSON.",
            "Status 406 from strict servers, otherwise a result as JSON (HX-002, HX-007).",
        ),
        Make::Field("Accept", "application/json"),
    ),
    frame(
        Group::Http,
        Place::Http,
        ("wrong-content-type", "Content-Type text/plain"),
        (
            "Tries a body that does not say it is JSON.",
            "Status 415 or 400 from strict servers, otherwise a result (HX-003).",
        ),
        Make::Field("Content-Type", "text/plain"),
    ),
];
