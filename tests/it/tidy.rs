//! The house rules that a compiler does not check: who may import whom, where a library may be named,
//! what a file must look like. Each rule is a function over a path and a text, and each is tried on
//! planted sinners first, so that a rule which can no longer find anything fails instead of passing.

use std::fs;
use std::path::Path;

use regex::Regex;

/// Which of our modules a module may name. ARCHITECTURE.md has the same table with reasons, and a test
/// below keeps the two equal. A module may always name itself.
const IMPORTS: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("wire", &["model"]),
    ("mcp", &["model", "wire"]),
    ("trace", &["model", "wire", "mcp"]),
    ("filter", &["model"]),
    ("store", &["model"]),
    ("transport", &["model", "wire"]),
    ("engine", &["model", "wire", "mcp", "trace", "filter", "store", "transport"]),
    ("ui", &["engine", "model", "filter"]),
    ("cli", &["engine", "store", "model", "wire", "mcp", "trace", "filter"]),
];

/// Where a library may be named at all.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("tokio", &["transport", "engine"]),
    ("hyper", &["transport", "engine"]),
    ("rusqlite", &["store"]),
    ("egui", &["ui"]),
    ("eframe", &["ui"]),
    ("syntect", &["ui"]),
];

/// Files that may be longer than [`LONGEST`] lines, each with its reason.
const LONG: &[(&str, &str)] = &[];

/// How long a file may be. Tests at its end count, as they must be read too.
const LONGEST: usize = 400;

/// A rule: its name, what finds its sinners, and texts on which it is tried.
struct Rule {
    name: &'static str,
    /// Takes the path from the package's root and the text; gives one sentence for each sin.
    find: fn(&str, &str) -> Vec<String>,
    /// Each must be found guilty.
    sinners: &'static [(&'static str, &'static str)],
    /// Each must not.
    innocents: &'static [(&'static str, &'static str)],
}

const RULES: &[Rule] = &[
    Rule {
        name: "imports",
        find: imports,
        sinners: &[
            ("src/model/id.rs", "use crate::wire::Json;"),
            ("src/ui/app.rs", "use crate::{engine::Handle, store::Reader};"),
            ("src/ui/app.rs", "use crate::{\n    model::{Id, Side},\n    trace,\n};"),
            ("src/filter/mod.rs", "fn f() { crate::mcp::subject() }"),
            ("src/cli/show.rs", "crate::ui::run();"),
            ("src/trace/pair.rs", "use super::super::store::Reader;"),
            ("src/trace/pair.rs", "use crate::*;"),
        ],
        innocents: &[
            ("src/model/id.rs", "// use crate::wire::Json;\nuse crate::model::Side;"),
            ("src/cli/mod.rs", "#[cfg(feature = \"gui\")]\ncrate::ui::run();"),
            ("src/main.rs", "midwire::ui::run()"),
            ("src/trace/pair.rs", "use super::exchange; let a = \"crate::store\";"),
            ("src/engine/tap.rs", "use crate::{store::Writer, wire::{Lines, Piece}};"),
        ],
    },
    Rule {
        name: "module docs",
        find: module_docs,
        sinners: &[("src/wire/sse.rs", "use std::fmt;\n//! late"), ("tests/it/x.rs", "// not a doc\n")],
        innocents: &[("src/wire/sse.rs", "//! Server-sent events.\n")],
    },
    Rule {
        name: "libraries in their place",
        find: libraries,
        sinners: &[
            ("src/trace/mod.rs", "use rusqlite::Connection;"),
            ("src/cli/list.rs", "let x = egui::vec2(1.0, 2.0);"),
            ("src/store/writer.rs", "tokio::spawn(f)"),
        ],
        innocents: &[
            ("src/store/writer.rs", "use rusqlite::Connection; // not tokio"),
            ("src/ui/app.rs", "eframe::run()"),
        ],
    },
    Rule {
        name: "the clock only in engine",
        find: clock,
        sinners: &[
            ("src/ui/app.rs", "let t = Instant::now();"),
            ("src/cli/prune.rs", "let t = std::time::SystemTime::now();"),
            ("src/cli/show.rs", "jiff::Timestamp::now()"),
        ],
        innocents: &[
            ("src/engine/clock.rs", "SystemTime::now()"),
            ("src/wire/lines.rs", "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    let t = Instant::now();\n}\n"),
        ],
    },
    Rule {
        name: "colours only in the theme",
        find: colours,
        sinners: &[
            ("src/ui/panels/table.rs", "let c = Color32::from_rgb(1, 2, 3);"),
            ("src/ui/panels/table.rs", "let c = Rgba::RED;"),
            ("src/ui/app.rs", "theme.set(\"#ff8800\")"),
            ("src/ui/app.rs", "hex(0xff_88_00)"),
        ],
        innocents: &[
            ("src/ui/theme.rs", "Color32::from_rgb(1, 2, 3)"),
            ("src/ui/app.rs", "fn paint(colour: Color32) {} // #ff8800\nlet c = Color32::TRANSPARENT;"),
        ],
    },
    Rule {
        name: "printing only in cli/out.rs",
        find: printing,
        sinners: &[
            ("src/engine/tap.rs", "eprintln!(\"x\");"),
            ("src/cli/show.rs", "println!(\"x\");"),
            ("src/ui/app.rs", "dbg!(x);"),
        ],
        innocents: &[("src/cli/out.rs", "println!(\"x\");"), ("src/ui/app.rs", "// println!\nlet s = \"println!\";")],
    },
    Rule {
        name: "length",
        find: length,
        sinners: &[("src/wire/long.rs", LONG_SINNER)],
        innocents: &[("src/wire/short.rs", "//! Short.\n")],
    },
    Rule {
        name: "names",
        find: names,
        sinners: &[
            ("src/wire/utils.rs", ""),
            ("tests/it/helpers.rs", ""),
            ("src/common/mod.rs", ""),
            ("src/mcp/types.rs", ""),
        ],
        innocents: &[("src/wire/lines.rs", "")],
    },
];

/// More lines than [`LONGEST`].
const LONG_SINNER: &str = {
    const LINES: [u8; LONGEST + 1] = [b'\n'; LONGEST + 1];
    match std::str::from_utf8(&LINES) {
        Ok(text) => text,
        Err(_) => "",
    }
};

#[test]
fn each_rule_finds_its_sinners_and_the_code_has_none() {
    let files = sources();
    assert!(files.len() > 20, "the walk over src and tests finds the files");
    let mut sins = Vec::new();
    for rule in RULES {
        for (path, text) in rule.sinners {
            assert!(!(rule.find)(path, text).is_empty(), "{}: no longer finds the sinner {path}: {text}", rule.name);
        }
        for (path, text) in rule.innocents {
            assert_eq!((rule.find)(path, text), Vec::<String>::new(), "{}: condemns {path}: {text}", rule.name);
        }
        for (path, text) in files.iter().filter(|(path, _)| path != "tests/it/tidy.rs" || rule.name == "length") {
            sins.extend((rule.find)(path, text).into_iter().map(|sin| format!("{path}: {sin}")));
        }
    }
    assert!(sins.is_empty(), "against the house rules (tests/it/tidy.rs, ARCHITECTURE.md):\n{}", sins.join("\n"));
}

#[test]
fn the_list_of_long_files_holds_only_long_files() {
    for (path, reason) in LONG {
        let lines = read(path).lines().count();
        assert!(lines > LONGEST, "{path} has {lines} lines: take it off the list");
        assert!(reason.len() > 20, "{path}: say why it is long");
    }
}

#[test]
fn architecture_has_the_same_import_table() {
    let page = read("ARCHITECTURE.md");
    for (module, allowed) in IMPORTS {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{module}` |")));
        let row = row.unwrap_or_else(|| panic!("ARCHITECTURE.md has no import row for {module}"));
        let cell = row.split('|').nth(2).unwrap_or_default();
        let named: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
        assert_eq!(&named, allowed, "ARCHITECTURE.md and tests/it/tidy.rs differ about {module}");
    }
}

#[test]
fn every_dependency_is_used() {
    let manifest =
        "[dependencies]\n# why\nserde = \"1\"\nunused-crate = { version = \"1\", features = [\n    \"a\",\n] }\n";
    assert_eq!(
        unused(manifest, &["use serde::Serialize; // unused_crate::x"]),
        ["unused-crate"],
        "finds the planted one"
    );
    let files = sources();
    let texts: Vec<&str> = files.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(unused(&read("Cargo.toml"), &texts), Vec::<String>::new(), "in Cargo.toml, but named nowhere");
}

/// Dependencies of any section whose crate name occurs in no text's code.
fn unused(manifest: &str, texts: &[&str]) -> Vec<String> {
    let mut inside = false;
    let mut names = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.trim_end_matches(']').ends_with("dependencies");
        } else if inside && line.starts_with(|c: char| c.is_ascii_alphabetic()) {
            names.extend(line.split_once('=').map(|(name, _)| name.trim().to_owned()));
        }
    }
    let code: Vec<String> = texts.iter().map(|text| without_strings(text)).collect();
    names.retain(|name| {
        let used = Regex::new(&format!(r"\b{}(::|;| as )", name.replace('-', "_"))).expect("a crate name");
        !code.iter().any(|text| used.is_match(text))
    });
    names
}

fn imports(path: &str, text: &str) -> Vec<String> {
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

fn module_docs(_: &str, text: &str) -> Vec<String> {
    if text.starts_with("//! ") { Vec::new() } else { vec!["does not open with //! and what it is".to_owned()] }
}

fn libraries(path: &str, text: &str) -> Vec<String> {
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

fn clock(path: &str, text: &str) -> Vec<String> {
    let elsewhere = path.starts_with("src/") && module_of(path) != Some("engine");
    let code = without_strings(text);
    let clocks = ["SystemTime::now", "Instant::now", "Timestamp::now", "Zoned::now"];
    clocks
        .into_iter()
        .filter(|clock| elsewhere && product(&code).contains(clock))
        .map(|clock| format!("reads the clock ({clock}), which only engine may"))
        .collect()
}

fn colours(path: &str, text: &str) -> Vec<String> {
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

fn printing(path: &str, text: &str) -> Vec<String> {
    if !path.starts_with("src/") || path == "src/cli/out.rs" {
        return Vec::new();
    }
    let macros = Regex::new(r"\b(e?print(ln)?|dbg)!").expect("a pattern");
    let code = without_strings(text);
    macros.find_iter(product(&code)).map(|m| format!("{} outside cli/out.rs", m.as_str())).collect()
}

fn length(path: &str, text: &str) -> Vec<String> {
    let lines = text.lines().count();
    if lines <= LONGEST || LONG.iter().any(|(long, _)| *long == path) {
        return Vec::new();
    }
    vec![format!("{lines} lines; split it, or put it on the list with a reason")]
}

fn names(path: &str, _: &str) -> Vec<String> {
    let empty = ["utils", "util", "helpers", "helper", "types", "common", "misc"];
    let parts = path.trim_end_matches(".rs").split('/');
    parts.filter(|part| empty.contains(part)).map(|part| format!("{part} says nothing about what is in it")).collect()
}

/// The module that a file of src belongs to; `None` for main.rs, lib.rs and everything outside src.
fn module_of(path: &str) -> Option<&str> {
    let inside = path.strip_prefix("src/")?;
    let name = inside.split('/').next()?.trim_end_matches(".rs");
    if matches!(name, "main" | "lib") { None } else { Some(name) }
}

/// The code before the unit tests, which stand at the end of a file.
fn product(code: &str) -> &str {
    code.find("#[cfg(test)]\nmod tests").map_or(code, |end| &code[..end])
}

/// The text with comments blanked.
fn without_comments(text: &str) -> String {
    blank(text, false)
}

/// The text with comments and the insides of string literals blanked.
fn without_strings(text: &str) -> String {
    blank(text, true)
}

/// Takes out comments, and string literals when told to. Knows raw strings and tells a character
/// literal from a lifetime; block comments do not occur in this code.
fn blank(text: &str, strings: bool) -> String {
    let token = Regex::new(concat!(
        r#"(?s)(?<comment>//[^\n]*)"#,
        r##"|(?<string>\bb?r#+".*?"#+|\bb?r"[^"]*"|"(?:\\.|[^"\\])*")"##,
        r"|'(?:\\.[^']*|[^'\\\n])'",
    ));
    let token = token.expect("a pattern");
    let keep = |found: &regex::Captures<'_>| {
        if found.name("comment").is_some() {
            String::new()
        } else if strings && found.name("string").is_some() {
            "\"\"".to_owned()
        } else {
            found[0].to_owned()
        }
    };
    token.replace_all(text, keep).into_owned()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every Rust file of the package: its path from the root with forward slashes, and its text.
fn sources() -> Vec<(String, String)> {
    let mut folders: Vec<_> = ["src", "tests", "benches"].map(|name| root().join(name)).into();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for item in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = item.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                let name = path.strip_prefix(root()).expect("inside the package").to_string_lossy().replace('\\', "/");
                files.push((name.clone(), read(&name)));
            }
        }
    }
    files.sort();
    files
}
