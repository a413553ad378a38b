//! A run of a call or a chain: which call comes next, with its variables filled in, and what its answer means.

use std::collections::BTreeMap;

use thiserror::Error;

use super::{Chain, Expect, Named, Project, SavedCall, What, fill, get, pick};
use crate::mcp::template::{Template, Value};
use crate::wire::{Json, quote};

/// Why a run cannot begin. Each fits after "failed to".
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RunError {
    /// Something that was named is not there.
    #[error("run {name}: {why}")]
    Unknown {
        /// What was to be run.
        name: String,
        /// What is not there, and what there is.
        why: String,
    },
}

/// A call that can be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ready {
    /// Its place in the run, counting from 0.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// The name of its target: its own, or that of the call before.
    pub target: Option<String>,
    /// What it is, with variables filled in; a template is the resource that it expands to.
    pub what: What,
    /// The method; empty for raw bytes.
    pub method: String,
    /// The `params` as JSON text.
    pub params: Option<String>,
    /// What was saved, variables not filled in.
    pub saved: SavedCall,
    /// Header fields, variables filled in.
    pub fields: Named<String>,
    /// Saved answers for what the server asks: methods and results as JSON text, in order.
    pub answers: Named<String>,
}

impl Ready {
    /// Whether nothing answers it: a notification, or raw bytes.
    pub const fn is_one_way(&self) -> bool {
        matches!(self.what, What::Notification(_) | What::Raw(_))
    }
}

/// How a call ended, as far as a run is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer<'a> {
    /// A result.
    Result(&'a [u8]),
    /// An error object of JSON-RPC.
    Error(&'a [u8]),
    /// It was sent, and is not answered (notifications, raw bytes).
    Sent,
    /// There was no answer; why.
    Lost(&'a str),
}

/// What an answer means for a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// What was expected came, and all picks found their values.
    pub ok: bool,
    /// Otherwise why not.
    pub why: Option<String>,
    /// What was picked: names and JSON texts.
    pub picked: Named<String>,
    /// Whether the run ends here because of it.
    pub stops: bool,
}

/// A run.
#[derive(Debug, Clone)]
pub struct Run {
    project: Project,
    calls: Vec<String>,
    goes_on: bool,
    /// How many calls were given out.
    at: usize,
    target: Option<String>,
    variables: BTreeMap<String, String>,
}

impl Run {
    /// A run of the chain or call with this name; a chain wins over a call. Of variables of the same name, `set` wins
    /// over the environment, and that over the project's own; what is picked on the way takes the place of all. Values
    /// are JSON text.
    pub fn new(
        project: &Project,
        name: &str,
        environment: Option<&str>,
        set: &[(String, String)],
    ) -> Result<Self, RunError> {
        let unknown = |why: String| RunError::Unknown { name: name.to_owned(), why };
        let chain = match (get(&project.chains, name), get(&project.calls, name)) {
            (Some(chain), _) => chain.clone(),
            (None, Some(_)) => Chain { calls: vec![name.to_owned()], ..Chain::default() },
            (None, None) => {
                let calls = told("calls", project.calls.iter().map(|(name, _)| name));
                let chains = told("chains", project.chains.iter().map(|(name, _)| name));
                return Err(unknown(format!("there is no such call or chain; {calls}, {chains}")));
            }
        };
        if let Some(missing) = chain.calls.iter().find(|call| get(&project.calls, call).is_none()) {
            let calls = told("calls", project.calls.iter().map(|(name, _)| name));
            return Err(unknown(format!("its call `{missing}` is not there; {calls}")));
        }
        let mut variables: BTreeMap<String, String> = project.variables.iter().cloned().collect();
        if let Some(wanted) = environment {
            let environments = told("environments", project.environments.iter().map(|(name, _)| name));
            let found = get(&project.environments, wanted);
            let found = found.ok_or_else(|| unknown(format!("there is no environment `{wanted}`; {environments}")))?;
            variables.extend(found.iter().cloned());
        }
        variables.extend(set.iter().cloned());
        let project = project.clone();
        Ok(Self { project, calls: chain.calls, goes_on: chain.goes_on, at: 0, target: None, variables })
    }

    /// The names of the calls, in order.
    pub fn calls(&self) -> &[String] {
        &self.calls
    }

    /// The variables as they stand now, as JSON text.
    pub const fn variables(&self) -> &BTreeMap<String, String> {
        &self.variables
    }

    /// The next call; `None` when there is none left. The error says why it cannot be sent, and ends the run.
    pub fn next_call(&mut self) -> Option<Result<Ready, String>> {
        let name = self.calls.get(self.at)?.clone();
        let saved = get(&self.project.calls, &name)?.clone();
        let index = self.at;
        self.at += 1;
        self.target = saved.target.clone().or_else(|| self.target.take()).or_else(|| match &self.project.targets[..] {
            [(only, _)] => Some(only.clone()),
            _ => None,
        });
        let ready = self.ready(index, name, saved);
        if ready.is_err() {
            self.at = self.calls.len();
        }
        Some(ready)
    }

    fn ready(&self, index: usize, name: String, saved: SavedCall) -> Result<Ready, String> {
        let json =
            |text: &Option<String>| text.as_deref().map(|text| fill::json(text, &|name| self.value(name))).transpose();
        let (arguments, meta) = (json(&saved.arguments)?, json(&saved.meta)?);
        let (what, method, params) = self.filled(&saved.what, arguments, meta)?;
        let fields = saved.fields.iter().map(|(name, value)| Ok((name.clone(), self.text(value)?)));
        let fields = fields.collect::<Result<_, String>>()?;
        let answers = answers(&self.project, &saved, &|name| self.value(name))?;
        Ok(Ready { index, name, target: self.target.clone(), what, method, params, saved, fields, answers })
    }

    /// What is sent: with its names filled in, its method, its params.
    fn filled(
        &self,
        what: &What,
        arguments: Option<String>,
        meta: Option<String>,
    ) -> Result<(What, String, Option<String>), String> {
        let named = |key: &str, name: &str, arguments: Option<String>| {
            let mut params = format!("{{\"{key}\":{}", quote(name));
            for (key, value) in [("arguments", &arguments), ("_meta", &meta)] {
                if let Some(value) = value {
                    params.extend([",\"", key, "\":", value]);
                }
            }
            Some(params + "}")
        };
        Ok(match what {
            What::Tool(name) => {
                let name = self.text(name)?;
                let params = named("name", &name, arguments);
                (What::Tool(name), "tools/call".to_owned(), params)
            }
            What::Prompt(name) => {
                let name = self.text(name)?;
                let params = named("name", &name, arguments);
                (What::Prompt(name), "prompts/get".to_owned(), params)
            }
            What::Resource(uri) => {
                let uri = self.text(uri)?;
                let params = named("uri", &uri, None);
                (What::Resource(uri), "resources/read".to_owned(), params)
            }
            What::Template(template) => {
                let uri = expanded(&self.text(template)?, arguments.as_deref().unwrap_or("{}"))?;
                let params = named("uri", &uri, None);
                (What::Resource(uri), "resources/read".to_owned(), params)
            }
            What::Method(method) => {
                let method = self.text(method)?;
                (What::Method(method.clone()), method, with_meta(arguments, meta)?)
            }
            What::Notification(method) => {
                let method = self.text(method)?;
                (What::Notification(method.clone()), method, with_meta(arguments, meta)?)
            }
            What::Raw(bytes) => (What::Raw(self.raw(bytes)?), String::new(), None),
        })
    }

    /// Raw bytes that are text have variables too.
    fn raw(&self, bytes: &[u8]) -> Result<Vec<u8>, String> {
        match std::str::from_utf8(bytes) {
            Ok(text) => fill::json(text, &|name| self.value(name)).map(String::into_bytes),
            Err(_) => Ok(bytes.to_vec()),
        }
    }

    fn text(&self, text: &str) -> Result<String, String> {
        fill::text(text, &|name| self.value(name))
    }

    fn value(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }

    /// Takes the answer of the call that [`Run::next_call`] gave last.
    pub fn ended(&mut self, answer: Answer<'_>) -> Verdict {
        let call = self.at.checked_sub(1).and_then(|at| get(&self.project.calls, self.calls.get(at)?));
        let Some(call) = call else {
            return Verdict { ok: false, why: Some("nothing was called".to_owned()), picked: Vec::new(), stops: true };
        };
        let (why, picked) = judge(call, answer);
        self.variables.extend(picked.iter().cloned());
        let stops = why.is_some() && (!self.goes_on || matches!(answer, Answer::Lost(_)));
        if stops {
            self.at = self.calls.len();
        }
        Verdict { ok: why.is_none(), why, picked, stops }
    }
}

/// What an answer means for a call: why it is not as it should be, where it is not, and what was picked from it.
pub fn judge(call: &SavedCall, answer: Answer<'_>) -> (Option<String>, Named<String>) {
    let (mut why, mut picked) = (unexpected(call.expect, answer), Vec::new());
    if let (None, Answer::Result(bytes) | Answer::Error(bytes)) = (&why, answer) {
        for (name, pointer) in &call.picks {
            match pick(bytes, pointer) {
                Ok(value) => picked.push((name.clone(), value)),
                Err(reason) => {
                    why = Some(format!("the variable `{name}` cannot be picked: {reason}"));
                    break;
                }
            }
        }
    }
    (why, picked)
}

/// The saved answers of a call, methods and results, with the values of variables. The error says what is not there.
pub fn answers(
    project: &Project,
    call: &SavedCall,
    value: &dyn Fn(&str) -> Option<String>,
) -> Result<Named<String>, String> {
    let one = |name: &String| {
        let answer = get(&project.answers, name).ok_or_else(|| format!("there is no answer `{name}`"))?;
        Ok((answer.to.clone(), fill::json(&answer.result, value)?))
    };
    call.answers.iter().map(one).collect()
}

/// Why an answer is not what was expected.
fn unexpected(expect: Expect, answer: Answer<'_>) -> Option<String> {
    let came = match answer {
        Answer::Lost(why) => return Some(why.to_owned()),
        Answer::Sent => return None,
        Answer::Error(_) => Expect::Error,
        Answer::Result(bytes) => {
            let json = Json::parse(bytes).ok();
            let failed = json.and_then(|json| json.get("isError")?.as_bool()).unwrap_or(false);
            if failed { Expect::IsError } else { Expect::Ok }
        }
    };
    if expect == Expect::Any || came == expect {
        return None;
    }
    let called = |expect| match expect {
        Expect::Ok => "a result",
        Expect::IsError => "a result with isError",
        Expect::Error => "an error",
        Expect::Any => "an answer",
    };
    Some(format!("it was answered with {}, expected was {}", called(came), called(expect)))
}

/// Params with a `_meta`.
fn with_meta(params: Option<String>, meta: Option<String>) -> Result<Option<String>, String> {
    let Some(meta) = meta else { return Ok(params) };
    let Some(params) = params else { return Ok(Some(format!("{{\"_meta\":{meta}}}"))) };
    let inside = params.trim_start().strip_prefix('{').ok_or("`meta` needs params that are an object")?;
    let comma = if inside.trim_start().starts_with('}') { "" } else { "," };
    Ok(Some(format!("{{\"_meta\":{meta}{comma}{inside}")))
}

/// A template's URI, with the members of a JSON object as values.
fn expanded(template: &str, arguments: &str) -> Result<String, String> {
    let template = Template::read(template).map_err(|error| error.to_string())?;
    let json =
        Json::parse(arguments.as_bytes()).map_err(|fault| format!("the arguments are no JSON: {}", fault.what))?;
    let values = json.members().filter_map(|(name, value)| Some((name.text()?.into_owned(), Value::of_json(value)?)));
    template.expand(&values.collect()).map_err(|error| error.to_string())
}

fn told<'a>(what: &str, names: impl Iterator<Item = &'a String>) -> String {
    let names: Vec<&str> = names.map(String::as_str).collect();
    if names.is_empty() { format!("there are no {what}") } else { format!("{what}: {}", names.join(", ")) }
}
