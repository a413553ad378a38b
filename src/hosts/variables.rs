//! What hosts put in the place of `${env:NAME}` and the like in a server's entry.

use super::Host;

/// What the variables of a file stand for. Only what a file names is asked for.
pub struct Surroundings<'a> {
    /// A variable of our environment.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// The user's home folder.
    pub home: &'a str,
    /// The folder of the project.
    pub workspace: &'a str,
    /// What stands between the folders of a path.
    pub separator: char,
    /// The text of a file that an entry names, which may lie in the project; an error says why it cannot be read.
    pub file: &'a dyn Fn(&str) -> Result<String, String>,
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// As it is.
    Text(String),
    /// A variable of the environment: how it is written, its name, and what stands for it when there is none.
    Variable(String, String, Option<String>),
    /// Something that only the host knows, as it is written.
    Unknown(String),
}

/// How a host writes variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// It knows none.
    Plain,
    /// `${env:NAME}`, `${workspaceFolder}`, `${input:NAME}`.
    Editor,
    /// `${NAME}` and `${NAME:-default}`.
    Shell,
    /// The same, and `$NAME`.
    Dollar,
    /// `{env:NAME}`, `{file:PATH}`.
    Braces,
    /// Whatever has one of the forms with `${`.
    Any,
}

impl Manner {
    const fn of(host: Host) -> Self {
        match host {
            Host::ClaudeDesktop | Host::Codex | Host::Zed | Host::CherryStudio | Host::LmStudio => Self::Plain,
            Host::Cursor | Host::VsCode | Host::Windsurf | Host::Cline | Host::Roo => Self::Editor,
            Host::ClaudeCode | Host::Kiro | Host::Continue => Self::Shell,
            Host::Gemini | Host::Copilot => Self::Dollar,
            Host::Opencode => Self::Braces,
            Host::Other => Self::Any,
        }
    }
}

/// The parts of a text, as this host reads it.
pub(super) fn parts(host: Host, text: &str, around: &Surroundings<'_>) -> Vec<Part> {
    let manner = Manner::of(host);
    let opener = match manner {
        Manner::Plain => return vec![Part::Text(text.to_owned())],
        Manner::Braces => "{",
        _ => "${",
    };
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some(open) = rest.find(opener) {
        let inside = &rest[open + opener.len()..];
        let Some(close) = inside.find('}') else { break };
        plain(&mut parts, &rest[..open], manner);
        let written = &rest[open..=open + opener.len() + close];
        parts.push(reference(manner, &inside[..close], written, around));
        rest = &inside[close + 1..];
        // `${{ secrets.NAME }}` ends with two.
        if inside.starts_with('{') && rest.starts_with('}') {
            rest = &rest[1..];
        }
    }
    plain(&mut parts, rest, manner);
    parts
}

/// Text without braces, in which some hosts know `$NAME`.
fn plain(parts: &mut Vec<Part>, text: &str, manner: Manner) {
    let mut rest = text;
    while manner == Manner::Dollar
        && let Some(at) = rest.find('$')
    {
        let name: String = rest[at + 1..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let end = at + 1 + name.len();
        if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            parts.push(Part::Text(rest[..at].to_owned()));
            parts.push(Part::Variable(format!("${name}"), name, None));
        } else {
            parts.push(Part::Text(rest[..end].to_owned()));
        }
        rest = &rest[end..];
    }
    parts.push(Part::Text(rest.to_owned()));
}

fn reference(manner: Manner, inside: &str, written: &str, around: &Surroundings<'_>) -> Part {
    let unknown = || Part::Unknown(written.to_owned());
    let variable = |name: &str, default: Option<&str>| {
        Part::Variable(written.to_owned(), name.to_owned(), default.map(ToOwned::to_owned))
    };
    if let Some(secret) = inside.strip_prefix('{') {
        return Part::Unknown(format!("${{{{{secret}}}}}"));
    }
    if let Some(name) = inside.strip_prefix("env:") {
        let shell = matches!(manner, Manner::Shell | Manner::Dollar);
        let (name, default) = name.split_once(":-").map_or((name, None), |(name, default)| (name, Some(default)));
        return if shell { unknown() } else { variable(name, default) };
    }
    if manner == Manner::Braces {
        return if inside.starts_with("file:") { unknown() } else { Part::Text(written.to_owned()) };
    }
    if matches!(manner, Manner::Editor | Manner::Any)
        && let Some(text) = place(inside, around)
    {
        return Part::Text(text);
    }
    let (name, default) = inside.split_once(":-").map_or((inside, None), |(name, default)| (name, Some(default)));
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_name && manner != Manner::Editor { variable(name, default) } else { unknown() }
}

/// The folders and signs that editors know.
fn place(inside: &str, around: &Surroundings<'_>) -> Option<String> {
    let last = || around.workspace.rsplit(['/', '\\']).next().unwrap_or_default();
    Some(match inside {
        "workspaceFolder" | "workspaceRoot" | "cwd" => around.workspace.to_owned(),
        "workspaceFolderBasename" => last().to_owned(),
        "userHome" => around.home.to_owned(),
        "pathSeparator" | "/" => around.separator.to_string(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::Host;
    use super::{Part, Surroundings, parts};

    fn read(host: Host, text: &str) -> String {
        let around = Surroundings {
            variable: &|_| None,
            home: "/h",
            workspace: "/w/proj",
            separator: '/',
            file: &|_| Err("none".to_owned()),
        };
        let parts = parts(host, text, &around).into_iter().filter(|part| *part != Part::Text(String::new()));
        let shown = parts.map(|part| match part {
            Part::Text(text) => text,
            Part::Variable(_, name, None) => format!("<{name}>"),
            Part::Variable(_, name, Some(default)) => format!("<{name} or {default}>"),
            Part::Unknown(written) => format!("?{written}?"),
        });
        shown.collect()
    }

    #[test]
    fn each_host_writes_variables_in_its_way() {
        let cases = [
            (Host::VsCode, "a${env:X}b${workspaceFolder}${/}c", "a<X>b/w/proj/c"),
            (Host::VsCode, "${input:key}", "?${input:key}?"),
            (Host::VsCode, "${X}", "?${X}?"),
            (Host::Cursor, "${userHome}/${workspaceFolderBasename}", "/h/proj"),
            (Host::ClaudeCode, "${X}/${Y:-z}", "<X>/<Y or z>"),
            (Host::ClaudeCode, "$X", "$X"),
            (Host::Gemini, "$X-$ 5$$Y_1", "<X>-$ 5$<Y_1>"),
            (Host::Opencode, "Bearer {env:X} {file:~/k} {other}", "Bearer <X> ?{file:~/k}? {other}"),
            (Host::ClaudeDesktop, "${X}", "${X}"),
            (Host::Continue, "${{ secrets.X }}!", "?${{ secrets.X }}?!"),
            (Host::Other, "${env:A:-b}${C}${command:x}${", "<A or b><C>?${command:x}?${"),
        ];
        for (host, text, expected) in cases {
            assert_eq!(read(host, text), expected, "{host:?} {text}");
        }
    }
}
