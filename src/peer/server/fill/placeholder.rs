//! One `{{…}}`: a path and what is done with the value that it leads to.

use std::borrow::Cow;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::Context;
use crate::wire::{Json, JsonKind, quote};

/// What a path may begin with.
const ROOTS: [&str; 8] = ["params", "arguments", "answer", "client", "variables", "nth", "structured", "open"];

/// The longest placeholder, so that a text full of braces costs no more than its length.
const LONGEST: usize = 1_000;

/// How many braces a default may end with.
const MOST_BRACES: usize = 8;

/// A placeholder as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placeholder {
    root: &'static str,
    path: Vec<String>,
    filters: Vec<Filter>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Filter {
    Text,
    Json,
    Url,
    Base64,
    /// JSON text.
    Default(String),
}

/// What a placeholder stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// A value, as JSON text.
    Value(String),
    /// A value that is JSON text also where a text stands.
    Json(String),
    /// A text.
    Text(String),
    /// The structured content of the result that is being filled in.
    Structured,
}

impl Found {
    /// As a JSON value.
    pub(super) fn json(&self) -> Cow<'_, str> {
        match self {
            Self::Value(json) | Self::Json(json) => Cow::Borrowed(json),
            Self::Text(text) => Cow::Owned(quote(text)),
            Self::Structured => Cow::Borrowed("null"),
        }
    }

    /// As a person reads it.
    pub(super) fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Value(json) => Cow::Owned(plain(json)),
            Self::Json(text) | Self::Text(text) => Cow::Borrowed(text),
            Self::Structured => Cow::Borrowed(""),
        }
    }
}

impl Placeholder {
    /// The placeholder that a text begins with, and how many bytes it takes. Within a JSON string what it says is escaped.
    pub(super) fn read(text: &[u8], escaped: bool) -> Option<(Self, usize)> {
        // A default may end with braces of its own.
        (0..=MOST_BRACES).find_map(|more| {
            let (inside, length) = braces(text, escaped, more)?;
            Some((Self::parse(&inside).ok()?, length))
        })
    }

    fn parse(inside: &str) -> Result<Self, String> {
        let mut parts = inside.split('|');
        let (root, path) = path(parts.next().unwrap_or_default().trim())?;
        let filters = parts.map(filter).collect::<Result<_, _>>()?;
        Ok(Self { root, path, filters })
    }

    /// What it stands for; the error says what has no value.
    pub(super) fn find(&self, context: &Context<'_>) -> Result<Found, String> {
        let mut found = self.value(context);
        for filter in &self.filters {
            found = match (filter, found) {
                (Filter::Default(json), None) => Some(Found::Value(json.clone())),
                (Filter::Default(_), found) => found,
                (_, None) => None,
                (_, Some(Found::Structured)) => Some(Found::Structured),
                (Filter::Text, Some(found)) => Some(Found::Text(found.text().into_owned())),
                (Filter::Json, Some(found)) => Some(Found::Json(found.json().into_owned())),
                (Filter::Url, Some(found)) => Some(Found::Text(percent(&found.text()))),
                (Filter::Base64, Some(found)) => Some(Found::Text(BASE64.encode(found.text().as_bytes()))),
            };
        }
        found.ok_or_else(|| {
            let name = self.name();
            format!("fill in `{{{{{name}}}}}`: there is no {name} here, and the template has no `|default:` for it")
        })
    }

    fn value(&self, context: &Context<'_>) -> Option<Found> {
        let value = match self.root {
            "structured" => return Some(Found::Structured),
            "open" => return Some(Found::Text("{{".to_owned())),
            "nth" => return Some(Found::Value(context.nth.to_string())),
            "params" => walk(context.params?, &self.path)?,
            "arguments" => walk(Json::parse(context.params?).ok()?.get("arguments")?.raw(), &self.path)?,
            "client" => walk(context.identity?, &self.path)?,
            root => {
                let (name, rest) = self.path.split_first()?;
                let named = if root == "answer" { context.answers } else { context.values };
                let (_, value) = named.iter().rev().find(|(other, _)| other == name)?;
                walk(value, rest)?
            }
        };
        Some(Found::Value(value))
    }

    fn name(&self) -> String {
        [self.root].into_iter().chain(self.path.iter().map(String::as_str)).collect::<Vec<_>>().join(".")
    }
}

/// What looks like a placeholder but is none, and why.
pub(super) fn suspect(text: &[u8]) -> Option<(String, String)> {
    let (inside, _) = braces(text, false, 0)?;
    let first = inside.trim().split(['.', '/', '|', ' ']).next().unwrap_or_default();
    let meant = !first.is_empty() && first.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    let is_one = Placeholder::read(text, false).or_else(|| Placeholder::read(text, true)).is_some();
    let why = Placeholder::parse(&inside).err().filter(|_| meant && !is_one)?;
    Some((format!("{{{{{inside}}}}}"), why))
}

/// What stands between the braces that a text begins with, so many braces behind the first pair that closes included.
fn braces(text: &[u8], escaped: bool, more: usize) -> Option<(String, usize)> {
    let rest = text.strip_prefix(b"{{")?;
    let rest = &rest[..rest.len().min(LONGEST)];
    let end = memchr::memmem::find(rest, b"}}")?;
    if !rest.get(end + 2..end + 2 + more)?.iter().all(|byte| *byte == b'}') {
        return None;
    }
    let end = end + more;
    let inside = std::str::from_utf8(&rest[..end]).ok()?;
    if !escaped || !inside.contains('\\') {
        return Some((inside.to_owned(), end + 4));
    }
    let quoted = format!("\"{inside}\"");
    Some((Json::parse(quoted.as_bytes()).ok()?.text()?.into_owned(), end + 4))
}

/// `arguments.items.0.name`, or with a JSON pointer behind the root for names with dots: `arguments/a.b`.
fn path(text: &str) -> Result<(&'static str, Vec<String>), String> {
    let end = text.find(['.', '/']).unwrap_or(text.len());
    let Some(root) = ROOTS.into_iter().find(|root| *root == &text[..end]) else {
        return Err(format!("it begins with none of {}", ROOTS.join(", ")));
    };
    let path: Vec<String> = match text[end..].split_at_checked(1) {
        None => Vec::new(),
        Some((".", rest)) => rest.split('.').map(str::to_owned).collect(),
        Some((_, rest)) => rest.split('/').map(|name| name.replace("~1", "/").replace("~0", "~")).collect(),
    };
    let sound = match root {
        "nth" | "structured" | "open" => path.is_empty(),
        "answer" | "variables" => !path.is_empty(),
        _ => true,
    };
    if !sound || path.iter().any(|name| name.is_empty() || name.contains(['{', '}', '\n'])) {
        return Err(format!("`{text}` leads nowhere"));
    }
    Ok((root, path))
}

fn filter(text: &str) -> Result<Filter, String> {
    let text = text.trim();
    if let Some(default) = text.strip_prefix("default:") {
        let default = default.trim();
        if Json::parse(default.as_bytes()).is_ok() {
            return Ok(Filter::Default(default.to_owned()));
        }
        if default.starts_with(['{', '[', '"']) {
            return Err(format!("the default `{default}` begins like JSON and is none"));
        }
        return Ok(Filter::Default(quote(default)));
    }
    match text {
        "text" => Ok(Filter::Text),
        "json" => Ok(Filter::Json),
        "url" => Ok(Filter::Url),
        "base64" => Ok(Filter::Base64),
        _ => Err(format!("`{text}` is none of text, json, url, base64, default:…")),
    }
}

/// The value at a path, as JSON text.
fn walk(json: &[u8], path: &[String]) -> Option<String> {
    let mut value = Json::parse(json).ok()?;
    for name in path {
        value = match value.kind() {
            JsonKind::Object => value.get(name)?,
            JsonKind::Array => value.items().nth(name.parse().ok()?)?,
            _ => return None,
        };
    }
    Some(String::from_utf8_lossy(value.raw()).into_owned())
}

/// A value as a person reads it: a string's text, other values as JSON.
fn plain(json: &str) -> String {
    let text = Json::parse(json.as_bytes()).ok().and_then(|value| value.text().map(Cow::into_owned));
    text.unwrap_or_else(|| json.to_owned())
}

/// Percent-encoded but for what a URI reserves nothing for (RFC 3986, 2.3).
fn percent(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
        out
    })
}
