//! `{{…}}` in what a server says: filled in from the request, from what the client answered, and from how often the rule
//! answered. The syntax is documented in `assets/MOCK.md`. It does not know what a text is for: [`json`] is for JSON
//! text, [`plain`] for all other.

mod placeholder;

use super::{Bytes, Text};
use crate::wire::{Json, quote};
use placeholder::{Found, Placeholder};

/// What placeholders are filled in from.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'a> {
    /// The params of the request as sent: `{{params.name}}`, `{{arguments.city}}`.
    pub params: Option<&'a [u8]>,
    /// What the client answered to asks, by key, as JSON text: `{{answer.KEY.content.name}}`.
    pub answers: &'a [(String, Bytes)],
    /// How often the rule has answered, this time included: `{{nth}}`.
    pub nth: u64,
    /// `clientInfo` as JSON text: `{{client.name}}`.
    pub identity: Option<&'a [u8]>,
    /// Values that the plan brought ([`super::Plan::values`]), as JSON text: `{{variables.id}}`.
    pub values: &'a [(String, Bytes)],
}

/// JSON text filled in. Where `{{x}}` stands for a value, or is the whole of a string, it becomes the value with its type
/// and its digits; inside a string it becomes text, escaped as needed. What is no placeholder stays byte for byte. The
/// error names what has no value.
pub fn json(text: &Text, context: &Context<'_>) -> Result<Bytes, String> {
    match text {
        Text::Fixed(bytes) => Ok(bytes.clone()),
        Text::Template(bytes) => Filling::new(bytes, context).json().map(Into::into),
    }
}

/// Any other text filled in: values as a person reads them, strings without quotes and without escapes.
pub fn plain(text: &Text, context: &Context<'_>) -> Result<Bytes, String> {
    let bytes = match text {
        Text::Fixed(bytes) => return Ok(bytes.clone()),
        Text::Template(bytes) => bytes,
    };
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let Some((placeholder, length)) = Placeholder::read(&bytes[at..], false) else {
            out.push(bytes[at]);
            at += 1;
            continue;
        };
        match placeholder.find(context)? {
            Found::Structured => return Err("fill in `structured`: only a result has that".to_owned()),
            found => out.extend_from_slice(found.text().as_bytes()),
        }
        at += length;
    }
    Ok(out.into())
}

/// Whether there is a placeholder in a text, so that it has to be a [`Text::Template`].
pub fn has_placeholders(text: &[u8]) -> bool {
    (0..text.len()).any(|at| Placeholder::read(&text[at..], true).is_some())
}

/// The text with `null` where a placeholder stands for a value: what can be checked to be JSON before anything is known.
pub fn skeleton(text: &[u8]) -> Vec<u8> {
    let (mut out, mut at, mut string) = (Vec::with_capacity(text.len()), 0, false);
    while at < text.len() {
        let length = match Placeholder::read(&text[at..], string) {
            Some((_, length)) if !string => {
                out.extend_from_slice(b"null");
                at += length;
                continue;
            }
            Some((_, length)) => length,
            None if text[at] == b'\\' && string => 2,
            None => {
                string ^= text[at] == b'"';
                1
            }
        };
        let end = (at + length).min(text.len());
        // Within a string a placeholder may hold quotes, which are escaped there.
        out.extend_from_slice(&text[at..end]);
        at = end;
    }
    out
}

/// Whether a text is one placeholder and nothing else.
pub fn is_placeholder(text: &[u8]) -> bool {
    Placeholder::read(text, false).is_some_and(|(_, length)| length == text.len())
}

/// What looks like a placeholder and is none: each as it is written, with why.
pub fn suspects(text: &[u8]) -> Vec<(String, String)> {
    (0..text.len()).filter_map(|at| placeholder::suspect(&text[at..])).collect()
}

struct Filling<'t, 'c> {
    text: &'t [u8],
    context: &'t Context<'c>,
    out: Vec<u8>,
    /// Where the string that we are in began.
    string: Option<usize>,
    /// Where the structured content is to stand as text, in `out`.
    twins: Vec<usize>,
}

impl<'t, 'c> Filling<'t, 'c> {
    fn new(text: &'t [u8], context: &'t Context<'c>) -> Self {
        Self { text, context, out: Vec::with_capacity(text.len()), string: None, twins: Vec::new() }
    }

    fn json(mut self) -> Result<Vec<u8>, String> {
        let mut at = 0;
        while at < self.text.len() {
            at += match Placeholder::read(&self.text[at..], self.string.is_some()) {
                Some((placeholder, length)) => self.put(at, &placeholder, length)?,
                None => self.step(at),
            };
        }
        self.twinned()
    }

    /// Takes over what is no placeholder, and returns how much.
    fn step(&mut self, at: usize) -> usize {
        let length = if self.text[at] == b'\\' && self.string.is_some() { 2 } else { 1 };
        if self.text[at] == b'"' {
            self.string = if self.string.is_some() { None } else { Some(at) };
        }
        let end = (at + length).min(self.text.len());
        self.out.extend_from_slice(&self.text[at..end]);
        length
    }

    /// Puts in a value, and returns how much of the template that took.
    fn put(&mut self, at: usize, placeholder: &Placeholder, length: usize) -> Result<usize, String> {
        let found = placeholder.find(self.context)?;
        let whole = self.string.is_some_and(|start| start + 1 == at) && self.text.get(at + length) == Some(&b'"');
        if matches!(found, Found::Structured) {
            if self.string.is_none() {
                return Err("fill in `structured`: it can only stand inside a string".to_owned());
            }
            self.twins.push(self.out.len());
            return Ok(length);
        }
        if self.string.is_none() {
            self.out.extend_from_slice(found.json().as_bytes());
        } else if whole {
            self.out.pop();
            self.out.extend_from_slice(found.json().as_bytes());
            self.string = None;
            return Ok(length + 1);
        } else {
            self.out.extend_from_slice(inside(&quote(&found.text())).as_bytes());
        }
        Ok(length)
    }

    /// Puts the text of the structured content where it is named.
    fn twinned(mut self) -> Result<Vec<u8>, String> {
        if self.twins.is_empty() {
            return Ok(self.out);
        }
        let structured = Json::parse(&self.out).ok().and_then(|result| result.get("structuredContent"));
        let Some(structured) = structured else {
            return Err("fill in `structured`: the result has no structuredContent".to_owned());
        };
        let text = quote(&String::from_utf8_lossy(structured.raw()));
        for at in self.twins.iter().rev() {
            self.out.splice(*at..*at, inside(&text).bytes());
        }
        Ok(self.out)
    }
}

/// What lies between the quotes of a JSON string.
fn inside(string: &str) -> &str {
    string.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(string)
}

#[cfg(test)]
mod tests;
