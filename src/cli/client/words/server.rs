//! The words that say how a server is reached.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::cli::failure::Failure;
use crate::engine::client::{Base, Environment, Way};
use crate::engine::proxy::{Trust, read_fingerprint};

/// How the server is reached.
#[derive(Debug, Args)]
#[command(next_help_heading = "Server")]
pub(in crate::cli) struct Server {
    /// A host's file to find the server's name in, instead of all that are known
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli::client) config: Option<PathBuf>,
    /// Find the server's name only in the files of this host, such as claude-code or cursor
    #[arg(long, value_name = "HOST")]
    pub(in crate::cli::client) host: Option<String>,
    /// Run the command of a host's file without asking
    #[arg(long)]
    pub(in crate::cli::client) yes: bool,
    /// Variable for the server's environment (repeatable); `${NAME}` stands for one of ours
    #[arg(long, value_name = "NAME=VALUE")]
    env: Vec<String>,
    /// What the server's environment begins with: inherit, sdk (what SDK clients pass on), none, or only:A,B
    #[arg(long, value_name = "BASE")]
    env_base: Option<String>,
    /// Folder to run the server in
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Seconds that a server on stdio has to exit by itself at the end
    #[arg(long, value_name = "SECONDS", default_value_t = 3.0)]
    grace: f64,
    /// Field for each HTTP request (repeatable), recorded without its value; `${NAME}` and `${keychain:NAME}` are
    /// filled in
    #[arg(long, value_name = "NAME: VALUE")]
    header: Vec<String>,
    /// Variable that holds a token, sent as Authorization: Bearer
    #[arg(long, value_name = "VARIABLE")]
    bearer_env: Option<String>,
    /// Name of a secret in the system's keychain, sent as Authorization: Bearer
    #[arg(long, value_name = "NAME")]
    bearer_keychain: Option<String>,
    /// Trust the authorities in this file too (PEM, repeatable)
    #[arg(long, value_name = "FILE")]
    ca: Vec<PathBuf>,
    /// Certificate to show to the server (PEM)
    #[arg(long, value_name = "FILE", requires = "client_key")]
    client_cert: Option<PathBuf>,
    /// Key of --client-cert (PEM)
    #[arg(long, value_name = "FILE", requires = "client_cert")]
    client_key: Option<PathBuf>,
    /// Accept the server's certificate with this SHA-256 fingerprint, whatever is wrong with it
    #[arg(long, value_name = "SHA256")]
    accept_cert: Option<String>,
}

impl Server {
    /// The way to a command that was typed.
    pub(in crate::cli) fn command(&self, command: Vec<String>) -> Result<Way, Failure> {
        let mut way = Way::Command { command, folder: None, environment: Environment::default() };
        self.adapt(&mut way)?;
        Ok(way)
    }

    /// The way to a URL that was typed.
    pub(in crate::cli) fn url(&self, url: &str) -> Result<Way, Failure> {
        let mut way = Way::Url { url: url.to_owned(), headers: Vec::new(), trust: Trust::default() };
        self.adapt(&mut way)?;
        Ok(way)
    }

    /// What was typed goes on top of what a host's file says.
    pub(in crate::cli::client) fn adapt(&self, way: &mut Way) -> Result<(), Failure> {
        match way {
            Way::Command { folder, environment, .. } => {
                if let Some(word) = self.only_http() {
                    return Err(Failure::said(format!(
                        "{word} is about HTTP, and this server is a command: leave it out"
                    )));
                }
                if self.cwd.is_some() {
                    folder.clone_from(&self.cwd);
                }
                environment.set.extend(self.variables()?);
                if let Some(base) = &self.env_base {
                    environment.base = base_of(base)?;
                }
            }
            Way::Url { headers, trust, .. } => {
                if let Some(word) = self.only_stdio() {
                    return Err(Failure::said(format!(
                        "{word} is about a command, and this server is a URL: leave it out"
                    )));
                }
                let typed = self.headers()?;
                headers.retain(|(name, _)| !typed.iter().any(|(typed, _)| typed.eq_ignore_ascii_case(name)));
                headers.extend(typed);
                *trust = self.trust()?;
            }
        }
        Ok(())
    }

    /// How long a server may take to exit.
    pub(in crate::cli::client) fn grace(&self) -> Result<Duration, Failure> {
        let fault = || Failure::said("--grace takes a number of seconds, such as 5 or 0.5");
        Duration::try_from_secs_f64(self.grace).map_err(|_| fault())
    }

    fn only_http(&self) -> Option<&'static str> {
        let words = [
            ("--header", !self.header.is_empty()),
            ("--bearer-env", self.bearer_env.is_some()),
            ("--bearer-keychain", self.bearer_keychain.is_some()),
            ("--ca", !self.ca.is_empty()),
            ("--client-cert", self.client_cert.is_some()),
            ("--accept-cert", self.accept_cert.is_some()),
        ];
        words.into_iter().find(|(_, given)| *given).map(|(word, _)| word)
    }

    fn only_stdio(&self) -> Option<&'static str> {
        let words =
            [("--env", !self.env.is_empty()), ("--env-base", self.env_base.is_some()), ("--cwd", self.cwd.is_some())];
        words.into_iter().find(|(_, given)| *given).map(|(word, _)| word)
    }

    fn variables(&self) -> Result<BTreeMap<String, String>, Failure> {
        let split = |text: &String| {
            let pair = text.split_once('=').filter(|(name, _)| !name.is_empty());
            let fault = || Failure::said(format!("--env takes NAME=VALUE, and {text:?} is none"));
            pair.map(|(name, value)| (name.to_owned(), value.to_owned())).ok_or_else(fault)
        };
        self.env.iter().map(split).collect()
    }

    fn headers(&self) -> Result<Vec<(String, String)>, Failure> {
        let mut headers = Vec::new();
        for header in &self.header {
            let (name, value) = header
                .split_once(':')
                .ok_or_else(|| Failure::said("--header takes a name and a value, as in --header 'X-Api-Key: abc'"))?;
            headers.push((name.trim().to_owned(), value.trim().to_owned()));
        }
        if let Some(bearer) = self.bearer()? {
            if headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization")) {
                return Err(Failure::said("a --header sets Authorization, and so does the token: give one of the two"));
            }
            headers.push(("Authorization".to_owned(), bearer));
        }
        Ok(headers)
    }

    /// The token is filled in where the request is made, so that it is not recorded.
    fn bearer(&self) -> Result<Option<String>, Failure> {
        match (&self.bearer_env, &self.bearer_keychain) {
            (Some(_), Some(_)) => Err(Failure::said("--bearer-env and --bearer-keychain name two tokens: give one")),
            (Some(variable), None) => {
                if std::env::var(variable).is_ok_and(|token| !token.trim().is_empty()) {
                    return Ok(Some(format!("Bearer ${{{variable}}}")));
                }
                Err(Failure::said(format!(
                    "the variable {variable} of --bearer-env is not set: put the token into it, as in {variable}=… midwire …"
                )))
            }
            (None, Some(name)) => Ok(Some(format!("Bearer ${{keychain:{name}}}"))),
            (None, None) => Ok(None),
        }
    }

    fn trust(&self) -> Result<Trust, Failure> {
        let fingerprint = match &self.accept_cert {
            Some(text) => Some(read_fingerprint(text).ok_or_else(|| {
                Failure::said(format!(
                    "--accept-cert takes a SHA-256 fingerprint of 64 digits, such as midwire names when it refuses a \
                     certificate; {text:?} is none"
                ))
            })?),
            None => None,
        };
        Ok(Trust { ca: self.ca.clone(), client: self.client_cert.clone().zip(self.client_key.clone()), fingerprint })
    }
}

fn base_of(text: &str) -> Result<Base, Failure> {
    match text {
        "inherit" => Ok(Base::Inherit),
        "sdk" => Ok(Base::Sdk),
        "none" => Ok(Base::Empty),
        other => match other.strip_prefix("only:") {
            Some(names) => Ok(Base::Only(names.split(',').map(|name| name.trim().to_owned()).collect())),
            None => Err(Failure::said(format!(
                "--env-base takes inherit, sdk, none or only:A,B; {other:?} is none of them"
            ))),
        },
    }
}
