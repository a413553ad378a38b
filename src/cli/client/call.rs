//! `midwire call`: one request to a server, a tool's call or any method, and its result.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use super::arguments::{Given, build};
use super::class::Class;
use super::saver::Saver;
use super::seat::Seat;
use super::{Done, Shared, printed, raw, sit, target, words};
use crate::cli::failure::Failure;
use crate::model::Nanos;
use crate::peer::client::{Call as Request, Item, Kind, Settings};
use crate::schema::Validator;
use crate::wire::{Json, quote};

const EXAMPLES: &str = "\
Examples:
  midwire call get-sum a=2 b=40 -- npx -y @modelcontextprotocol/server-everything
  midwire call https://example.com/mcp search query=rust limit=5 --bearer-env TOKEN
  midwire call everything echo message=hello        a server of a host's file
  midwire call URL create --json @arguments.json tags=a tags=b owner.id=7
  midwire call URL resources/read uri=file:///a.txt --envelope
  midwire call URL --raw '{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}'
  midwire call URL --raw shelf:id-null              a broken frame of midwire's own

A word with / in it is a method, and its params are given; any other is a tool. key=value is typed by the
tool's inputSchema, digit for digit; key:=JSON is sent as it is. a.b[0]=x and /a/b/0=x reach what lies within.
The bare result is printed as it was sent; everything else goes to stderr. `midwire help exit-codes` lists the
exit codes, `midwire help client` says more about servers, eras and questions.";

/// What a word stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum As {
    /// A tool, also with / in its name
    Tool,
    /// A method, also without /
    Method,
}

/// The words of `midwire call`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Call {
    /// A URL or the name of a server (not with -- COMMAND), a tool or a method, then its arguments
    #[arg(value_name = "TARGET] [TOOL|METHOD] [KEY=VALUE")]
    words: Vec<String>,
    /// All arguments (or a method's params) at once: JSON, @FILE or -
    #[arg(long, value_name = "JSON")]
    json: Option<String>,
    /// What the word is, where / does not tell
    #[arg(long = "as", value_enum, value_name = "tool|method", hide_possible_values = true)]
    kind: Option<As>,
    /// Id of the request, any JSON
    #[arg(long, value_name = "JSON")]
    id: Option<String>,
    /// Add nothing: no progress token, no _meta, no look at the list of tools
    #[arg(long)]
    bare: bool,
    /// Ask for a task (2025-11-25), with this time to live in milliseconds
    #[arg(long, value_name = "TTL", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    task: Option<String>,
    /// Send these bytes as they are, and print what comes: text, @FILE, -, hex:… or shelf:NAME
    /// (`midwire help frames`)
    #[arg(long, value_name = "BYTES", conflicts_with_all = ["json", "id", "bare", "task", "kind"])]
    raw: Option<String>,
    /// With --raw: seconds of silence after which no more is waited for
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, requires = "raw")]
    silence: f64,
    /// Also save the call and its server in a project file (`midwire run` runs it), without secrets
    #[arg(long, value_name = "FILE[:NAME]", conflicts_with = "raw")]
    save: Option<String>,
    #[command(flatten)]
    shared: Shared,
    /// The server's command with its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

impl Call {
    pub(in crate::cli) fn run(self) -> Done {
        if let Some(word) = &self.raw {
            let frame = raw::Frame::of(word)?;
            let (server, name) = (&self.shared.server, self.shared.place.name.as_deref());
            let (target, rest) = target::split(&self.words, self.command, server, name)?;
            let http = matches!(target.way, crate::engine::client::Way::Url { .. });
            return raw::send(sit(target, &self.shared)?, &rest, frame, http, self.silence);
        }
        let plan = Plan::of(&self)?;
        let (server, shared) = (&self.shared.server, &self.shared);
        let (target, rest) = target::split(&self.words, self.command.clone(), server, shared.place.name.as_deref())?;
        let saver = self.save.as_deref().map(|place| Saver::new(place, &target, shared)).transpose()?;
        let mut seat = sit(target, shared)?;
        let done = plan.carry_out(&mut seat, &rest, shared, saver);
        seat.leave();
        done
    }
}

/// What is known before the server is.
struct Plan {
    json: Option<Vec<u8>>,
    kind: Option<As>,
    id: Option<Vec<u8>>,
    bare: bool,
    /// Whether a task is asked for, and with which time to live.
    task: bool,
    ttl: Option<u64>,
    pages: u32,
}

impl Plan {
    /// Looks at the words, so that nothing is started for words that mean nothing.
    fn of(call: &Call) -> Result<Self, Failure> {
        let json = call.json.as_ref().map(|text| words::json(text, "--json")).transpose()?;
        let id = call.id.as_ref().map(|text| words::json(text, "--id")).transpose()?;
        let named = call.words.iter().skip(usize::from(call.command.is_empty()));
        if named.clone().next().is_none() {
            return Err(Failure::said(NOTHING));
        }
        named.skip(1).try_for_each(|word| Given::read(word).map(drop)).map_err(Failure::Said)?;
        let pages = Settings::default().most_pages;
        let ttl = call.task.as_deref().filter(|ttl| !ttl.is_empty()).map(str::parse).transpose();
        let ttl = ttl.map_err(|_| Failure::said("--task takes a time to live in milliseconds, as in --task=60000"))?;
        Ok(Self { json, kind: call.kind, id, bare: call.bare, task: call.task.is_some(), ttl, pages })
    }

    fn carry_out(&self, seat: &mut Seat, words: &[String], shared: &Shared, saver: Option<Saver>) -> Done {
        let Some((what, given)) = words.split_first() else { return Err(Failure::said(NOTHING)) };
        let given: Vec<Given> =
            given.iter().map(|word| Given::read(word)).collect::<Result<_, _>>().map_err(Failure::Said)?;
        let is_method = self.kind.map_or_else(|| what.contains('/'), |kind| kind == As::Method);
        let (method, params) = if is_method {
            let params = if given.is_empty() { self.json.clone() } else { Some(self.merged(seat, &given, None)?) };
            (what.clone(), params)
        } else {
            match self.tool(seat, what, &given)? {
                Ok(params) => ("tools/call".to_owned(), Some(params)),
                Err(class) => return Ok(class),
            }
        };
        let request = Request {
            method,
            params,
            id: self.id.clone(),
            bare: self.bare,
            task: self.task.then_some(self.ttl),
            fields: Vec::new(),
            patience: None::<Nanos>,
            cap: None,
        };
        if let Some(saver) = saver {
            saver.save(seat, &request)?;
        }
        let ended = seat.call(request);
        printed::ended(seat, &ended, shared.place.envelope)
    }

    /// The params of a tool's call. The list is looked at first: its schema types the arguments, and over HTTP says
    /// which of them stand in header fields.
    fn tool(&self, seat: &mut Seat, name: &str, given: &[Given]) -> Result<Result<Vec<u8>, Class>, Failure> {
        let item = if self.bare {
            None
        } else {
            if let Err(class) = seat.opened() {
                return Ok(Err(class));
            }
            self.look_up(seat, name)
        };
        let schema = item.as_ref().and_then(|item| Json::parse(&item.json).ok()?.get("inputSchema"));
        let arguments = self.merged(seat, given, schema)?;
        if let Some(schema) = schema {
            advise(seat, schema, &arguments);
        }
        let mut params = format!(r#"{{"name":{},"arguments":"#, quote(name)).into_bytes();
        params.extend_from_slice(&arguments);
        params.push(b'}');
        Ok(Ok(params))
    }

    fn look_up(&self, seat: &mut Seat, name: &str) -> Option<Item> {
        match seat.find(Kind::Tools, name, self.pages) {
            Ok(Some(item)) => {
                item.faults.iter().for_each(|fault| seat.voice.warn(&format!("the tool {name}: {fault}")));
                Some(item)
            }
            Ok(None) => {
                seat.voice.warn(&format!("the server lists no tool called {name}; it is called all the same"));
                None
            }
            Err(ended) => {
                seat.voice.warn("the tools could not be listed, so values are sent as strings:");
                printed::say(seat, &ended);
                None
            }
        }
    }

    /// `--json` with the words on top of it.
    fn merged(&self, seat: &Seat, given: &[Given], schema: Option<Json<'_>>) -> Result<Vec<u8>, Failure> {
        let (text, notes) = build(given, self.json.as_deref(), schema).map_err(Failure::Said)?;
        notes.iter().for_each(|note| seat.voice.warn(note));
        Ok(text)
    }
}

const NOTHING: &str = "what is to be called? Name a tool, or a method such as tools/list";

/// Says what the schema has against the arguments, which are sent all the same.
fn advise(seat: &Seat, schema: Json<'_>, arguments: &[u8]) {
    match Validator::new(schema.raw()) {
        Ok(validator) => {
            for problem in validator.problems(arguments) {
                let place = if problem.pointer.is_empty() { "the arguments".to_owned() } else { problem.pointer };
                seat.voice.warn(&format!("{place}: {}; sent all the same", problem.message));
            }
        }
        Err(why) => seat.voice.note(&format!("the arguments are not checked: {why}")),
    }
}
