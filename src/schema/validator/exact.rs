//! From exact JSON to the values that the checker counts with, and which numbers that changed.

use serde_json::{Map, Number, Value};

use crate::schema::number::is_exact;
use crate::schema::refs::push_step;
use crate::schema::tree::DEEPEST;
use crate::wire::{Json, JsonKind};

/// More numbers than this are not told apart.
const MOST: usize = 1000;

/// The numbers that the machine cannot hold: where they are and what they were.
#[derive(Debug, Default)]
pub(super) struct Inexact {
    numbers: Vec<(String, String)>,
}

impl Inexact {
    /// The number at this place.
    pub(super) fn at(&self, pointer: &str) -> Option<&str> {
        self.numbers.iter().find(|(place, _)| place == pointer).map(|(_, number)| number.as_str())
    }

    /// Whether one lies at this place or below it.
    pub(super) fn below(&self, pointer: &str) -> bool {
        self.numbers
            .iter()
            .any(|(place, _)| place.strip_prefix(pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
    }
}

/// The value that is checked; nothing where it is nested too deep.
pub(super) fn to_value(json: Json<'_>, inexact: &mut Inexact) -> Option<Value> {
    read(json, 0, &mut String::new(), inexact)
}

fn read(json: Json<'_>, depth: usize, pointer: &mut String, inexact: &mut Inexact) -> Option<Value> {
    if depth > DEEPEST {
        return None;
    }
    let length = pointer.len();
    Some(match json.kind() {
        JsonKind::Null => Value::Null,
        JsonKind::Bool => Value::Bool(json.as_bool() == Some(true)),
        JsonKind::String => Value::String(json.text().unwrap_or_default().into_owned()),
        JsonKind::Number => {
            let text = json.number().unwrap_or_default();
            if !is_exact(text) && inexact.numbers.len() < MOST {
                inexact.numbers.push((pointer.clone(), text.to_owned()));
            }
            Value::Number(nearest(text))
        }
        JsonKind::Array => {
            let mut items = Vec::new();
            for (at, item) in json.items().enumerate() {
                push_step(pointer, &at.to_string());
                items.push(read(item, depth + 1, pointer, inexact)?);
                pointer.truncate(length);
            }
            Value::Array(items)
        }
        JsonKind::Object => {
            let mut members = Map::new();
            for (name, value) in json.members() {
                let name = name.text().unwrap_or_default();
                push_step(pointer, &name);
                members.insert(name.into_owned(), read(value, depth + 1, pointer, inexact)?);
                pointer.truncate(length);
            }
            Value::Object(members)
        }
    })
}

/// The number itself, or the nearest that there is.
fn nearest(text: &str) -> Number {
    if let Ok(number) = text.parse::<i64>() {
        return number.into();
    }
    if let Ok(number) = text.parse::<u64>() {
        return number.into();
    }
    let number: f64 = text.parse().unwrap_or(0.0);
    let zero = number == 0.0
        && text.bytes().take_while(|byte| !matches!(byte, b'e' | b'E')).any(|byte| (b'1'..=b'9').contains(&byte));
    let number = if zero { f64::MIN_POSITIVE.copysign(number) } else { number.clamp(f64::MIN, f64::MAX) };
    Number::from_f64(number).unwrap_or_else(|| 0.into())
}
