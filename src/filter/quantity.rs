//! Numbers with units: `200ms`, `1.5MB`, `2k`, and how they are compared.

use std::fmt;

use super::word::Measure;

/// How a fact is compared with a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    GreaterOrEqual,
    Greater,
}

impl Operator {
    /// Every operator as it is written, longer ones before their beginnings.
    pub(super) const ALL: [(&'static str, Self); 7] = [
        ("<=", Self::LessOrEqual),
        (">=", Self::GreaterOrEqual),
        ("!=", Self::NotEqual),
        ("==", Self::Equal),
        ("<", Self::Less),
        (">", Self::Greater),
        ("=", Self::Equal),
    ];

    pub(super) const fn holds(self, fact: i64, number: i64) -> bool {
        match self {
            Self::Less => fact < number,
            Self::LessOrEqual => fact <= number,
            Self::Equal => fact == number,
            Self::NotEqual => fact != number,
            Self::GreaterOrEqual => fact >= number,
            Self::Greater => fact > number,
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = Self::ALL.iter().rev().find(|(_, operator)| operator == self).map_or("", |(text, _)| text);
        f.write_str(text)
    }
}

/// The units of a measure with what each counts: nanoseconds, bytes, or pieces. The first is what a
/// number without unit means; of two that count the same the last is the one that is printed.
const fn units(measure: Measure) -> &'static [(&'static str, i64)] {
    match measure {
        Measure::Time => &[
            ("ms", 1_000_000),
            ("ns", 1),
            ("µs", 1_000),
            ("us", 1_000),
            ("s", 1_000_000_000),
            ("min", 60_000_000_000),
            ("m", 60_000_000_000),
            ("h", 3_600_000_000_000),
        ],
        Measure::Bytes => &[
            ("B", 1),
            ("k", 1_000),
            ("m", 1_000_000),
            ("g", 1_000_000_000),
            ("KB", 1_000),
            ("MB", 1_000_000),
            ("GB", 1_000_000_000),
            ("KiB", 1 << 10),
            ("MiB", 1 << 20),
            ("GiB", 1 << 30),
        ],
        Measure::Count => &[("", 1), ("k", 1_000), ("m", 1_000_000)],
    }
}

/// The number that `text` says, in nanoseconds, bytes or pieces. Milliseconds are the unit of times
/// that have none.
pub(super) fn parse(text: &str, measure: Measure) -> Result<i64, String> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | '_'))).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    if digits.is_empty() {
        return Err(format!("`{text}` is not a number"));
    }
    let all = units(measure);
    let scale =
        if unit.is_empty() { all.first() } else { all.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit)) };
    let Some((_, scale)) = scale else {
        let names: Vec<_> = all.iter().map(|(name, _)| *name).filter(|name| !name.is_empty()).collect();
        return Err(format!("unknown unit `{unit}`; the units here are {}", names.join(" ")));
    };
    let digits = digits.replace('_', "");
    if let Ok(number) = digits.parse::<i64>() {
        return number.checked_mul(*scale).ok_or_else(|| format!("`{text}` is too large"));
    }
    match digits.parse::<f64>() {
        Ok(number) if (number * *scale as f64).abs() < 9e18 => Ok((number * *scale as f64).round() as i64),
        Ok(_) => Err(format!("`{text}` is too large")),
        Err(_) => Err(format!("`{text}` is not a number")),
    }
}

/// A number as [`parse`] reads it, in the largest unit in which it is whole.
pub(super) fn print(number: i64, measure: Measure) -> String {
    let smallest = match measure {
        Measure::Time => "ns",
        Measure::Bytes | Measure::Count => "",
    };
    let whole = units(measure).iter().filter(|(_, scale)| *scale > 1 && number != 0 && number % scale == 0);
    match whole.max_by_key(|(_, scale)| *scale) {
        Some((unit, scale)) => format!("{}{unit}", number / scale),
        None => format!("{number}{smallest}"),
    }
}
