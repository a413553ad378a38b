//! Figures and times as the window writes them, and wire text made safe to show.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::engine::view::Going;
use crate::model::Nanos;

/// Every sign outside ASCII that the window draws as text; a test looks for each in the shipped fonts.
#[cfg(test)]
pub const GLYPHS: &str = "→←·!?∙…×–—“”⟨⟩↑↓↵";

/// `1,204`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 entry`, `1,204 entries`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// `214 B`, `9.1 KB`, `2.1 MB`: decimal units.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["KB", "MB", "GB", "TB", "PB"];
    if bytes < 1000 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1000.0;
    let mut unit = 0;
    while value >= 999.95 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    if value >= 99.95 { format!("{value:.0} {}", UNITS[unit]) } else { format!("{value:.1} {}", UNITS[unit]) }
}

/// `0.4 ms`, `8 ms`, `2,015 ms`, `61 s`, `12 min`, `3.2 h`.
pub fn duration(nanos: Nanos) -> String {
    let nanos = nanos.max(0);
    match nanos {
        0..1_000 => format!("{nanos} ns"),
        1_000..100_000 => format!("{} µs", nanos / 1_000),
        100_000..9_950_000 => format!("{:.1} ms", nanos as f64 / 1e6),
        9_950_000..10_000_000_000 => format!("{} ms", count((nanos as f64 / 1e6).round() as u64)),
        10_000_000_000..600_000_000_000 => format!("{:.1} s", nanos as f64 / 1e9),
        600_000_000_000..36_000_000_000_000 => format!("{} min", nanos / 60_000_000_000),
        _ => format!("{:.1} h", nanos as f64 / 3.6e12),
    }
}

/// `+ 31 ms`, `– 2 ms`: relative to a moment.
pub fn after(nanos: Nanos) -> String {
    if nanos == 0 {
        return "0".to_owned();
    }
    if nanos < 0 { format!("– {}", duration(-nanos)) } else { format!("+ {}", duration(nanos)) }
}

/// `4 min`, `2 h`, `3 days`: how long ago, coarsely.
pub fn age(nanos: Nanos) -> String {
    let seconds = nanos.max(0) / 1_000_000_000;
    match seconds {
        0 => "now".to_owned(),
        1..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..86_400 => format!("{} h", seconds / 3600),
        86_400..172_800 => "1 day".to_owned(),
        _ => format!("{} days", seconds / 86_400),
    }
}

/// `just now`, `4 min ago`.
pub fn ago(nanos: Nanos) -> String {
    if nanos < 1_000_000_000 { "just now".to_owned() } else { format!("{} ago", age(nanos)) }
}

/// `headers received, 0 events, waiting 12 s`: how far a response has come that may go on.
pub fn going(going: &Going, now: Nanos) -> String {
    let events = counted(going.events.into(), "event", "events");
    let silent = age(now - going.since);
    if going.awaited {
        format!("headers received, {events}, waiting {silent}")
    } else {
        format!("open, {events}, silent for {silent}")
    }
}

/// Local time of day with milliseconds: `16:09:23.104`.
pub fn clock(at: Nanos, zone: &TimeZone) -> String {
    strftime(at, zone, "%H:%M:%S%.3f")
}

/// Local time to the microsecond with its date: `2026-11-30 16:09:23.104512`.
pub fn moment(at: Nanos, zone: &TimeZone) -> String {
    strftime(at, zone, "%Y-%m-%d %H:%M:%S%.6f")
}

/// Local day: `27 Nov`.
pub fn day(at: Nanos, zone: &TimeZone) -> String {
    strftime(at, zone, "%-d %b")
}

/// Local day as a date, to tell today from earlier.
pub fn date(at: Nanos, zone: &TimeZone) -> String {
    strftime(at, zone, "%Y-%m-%d")
}

fn strftime(at: Nanos, zone: &TimeZone, form: &str) -> String {
    Timestamp::from_nanosecond(i128::from(at))
        .map_or_else(|_| "?".to_owned(), |time| time.to_zoned_datetime(zone.clone()).strftime(form).to_string())
}

/// Whether a character must not reach the screen as it is: controls, and characters that reorder,
/// join or hide their neighbours.
pub const fn is_hidden(sign: char) -> bool {
    matches!(sign,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

/// What stands in for a hidden character.
pub fn stand_in(sign: char) -> String {
    match sign {
        '\r' => "⟨CR⟩".to_owned(),
        '\n' => "↵".to_owned(),
        '\t' => "⟨TAB⟩".to_owned(),
        '\0' => "⟨NUL⟩".to_owned(),
        '\u{1b}' => "⟨ESC⟩".to_owned(),
        '\u{feff}' => "⟨BOM⟩".to_owned(),
        _ => format!("⟨U+{:04X}⟩", u32::from(sign)),
    }
}

/// One line of wire text, safe to show.
pub fn plain(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 16);
    for sign in text.chars() {
        if is_hidden(sign) { out.push_str(&stand_in(sign)) } else { out.push(sign) }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::{after, age, clock, count, duration, plain, size};
    use jiff::tz::TimeZone;

    #[test]
    fn figures_read_as_people_write_them() {
        assert_eq!([count(0), count(999), count(1_204), count(10_000_000)], ["0", "999", "1,204", "10,000,000"]);
        assert_eq!([size(0), size(999), size(1_000), size(9_149)], ["0 B", "999 B", "1.0 KB", "9.1 KB"]);
        assert_eq!(
            [size(99_949), size(123_456), size(999_960), size(2_100_000)],
            ["99.9 KB", "123 KB", "1.0 MB", "2.1 MB"]
        );
        assert_eq!(size(u64::MAX), "18447 PB");
    }

    #[test]
    fn times_keep_the_digits_that_matter() {
        let shown = [512, 31_000, 412_345, 8_200_000, 9_960_000, 2_015_000_000, 61_000_000_000].map(duration);
        assert_eq!(shown, ["512 ns", "31 µs", "0.4 ms", "8.2 ms", "10 ms", "2,015 ms", "61.0 s"]);
        assert_eq!([after(31_000_000), after(-2_000_000)], ["+ 31 ms", "– 2.0 ms"]);
        assert_eq!([age(400_000_000), age(240_000_000_000), age(90_000_000_000_000)], ["now", "4 min", "1 day"]);
        assert_eq!(clock(1_796_055_563_104_999_999, &TimeZone::UTC), "16:19:23.104");
    }

    #[test]
    fn what_would_deceive_the_eye_is_spelled_out() {
        assert_eq!(plain("plain → text"), "plain → text");
        assert_eq!(plain("a\r\nb\u{202e}c\u{200b}d\u{feff}\u{1b}[1m"), "a⟨CR⟩↵b⟨U+202E⟩c⟨U+200B⟩d⟨BOM⟩⟨ESC⟩[1m");
    }
}
