//! The lists of servers in a host's file.

use super::Host;
use super::entry::{self, Entry};
use super::tree::Tree;
use super::variables::Surroundings;

/// Servers taken from one file.
const MOST: usize = 2_000;

/// Where lists lie, as names one inside the other. Each host writes one or two of them; a file that nobody knows is
/// asked for all.
const LISTS: [(&[&str], &[Host]); 9] = [
    (
        &["mcpServers"],
        &[
            Host::ClaudeDesktop,
            Host::ClaudeCode,
            Host::Cursor,
            Host::Windsurf,
            Host::CherryStudio,
            Host::Gemini,
            Host::Cline,
            Host::Roo,
            Host::LmStudio,
            Host::Continue,
            Host::Copilot,
            Host::Kiro,
        ],
    ),
    (&["servers"], &[Host::VsCode]),
    (&["mcp", "servers"], &[Host::VsCode]),
    (&["mcp_servers"], &[Host::Codex]),
    (&["context_servers"], &[Host::Zed]),
    (&["experimental", "modelContextProtocolServers"], &[Host::Continue]),
    (&["mcp"], &[Host::Opencode]),
    (&["mcp", "mcpServers"], &[]),
    (&["amp.mcpServers"], &[]),
];

/// Reads a host's file: its servers in the order of the file. `stem` is the file's name without its ending, after which
/// a file that holds just one server names it. The error fits after "failed to read FILE: ".
pub fn read(host: Host, text: &str, toml: bool, stem: &str, around: &Surroundings<'_>) -> Result<Vec<Entry>, String> {
    let tree = Tree::read(text, toml)?;
    if !matches!(tree, Tree::Map(_)) {
        return Err(format!("it holds {}, where an object is expected", tree.kind()));
    }
    let mut found = Vec::new();
    lists(host, &tree, around, &mut found);
    for (folder, project) in tree.get("projects").map(Tree::members).unwrap_or_default() {
        if !matches!(host, Host::ClaudeCode | Host::Other) {
            break;
        }
        let from = found.len();
        lists(host, project, around, &mut found);
        let off = project.get("disabledMcpServers").map(Tree::items).unwrap_or_default();
        for entry in &mut found[from..] {
            entry.project = Some(folder.clone());
            entry.disabled |= off.iter().any(|name| name.text() == Some(&entry.name));
        }
    }
    if found.is_empty() && matches!(host, Host::Continue | Host::Other) && entry::looks_like_one(&tree) {
        found.push(entry::read(host, stem, &tree, around));
    }
    // Gemini CLI names those that it leaves out beside the list.
    let off = tree.at(&["mcp", "excluded"]).map(Tree::items).unwrap_or_default();
    for entry in &mut found {
        entry.disabled |= off.iter().any(|name| name.text() == Some(&entry.name));
    }
    Ok(found)
}

fn lists(host: Host, tree: &Tree, around: &Surroundings<'_>, found: &mut Vec<Entry>) {
    for (names, hosts) in LISTS {
        if host != Host::Other && !hosts.contains(&host) {
            continue;
        }
        match tree.at(names) {
            Some(Tree::Map(members)) => {
                // Beside opencode's servers, and among settings of others, stand things that are none.
                let loose = names == ["mcp"];
                let entries = members.iter().filter(|(_, value)| !loose || entry::looks_like_one(value));
                let room = MOST.saturating_sub(found.len());
                let named = entries.take(room).map(|(name, value)| (title(host, name, value), value));
                found.extend(named.map(|(name, value)| entry::read(host, name, value, around)));
            }
            Some(Tree::List(items)) => {
                let room = MOST.saturating_sub(found.len());
                for (index, item) in items.iter().take(room).enumerate() {
                    let name = item.get("name").and_then(Tree::text).map(ToOwned::to_owned);
                    let name = name.unwrap_or_else(|| format!("{}", index + 1));
                    found.push(entry::read(host, &name, item, around));
                }
            }
            _ => {}
        }
    }
}

/// What people call an entry: Cherry Studio keeps its list by made-up keys.
fn title<'a>(host: Host, key: &'a str, entry: &'a Tree) -> &'a str {
    let name = entry.get("name").and_then(Tree::text).filter(|_| host == Host::CherryStudio);
    name.unwrap_or(key)
}
