//! The timeline: one row for each exchange or entry, drawn only where it is seen.

use eframe::egui::accesskit::Role;
use eframe::egui::{Color32, Id, Rect, Response, Sense, Ui, WidgetInfo, pos2, vec2};
use jiff::tz::TimeZone;

use super::row_menu::{RowMenu, Wish};
use crate::engine::view::{Row, Sign, Status};
use crate::ui::desk::Desk;
use crate::ui::settings::Settings;
use crate::ui::theme::{self, Palette, ROW};
use crate::ui::widgets::cell::{self, Cell};
use crate::ui::widgets::columns::{self, HEADER, Spans};
use crate::ui::widgets::scroll::{BAR, Scroll};
use crate::ui::words;

/// A row's height, for the scroll position.
const STEP: f64 = ROW as f64;

/// Where the timeline is scrolled to.
#[derive(Debug, Default)]
pub struct Timeline {
    scroll: Scroll,
    /// How many whole rows were in view, for the page keys.
    pub page: u64,
    /// The menu of a row.
    pub menu: RowMenu,
}

/// Draws the timeline in all the room there is. Returns what was wished in a row's menu.
pub fn show(
    ui: &mut Ui,
    timeline: &mut Timeline,
    desk: &mut Desk,
    settings: &mut Settings,
    zone: &TimeZone,
) -> Option<Wish> {
    let palette = theme::palette(ui);
    let all = ui.available_rect_before_wrap();
    ui.painter().rect_filled(all, 0.0, palette.bg0);
    let spans = Spans::new(all.width() - BAR / 2.0, &settings.columns);
    let head = Rect::from_min_size(all.min, vec2(all.width(), HEADER));
    let body = Rect::from_min_max(pos2(all.left(), head.bottom()), all.max);
    columns::header(ui, head, &spans, &mut settings.columns);
    position(ui, timeline, desk, settings, body);
    let now = desk.now;
    let wish = rows(ui, timeline, desk, body, &Look { spans, zone, now });
    let content = desk.state().matching as f64 * STEP;
    if timeline.scroll.bar(ui, body, Id::unique("timeline-bar"), content, "Scroll the timeline") {
        settings.follow = timeline.scroll.is_at_end(body.height(), content);
    }
    ui.advance_cursor_after_rect(all);
    wish
}

/// What every row is drawn with.
struct Look<'a> {
    spans: Spans,
    zone: &'a TimeZone,
    now: i64,
}

/// Scrolls by the wheel, to a row that is to be seen, or to the end.
fn position(ui: &Ui, timeline: &mut Timeline, desk: &mut Desk, settings: &mut Settings, body: Rect) {
    let content = desk.state().matching as f64 * STEP;
    let moved = timeline.scroll.wheel(ui, body, content);
    if moved < 0.0 {
        settings.follow = false;
    } else if moved > 0.0 && timeline.scroll.is_at_end(body.height(), content) && desk.state().live {
        settings.follow = true;
    }
    if let Some(index) = desk.reveal.take() {
        timeline.scroll.reveal(index as f64 * STEP, STEP, body.height());
        if index + 1 < desk.state().matching {
            settings.follow = false;
        }
    } else if settings.follow && desk.state().live && !desk.is_paused() {
        let total = desk.state().matching;
        let end = desk.rows.end(total).unwrap_or(total) as f64 * STEP;
        timeline.scroll.offset = (end - f64::from(body.height())).max(0.0);
    }
    timeline.scroll.clamp(body.height(), content);
    timeline.page = (body.height() / ROW).floor().max(1.0) as u64;
}

fn rows(ui: &mut Ui, timeline: &mut Timeline, desk: &mut Desk, body: Rect, look: &Look<'_>) -> Option<Wish> {
    let first = (timeline.scroll.offset / STEP).floor() as u64;
    let shown = (body.height() / ROW).ceil() as u64 + 1;
    let end = (first + shown).min(desk.state().matching);
    desk.want(first, end, ui.input(|input| input.time));
    let clip = ui.clip_rect();
    ui.set_clip_rect(body.intersect(clip));
    let (mut chosen, mut wish) = (None, None);
    for index in first..end {
        let top = body.top() + (index as f64 * STEP - timeline.scroll.offset) as f32;
        let rect = Rect::from_min_size(pos2(body.left(), top), vec2(body.width(), ROW));
        let Some(row) = desk.rows.get(index).cloned() else { continue };
        let selected = desk.selected == Some(row.key);
        let response = self::row(ui, rect, index, &row, selected, look);
        let found = timeline.menu.show(desk, &response, &row);
        wish = found.or(wish);
        if response.clicked() || response.secondary_clicked() {
            chosen = Some(index);
        }
    }
    ui.set_clip_rect(clip);
    if let Some(index) = chosen {
        desk.select_index(index);
    }
    wish
}

/// Draws one row.
fn row(ui: &mut Ui, rect: Rect, index: u64, row: &Row, selected: bool, look: &Look<'_>) -> Response {
    let palette = theme::palette(ui);
    let inner = Rect::from_min_max(rect.min, pos2(rect.right() - BAR, rect.bottom()));
    let response = ui.interact(inner, Id::unique(("row", index)), Sense::CLICK);
    response.widget_info(|| WidgetInfo::selected(Role::Row, true, selected, name(row)));
    let ground = ground(palette, row, index, selected, response.hovered());
    if ground != palette.bg0 {
        ui.painter().rect_filled(rect, 0.0, ground);
    }
    let cut = cells(ui, rect, row, look);
    if cut || row.going.is_some() { response.on_hover_ui_at_pointer(|ui| whole(ui, row, look.now)) } else { response }
}

fn ground(palette: &Palette, row: &Row, index: u64, selected: bool, hovered: bool) -> Color32 {
    match (selected, row.status) {
        (true, _) => palette.accent_bg,
        (_, Status::Error) => palette.err_bg,
        _ if hovered => palette.bg2,
        _ if index % 2 == 1 => palette.zebra,
        _ => palette.bg0,
    }
}

/// Draws the cells of a row; returns whether one of them was cut.
fn cells(ui: &Ui, rect: Rect, row: &Row, look: &Look<'_>) -> bool {
    let Look { spans, zone, now } = look;
    let palette = theme::palette(ui);
    let painter = ui.painter();
    let at = |span| columns::cell(rect, span);
    let mono = theme::mono;
    cell::text(painter, at(spans.number), &row.seq.to_string(), mono(), palette.dim, true);
    if let Some(span) = spans.time {
        cell::text(painter, at(span), &words::clock(row.at, zone), mono(), palette.dim, false);
    }
    let (sign, colour) = sign(palette, row.sign);
    cell::text(painter, at(spans.sign), sign, mono(), colour, false);
    let mut cut = method(palette, row, colour).paint(painter, at(spans.method), false);
    let (word, colour) = status(palette, row, *now);
    cut |= cell::text(painter, at(spans.status), &word, mono(), colour, false);
    if let Some(span) = spans.duration {
        duration(ui, at(span), row);
    }
    if let Some(span) = spans.size {
        cell::text(painter, at(span), &words::size(row.size), mono(), palette.dim, true);
    }
    cut
}

fn method(palette: &Palette, row: &Row, sign: Color32) -> Cell {
    if row.subject.is_empty() {
        let colour = if row.sign == Sign::Lifecycle { palette.dim } else { sign };
        return Cell::new().add(&words::plain(&row.method), theme::mono(), colour);
    }
    Cell::new().add(&words::plain(&row.method), theme::mono(), palette.dim).add(" ", theme::mono(), palette.dim).add(
        &words::plain(&row.subject),
        theme::mono(),
        palette.text,
    )
}

fn duration(ui: &Ui, rect: Rect, row: &Row) {
    let Some(nanos) = row.duration else { return };
    let palette = theme::palette(ui);
    let bar = Rect::from_min_size(pos2(rect.left(), rect.bottom() - 5.0), vec2(bar(nanos) * rect.width(), 2.0));
    ui.painter().rect_filled(bar, 1.0, palette.accent.gamma_multiply(0.55));
    cell::text(
        ui.painter(),
        rect.translate(vec2(0.0, -1.0)),
        &words::duration(nanos),
        theme::mono(),
        palette.text,
        false,
    );
}

/// The length of the bar for a duration, 0 to 1: logarithmic, from 0.1 ms to 30 s.
fn bar(nanos: i64) -> f32 {
    let millis = nanos.max(0) as f32 / 1e6;
    ((millis * 10.0 + 1.0).log10() / 5.5).clamp(0.02, 1.0)
}

/// The sign of a row and its colour.
pub fn sign(palette: &Palette, sign: Sign) -> (&'static str, Color32) {
    match sign {
        Sign::FromClient => ("→", palette.c2s),
        Sign::FromServer => ("←", palette.s2c),
        Sign::Notification => ("·", palette.note),
        Sign::Stderr => ("!", palette.warn),
        Sign::Lifecycle => ("∙", palette.dim),
        Sign::Broken => ("?", palette.warn),
    }
}

/// The status of a row in words, and its colour.
pub fn status(palette: &Palette, row: &Row, now: i64) -> (String, Color32) {
    let colour = match row.status {
        Status::None => palette.dim,
        Status::Ok => palette.ok,
        Status::Error => palette.err,
        Status::Pending | Status::Odd | Status::Unanswered => palette.warn,
    };
    let mut word = words::plain(&row.outcome).into_owned();
    if row.status == Status::Pending && word.is_empty() {
        "pending".clone_into(&mut word);
    }
    if let Some(going) = row.going.filter(|going| going.awaited) {
        let events = words::counted(going.events.into(), "event", "events");
        word = format!("waiting {}, {events}", words::age(now - going.since));
    } else if row.status == Status::Pending && now - row.at >= 1_000_000_000 {
        word = format!("{word} {}", words::age(now - row.at));
    }
    if row.rounds > 1 && !word.contains("round") {
        word = format!("{word} ×{}", row.rounds);
    }
    (word, colour)
}

/// What a row is called, for assistive technology and for tests.
fn name(row: &Row) -> String {
    [row.seq.to_string().as_str(), &row.method, &row.subject, &row.outcome]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The whole of a row whose cells were cut.
fn whole(ui: &mut Ui, row: &Row, now: i64) {
    let palette = theme::palette(ui);
    ui.set_max_width(560.0);
    let line = |text: &str, colour| eframe::egui::RichText::new(words::plain(text)).font(theme::mono()).color(colour);
    ui.label(line(&row.method, palette.dim));
    if !row.subject.is_empty() {
        ui.label(line(&row.subject, palette.text));
    }
    if !row.outcome.is_empty() {
        ui.label(line(&row.outcome, status(palette, row, 0).1));
    }
    if let Some(going) = &row.going {
        ui.label(line(&words::going(going, now), palette.warn));
    }
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn the_bar_tells_a_millisecond_from_a_second() {
        let [short, middle, long, endless] = [1_000_000, 400_000_000, 5_000_000_000, i64::MAX].map(bar);
        assert!(short > 0.1 && short < 0.25, "{short}");
        assert!(middle > 0.6 && middle < 0.75, "{middle}");
        assert!(long > middle && long < 0.95, "{long}");
        assert!((endless - 1.0).abs() < f32::EPSILON);
        assert!(bar(-5) > 0.0);
    }
}
