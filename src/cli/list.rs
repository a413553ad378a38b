//! `midwire list`: the recordings of the folder, as a table or as JSON Lines.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::failure::Failure;
use super::out::{Color, Ink, Page};
use super::{figures, find, safe};
use crate::engine::listings;
use crate::engine::view::Listing;
use crate::model::{Recording, Transport};

const EXAMPLES: &str = "\
Examples:
  midwire list                                    live recordings first, then the newest
  midwire list --json | jq -r 'select(.errors > 0) | .path'

--json writes one object a line, of which what is not known is left out:
  path, live, bytes, entries, name, role (tap, client, server, import), transport, command,
  url, directory, host (pid, program), client, server, revision
  started, ended   RFC 3339
  errors           exchanges that ended in an error
  lost             entries that could not be written
  outcome          how the server ended
  program          the midwire that wrote it
  unreadable       why it cannot be read";

/// The words of `midwire list`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct List {
    /// Folder of the recordings [default: `MIDWIRE_RECORDINGS`, else the platform's data folder]
    #[arg(long, value_name = "DIR")]
    recordings: Option<PathBuf>,
    /// One JSON object for each recording
    #[arg(long)]
    json: bool,
    /// When to use colour
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Color,
}

impl List {
    pub(super) fn run(self) -> Result<(), Failure> {
        let folder = find::folder(self.recordings.as_deref())?;
        let list = listings::list(&folder)
            .map_err(|error| Failure::said(format!("failed to read the folder {}: {error}", folder.display())))?;
        let mut page = Page::new(if self.json { Color::Never } else { self.color });
        if self.json {
            for listing in &list {
                let text = serde_json::to_string(&object(listing)).map_err(|error| Failure::of(&error))?;
                page.line(&text)?;
            }
        } else if list.is_empty() {
            page.line(&format!("There are no recordings in {} yet.", folder.display()))?;
            page.line("Put `midwire tap --` in front of a server's command, or try `midwire demo`.")?;
        } else {
            page.line(&format!("{}  {}", folder.display(), count(list.len())))?;
            table(&mut page, &list)?;
        }
        page.flush()?;
        Ok(())
    }
}

fn count(number: usize) -> String {
    if number == 1 { "1 recording".to_owned() } else { format!("{number} recordings") }
}

/// The heads of the columns; numbers are set to the right.
const COLUMNS: [(&str, bool); 10] = [
    ("started", false),
    ("name", false),
    ("server", false),
    ("client", false),
    ("revision", false),
    ("entries", true),
    ("errors", true),
    ("outcome", false),
    ("size", true),
    ("file", false),
];

fn table(page: &mut Page, list: &[Listing]) -> Result<(), Failure> {
    let rows: Vec<[String; 10]> = list.iter().map(cells).collect();
    let mut widths = COLUMNS.map(|(head, _)| head.len());
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let heads = COLUMNS.map(|(head, _)| head.to_owned());
    let head = page.ink(Ink::Dim, &laid_out(&heads, &widths));
    page.line(&format!("  {head}"))?;
    for (listing, row) in list.iter().zip(&rows) {
        let mark = if listing.live { page.ink(Ink::Good, "●") } else { " ".to_owned() };
        let text = laid_out(row, &widths);
        let ink = match (&listing.facts, listing.errors) {
            (Err(_), _) => Some(Ink::Bad),
            (Ok(facts), _) if facts.lost > 0 => Some(Ink::Bad),
            (Ok(_), Some(errors)) if errors > 0 => Some(Ink::Odd),
            _ => None,
        };
        let text = ink.map_or(text.clone(), |ink| page.ink(ink, &text));
        page.line(&format!("{mark} {text}"))?;
        if let Err(why) = &listing.facts {
            page.line(&format!("    {}", safe::line(why)))?;
        }
    }
    Ok(())
}

fn laid_out(cells: &[String; 10], widths: &[usize; 10]) -> String {
    let mut text = String::new();
    for ((cell, width), (_, right)) in cells.iter().zip(widths).zip(COLUMNS) {
        let padding = " ".repeat(width - cell.chars().count());
        let (before, after) = if right { (padding.as_str(), "") } else { ("", padding.as_str()) };
        text.push_str(before);
        text.push_str(cell);
        text.push_str(after);
        text.push_str("  ");
    }
    text.trim_end().to_owned()
}

fn cells(listing: &Listing) -> [String; 10] {
    let facts = listing.facts.as_ref().ok();
    let known = |text: Option<&String>| text.map_or_else(|| "–".to_owned(), |text| safe::line(text).into_owned());
    let host = facts.and_then(|facts| facts.host.as_ref()).map(|host| format!("{} ({})", host.program, host.pid));
    let outcome = if listing.live { Some("live".to_owned()) } else { listing.outcome.clone() };
    let lost = facts.map_or(0, |facts| facts.lost);
    // Over HTTP a server is known by its URL; what it calls itself is in --json.
    let server = facts.and_then(|facts| facts.url.as_ref()).or(listing.server.as_ref());
    [
        facts.map_or_else(|| "–".to_owned(), |facts| figures::moment(facts.started)),
        known(facts.map(|facts| &facts.name)),
        known(server),
        known(listing.client.as_ref().or(host.as_ref())),
        known(listing.revision.as_ref()),
        if lost > 0 { format!("{} (-{lost})", listing.entries) } else { listing.entries.to_string() },
        listing.errors.map_or_else(|| "–".to_owned(), |errors| errors.to_string()),
        known(outcome.as_ref()),
        figures::size(listing.bytes),
        safe::line(&listing.path.file_name().unwrap_or_default().to_string_lossy()).into_owned(),
    ]
}

#[derive(Serialize)]
struct Object<'a> {
    path: std::borrow::Cow<'a, str>,
    live: bool,
    bytes: u64,
    entries: u64,
    #[serde(flatten)]
    facts: Option<Facts<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<&'a str>,
}

#[derive(Serialize)]
struct Facts<'a> {
    name: &'a str,
    role: &'a str,
    transport: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    command: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    directory: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<Host<'a>>,
    started: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<String>,
    lost: u64,
    program: &'a str,
}

#[derive(Serialize)]
struct Host<'a> {
    pid: u32,
    program: &'a str,
}

fn object(listing: &Listing) -> Object<'_> {
    Object {
        path: listing.path.to_string_lossy(),
        live: listing.live,
        bytes: listing.bytes,
        entries: listing.entries,
        facts: listing.facts.as_ref().ok().map(facts),
        client: listing.client.as_deref(),
        server: listing.server.as_deref(),
        revision: listing.revision.as_deref(),
        errors: listing.errors,
        outcome: listing.outcome.as_deref(),
        unreadable: listing.facts.as_ref().err().map(String::as_str),
    }
}

fn facts(facts: &Recording) -> Facts<'_> {
    let role = crate::model::Role::WORDS.iter().find(|(role, _)| *role == facts.role).map_or("tap", |(_, word)| word);
    Facts {
        name: &facts.name,
        role,
        transport: match facts.transport {
            Transport::Stdio => "stdio",
            Transport::HttpRequest | Transport::HttpStream => "http",
            Transport::HttpSse => "http+sse",
        },
        command: &facts.command,
        url: facts.url.as_deref(),
        directory: facts.directory.as_deref(),
        host: facts.host.as_ref().map(|host| Host { pid: host.pid, program: &host.program }),
        started: figures::instant(facts.started),
        ended: facts.ended.map(figures::instant),
        lost: facts.lost,
        program: &facts.program,
    }
}
