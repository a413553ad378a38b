//! One typed word as the JSON that a schema asks for. Nothing is refused: what fits nowhere is sent as a string, and
//! that is said.

use super::shape::Shape;
use crate::wire::{Json, JsonKind, quote};

/// The JSON text of what was typed for a place, and what is to be said about it. A schema that takes strings gets
/// one, so that `007` and `null` stay texts; where it takes none, the text is read as what it takes.
pub(super) fn typed(text: &str, shape: &Shape<'_>, key: &str) -> (Vec<u8>, Option<String>) {
    if let Some(value) = shape.listed(text) {
        return (value.raw().to_vec(), None);
    }
    let types = shape.types();
    let string = || quote(text).into_bytes();
    if types.is_unknown() || types.has(JsonKind::String) {
        return (string(), None);
    }
    match Json::parse(text.as_bytes()) {
        Ok(json) if types.has(json.kind()) => (json.raw().to_vec(), None),
        _ => {
            let words = types.words();
            (
                string(),
                Some(format!(
                    "{key}: {text:?} is no {words}, which the tool's schema asks for; it is sent as a string"
                )),
            )
        }
    }
}
