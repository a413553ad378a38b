//! `midwire serve … --snippet HOST`: the entry for a host's file that starts this server, or points at it.

use super::Serve;
use crate::cli::failure::Failure;
use crate::cli::find;
use crate::cli::out::{self, Color, Page};
use crate::hosts::{Host, Way, reaches_http, snippet};

impl Serve {
    /// Prints the entry.
    pub(super) fn print(&self) -> Result<(), Failure> {
        let word = self.snippet.as_deref().unwrap_or_default();
        let host = Host::of_word(word).ok_or_else(|| {
            let words = Host::ALL.iter().map(|(_, word, _)| *word).collect::<Vec<_>>().join(", ");
            Failure::said(format!("--snippet takes one of {words}; {word:?} is none of them"))
        })?;
        let name = self.name.clone().unwrap_or_else(|| self.called());
        let way = self.way(host)?;
        let mut page = Page::new(Color::Never);
        page.line(&snippet(host, &name, &way))?;
        page.flush()?;
        Ok(())
    }

    /// What the host is to call it: the file without its endings.
    fn called(&self) -> String {
        let file = self.sources.first().map(std::path::Path::new).and_then(|path| path.file_name());
        let file = file.map_or_else(|| "midwire".to_owned(), |file| file.to_string_lossy().into_owned());
        let stem = file.split('.').next().unwrap_or_default();
        if stem.is_empty() { "midwire".to_owned() } else { stem.to_owned() }
    }

    /// How the host reaches it: by a URL with `--http`, else by our own command.
    fn way(&self, host: Host) -> Result<Way, Failure> {
        if let Some(listen) = &self.http {
            if listen.ends_with(":0") {
                let why = "--http with port 0 is another address each time, and a host's file needs one that stays: \
                           give a port";
                return Err(Failure::said(why));
            }
            let url = format!("http://{listen}{}", self.place.path.as_deref().unwrap_or("/mcp"));
            if reaches_http(host) {
                return Ok(Way::Url { url, headers: Vec::new() });
            }
            out::problem(&format!(
                "{} starts servers by a command; midwire presents the URL to it on stdio",
                host.title()
            ));
            let command = vec![ours()?, "tap".into(), "--stdio".into(), "--url".into(), url];
            return Ok(Way::Command { command, folder: None, set: Vec::new() });
        }
        Ok(Way::Command { command: self.command_line()?, folder: None, set: Vec::new() })
    }

    /// The words that were typed, with every path whole: a host starts it in a folder of its own, without our
    /// environment.
    fn command_line(&self) -> Result<Vec<String>, Failure> {
        let folder = find::folder(self.recordings.as_deref())?;
        let mut line = vec![ours()?];
        let mut words = std::env::args().skip(1).peekable();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--" => {
                    line.push(word);
                    line.extend(words.by_ref());
                }
                "--snippet" | "--recordings" => drop(words.next()),
                _ if word.starts_with("--snippet=") || word.starts_with("--recordings=") => {}
                _ if self.sources.contains(&word) => line.push(whole(&word, &folder)?),
                _ => line.push(word),
            }
        }
        let end = line.iter().position(|word| word == "--").unwrap_or(line.len());
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        line.splice(end..end, ["--recordings".to_owned(), folder.to_string_lossy().into_owned()]);
        Ok(line)
    }
}

/// The whole path of a source.
fn whole(word: &str, folder: &std::path::Path) -> Result<String, Failure> {
    let path = std::path::Path::new(word);
    let path = if path.extension().is_some_and(|end| end == "toml") {
        path.to_owned()
    } else {
        find::recording(folder, Some(word))?
    };
    Ok(std::path::absolute(&path).unwrap_or(path).to_string_lossy().into_owned())
}

/// Our own program, whole.
fn ours() -> Result<String, Failure> {
    let path = std::env::current_exe()
        .map_err(|error| Failure::said(format!("failed to find out where midwire itself lies: {error}")))?;
    Ok(path.to_string_lossy().into_owned())
}
