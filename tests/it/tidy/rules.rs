//! What each rule looks for: functions from a path and a text to the sins in it, one sentence each.

use regex::Regex;

use super::source::{module_of, product, without_comments, without_strings};

/// Which of our modules a module may name. ARCHITECTURE.md has the same table with reasons, and a test
/// below keeps the two equal. A module may always name itself.
pub(super) const IMPORTS: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("wire", &["model"]),
    ("mcp", &["model", "wire"]),
    ("trace", &["model", "wire", "mcp"]),
    ("peer", &["model", "wire", "mcp", "schema"]),
    ("schema", &["wire"]),
    ("project", &["model", "wire", "mcp"]),
    ("mock", &["model", "wire", "mcp", "peer", "schema", "recorded"]),
    ("recorded", &["model", "wire", "mcp", "peer"]),
    ("hosts", &[]),
    ("filter", &["model"]),
    ("store", &["model"]),
    ("transport", &["model", "wire"]),
    (
        "engine",
        &[
            "model",
            "wire",
            "mcp",
            "trace",
            "filter",
            "store",
            "transport",
            "peer",
            "schema",
            "project",
            "hosts",
            "mock",
            "recorded",
        ],
    ),
    ("ui", &["engine", "model", "filter", "peer", "schema", "project", "mock"]),
    (
        "cli",
        &["engine", "store", "model", "wire", "mcp", "trace", "filter", "peer", "schema", "project", "hosts", "mock"],
    ),
];

/// Where a library may be named at all.
pub(super) const LIBRARIES: &[(&str, &[&str])] = &[
    ("tokio", &["transport", "engine"]),
    ("hyper", &["transport", "engine"]),
    ("rusqlite", &["store"]),
    ("egui", &["ui"]),
    ("eframe", &["ui"]),
    ("syntect", &["ui"]),
    ("jsonschema", &["schema"]),
    ("jsonc_parser", &["hosts"]),
    ("toml", &["hosts", "project", "mock"]),
    ("keyring", &["transport"]),
    ("shell_words", &["engine"]),
];

/// Files that may be longer than [`LONGEST`] lines, each with its reason.
pub(super) const LONG: &[(&str, &str)] = &[];

/// How long a file may be. Tests at its end count, as they must be read too.
pub(super) const LONGEST: usize = 400;

pub(super) fn imports(path: &str, text: &str) -> Vec<String> {
    let Some(module) = module_of(path) else { return Vec::new() };
    let Some((_, allowed)) = IMPORTS.iter().find(|(name, _)| *name == module) else {
        return vec![format!("module {module} has no row in the import table")];
    };
    let code = without_strings(text);
    let front = path == "src/cli/mod.rs";
    let mut sins: Vec<String> = crate_paths(&code)
        .into_iter()
        .filter(|name| name != module && !allowed.contains(&name.as_str()) && !(front && name == "ui"))
        .map(|name| format!("{module} may not import {name}"))
        .collect();
    if product(&code).contains("super::super::") {
        sins.push("climbs with super::super::, which hides what it imports; say crate::".to_owned());
    }
    sins
}

/// The first name of each path that begins with `crate::`, groups opened one level deep.
fn crate_paths(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, found) in code.match_indices("crate::") {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$') {
            continue;
        }
        let rest = &code[at + found.len()..];
        if let Some(group) = rest.strip_prefix('{') {
            names.extend(group_members(group));
        } else {
            names.push(first_name(rest));
        }
    }
    names
}

/// First names of the members of a `{…}` group whose opening brace is already taken off.
fn group_members(group: &str) -> Vec<String> {
    let mut depth = 0;
    let mut names = Vec::new();
    let mut start = 0;
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' | ',' if depth == 0 => {
                names.push(first_name(group[start..at].trim()));
                start = at + 1;
                if c == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

fn first_name(path: &str) -> String {
    path.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '*')).collect()
}

pub(super) fn module_docs(_: &str, text: &str) -> Vec<String> {
    if text.starts_with("//! ") { Vec::new() } else { vec!["does not open with //! and what it is".to_owned()] }
}

pub(super) fn libraries(path: &str, text: &str) -> Vec<String> {
    if !path.starts_with("src/") {
        return Vec::new();
    }
    let code = without_strings(text);
    let named = |library: &str| Regex::new(&format!(r"\b{library}\b")).expect("a crate name").is_match(&code);
    LIBRARIES
        .iter()
        .filter(|(library, places)| !places.contains(&module_of(path).unwrap_or("main")) && named(library))
        .map(|(library, places)| format!("names {library}, which only {} may", places.join(" and ")))
        .collect()
}

pub(super) fn clock(path: &str, text: &str) -> Vec<String> {
    let elsewhere = path.starts_with("src/") && module_of(path) != Some("engine");
    let code = without_strings(text);
    let clocks = ["SystemTime::now", "Instant::now", "Timestamp::now", "Zoned::now"];
    clocks
        .into_iter()
        .filter(|clock| elsewhere && product(&code).contains(clock))
        .map(|clock| format!("reads the clock ({clock}), which only engine may"))
        .collect()
}

pub(super) fn colours(path: &str, text: &str) -> Vec<String> {
    if !path.starts_with("src/ui/") || path.starts_with("src/ui/theme") {
        return Vec::new();
    }
    let in_code =
        Regex::new(r"\bColor32::(\w+)|\bRgba::(\w+)|\bHsva::(\w+)|\b0x[0-9a-fA-F_]{6,11}\b").expect("a pattern");
    let in_text = Regex::new("\"#[0-9a-fA-F]{6}").expect("a pattern");
    let code = without_strings(text);
    let strings = without_comments(text);
    let named = in_code.find_iter(&code).map(|m| m.as_str()).chain(in_text.find_iter(&strings).map(|m| m.as_str()));
    // Neither of these two is a colour: one paints nothing, the other stands for "the widget's own".
    named
        .filter(|name| !matches!(*name, "Color32::TRANSPARENT" | "Color32::PLACEHOLDER"))
        .map(|name| format!("names the colour {name}; colours belong in ui/theme.rs"))
        .collect()
}

pub(super) fn printing(path: &str, text: &str) -> Vec<String> {
    if !path.starts_with("src/") || path == "src/cli/out.rs" {
        return Vec::new();
    }
    let macros = Regex::new(r"\b(e?print(ln)?|dbg)!").expect("a pattern");
    let code = without_strings(text);
    macros.find_iter(product(&code)).map(|m| format!("{} outside cli/out.rs", m.as_str())).collect()
}

pub(super) fn length(path: &str, text: &str) -> Vec<String> {
    let lines = text.lines().count();
    if lines <= LONGEST || LONG.iter().any(|(long, _)| *long == path) {
        return Vec::new();
    }
    vec![format!("{lines} lines; split it, or put it on the list with a reason")]
}

pub(super) fn names(path: &str, _: &str) -> Vec<String> {
    let empty = ["utils", "util", "helpers", "helper", "types", "common", "misc"];
    let parts = path.trim_end_matches(".rs").split('/');
    parts.filter(|part| empty.contains(part)).map(|part| format!("{part} says nothing about what is in it")).collect()
}
