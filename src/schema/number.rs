//! Numbers as they are written: whether a text is one, whether two are the same, which is larger. Nothing is
//! rounded.

use std::cmp::Ordering;

/// Exponents beyond this are all the same: no computer writes such a number out.
const FAR: i64 = 1_000_000_000;

/// A decimal number: `0.DIGITS` times ten to the exponent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decimal<'a> {
    negative: bool,
    /// Without zeros before and behind; empty for zero. A number in two pieces, since the point lies between.
    digits: (&'a str, &'a str),
    exponent: i64,
}

impl<'a> Decimal<'a> {
    /// Reads a number of JSON; nothing where the text is none.
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = rest.split_once(['e', 'E']).map_or((rest, None), |(m, e)| (m, Some(e)));
        let (whole, fraction) = mantissa.split_once('.').map_or((mantissa, None), |(w, f)| (w, Some(f)));
        let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let plain = all_digits(whole) && (whole.len() == 1 || !whole.starts_with('0'));
        if !plain || !fraction.is_none_or(all_digits) {
            return None;
        }
        let exponent = exponent.map_or(Some(0), read_exponent)?;
        Some(Self::normal(negative, whole, fraction.unwrap_or_default(), exponent))
    }

    fn normal(negative: bool, whole: &'a str, fraction: &'a str, exponent: i64) -> Self {
        let mut exponent = exponent + whole.len() as i64;
        let (mut whole, mut fraction) = (whole, fraction.trim_end_matches('0'));
        if fraction.is_empty() {
            whole = whole.trim_end_matches('0');
        }
        let shorter = whole.trim_start_matches('0');
        exponent -= (whole.len() - shorter.len()) as i64;
        whole = shorter;
        if whole.is_empty() {
            let shorter = fraction.trim_start_matches('0');
            exponent -= (fraction.len() - shorter.len()) as i64;
            fraction = shorter;
        }
        let zero = whole.is_empty() && fraction.is_empty();
        Self { negative: negative && !zero, digits: (whole, fraction), exponent: if zero { 0 } else { exponent } }
    }

    fn bytes(&self) -> impl Iterator<Item = u8> + '_ {
        self.digits.0.bytes().chain(self.digits.1.bytes())
    }

    fn len(&self) -> i64 {
        (self.digits.0.len() + self.digits.1.len()) as i64
    }

    /// Whether it has no fraction.
    pub(super) fn is_whole(&self) -> bool {
        self.len() <= self.exponent.max(0)
    }

    /// Its one spelling.
    pub(super) fn canonical(&self) -> String {
        let sign = if self.negative { "-" } else { "" };
        format!("{sign}{}{}e{}", self.digits.0, self.digits.1, self.exponent)
    }

    /// Which of two is larger.
    pub(super) fn cmp(&self, other: &Self) -> Ordering {
        let sign = |number: &Self| if number.len() == 0 { 0 } else { 1 - 2 * i32::from(number.negative) };
        let by_sign = sign(self).cmp(&sign(other));
        if by_sign != Ordering::Equal || self.len() == 0 {
            return by_sign;
        }
        let by_size = self.exponent.cmp(&other.exponent).then_with(|| self.bytes().cmp(other.bytes()));
        if self.negative { by_size.reverse() } else { by_size }
    }
}

fn read_exponent(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse().unwrap_or(FAR).min(FAR);
    Some(if text.starts_with('-') { -size } else { size })
}

/// Whether a text is a number of JSON.
pub(super) fn is_number(text: &str) -> bool {
    Decimal::read(text).is_some()
}

/// Whether a text is a number without a fraction.
pub(super) fn is_whole(text: &str) -> bool {
    Decimal::read(text).is_some_and(|number| number.is_whole())
}

/// Whether two numbers of JSON are one: `1`, `1.0` and `10e-1` are.
pub(super) fn same(one: &str, other: &str) -> bool {
    one == other
        || matches!((Decimal::read(one), Decimal::read(other)), (Some(a), Some(b)) if a.cmp(&b) == Ordering::Equal)
}

/// Which of two numbers of JSON is larger, digit by digit; nothing where one of them is none.
pub fn compare(one: &str, other: &str) -> Option<Ordering> {
    Some(Decimal::read(one)?.cmp(&Decimal::read(other)?))
}

/// Whether a number survives in the machine's numbers, so that what is worked out with it is right.
pub(super) fn is_exact(text: &str) -> bool {
    if text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok() {
        return true;
    }
    let Ok(nearest) = text.parse::<f64>() else { return false };
    if !nearest.is_finite() {
        return false;
    }
    let Some(number) = Decimal::read(text) else { return false };
    // Seventeen digits tell any double from its neighbours; a fraction of fewer is meant, not measured.
    if number.is_whole() { same(text, &format!("{nearest}")) } else { number.len() <= 17 && nearest != 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_as_written() {
        for (one, other) in [("1", "1.0"), ("10", "1e1"), ("0.10", "1E-1"), ("-0", "0"), ("100", "1.00e+2")] {
            assert!(same(one, other), "{one} {other}");
        }
        for (less, more) in [
            ("2512292042121000001", "2512292042121000002"),
            ("-1", "0"),
            ("-10", "-9"),
            ("0.1", "0.11"),
            ("9", "10"),
            ("1e399", "1e400"),
            ("0", "1e-400"),
        ] {
            let (a, b) = (Decimal::read(less).unwrap(), Decimal::read(more).unwrap());
            assert_eq!((a.cmp(&b), b.cmp(&a)), (Ordering::Less, Ordering::Greater), "{less} {more}");
        }
    }

    #[test]
    fn what_is_no_number_of_json_is_none() {
        for text in ["", "-", "+1", "01", ".5", "5.", "1e", "1e+", "0x1", "NaN", "1 ", "١", "1_0", "--1"] {
            assert!(!is_number(text), "{text}");
        }
        for text in ["0", "-0", "1e400", "1.0", "2512292042121000001", "1E+00"] {
            assert!(is_number(text), "{text}");
        }
    }

    #[test]
    fn numbers_beyond_the_machine_are_known() {
        for text in ["1", "18446744073709551615", "-9223372036854775808", "0.1", "1e3", "1.0", "-0"] {
            assert!(is_exact(text), "{text}");
        }
        for text in ["18446744073709551616999", "1e400", "-1e400", "1e-400", "0.12345678901234567890123"] {
            assert!(!is_exact(text), "{text}");
        }
        for (text, whole) in [("1.0", true), ("1.5", false), ("15e-1", false), ("1e400", true), ("0", true)] {
            assert_eq!(Decimal::read(text).unwrap().is_whole(), whole, "{text}");
        }
    }
}
