//! The tab Stream: what the server says by itself, in order, and the subscriptions that make it do so.

use std::collections::HashMap;

use eframe::egui::accesskit::Role;
use eframe::egui::{Align, Align2, Id, Layout, Rect, RichText, Sense, TextEdit, Ui, WidgetInfo, pos2, vec2};
use jiff::tz::TimeZone;

use crate::engine::view::{ConnectionId, Json, quote};
use crate::model::Era;
use crate::peer::client::{Call, CallId, Order};
use crate::ui::client::answer;
use crate::ui::client::connection::{Notice, NoticeSort};
use crate::ui::client::{Connection, Standing};
use crate::ui::desk::Desk;
use crate::ui::icons::Icon;
use crate::ui::panels::part::Part;
use crate::ui::panels::stack::Stack;
use crate::ui::theme::{self, ROW};
use crate::ui::widgets::button;
use crate::ui::widgets::cell::{self, Cell};
use crate::ui::widgets::scroll::Scroll;
use crate::ui::words;

/// Height of the controls above.
const CONTROLS: f32 = 78.0;
/// Height of the message below.
const BELOW: f32 = 0.38;
/// Bytes of a message of which a row shows the beginning.
const SHORT: usize = 300;
/// Bytes of a message whose params are looked for in each frame.
const SMALL: usize = 16 * 1024;

/// The state of the tab.
#[derive(Default)]
pub struct StreamPanel {
    scroll: Scroll,
    away: bool,
    selected: Option<u64>,
    part: Option<(u64, Part)>,
    stack: Stack,
    uri: String,
    wants: [bool; 3],
    filters: HashMap<ConnectionId, String>,
}

impl StreamPanel {
    /// Draws the tab in all the room there is.
    pub fn show(&mut self, ui: &mut Ui, desk: &mut Desk, id: ConnectionId, zone: &TimeZone) {
        let all = ui.available_rect_before_wrap();
        let palette = theme::palette(ui);
        ui.painter().rect_filled(all, 0.0, palette.bg0);
        let top = Rect::from_min_max(all.min, pos2(all.right(), all.top() + CONTROLS));
        ui.painter().rect_filled(top, 0.0, palette.bg1);
        ui.painter().hline(top.x_range(), top.bottom(), theme::hairline(palette));
        button::place(ui, top.shrink2(vec2(12.0, 6.0)), Layout::top_down(Align::Min), |ui| self.controls(ui, desk, id));
        let below = if self.selected.is_some() { all.height() * BELOW } else { 0.0 };
        let rows = Rect::from_min_max(pos2(all.left(), top.bottom() + 1.0), pos2(all.right(), all.bottom() - below));
        let Some(connection) = desk.bench.get(id) else { return };
        self.rows(ui, rows, connection, zone);
        if below > 0.0 {
            let rect = Rect::from_min_max(pos2(all.left(), all.bottom() - below), all.max);
            self.message(ui, rect, connection);
        }
        ui.advance_cursor_after_rect(all);
    }

    /// Moves the selection by so many rows.
    pub fn step(&mut self, desk: &Desk, id: ConnectionId, by: i64) {
        let Some(connection) = desk.bench.get(id) else { return };
        let first = connection.notices_left_out;
        let count = connection.notifications.len() as u64;
        if count == 0 {
            return;
        }
        let at = self.selected.map_or(if by < 0 { count - 1 } else { 0 }, |at| {
            at.saturating_sub(first).saturating_add_signed(by).min(count - 1)
        });
        self.selected = Some(first + at);
        self.away = true;
        self.scroll.reveal(at as f64 * f64::from(ROW), f64::from(ROW), 200.0);
    }

    /// Looks at no message any more; whether one was looked at.
    pub fn leave(&mut self) -> bool {
        self.selected.take().is_some()
    }

    /// What can be subscribed to, and the streams that are open.
    fn controls(&mut self, ui: &mut Ui, desk: &mut Desk, id: ConnectionId) {
        let Some(connection) = desk.bench.get(id) else { return };
        let open = connection.standing() == Standing::Open;
        let era = connection.peer.as_ref().map(|peer| peer.era);
        let listening: Vec<CallId> = connection
            .calls
            .iter()
            .filter(|call| call.method == "subscriptions/listen" && call.is_running())
            .map(|call| call.id)
            .collect();
        ui.add_enabled_ui(open, |ui| match era {
            Some(Era::Modern) => self.listen(ui, desk, id),
            _ => self.subscribe(ui, desk, id),
        });
        ui.horizontal(|ui| {
            if listening.is_empty() && era == Some(Era::Modern) {
                let text = "Nothing is listened to: a modern server says nothing by itself.";
                ui.label(RichText::new(text).font(theme::sans(11.5)).color(theme::palette(ui).dim));
            }
            for call in listening {
                let label = format!("End subscription {call}");
                if button::framed_small(ui, Some(Icon::Stop), &format!("listening, {call}"), &label).clicked() {
                    desk.bench.order(id, Order::Cancel(call, "no longer wanted".to_owned()));
                }
            }
        });
    }

    /// The legacy way: one resource at a time.
    fn subscribe(&mut self, ui: &mut Ui, desk: &mut Desk, id: ConnectionId) {
        let mut wanted = None;
        ui.horizontal(|ui| {
            let field = TextEdit::singleline(&mut self.uri)
                .font(theme::mono())
                .align(Align2::LEFT_CENTER)
                .hint_text("URI of a resource");
            ui.add(field.desired_width((ui.available_width() - 230.0).max(120.0)))
                .accessible_name("URI to subscribe to");
            ui.add_enabled_ui(!self.uri.trim().is_empty(), |ui| {
                for (word, method) in [("Subscribe", "resources/subscribe"), ("Unsubscribe", "resources/unsubscribe")] {
                    if button::framed(ui, None, word, method, false).clicked() {
                        wanted = Some(method);
                    }
                }
            });
        });
        if let Some(method) = wanted {
            let params = Some(format!(r#"{{"uri":{}}}"#, quote(self.uri.trim())).into_bytes());
            let now = desk.now;
            desk.bench.call(id, None, Call { method: method.to_owned(), params, ..Call::default() }, now);
        }
    }

    /// The modern way: a stream with a filter.
    fn listen(&mut self, ui: &mut Ui, desk: &mut Desk, id: ConnectionId) {
        let words =
            [("tools", "toolsListChanged"), ("prompts", "promptsListChanged"), ("resources", "resourcesListChanged")];
        let before = (self.wants, self.uri.clone());
        ui.horizontal(|ui| {
            for (want, (word, member)) in self.wants.iter_mut().zip(words) {
                button::check(ui, want, word).on_hover_text(member);
            }
            let field = TextEdit::singleline(&mut self.uri)
                .font(theme::mono())
                .align(Align2::LEFT_CENTER)
                .hint_text("URIs of resources, with spaces");
            ui.add(field.desired_width(200.0)).accessible_name("Resources to listen to");
            if before != (self.wants, self.uri.clone()) || !self.filters.contains_key(&id) {
                self.filters.insert(id, filter(self.wants, &words.map(|(_, member)| member), &self.uri));
            }
            let Some(text) = self.filters.get_mut(&id) else { return };
            let field = TextEdit::singleline(text).font(theme::mono()).align(Align2::LEFT_CENTER);
            ui.add(field.desired_width((ui.available_width() - 90.0).max(80.0))).accessible_name("Filter as JSON");
            if button::framed(ui, None, "Listen", "Open a stream with this filter", false).clicked() {
                let (text, now) = (text.clone(), desk.now);
                desk.bench.listen(id, text, now);
            }
        });
    }

    fn rows(&mut self, ui: &mut Ui, rect: Rect, connection: &Connection, zone: &TimeZone) {
        let count = connection.notifications.len();
        let palette = theme::palette(ui);
        if count == 0 {
            let place = Rect::from_min_max(rect.min + vec2(16.0, 16.0), rect.max);
            let text = "What the server says by itself appears here as it says it.";
            button::place(ui, place, Layout::top_down(Align::Min), |ui| {
                ui.label(RichText::new(text).color(palette.dim))
            });
            return;
        }
        let content = count as f64 * f64::from(ROW);
        if self.scroll.wheel(ui, rect, content) < 0.0 {
            self.away = true;
        }
        if !self.away {
            self.scroll.offset = content;
        }
        self.scroll.clamp(rect.height(), content);
        if self.scroll.is_at_end(rect.height(), content) {
            self.away = self.selected.is_some();
        }
        let clip = ui.clip_rect();
        ui.set_clip_rect(rect.intersect(clip));
        let first = (self.scroll.offset / f64::from(ROW)) as usize;
        let last = (first + (rect.height() / ROW) as usize + 2).min(count);
        for index in first..last {
            let top = (index as f64 * f64::from(ROW) - self.scroll.offset) as f32 + rect.top();
            let row = Rect::from_min_size(pos2(rect.left(), top), vec2(rect.width(), ROW));
            let number = connection.notices_left_out + index as u64;
            if line(ui, row, &connection.notifications[index], number, self.selected == Some(number), zone) {
                self.selected = if self.selected == Some(number) { None } else { Some(number) };
            }
        }
        ui.set_clip_rect(clip);
        if self.scroll.bar(ui, rect, Id::unique("client-stream-bar"), content, "Scroll the stream") {
            self.away = true;
        }
    }

    /// The message that is selected, whole.
    fn message(&mut self, ui: &mut Ui, rect: Rect, connection: &Connection) {
        let palette = theme::palette(ui);
        ui.painter().rect_filled(rect, 0.0, palette.bg1);
        ui.painter().hline(rect.x_range(), rect.top(), theme::hairline(palette));
        let Some(number) = self.selected else { return };
        let index = number.checked_sub(connection.notices_left_out).and_then(|at| usize::try_from(at).ok());
        let Some(notice) = index.and_then(|at| connection.notifications.get(at)) else {
            self.selected = None;
            return;
        };
        if self.part.as_ref().is_none_or(|(of, _)| *of != number) {
            self.part = Some((number, Part::new(&answer::body(&notice.message), true)));
            self.stack.reset();
        }
        let Self { part, stack, .. } = self;
        let Some((_, part)) = part else { return };
        stack.show(
            ui,
            rect.shrink2(vec2(0.0, 1.0)),
            Id::unique("client-notice"),
            "Scroll the message",
            |ui, course| {
                course.space(8.0);
                let sides = (course.sides().0 + 6.0, course.sides().1 - 2.0);
                let height = part.height(ui, sides.1 - sides.0);
                let clip = course.rect;
                course.tall(height, |top| part.show(ui, Id::unique("client-notice-sheet"), sides, top, clip, false));
                course.space(12.0);
            },
        );
    }
}

/// The filter of `subscriptions/listen` for what is wanted.
fn filter(wants: [bool; 3], members: &[&str; 3], uris: &str) -> String {
    let mut parts: Vec<String> = wants
        .iter()
        .zip(members)
        .filter(|(want, _)| **want)
        .map(|(_, member)| format!("{}:true", quote(member)))
        .collect();
    let uris: Vec<String> = uris.split_whitespace().map(quote).collect();
    if !uris.is_empty() {
        parts.push(format!(r#""resourceSubscriptions":[{}]"#, uris.join(",")));
    }
    format!("{{{}}}", parts.join(","))
}

/// What a row shows of a message: its params, where they are quickly found, or its beginning.
fn excerpt(message: &[u8]) -> String {
    let params =
        if message.len() <= SMALL { Json::of_frame(message).ok().and_then(|it| it.get("params")) } else { None };
    let shown = params.map_or(message, |params| params.raw());
    String::from_utf8_lossy(&shown[..shown.len().min(SHORT)]).into_owned()
}

/// One row. Returns whether it was pressed.
fn line(ui: &Ui, rect: Rect, notice: &Notice, number: u64, is_selected: bool, zone: &TimeZone) -> bool {
    let palette = theme::palette(ui);
    let response = ui.interact(rect, Id::unique(("client-notice", number)), Sense::click());
    response.widget_info(|| {
        WidgetInfo::selected(
            Role::ListItem,
            true,
            is_selected,
            format!("{} {}", number + 1, words::plain(&notice.what)),
        )
    });
    if is_selected {
        ui.painter().rect_filled(rect, 0.0, palette.accent_bg);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 0.0, palette.bg2);
    }
    button::focus_ring(ui, &response, theme::CORNER_SMALL);
    let (sign, colour) = match notice.sort {
        NoticeSort::Notification => ("·", palette.note),
        NoticeSort::Stream => ("→", palette.c2s),
        NoticeSort::Stray => ("?", palette.warn),
    };
    let left = Rect::from_min_max(rect.min + vec2(14.0, 0.0), pos2(rect.left() + 110.0, rect.bottom()));
    cell::text(ui.painter(), left, &words::clock(notice.at, zone), theme::mono(), palette.dim, false);
    let text = excerpt(&notice.message);
    let call = notice.call.map(|call| format!("   of call {call}")).unwrap_or_default();
    let rest = Rect::from_min_max(pos2(rect.left() + 114.0, rect.top()), rect.max - vec2(16.0, 0.0));
    Cell::new()
        .add(sign, theme::mono(), colour)
        .add(" ", theme::mono(), colour)
        .add(&words::plain(&notice.what), theme::mono(), colour)
        .add(&call, theme::sans(11.5), palette.dim)
        .add("   ", theme::mono(), palette.dim)
        .add(&words::plain(&text), theme::mono(), palette.dim)
        .paint(ui.painter(), rest, false);
    response.clicked()
}

#[cfg(test)]
mod tests {
    use super::filter;

    #[test]
    fn the_filter_names_what_is_wanted_and_nothing_else() {
        let members = ["toolsListChanged", "promptsListChanged", "resourcesListChanged"];
        assert_eq!(filter([false; 3], &members, ""), "{}");
        assert_eq!(
            filter([true, false, true], &members, " a:/1 b:/\"2 "),
            r#"{"toolsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["a:/1","b:/\"2"]}"#
        );
    }
}
