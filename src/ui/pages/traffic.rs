//! The page of traffic: recordings, timeline, detail, and the keys that move among them.

use eframe::egui::{CentralPanel, Frame, Panel, Ui};
use jiff::tz::TimeZone;

use crate::engine::view::View;
use crate::ui::desk::Desk;
use crate::ui::keys::Act;
use crate::ui::panels::copying::What;
use crate::ui::panels::detail::{self, DetailPanel, Tab};
use crate::ui::panels::filter_bar::{self, FilterBar};
use crate::ui::panels::recordings::{self, Recordings};
use crate::ui::panels::row_menu::Wish;
use crate::ui::panels::timeline::{self, Timeline};
use crate::ui::panels::{empty, listing, taps};
use crate::ui::settings::Settings;
use crate::ui::theme;

/// Room for the recordings and a timeline with its columns.
const TIMELINE: f32 = 838.0;

/// Where the keyboard is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Zone {
    /// In the timeline.
    #[default]
    Timeline,
    /// In the detail.
    Detail,
}

/// The state of the page.
#[derive(Default)]
pub struct Traffic {
    /// The list of recordings.
    pub recordings: Recordings,
    /// The filter line.
    pub filter: FilterBar,
    /// The timeline.
    pub timeline: Timeline,
    /// The detail.
    pub detail: DetailPanel,
    /// Where the keyboard is.
    pub zone: Zone,
}

impl Traffic {
    /// Draws the page; what is pressed is added to `acts`.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        desk: &mut Desk,
        settings: &mut Settings,
        zone: &TimeZone,
        acts: &mut Vec<Act>,
    ) {
        let palette = theme::palette(ui);
        let plain = Frame::NONE.fill(palette.bg1);
        let width = ui.available_width();
        if settings.recordings {
            let panel = Panel::left("recordings").default_size(224.0).size_range(160.0..=(width * 0.3).max(161.0));
            panel.frame(plain).show(ui, |ui| {
                let foot = Panel::bottom("taps").resizable(false).frame(plain);
                foot.show(ui, |ui| taps::foot(ui, desk, acts));
                recordings::show(ui, &mut self.recordings, desk, zone);
            });
        }
        if empty::lack(desk) == Some(empty::Lack::Recordings) {
            CentralPanel::no_frame().show(ui, |ui| {
                if empty::show(ui, desk, empty::Lack::Recordings) == Some(empty::Wish::Tap) {
                    acts.push(Act::Tap);
                }
            });
            return;
        }
        let bar = Panel::top("filter").exact_size(filter_bar::HEIGHT).resizable(false).frame(plain);
        bar.show(ui, |ui| filter_bar::show(ui, &mut self.filter, desk, settings, acts));
        if settings.detail {
            let most = (ui.available_width() - 300.0).max(301.0);
            // Where the window is small the timeline keeps what it needs to be read.
            let size = (width * 0.36).min(width - TIMELINE).clamp(320.0, 640.0);
            let panel = Panel::right("detail").default_size(size).size_range(300.0..=most);
            let response = panel.frame(plain).show(ui, |ui| {
                detail::show(ui, &mut self.detail, desk, settings, zone, self.zone == Zone::Detail, acts);
            });
            self.touched(ui, response.response.rect, Zone::Detail);
        }
        let response = CentralPanel::no_frame().show(ui, |ui| match empty::lack(desk) {
            Some(lack) => {
                if empty::show(ui, desk, lack) == Some(empty::Wish::Clear) {
                    self.filter.clear(desk);
                }
            }
            None => {
                if let Some(wish) = timeline::show(ui, &mut self.timeline, desk, settings, zone) {
                    self.obey(ui, wish, desk, settings);
                }
            }
        });
        self.touched(ui, response.response.rect, Zone::Timeline);
        recordings::confirm(ui, &mut self.recordings, desk);
    }

    /// Does what was wished in the menu of a row.
    fn obey(&mut self, ui: &Ui, wish: Wish, desk: &mut Desk, settings: &mut Settings) {
        match wish {
            Wish::Filter(filter) => {
                settings.remember(&filter);
                self.filter.set(&filter, desk);
            }
            Wish::Copy(what) => {
                // The detail may be hidden.
                self.detail.sync(desk.detail.as_ref());
                self.detail.copy(ui, what);
            }
        }
    }

    fn touched(&mut self, ui: &Ui, rect: eframe::egui::Rect, zone: Zone) {
        let pressed = ui.input(|input| input.pointer.any_pressed().then(|| input.pointer.interact_pos()).flatten());
        if pressed.is_some_and(|at| rect.contains(at)) && !eframe::egui::Popup::is_any_open(ui.ctx()) {
            self.zone = zone;
        }
    }

    /// Does what a key asks for.
    pub fn act(&mut self, ui: &Ui, act: Act, desk: &mut Desk, settings: &mut Settings) {
        match act {
            Act::Filter => self.filter.focus = true,
            Act::Follow => settings.follow = !settings.follow,
            Act::Pause => desk.pause(!desk.is_paused()),
            Act::View => change_view(desk, settings),
            Act::Recordings => settings.recordings = !settings.recordings,
            Act::Detail => settings.detail = !settings.detail,
            Act::SideBySide => settings.side_by_side = !settings.side_by_side,
            Act::Envelope => self.detail.whole = !self.detail.whole,
            Act::Tab(index) => {
                if let Some((tab, _)) = Tab::ALL.get(usize::from(index)) {
                    self.detail.tab = *tab;
                }
            }
            Act::Find => {
                self.detail.tab = Tab::Pretty;
                self.detail.find.open();
            }
            Act::NextHit | Act::PreviousHit => self.next_hit(if act == Act::NextHit { 1 } else { -1 }),
            Act::CopyValue => self.detail.copy(ui, What::Value),
            Act::CopyPath => self.detail.copy(ui, What::Path),
            Act::CopyMessage => self.detail.copy(ui, What::Message),
            Act::CopyExchange => self.detail.copy(ui, What::Exchange),
            Act::CopyCurl => self.detail.copy(ui, What::Curl),
            Act::Resend if desk.selected.is_some() => {
                // The menu is that of the detail.
                settings.detail = true;
                desk.resend = true;
            }
            Act::Menu => {
                if let Some(row) = desk.selected {
                    desk.reveal = Some(desk.cursor);
                    self.timeline.menu.open(row);
                }
            }
            Act::NextRecording => neighbour(desk, 1),
            Act::PreviousRecording => neighbour(desk, -1),
            Act::Leave => self.leave(desk),
            _ if self.zone == Zone::Detail && settings.detail => self.detail.act(act),
            _ => self.in_timeline(act, desk),
        }
    }

    fn next_hit(&mut self, by: isize) {
        let DetailPanel { find, request, answer, in_answer, .. } = &mut self.detail;
        find.go(request, answer, in_answer, by);
    }

    /// One step back: the search, the detail, the selection, the filter.
    fn leave(&mut self, desk: &mut Desk) {
        if self.detail.find.close() {
            return;
        }
        if self.zone == Zone::Detail {
            self.zone = Zone::Timeline;
        } else if desk.selected.is_some() {
            desk.deselect();
        } else if !desk.filter.is_empty() {
            self.filter.clear(desk);
        }
    }

    fn in_timeline(&mut self, act: Act, desk: &mut Desk) {
        let page = self.timeline.page as i64;
        match act {
            Act::Down => desk.step(1),
            Act::Up => desk.step(-1),
            Act::PageDown => desk.step(page),
            Act::PageUp => desk.step(-page),
            Act::First => desk.select_index(0),
            Act::Last => desk.select_index(u64::MAX),
            Act::Enter => {
                if desk.selected.is_none() {
                    desk.step(1);
                } else {
                    self.zone = Zone::Detail;
                }
            }
            _ => {}
        }
    }
}

/// Exchanges instead of messages, or the other way round.
fn change_view(desk: &mut Desk, settings: &mut Settings) {
    let view = if desk.view == View::Exchanges { View::Messages } else { View::Exchanges };
    settings.messages = view == View::Messages;
    let filter = desk.filter.clone();
    desk.show(view, &filter);
}

/// Opens the recording after or before the current one, in the order of the list.
fn neighbour(desk: &mut Desk, by: isize) {
    let order: Vec<usize> = listing::order(&desk.recordings, desk.now);
    let at = order.iter().position(|index| desk.is_current(&desk.recordings[*index].path));
    let next = match at {
        Some(at) => at.checked_add_signed(by),
        None => Some(0),
    };
    if let Some(index) = next.and_then(|next| order.get(next)) {
        desk.open(desk.recordings[*index].path.clone());
    }
}
