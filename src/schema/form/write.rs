//! From a form to the JSON that is sent. Text is taken as it is typed; what does not read as the field wants is
//! sent as a string, so that a bad call can be made, and a field in which nothing is typed is not sent.

use super::Form;
use super::item::{Body, Item, Place, Reading};
use crate::schema::canon::compact;
use crate::schema::number::is_number;
use crate::schema::{FieldId, Presence};
use crate::wire::{Json, quote};

impl Form {
    pub(super) fn write(&self, id: FieldId, out: &mut String) {
        let Some(item) = self.item(id) else { return };
        match (item.presence, &item.body) {
            (Presence::Null, _) => out.push_str("null"),
            (Presence::Empty, _) => out.push_str(item.empty()),
            (_, Body::Leaf(reading, text)) => out.push_str(&leaf(*reading, text).unwrap_or_else(|| nothing(item))),
            (_, Body::Multi(chosen)) => out.push_str(&multi(item, chosen)),
            (_, Body::Object { written, .. }) => self.members_out(written, out),
            (_, Body::Array(items)) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at == 0 { "" } else { "," });
                    self.write(*item, out);
                }
                out.push(']');
            }
            (_, Body::Union { chosen, inner }) => match chosen.and_then(|at| inner.get(at).copied().flatten()) {
                Some(inner) => self.write(inner, out),
                None => out.push_str("null"),
            },
            (_, Body::Unmade) => out.push_str(&nothing(item)),
        }
    }

    fn members_out(&self, written: &[FieldId], out: &mut String) {
        out.push('{');
        let mut first = true;
        for child in written {
            let Some(Place::Member(name)) = self.item(*child).map(|item| &item.place) else { continue };
            if !self.is_sent(*child) {
                continue;
            }
            out.push_str(if first { "" } else { "," });
            first = false;
            out.push_str(&quote(name));
            out.push(':');
            self.write(*child, out);
        }
        out.push('}');
    }

    /// Whether a member is sent: it is not omitted, and something is typed or chosen where nothing is no value.
    pub(super) fn is_sent(&self, id: FieldId) -> bool {
        let Some(item) = self.item(id) else { return false };
        match (item.presence, &item.body) {
            (Presence::Omit, _) | (Presence::Value, Body::Unmade) => false,
            (Presence::Value, Body::Leaf(reading, text)) => leaf(*reading, text).is_some(),
            (Presence::Value, Body::Union { chosen, inner }) => {
                chosen.and_then(|at| inner.get(at).copied().flatten()).is_some_and(|inner| self.is_sent(inner))
            }
            _ => true,
        }
    }
}

/// What stands for a value in which nothing is typed, where it cannot be left out.
fn nothing(item: &Item) -> String {
    if item.place == Place::Root && item.shape.types.meets(crate::schema::shape::Types::OBJECT) {
        return "{}".to_owned();
    }
    "null".to_owned()
}

fn multi(item: &Item, chosen: &[usize]) -> String {
    let crate::schema::shape::Kind::Multi(choices) = &item.shape.kind else { return "[]".to_owned() };
    let texts: Vec<&str> = chosen.iter().filter_map(|at| choices.get(*at)).map(|(_, text)| text.as_str()).collect();
    format!("[{}]", texts.join(","))
}

/// The JSON of a leaf; nothing where nothing is typed and that is no value.
pub(super) fn leaf(reading: Reading, text: &str) -> Option<String> {
    let trimmed = text.trim();
    match reading {
        Reading::Text => Some(quote(text)),
        _ if trimmed.is_empty() => None,
        Reading::Number if is_number(trimmed) => Some(trimmed.to_owned()),
        Reading::Number => Some(quote(text)),
        Reading::Json => Some(Json::parse(text.as_bytes()).map_or_else(|_| quote(text), compact)),
    }
}

/// What is to be said of how a leaf is sent.
pub(super) fn remark(reading: Reading, text: &str) -> Option<String> {
    let trimmed = text.trim();
    match reading {
        Reading::Text => None,
        _ if trimmed.is_empty() => Some("nothing is typed".to_owned()),
        Reading::Number if is_number(trimmed) => None,
        Reading::Number => Some("this is no number of JSON; it is sent as a string".to_owned()),
        Reading::Json => match Json::parse(text.as_bytes()) {
            Ok(_) => None,
            Err(fault) => Some(format!("this is not JSON (byte {}: {}); it is sent as a string", fault.at, fault.what)),
        },
    }
}
