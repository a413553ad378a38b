//! The entry of a server as one writes it into a host's file.

use super::{Host, Way};

/// The entry, with all that stands around it in the file, and where the host's own words for HTTP are used. JSON, or for
/// Codex TOML.
pub fn snippet(host: Host, name: &str, way: &Way) -> String {
    if host == Host::Codex {
        return codex(name, way);
    }
    let entry = members(host, way);
    let list: &[&str] = match host {
        Host::VsCode => &["servers"],
        Host::Zed => &["context_servers"],
        Host::Opencode => &["mcp"],
        _ => &["mcpServers"],
    };
    let mut text = String::new();
    let mut depth = 0;
    for key in list.iter().copied().chain([name]) {
        text.push_str(if depth == 0 { "{\n" } else { " {\n" });
        depth += 1;
        text.extend(["  ".repeat(depth), quoted(key), ":".to_owned()]);
    }
    text.push_str(" {\n");
    let inside = "  ".repeat(depth + 1);
    let lines: Vec<String> = entry.iter().map(|(key, value)| format!("{inside}{}: {value}", quoted(key))).collect();
    text.push_str(&lines.join(",\n"));
    for depth in (0..=depth).rev() {
        text.extend(["\n".to_owned(), "  ".repeat(depth), "}".to_owned()]);
    }
    text
}

/// Whether a host reaches servers on HTTP by its file; where not, they are presented to it on stdio.
pub const fn reaches_http(host: Host) -> bool {
    !matches!(host, Host::ClaudeDesktop)
}

/// The members of the entry, each as JSON text.
fn members(host: Host, way: &Way) -> Vec<(&'static str, String)> {
    match way {
        Way::Command { command, .. } if host == Host::Opencode => {
            vec![("type", quoted("local")), ("command", list(command)), ("enabled", "true".to_owned())]
        }
        Way::Command { command, .. } => {
            let kind = match host {
                Host::VsCode | Host::ClaudeCode | Host::CherryStudio => Some("stdio"),
                Host::Copilot => Some("local"),
                _ => None,
            };
            let (program, arguments) = command.split_first().map_or(("", &[][..]), |(first, rest)| (first, rest));
            let mut members: Vec<_> = kind.map(|kind| ("type", quoted(kind))).into_iter().collect();
            members.extend([("command", quoted(program)), ("args", list(arguments))]);
            if host == Host::Copilot {
                members.push(("tools", "[\"*\"]".to_owned()));
            }
            members
        }
        Way::Url { url, .. } => {
            let (kind, key) = match host {
                Host::VsCode | Host::ClaudeCode | Host::Copilot => (Some("http"), "url"),
                Host::Opencode => (Some("remote"), "url"),
                Host::CherryStudio => (Some("streamableHttp"), "baseUrl"),
                Host::Cline => (Some("streamableHttp"), "url"),
                Host::Roo | Host::Continue => (Some("streamable-http"), "url"),
                Host::Windsurf => (None, "serverUrl"),
                Host::Gemini => (None, "httpUrl"),
                _ => (None, "url"),
            };
            let mut members: Vec<_> = kind.map(|kind| ("type", quoted(kind))).into_iter().collect();
            members.push((key, quoted(url)));
            match host {
                Host::Opencode => members.push(("enabled", "true".to_owned())),
                Host::Copilot => members.push(("tools", "[\"*\"]".to_owned())),
                _ => {}
            }
            members
        }
    }
}

fn codex(name: &str, way: &Way) -> String {
    let is_bare =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let key = if is_bare { name.to_owned() } else { quoted(name) };
    let lines = match way {
        Way::Command { command, .. } => {
            let (program, arguments) = command.split_first().map_or(("", &[][..]), |(first, rest)| (first, rest));
            format!("command = {}\nargs = {}", quoted(program), list(arguments))
        }
        Way::Url { url, .. } => format!("url = {}", quoted(url)),
    };
    format!("[mcp_servers.{key}]\n{lines}")
}

fn list(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    format!("[{}]", words.join(", "))
}

/// A string of JSON, which is one of TOML too.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\0'..='\u{1f}' | '\u{7f}' => quoted.extend(format!("\\u{:04x}", character as u32).chars()),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::super::{Host, Surroundings, Way, read};
    use super::snippet;

    #[test]
    fn every_host_reads_its_entry_as_it_was_meant() {
        let command = ["/opt/mid wire", "serve", "C:\\mocks\\a \"b\".mock.toml", "--name", "n\u{7f}"];
        let command = command.map(str::to_owned).to_vec();
        let ways = [
            Way::Command { command, folder: None, set: Vec::new() },
            Way::Url { url: "http://127.0.0.1:4000/mcp".to_owned(), headers: Vec::new() },
        ];
        let variable = |_: &str| None;
        let around = Surroundings {
            variable: &variable,
            home: "/h",
            workspace: "/w",
            separator: '/',
            file: &|_| Err(String::new()),
        };
        for (host, _, title) in Host::ALL {
            for way in &ways {
                for name in ["mock", "a \"name\" with dots.and spaces"] {
                    let text = snippet(host, name, way);
                    let entries = read(host, &text, host == Host::Codex, "stem", &around);
                    let entries = entries.unwrap_or_else(|fault| panic!("{title}: {fault}\n{text}"));
                    let [entry] = &entries[..] else { panic!("{title}: {entries:?}\n{text}") };
                    assert_eq!((entry.name.as_str(), entry.way.as_ref()), (name, Some(way)), "{title}: {text}");
                    assert!(entry.faults.is_empty() && !entry.disabled, "{title}: {:?}\n{text}", entry.faults);
                }
            }
        }
    }
}
