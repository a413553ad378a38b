//! The list of one kind: a filter, rows of which only those in view are drawn, and below them how complete and how
//! fresh it is.

use std::collections::HashMap;
use std::sync::Arc;

use eframe::egui::accesskit::Role;
use eframe::egui::{
    Align, Align2, Id, Key, Layout, Modifiers, Rect, RichText, Sense, TextEdit, Ui, WidgetInfo, pos2, vec2,
};

use crate::engine::view::ConnectionId;
use crate::peer::client::{Item, Kind, List};
use crate::ui::client::Subject;
use crate::ui::client::item::Reading;
use crate::ui::desk::Desk;
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, CORNER};
use crate::ui::widgets::button;
use crate::ui::widgets::cell::{self, Cell};
use crate::ui::widgets::scroll::Scroll;
use crate::ui::words;

/// Height of a row with its two lines.
const ROW: f32 = 44.0;
/// Height of what stands below the rows.
const FOOT: f32 = 58.0;

/// What is drawn up: the list, the filter and the items that match.
#[derive(Debug, Default)]
struct Plan {
    of: Option<(ConnectionId, Kind, Arc<List>, String)>,
    matching: Vec<u32>,
    lines: HashMap<u32, Reading>,
}

/// The state of the column.
#[derive(Debug, Default)]
pub struct ListPanel {
    /// What the filter says: of each list its own, or another server would seem to have nothing.
    filters: HashMap<(ConnectionId, Kind), String>,
    /// Puts the keyboard into the filter in the next frame.
    pub focus: bool,
    selected: HashMap<(ConnectionId, Kind), (String, usize)>,
    scrolls: HashMap<(ConnectionId, Kind), Scroll>,
    plan: Plan,
    height: f32,
    reveal: bool,
}

impl ListPanel {
    /// What is selected on a connection.
    pub fn subject(&self, id: ConnectionId, kind: Kind) -> Option<Subject> {
        self.selected.get(&(id, kind)).map(|(key, _)| Subject::new(kind, key.clone()))
    }

    /// The item that is selected: where it was, or the first that is called so.
    pub fn item<'a>(&self, list: &'a List, id: ConnectionId, kind: Kind) -> Option<&'a Item> {
        let (key, index) = self.selected.get(&(id, kind))?;
        list.items.get(*index).filter(|item| item.key == *key).or_else(|| list.items.find(key))
    }

    /// Selects an item by its key.
    pub fn select(&mut self, id: ConnectionId, subject: &Subject, list: Option<&List>) {
        let index = list.and_then(|list| list.items.iter().position(|item| item.key == subject.key)).unwrap_or(0);
        self.selected.insert((id, subject.kind), (subject.key.clone(), index));
        self.reveal = true;
    }

    /// Moves the selection by so many of the rows that match.
    pub fn step(&mut self, id: ConnectionId, kind: Kind, by: isize) {
        let Some((_, _, list, _)) = &self.plan.of else { return };
        let Some(last) = self.plan.matching.len().checked_sub(1) else { return };
        let at = self
            .selected
            .get(&(id, kind))
            .and_then(|(_, index)| self.plan.matching.iter().position(|place| *place as usize == *index));
        // Without a selection the first step leads to the first row, or upwards to the last.
        let from = at.unwrap_or(if by < 0 { last + 1 } else { usize::MAX });
        let next = if from == usize::MAX {
            by.unsigned_abs().saturating_sub(1).min(last)
        } else {
            from.saturating_add_signed(by).min(last)
        };
        let index = self.plan.matching[next] as usize;
        let Some(item) = list.items.get(index) else { return };
        self.selected.insert((id, kind), (item.key.clone(), index));
        self.reveal = true;
    }

    /// Rows that fit on the screen.
    pub fn page(&self) -> isize {
        ((self.height / ROW) as isize - 1).max(1)
    }

    /// Clears the filter; whether there was one.
    pub fn clear(&mut self, id: ConnectionId, kind: Kind) -> bool {
        self.filters.remove(&(id, kind)).is_some_and(|filter| !filter.is_empty())
    }

    /// Draws the column in all the room there is.
    pub fn show(&mut self, ui: &mut Ui, desk: &mut Desk, id: ConnectionId, kind: Kind, active: bool) {
        ui.set_min_size(ui.available_size());
        self.filter(ui, id, kind);
        let all = ui.available_rect_before_wrap();
        let foot = Rect::from_min_max(pos2(all.left(), all.bottom() - FOOT), all.max);
        let rows = Rect::from_min_max(all.min, pos2(all.right(), foot.top()));
        let list = desk.bench.get(id).and_then(|connection| connection.lists.get(&kind)).cloned();
        match &list {
            Some(list) => {
                self.draw_up(id, kind, list);
                self.rows(ui, rows, id, kind, list, active);
            }
            None => nothing(ui, rows, desk, id, kind),
        }
        ui.painter().hline(foot.x_range(), foot.top(), theme::hairline(theme::palette(ui)));
        let matching = self.plan.matching.len();
        button::place(ui, foot.shrink2(vec2(10.0, 3.0)), Layout::top_down(Align::Min), |ui| {
            self::foot(ui, desk, id, kind, list.as_deref(), matching);
        });
        ui.advance_cursor_after_rect(all);
    }

    fn filter(&mut self, ui: &mut Ui, id: ConnectionId, kind: Kind) {
        ui.add_space(8.0);
        let text = self.filters.entry((id, kind)).or_default();
        ui.horizontal(|ui| {
            ui.add_space(10.0);
            let hint = format!("filter {}", noun(kind));
            let field = TextEdit::singleline(text)
                .desired_width(ui.available_width() - 18.0)
                .hint_text(&hint)
                .align(Align2::LEFT_CENTER);
            let response = ui.add(field).accessible_name(format!("Filter {}", noun(kind)));
            if std::mem::take(&mut self.focus) {
                response.request_focus();
            }
            if response.has_focus() && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
                text.clear();
                response.surrender_focus();
            }
        });
        ui.add_space(4.0);
    }

    /// Finds the items that match, when the list or the filter has changed.
    fn draw_up(&mut self, id: ConnectionId, kind: Kind, list: &Arc<List>) {
        let filter = self.filters.get(&(id, kind)).map(|it| it.trim().to_lowercase()).unwrap_or_default();
        let same = self.plan.of.as_ref().is_some_and(|(of, of_kind, old, old_filter)| {
            *of == id && *of_kind == kind && Arc::ptr_eq(old, list) && *old_filter == filter
        });
        if same {
            return;
        }
        let fits = |item: &Item| {
            filter.is_empty()
                || item.title.to_lowercase().contains(&filter)
                || item.key.to_lowercase().contains(&filter)
                || (filter.len() > 2
                    && memchr::memmem::find(&item.json.to_ascii_lowercase(), filter.as_bytes()).is_some())
        };
        self.plan.matching =
            (0..).zip(list.items.iter()).filter(|(_, item)| fits(item)).map(|(index, _)| index).collect();
        self.plan.lines.clear();
        self.plan.of = Some((id, kind, Arc::clone(list), filter));
    }

    fn rows(&mut self, ui: &mut Ui, rect: Rect, id: ConnectionId, kind: Kind, list: &List, active: bool) {
        self.height = rect.height();
        let count = self.plan.matching.len();
        if count == 0 {
            let text = if list.items.is_empty() {
                format!("The server has no {}.", noun(kind))
            } else {
                "Nothing matches; Esc in the filter shows all.".to_owned()
            };
            say(ui, rect, &text);
            return;
        }
        let content = count as f64 * f64::from(ROW);
        let mut scroll = self.scrolls.get(&(id, kind)).copied().unwrap_or_default();
        scroll.wheel(ui, rect, content);
        if std::mem::take(&mut self.reveal)
            && let Some(at) = self.place(id, kind)
        {
            scroll.reveal(at as f64 * f64::from(ROW), f64::from(ROW), rect.height());
        }
        scroll.clamp(rect.height(), content);
        let clip = ui.clip_rect();
        ui.set_clip_rect(rect.intersect(clip));
        let first = (scroll.offset / f64::from(ROW)) as usize;
        let last = (first + (rect.height() / ROW) as usize + 2).min(count);
        for at in first..last {
            let top = (at as f64 * f64::from(ROW) - scroll.offset) as f32 + rect.top();
            let row = Rect::from_min_size(pos2(rect.left(), top), vec2(rect.width(), ROW));
            self.row(ui, row, (id, kind), list, self.plan.matching[at], active);
        }
        ui.set_clip_rect(clip);
        scroll.bar(ui, rect, Id::unique("client-list-bar"), content, "Scroll the list");
        self.scrolls.insert((id, kind), scroll);
        if self.plan.lines.len() > 2_000 {
            self.plan.lines.clear();
        }
    }

    fn place(&self, id: ConnectionId, kind: Kind) -> Option<usize> {
        let (_, index) = self.selected.get(&(id, kind))?;
        self.plan.matching.iter().position(|place| *place as usize == *index)
    }

    fn row(&mut self, ui: &Ui, rect: Rect, of: (ConnectionId, Kind), list: &List, index: u32, active: bool) {
        let (id, kind) = of;
        let Some(item) = list.items.get(index as usize) else { return };
        let reading = self.plan.lines.entry(index).or_insert_with(|| Reading::of(item, kind));
        let is_selected =
            self.selected.get(&(id, kind)).is_some_and(|(key, at)| *key == item.key && *at == index as usize);
        let response = ui.interact(rect, Id::unique(("client-item", id, kind, index)), Sense::click());
        let title = if item.title.is_empty() { "(without a name)" } else { &item.title };
        let flag = if item.faults.is_empty() { "" } else { ", flagged" };
        response.widget_info(|| {
            WidgetInfo::selected(Role::ListItem, true, is_selected, format!("{}{flag}", words::plain(title)))
        });
        let palette = theme::palette(ui);
        if is_selected {
            ui.painter().rect_filled(rect, 0.0, palette.accent_bg);
            if active {
                let edge = Rect::from_min_max(rect.min, pos2(rect.left() + 2.0, rect.bottom()));
                ui.painter().rect_filled(edge, 0.0, palette.accent);
            }
        } else if response.hovered() {
            ui.painter().rect_filled(rect, 0.0, palette.bg2);
        }
        ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, theme::hairline(palette));
        draw(ui, rect, item, title, reading, is_selected);
        button::focus_ring(ui, &response, CORNER);
        if response.clicked() {
            self.selected.insert((id, kind), (item.key.clone(), index as usize));
        }
        response.on_hover_ui_at_pointer(|ui| hover(ui, item, reading));
    }
}

fn draw(ui: &Ui, rect: Rect, item: &Item, title: &str, reading: &Reading, is_selected: bool) {
    let palette = theme::palette(ui);
    let mut left = rect.left() + 12.0;
    if !item.faults.is_empty() {
        let at = Rect::from_min_size(pos2(left - 4.0, rect.top() + 4.0), vec2(18.0, 18.0));
        icons::paint(ui.painter(), at, Icon::Flag, palette.warn);
        left += 16.0;
    }
    let right = rect.right() - 14.0;
    let first = Rect::from_min_max(pos2(left, rect.top() + 4.0), pos2(right, rect.top() + 23.0));
    let font = if is_selected { theme::semibold(13.0) } else { theme::sans(13.0) };
    let mut line = Cell::new().add(&words::plain(title), font, palette.text);
    if item.key != title && !item.key.is_empty() {
        line = line.add("  ", theme::sans(12.0), palette.dim).add(&words::plain(&item.key), theme::mono(), palette.dim);
    }
    for badge in &reading.badges {
        let colour = if badge.warns { palette.warn } else { palette.dim };
        line = line.add("   ", theme::sans(10.5), palette.dim).add(&badge.text, theme::medium(10.5), colour);
    }
    line.paint(ui.painter(), first, false);
    let second = Rect::from_min_max(pos2(rect.left() + 12.0, rect.top() + 22.0), pos2(right, rect.bottom() - 4.0));
    let fault = item.faults.first();
    let text = fault.cloned().unwrap_or_else(|| reading.first_line());
    let colour = if fault.is_some() { palette.warn } else { palette.dim };
    cell::text(ui.painter(), second, &words::plain(&text), theme::sans(11.0), colour, false);
}

/// What does not fit into a row.
fn hover(ui: &mut Ui, item: &Item, reading: &Reading) {
    let palette = theme::palette(ui);
    ui.set_max_width(420.0);
    ui.label(RichText::new(words::plain(&item.key)).font(theme::mono()));
    for fault in &item.faults {
        ui.label(RichText::new(words::plain(fault)).color(palette.warn));
    }
    let description: String = reading.description.as_deref().unwrap_or_default().chars().take(2_000).collect();
    if !description.is_empty() {
        ui.label(RichText::new(words::plain(description.trim())).color(palette.dim));
    }
}

/// What is listed, in words.
pub fn noun(kind: Kind) -> &'static str {
    match kind {
        Kind::Tools => "tools",
        Kind::Resources => "resources",
        Kind::Templates => "templates",
        Kind::Prompts => "prompts",
        Kind::Tasks => "tasks",
    }
}

fn say(ui: &mut Ui, rect: Rect, text: &str) {
    let place = Rect::from_min_max(rect.min + vec2(14.0, 16.0), rect.max - vec2(14.0, 0.0));
    button::place(ui, place, Layout::top_down(Align::Min), |ui| {
        ui.label(RichText::new(text).color(theme::palette(ui).dim));
    });
}

/// Where there is no list: it is being fetched, or was not asked for.
fn nothing(ui: &mut Ui, rect: Rect, desk: &Desk, id: ConnectionId, kind: Kind) {
    let Some(connection) = desk.bench.get(id) else { return };
    let capability = if kind == Kind::Templates { "resources" } else { noun(kind) };
    let text = if connection.fetching.contains_key(&kind) {
        format!("Fetching {} …", kind.method())
    } else if connection.peer.is_none() {
        String::new()
    } else if connection.declares(capability) == Some(false) {
        format!("The server does not declare the capability \"{capability}\". It can be asked all the same.")
    } else {
        format!("{} was not asked for yet.", kind.method())
    };
    say(ui, rect, &text);
}

/// Below the rows: how many, how fresh, and what can be fetched.
fn foot(ui: &mut Ui, desk: &mut Desk, id: ConnectionId, kind: Kind, list: Option<&List>, matching: usize) {
    let palette = theme::palette(ui);
    ui.spacing_mut().item_spacing = vec2(4.0, 2.0);
    let small = |text: String, colour| RichText::new(text).font(theme::sans(11.5)).color(colour);
    let Some(connection) = desk.bench.get(id) else { return };
    let fetching = connection.fetching.contains_key(&kind);
    let next = list.and_then(|list| list.next.clone());
    let (mut all, mut first, mut more) = (false, false, false);
    ui.horizontal(|ui| {
        ui.spacing_mut().interact_size.y = 22.0;
        let word = if list.is_none() { "Fetch" } else { "Refresh" };
        ui.add_enabled_ui(!fetching, |ui| {
            all = button::quiet(ui, word, "Fetch the whole list (Ctrl+R)").clicked();
            first = button::quiet(ui, "First page", "Fetch only the first page").clicked();
            if next.is_some() {
                more = button::quiet(ui, "Next page", "Fetch the next page").clicked();
            }
        });
        if fetching {
            ui.add(eframe::egui::Spinner::new().size(14.0));
        }
    });
    if let Some(list) = list {
        let total = list.items.len();
        let mut words = vec![if matching == total {
            format!("{} {}", words::count(total as u64), noun(kind))
        } else {
            format!("{} of {total}", words::count(matching as u64))
        }];
        if list.pages > 1 || list.next.is_some() {
            words.push(words::counted(list.pages.into(), "page", "pages"));
        }
        words.extend(list.hint.as_ref().map(|(ttl, scope)| hint(*ttl, scope, list.at, desk.now)));
        let (text, colour) = match (&list.stopped, list.stale) {
            (Some(why), _) => (format!("{} · {why}", words.join(" · ")), palette.warn),
            (None, true) => (format!("{} · changed since", words.join(" · ")), palette.warn),
            (None, false) => (words.join(" · "), palette.dim),
        };
        let label = eframe::egui::Label::new(small(words::plain(&text).into_owned(), colour)).truncate();
        ui.add(label).on_hover_text(words::plain(&text));
    }
    match (all, first, more) {
        (true, ..) => desk.bench.list(id, kind),
        (_, true, _) => desk.bench.page(id, kind, None),
        (.., true) => desk.bench.page(id, kind, next),
        _ => {}
    }
}

/// `fresh for 40 s, private`: what the server says of how long the list may be kept.
fn hint(ttl: u64, scope: &str, at: i64, now: i64) -> String {
    let left = at.saturating_add(i64::try_from(ttl).unwrap_or(i64::MAX).saturating_mul(1_000_000)).saturating_sub(now);
    if left <= 0 { format!("no longer fresh, {scope}") } else { format!("fresh for {}, {scope}", words::age(left)) }
}
