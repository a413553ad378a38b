//! `midwire conformance-client`: the client under test of the official conformance suite. It does what the scenario
//! asks for with the same client that all other commands use; nothing in it answers for the client.

use clap::Args;

use super::class::Class;
use super::seat::Seat;
use super::words::Shared;
use super::{Done, target};
use crate::cli::failure::Failure;
use crate::model::Revision;
use crate::peer::client::{Call, EraChoice, Item, Kind, Reply, Settings};
use crate::wire::{Json, JsonKind, quote};

/// The words, which the suite puts behind the command.
#[derive(Debug, Args)]
pub(in crate::cli) struct Conformance {
    #[command(flatten)]
    shared: Shared,
    /// Where the suite's server is
    url: String,
}

impl Conformance {
    pub(in crate::cli) fn run(self) -> Done {
        let variable = |name: &str| std::env::var(name).unwrap_or_default();
        let scenario = variable("MCP_CONFORMANCE_SCENARIO");
        let revision = Revision::from_text(&variable("MCP_CONFORMANCE_PROTOCOL_VERSION"));
        let context = variable("MCP_CONFORMANCE_CONTEXT");
        let settings = Settings {
            era: EraChoice::Pinned(revision),
            elicitation: Reply::Made,
            sampling: Reply::Made,
            ..self.shared.manner.settings(Settings::default())?
        };
        let (target, _) = target::split(&[self.url], Vec::new(), &self.shared.server, Some("conformance"))?;
        let mut seat = Seat::start(target, settings, &self.shared)?;
        let done = match seat.opened() {
            Ok(_) => scenario_of(&scenario)(&mut seat, &context),
            Err(class) => Ok(class),
        };
        seat.leave();
        done
    }
}

type Scenario = fn(&mut Seat, &str) -> Done;

/// What a scenario asks of its client. Most want the tools to be listed and called.
fn scenario_of(name: &str) -> Scenario {
    match name {
        "http-standard-headers" => everything,
        "http-custom-headers" => as_told,
        "http-invalid-tool-headers" => the_valid,
        "json-schema-2020-12-preservation" => schema_back,
        "json-schema-ref-no-deref" | "initialize" => listed,
        _ => each,
    }
}

/// The tools; listing them must go well.
fn tools(seat: &mut Seat) -> Result<Vec<Item>, Failure> {
    let (list, ended) = seat.list(Kind::Tools);
    if ended.class() != Class::Fine {
        return Err(Failure::said(format!("failed to list the tools: {:?}", ended.outcome)));
    }
    Ok(list.map(|list| list.items.iter().cloned().collect()).unwrap_or_default())
}

fn request(seat: &mut Seat, method: &str, params: String) -> Done {
    let ended = seat.call(Call { method: method.to_owned(), params: Some(params.into_bytes()), ..Call::default() });
    super::printed::say(seat, &ended);
    Ok(ended.class())
}

fn call(seat: &mut Seat, name: &str, arguments: &str) -> Done {
    request(seat, "tools/call", format!(r#"{{"name":{},"arguments":{arguments}}}"#, quote(name)))
}

fn listed(seat: &mut Seat, _: &str) -> Done {
    tools(seat).map(|_| Class::Fine)
}

/// Calls each tool with arguments that fit its schema.
fn each(seat: &mut Seat, _: &str) -> Done {
    for tool in tools(seat)? {
        let json = Json::parse(&tool.json).map_err(|fault| Failure::said(fault.to_string()))?;
        let schema = json.get("inputSchema").map_or(&b"{}"[..], |schema| schema.raw());
        let schema = crate::schema::Schema::read(schema);
        let arguments = crate::schema::sample(&schema).unwrap_or_else(|| "{}".to_owned());
        let class = call(seat, &tool.key, &arguments)?;
        if class != Class::Fine {
            return Ok(class);
        }
    }
    Ok(Class::Fine)
}

/// Lists and uses one of everything.
fn everything(seat: &mut Seat, context: &str) -> Done {
    each(seat, context)?;
    for (kind, method, member) in [(Kind::Resources, "resources/read", "uri"), (Kind::Prompts, "prompts/get", "name")] {
        let (list, _) = seat.list(kind);
        for item in list.map(|list| list.items.iter().cloned().collect::<Vec<_>>()).unwrap_or_default() {
            request(seat, method, format!(r#"{{"{member}":{}}}"#, quote(&item.key)))?;
        }
    }
    Ok(Class::Fine)
}

/// Makes the calls that the context lists.
fn as_told(seat: &mut Seat, context: &str) -> Done {
    tools(seat)?;
    let context = Json::parse(context.as_bytes()).map_err(|fault| Failure::said(format!("the context: {fault}")))?;
    let calls = context.get("toolCalls").ok_or_else(|| Failure::said("the context has no toolCalls"))?;
    for told in calls.items() {
        let name = told.get("name").and_then(|name| name.text()).unwrap_or_default().into_owned();
        let arguments = told.get("arguments").map_or(&b"{}"[..], |arguments| arguments.raw());
        call(seat, &name, &String::from_utf8_lossy(arguments))?;
    }
    Ok(Class::Fine)
}

/// Calls the tools that can be called over HTTP: those without a fault.
fn the_valid(seat: &mut Seat, _: &str) -> Done {
    for tool in tools(seat)? {
        if tool.faults.is_empty() {
            call(seat, &tool.key, r#"{"region":"us-west1"}"#)?;
        }
    }
    Ok(Class::Fine)
}

/// Gives back the schema of the one tool as an argument of the other.
fn schema_back(seat: &mut Seat, _: &str) -> Done {
    let tools = tools(seat)?;
    let schema = tools.iter().find_map(|tool| {
        let schema = Json::parse(&tool.json).ok()?.get("inputSchema")?;
        let known = schema.get("$schema").is_some() && schema.kind() == JsonKind::Object;
        known.then(|| String::from_utf8_lossy(schema.raw()).into_owned())
    });
    let schema = schema.ok_or_else(|| Failure::said("no tool has a schema with $schema"))?;
    call(seat, "json_schema_echo", &format!(r#"{{"schema":{schema}}}"#))
}
