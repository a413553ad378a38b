//! A command that already stands behind midwire: what the server's own is.

use super::entry::Way;

/// What a command of `midwire tap` stands in front of; `None` when it is none.
pub(super) fn unwrapped(command: &[String], folder: Option<&String>, set: &[(String, String)]) -> Option<Way> {
    let [program, tap, words @ ..] = command else { return None };
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.strip_suffix(".exe").unwrap_or(name);
    if name != "midwire" || tap != "tap" {
        return None;
    }
    if let Some(at) = words.iter().position(|word| word == "--") {
        let command = words[at + 1..].to_vec();
        let (folder, set) = (folder.cloned(), set.to_vec());
        return (!command.is_empty()).then_some(Way::Command { command, folder, set });
    }
    remote(words)
}

/// `midwire tap --stdio --url URL`: the server that the bridge leads to.
fn remote(words: &[String]) -> Option<Way> {
    let (mut url, mut headers) = (None, Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let (option, value) = word.split_once('=').map_or((word.as_str(), None), |(name, value)| (name, Some(value)));
        if !matches!(option, "--url" | "--header" | "--bearer-env") {
            continue;
        }
        let value = value.map(ToOwned::to_owned).or_else(|| words.next().cloned())?;
        match option {
            "--url" => url = Some(value),
            "--bearer-env" => headers.push(("Authorization".to_owned(), format!("Bearer ${{{value}}}"))),
            _ => headers.extend(value.split_once(':').map(|(name, text)| (name.to_owned(), text.trim().to_owned()))),
        }
    }
    url.map(|url| Way::Url { url, headers })
}

#[cfg(test)]
mod tests {
    use super::{Way, unwrapped};

    fn read(line: &str) -> Option<Way> {
        let words: Vec<String> = line.split_whitespace().map(ToOwned::to_owned).collect();
        unwrapped(&words, None, &[])
    }

    #[test]
    fn the_servers_own_command_stands_behind_the_dashes() {
        let Some(Way::Command { command, .. }) = read("/usr/bin/midwire tap --name x -- npx -y s -- z") else {
            panic!("a command")
        };
        assert_eq!(command, ["npx", "-y", "s", "--", "z"]);
        assert!(matches!(read("C:\\m\\midwire.exe tap -- s"), Some(Way::Command { .. })));
        for other in ["npx -y s", "midwire list", "midwire tap --", "notmidwire tap -- s", "midwire tap --name x"] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn a_bridge_leads_to_its_url() {
        let found = read("midwire tap --stdio --url https://x/mcp --header A:b --bearer-env T --name=n");
        let headers = vec![("A".to_owned(), "b".to_owned()), ("Authorization".to_owned(), "Bearer ${T}".to_owned())];
        assert_eq!(found, Some(Way::Url { url: "https://x/mcp".to_owned(), headers }));
    }
}
