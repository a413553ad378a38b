//! What is wrong, in plain words.

use std::cmp::Ordering;

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use serde_json::Value;

use super::{Inexact, Problem};
use crate::schema::number::Decimal;

/// Values and patterns are cut here, in characters.
const LONG: usize = 60;
/// How many values of a list are told.
const LISTED: usize = 8;

/// The problem of an error; nothing where it is none, because a number was rounded for the check.
pub(super) fn problem(error: &ValidationError<'_>, inexact: &Inexact) -> Option<Problem> {
    let pointer = error.instance_path().to_string();
    let mut message = message(error);
    if inexact.below(&pointer) {
        let beyond = bound(error.kind(), inexact.at(&pointer));
        if beyond == Some(false) {
            return None;
        }
        if beyond.is_none() && counts(error.kind()) {
            "a number in it is larger or finer than what can be checked exactly: unchecked".clone_into(&mut message);
        }
    }
    let missing = match error.kind() {
        Kind::Required { property: Value::String(name) } => Some(name.clone()),
        _ => None,
    };
    Some(Problem { pointer, message, missing })
}

/// Whether an exact number really is beyond a bound; nothing where the problem is no bound.
fn bound(kind: &Kind, number: Option<&str>) -> Option<bool> {
    let (limit, wrong): (&Value, &[Ordering]) = match kind {
        Kind::Minimum { limit } => (limit, &[Ordering::Less]),
        Kind::Maximum { limit } => (limit, &[Ordering::Greater]),
        Kind::ExclusiveMinimum { limit } => (limit, &[Ordering::Less, Ordering::Equal]),
        Kind::ExclusiveMaximum { limit } => (limit, &[Ordering::Greater, Ordering::Equal]),
        _ => return None,
    };
    let limit = limit.to_string();
    let order = Decimal::read(number?)?.cmp(&Decimal::read(&limit)?);
    Some(wrong.contains(&order))
}

/// Whether the digits of a number matter for a problem.
fn counts(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Constant { .. }
            | Kind::Enum { .. }
            | Kind::MultipleOf { .. }
            | Kind::UniqueItems
            | Kind::Not { .. }
            | Kind::AnyOf { .. }
            | Kind::OneOfMultipleValid { .. }
            | Kind::OneOfNotValid { .. }
            | Kind::Contains
    )
}

/// What is wrong, without the place.
pub(super) fn message(error: &ValidationError<'_>) -> String {
    match error.kind() {
        Kind::Type { kind } => format!("it is {}, where {} belongs", what(error.instance()), types(kind)),
        Kind::Required { property } => format!("{} is missing", shown(property)),
        Kind::Constant { expected_value } => format!("it must be {}", shown(expected_value)),
        Kind::Enum { options } => format!("it is none of {}", listed(options)),
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            format!("the schema does not know {}", names(unexpected))
        }
        Kind::AdditionalItems { limit } => format!("it has more than {limit} items"),
        Kind::UnevaluatedItems { unexpected } => format!("the schema does not allow the items {}", names(unexpected)),
        Kind::Minimum { limit } => format!("it is less than {limit}"),
        Kind::Maximum { limit } => format!("it is more than {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("it is not more than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("it is not less than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("it is no multiple of {multiple_of}"),
        Kind::MinLength { limit } => format!("it is shorter than {}", counted(*limit, "character")),
        Kind::MaxLength { limit } => format!("it is longer than {}", counted(*limit, "character")),
        Kind::MinItems { limit } => format!("it has fewer than {}", counted(*limit, "item")),
        Kind::MaxItems { limit } => format!("it has more than {}", counted(*limit, "item")),
        Kind::MinProperties { limit } => format!("it has fewer than {}", counted(*limit, "member")),
        Kind::MaxProperties { limit } => format!("it has more than {}", counted(*limit, "member")),
        Kind::UniqueItems => "two of its items are the same".to_owned(),
        Kind::Contains => "none of its items is as one of them must be".to_owned(),
        Kind::Pattern { pattern } => format!("it does not match the pattern {}", cut(pattern)),
        Kind::Format { format } => format!("it is no valid {}", cut(format)),
        Kind::FalseSchema => "nothing is allowed here".to_owned(),
        Kind::Not { .. } => "it is what it must not be".to_owned(),
        Kind::PropertyNames { error } => format!("the name of a member is wrong: {}", message(error)),
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            none_fits(context, &error.instance_path().to_string())
        }
        Kind::OneOfMultipleValid { .. } => "it fits more than one of the shapes, where one is asked for".to_owned(),
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            "its pattern takes too long: unchecked".to_owned()
        }
        _ => cut(&error.to_string()),
    }
}

/// The problem with the shape that is nearest: the one of the right type and constants with the fewest problems.
fn none_fits(context: &[Vec<ValidationError<'static>>], here: &str) -> String {
    let count = context.len();
    let distance = |errors: &Vec<ValidationError<'static>>| {
        let other = errors.iter().any(|error| {
            let at = error.instance_path().to_string();
            matches!(error.kind(), Kind::Type { .. }) && at == here || matches!(error.kind(), Kind::Constant { .. })
        });
        (other, errors.len())
    };
    let nearest =
        context.iter().enumerate().filter(|(_, errors)| !errors.is_empty()).min_by_key(|(_, errors)| distance(errors));
    let Some((at, errors)) = nearest else { return "it fits none of the shapes".to_owned() };
    let all_types = context.iter().all(|errors| errors.iter().any(|error| matches!(error.kind(), Kind::Type { .. })));
    if all_types && distance(&context[at]).0 {
        return format!("it fits none of the {count} shapes: {}", message(&errors[0]));
    }
    let place = errors[0].instance_path().to_string();
    let below = place.strip_prefix(here).unwrap_or(&place);
    let below = if below.is_empty() { String::new() } else { format!("{below}: ") };
    format!("it fits none of the {count} shapes; nearest is number {}: {below}{}", at + 1, message(&errors[0]))
}

fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(one) => article(&one.to_string()),
        TypeKind::Multiple(several) => {
            several.iter().map(|one| article(&one.to_string())).collect::<Vec<_>>().join(" or ")
        }
    }
}

fn what(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => format!("the number {}", cut(&number.to_string())),
        Value::String(_) => "a string".to_owned(),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

fn article(name: &str) -> String {
    match name {
        "null" => name.to_owned(),
        "object" | "array" | "integer" => format!("an {name}"),
        _ => format!("a {name}"),
    }
}

fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn listed(options: &Value) -> String {
    let Value::Array(options) = options else { return shown(options) };
    let told: Vec<String> = options.iter().take(LISTED).map(shown).collect();
    let more = options.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", told.join(", "))
}

fn names(names: &[String]) -> String {
    let told: Vec<String> = names.iter().take(LISTED).map(|name| cut(name)).collect();
    let more = names.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", told.join(", "))
}

fn shown(value: &Value) -> String {
    match value {
        // A list of values may be long before it is cut.
        Value::Array(items) if items.len() > LONG => "a long array".to_owned(),
        Value::Object(members) if members.len() > LONG => "a large object".to_owned(),
        _ => cut(&value.to_string()),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONG) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
