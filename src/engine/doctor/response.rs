//! What an HTTP response to a request of MCP means when it comes from who knows where. Pure.

use super::{Fault, Verdict};
use crate::wire::{Frame, Json, MessageKind, read};

/// So much of a body is looked at.
pub(super) const BODY: usize = 64 << 10;

/// What came.
#[derive(Debug, Clone, Default)]
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) reason: String,
    pub(super) media: String,
    pub(super) location: Option<String>,
    pub(super) challenge: Option<String>,
    pub(super) server: Option<String>,
    /// Its beginning.
    pub(super) body: Vec<u8>,
}

/// What it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) verdict: Verdict,
    pub(super) detail: String,
    pub(super) remedy: String,
    /// Whether another path or the older transport may do better.
    pub(super) is_lost: bool,
}

impl Response {
    /// Whether the body is a message of JSON-RPC, by itself or as an event.
    pub(super) fn speaks(&self) -> bool {
        let is_message = |bytes: &[u8]| {
            matches!(read(bytes), Frame::Message(message)
                if matches!(message.kind, MessageKind::Result | MessageKind::Error))
        };
        if self.is("text/event-stream") {
            let text = String::from_utf8_lossy(&self.body);
            let data = text.lines().filter_map(|line| line.trim_end().strip_prefix("data:"));
            return data.map(str::trim).any(|data| is_message(data.as_bytes()));
        }
        is_message(&self.body)
    }

    fn is(&self, media: &str) -> bool {
        self.media.trim().to_ascii_lowercase().starts_with(media)
    }

    fn is_html(&self) -> bool {
        let start = self.body.trim_ascii_start();
        let begins = |word: &[u8]| start.len() >= word.len() && start[..word.len()].eq_ignore_ascii_case(word);
        self.is("text/html") || begins(b"<!doctype html") || begins(b"<html")
    }

    fn status_line(&self) -> String {
        let media = if self.media.is_empty() { String::new() } else { format!(", {}", self.media.trim()) };
        format!("{} {}{media}", self.status, self.reason.trim()).replace("  ", " ")
    }

    /// What it means for somebody who wants to speak MCP.
    pub(super) fn finding(&self, url: &str) -> Finding {
        let line = self.status_line();
        let found = |verdict, detail: String, remedy: &str| Finding {
            verdict,
            detail,
            remedy: remedy.to_owned(),
            is_lost: false,
        };
        let http = Verdict::Failed(Fault::Http);
        match self.status {
            401 => found(Verdict::Fine, line, ""),
            403 => found(
                http,
                format!("{line}: the server refuses the request{}", self.said()),
                "if a token was sent it lacks the right; if the server is on this machine it may allow only certain Host \
                 or Origin values: use the address that it is configured for",
            ),
            300..=399 => {
                let to = self.location.as_deref().unwrap_or("nowhere");
                let remedy = format!("use that URL instead of {url}; what is sent is not sent on after a redirect");
                found(http, format!("{line}: it redirects to {to}"), &remedy)
            }
            _ if self.speaks() => found(Verdict::Fine, line, ""),
            404 | 405 => Finding {
                is_lost: true,
                ..found(
                    http,
                    format!("{line}: nothing of MCP is at this path{}", self.said()),
                    "check the path of the URL; many servers are at /mcp, older ones at /sse",
                )
            },
            429 => found(http, format!("{line}: too many requests{}", self.said()), "wait, and try again"),
            500..=599 => found(
                http,
                format!("{line}: the server, or what stands before it, is broken{}", self.said()),
                "look at the server's own log",
            ),
            _ if self.is_html() => Finding {
                is_lost: true,
                ..found(
                    http,
                    format!("{line}: a web page{}, not MCP", self.title()),
                    "the URL is that of a site or of a sign-in page; find the URL of its MCP server",
                )
            },
            400..=499 => Finding {
                is_lost: true,
                ..found(http, format!("{line}{}", self.said()), "the request was not understood; check the URL")
            },
            200..=299 if self.body.is_empty() => found(
                http,
                format!("{line}: an empty answer"),
                "the server accepts what it should answer; check the URL",
            ),
            _ => Finding {
                is_lost: true,
                ..found(http, format!("{line}: no JSON-RPC{}", self.said()), "check the URL: this is no server of MCP")
            },
        }
    }

    /// What is asked for with 401: whether anything, and the steps to it.
    pub(super) fn challenge(&self, sent_token: bool) -> Option<Finding> {
        if self.status != 401 {
            return None;
        }
        let challenge = self.challenge.as_deref().unwrap_or_default();
        let metadata = parameter(challenge, "resource_metadata");
        let scope = parameter(challenge, "scope").map_or_else(String::new, |scope| format!(", scope {scope:?}"));
        let wants = match (&metadata, challenge.is_empty()) {
            (Some(metadata), _) => format!("401: it wants a token, and describes how to get one at {metadata}{scope}"),
            (None, false) => format!("401: it wants {challenge}{scope}, and does not say where to get a token"),
            (None, true) => "401 without WWW-Authenticate: it wants something, and does not say what".to_owned(),
        };
        let remedy = if sent_token {
            "the token that was sent is not accepted: it may be old, or for another server"
        } else {
            "get a token from whoever runs the server, put it into a variable, and say --bearer-env VARIABLE"
        };
        let verdict = Verdict::Failed(Fault::Http);
        Some(Finding { verdict, detail: wants, remedy: remedy.to_owned(), is_lost: false })
    }

    /// What the body says, where that is short enough to repeat.
    fn said(&self) -> String {
        let message = Json::parse(&self.body).ok().and_then(|json| {
            let message =
                json.pointer("/error/message").or_else(|| json.get("message")).or_else(|| json.get("error"))?;
            message.text().map(std::borrow::Cow::into_owned)
        });
        let text = message.unwrap_or_else(|| {
            if self.is_html() {
                self.title().trim_start().to_owned()
            } else {
                String::from_utf8_lossy(&self.body).trim().to_owned()
            }
        });
        let text: String = text.chars().take(200).collect();
        if text.is_empty() { String::new() } else { format!(" ({text})") }
    }

    /// The title of a page.
    fn title(&self) -> String {
        let text = String::from_utf8_lossy(&self.body);
        let lower = text.to_ascii_lowercase();
        let title = || {
            let from = lower.find("<title")?;
            let from = from + lower[from..].find('>')? + 1;
            let to = from + lower[from..].find('<')?;
            Some(text.get(from..to)?.trim().to_owned())
        };
        title().filter(|title| !title.is_empty()).map_or_else(String::new, |title| format!(" called {title:?}"))
    }
}

/// The value of a parameter of a challenge (RFC 9110 §11.2).
fn parameter(challenge: &str, name: &str) -> Option<String> {
    let lower = challenge.to_ascii_lowercase();
    let mut from = 0;
    while let Some(at) = lower[from..].find(name).map(|at| at + from) {
        let rest = &challenge[at + name.len()..];
        let starts = at == 0 || !lower.as_bytes()[at - 1].is_ascii_alphanumeric() && lower.as_bytes()[at - 1] != b'_';
        let value = rest.trim_start().strip_prefix('=').map(str::trim_start);
        if let Some(value) = value.filter(|_| starts) {
            let value = match value.strip_prefix('"') {
                Some(quoted) => quoted.split('"').next(),
                None => value.split([',', ' ']).next(),
            };
            return value.map(str::to_owned);
        }
        from = at + name.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(status: u16, media: &str, body: &str) -> Response {
        Response { status, media: media.to_owned(), body: body.as_bytes().to_vec(), ..Response::default() }
    }

    #[test]
    fn what_speaks_json_rpc_is_fine_whatever_its_status() {
        for (status, media, body) in [
            (200, "application/json", r#"{"jsonrpc":"2.0","id":1,"result":{}}"#),
            (
                400,
                "application/json; charset=utf-8",
                r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"x"}}"#,
            ),
            (404, "application/json", r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"x"}}"#),
            (200, "text/event-stream", "id: 1\r\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\r\n\r\n"),
        ] {
            assert_eq!(response(status, media, body).finding("u").verdict, Verdict::Fine, "{status} {body}");
        }
    }

    #[test]
    fn everything_else_says_what_it_is_and_what_to_do() {
        let page = "<!DOCTYPE html><html><head><TITLE>Sign in</title>";
        let moved = Response { location: Some("https://b/mcp".to_owned()), ..response(308, "", "") };
        for (response, detail, remedy, lost) in [
            (response(200, "text/html", page), "a web page called \"Sign in\", not MCP", "find the URL", true),
            (moved, "it redirects to https://b/mcp", "use that URL instead of u", false),
            (response(404, "text/plain", "Not Found"), "nothing of MCP is at this path (Not Found)", "/mcp", true),
            (response(405, "", ""), "nothing of MCP", "/sse", true),
            (response(403, "", "Invalid Host"), "refuses the request (Invalid Host)", "Host or Origin", false),
            (response(502, "text/html", page), "broken (called \"Sign in\")", "log", false),
            (response(200, "application/json", "{}"), "no JSON-RPC ({})", "no server of MCP", true),
            (response(202, "", ""), "an empty answer", "check the URL", false),
        ] {
            let finding = response.finding("u");
            assert_eq!(finding.verdict, Verdict::Failed(Fault::Http), "{response:?}");
            assert!(finding.detail.contains(detail), "{finding:?}");
            assert!(finding.remedy.contains(remedy), "{finding:?}");
            assert_eq!(finding.is_lost, lost, "{finding:?}");
        }
    }

    #[test]
    fn a_challenge_names_its_metadata_and_follows_nothing() {
        let challenge = r#"Bearer error="invalid_token", resource_metadata="https://a/.well-known/x", scope="a b""#;
        let asked = Response { challenge: Some(challenge.to_owned()), ..response(401, "", "") };
        let finding = asked.challenge(false).expect("a challenge");
        assert!(finding.detail.contains("at https://a/.well-known/x, scope \"a b\""), "{finding:?}");
        assert!(finding.remedy.contains("--bearer-env"));
        assert!(asked.challenge(true).expect("a challenge").remedy.contains("not accepted"));
        assert!(
            response(401, "", "").challenge(false).expect("a challenge").detail.contains("without WWW-Authenticate")
        );
        assert_eq!(response(200, "", "").challenge(false), None);
        assert_eq!(parameter("Bearer realm=x, ascope=1, scope=2", "scope").as_deref(), Some("2"));
    }
}
