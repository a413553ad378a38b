//! Completions that the script lists (CM-*): values that begin with what was typed, a hundred at the most.

use super::fault::{Fault, PARAMS};
use super::machine::Server;
use super::{Kind, RequestNo};
use crate::model::Nanos;
use crate::wire::{Json, quote};

/// How many values one answer has.
const MOST: usize = 100;

impl Server {
    /// The protocol's own answer to `completion/complete`.
    pub(super) fn own_completion(&mut self, now: Nanos, no: RequestNo) {
        match self.completed(no) {
            Ok(result) => self.fulfil(now, no, result.into()),
            Err(why) => self.refuse(now, no, &Fault::new(PARAMS, why)),
        }
    }

    fn completed(&self, no: RequestNo) -> Result<String, String> {
        let params = self.flights.get(no).and_then(|flight| flight.params()).and_then(|text| Json::parse(text).ok());
        let text = |pointer: &str| {
            let found = params.and_then(|params| params.pointer(pointer)?.text());
            found.ok_or_else(|| format!("params{} is no string", pointer.replace('/', ".")))
        };
        let (key, kinds): (_, &[Kind]) = match &*text("/ref/type")? {
            "ref/prompt" => ("name", &[Kind::Prompts]),
            "ref/resource" => ("uri", &[Kind::Templates, Kind::Resources]),
            other => return Err(format!("params.ref.type {} is neither ref/prompt nor ref/resource", quote(other))),
        };
        let (of, argument, typed) = (text(&format!("/ref/{key}"))?, text("/argument/name")?, text("/argument/value")?);
        let listed = self.script.about().completions.iter().find(|(known, name, _)| *known == of && *name == argument);
        let Some((_, _, values)) = listed else {
            let known = kinds.iter().any(|kind| self.script.list(*kind).iter().any(|item| is_called(*kind, item, &of)));
            return if known { Ok(answer(&[], 0)) } else { Err(format!("there is no {} {of}", key_word(key))) };
        };
        let typed = typed.to_lowercase();
        let fits: Vec<&str> =
            values.iter().map(String::as_str).filter(|value| value.to_lowercase().starts_with(&typed)).collect();
        Ok(answer(&fits[..fits.len().min(MOST)], fits.len()))
    }
}

fn key_word(key: &str) -> &'static str {
    if key == "name" { "prompt" } else { "resource or template" }
}

fn is_called(kind: Kind, item: &[u8], name: &str) -> bool {
    let key = match kind {
        Kind::Templates => "uriTemplate",
        Kind::Resources => "uri",
        _ => "name",
    };
    Json::parse(item).is_ok_and(|item| item.get(key).is_some_and(|value| value.is_text(name)))
}

fn answer(values: &[&str], total: usize) -> String {
    let quoted: Vec<String> = values.iter().map(|value| quote(value)).collect();
    let more = total > values.len();
    format!("{{\"completion\":{{\"values\":[{}],\"total\":{total},\"hasMore\":{more}}}}}", quoted.join(","))
}
