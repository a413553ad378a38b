//! How recordings are put in order and worded. Nothing here draws.

use std::collections::HashMap;

use jiff::tz::TimeZone;

use crate::engine::view::Listing;
use crate::model::{Nanos, Recording, Role, Transport};
use crate::ui::words;

/// Runs up to this long that saw next to nothing are probes: a client asking what the server speaks.
const PROBE: Nanos = 5_000_000_000;
/// How many entries a probe has at most.
const PROBE_ENTRIES: u64 = 8;

/// A line of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// The title of a group.
    Title(&'static str),
    /// A recording.
    Recording(Entry),
}

/// A recording in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its index among the listings.
    pub index: usize,
    /// What it is to the recording above, when it is another run of the same host and command.
    pub label: Option<&'static str>,
}

/// Puts recordings under titles, and further runs of one host and command under their latest.
pub fn plan(list: &[Listing], now: Nanos, zone: &TimeZone) -> Vec<Item> {
    let today = words::date(now, zone);
    let mut groups: Vec<(Option<Key>, Vec<usize>)> = Vec::new();
    let mut known: HashMap<Key, usize> = HashMap::new();
    for (index, listing) in list.iter().enumerate() {
        let key = listing.facts.as_ref().ok().and_then(key);
        match key.as_ref().and_then(|key| known.get(key)) {
            Some(place) => groups[*place].1.push(index),
            None => {
                if let Some(key) = &key {
                    known.insert(key.clone(), groups.len());
                }
                groups.push((key, vec![index]));
            }
        }
    }
    let mut items = Vec::new();
    for title in ["LIVE", "TODAY", "EARLIER"] {
        let start = items.len();
        for (_, runs) in &groups {
            let live = runs.iter().any(|run| list[*run].live);
            if title_of(&list[runs[0]], live, &today, zone) == title {
                items.extend(group(list, runs));
            }
        }
        if items.len() > start {
            items.insert(start, Item::Title(title));
        }
    }
    items
}

/// The runs of one host and command: the one that counts first, the others set under it.
fn group(list: &[Listing], runs: &[usize]) -> Vec<Item> {
    let lead = runs.iter().copied().find(|run| !is_probe(&list[*run])).unwrap_or(runs[0]);
    let rest = runs.iter().copied().filter(|run| *run != lead);
    let label = |index: usize| if is_probe(&list[index]) { "probe" } else { "run" };
    std::iter::once(Entry { index: lead, label: None })
        .chain(rest.map(|index| Entry { index, label: Some(label(index)) }))
        .map(Item::Recording)
        .collect()
}

/// Host process, name and command: the same for the probe and the respawns of one conversation.
type Key = (u32, Option<Nanos>, String, Vec<String>);

fn key(facts: &Recording) -> Option<Key> {
    let host = facts.host.as_ref()?;
    (!facts.command.is_empty()).then(|| (host.pid, host.started, facts.name.clone(), facts.command.clone()))
}

fn is_probe(listing: &Listing) -> bool {
    let Ok(facts) = &listing.facts else { return false };
    let short = facts.ended.is_some_and(|ended| ended - facts.started < PROBE);
    !listing.live && short && listing.entries <= PROBE_ENTRIES
}

fn title_of(listing: &Listing, live: bool, today: &str, zone: &TimeZone) -> &'static str {
    let day = listing.facts.as_ref().ok().map(|facts| words::date(facts.started, zone));
    match day {
        _ if live => "LIVE",
        Some(day) if day == today => "TODAY",
        _ => "EARLIER",
    }
}

/// What a recording is called: its name, or its file's.
pub fn title(listing: &Listing) -> String {
    match &listing.facts {
        Ok(facts) if !facts.name.is_empty() => facts.name.clone(),
        _ => listing.path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
    }
}

/// Whether it deserves a red dot: the file cannot be read, or the server did not end well.
pub fn has_failed(listing: &Listing) -> bool {
    let ended_badly = listing.outcome.as_deref().is_some_and(|outcome| {
        // Hosts end their servers with these signals as a matter of course: 2 INT, 9 KILL, 15 TERM.
        let ordinary = ["exited 0", "killed by signal 2", "killed by signal 9", "killed by signal 15"];
        let ends = ["exited ", "killed ", "did not start"].iter().any(|end| outcome.starts_with(end));
        ends && !ordinary.contains(&outcome)
    });
    listing.facts.is_err() || ended_badly
}

/// The second line: host, transport, revision and age; how it ended where that is worth knowing.
pub fn second_line(listing: &Listing, entry: &Entry, now: Nanos, zone: &TimeZone) -> String {
    let facts = match &listing.facts {
        Ok(facts) => facts,
        Err(why) => return why.clone(),
    };
    if entry.label.is_some() {
        let lasted = facts.ended.map(|ended| words::duration(ended - facts.started));
        let parts = [Some("same host and command".to_owned()), lasted];
        return parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    }
    let host = listing.client.clone().or_else(|| facts.host.as_ref().map(|host| host.program.clone()));
    let failed = has_failed(listing);
    let mut parts =
        vec![host.or_else(|| role(facts.role).map(str::to_owned)), Some(transport(facts.transport).to_owned())];
    if failed {
        parts.push(listing.outcome.clone());
        parts.push(listing.errors.filter(|errors| *errors > 0).map(|errors| words::counted(errors, "error", "errors")));
    } else {
        parts.push(listing.revision.clone());
    }
    parts.push(Some(when(listing, facts, now, zone)));
    parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

fn when(listing: &Listing, facts: &Recording, now: Nanos, zone: &TimeZone) -> String {
    if listing.live || words::date(facts.started, zone) == words::date(now, zone) {
        words::age(now - facts.started)
    } else {
        words::day(facts.started, zone)
    }
}

const fn role(role: Role) -> Option<&'static str> {
    match role {
        Role::Tap => None,
        Role::Client => Some("midwire as client"),
        Role::Server => Some("served by midwire"),
        Role::Import => Some("imported"),
    }
}

const fn transport(transport: Transport) -> &'static str {
    match transport {
        Transport::Stdio => "stdio",
        Transport::HttpRequest | Transport::HttpStream => "HTTP",
        Transport::HttpSse => "HTTP+SSE",
    }
}

/// The recordings in the order in which the list shows them.
pub fn order(list: &[Listing], now: Nanos) -> Vec<usize> {
    let items = plan(list, now, &TimeZone::UTC);
    items
        .into_iter()
        .filter_map(|item| match item {
            Item::Recording(entry) => Some(entry.index),
            Item::Title(_) => None,
        })
        .collect()
}
