//! A JSON-RPC id with its JSON type: `1` is not `"1"`.

use std::fmt;

/// The id of a request, as sent.
///
/// Two ids are equal when their JSON type is the same and their value is: numbers are compared as
/// exact decimals, so `1`, `1.0` and `1e0` are one id, while `9007199254740993` and
/// `9007199254740992` are two. `wire::message` builds numbers through [`Id::number`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Id {
    /// A JSON number, in the canonical decimal form of [`Id::number`].
    Number(Box<str>),
    /// A JSON string, decoded.
    String(Box<str>),
    /// `null`: legal in JSON-RPC, never in MCP (JR-004).
    Null,
    /// Something that cannot be an id (a bool, an array, an object), as its raw JSON text (JR-003).
    Other(Box<str>),
}

impl Id {
    /// The id for a JSON number's text, in canonical form: digits without trailing zeros and a
    /// decimal exponent, exact at any length. Small integers stay plain digits.
    pub fn number(text: &str) -> Self {
        Self::Number(canonical(text).into())
    }
}

impl From<i64> for Id {
    fn from(value: i64) -> Self {
        Self::Number(value.to_string().into())
    }
}

impl From<&str> for Id {
    fn from(value: &str) -> Self {
        Self::String(value.into())
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(text) | Self::Other(text) => f.write_str(text),
            Self::String(text) => write!(f, "{text:?}"),
            Self::Null => f.write_str("null"),
        }
    }
}

fn canonical(text: &str) -> String {
    let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    if !rest.is_empty() && rest.len() <= 40 && rest.bytes().all(|b| b.is_ascii_digit()) {
        return if rest == "0" { rest.to_owned() } else { text.to_owned() };
    }
    let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let Ok(exponent) = exponent.parse::<i64>() else { return text.to_owned() };
    let digits = format!("{whole}{fraction}");
    let kept = digits.trim_end_matches('0');
    let significant = kept.trim_start_matches('0');
    if significant.is_empty() {
        return "0".to_owned();
    }
    let power = exponent - fraction.len() as i64 + (digits.len() - kept.len()) as i64;
    let sign = if negative { "-" } else { "" };
    match usize::try_from(power) {
        Ok(zeros) if significant.len() + zeros <= 40 => format!("{sign}{significant}{}", "0".repeat(zeros)),
        _ => format!("{sign}{significant}e{power}"),
    }
}

#[cfg(test)]
mod tests {
    use super::Id;

    #[test]
    fn numbers_are_equal_by_value_and_exact_at_any_length() {
        assert_eq!(Id::number("1"), Id::number("1.0"));
        assert_eq!(Id::number("1e0"), Id::from(1));
        assert_eq!(Id::number("-0"), Id::number("0"));
        assert_eq!(Id::number("100"), Id::number("1e2"));
        assert_eq!(Id::number("0.50"), Id::number("5e-1"));
        assert_ne!(Id::number("9007199254740993"), Id::number("9007199254740992"));
        assert_ne!(Id::number("1"), Id::from("1"));
        assert_ne!(Id::Null, Id::from("null"));
        let long = "1".repeat(60);
        assert_eq!(Id::number(&long), Id::number(&format!("{long}.0")));
    }
}
