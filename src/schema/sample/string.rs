//! A string of the right format, pattern and length.

use super::pattern;
use crate::schema::shape::Limits;
use crate::wire::quote;

/// Strings longer than this are not made up, in characters.
const LONGEST: u64 = 100_000;
/// How often a part of a pattern is repeated to reach a length.
const REPEATS: usize = 200;

/// A string that fits, as JSON; each salt gives another.
pub(super) fn make(limits: &Limits, salt: usize) -> Option<String> {
    let least = limits.lengths.least;
    if least > LONGEST || limits.lengths.most.is_some_and(|most| most < least) {
        return None;
    }
    let fits = |text: &String| {
        let count = text.chars().count() as u64;
        count >= least && limits.lengths.most.is_none_or(|most| count <= most)
    };
    let by_pattern = limits.patterns.first().and_then(|pattern| {
        let tries = (0..REPEATS).map(|more| pattern::make(pattern, more + salt));
        tries.flatten().find(&fits)
    });
    let text = by_pattern
        .or_else(|| limits.format.as_deref().and_then(|format| of_format(format, salt, least as usize)).filter(&fits))
        .unwrap_or_else(|| plain(least as usize, limits.lengths.most, salt));
    Some(quote(&text))
}

fn plain(least: usize, most: Option<u64>, salt: usize) -> String {
    let mut text = if salt == 0 { "text".to_owned() } else { format!("{salt}text") };
    while text.len() < least {
        text.push('x');
    }
    text.truncate(most.map_or(text.len(), |most| text.len().min(most as usize)));
    text
}

/// A text of a format that is known.
fn of_format(format: &str, salt: usize, least: usize) -> Option<String> {
    let tail = if salt == 0 { String::new() } else { salt.to_string() };
    let pad = |length: usize| "a".repeat(least.saturating_sub(length));
    let day = salt % 28 + 1;
    Some(match format {
        "email" | "idn-email" => {
            format!("user{tail}{}@example.com", pad(16 + tail.len()).get(..).filter(|pad| pad.len() < 50)?)
        }
        "uri" | "url" | "iri" | "uri-reference" | "iri-reference" => {
            format!("https://example.com/{tail}{}", pad(20 + tail.len()))
        }
        "uri-template" => format!("https://example.com/{tail}{{id}}"),
        "date" => format!("2026-01-{day:02}"),
        "time" => format!("12:00:{:02}Z", salt % 60),
        "date-time" => format!("2026-01-{day:02}T12:00:00Z"),
        "duration" => format!("P{}D", salt + 1),
        "hostname" | "idn-hostname" => format!("host{tail}.example.com"),
        "ipv4" => format!("192.0.2.{}", salt % 254 + 1),
        "ipv6" => format!("2001:db8::{:x}", salt % 65_535 + 1),
        "uuid" => format!("123e4567-e89b-12d3-a456-{salt:012}"),
        "json-pointer" => format!("/a{tail}"),
        "relative-json-pointer" => format!("{salt}/a"),
        "regex" => format!("^a{tail}$"),
        "byte" | "base64" => "dGV4dA==".to_owned(),
        _ => return None,
    })
}
