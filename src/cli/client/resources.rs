//! `midwire resources`: the list, the templates, reading one, filling in a template, completing its variables, and
//! waiting for changes.

use std::collections::BTreeMap;
use std::ffi::OsString;

use clap::Args;

use super::arguments::{Given, strings};
use super::lists::{Pages, all};
use super::seat::Seat;
use super::{Done, Shared, begin, completion, listen, printed};
use crate::cli::failure::Failure;
use crate::mcp::template::{Template, Value};
use crate::peer::client::{Call, Kind};
use crate::wire::{Json, quote};

const EXAMPLES: &str = "\
Examples:
  midwire resources URL                                   the list
  midwire resources URL templates
  midwire resources URL read file:///a.txt
  midwire resources URL read 'demo://item/{id}{?q}' --var id=7 --var q=é --var 'tags:=[\"a\",\"b\"]'
  midwire resources URL complete 'demo://item/{id}' id=7
  midwire resources URL subscribe file:///a.txt --for 60  prints each notification as a line

With --var the URI is a template (RFC 6570). A server's command stands behind -- as always:
  midwire resources read file:///a.txt -- some-server";

/// The words of `midwire resources`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Resources {
    /// A URL or the name of a server (not with -- COMMAND), and perhaps: templates, read URI, complete TEMPLATE
    /// NAME=BEGINNING, subscribe URI…
    #[arg(value_name = "TARGET] [WHAT] [URI")]
    words: Vec<String>,
    /// Value of a template's variable (repeatable): NAME=TEXT or NAME:=JSON
    #[arg(long, value_name = "NAME=VALUE")]
    var: Vec<String>,
    /// With subscribe: end after this time
    #[arg(long = "for", value_name = "SECONDS")]
    seconds: Option<f64>,
    #[command(flatten)]
    pages: Pages,
    #[command(flatten)]
    shared: Shared,
    /// The server's command with its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

impl Resources {
    pub(in crate::cli) fn run(self) -> Done {
        let (mut seat, rest) = begin(&self.words, self.command.clone(), &self.shared)?;
        let done = self.carry_out(&mut seat, &rest);
        seat.leave();
        done
    }

    fn carry_out(&self, seat: &mut Seat, rest: &[String]) -> Done {
        let words: Vec<&str> = rest.iter().map(String::as_str).collect();
        match &words[..] {
            [] | ["list"] => all(seat, Kind::Resources, &self.pages, &self.shared),
            ["templates"] => all(seat, Kind::Templates, &self.pages, &self.shared),
            ["read", uri] => self.read(seat, uri),
            ["subscribe", uris @ ..] if !uris.is_empty() => {
                let uris = uris.iter().map(|&uri| uri.to_owned()).collect::<Vec<_>>();
                listen::run(seat, &uris, None, self.seconds)
            }
            ["complete", template, argument, context @ ..] => {
                let about = format!(r#"{{"type":"ref/resource","uri":{}}}"#, quote(template));
                completion::run(seat, &about, argument, context, self.shared.place.envelope)
            }
            _ => Err(Failure::said(
                "midwire resources takes: nothing (the list), templates, read URI, complete TEMPLATE NAME=BEGINNING, or \
                 subscribe URI…",
            )),
        }
    }

    fn read(&self, seat: &mut Seat, uri: &str) -> Done {
        let uri = if self.var.is_empty() { uri.to_owned() } else { self.expanded(seat, uri)? };
        let params = format!(r#"{{"uri":{}}}"#, quote(&uri)).into_bytes();
        let call = Call { method: "resources/read".to_owned(), params: Some(params), ..Call::default() };
        let ended = seat.call(call);
        printed::ended(seat, &ended, self.shared.place.envelope)
    }

    /// The URI that the template makes of the values.
    fn expanded(&self, seat: &Seat, text: &str) -> Result<String, Failure> {
        let template = Template::read(text).map_err(|error| Failure::of(&error))?;
        let given: Vec<Given> =
            self.var.iter().map(|word| Given::read(word)).collect::<Result<_, _>>().map_err(Failure::Said)?;
        let values = strings(&given).map_err(Failure::Said)?;
        let json = Json::parse(&values).map_err(|fault| Failure::said(format!("--var: {fault}")))?;
        let values: BTreeMap<String, Value> = json
            .members()
            .filter_map(|(name, value)| Some((name.text()?.into_owned(), Value::of_json(value)?)))
            .collect();
        for name in values.keys().filter(|name| !template.variables().iter().any(|known| known.name == **name)) {
            seat.voice.warn(&format!("the template has no variable {name}"));
        }
        let uri = template.expand(&values).map_err(|error| Failure::of(&error))?;
        seat.voice.note(&format!("reading {uri}"));
        Ok(uri)
    }
}
