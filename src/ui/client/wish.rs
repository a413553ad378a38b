//! The form that connects: what is typed, what is wrong with it, and the target that it means. How the client behaves
//! is in [`Behaviour`]. Kept from one run of the window to the next, without secrets.

use serde::{Deserialize, Serialize};

use super::behaviour::{self, Behaviour};
use crate::engine::client::{Base, Environment, Given, Target, Trust, Way, line, read_fingerprint, words};
use crate::peer::client::Settings;

/// How the server is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Reach {
    /// A command on one line.
    #[default]
    Line,
    /// Program and arguments, one by one.
    List,
    /// A URL.
    Url,
}

/// What the environment of a command starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Start {
    /// All of ours.
    #[default]
    Inherit,
    /// What SDKs pass on.
    Sdk,
    /// Some of ours.
    Only,
    /// Nothing.
    Empty,
}

/// Where a bearer token comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Bearer {
    /// There is none.
    #[default]
    None,
    /// An environment variable.
    Variable,
    /// The system's keychain.
    Keychain,
}

/// A field of the form, to say beside it what is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// The command.
    Command,
    /// Names of variables that are passed on.
    Only,
    /// A variable that is set.
    Variable(usize),
    /// The URL.
    Url,
    /// A header field.
    Header(usize),
    /// The source of the bearer token.
    Bearer,
    /// The fingerprint.
    Fingerprint,
    /// The client's certificate and key.
    Certificate,
    /// `clientInfo`.
    Identity,
    /// `capabilities`.
    Capabilities,
    /// The first id or the prefix of ids.
    Ids,
    /// Time for the probe.
    Probe,
    /// Time without a sign of life.
    Patience,
    /// Time in all.
    Cap,
    /// Roots.
    Roots,
    /// The saved answer to sampling.
    Sampling,
    /// The saved answer to elicitation.
    Elicitation,
    /// The saved answer to a question for roots.
    RootsReply,
    /// Rounds of one call.
    Rounds,
    /// Pages of one list.
    Pages,
}

/// What is typed into the form.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Wish {
    /// What to call the server.
    pub name: String,
    /// How it is reached.
    pub reach: Reach,
    /// The command on one line.
    pub line: String,
    /// The command as a list.
    pub list: Vec<String>,
    /// The folder it runs in.
    pub folder: String,
    /// What its environment starts with.
    pub start: Start,
    /// Names of variables that are passed on, with spaces between them.
    pub only: String,
    /// Variables that are set.
    pub variables: Vec<(String, String)>,
    /// The URL.
    pub url: String,
    /// Header fields.
    pub headers: Vec<(String, String)>,
    /// Where a bearer token comes from.
    pub bearer: Bearer,
    /// The name of the variable or of the secret in the keychain.
    pub bearer_name: String,
    /// A file with certificates of authorities.
    pub ca: String,
    /// The SHA-256 of one certificate that is accepted as it is.
    pub fingerprint: String,
    /// Files with our own certificate and its key.
    pub certificate: String,
    /// See [`Wish::certificate`].
    pub key: String,
    /// How the client behaves.
    pub behaviour: Behaviour,
}

impl Wish {
    /// The form that means this target and these settings.
    pub fn of(target: &Target, settings: &Settings) -> Self {
        let mut wish = Self { name: target.name.clone(), behaviour: Behaviour::of(settings), ..Self::default() };
        match &target.way {
            Way::Command { command, folder, environment } => {
                wish.line = line(command);
                wish.list.clone_from(command);
                wish.folder = folder.as_ref().map(|it| it.display().to_string()).unwrap_or_default();
                wish.start = match &environment.base {
                    Base::Inherit => Start::Inherit,
                    Base::Sdk => Start::Sdk,
                    Base::Only(names) => {
                        wish.only = names.join(" ");
                        Start::Only
                    }
                    Base::Empty => Start::Empty,
                };
                wish.variables = environment.set.clone().into_iter().collect();
            }
            Way::Url { url, headers, trust } => {
                wish.reach = Reach::Url;
                wish.url.clone_from(url);
                wish.headers.clone_from(headers);
                wish.take_bearer();
                wish.ca = trust.ca.first().map(|it| it.display().to_string()).unwrap_or_default();
                let hex = |byte: &u8| format!("{byte:02x}");
                wish.fingerprint = trust.fingerprint.map(|it| it.iter().map(hex).collect()).unwrap_or_default();
                if let Some((certificate, key)) = &trust.client {
                    (wish.certificate, wish.key) = (certificate.display().to_string(), key.display().to_string());
                }
            }
        }
        wish
    }

    /// A header that holds a bearer token becomes the choice of one.
    fn take_bearer(&mut self) {
        let Some(place) = self.headers.iter().position(|(name, _)| name.eq_ignore_ascii_case("authorization")) else {
            return;
        };
        let Some(inner) = self.headers[place].1.strip_prefix("Bearer ${").and_then(|it| it.strip_suffix('}')) else {
            return;
        };
        let (bearer, name) = match inner.strip_prefix("keychain:") {
            Some(name) => (Bearer::Keychain, name.to_owned()),
            None => (Bearer::Variable, inner.to_owned()),
        };
        (self.bearer, self.bearer_name) = (bearer, name);
        self.headers.remove(place);
    }

    /// The command as it would be run.
    ///
    /// # Errors
    ///
    /// What is wrong with the line.
    pub fn command(&self) -> Result<Vec<String>, String> {
        match self.reach {
            Reach::Line => words(&self.line),
            Reach::List | Reach::Url => Ok(self.list.clone()),
        }
    }

    /// Takes the command over into the other way of writing it.
    pub fn change_reach(&mut self, to: Reach) {
        match (self.reach, to) {
            (Reach::Line, Reach::List) => {
                if let Ok(words) = words(&self.line) {
                    self.list = words;
                }
            }
            (Reach::List, Reach::Line) => self.line = line(&self.list),
            _ => {}
        }
        self.reach = to;
    }

    /// What to call the server when no name is typed.
    pub fn title(&self) -> String {
        match (self.name.trim(), self.reach) {
            ("", Reach::Url) => self.url.trim().to_owned(),
            ("", Reach::Line) => self.line.trim().to_owned(),
            ("", Reach::List) => line(&self.list),
            (name, _) => name.to_owned(),
        }
    }

    /// What is wrong and can be told without starting anything: the field and a sentence.
    pub fn faults(&self) -> Vec<(Place, String)> {
        let mut faults = match self.reach {
            Reach::Line | Reach::List => self.command_faults(),
            Reach::Url => self.url_faults(),
        };
        faults.extend(self.behaviour.faults());
        faults
    }

    fn command_faults(&self) -> Vec<(Place, String)> {
        let mut faults = Vec::new();
        match self.command() {
            Err(why) => faults.push((Place::Command, why)),
            Ok(words) if words.first().is_none_or(String::is_empty) => {
                faults.push((Place::Command, "The command that starts the server is needed.".to_owned()));
            }
            Ok(_) => {}
        }
        if self.start == Start::Only && self.only.split_whitespace().any(|name| !is_variable(name)) {
            faults.push((Place::Only, "Write names of variables with spaces between them.".to_owned()));
        }
        for (index, (name, _)) in self.variables.iter().enumerate() {
            if !is_variable(name) {
                faults.push((Place::Variable(index), "A variable needs a name of letters, digits and _.".to_owned()));
            }
        }
        faults
    }

    fn url_faults(&self) -> Vec<(Place, String)> {
        let mut faults = Vec::new();
        faults.extend(url_fault(self.url.trim()).map(|fault| (Place::Url, fault)));
        for (index, (name, value)) in self.headers.iter().enumerate() {
            faults.extend(header_fault(name, value).map(|fault| (Place::Header(index), fault)));
        }
        let name = self.bearer_name.trim();
        match self.bearer {
            Bearer::Variable if !is_variable(name) => {
                let why = "Give the name of an environment variable, never the token itself.";
                faults.push((Place::Bearer, why.to_owned()));
            }
            Bearer::Keychain if name.is_empty() || name.contains(['}', '\n']) => {
                faults.push((Place::Bearer, "Give the name of a secret in the keychain.".to_owned()));
            }
            _ => {}
        }
        if !self.fingerprint.trim().is_empty() && read_fingerprint(self.fingerprint.trim()).is_none() {
            let why = "A fingerprint is the SHA-256 of the certificate: 64 digits from 0 to f.";
            faults.push((Place::Fingerprint, why.to_owned()));
        }
        if self.certificate.trim().is_empty() != self.key.trim().is_empty() {
            faults.push((Place::Certificate, "Certificate and key are needed together.".to_owned()));
        }
        faults
    }

    /// The target that is meant; what has faults is taken as far as it goes.
    pub fn target(&self) -> Target {
        let path = |text: &str| Some(text.trim()).filter(|it| !it.is_empty()).map(std::path::PathBuf::from);
        let way = if self.reach == Reach::Url {
            let mut headers = self.headers.clone();
            let name = self.bearer_name.trim();
            match self.bearer {
                Bearer::None => {}
                Bearer::Variable => headers.push(("Authorization".to_owned(), format!("Bearer ${{{name}}}"))),
                Bearer::Keychain => headers.push(("Authorization".to_owned(), format!("Bearer ${{keychain:{name}}}"))),
            }
            let trust = Trust {
                ca: path(&self.ca).into_iter().collect(),
                client: path(&self.certificate).zip(path(&self.key)),
                fingerprint: read_fingerprint(self.fingerprint.trim()),
            };
            Way::Url { url: self.url.trim().to_owned(), headers, trust }
        } else {
            let base = match self.start {
                Start::Inherit => Base::Inherit,
                Start::Sdk => Base::Sdk,
                Start::Only => Base::Only(self.only.split_whitespace().map(str::to_owned).collect()),
                Start::Empty => Base::Empty,
            };
            let environment = Environment { base, set: self.variables.iter().cloned().collect() };
            Way::Command { command: self.command().unwrap_or_default(), folder: path(&self.folder), environment }
        };
        Target { name: self.name.trim().to_owned(), way, from: None, given: Given::default() }
    }

    /// The same without what may be secret: it is kept in a file.
    #[must_use]
    pub fn without_secrets(&self) -> Self {
        let mut wish = self.clone();
        for (name, value) in wish.headers.iter_mut().chain(&mut wish.variables) {
            if behaviour::is_secret(name) && !value.contains("${") {
                value.clear();
            }
        }
        wish
    }
}

fn is_variable(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|sign: char| sign.is_ascii_digit())
        && name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_')
}

pub(super) fn url_fault(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some("The URL of the server's MCP endpoint is needed.".to_owned());
    }
    if !(text.starts_with("http://") || text.starts_with("https://")) {
        return Some("It must begin with http:// or https://.".to_owned());
    }
    let host = text.split_once("://").map_or("", |(_, rest)| rest).split(['/', '?', '#']).next().unwrap_or_default();
    if host.is_empty() || host.starts_with(':') {
        return Some("The URL names no host.".to_owned());
    }
    text.contains(char::is_whitespace).then(|| "A URL has no spaces; write %20.".to_owned())
}

fn header_fault(name: &str, value: &str) -> Option<String> {
    let token = |sign: char| sign.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(sign);
    if name.is_empty() || !name.chars().all(token) {
        return Some("A header field needs a name without spaces or colons.".to_owned());
    }
    if behaviour::is_secret(name) && !value.is_empty() && !value.contains("${") {
        return Some("Keep secrets out of here: write ${NAME} or ${keychain:NAME}.".to_owned());
    }
    value.contains(['\r', '\n']).then(|| "A value is one line.".to_owned())
}
