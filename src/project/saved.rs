//! What a project file keeps, as plain data. JSON is kept as text, byte for byte.

use crate::wire::Json;

/// Names with values, in the order of the file.
pub type Named<T> = Vec<(String, T)>;

/// Everything that a project file says, as far as midwire knows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Project {
    /// What it is for, in somebody's words.
    pub description: Option<String>,
    /// Servers.
    pub targets: Named<SavedTarget>,
    /// Variables, as JSON text.
    pub variables: Named<String>,
    /// Sets of variables, which take the place of [`Project::variables`] of the same name.
    pub environments: Named<Named<String>>,
    /// Calls.
    pub calls: Named<SavedCall>,
    /// Chains of calls.
    pub chains: Named<Chain>,
    /// Answers to what servers ask.
    pub answers: Named<SavedAnswer>,
    /// What is in the file and means nothing to midwire, or is odd. It is kept when the file is written.
    pub notes: Vec<Note>,
}

/// Something about a line of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The line, counting from 1.
    pub line: usize,
    /// A sentence.
    pub text: String,
}

/// A server.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SavedTarget {
    /// How it is reached.
    pub way: SavedWay,
    /// How the client behaves with it, as far as that differs from what is usual.
    pub settings: SavedSettings,
}

/// How a server is reached. Secrets are not kept: `${NAME}` is a variable of the environment, `${keychain:NAME}` a
/// secret of the system's keychain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SavedWay {
    /// A process.
    Command {
        /// Program and arguments.
        command: Vec<String>,
        /// The folder it runs in, from the folder of the project file.
        folder: Option<String>,
        /// What its environment starts with.
        base: SavedBase,
        /// What is set beside that.
        set: Named<String>,
    },
    /// A URL.
    Url {
        /// The URL.
        url: String,
        /// Header fields.
        headers: Named<String>,
        /// PEM files with authorities to trust besides the system's, from the folder of the project file.
        authorities: Vec<String>,
        /// Fingerprint of the one certificate that is taken as it is.
        accepted: Option<String>,
    },
    /// A server in a host's own file.
    Host {
        /// The host's word, such as `claude-code`; `None`: whichever has the server.
        host: Option<String>,
        /// The server's name there.
        server: String,
    },
}

impl Default for SavedWay {
    fn default() -> Self {
        Self::Command { command: Vec::new(), folder: None, base: SavedBase::Inherit, set: Vec::new() }
    }
}

/// What the environment of a process starts with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum SavedBase {
    /// All of midwire's: `"inherit"`.
    #[default]
    Inherit,
    /// What the SDKs' clients pass on: `"sdk"`.
    Sdk,
    /// Nothing: `"empty"`.
    Empty,
    /// These variables of midwire's.
    Only(Vec<String>),
}

/// Settings of a client that differ from the usual ones. JSON is text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SavedSettings {
    /// `auto`, `legacy`, `modern` or a revision.
    pub era: Option<String>,
    /// `clientInfo`.
    pub identity: Option<String>,
    /// `capabilities`.
    pub capabilities: Option<String>,
    /// The first id as a number (JSON), or what ids begin with as a string (JSON).
    pub ids: Option<String>,
    /// How long a request may be without a sign of life, in milliseconds; 0: for ever.
    pub patience_ms: Option<u64>,
    /// How long a request may take in all, in milliseconds; 0: for ever.
    pub cap_ms: Option<u64>,
    /// How long the probe for the era waits, in milliseconds.
    pub probe_ms: Option<u64>,
    /// Whether requests carry a progress token.
    pub progress: Option<bool>,
    /// The level of log messages asked for.
    pub log_level: Option<String>,
    /// The array of roots.
    pub roots: Option<String>,
    /// How sampling is answered.
    pub sampling: Option<SavedReply>,
    /// How elicitation is answered.
    pub elicitation: Option<SavedReply>,
}

/// How a kind of question is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SavedReply {
    /// A person is asked: `"ask"`.
    Ask,
    /// It is declined: `"decline"`.
    Decline,
    /// An answer that fits is made up: `"made"`.
    Made,
    /// By a saved answer of this name.
    Answer(String),
}

/// What is called or sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// `tools/call` of this tool.
    Tool(String),
    /// `prompts/get` of this prompt.
    Prompt(String),
    /// `resources/read` of this URI.
    Resource(String),
    /// `resources/read` of what this template expands to with the arguments.
    Template(String),
    /// A request of any method; the arguments are its `params`.
    Method(String),
    /// A notification; the arguments are its `params`.
    Notification(String),
    /// Bytes that are sent as they are.
    Raw(Vec<u8>),
}

/// A call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedCall {
    /// What it is for, in somebody's words.
    pub description: Option<String>,
    /// Which of [`Project::targets`]; `None`: the only one, or the one of the call before in a chain.
    pub target: Option<String>,
    /// What is called.
    pub what: What,
    /// Its arguments as JSON text, in which `{{name}}` stands for a variable.
    pub arguments: Option<String>,
    /// Its `_meta` as JSON text, likewise.
    pub meta: Option<String>,
    /// Its id as JSON text.
    pub id: Option<String>,
    /// Nothing is added to it.
    pub bare: bool,
    /// It asks for a task of 2025-11-25, with this time to live in milliseconds.
    pub task: Option<Option<u64>>,
    /// Header fields on HTTP.
    pub fields: Named<String>,
    /// See [`SavedSettings::patience_ms`].
    pub patience_ms: Option<u64>,
    /// See [`SavedSettings::cap_ms`].
    pub cap_ms: Option<u64>,
    /// Variables that get values of its result: names and JSON pointers. A pointer that leads into a text goes on in
    /// the JSON that the text holds.
    pub picks: Named<String>,
    /// What is expected of it.
    pub expect: Expect,
    /// Names of [`Project::answers`], for what the server asks in its course.
    pub answers: Vec<String>,
}

impl SavedCall {
    /// A call of this with nothing else.
    pub const fn of(what: What) -> Self {
        Self {
            description: None,
            target: None,
            what,
            arguments: None,
            meta: None,
            id: None,
            bare: false,
            task: None,
            fields: Vec::new(),
            patience_ms: None,
            cap_ms: None,
            picks: Vec::new(),
            expect: Expect::Ok,
            answers: Vec::new(),
        }
    }
}

impl SavedCall {
    /// A request as it is saved: a call of a tool, a prompt or a resource as such where its params say nothing else,
    /// and otherwise its method and params. The error says why it cannot be kept.
    pub fn of_request(method: &str, params: Option<&[u8]>) -> Result<Self, String> {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).map_err(|_| "a project file holds UTF-8 only");
        let json = params.and_then(|params| Json::parse(params).ok());
        let members: Vec<(String, Json<'_>)> = json
            .map(|json| json.members().filter_map(|(name, value)| Some((name.text()?.into_owned(), value))).collect())
            .unwrap_or_default();
        let value = |name: &str| members.iter().find(|(other, _)| other == name).map(|(_, value)| *value);
        let plain = |known: &[&str]| members.iter().all(|(name, _)| known.contains(&name.as_str()));
        let named = |name: &str| value(name).and_then(|value| value.text()).map(std::borrow::Cow::into_owned);
        let what = match method {
            "tools/call" if plain(&["name", "arguments"]) => named("name").map(What::Tool),
            "prompts/get" if plain(&["name", "arguments"]) => named("name").map(What::Prompt),
            "resources/read" if plain(&["uri"]) => named("uri").map(What::Resource),
            _ => None,
        };
        Ok(match what {
            Some(what) => {
                let arguments = value("arguments").map(|arguments| text(arguments.raw())).transpose()?;
                Self { arguments, ..Self::of(what) }
            }
            None => Self { arguments: params.map(text).transpose()?, ..Self::of(What::Method(method.to_owned())) },
        })
    }
}

/// What is expected of a call. A chain stops where it is not met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Expect {
    /// A result without `isError`: `"ok"`.
    #[default]
    Ok,
    /// A result with `isError`: `"isError"`.
    IsError,
    /// An error of JSON-RPC: `"error"`.
    Error,
    /// An answer of whatever kind: `"any"`.
    Any,
}

impl Expect {
    /// Every one, with its word in the file.
    pub const ALL: [(Self, &'static str); 4] =
        [(Self::Ok, "ok"), (Self::IsError, "isError"), (Self::Error, "error"), (Self::Any, "any")];

    /// Its word in the file.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(expect, _)| *expect == self).map_or("any", |(_, word)| word)
    }
}

/// Calls in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Chain {
    /// What it is for, in somebody's words.
    pub description: Option<String>,
    /// The names of the calls.
    pub calls: Vec<String>,
    /// Whether it goes on when a call ends otherwise than expected.
    pub goes_on: bool,
}

/// An answer to what a server asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedAnswer {
    /// The method that it answers: `elicitation/create`, `sampling/createMessage`, or another.
    pub to: String,
    /// The result as JSON text, in which `{{name}}` stands for a variable.
    pub result: String,
}

/// The value of this name.
pub fn get<'a, T>(named: &'a Named<T>, name: &str) -> Option<&'a T> {
    named.iter().find(|(other, _)| other == name).map(|(_, value)| value)
}
