//! A number within bounds: a small whole one where there is one, and a multiple of what is asked for. All is
//! counted in whole units of the finest decimal place that the bounds have.

use crate::schema::shape::{Shape, Types};

/// How many decimal places bounds may have.
const PLACES: usize = 12;

/// A number that fits, as JSON; the more salt, the further on.
pub(super) fn make(shape: &Shape, salt: usize) -> Option<String> {
    let limits = &shape.limits;
    let whole = shape.types.and(Types::NUMBER) == Types::INTEGER;
    let bounds = limits.least.iter().chain(&limits.greatest).map(|(text, _)| text.as_str());
    let texts: Vec<String> = bounds.chain(limits.multiples.iter().map(String::as_str)).filter_map(plain).collect();
    let places =
        texts.iter().map(|text| text.split_once('.').map_or(0, |(_, fraction)| fraction.len())).max().unwrap_or(0);
    if places > PLACES {
        return None;
    }
    // Between two whole bounds that are both out there is still room for a fraction.
    let finer = places + usize::from(!whole);
    [places, finer].into_iter().find_map(|places| at_places(shape, places, whole, salt))
}

fn at_places(shape: &Shape, places: usize, whole: bool, salt: usize) -> Option<String> {
    let limits = &shape.limits;
    let unit = 10_i128.checked_pow(places as u32)?;
    let least = limits.least.as_ref().and_then(|(text, out)| Some(scaled(text, places)? + i128::from(*out)));
    let greatest = limits.greatest.as_ref().and_then(|(text, out)| Some(scaled(text, places)? - i128::from(*out)));
    let mut step = 1;
    for multiple in &limits.multiples {
        step = lcm(step, scaled(multiple, places)?.abs())?;
    }
    let wholes = lcm(step, unit);
    let steps = if whole { [wholes, None] } else { [wholes, Some(step)] };
    steps
        .into_iter()
        .flatten()
        .find_map(|step| within(least, greatest, step, unit, salt))
        .map(|value| written(value, unit, places))
}

/// A multiple of the step within bounds, near one.
fn within(least: Option<i128>, greatest: Option<i128>, step: i128, unit: i128, salt: usize) -> Option<i128> {
    let up = |from: i128| from.checked_add(step - 1).map(|from| from.div_euclid(step) * step);
    let first = match (least, greatest) {
        (Some(least), _) => up(least)?,
        (None, Some(greatest)) => greatest.div_euclid(step) * step - step * salt as i128,
        (None, None) => up(unit)?,
    };
    let near = up(unit)?.max(first);
    let fits = |value: &i128| greatest.is_none_or(|greatest| *value <= greatest);
    let on = step.checked_mul(salt as i128)?;
    [near, first]
        .into_iter()
        .filter_map(|from| from.checked_add(on))
        .find(fits)
        .or(Some(first).filter(|first| least.is_none() && fits(first)))
}

fn lcm(one: i128, other: i128) -> Option<i128> {
    let (mut a, mut b) = (one, other);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    if a == 0 { None } else { (one / a).checked_mul(other) }
}

/// A number without exponent.
fn plain(text: &str) -> Option<String> {
    if !text.contains(['e', 'E']) {
        return Some(text.to_owned());
    }
    let value: f64 = text.parse().ok()?;
    value.is_finite().then(|| format!("{value}"))
}

fn scaled(text: &str, places: usize) -> Option<i128> {
    let text = plain(text)?;
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > places {
        return None;
    }
    format!("{whole}{fraction:0<places$}").parse().ok()
}

fn written(value: i128, unit: i128, places: usize) -> String {
    let (whole, fraction) = (value.abs() / unit, value.abs() % unit);
    let sign = if value < 0 { "-" } else { "" };
    if fraction == 0 {
        return format!("{sign}{whole}");
    }
    let fraction = format!("{fraction:0places$}");
    format!("{sign}{whole}.{}", fraction.trim_end_matches('0'))
}
