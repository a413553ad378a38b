//! A recording as a mock file: who the server was, what it had, and for each distinct call the answers that it gave, to be
//! edited. JSON stays digit for digit.

mod items;
mod reply;
mod toml;
mod undressed;
mod when;

use std::fmt::Write as _;

use items::Item;

use crate::peer::server::{About, Kind};
use crate::recorded::{By, Call, LooseWhat, Session};
use crate::wire::{Json, quote};

/// Capabilities that follow from what a mock file has, and must be taken away where the server did not declare them.
const DERIVED: [&str; 6] = ["tools", "resources", "prompts", "completions", "logging", "tasks"];

/// Members of an identity that are keys of `[server]`.
const IDENTITY: [&str; 5] = ["name", "title", "version", "description", "websiteUrl"];

/// The mock file of a recording.
pub fn write(session: &Session) -> String {
    let mut out = format!(
        "# Made of the recording {}: {} calls. assets/MOCK.md describes the form.\n",
        session.name.replace(char::is_control, " "),
        session.calls.len()
    );
    for warning in &session.warnings {
        let _ = writeln!(out, "# {}", warning.replace(char::is_control, " "));
    }
    out += "midwire = 1\n\n";
    out += &server(&session.about);
    let items = items::items(session);
    let groups = groups(session);
    for item in &items {
        out += "\n";
        out += &item.table();
        out += &of_item(session, item, &groups);
    }
    for group in groups.iter().filter(|group| !items.iter().any(|item| is_of(group, item))) {
        let method = format!("method = {}\n", toml::text(&group.calls[0].1.method));
        out += &rules(session, group, "rule", &method, when::of_method(group.calls[0].1));
    }
    out
}

/// `[server]`.
fn server(about: &About) -> String {
    let mut out = "[server]\n".to_owned();
    let mut more = Vec::new();
    let identity = Json::parse(about.identity.as_bytes()).ok();
    for (name, value) in identity.iter().flat_map(Json::members) {
        let name = name.text().unwrap_or_default();
        match value.text().filter(|_| IDENTITY.contains(&&*name)) {
            Some(text) => toml::put(&mut out, &name, &toml::text(&text)),
            None if name == "icons" => toml::put(&mut out, "icons", &toml::json(value)),
            None => more.push(format!("{}:{}", raw(&name), String::from_utf8_lossy(value.raw()))),
        }
    }
    toml::put_more(&mut out, &more);
    if let Some(instructions) = &about.instructions {
        toml::put(&mut out, "instructions", &toml::text(instructions));
    }
    let hint = format!("{{ ttl = \"{}ms\", scope = {} }}", about.hint.0, toml::text_in_line(&about.hint.1));
    toml::put(&mut out, "cache", &hint);
    for (key, declared) in [("legacy-capabilities", &about.legacy), ("modern-capabilities", &about.modern)] {
        let text = capabilities(declared);
        if let Ok(json) = Json::parse(text.as_bytes()) {
            toml::put(&mut out, key, &toml::json(json));
        }
    }
    out
}

/// What was declared, and `false` for what would follow from the rest of the file.
fn capabilities(declared: &str) -> String {
    let Ok(json) = Json::parse(declared.as_bytes()) else { return "{}".to_owned() };
    let said = json.members().map(|(name, value)| (name, String::from_utf8_lossy(value.raw()).into_owned()));
    let said = said.map(|(name, value)| format!("{}:{value}", String::from_utf8_lossy(name.raw())));
    let absent = DERIVED.iter().filter(|name| json.get(name).is_none()).map(|name| format!("{}:false", quote(name)));
    format!("{{{}}}", said.chain(absent).collect::<Vec<_>>().join(","))
}

/// Calls that ask the same, in recorded order, with their places in the session.
struct Group<'a> {
    calls: Vec<(usize, &'a Call)>,
}

/// The calls that rules are made of: none that the protocol answers by itself.
fn groups(session: &Session) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for (place, call) in session.calls.iter().enumerate() {
        if call.is_protocols_own() {
            continue;
        }
        let key = call.key();
        let index = *places.entry(key).or_insert(groups.len());
        match groups.get_mut(index) {
            Some(group) => group.calls.push((place, call)),
            None => groups.push(Group { calls: vec![(place, call)] }),
        }
    }
    groups
}

/// Whether calls are answered by the rules of this item.
fn is_of(group: &Group<'_>, item: &Item) -> bool {
    let call = group.calls[0].1;
    let (method, member) = match item.kind {
        Kind::Tools => ("tools/call", "name"),
        Kind::Resources => ("resources/read", "uri"),
        Kind::Prompts => ("prompts/get", "name"),
        Kind::Templates | Kind::Tasks => return false,
    };
    let params = call.params.as_deref().and_then(|params| Json::parse(params).ok());
    let named = params.and_then(|params| params.get(member));
    call.method == method && named.is_some_and(|name| name.is_text(&item.key))
}

/// The rules of an item; where only one thing was ever asked of it, that is its own answer.
fn of_item(session: &Session, item: &Item, groups: &[Group<'_>]) -> String {
    let own: Vec<&Group<'_>> = groups.iter().filter(|group| is_of(group, item)).collect();
    if let [group] = own.as_slice()
        && let [(place, call)] = group.calls.as_slice()
    {
        let arguments = if item.kind == Kind::Resources { "" } else { ", whatever the arguments" };
        let answer = reply::reply(call, &session.about, &extra(session, *place));
        return format!("# {}{arguments}.\n{answer}", call.name());
    }
    let table = format!("{}.rule", items::word(item.kind));
    let when = |group: &Group<'_>| (item.kind != Kind::Resources).then(|| when::of_item(group.calls[0].1)).flatten();
    own.iter().map(|group| rules(session, group, &table, "", when(group))).collect()
}

/// One rule for each answer to the same call; the last one from then on.
fn rules(session: &Session, group: &Group<'_>, table: &str, head: &str, when: Option<String>) -> String {
    let when = when.map(|when| format!("when = {when}\n")).unwrap_or_default();
    let mut answers: Vec<(&Call, String)> = Vec::new();
    for (place, call) in &group.calls {
        answers.push((call, reply::reply(call, &session.about, &extra(session, *place))));
    }
    // The same answer every time needs one rule.
    if answers.iter().all(|(_, answer)| *answer == answers[0].1) {
        answers.truncate(1);
    }
    let last = answers.len();
    let mut out = String::new();
    for (index, (call, answer)) in answers.iter().enumerate() {
        let nth = match index + 1 {
            1 if last == 1 => String::new(),
            nth if nth == last => format!("nth = \"{nth}..\"\n"),
            nth => format!("nth = {nth}\n"),
        };
        let said = format!("\n[[{table}]]\n# {}: {}, {}\n", call.name(), when::said(call), call.revision);
        out.extend([&said, head, &when, &nth, answer]);
    }
    out
}

/// What came loose after a call, as steps of it.
fn extra(session: &Session, place: usize) -> Vec<String> {
    let after = session.loose.iter().filter(|loose| loose.by == By::Call(place));
    after.flat_map(|loose| said_loose(session, loose.seq, &loose.what)).collect()
}

fn said_loose(session: &Session, seq: u64, what: &LooseWhat) -> Vec<String> {
    match what {
        LooseWhat::Changed(kind) => changed(session, seq, *kind),
        LooseWhat::Updated(uri) => vec![format!("{{ updated = {} }}", toml::text_in_line(uri))],
        LooseWhat::Notify(method, params) => {
            let json = params.as_deref().and_then(|params| Json::parse(params).ok());
            let params = json.map(|json| format!(", params = {}", toml::json_line(json))).unwrap_or_default();
            vec![format!("{{ notify = {}{params}, loose = true }}", toml::text_in_line(method))]
        }
        // A question outside of every call has no step; the client is asked by the next call that does.
        LooseWhat::Ask(..) => Vec::new(),
    }
}

/// A list that changed: the items that came and went, where that was seen.
fn changed(session: &Session, seq: u64, kind: Kind) -> Vec<String> {
    let lists = || session.lists.iter().filter(|list| list.kind == kind);
    let before = lists().rfind(|list| list.seq < seq).or_else(|| lists().next());
    let after = lists().find(|list| list.seq > seq);
    let (Some(before), Some(after)) = (before, after) else { return plain_change(kind) };
    let keys = |items: &[crate::peer::server::Bytes]| {
        items.iter().filter_map(|item| items::key_of(kind, item)).collect::<Vec<_>>()
    };
    let (old, new) = (keys(&before.items), keys(&after.items));
    let step =
        |what: &str, key: &String| format!("{{ {what} = {{ {} = {} }} }}", items::word(kind), toml::text_in_line(key));
    let came = new.iter().filter(|key| !old.contains(key)).map(|key| step("add", key));
    let went = old.iter().filter(|key| !new.contains(key)).map(|key| step("remove", key));
    let steps: Vec<String> = came.chain(went).collect();
    if steps.is_empty() { plain_change(kind) } else { steps }
}

fn plain_change(kind: Kind) -> Vec<String> {
    let word = match kind {
        Kind::Resources => "resources",
        Kind::Templates => "templates",
        Kind::Prompts => "prompts",
        Kind::Tools | Kind::Tasks => "tools",
    };
    vec![format!("{{ changed = \"{word}\" }}")]
}

/// A text as JSON.
fn raw(text: &str) -> String {
    quote(text)
}
