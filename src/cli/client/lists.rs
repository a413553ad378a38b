//! `midwire tools`, and the lists of the other kinds: everything, or page by page.

use std::collections::HashMap;
use std::ffi::OsString;

use clap::Args;

use super::class::Class;
use super::object::Object;
use super::seat::{Ended, Seat};
use super::{Done, Shared, begin, printed};
use crate::cli::failure::Failure;
use crate::peer::client::{Kind, List};
use crate::wire::quote;

const EXAMPLES: &str = "\
Examples:
  midwire tools -- npx -y @modelcontextprotocol/server-everything
  midwire tools https://example.com/mcp | jq -r '.tools[].name'
  midwire tools everything echo                     one tool, whole
  midwire tools URL --page \"$(midwire tools URL --page '' | jq -r .nextCursor)\"

All pages are fetched, up to a thousand; --page fetches one, the first with an empty cursor.";

/// Which pages of a list.
#[derive(Debug, Args)]
pub(in crate::cli) struct Pages {
    /// Fetch only the page with this cursor; the first one with an empty cursor
    #[arg(long, value_name = "CURSOR", conflicts_with = "all")]
    page: Option<String>,
    /// Fetch all pages (as is usual)
    #[arg(long)]
    all: bool,
}

/// The words of `midwire tools`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Tools {
    /// A URL or the name of a server (not with -- COMMAND), and perhaps the name of a tool
    #[arg(value_name = "TARGET] [TOOL")]
    words: Vec<String>,
    #[command(flatten)]
    pages: Pages,
    #[command(flatten)]
    shared: Shared,
    /// The server's command with its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

impl Tools {
    pub(in crate::cli) fn run(self) -> Done {
        let (mut seat, rest) = begin(&self.words, self.command, &self.shared)?;
        let done = match &rest[..] {
            [] => all(&mut seat, Kind::Tools, &self.pages, &self.shared),
            [name] => one(&mut seat, Kind::Tools, name),
            [_, more, ..] => {
                Err(Failure::said(format!("midwire tools takes one tool at most; {more:?} is one too many")))
            }
        };
        seat.leave();
        done
    }
}

/// Prints a list.
pub(in crate::cli) fn all(seat: &mut Seat, kind: Kind, pages: &Pages, shared: &Shared) -> Done {
    let (list, ended) = match &pages.page {
        Some(cursor) => seat.page(kind, Some(cursor.clone()).filter(|cursor| !cursor.is_empty())),
        None => seat.list(kind),
    };
    printed::say(seat, &ended);
    let Some(list) = list.filter(|list| list.pages > 0) else {
        if shared.place.envelope {
            printed::json(&printed::object(seat, &ended, &[]))?;
        }
        return Ok(ended.class());
    };
    faults(seat, &list);
    print(seat, kind, &list, &ended, shared.place.envelope)?;
    let stopped = list.stopped.as_ref().filter(|_| ended.class() == Class::Fine);
    if let Some(why) = stopped {
        seat.voice.warn(&format!("the list is not whole: {why}"));
        return Ok(Class::Protocol);
    }
    Ok(ended.class())
}

/// Says what is wrong with items; the same sentence once, with how often it would stand there.
fn faults(seat: &Seat, list: &List) {
    let mut said: Vec<(String, u32)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for item in list.items.iter() {
        let name = if item.key.is_empty() { "an item without a name" } else { &item.key };
        for fault in &item.faults {
            let text = format!("{name}: {fault}");
            let place = *places.entry(text.clone()).or_insert_with(|| {
                said.push((text, 0));
                said.len() - 1
            });
            said[place].1 += 1;
        }
    }
    for (text, count) in said {
        let again = if count > 1 { format!(" ({count} times)") } else { String::new() };
        seat.voice.warn(&format!("{text}{again}"));
    }
}

fn print(seat: &Seat, kind: Kind, list: &List, ended: &Ended, envelope: bool) -> Result<(), Failure> {
    let count = list.items.len();
    let pages = if list.pages == 1 { "1 page".to_owned() } else { format!("{} pages", list.pages) };
    seat.voice.note(&format!("{count} {} in {pages}", kind.member()));
    let mut object = Object::new();
    object.array(kind.member(), list.items.iter().map(|item| &*item.json));
    object.maybe("nextCursor", list.next.as_deref());
    let items = object.finish();
    if !envelope {
        return printed::json(&items);
    }
    let mut more = vec![("list", items), ("pages", list.pages.to_string().into_bytes())];
    if let Some((ttl, scope)) = &list.hint {
        more.push(("caching", format!(r#"{{"ttlMs":{ttl},"cacheScope":{}}}"#, quote(scope)).into_bytes()));
    }
    if let Some(why) = &list.stopped {
        more.push(("stopped", printed::text(why)));
    }
    printed::json(&printed::object(seat, ended, &more))
}

/// Prints one item, as it was sent.
pub(in crate::cli) fn one(seat: &mut Seat, kind: Kind, key: &str) -> Done {
    match seat.find(kind, key, crate::peer::client::Settings::default().most_pages) {
        Ok(Some(item)) => {
            item.faults.iter().for_each(|fault| seat.voice.warn(fault));
            printed::json(&item.json)?;
            Ok(Class::Fine)
        }
        Ok(None) => {
            seat.voice.warn(&format!("the server lists none called {key}"));
            Ok(Class::Answered)
        }
        Err(ended) => {
            printed::say(seat, &ended);
            Ok(ended.class())
        }
    }
}
