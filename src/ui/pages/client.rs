//! The page of the client: servers, what they have, what is tried out, what comes of it.

mod asked;

use std::sync::Arc;

use eframe::egui::{CentralPanel, Frame, Panel, Rect, Ui};
use jiff::tz::TimeZone;

use crate::engine::view::ConnectionId;
use crate::peer::client::{Item, Kind, Outcome};
use crate::ui::client::{CallRecord, Shown as Display, Standing, Subject};
use crate::ui::desk::Desk;
use crate::ui::keys::Act;
use crate::ui::panels::client::connect::ConnectForm;
use crate::ui::panels::client::list::ListPanel;
use crate::ui::panels::client::result::{self, ResultPanel, Shown, Wish};
use crate::ui::panels::client::sidebar::Sidebar;
use crate::ui::panels::client::stream::StreamPanel;
use crate::ui::panels::client::work::Work;
use crate::ui::panels::client::{blank, server, top};
use crate::ui::panels::copying::What;
use crate::ui::panels::frames::Frames;
use crate::ui::settings::Settings;
use crate::ui::theme;

/// What the page shows of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tab {
    /// Its tools.
    #[default]
    Tools,
    /// Its resources.
    Resources,
    /// Its resource templates.
    Templates,
    /// Its prompts.
    Prompts,
    /// Tasks.
    Tasks,
    /// Notifications and subscriptions.
    Stream,
    /// Anything, sent as it is.
    Frame,
    /// Who it is and how it was reached.
    Server,
}

impl Tab {
    /// Every tab with its title.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::Tools, "Tools"),
        (Self::Resources, "Resources"),
        (Self::Templates, "Templates"),
        (Self::Prompts, "Prompts"),
        (Self::Tasks, "Tasks"),
        (Self::Stream, "Stream"),
        (Self::Frame, "Raw frame"),
        (Self::Server, "Server"),
    ];
}

/// Where the keyboard is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Zone {
    /// In the list.
    #[default]
    List,
    /// In the result.
    Result,
}

/// The state of the page.
#[derive(Default)]
pub struct ClientPage {
    /// What is shown of the connection.
    pub tab: Tab,
    /// The servers at the left.
    pub sidebar: Sidebar,
    /// The form that connects.
    pub form: ConnectForm,
    /// The list of one kind.
    pub list: ListPanel,
    /// What is filled in.
    pub work: Work,
    /// What came of it.
    pub result: ResultPanel,
    /// Notifications and subscriptions.
    pub stream: StreamPanel,
    /// The tab Raw frame.
    pub frames: Frames,
    zone: Zone,
}

impl ClientPage {
    /// Draws the page; what is pressed is added to `acts`.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        desk: &mut Desk,
        settings: &mut Settings,
        zone: &TimeZone,
        acts: &mut Vec<Act>,
    ) {
        let plain = Frame::NONE.fill(theme::palette(ui).bg1);
        let width = ui.available_width();
        if settings.recordings {
            let panel = Panel::left("servers").default_size(216.0).size_range(150.0..=(width * 0.3).max(151.0));
            panel.frame(plain).show(ui, |ui| self.sidebar.show(ui, desk, settings, &mut self.form, acts));
        }
        match desk.bench.current {
            Some(id) if desk.bench.get(id).is_some() => self.connection(ui, desk, settings, zone, id),
            _ => {
                CentralPanel::no_frame().show(ui, |ui| blank::show(ui, acts));
            }
        }
        self.form.show(ui.ctx(), desk, settings);
        self.sidebar.saved.show(ui.ctx(), desk, settings, &mut self.form);
        if let Some((subject, arguments)) = desk.bench.to_load.take() {
            self.load(desk, &subject, &arguments);
        }
        self.saved_calls(desk);
    }

    fn connection(&mut self, ui: &mut Ui, desk: &mut Desk, settings: &mut Settings, zone: &TimeZone, id: ConnectionId) {
        let plain = Frame::NONE.fill(theme::palette(ui).bg1);
        let bar = Panel::top("client-tabs").exact_size(top::HEIGHT).resizable(false).frame(plain);
        if let Some(wish) = bar.show(ui, |ui| top::show(ui, &mut self.tab, desk, id)).inner {
            self.obey(wish, desk, id);
        }
        let Some(connection) = desk.bench.get(id) else { return };
        // Before anything is known of the server there is nothing else to look at.
        let met = connection.peer.is_some();
        if met && matches!(connection.standing(), Standing::Closed | Standing::Failed) {
            let strip = Panel::top("client-ended").resizable(false).frame(Frame::NONE.fill(theme::palette(ui).err_bg));
            strip.show(ui, |ui| blank::ended(ui, connection));
        }
        match (self.tab, met) {
            (Tab::Frame, _) => {
                CentralPanel::no_frame().show(ui, |ui| self.frames.show(ui, desk, id));
            }
            (Tab::Stream, true) => {
                CentralPanel::no_frame().show(ui, |ui| self.stream.show(ui, desk, id, zone));
            }
            (Tab::Server, _) | (_, false) => {
                let wish = CentralPanel::no_frame().show(ui, |ui| server::show(ui, desk, id)).inner;
                if let Some(wish) = wish {
                    self.obey(wish, desk, id);
                }
            }
            (tab, true) => {
                if let Some(kind) = tab.kind() {
                    self.columns(ui, desk, settings, zone, id, kind);
                }
            }
        }
    }

    /// List, work area and result beside each other.
    fn columns(
        &mut self,
        ui: &mut Ui,
        desk: &mut Desk,
        settings: &Settings,
        zone: &TimeZone,
        id: ConnectionId,
        kind: Kind,
    ) {
        let plain = Frame::NONE.fill(theme::palette(ui).bg1);
        let width = ui.available_width();
        let panel = Panel::left("client-list").default_size((width * 0.21).clamp(170.0, 280.0));
        let response = panel.size_range(140.0..=(width * 0.4).max(141.0)).frame(plain).show(ui, |ui| {
            self.list.show(ui, desk, id, kind, self.zone == Zone::List);
        });
        self.touched(ui, response.response.rect, Zone::List);
        let list = desk.bench.get(id).and_then(|connection| connection.lists.get(&kind)).cloned();
        let item: Option<Item> = list.as_ref().and_then(|list| self.list.item(list, id, kind)).cloned();
        let subject = self.list.subject(id, kind);
        if settings.detail {
            let size = (width * 0.36).clamp(240.0, 620.0);
            let most = (width - 420.0).max(241.0);
            let panel = Panel::right("client-result").default_size(size).size_range(240.0..=most).frame(plain);
            let response = panel.show(ui, |ui| self.results(ui, desk, settings, zone, id, subject.as_ref()));
            self.touched(ui, response.response.rect, Zone::Result);
            if let Some(wish) = response.inner {
                self.follow(wish, desk, id, subject.as_ref());
            }
        }
        let response = CentralPanel::no_frame().show(ui, |ui| match &subject {
            Some(subject) => self.work.show(ui, desk, id, subject, item.as_ref()),
            None => blank::unchosen(ui, kind),
        });
        self.touched(ui, response.response.rect, Zone::List);
    }

    fn results(
        &mut self,
        ui: &mut Ui,
        desk: &Desk,
        settings: &Settings,
        zone: &TimeZone,
        id: ConnectionId,
        subject: Option<&Subject>,
    ) -> Option<Wish> {
        let connection = desk.bench.get(id)?;
        let call =
            subject.and_then(|subject| self.work.shown(id, subject, desk)).and_then(|call| connection.call(call));
        let output = subject.and_then(|subject| self.work.output(id, subject)).map(<[u8]>::to_vec);
        let shown = call.map(|call| Shown { id, call, before: before(connection, call), output: output.as_deref() });
        self.result.show(ui, shown.as_ref(), desk, settings, zone, self.zone == Zone::Result)
    }

    fn touched(&mut self, ui: &Ui, rect: Rect, zone: Zone) {
        let pressed = ui.input(|input| input.pointer.any_pressed().then(|| input.pointer.interact_pos()).flatten());
        if pressed.is_some_and(|at| rect.contains(at)) && !eframe::egui::Popup::is_any_open(ui.ctx()) {
            self.zone = zone;
        }
    }

    fn obey(&mut self, wish: top::Wish, desk: &mut Desk, id: ConnectionId) {
        match wish {
            top::Wish::Change => self.form.open_change(id, desk),
            top::Wish::Disconnect => desk.bench.disconnect(id),
            top::Wish::Retry => {
                let now = desk.now;
                desk.bench.retry(id, now);
            }
            top::Wish::Edit => self.form.open_again(id, desk),
        }
    }

    /// Shows what was done on another page.
    pub fn display(&mut self, desk: &Desk, id: ConnectionId, shown: Display) {
        match shown {
            Display::Connection => {}
            Display::Subject(subject) => self.reveal(desk, id, &subject),
            Display::Frame(bytes, sent) => {
                self.tab = Tab::Frame;
                self.frames.load(&bytes, desk.bench.get(id).filter(|_| sent));
            }
        }
    }

    /// Shows a subject of a connection, as other panels wish.
    pub fn reveal(&mut self, desk: &Desk, id: ConnectionId, subject: &Subject) {
        let list = desk.bench.get(id).and_then(|connection| connection.lists.get(&subject.kind)).map(Arc::clone);
        self.list.select(id, subject, list.as_deref());
        if let Some((tab, _)) = Tab::ALL.iter().find(|(tab, _)| tab.kind() == Some(subject.kind)) {
            self.tab = *tab;
        }
    }

    /// Does what a key asks for.
    pub fn act(&mut self, ui: &Ui, act: Act, desk: &mut Desk, settings: &mut Settings) {
        match act {
            Act::Recordings => settings.recordings = !settings.recordings,
            Act::Detail => settings.detail = !settings.detail,
            Act::SideBySide => settings.side_by_side = !settings.side_by_side,
            Act::Connect => self.form.open(),
            Act::NextRecording => neighbour(desk, 1),
            Act::PreviousRecording => neighbour(desk, -1),
            Act::Tab(index) => {
                if let Some((tab, _)) = Tab::ALL.get(usize::from(index)) {
                    self.tab = *tab;
                }
            }
            _ => {
                if let Some(id) = desk.bench.current {
                    self.act_on(ui, act, desk, id);
                }
            }
        }
    }

    fn act_on(&mut self, ui: &Ui, act: Act, desk: &mut Desk, id: ConnectionId) {
        let Some(kind) = self.tab.kind() else { return self.act_in_stream(act, desk, id) };
        match act {
            Act::Refresh => desk.bench.list(id, kind),
            Act::Filter => self.list.focus = true,
            Act::Call => {
                if let Some(subject) = self.list.subject(id, kind) {
                    self.work.call(desk, id, &subject);
                }
            }
            Act::Leave => {
                if self.zone == Zone::Result {
                    self.zone = Zone::List;
                } else {
                    self.list.clear(id, kind);
                }
            }
            Act::Enter if self.zone == Zone::Result => self.result.act(act),
            Act::Enter => self.zone = Zone::Result,
            Act::Pick => self.use_value(ui, act, desk, id, kind),
            Act::CopyValue | Act::CopyPath if self.result.tab != result::Tab::Raw => {
                self.use_value(ui, act, desk, id, kind);
            }
            Act::CopyValue => self.result.raw().panel.copy(ui, What::Value),
            Act::CopyPath => self.result.raw().panel.copy(ui, What::Path),
            Act::CopyMessage => self.result.raw().panel.copy(ui, What::Message),
            Act::CopyExchange => self.result.raw().panel.copy(ui, What::Exchange),
            _ if self.zone == Zone::Result => self.result.act(act),
            _ => {
                let page = self.list.page();
                let by = match act {
                    Act::Down => 1,
                    Act::Up => -1,
                    Act::PageDown => page,
                    Act::PageUp => -page,
                    Act::First => isize::MIN / 2,
                    Act::Last => isize::MAX / 2,
                    _ => return,
                };
                self.list.step(id, kind, by);
            }
        }
    }

    fn act_in_stream(&mut self, act: Act, desk: &Desk, id: ConnectionId) {
        let by = match act {
            Act::Down => 1,
            Act::Up => -1,
            Act::PageDown => 20,
            Act::PageUp => -20,
            Act::First => i64::MIN / 2,
            Act::Last => i64::MAX / 2,
            Act::Leave => {
                self.stream.leave();
                return;
            }
            _ => return,
        };
        if self.tab == Tab::Stream {
            self.stream.step(desk, id, by);
        }
    }
}

/// The call before this one of the same subject that ended with a result.
fn before<'a>(connection: &'a crate::ui::client::Connection, call: &CallRecord) -> Option<&'a CallRecord> {
    let subject = call.subject.as_ref()?;
    let earlier = connection.calls.iter().rev().filter(|it| it.id < call.id && it.subject.as_ref() == Some(subject));
    earlier.into_iter().find(|it| matches!(it.outcome, Some(Outcome::Result(_))) && it.method == call.method)
}

/// Shows the connection after or before the current one.
fn neighbour(desk: &mut Desk, by: isize) {
    let at = desk.bench.connections.iter().position(|it| Some(it.id) == desk.bench.current);
    let next = at.map_or(Some(0), |at| at.checked_add_signed(by));
    if let Some(connection) = next.and_then(|next| desk.bench.connections.get(next)) {
        desk.bench.current = Some(connection.id);
    }
}
