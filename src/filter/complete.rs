//! Completion of a filter while it is typed.

use std::ops::Range;
use std::sync::Arc;

use super::facts::Is;
use super::word::Word;
use crate::model::Revision;

/// How many completions are worth showing.
const MOST: usize = 50;

/// The names that a recording has to offer.
#[derive(Debug, Clone, Copy, Default)]
pub struct Vocabulary<'a> {
    /// Methods seen.
    pub methods: &'a [Arc<str>],
    /// Tools called or listed.
    pub tools: &'a [Arc<str>],
    /// Other subjects seen: URIs, prompts.
    pub subjects: &'a [Arc<str>],
    /// Rules that have findings.
    pub rules: &'a [Arc<str>],
    /// Session ids seen.
    pub sessions: &'a [Arc<str>],
}

/// One completion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The bytes of the text that it replaces; the cursor goes behind it.
    pub range: Range<usize>,
    /// What to put there.
    pub insert: String,
    /// What it means, for display beside it; may be empty.
    pub note: &'static str,
}

/// What could stand at `cursor`, best first. `cursor` is a byte offset; one inside a character counts
/// as before it.
pub fn complete(text: &str, cursor: usize, vocabulary: &Vocabulary<'_>) -> Vec<Completion> {
    let cursor = (0..=cursor.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let Some(start) = word_start(&text[..cursor]) else { return Vec::new() };
    let typed = &text[start..cursor];
    // What was typed behind the cursor belongs to the word and is replaced with it.
    let rest = &text[cursor..];
    let end = cursor + rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(rest.len());
    let mut found = match typed.split_once(':').map(|(name, value)| (Word::from_text(name), value)) {
        Some((Some(word), value)) => values(word, value.trim_start_matches('"'), vocabulary),
        Some((None, _)) => Vec::new(),
        None => words(typed, vocabulary),
    };
    found.truncate(MOST);
    found.into_iter().map(|(insert, note)| Completion { range: start..end, insert, note }).collect()
}

/// Where the word before the cursor begins; `None` inside a text in quotes or a regular expression.
fn word_start(before: &str) -> Option<usize> {
    let (mut start, mut inside, mut escaped) = (0, false, false);
    let mut bare = true;
    for (at, character) in before.char_indices() {
        let is_first = at == start;
        match character {
            _ if escaped => escaped = false,
            '\\' if inside => escaped = true,
            '"' if inside => inside = false,
            '"' if is_first || before[start..at].ends_with(':') => {
                inside = true;
                bare = !is_first;
            }
            _ if inside => {}
            '-' if is_first => start = at + 1,
            '/' if is_first => bare = false,
            other if other.is_whitespace() || matches!(other, '(' | ')') => {
                (start, bare) = (at + other.len_utf8(), true);
            }
            _ => {}
        }
    }
    bare.then_some(start)
}

type Found = Vec<(String, &'static str)>;

/// Statuses that MCP gives a meaning.
const STATUSES: &[(&str, &str)] = &[
    ("4*", "refused by the server"),
    ("5*", "failed in the server"),
    ("200", "OK"),
    ("202", "Accepted: nothing to answer"),
    ("400", "Bad Request"),
    ("401", "Unauthorized"),
    ("403", "Forbidden"),
    ("404", "Not Found; in a session: it is over"),
    ("405", "Method Not Allowed; to a GET: no standalone stream"),
    ("406", "Not Acceptable"),
    ("502", "Bad Gateway"),
];

/// Fields of HTTP that MCP speaks of.
const FIELDS: &[(&str, &str)] = &[
    ("mcp-session-id", "the session"),
    ("mcp-protocol-version", "the revision"),
    ("mcp-method", "the method, mirrored from the body"),
    ("mcp-name", "the tool, prompt or resource, mirrored from the body"),
    ("last-event-id", "a stream that is taken up again"),
    ("content-type", "what a body is"),
    ("accept", "what the client takes"),
    ("www-authenticate", "where to get a token"),
    ("authorization", "the token; its value is not recorded"),
    ("location", "where a redirect leads"),
    ("origin", "which web page asks"),
];

/// Kinds of channels.
const CHANNELS: &[(&str, &str)] = &[
    ("stdio", "the pipes of a process"),
    ("request", "one HTTP request with its response"),
    ("stream", "a stream that a GET opened"),
    ("sse", "the stream of HTTP+SSE"),
];

/// Words before a colon that begin as typed, then names that contain it.
fn words(typed: &str, vocabulary: &Vocabulary<'_>) -> Found {
    let known = Word::ALL.iter().filter(|(_, name, ..)| begins(name, typed));
    let mut found: Found = known
        .map(|(word, name, _, note)| {
            let asks = word.measure().is_some() && !matches!(word, Word::Code | Word::Status);
            let end = if asks { ">" } else { ":" };
            (format!("{name}{end}"), *note)
        })
        .collect();
    if typed.len() >= 2 {
        let is = Is::ALL.iter().filter(|(_, word, _)| begins(word, typed));
        found.extend(is.map(|(_, word, note)| (format!("is:{word}"), *note)));
        let named = |word: &'static str, names: &[Arc<str>], note| -> Found {
            let names = names.iter().filter(|name| contains(name, typed));
            names.map(|name| (format!("{word}:{}", written(name)), note)).collect()
        };
        found.extend(named("tool", vocabulary.tools, "a tool"));
        found.extend(named("method", vocabulary.methods, "a method"));
    }
    found
}

/// Values of a word: those that begin as typed, then those that contain it.
fn values(word: Word, typed: &str, vocabulary: &Vocabulary<'_>) -> Found {
    let name = word.text();
    let plain = |names: &[Arc<str>]| names.iter().map(|name| (written(name), "")).collect();
    let noted = |all: &'static [(&str, &'static str)]| all.iter().map(|(it, note)| ((*it).to_owned(), *note)).collect();
    let all: Found = match word {
        Word::Method => plain(vocabulary.methods),
        Word::Tool => plain(vocabulary.tools),
        Word::Subject | Word::Uri | Word::Prompt => plain(vocabulary.subjects),
        Word::Rule => plain(vocabulary.rules),
        Word::Session => plain(vocabulary.sessions),
        Word::Status => noted(STATUSES),
        Word::Header => noted(FIELDS),
        Word::Channel => noted(CHANNELS),
        Word::From => vec![("client".into(), "sent by the client"), ("server".into(), "sent by the server")],
        Word::Era => vec![("legacy".into(), "2024-11-05 … 2025-11-25"), ("modern".into(), "2026-07-28")],
        Word::Is => Is::ALL.iter().map(|(_, word, note)| ((*word).to_owned(), *note)).collect(),
        Word::Revision => Revision::KNOWN.iter().rev().map(|known| (known.text().to_owned(), "")).collect(),
        _ => Vec::new(),
    };
    let (mut found, rest): (Found, Found) =
        all.into_iter().partition(|(value, _)| begins(value.trim_matches('"'), typed));
    found.extend(rest.into_iter().filter(|(value, _)| contains(value, typed)));
    found.into_iter().map(|(value, note)| (format!("{name}:{value}"), note)).collect()
}

/// A name as it must be written after a colon.
fn written(name: &str) -> String {
    let needs_quotes = name.is_empty()
        || name.starts_with('/')
        || name.contains(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | '*'));
    if needs_quotes { super::pattern::quoted(name) } else { name.to_owned() }
}

fn begins(name: &str, typed: &str) -> bool {
    name.as_bytes().get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed.as_bytes()))
}

fn contains(name: &str, typed: &str) -> bool {
    name.to_ascii_lowercase().contains(&typed.to_ascii_lowercase())
}
