//! The house rules that a compiler does not check: who may import whom, where a library may be named,
//! what a file must look like. Each rule is a function over a path and a text, and each is tried on
//! planted sinners first, so that a rule which can no longer find anything fails instead of passing.

mod rules;
mod source;

use regex::Regex;

use rules::{IMPORTS, LONG, LONGEST, clock, colours, imports, length, libraries, module_docs, names, printing};
use source::{read, sources, without_strings};

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
            ("src/engine/tap/mod.rs", "use crate::{store::Writer, wire::{Lines, Piece}};"),
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
            ("src/cli/show.rs", "#[cfg(test)]\nmod tests;\n\nfn f() { Instant::now() }"),
        ],
        innocents: &[
            ("src/engine/clock.rs", "SystemTime::now()"),
            ("src/wire/lines.rs", "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    let t = Instant::now();\n}\n"),
            ("src/wire/lines.rs", "#[cfg(all(test, unix))]\nmod tests {\n    let t = Instant::now();\n}\n"),
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
            ("src/engine/tap/mod.rs", "eprintln!(\"x\");"),
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
        for (path, text) in files.iter().filter(|(path, _)| !path.starts_with("tests/it/tidy") || rule.name == "length")
        {
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
    // The page has another table by module.
    let (_, section) = page.split_once("\n## Who may import whom\n").expect("the section with the import table");
    for (module, allowed) in IMPORTS {
        let row = section.lines().find(|line| line.starts_with(&format!("| `{module}` |")));
        let row = row.unwrap_or_else(|| panic!("ARCHITECTURE.md has no import row for {module}"));
        let cell = row.split('|').nth(2).unwrap_or_default();
        let named: Vec<&str> = cell.split('`').skip(1).step_by(2).collect();
        assert_eq!(&named, allowed, "ARCHITECTURE.md and tests/it/tidy.rs differ about {module}");
    }
}

#[test]
fn every_dependency_is_used() {
    let manifest = "[dependencies]\n# why\nserde = \"1\"\nunused-crate = { version = \"1\", features = [\n    \"a\",\n] }\n\
        only-tested = \"1\"\n[dev-dependencies]\ninsta = \"1\"\n";
    let planted = [
        ("src/a.rs".to_owned(), "use serde::Serialize; // unused_crate::x".to_owned()),
        ("tests/it/b.rs".to_owned(), "insta::assert_snapshot!(only_tested::x())".to_owned()),
    ];
    assert_eq!(unused(manifest, &planted), ["unused-crate", "only-tested"], "finds the planted ones");
    let found = unused(&read("Cargo.toml"), &sources());
    assert_eq!(found, Vec::<String>::new(), "in Cargo.toml, but not named where they are for");
}

/// Dependencies whose crate name occurs in no code that they are for: those of the product in src, those
/// for tests anywhere.
fn unused(manifest: &str, files: &[(String, String)]) -> Vec<String> {
    let mut section = "";
    let mut names = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        } else if section.ends_with("dependencies]") && line.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let name = line.split_once('=').map(|(name, _)| name.trim().to_owned());
            names.extend(name.map(|name| (name, if section.contains("dev-") { "" } else { "src/" })));
        }
    }
    let code: Vec<(&str, String)> = files.iter().map(|(path, text)| (path.as_str(), without_strings(text))).collect();
    names.retain(|(name, place)| {
        let used = Regex::new(&format!(r"\b{}(::|;| as )", name.replace('-', "_"))).expect("a crate name");
        !code.iter().any(|(path, text)| path.starts_with(place) && used.is_match(text))
    });
    names.into_iter().map(|(name, _)| name).collect()
}
