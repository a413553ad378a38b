//! The words of `midwire tap` that are about HTTP, and what contradicts itself among them.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use crate::engine::proxy::{Mode, Options, ServeTls, Trust, read_fingerprint};

/// The words about HTTP.
#[derive(Debug, Args)]
#[command(next_help_heading = "HTTP")]
pub(super) struct Http {
    /// Stand for the server at this URL; clients are pointed at midwire instead
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// With --url: present the server on stdio, to a host that speaks nothing else
    #[arg(long)]
    pub(super) stdio: bool,
    /// Stand for every server: a proxy for the client that is started behind --, or for any
    #[arg(long)]
    forward: bool,
    /// Address and port to listen at, 0 for any free port [default: 127.0.0.1:0]
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// With --forward: record only this host, and decrypt its https (repeatable; *.example.com)
    #[arg(long, value_name = "HOST")]
    only: Vec<String>,
    /// Field added to every request upstream, never recorded (repeatable)
    #[arg(long, value_name = "NAME: VALUE")]
    header: Vec<String>,
    /// Variable that holds a token, sent upstream as Authorization: Bearer, never recorded
    #[arg(long, value_name = "VARIABLE")]
    bearer_env: Option<String>,
    /// Trust the authorities in this file too (PEM, repeatable)
    #[arg(long, value_name = "FILE")]
    ca: Vec<PathBuf>,
    /// Certificate to show to the server (PEM)
    #[arg(long, value_name = "FILE")]
    client_cert: Option<PathBuf>,
    /// Key of --client-cert (PEM)
    #[arg(long, value_name = "FILE")]
    client_key: Option<PathBuf>,
    /// Accept the server's certificate with this SHA-256 fingerprint, whatever is wrong with it
    #[arg(long, value_name = "SHA256")]
    accept_cert: Option<String>,
    /// Serve TLS, with a certificate that midwire makes
    #[arg(long)]
    tls: bool,
    /// Serve TLS with this certificate (PEM)
    #[arg(long, value_name = "FILE")]
    tls_cert: Option<PathBuf>,
    /// Key of --tls-cert (PEM)
    #[arg(long, value_name = "FILE")]
    tls_key: Option<PathBuf>,
    /// Listen where others than this machine can reach the tap
    #[arg(long)]
    allow_remote: bool,
    /// Let web pages of this origin use the tap (repeatable; scheme and host as browsers write them)
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,
}

impl Http {
    /// Says what is missing or contradicts itself, and what to do.
    pub(super) fn check(&self, command: &[OsString]) -> Result<(), String> {
        let has_command = !command.is_empty();
        let is_http = self.url.is_some() || self.forward;
        let wrong = match (&self.url, self.forward) {
            (Some(_), true) => {
                Some("--url stands for one server and --forward for all: give one of the two".to_owned())
            }
            (Some(_), false) if has_command => Some(
                "--url is for a server that runs already, so no command may stand behind --; \
                 to start a client that uses it, say --forward -- CLIENT"
                    .to_owned(),
            ),
            (None, false) if !has_command => Some(
                "midwire tap needs to know the server: midwire tap -- COMMAND (stdio), midwire tap --url URL, \
                 or midwire tap --forward; see midwire tap --help"
                    .to_owned(),
            ),
            _ if !is_http => self.only_http().map(|word| {
                format!(
                    "{word} is about HTTP, and a command behind -- speaks stdio: give --url URL or --forward with it"
                )
            }),
            _ => None,
        };
        let wrong = wrong.or_else(|| self.halves());
        wrong.map_or(Ok(()), Err)
    }

    /// A word that means nothing without --url or --forward.
    fn only_http(&self) -> Option<&'static str> {
        self.words().into_iter().find(|(_, is_given, _)| *is_given).map(|(word, ..)| word)
    }

    /// A word about listening, which a bridge to stdio does not do.
    fn only_listening(&self) -> Option<&'static str> {
        let listens = |(_, is_given, listens): &(&str, bool, bool)| *is_given && *listens;
        self.words().into_iter().find(listens).map(|(word, ..)| word)
    }

    /// The words that only HTTP knows: whether each was given, and whether it is about listening.
    fn words(&self) -> [(&'static str, bool, bool); 14] {
        [
            ("--stdio", self.stdio, false),
            ("--listen", self.listen.is_some(), true),
            ("--only", !self.only.is_empty(), false),
            ("--header", !self.header.is_empty(), false),
            ("--bearer-env", self.bearer_env.is_some(), false),
            ("--ca", !self.ca.is_empty(), false),
            ("--client-cert", self.client_cert.is_some(), false),
            ("--client-key", self.client_key.is_some(), false),
            ("--accept-cert", self.accept_cert.is_some(), false),
            ("--tls", self.tls, true),
            ("--tls-cert", self.tls_cert.is_some(), true),
            ("--tls-key", self.tls_key.is_some(), true),
            ("--allow-remote", self.allow_remote, true),
            ("--allow-origin", !self.allow_origin.is_empty(), true),
        ]
    }

    /// Words that need each other, or exclude each other.
    fn halves(&self) -> Option<String> {
        if self.stdio && self.url.is_none() {
            return Some("--stdio presents one server on HTTP: give its address with --url".to_owned());
        }
        if let Some(word) = self.only_listening().filter(|_| self.stdio) {
            return Some(format!("{word} is about listening, and with --stdio nothing is listened at: leave it out"));
        }
        let pair = |one: &Option<PathBuf>, other: &Option<PathBuf>, names: (&str, &str)| {
            let (has, lacks) = match (one, other) {
                (Some(_), None) => names,
                (None, Some(_)) => (names.1, names.0),
                _ => return None,
            };
            Some(format!("{has} needs {lacks} beside it: a certificate is of no use without its key"))
        };
        if let Some(said) = pair(&self.client_cert, &self.client_key, ("--client-cert", "--client-key"))
            .or_else(|| pair(&self.tls_cert, &self.tls_key, ("--tls-cert", "--tls-key")))
        {
            return Some(said);
        }
        if self.tls && self.tls_cert.is_some() {
            return Some("--tls makes a certificate and --tls-cert names one: give one of the two".to_owned());
        }
        if !self.only.is_empty() && !self.forward {
            return Some("--only says which hosts a forward proxy looks into: give --forward with it".to_owned());
        }
        let adds = !self.header.is_empty() || self.bearer_env.is_some();
        if self.forward && adds && self.only.is_empty() {
            return Some(
                "--header and --bearer-env with --forward would give credentials to every server: name theirs with --only HOST"
                    .to_owned(),
            );
        }
        None
    }

    /// What an HTTP tap is asked to do; `None` when the words mean a tap on stdio.
    pub(super) fn options(&mut self) -> Result<Option<Options>, String> {
        let mut options = match self.url.take() {
            Some(url) => Options::reverse(url),
            None if self.forward => Options::forward(std::mem::take(&mut self.only)),
            None => return Ok(None),
        };
        if let Some(listen) = self.listen.take() {
            options.listen = listen;
        }
        options.allow_remote = self.allow_remote;
        options.allow_origins = std::mem::take(&mut self.allow_origin);
        options.headers = self.headers()?;
        options.trust = self.trust()?;
        options.serve_tls = match (self.tls_cert.take(), self.tls_key.take()) {
            (Some(certificate), Some(key)) => ServeTls::Files { certificate, key },
            _ if self.tls => ServeTls::Generated,
            _ => ServeTls::No,
        };
        debug_assert!(matches!(options.mode, Mode::Reverse { .. }) || self.forward);
        Ok(Some(options))
    }

    fn headers(&self) -> Result<Vec<(String, String)>, String> {
        let mut headers = Vec::new();
        for header in &self.header {
            let (name, value) =
                header.split_once(':').ok_or("--header takes a name and a value, as in --header 'X-Api-Key: abc'")?;
            headers.push((name.trim().to_owned(), value.trim().to_owned()));
        }
        if let Some(variable) = &self.bearer_env {
            let token = std::env::var(variable).ok().filter(|token| !token.trim().is_empty()).ok_or_else(|| {
                format!("the variable {variable} of --bearer-env is not set: put the token into it, as in {variable}=… midwire tap …")
            })?;
            if headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization")) {
                return Err("--bearer-env sets Authorization, and so does a --header: give one of the two".to_owned());
            }
            headers.push(("Authorization".to_owned(), format!("Bearer {}", token.trim())));
        }
        Ok(headers)
    }

    fn trust(&mut self) -> Result<Trust, String> {
        let fingerprint = match &self.accept_cert {
            Some(text) => Some(read_fingerprint(text).ok_or_else(|| {
                format!(
                    "--accept-cert takes a SHA-256 fingerprint of 64 digits, such as midwire names when it refuses a \
                     certificate; {text:?} is none"
                )
            })?),
            None => None,
        };
        Ok(Trust {
            ca: std::mem::take(&mut self.ca),
            client: self.client_cert.take().zip(self.client_key.take()),
            fingerprint,
        })
    }
}

#[cfg(test)]
mod tests;
