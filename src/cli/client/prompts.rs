//! `midwire prompts`: the list, getting one, and completing its arguments.

use std::ffi::OsString;

use clap::Args;

use super::arguments::{Given, strings};
use super::lists::{Pages, all};
use super::seat::Seat;
use super::{Done, Shared, begin, completion, printed};
use crate::cli::failure::Failure;
use crate::peer::client::{Call, Kind};
use crate::wire::quote;

const EXAMPLES: &str = "\
Examples:
  midwire prompts URL                                the list
  midwire prompts URL get greet name=Ada style=formal
  midwire prompts URL complete greet style=fo        what the argument may go on as
  midwire prompts URL complete greet style=fo name=Ada
  midwire prompts get greet name=Ada -- some-server

Arguments of prompts are strings; key:=JSON sends anything else.";

/// The words of `midwire prompts`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Prompts {
    /// A URL or the name of a server (not with -- COMMAND), and perhaps: get NAME KEY=VALUE…, complete NAME
    /// KEY=BEGINNING
    #[arg(value_name = "TARGET] [WHAT] [NAME] [KEY=VALUE")]
    words: Vec<String>,
    #[command(flatten)]
    pages: Pages,
    #[command(flatten)]
    shared: Shared,
    /// The server's command with its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

impl Prompts {
    pub(in crate::cli) fn run(self) -> Done {
        let (mut seat, rest) = begin(&self.words, self.command.clone(), &self.shared)?;
        let done = self.carry_out(&mut seat, &rest);
        seat.leave();
        done
    }

    fn carry_out(&self, seat: &mut Seat, rest: &[String]) -> Done {
        let words: Vec<&str> = rest.iter().map(String::as_str).collect();
        match &words[..] {
            [] | ["list"] => all(seat, Kind::Prompts, &self.pages, &self.shared),
            ["get", name, given @ ..] => self.get(seat, name, given),
            ["complete", name, argument, context @ ..] => {
                let about = format!(r#"{{"type":"ref/prompt","name":{}}}"#, quote(name));
                completion::run(seat, &about, argument, context, self.shared.place.envelope)
            }
            _ => Err(Failure::said(
                "midwire prompts takes: nothing (the list), get NAME KEY=VALUE…, or complete NAME KEY=BEGINNING",
            )),
        }
    }

    fn get(&self, seat: &mut Seat, name: &str, given: &[&str]) -> Done {
        let given: Vec<Given> =
            given.iter().map(|word| Given::read(word)).collect::<Result<_, _>>().map_err(Failure::Said)?;
        let mut params = format!(r#"{{"name":{}"#, quote(name)).into_bytes();
        if !given.is_empty() {
            params.extend_from_slice(br#","arguments":"#);
            params.extend(strings(&given).map_err(Failure::Said)?);
        }
        params.push(b'}');
        let call = Call { method: "prompts/get".to_owned(), params: Some(params), ..Call::default() };
        let ended = seat.call(call);
        printed::ended(seat, &ended, self.shared.place.envelope)
    }
}
