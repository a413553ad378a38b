//! The package's Rust files, and their texts without what is not code.

use std::fs;
use std::path::Path;

use regex::Regex;

pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(super) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every Rust file of the package: its path from the root with forward slashes, and its text.
pub(super) fn sources() -> Vec<(String, String)> {
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

/// The module that a file of src belongs to; `None` for main.rs, lib.rs and everything outside src.
pub(super) fn module_of(path: &str) -> Option<&str> {
    let inside = path.strip_prefix("src/")?;
    let name = inside.split('/').next()?.trim_end_matches(".rs");
    if matches!(name, "main" | "lib") { None } else { Some(name) }
}

/// The code before the unit tests, which stand at the end of a file.
pub(super) fn product(code: &str) -> &str {
    let tests = Regex::new(r"#\[cfg\((test|all\(test\b[^\n]*)\)\]\n(#\[[^\n]*\n)*mod \w+ \{").expect("a pattern");
    tests.find(code).map_or(code, |tests| &code[..tests.start()])
}

/// The text with comments blanked.
pub(super) fn without_comments(text: &str) -> String {
    blank(text, false)
}

/// The text with comments and the insides of string literals blanked.
pub(super) fn without_strings(text: &str) -> String {
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
