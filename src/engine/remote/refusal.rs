//! What is told of a request that got no answer in JSON-RPC: at which step it failed and what to do; for a host on
//! stdio as a JSON-RPC error of ours.

use super::line::Asked;
use crate::wire::{Frame, Item, MessageKind, quote, read};

/// The code of every error that is ours. It lies in the range that JSON-RPC leaves to implementations
/// and outside of what MCP keeps for itself (-32020 … -32099); no known SDK gives it a meaning.
pub const CODE: i64 = -32010;

/// How much of a body that is no answer is kept.
pub const EXCERPT: usize = 2048;

/// A request that got no answer of the server's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refusal {
    /// The status, when there was a response.
    pub status: Option<u16>,
    /// What went wrong and what to do: a sentence.
    pub why: String,
    /// The start of the response's body.
    pub body: Vec<u8>,
    /// Its `WWW-Authenticate`.
    pub challenge: Option<String>,
}

impl Refusal {
    /// Something went wrong without a response.
    pub fn because(why: impl Into<String>) -> Self {
        Self { why: why.into(), ..Self::default() }
    }

    /// A response that is no answer. `challenge` is its `WWW-Authenticate`, `location` its `Location`.
    pub fn of(status: u16, url: &str, challenge: Option<&str>, location: Option<&str>, body: &[u8]) -> Self {
        let body = body[..body.len().min(EXCERPT)].to_vec();
        let why = why(status, url, challenge, location);
        Self { status: Some(status), why, body, challenge: challenge.map(str::to_owned) }
    }

    /// The line for the host.
    pub fn line(&self, asked: &Asked) -> Vec<u8> {
        let status = self.status.map(|status| format!(r#""status":{status},"#)).unwrap_or_default();
        let data = format!(r#"{{{status}"body":{}}}"#, quote(&String::from_utf8_lossy(&self.body)));
        let data = if self.status.is_none() { String::new() } else { format!(r#","data":{data}"#) };
        let message = quote(&format!("midwire: {}", self.why));
        answer(&asked.raw, format!(r#"{{"code":{CODE},"message":{message}{data}}}"#).as_bytes())
    }
}

/// An error as a line, with the id of the request that it is for.
fn answer(id: &[u8], error: &[u8]) -> Vec<u8> {
    [br#"{"jsonrpc":"2.0","id":"#, id, br#","error":"#, error, b"}\n"].concat()
}

/// The server's own error with the id of the request, where the server did not repeat it: it refused the
/// request before it read it (HM-016, 8.10). Without the id, a host on stdio would wait for ever.
pub fn adopted(message: &[u8], asked: &Asked) -> Option<Vec<u8>> {
    let Frame::Message(message) = read(message) else { return None };
    let has_id = message.id.as_ref().is_some_and(|id| *id != crate::model::Id::Null);
    if message.kind != MessageKind::Error || has_id {
        return None;
    }
    let error = message.error?.raw();
    let error: Vec<u8> = error.iter().map(|&byte| if matches!(byte, b'\r' | b'\n') { b' ' } else { byte }).collect();
    Some(answer(&asked.raw, &error))
}

/// The ids that a message answers.
pub fn answered(message: &[u8]) -> Vec<crate::model::Id> {
    let is_answer = |kind| matches!(kind, MessageKind::Result | MessageKind::Error);
    match read(message) {
        Frame::Message(message) if is_answer(message.kind) => message.id.into_iter().collect(),
        Frame::Batch(items) => {
            let ids = items.into_iter().filter_map(|item| match item {
                Item::Message(message) if is_answer(message.kind) => message.id,
                _ => None,
            });
            ids.collect()
        }
        _ => Vec::new(),
    }
}

fn why(status: u16, url: &str, challenge: Option<&str>, location: Option<&str>) -> String {
    let remedy = match status {
        200..=299 => "its body is no JSON-RPC answer; is this the address of an MCP endpoint?".to_owned(),
        300..=399 => {
            format!("it points to {}; give that address instead if you trust it", location.unwrap_or("another address"))
        }
        401 => {
            let challenge = challenge.map(|challenge| format!(" ({challenge})")).unwrap_or_default();
            format!(
                "it wants to know who asks{challenge}; name a variable that holds a token with --bearer-env, \
                 or give a field with --header 'Name: value'"
            )
        }
        403 => "it does not allow this; the credentials of --bearer-env or --header may lack a permission".to_owned(),
        404 | 405 => "there seems to be no MCP endpoint at this address; check the path".to_owned(),
        407 => "a proxy on the way wants credentials; see HTTP_PROXY, HTTPS_PROXY and NO_PROXY".to_owned(),
        429 => "it gets too many requests; wait and try again".to_owned(),
        502..=504 => "what stands before the server does not reach it; is it running?".to_owned(),
        500..=599 => "the server failed; its own log may say why".to_owned(),
        _ => "it does not take this request".to_owned(),
    };
    format!("{url} answered with HTTP {status}: {remedy}")
}

#[cfg(test)]
mod tests {
    use super::{Refusal, adopted, answered};
    use crate::engine::remote::line::Asked;
    use crate::model::Id;

    fn asked() -> Asked {
        Asked { id: Id::from("a\"b"), raw: br#""a\"b""#.to_vec(), place: 0 }
    }

    #[test]
    fn a_refusal_is_one_line_that_names_status_and_remedy() {
        let refusal = Refusal::of(401, "http://h/mcp", Some("Bearer"), None, b"<html>\n\"no\"\xFF");
        let line = String::from_utf8(refusal.line(&asked())).expect("text");
        assert_eq!(
            line,
            "{\"jsonrpc\":\"2.0\",\"id\":\"a\\\"b\",\"error\":{\"code\":-32010,\"message\":\"midwire: http://h/mcp answered \
             with HTTP 401: it wants to know who asks (Bearer); name a variable that holds a token with --bearer-env, \
             or give a field with --header 'Name: value'\",\"data\":{\"status\":401,\"body\":\"<html>\\n\\\"no\\\"\u{FFFD}\"}}}\n"
        );
        let line = Refusal::because("failed to connect").line(&asked());
        assert!(line.ends_with(b"\"message\":\"midwire: failed to connect\"}}\n"), "no data without a response");
    }

    #[test]
    fn an_error_without_an_id_is_given_that_of_its_request_and_stays_the_servers() {
        let sent = b"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32000,\n\"message\":\"1.0\"},\"id\":null}";
        let line = adopted(sent, &asked()).expect("an error without an id");
        assert_eq!(line, b"{\"jsonrpc\":\"2.0\",\"id\":\"a\\\"b\",\"error\":{\"code\":-32000, \"message\":\"1.0\"}}\n");
        assert_eq!(adopted(b"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":1},\"id\":1}", &asked()), None);
        assert_eq!(adopted(b"{\"jsonrpc\":\"2.0\",\"result\":{},\"id\":null}", &asked()), None);
        assert_eq!(adopted(b"<html>", &asked()), None);
    }

    #[test]
    fn answers_are_told_from_questions() {
        assert_eq!(answered(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#), [Id::from(1)]);
        assert_eq!(
            answered(br#"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":"2","error":{}}]"#).len(),
            2
        );
        assert_eq!(answered(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#), []);
    }
}
