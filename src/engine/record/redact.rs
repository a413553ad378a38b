//! Masks the secrets of HTTP before they reach a file: credentials in heads, tokens in the bodies of OAuth
//! (protocol.md 7.5). What remains is what is needed to understand an exchange: names, schemes, attributes.
//! Messages of MCP are never touched, or what is found in them would be about the mask.

use std::borrow::Cow;
use std::collections::HashMap;

use super::secrets::{MASK, has_key_shape, is_secret};
use crate::wire::http::{Field, Head};

/// Names of fields whose rule is remembered; beyond that it is worked out each time.
const REMEMBERED: usize = 1024;

/// Values of OAuth that are secrets wherever they stand under their name.
const TOKENS: [&str; 9] = [
    "access_token",
    "refresh_token",
    "id_token",
    "client_secret",
    "client_assertion",
    "registration_access_token",
    "code_verifier",
    "subject_token",
    "password",
];

/// The same, but only in forms and queries: elsewhere the names mean many things.
const IN_FORMS: [&str; 4] = ["code", "assertion", "actor_token", "device_code"];

/// What a body is, as far as it may hold secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Media {
    /// Anything else.
    #[default]
    Other,
    /// `application/x-www-form-urlencoded`.
    Form,
    /// JSON.
    Json,
}

impl Media {
    fn of(value: &[u8]) -> Self {
        let end = value.iter().position(|byte| *byte == b';').unwrap_or(value.len());
        let media = value[..end].trim_ascii().to_ascii_lowercase();
        match &media[..] {
            b"application/x-www-form-urlencoded" => Self::Form,
            media if media == b"application/json" || media.ends_with(b"+json") => Self::Json,
            _ => Self::Other,
        }
    }

    /// Whether a body that begins so may hold secrets, so that it must not be written before it is whole.
    pub fn may_hide(self, start: &[u8]) -> bool {
        match self {
            Self::Other => false,
            Self::Form => true,
            Self::Json => !is_rpc(start),
        }
    }

    /// The body with its secrets masked; `None` when there are none.
    pub fn mask(self, body: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Form => form(body),
            Self::Json if !is_rpc(body) => json(body),
            Self::Json | Self::Other => None,
        }
    }
}

fn is_rpc(bytes: &[u8]) -> bool {
    memchr::memmem::find(bytes, b"\"jsonrpc\"").is_some()
}

/// What a field's value is, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// Nothing special, unless it has the shape of a key.
    Plain,
    /// To be kept whatever it looks like: traffic cannot be understood or sent again without it.
    Kept,
    /// A secret, behind a scheme or not.
    Credentials,
    /// The same by a guess: a number is none.
    Guessed,
    /// `name=value` pairs.
    Cookies,
    /// One such pair, and attributes.
    SetCookie,
    /// A URL with a query.
    Url,
    /// The kind of the body.
    ContentType,
}

impl Rule {
    fn of(name: &[u8]) -> Self {
        let name = String::from_utf8_lossy(name).to_ascii_lowercase();
        match name.as_str() {
            // A challenge says which credentials are wanted, and holds none.
            "mcp-session-id" | "last-event-id" | "etag" | "if-none-match" | "www-authenticate"
            | "proxy-authenticate" => Self::Kept,
            "authorization" | "proxy-authorization" | "dpop" | "x-api-key" => Self::Credentials,
            "cookie" => Self::Cookies,
            "set-cookie" => Self::SetCookie,
            "location" | "content-location" | "referer" => Self::Url,
            "content-type" => Self::ContentType,
            _ if name.starts_with("access-control-") => Self::Plain,
            _ if is_secret(&name) => Self::Guessed,
            _ => Self::Plain,
        }
    }

    fn mask(self, value: &[u8]) -> Option<Vec<u8>> {
        if value.is_empty() {
            return None;
        }
        match self {
            Self::Kept | Self::ContentType => None,
            Self::Plain => looks_secret(value).then(|| credentials(value)),
            Self::Guessed if value.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.') => None,
            Self::Credentials | Self::Guessed => Some(credentials(value)),
            Self::Cookies => Some(cookies(value, usize::MAX)),
            Self::SetCookie => Some(cookies(value, 1)),
            Self::Url => query(value),
        }
    }
}

/// Masks heads.
#[derive(Debug, Default)]
pub struct Redactor {
    rules: HashMap<Box<[u8]>, Rule>,
}

impl Redactor {
    /// The head with its secrets masked, `None` when there are none; and what its body is.
    pub fn head(&mut self, raw: &[u8]) -> (Option<Vec<u8>>, Media) {
        let head = Head::read(raw);
        let mut masked = Masked { raw, copied: 0, out: Vec::new() };
        let mut media = Media::Other;
        if let Some(line) = start_line(&head) {
            masked.replace(0, head.start_line().len(), &line);
        }
        let mut at = head.start_line().len();
        for field in head.fields() {
            let rule = self.rule(field.name);
            if rule == Rule::ContentType {
                media = Media::of(field.value);
            } else if let Some(value) = rule.mask(field.value) {
                let start = at + value_offset(field);
                masked.replace(start, field.value.len(), &value);
            }
            at += field.raw.len();
        }
        (masked.finish(), media)
    }

    fn rule(&mut self, name: &[u8]) -> Rule {
        if let Some(rule) = self.rules.get(name) {
            return *rule;
        }
        let rule = Rule::of(name);
        if self.rules.len() < REMEMBERED {
            self.rules.insert(name.into(), rule);
        }
        rule
    }
}

/// Bytes in which parts are replaced, in order; copied with the first of them.
struct Masked<'a> {
    raw: &'a [u8],
    copied: usize,
    out: Vec<u8>,
}

impl Masked<'_> {
    fn replace(&mut self, at: usize, length: usize, by: &[u8]) {
        self.out.extend_from_slice(&self.raw[self.copied..at]);
        self.out.extend_from_slice(by);
        self.copied = at + length;
    }

    fn finish(mut self) -> Option<Vec<u8>> {
        if self.copied == 0 {
            return None;
        }
        self.out.extend_from_slice(&self.raw[self.copied..]);
        Some(self.out)
    }
}

/// A request's first line with its target's secrets masked; `None` when there are none.
fn start_line(head: &Head) -> Option<Vec<u8>> {
    let line = head.start_line();
    let target = memchr::memchr(b'?', line).filter(|_| head.is_request())?;
    query(line).filter(|_| target > 0)
}

/// Where in its line a field's value begins.
fn value_offset(field: Field<'_>) -> usize {
    let colon = memchr::memchr(b':', field.raw).map_or(0, |colon| colon + 1);
    colon + field.raw[colon..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Whether a value has the shape of a key, whatever its name.
fn looks_secret(value: &[u8]) -> bool {
    let bearer = value.get(..7).is_some_and(|start| start.eq_ignore_ascii_case(b"bearer "));
    bearer || value.len() >= 20 && std::str::from_utf8(value).is_ok_and(has_key_shape)
}

/// Keeps a scheme, as in `Bearer x`.
fn credentials(value: &[u8]) -> Vec<u8> {
    let end = value.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'-').unwrap_or(0);
    let scheme = if end > 0 && value.get(end) == Some(&b' ') { &value[..=end] } else { &[] };
    [scheme, MASK.as_bytes()].concat()
}

/// Masks the values of the first `count` of several pairs, and keeps the rest: attributes.
fn cookies(value: &[u8], count: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(value.len());
    for (index, pair) in value.split(|byte| *byte == b';').enumerate() {
        if index > 0 {
            out.push(b';');
        }
        match pair.iter().position(|byte| *byte == b'=') {
            Some(equals) if index < count => {
                out.extend_from_slice(&pair[..=equals]);
                out.extend_from_slice(MASK.as_bytes());
            }
            None if index < count && !pair.trim_ascii().is_empty() => out.extend_from_slice(MASK.as_bytes()),
            _ => out.extend_from_slice(pair),
        }
    }
    out
}

/// Masks the values of secret names in the query and the fragment of a URL, and the password before its
/// host; what stands around the URL stays.
fn query(text: &[u8]) -> Option<Vec<u8>> {
    let mut masked = Masked { raw: text, copied: 0, out: Vec::new() };
    if let Some((from, to)) = user_info(text) {
        masked.replace(from, to - from, MASK.as_bytes());
    }
    let mut at = text.iter().position(|byte| matches!(byte, b'?' | b'#')).map_or(text.len(), |at| at + 1);
    while at < text.len() {
        let end = text[at..].iter().position(|byte| matches!(byte, b'&' | b'#' | b' ' | b'\r' | b'\n'));
        let end = end.map_or(text.len(), |length| at + length);
        if let Some(equals) = text[at..end].iter().position(|byte| *byte == b'=')
            && is_secret_in_query(&text[at..at + equals])
            && at + equals + 1 < end
        {
            masked.replace(at + equals + 1, end - at - equals - 1, MASK.as_bytes());
        }
        if matches!(text.get(end), Some(b' ' | b'\r' | b'\n')) {
            break;
        }
        at = end + 1;
    }
    masked.finish()
}

/// Where the user and password of a URL stand.
fn user_info(text: &[u8]) -> Option<(usize, usize)> {
    let from = memchr::memmem::find(text, b"://")? + 3;
    let end = text[from..].iter().position(|byte| matches!(byte, b'/' | b'?' | b'#' | b' '));
    let authority = &text[from..end.map_or(text.len(), |end| from + end)];
    let at = authority.iter().rposition(|byte| *byte == b'@')?;
    Some((from, from + at))
}

fn is_secret_in_query(name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name);
    is_in(&TOKENS, &name) || is_in(&IN_FORMS, &name) || is_secret(&name)
}

fn is_in(names: &[&str], name: &str) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// A form with the values of its secrets masked.
fn form(body: &[u8]) -> Option<Vec<u8>> {
    let mut masked = Masked { raw: body, copied: 0, out: Vec::new() };
    let mut at = 0;
    for pair in body.split(|byte| *byte == b'&') {
        if let Some(equals) = pair.iter().position(|byte| *byte == b'=')
            && is_secret_in_form(&pair[..equals])
            && equals + 1 < pair.len()
        {
            masked.replace(at + equals + 1, pair.len() - equals - 1, MASK.as_bytes());
        }
        at += pair.len() + 1;
    }
    masked.finish()
}

fn is_secret_in_form(name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name.trim_ascii());
    is_in(&TOKENS, &name) || is_in(&IN_FORMS, &name)
}

/// JSON with the values of its secrets masked, wherever in it they stand. It need not be whole, or even be
/// JSON.
fn json(body: &[u8]) -> Option<Vec<u8>> {
    let mut masked = Masked { raw: body, copied: 0, out: Vec::new() };
    let mut rest = 0;
    while let Some(start) = memchr::memchr(b'"', &body[rest..]).map(|at| rest + at + 1) {
        let end = string_end(body, start);
        rest = (end + 1).min(body.len());
        let Some(value) = value_start(body, rest) else { continue };
        if body.get(value) == Some(&b'"') && is_in(&TOKENS, &unescaped(&body[start..end])) {
            let value_end = string_end(body, value + 1);
            if value_end > value + 1 {
                masked.replace(value + 1, value_end - value - 1, MASK.as_bytes());
            }
            rest = (value_end + 1).min(body.len());
        } else {
            rest = value;
        }
    }
    masked.finish()
}

/// Where the string that begins at `at` ends: at its quote, or with the bytes.
fn string_end(body: &[u8], mut at: usize) -> usize {
    while let Some(found) = memchr::memchr2(b'"', b'\\', &body[at.min(body.len())..]) {
        if body[at + found] == b'"' {
            return at + found;
        }
        at += found + 2;
    }
    body.len()
}

/// Where the value begins, when what stands here is the colon behind a name.
fn value_start(body: &[u8], at: usize) -> Option<usize> {
    let space = |at: usize| at + body[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let colon = space(at);
    (body.get(colon) == Some(&b':')).then(|| space(colon + 1))
}

/// A name as it is meant, should somebody have escaped letters in it.
fn unescaped(name: &[u8]) -> Cow<'_, str> {
    if name.contains(&b'\\') {
        let quoted = [b"\"", name, b"\""].concat();
        if let Ok(name) = serde_json::from_slice::<String>(&quoted) {
            return Cow::Owned(name);
        }
    }
    String::from_utf8_lossy(name)
}

#[cfg(test)]
mod tests;
