//! A shape in a few words: `integer, 1 to 50`, `string or null`, `one of 3`.

use super::limits::Range;
use super::{Kind, Shape, Types};
use crate::schema::read::Schema;

/// Patterns and defaults longer than this are cut, in characters.
const LONG: usize = 40;

pub(super) fn of(schema: &Schema, shape: &Shape, reference: Option<&str>, never: bool, item: &str) -> String {
    let mut parts = vec![what(shape, never, item)];
    if let (Kind::Object(_) | Kind::Union(_), Some(name)) = (&shape.kind, reference.filter(|name| !name.is_empty())) {
        parts.push(format!("$ref {}", cut(name)));
    }
    parts.extend(bounds(shape));
    if let (true, Some(first)) = (shape.nullable, parts.first_mut()) {
        first.push_str(" or null");
    }
    parts.extend(shape.default.map(|id| format!("default {}", cut(&schema.tree().json(id)))));
    parts.join(", ")
}

fn what(shape: &Shape, never: bool, item: &str) -> String {
    match &shape.kind {
        Kind::Any if never => "nothing is allowed".to_owned(),
        Kind::Any if shape.types.without(Types::NULL).is_empty() => "nothing fits".to_owned(),
        Kind::Any => "any JSON".to_owned(),
        Kind::Text => "string".to_owned(),
        Kind::Number => {
            if shape.types.meets(Types(Types::NUMBER.0 & !Types::INTEGER.0)) { "number" } else { "integer" }.to_owned()
        }
        Kind::Bool => "boolean".to_owned(),
        Kind::Choice(choices) => format!("one of {}", choices.len()),
        Kind::Fixed(text) => format!("always {}", cut(text)),
        Kind::Multi(choices) => format!("some of {}", choices.len()),
        Kind::Object(_) if !item.is_empty() => format!("map of {item}"),
        Kind::Object(_) => "object".to_owned(),
        Kind::Array(array) if !array.prefix.is_empty() => format!("tuple of {}", array.prefix.len()),
        Kind::Array(_) if !item.is_empty() => format!("array of {item}"),
        Kind::Array(_) => "array".to_owned(),
        Kind::Union(variants) => format!("one of {} shapes", variants.len()),
    }
}

fn bounds(shape: &Shape) -> Vec<String> {
    let limits = &shape.limits;
    let mut parts = Vec::new();
    match &shape.kind {
        Kind::Text => {
            parts.extend(limits.format.as_ref().map(|format| cut(format)));
            parts.extend(range(limits.lengths, "character"));
            parts.extend(limits.patterns.iter().take(2).map(|pattern| format!("pattern {}", cut(pattern))));
        }
        Kind::Number => {
            parts.extend(numbers(shape));
            parts.extend(limits.multiples.iter().map(|step| format!("multiple of {}", cut(step))));
        }
        Kind::Array(_) | Kind::Multi(_) => {
            parts.extend(range(limits.items, "item"));
            parts.extend(limits.unique.then(|| "no two alike".to_owned()));
        }
        Kind::Object(_) => parts.extend(range(limits.members, "member")),
        _ => {}
    }
    parts
}

fn numbers(shape: &Shape) -> Option<String> {
    match (&shape.limits.least, &shape.limits.greatest) {
        (Some((least, false)), Some((greatest, false))) => Some(format!("{} to {}", cut(least), cut(greatest))),
        (None, None) => None,
        (least, greatest) => {
            let least = least
                .as_ref()
                .map(|(text, out)| format!("{} {}", if *out { "more than" } else { "at least" }, cut(text)));
            let greatest = greatest
                .as_ref()
                .map(|(text, out)| format!("{} {}", if *out { "less than" } else { "at most" }, cut(text)));
            Some(least.into_iter().chain(greatest).collect::<Vec<_>>().join(" and "))
        }
    }
}

fn range(range: Range, noun: &str) -> Option<String> {
    let plural = |number: u64| if number == 1 { "" } else { "s" };
    match range {
        Range { least: 0, most: None } => None,
        Range { least: 0, most: Some(most) } => Some(format!("at most {most} {noun}{}", plural(most))),
        Range { least, most: None } => Some(format!("at least {least} {noun}{}", plural(least))),
        Range { least, most: Some(most) } if least == most => Some(format!("{least} {noun}{}", plural(least))),
        Range { least, most: Some(most) } => Some(format!("{least} to {most} {noun}{}", plural(most))),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONG) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
