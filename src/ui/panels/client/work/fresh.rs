//! How long a resource that was read may be kept, as the server says (2026-07-28). What was read stands in the column of
//! results; it is never shown for an answer that was not asked for: Read asks the server each time.

use eframe::egui::{RichText, Ui};

use crate::engine::view::ConnectionId;
use crate::model::Nanos;
use crate::peer::client::CallId;
use crate::ui::client::CallRecord;
use crate::ui::desk::Desk;
use crate::ui::theme;
use crate::ui::words;

/// Draws it, where the call read a resource and its result has a hint.
pub(super) fn show(ui: &mut Ui, desk: &Desk, id: ConnectionId, call: CallId) {
    let record = desk.bench.get(id).and_then(|connection| connection.call(call));
    let Some((text, is_fresh)) = record.and_then(|record| said(record, desk.now)) else { return };
    let palette = theme::palette(ui);
    let colour = if is_fresh { palette.dim } else { palette.warn };
    ui.add_space(4.0);
    ui.label(RichText::new(words::plain(&text)).font(theme::sans(12.0)).color(colour));
    if is_fresh {
        // The time that is left is told in steps of a second at the finest.
        ui.ctx().request_repaint_after(std::time::Duration::from_secs(1));
    }
}

/// What is said of it, and whether it is fresh.
fn said(record: &CallRecord, now: Nanos) -> Option<(String, bool)> {
    let caching = record.gist.caching.as_ref().filter(|_| record.method == "resources/read")?;
    let until = record.ended.saturating_add(caching.ttl);
    let scope = if caching.scope.is_empty() { String::new() } else { format!(" ({})", caching.scope) };
    let age = words::age(now.saturating_sub(record.ended));
    let read = if age == "now" { "Read just now".to_owned() } else { format!("Read {age} ago") };
    let (what, is_fresh) = if record.changed {
        ("the server says that it changed since; Read asks for it again.".to_owned(), false)
    } else if now >= until {
        (format!("no longer fresh{scope}; Read asks for it again."), false)
    } else {
        // Any part of a second that is left is not nothing.
        let left = words::age(until.saturating_sub(now).saturating_add(999_999_999));
        (
            format!(
                "fresh for another {left}{scope}. What stands beside may be used; Read asks the server all the same."
            ),
            true,
        )
    };
    Some((format!("{read}, {what}"), is_fresh))
}

#[cfg(test)]
mod tests {
    use super::said;
    use crate::peer::client::Outcome;
    use crate::ui::client::CallRecord;

    #[test]
    fn a_resource_is_fresh_until_its_time_or_a_change() {
        let mut record = CallRecord::new(1, None, "resources/read".to_owned(), None, 0);
        let second = 1_000_000_000;
        let result = br#"{"contents":[],"ttlMs":2500,"cacheScope":"private"}"#[..].into();
        record.end(Outcome::Result(result), 0, 10 * second);
        let (text, fresh) = said(&record, 11 * second).expect("a hint");
        assert!(fresh && text.contains("1 s ago, fresh for another 2 s (private)"), "{text}");
        assert!(!said(&record, 12 * second + second / 2).expect("a hint").1, "at the millisecond");
        record.changed = true;
        assert!(said(&record, 11 * second).expect("a hint").0.contains("changed since"));
        let mut other = CallRecord::new(2, None, "tools/call".to_owned(), None, 0);
        other.end(Outcome::Result(br#"{"ttlMs":2500}"#[..].into()), 0, 0);
        assert_eq!(said(&other, 0), None, "a tool's result is not kept");
    }
}
