//! Times, durations and sizes as the command line writes them.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::model::Nanos;

/// A moment in local time, to the second.
pub(super) fn moment(at: Nanos) -> String {
    stamp(at).to_zoned_datetime(TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// A moment in UTC, to the nanosecond, as RFC 3339 says it: for scripts.
pub(super) fn instant(at: Nanos) -> String {
    format!("{:.9}", stamp(at))
}

/// How long something took.
pub(super) fn duration(nanos: Nanos) -> String {
    let micros = nanos as f64 / 1e3;
    let seconds = nanos / 1_000_000_000;
    if nanos < 1_000_000 {
        format!("{micros:.0} µs")
    } else if nanos < 100_000_000 {
        format!("{:.1} ms", micros / 1e3)
    } else if seconds < 1 {
        format!("{:.0} ms", micros / 1e3)
    } else if seconds < 60 {
        format!("{:.2} s", micros / 1e6)
    } else {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    }
}

/// Seconds since the beginning, to the millisecond.
pub(super) fn since(nanos: Nanos) -> String {
    format!("{:.3}", nanos as f64 / 1e9)
}

/// A number of bytes.
pub(super) fn size(bytes: u64) -> String {
    let units = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let found = units.iter().find(|(unit, _)| bytes as f64 >= *unit);
    found.map_or_else(|| format!("{bytes} B"), |(unit, name)| format!("{:.1} {name}", bytes as f64 / unit))
}

fn stamp(at: Nanos) -> Timestamp {
    Timestamp::from_nanosecond(i128::from(at)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{duration, instant, since, size};

    #[test]
    fn figures_have_three_digits_where_that_is_enough() {
        assert_eq!(duration(812_000), "812 µs");
        assert_eq!(duration(1_240_000), "1.2 ms");
        assert_eq!(duration(250_900_000), "251 ms");
        assert_eq!(duration(2_410_000_000), "2.41 s");
        assert_eq!(duration(72_000_000_000), "1 min 12 s");
        assert_eq!(size(999), "999 B");
        assert_eq!(size(81_920), "81.9 kB");
        assert_eq!(since(12_345_678), "0.012");
        assert_eq!(instant(1_000_000_001), "1970-01-01T00:00:01.000000001Z");
    }
}
