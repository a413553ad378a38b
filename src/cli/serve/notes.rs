//! What is said on stderr while a server serves: where it listens, what was asked, which rule answered.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::cli::{figures, out, safe};
use crate::engine::serve::Happening;
use crate::peer::server::{Ended, RequestNo, Told};
use crate::wire::Json;

/// So many requests are remembered until they end.
const MOST: usize = 10_000;
/// So much of a method or error is said.
const LONGEST: usize = 200;

/// What is said.
#[derive(Debug)]
pub(super) struct Notes {
    quiet: bool,
    /// Requests are told of; on stdio a host would show them as faults.
    requests: bool,
    open: Mutex<HashMap<RequestNo, (String, String)>>,
}

impl Notes {
    pub(super) fn new(quiet: bool, requests: bool) -> Self {
        Self { quiet, requests: requests && !quiet, open: Mutex::default() }
    }

    /// Says a line, unless nothing is to be said.
    pub(super) fn say(&self, line: &str) {
        if !self.quiet {
            out::problem(&safe::line(line));
        }
    }

    /// Says what happens.
    pub(super) fn tell(&self, happening: &Happening) {
        match happening {
            Happening::Source(Ok(words)) => self.say(&format!("serving {words}")),
            // What goes wrong is said however quiet it is.
            Happening::Source(Err(why)) => {
                out::problem(&safe::line(&format!("failed to {why}; what was read before is served")));
            }
            Happening::Over(why) => self.say(&format!("it is over: {why}")),
            Happening::Told(told) if self.requests => self.told(told),
            Happening::Told(_) | Happening::Lists(_) => {}
        }
    }

    fn told(&self, told: &Told) {
        match told {
            Told::Asked { request, method, message, .. } => {
                let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
                if open.len() < MOST {
                    open.insert(*request, (asked(method, message), String::new()));
                }
            }
            Told::Matched { request, by, place, .. } => {
                let place = place.map(|place| format!(" ({place})")).unwrap_or_default();
                self.note(*request, format!("by {by}{place}"));
            }
            Told::Missed(request, miss) => self.note(*request, format!("missed: {}", miss.why)),
            Told::Ended { request, how, took } => {
                let ended = self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(request);
                if let Some((asked, by)) = ended {
                    let by = if by.is_empty() { String::new() } else { format!(", {by}") };
                    self.say(&short(&format!("{asked}: {}, {}{by}", ending(how), figures::duration(*took))));
                }
            }
            Told::Stray { why, .. } => self.say(&short(&format!("something that fits nowhere: {why}"))),
            Told::Note(_, text) => self.say(&short(text)),
            _ => {}
        }
    }

    fn note(&self, request: RequestNo, by: String) {
        if let Some((_, known)) = self.open.lock().unwrap_or_else(PoisonError::into_inner).get_mut(&request) {
            *known = by;
        }
    }
}

/// A method with what it is about.
fn asked(method: &str, message: &[u8]) -> String {
    let params = Json::parse(message).ok().and_then(|message| message.get("params"));
    let about = params.and_then(|params| params.get("name").or_else(|| params.get("uri"))).and_then(|name| name.text());
    about.map_or_else(|| method.to_owned(), |about| format!("{method} {about}"))
}

fn ending(how: &Ended) -> String {
    match how {
        Ended::Result(_) => "result".to_owned(),
        Ended::Error(error) => {
            let error = Json::parse(error).ok();
            let code = error.and_then(|error| error.get("code")).and_then(|code| code.number().map(str::to_owned));
            let why = error
                .and_then(|error| error.get("message"))
                .and_then(|text| text.text().map(std::borrow::Cow::into_owned));
            format!("error {} {}", code.unwrap_or_default(), why.unwrap_or_default()).trim().to_owned()
        }
        Ended::Otherwise(how) => how.clone(),
        Ended::Cancelled => "cancelled".to_owned(),
    }
}

fn short(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    let cut: String = text.chars().take(LONGEST).collect();
    format!("{cut}…")
}
