//! Real servers take what is made up for their tools: the instance goes through the form and over the wire. They may
//! refuse what it asks for (there is no such file), but never its shape. It needs the peers that
//! shared/peers/setup.sh installs; PEERS and `MIDWIRE_PEERS` say where they are when they lie elsewhere.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use midwire::engine::client::{Environment, Happening, Way};
use midwire::peer::client::{EraChoice, Kind, Order, Outcome, Reply, Settings, Told};
use midwire::schema::{Form, Schema, sample};
use midwire::wire::{Json, quote};

use super::session::Talk;

/// What servers say when arguments do not fit their schema.
const COMPLAINTS: [&str; 8] = [
    "validation error",
    "invalid arguments",
    "invalid_type",
    "invalid_value",
    "-32602",
    "failed to deserialize",
    "required property",
    "is not of type",
];

fn peers() -> PathBuf {
    let home = env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let place = env::var_os("PEERS").map_or_else(|| home.join("mcp-peers"), PathBuf::from);
    assert!(place.is_dir(), "{}: run shared/peers/setup.sh first, or set PEERS", place.display());
    place
}

fn driver(name: &str) -> String {
    let folder = env::var_os("MIDWIRE_PEERS").map_or_else(|| PathBuf::from("/work/shared/peers"), PathBuf::from);
    folder.join(name).display().to_string()
}

/// Calls each tool of a server with what is made up for it; how many there were.
fn calls_each_tool(command: &[String], era: EraChoice) -> usize {
    let way = Way::Command { command: command.to_vec(), folder: None, environment: Environment::default() };
    let settings = Settings { era, sampling: Reply::Made, elicitation: Reply::Made, ..Settings::default() };
    let mut talk = Talk::open(way, settings);
    let list = talk.number();
    talk.order(Order::List(list, Kind::Tools));
    let items = talk.until("the list of tools", |happening| match happening {
        Happening::Told(Told::List(_, list)) if list.next.is_none() => Some(list.items.clone()),
        _ => None,
    });
    for tool in items.iter() {
        let json = Json::parse(&tool.json).expect("a tool");
        let schema = Arc::new(Schema::read(json.get("inputSchema").expect("an inputSchema").raw()));
        assert!(schema.faults().is_empty(), "{}: {:?}", tool.key, schema.faults());
        let made = sample(&schema).unwrap_or_else(|| panic!("nothing fits {}", tool.key));
        let mut form = Form::new(schema);
        form.fill(made.as_bytes()).expect("it is JSON");
        assert_eq!(form.text(), made, "{}", tool.key);
        let params = format!(r#"{{"name":{},"arguments":{}}}"#, quote(&tool.key), form.text());
        let call = talk.ask("tools/call", &params);
        let said = match talk.ended(call) {
            Outcome::Result(result) => String::from_utf8_lossy(&result).into_owned(),
            Outcome::Error(error) => String::from_utf8_lossy(&error).into_owned(),
            other => format!("{other:?}"),
        };
        println!("{} {params}: {}", tool.key, said.chars().take(160).collect::<String>());
        // A result that is none of arguments: a tool that answers with its task, or reads a file of errors.
        let lower = said.to_lowercase();
        let complaint = COMPLAINTS.iter().find(|complaint| lower.contains(**complaint));
        assert!(complaint.is_none(), "{} refused {params}: {said}", tool.key);
    }
    talk.end();
    items.len()
}

fn words(parts: &[&str]) -> Vec<String> {
    parts.iter().map(|part| (*part).to_owned()).collect()
}

/// A command of the installed peers, its first words being paths below their folder.
fn peer(program: &str, rest: &[&str]) -> Vec<String> {
    let mut command = vec![peers().join(program).display().to_string()];
    command.extend(words(rest));
    command
}

fn node(server: &str, rest: &[&str]) -> Vec<String> {
    let place = peers();
    let node = place.join("node22/node_modules/node/bin/node").display().to_string();
    let script = place.join(format!("servers/node_modules/@modelcontextprotocol/{server}/dist/index.js"));
    let mut command = vec![node, script.display().to_string()];
    command.extend(words(rest));
    command
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn server_everything_takes_what_is_made_up() {
    assert!(calls_each_tool(&node("server-everything", &["stdio"]), EraChoice::Auto) >= 13);
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn files_memory_and_thinking_take_what_is_made_up() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().display().to_string();
    assert!(calls_each_tool(&node("server-filesystem", &[&path]), EraChoice::Auto) >= 14);
    assert!(calls_each_tool(&node("server-sequential-thinking", &[]), EraChoice::Auto) >= 1);
    let memory = format!("MEMORY_FILE_PATH={path}/memory.json");
    let command = [words(&["env", &memory]), node("server-memory", &[])].concat();
    assert!(calls_each_tool(&command, EraChoice::Auto) >= 9);
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn python_servers_take_what_is_made_up_in_both_eras() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().display().to_string();
    assert!(Command::new("git").args(["init", "-q", &path]).status().is_ok_and(|status| status.success()));
    fs::write(folder.path().join("a.txt"), "text\n").expect("a file");
    let database = format!("{path}/a.db");
    for era in [EraChoice::Auto, EraChoice::Legacy] {
        assert!(calls_each_tool(&peer("py-servers/bin/mcp-server-git", &["-r", &path]), era.clone()) >= 12);
        assert!(calls_each_tool(&peer("py-servers/bin/mcp-server-time", &[]), era.clone()) >= 2);
        let fm = driver("fm.py");
        assert!(calls_each_tool(&peer("py-fastmcp/bin/python", &[&fm]), era) >= 4);
    }
    assert!(calls_each_tool(&peer("py-mcp1/bin/mcp-server-sqlite", &["--db-path", &database]), EraChoice::Auto) >= 6);
}

#[test]
#[ignore = "needs the peers that shared/peers/setup.sh installs"]
fn the_typescript_sdk_takes_what_is_made_up_in_both_eras() {
    let place = peers().display().to_string();
    let (node, server) = (format!("{place}/node22/node_modules/node/bin/node"), driver("ts-server.mjs"));
    for era in [EraChoice::Auto, EraChoice::Legacy] {
        assert!(calls_each_tool(&words(&[&node, &server, "--peers", &place]), era) >= 3);
    }
}
