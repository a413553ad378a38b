//! `midwire listen`: subscribes in the way of the server's era and prints each notification as a line of JSON, until
//! it is told to end.

use std::ffi::OsString;
use std::time::Duration;

use clap::Args;

use super::class::Class;
use super::object::one_line;
use super::seat::Seat;
use super::{Done, Shared, begin, printed, words};
use crate::cli::failure::Failure;
use crate::model::Era;
use crate::peer::client::{Call, CallId, Order, Told};
use crate::wire::quote;

const EXAMPLES: &str = "\
Examples:
  midwire listen https://example.com/mcp
  midwire listen URL --uri file:///a.txt --uri file:///b.txt --for 60
  midwire listen URL --filter '{\"toolsListChanged\":true}' | jq .method
  midwire listen --log-level debug -- some-server

In 2026-07-28 it opens subscriptions/listen, for every kind of change unless --filter says which. Before, it
asks with resources/subscribe for each --uri, and the session's own stream brings the rest. Each notification
is printed on one line. It ends with Ctrl-C or after --for, with exit code 0.";

/// The words of `midwire listen`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Listen {
    /// A URL or the name of a server (not with -- COMMAND)
    #[arg(value_name = "TARGET")]
    words: Vec<String>,
    /// A resource whose updates are wanted (repeatable)
    #[arg(long, value_name = "URI")]
    uri: Vec<String>,
    /// What to listen for in 2026-07-28 (the member notifications): JSON, @FILE or -
    #[arg(long, value_name = "JSON")]
    filter: Option<String>,
    /// End after this time
    #[arg(long = "for", value_name = "SECONDS")]
    seconds: Option<f64>,
    #[command(flatten)]
    shared: Shared,
    /// The server's command with its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

impl Listen {
    pub(in crate::cli) fn run(self) -> Done {
        let filter = self.filter.as_ref().map(|text| words::json(text, "--filter")).transpose()?;
        let filter = filter.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let (mut seat, rest) = begin(&self.words, self.command, &self.shared)?;
        let done = match rest.first() {
            Some(word) => Err(Failure::said(format!("{word:?} is one word too many: only the server is named"))),
            None => run(&mut seat, &self.uri, filter, self.seconds),
        };
        seat.leave();
        done
    }
}

/// Subscribes and prints until the end.
pub(in crate::cli) fn run(seat: &mut Seat, uris: &[String], filter: Option<String>, seconds: Option<f64>) -> Done {
    if let Some(seconds) = seconds {
        let after = Duration::try_from_secs_f64(seconds);
        seat.alarm(after.map_err(|_| Failure::said("--for takes a number of seconds, such as 60 or 0.5"))?)?;
    }
    let peer = match seat.opened() {
        Ok(peer) => peer,
        Err(class) => return Ok(class),
    };
    let call = if peer.era == Era::Modern {
        let filter = filter.unwrap_or_else(|| everything(uris));
        Some(seat.order(|id| Order::Listen(id, filter)))
    } else {
        for uri in uris {
            let params = format!(r#"{{"uri":{}}}"#, quote(uri)).into_bytes();
            let method = "resources/subscribe".to_owned();
            let ended = seat.call(Call { method, params: Some(params), ..Call::default() });
            if ended.class() != Class::Fine {
                printed::say(seat, &ended);
                return Ok(ended.class());
            }
        }
        None
    };
    seat.voice.note("listening");
    print(seat, call)
}

/// All that can be listened for.
fn everything(uris: &[String]) -> String {
    let lists = r#""toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true"#;
    if uris.is_empty() {
        return format!("{{{lists}}}");
    }
    let uris = uris.iter().map(|uri| quote(uri)).collect::<Vec<_>>().join(",");
    format!(r#"{{{lists},"resourceSubscriptions":[{uris}]}}"#)
}

fn print(seat: &mut Seat, listens: Option<CallId>) -> Done {
    while let Some(told) = seat.hear(None) {
        match told {
            Told::Notified { message, .. } => printed::json(&one_line(&message))?,
            Told::Ended { call, outcome, .. } if Some(call) == listens => {
                let class = Class::of(&outcome);
                if class == Class::Fine {
                    seat.voice.note("the server has ended the stream");
                } else {
                    printed::outcome(seat, &outcome);
                }
                return Ok(class);
            }
            _ => {}
        }
    }
    match seat.accident() {
        Some(why) => {
            seat.voice.warn(why);
            Ok(Class::Connection)
        }
        None => Ok(Class::Fine),
    }
}
