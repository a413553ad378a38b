//! `midwire help`: what each subcommand does, and topics that are none: the filter language, how hosts
//! are set up, exit codes. The lists of words come from the filter language itself.

use std::fmt::Write as _;

use clap::{Args, CommandFactory as _};

use super::failure::Failure;
use super::out::{Color, Page};
use crate::filter::{Is, Word};

/// What stands below `midwire --help`.
pub(super) const OVERVIEW: &str = "\
Put `midwire tap --` in front of a server's command in your host's configuration:
  \"command\": \"midwire\", \"args\": [\"tap\", \"--\", \"npx\", \"-y\", \"some-mcp-server\"]
Then use the host as always, and look at what went over the wire:
  midwire                      the window, live
  midwire list                 the recordings
  midwire show last is:error   what went wrong

Topics: midwire help filter, midwire help hosts, midwire help exit
Exit codes: 0 fine, 2 could not do it; a tap exits as its server did.";

/// The topics that are no subcommands.
const TOPICS: [&str; 3] = ["filter", "hosts", "exit"];

const HOSTS: &str = "\
A host starts a server by a command. Let it start midwire, and midwire the server:

  before  npx -y @modelcontextprotocol/server-everything
  after   midwire tap --name everything -- npx -y @modelcontextprotocol/server-everything

Everything after -- is the server's command, untouched. Give midwire's full path if the host does not
find it (`command -v midwire`). Settings go before --, since hosts often strip the environment.

Claude Code
  claude mcp add everything -- midwire tap --name everything -- npx -y some-server

Claude Desktop (claude_desktop_config.json), Cursor (.cursor/mcp.json), Gemini CLI (settings.json)
  { \"mcpServers\": { \"everything\": {
      \"command\": \"midwire\",
      \"args\": [\"tap\", \"--name\", \"everything\", \"--\", \"npx\", \"-y\", \"some-server\"] } } }

VS Code (.vscode/mcp.json)
  { \"servers\": { \"everything\": {
      \"type\": \"stdio\", \"command\": \"midwire\",
      \"args\": [\"tap\", \"--name\", \"everything\", \"--\", \"npx\", \"-y\", \"some-server\"] } } }

Codex (~/.codex/config.toml)
  [mcp_servers.everything]
  command = \"midwire\"
  args = [\"tap\", \"--name\", \"everything\", \"--\", \"npx\", \"-y\", \"some-server\"]";

const EXIT: &str = "\
0    fine; also when whoever read the output has gone, as in `midwire show | head`
1    findings or differences (no command of this version reports any)
2    could not do it, or did not understand what was asked; stderr says why and what to do

midwire tap exits as its server did: with its code, or by the signal that ended it (a shell says
128 and its number). It exits with
126 when the command cannot be run, 127 when it is not found, as a shell does.";

/// The words of `midwire help`.
#[derive(Debug, Args)]
pub(super) struct Help {
    /// A subcommand, or one of: filter, hosts, exit
    #[arg(value_name = "TOPIC")]
    topic: Option<String>,
}

impl Help {
    pub(super) fn run(self) -> Result<(), Failure> {
        let text = match self.topic.as_deref() {
            None => rendered(&["midwire", "--help"]),
            Some("filter") => filter(),
            Some("hosts") => HOSTS.to_owned(),
            Some("exit") => EXIT.to_owned(),
            Some(topic) => subcommand(topic)?,
        };
        let mut page = Page::new(Color::Never);
        page.line(text.trim_end())?;
        page.flush()?;
        Ok(())
    }
}

fn subcommand(topic: &str) -> Result<String, Failure> {
    let command = super::Cli::command();
    let names: Vec<&str> =
        command.get_subcommands().filter(|one| !one.is_hide_set()).map(clap::Command::get_name).collect();
    let names = names.iter().chain(&TOPICS).copied().collect::<Vec<&str>>().join(", ");
    if command.find_subcommand(topic).is_none_or(clap::Command::is_hide_set) {
        return Err(Failure::said(format!("there is no help on {topic}; there is on {names}")));
    }
    Ok(rendered(&["midwire", topic, "--help"]))
}

/// What these words print: clap gives help as an error that is none.
fn rendered(words: &[&str]) -> String {
    super::Cli::command().try_get_matches_from(words).err().map(|help| help.render().to_string()).unwrap_or_default()
}

/// The filter language on one page.
pub(super) fn filter() -> String {
    let mut page = String::from(
        "\
The filter language is the same in `midwire show` and in the window. Words stand beside each other when
all must hold; or, not and parentheses do what they say.

  method:tools/call latency>200ms          both must hold
  is:error or is:pending                   either
  not from:server                          negation
  (is:late or is:cancelled) size>1MB       grouping
  tool:search_*   method:/^tools/          wildcards and regular expressions for names
  timeout  \"two words\"  /time(d )?out/i    text anywhere in the bytes of a message

On a command line, quote what the shell would take for itself: 'latency>200ms' '\"two words\"'.

Words before a colon, or before < <= = != >= >:
",
    );
    for (_, name, example, says) in Word::ALL {
        // Writing to a String cannot fail.
        let _ = writeln!(page, "  {name:<10} {example:<22} {says}");
    }
    page.push_str("\nWhat a row is and how it stands:\n");
    for (_, word, says) in Is::ALL {
        let _ = writeln!(page, "  is:{word:<14} {says}");
    }
    page
}

#[cfg(test)]
mod tests {
    use super::filter;
    use crate::filter::Filter;

    #[test]
    fn every_example_of_the_page_is_a_filter() {
        let page = filter();
        let examples = page.lines().filter(|line| line.starts_with("  "));
        let mut count = 0;
        for line in examples {
            for example in line.trim().split("  ").map(str::trim).filter(|part| part.contains([':', '>'])) {
                let example = example.split(" as ").next().unwrap_or(example);
                if example.contains(';') {
                    continue;
                }
                count += usize::from(Filter::parse(example).is_ok());
            }
        }
        assert!(count > 30, "only {count} of the examples can be read:\n{page}");
    }
}
