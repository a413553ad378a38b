//! Whether the HTTP header fields that repeat a request's body agree with it (protocol.md 2.17, 3.4): what
//! a server of 2026-07-28 answers with 400 and -32020, found before anybody wonders why. It only says what
//! disagrees; what such fields should say, `mirror` knows.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::meta::Meta;
use super::mirror::{self, Annotation};
use super::{one_line, one_line_of};
use crate::model::{Era, Id, Revision};
use crate::wire::http::Head;
use crate::wire::{Json, JsonKind, Message, MessageKind};

/// One point on which a head and its body disagree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// The rule of protocol.md 2.16 or 2.17 that it breaks.
    pub rule: &'static str,
    /// What is so, as a sentence without a full stop. What peers sent is quoted and shortened in it.
    pub text: String,
}

/// What earlier traffic tells about a request.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
    /// The annotations of the tool that it calls (see [`mirror::annotations`]); `None` when its schema was
    /// not seen.
    pub annotations: Option<&'a [Annotation]>,
    /// The revision that `initialize` agreed upon for its session; `None` when that was not seen, and for
    /// requests of 2026-07-28.
    pub negotiated: Option<&'a Revision>,
}

/// Every disagreement between a request's head and its body, in the order of the rules. `message` is the
/// body's one message; `None` when it has none (GET, DELETE) or is no message.
pub fn disagreements(head: &Head, message: Option<&Message<'_>>, known: Known<'_>) -> Vec<Disagreement> {
    let mut check = Check { head, found: Vec::new() };
    let method = message.and_then(|message| message.method.as_deref()).unwrap_or_default();
    let params = message.and_then(|message| message.params);
    let in_body = params.and_then(|params| Meta::read(params.get("_meta")?).version?.text());
    let in_head = head.text(mirror::VERSION);
    let is_modern = |version: &str| Revision::from_text(version).era() == Era::Modern;
    check.repeated(mirror::VERSION);
    if method == "initialize"
        || !(in_body.as_deref().is_some_and(is_modern) || in_head.as_deref().is_some_and(is_modern))
    {
        if let Some(negotiated) = known.negotiated.filter(|_| method != "initialize") {
            check.negotiated(in_head.as_deref(), negotiated);
        }
        return check.found;
    }
    check.version(in_head.as_deref(), in_body.as_deref());
    if let Some(message) = message.filter(|message| message.kind == MessageKind::Request) {
        check.method(method);
        check.name(method, message.params);
        if method == "tools/call"
            && let Some(annotations) = known.annotations
        {
            check.arguments(message.params.and_then(|params| params.get("arguments")), annotations);
        }
    }
    check.found
}

/// What a mirrored field says: decoded when it is marked as base64. Markers in any other spelling are text
/// (protocol.md 3.4).
fn decode(value: &[u8]) -> Result<Cow<'_, str>, &'static str> {
    let text = std::str::from_utf8(value).map_err(|_| "it is not ASCII")?;
    let (start, end) = mirror::SENTINEL;
    let Some(inner) = text.strip_prefix(start).and_then(|rest| rest.strip_suffix(end)) else {
        return Ok(Cow::Borrowed(text));
    };
    let bytes = STANDARD.decode(inner).map_err(|_| "what stands between its markers is not base64 with padding")?;
    String::from_utf8(bytes).map(Cow::Owned).map_err(|_| "its base64 is not that of UTF-8")
}

/// Gathers what disagrees.
struct Check<'a> {
    head: &'a Head,
    found: Vec<Disagreement>,
}

impl Check<'_> {
    fn add(&mut self, rule: &'static str, text: String) {
        self.found.push(Disagreement { rule, text });
    }

    /// HM-026.
    fn repeated(&mut self, name: &str) {
        let times = self.head.all(name).count();
        if times > 1 {
            self.add("HM-026", format!("{name} is sent {times} times, and servers differ in which they take"));
        }
    }

    /// HL-020, HL-021.
    fn negotiated(&mut self, in_head: Option<&str>, negotiated: &Revision) {
        let told = !matches!(negotiated.nearest_known(), Revision::V2024_11_05 | Revision::V2025_03_26);
        match in_head {
            None if told => {
                let text = format!("{} is missing; {negotiated} was agreed upon", mirror::VERSION);
                self.add("HL-020", text);
            }
            Some(sent) if told && sent != negotiated.text() => {
                let text = format!("{} is {}, but {negotiated} was agreed upon", mirror::VERSION, quoted(sent));
                self.add("HL-021", text);
            }
            _ => {}
        }
    }

    /// HM-001, HM-002. A body without a version breaks another rule.
    fn version(&mut self, in_head: Option<&str>, in_body: Option<&str>) {
        match (in_head, in_body) {
            (None, body) => {
                let body = body.map(|body| format!("; the body's _meta says {}", quoted(body))).unwrap_or_default();
                self.add("HM-001", format!("{} is missing{body}", mirror::VERSION));
            }
            (Some(head), Some(body)) if head != body => {
                let (head, body) = (quoted(head), quoted(body));
                self.add("HM-002", format!("{} is {head}, but the body's _meta says {body}", mirror::VERSION));
            }
            _ => {}
        }
    }

    /// HM-003.
    fn method(&mut self, method: &str) {
        self.repeated(mirror::METHOD);
        match self.head.get(mirror::METHOD) {
            None => {
                let text = format!("{} is missing; the body's method is {}", mirror::METHOD, quoted(method));
                self.add("HM-003", text);
            }
            Some(sent) if sent != method.as_bytes() => {
                let rule = if is_joined(sent, method) { "HM-026" } else { "HM-003" };
                let (sent, method) = (quoted_bytes(sent), quoted(method));
                self.add(rule, format!("{} is {sent}, but the body's method is {method}", mirror::METHOD));
            }
            Some(_) => {}
        }
    }

    /// HM-004 … HM-006.
    fn name(&mut self, method: &str, params: Option<Json<'_>>) {
        let Some(member) = mirror::named_by(method) else { return };
        self.repeated(mirror::NAME);
        let body = params.and_then(|params| params.get(member)?.text());
        let what = format!("the body's params.{member}");
        match (self.head.get(mirror::NAME), body) {
            (None, Some(body)) => {
                self.add("HM-004", format!("{} is missing; {what} is {}", mirror::NAME, quoted(&body)));
            }
            (Some(sent), Some(body)) => self.text("HM-004", mirror::NAME, sent, &what, &body),
            (Some(sent), None) => {
                let sent = quoted_bytes(sent);
                self.add("HM-004", format!("{} is {sent}, but there is no text at {what}", mirror::NAME));
            }
            (None, None) => {}
        }
    }

    /// HM-007 … HM-010.
    fn arguments(&mut self, arguments: Option<Json<'_>>, annotations: &[Annotation]) {
        for annotation in annotations {
            let field = format!("{}{}", mirror::PARAM, annotation.header);
            self.repeated(&field);
            let value = arguments.and_then(|arguments| annotation.value(arguments)).filter(|value| !value.is_null());
            let what = format!("the argument {}", quoted(&annotation.path.join(".")));
            match (self.head.get(&field), value) {
                (None, Some(value)) => {
                    if let Some(text) = mirror::text(value) {
                        self.add("HM-007", format!("{field} is missing; {what} is {}", quoted(&text)));
                    }
                }
                (Some(sent), Some(value)) => self.argument(&field, sent, &what, value),
                (Some(sent), None) => {
                    let sent = quoted_bytes(sent);
                    self.add("HM-008", format!("{field} is {sent}, but {what} is null or absent"));
                }
                (None, None) => {}
            }
        }
        self.unannounced(annotations);
    }

    /// HM-007, and HM-009: numbers are equal by value.
    fn argument(&mut self, field: &str, sent: &[u8], what: &str, value: Json<'_>) {
        let Some(text) = mirror::text(value) else {
            return self.add("HM-007", format!("{field} is sent, but {what} is a list or an object"));
        };
        let is_number = |json: &Json<'_>| json.kind() == JsonKind::Number;
        let number = Json::parse(sent).ok().filter(is_number).and_then(|json| json.number());
        match (value.number(), number) {
            (Some(value), Some(sent)) if Id::number(value) == Id::number(sent) => {}
            _ => self.text("HM-007", field, sent, what, &text),
        }
    }

    /// HM-010.
    fn unannounced(&mut self, annotations: &[Annotation]) {
        let mut unknown = Vec::new();
        for field in self.head.fields() {
            let name = String::from_utf8_lossy(field.name);
            let param = name.get(..mirror::PARAM.len()).filter(|start| start.eq_ignore_ascii_case(mirror::PARAM));
            let header = param.and_then(|start| name.get(start.len()..)).unwrap_or_default();
            let is_known = annotations.iter().any(|annotation| annotation.header.eq_ignore_ascii_case(header));
            if param.is_some() && !is_known {
                unknown.push(format!("{} is sent, but the tool's schema does not ask for it", one_line(&name, SHOWN)));
            }
        }
        unknown.into_iter().for_each(|text| self.add("HM-010", text));
    }

    /// A field that must say the text `body`: HM-005, HM-006, HM-026 or `rule`.
    fn text(&mut self, rule: &'static str, field: &str, sent: &[u8], what: &str, body: &str) {
        let needed = mirror::encode(body);
        if sent == needed.as_bytes() {
            return;
        }
        if sent == body.trim_matches([' ', '\t']).as_bytes() {
            let needed = quoted(&needed);
            return self.add("HM-005", format!("{field} is sent as it is, but must be sent as {needed}"));
        }
        let shown = quoted_bytes(sent);
        match decode(sent) {
            Ok(text) if text == body => {}
            Ok(_) if is_joined(sent, &needed) => {
                self.add("HM-026", format!("{field} is {shown}, several values in one"));
            }
            Ok(_) => self.add(rule, format!("{field} is {shown}, but {what} is {}", quoted(body))),
            Err(why) => self.add("HM-006", format!("{field} is {shown}, which cannot be read: {why}")),
        }
    }
}

/// Whether the value is several in one, joined by commas, of which one is as expected.
fn is_joined(sent: &[u8], expected: &str) -> bool {
    let mut parts = sent.split(|byte| *byte == b',');
    sent.contains(&b',') && parts.any(|part| part.trim_ascii() == expected.as_bytes())
}

/// The most characters of a value that a sentence quotes.
const SHOWN: usize = 60;

/// A value in quotes, on one line and shortened.
fn quoted(text: &str) -> String {
    format!("\"{}\"", one_line(text, SHOWN))
}

fn quoted_bytes(bytes: &[u8]) -> String {
    format!("\"{}\"", one_line_of(bytes, SHOWN))
}

#[cfg(test)]
mod tests;
