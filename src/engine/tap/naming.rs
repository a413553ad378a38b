//! A short name for a server, from its command, for lists in which a person looks for it.

use std::path::Path;

/// Programs that run another one or a script, which then gives the name.
const RUNNERS: [&str; 23] = [
    "npx", "bunx", "pnpx", "uvx", "pipx", "uv", "node", "nodejs", "bun", "deno", "tsx", "ts-node", "python", "python3",
    "env", "npm", "pnpm", "yarn", "cmd", "docker", "podman", "java", "dotnet",
];

/// Words between a runner and what it runs.
const VERBS: [&str; 8] = ["run", "exec", "dlx", "tool", "x", "start", "-m", "-jar"];

/// Options of runners that take the next word as their value.
const VALUED: [&str; 9] =
    ["-p", "--package", "--from", "--with", "--directory", "--project", "--python", "--env-file", "--call"];

/// The same for what runs containers.
const VALUED_OF_CONTAINERS: [&str; 10] =
    ["-e", "--env", "-v", "--volume", "--mount", "--network", "--name", "-w", "-u", "--env-file"];

/// A name for the server that `command` runs, such as `server-everything` for
/// `npx -y @modelcontextprotocol/server-everything`.
pub fn of(command: &[String]) -> String {
    let name = subject(command).map(short).filter(|name| !name.is_empty());
    name.unwrap_or_else(|| command.first().map_or_else(|| "server".to_owned(), |program| short(program)))
}

/// The word that says what runs.
fn subject(command: &[String]) -> Option<&str> {
    let (program, rest) = command.split_first()?;
    if !is_runner(program) {
        return Some(program);
    }
    let is_container = matches!(&*short(program), "docker" | "podman");
    let valued: &[&str] = if is_container { &VALUED_OF_CONTAINERS } else { &VALUED };
    let mut words = rest.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if VERBS.contains(&word) || is_assignment(word) || is_runner(word) {
            continue;
        }
        if valued.contains(&word) {
            words.next();
        } else if !word.starts_with('-') && !word.starts_with('/') || Path::new(word).extension().is_some() {
            return Some(word);
        }
    }
    None
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

fn is_runner(word: &str) -> bool {
    let name = short(word);
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    RUNNERS.contains(&name.as_str()) || plain == "python" || plain == "node"
}

/// The last part of a path, package or image name, without version, tag or file ending.
fn short(word: &str) -> String {
    let part = word.rsplit(['/', '\\']).find(|part| !part.is_empty()).unwrap_or(word);
    let part = part.split_once('@').map_or(part, |(name, _)| if name.is_empty() { part } else { name });
    let part = part.split_once("==").map_or(part, |(name, _)| name);
    let part = part.split_once(':').map_or(part, |(name, _)| name);
    let stem = [".py", ".js", ".mjs", ".cjs", ".ts", ".jar", ".dll", ".exe", ".cmd", ".bat", ".sh"];
    let part = stem.iter().find_map(|end| part.strip_suffix(end)).unwrap_or(part);
    // A script that is called like every other takes the name of its folder.
    if ["index", "main", "server", "cli", "__main__", "app"].contains(&part)
        && let Some(folder) = word.rsplit(['/', '\\']).skip(1).find(|part| !is_plain_folder(part))
    {
        return folder.to_owned();
    }
    part.to_owned()
}

fn is_plain_folder(part: &str) -> bool {
    matches!(part, "" | "." | ".." | "dist" | "build" | "src" | "lib" | "bin" | "out" | "target" | "release" | "debug")
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn names_are_what_a_person_would_say() {
        let cases = [
            ("npx -y @modelcontextprotocol/server-everything", "server-everything"),
            ("npx -y @modelcontextprotocol/server-filesystem@1.2.3 /home", "server-filesystem"),
            ("uvx mcp-server-git --repository x", "mcp-server-git"),
            ("uv --directory /x run weather.py", "weather"),
            ("uv run --with mcp[cli] mcp run server.py", "mcp"),
            ("python3.12 -u /srv/tools/notes.py", "notes"),
            ("python -m mcp_server_time", "mcp_server_time"),
            ("node /opt/github/dist/index.js", "github"),
            ("env A=1 B=2 node build/index.js", "index"),
            ("docker run -i --rm -e TOKEN ghcr.io/github/github-mcp-server:latest stdio", "github-mcp-server"),
            ("/usr/local/bin/my-server --port 3", "my-server"),
            ("C:\\tools\\srv.exe", "srv"),
            ("node", "node"),
            ("./server", "server"),
        ];
        for (command, expected) in cases {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            assert_eq!(of(&words), expected, "{command}");
        }
    }
}
