//! `midwire help`: what each subcommand does, and topics that are none: the filter language, how hosts
//! are set up, servers on HTTP, the client, exit codes. The lists of words come from the filter language itself.

use std::fmt::Write as _;

use clap::{Args, CommandFactory as _};

use super::failure::Failure;
use super::out::{Color, Page};
use crate::filter::{Is, Word};

/// What stands below `midwire --help`.
pub(super) const OVERVIEW: &str = "\
Put `midwire tap --` in front of a server's command in your host's configuration:
  \"command\": \"midwire\", \"args\": [\"tap\", \"--\", \"npx\", \"-y\", \"some-mcp-server\"]
For a server on HTTP: midwire tap --url URL, or midwire tap --forward -- HOST-COMMAND.
Then use the host as always, and look at what went over the wire:
  midwire                      the window, live
  midwire list                 the recordings
  midwire show last is:error   what went wrong

Try a server by hand:
  midwire tools -- npx -y some-mcp-server
  midwire call https://example.com/mcp search query=rust
  midwire doctor https://example.com/mcp

Topics: midwire help filter, and likewise client, frames, hosts, http,
exit-codes
Exit codes: 0 fine, 1 the server says no, 2 could not do it; a tap exits as its server did.";

/// The topics that are no subcommands.
const TOPICS: [&str; 6] = ["client", "filter", "frames", "hosts", "http", "exit-codes"];

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

const HTTP: &str = "\
Three ways to stand between a client and a server on HTTP. All pass everything on as it comes, both ways at
once, and record it; what is below the server's origin goes through, the MCP endpoint or not.

In the server's place
  midwire tap --url https://api.example.com/mcp --listen 127.0.0.1:4000
  Point the client at the URL that midwire prints: http://127.0.0.1:4000/mcp. Redirects to the server and
  the endpoint of HTTP+SSE lead through midwire; redirects elsewhere are left and noted.

As a proxy, with the real URLs
  midwire tap --forward -- claude
  Starts the client with HTTP_PROXY, HTTPS_PROXY (both cases), NO_PROXY empty and NODE_USE_ENV_PROXY=1.
  Plain HTTP is recorded. https is passed on untouched, unless its host is named:
  midwire tap --forward --only api.example.com -- claude
  decrypts that host with a certificate of midwire's own authority, which the client is told to trust by
  NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, REQUESTS_CA_BUNDLE and CURL_CA_BUNDLE. The authority's key stays in a
  folder that only you can read; midwire installs it nowhere.

On stdio, for a host that speaks nothing else
  midwire tap --stdio --url https://api.example.com/mcp
  The host starts this as its server, as `midwire help hosts` shows. Each of its lines is one request, each
  message of the server one line, in both eras and on HTTP+SSE. What gets no answer in JSON-RPC is answered
  with an error -32010 of midwire's: what happened, what to do, status and start of the body. A session that
  the server has forgotten is begun again once, and the request repeated.

OAuth
  A server that answers 401 names itself in its metadata as the protected resource. A client that was
  pointed at midwire finds that this is not whom it asked, and must stop. So use --forward, where URLs stay
  the real ones, or let midwire bring a token: --bearer-env TOKEN_VARIABLE, or --header 'Name: value'. What
  midwire adds is sent to that server only and is not recorded.

TLS with the server
  The system's authorities are trusted. --ca FILE adds some, --client-cert and --client-key show one of
  yours, --accept-cert FINGERPRINT takes one certificate as it is. HTTPS_PROXY, HTTP_PROXY and NO_PROXY of
  midwire's own environment are used on the way to the server.

Who may come
  Only this machine, and of web pages only those of this machine: Host and Origin are checked. --allow-origin
  lets others in; --allow-remote lets it listen where others can reach it, and with it the server.

It ends with Ctrl-C, or with the client behind --.";

const CLIENT: &str = "\
midwire as a client: call, tools, resources, prompts, discover, ping, listen, doctor. Each makes a recording, as a
tap does, and says on stderr where it lies.

The server
  behind --               midwire tools -- npx -y some-server       a command, which no shell reads
  a URL                   midwire tools https://example.com/mcp     Streamable HTTP, or the older HTTP+SSE
  a name                  midwire tools everything                  from the files of the hosts on this machine
  --config FILE names another file, --host HOST looks only in those of one host. A command from a file is
  shown whole and run only when you agree, or with --yes.

The era
  Without more words server/discover is asked first, and initialize when that is not understood. --era legacy
  begins with initialize, --era modern is 2026-07-28 or nothing, --revision DATE is that one or nothing.
  --client-info, --capabilities and --imitate RECORDING say who we are.

The result
  goes to stdout as the server sent it, byte for byte. With --envelope it is one object: outcome, exit, took_ms,
  id, era, revision, rounds, progress, recording, and result, error or why. All else goes to stderr.

What the server asks back
  On a terminal you are asked: a form line by line, a page to be opened, an answer of a model. Elsewhere it is
  declined. --answer elicitation=made answers with values that fit, --answer 'sampling={…}' with this result,
  --answer roots=decline refuses; --roots DIR names a folder. --rounds limits the rounds of one call.

Time
  --timeout counts from the last sign of life, progress included (unless --no-progress-reset), --max-time from
  the request. When either is over, or at Ctrl-C, the request is cancelled; a second Ctrl-C waits for nobody.

Tokens
  --bearer-env VARIABLE and --bearer-keychain NAME send a token, --header 'Name: ${VARIABLE}' anything. What is
  filled in is never recorded.";

/// Ends of commands in numbers.
fn exit() -> String {
    format!(
        "\
call, tools, resources, prompts, discover, ping, listen and doctor exit with

{}
All others exit with
0    fine; also when whoever read the output has gone, as in `midwire show | head`
1    findings or differences
2    could not do it, or did not understand what was asked; stderr says why and what to do

midwire tap exits as its server did: with its code, or by the signal that ended it (a shell says
128 and its number). With --forward it exits as the client did; a tap that stands for a server on HTTP
exits with 0 when it is stopped, and with --stdio when the host has ended it. It exits with
126 when the command cannot be run, 127 when it is not found, as a shell does.",
        super::client::table()
    )
}

/// The words of `midwire help`.
#[derive(Debug, Args)]
pub(super) struct Help {
    /// A subcommand, or one of: client, filter, frames, hosts, http, exit-codes
    #[arg(value_name = "TOPIC")]
    topic: Option<String>,
}

impl Help {
    pub(super) fn run(self) -> Result<(), Failure> {
        let text = match self.topic.as_deref() {
            None => rendered(&["midwire", "--help"]),
            Some("filter") => filter(),
            Some("hosts") => HOSTS.to_owned(),
            Some("http") => HTTP.to_owned(),
            Some("client") => CLIENT.to_owned(),
            Some("frames") => super::client::frames(),
            Some("exit-codes" | "exit") => exit(),
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
