//! The page of the server: what is served, who asks what, which rule answers, and answers by hand.

use std::path::PathBuf;

use eframe::egui::{CentralPanel, Frame, Panel, RichText, Ui};
use jiff::tz::TimeZone;

use crate::engine::view::ServerId;
use crate::ui::desk::Desk;
use crate::ui::keys::Act;
use crate::ui::panels::server::log::LogPanel;
use crate::ui::panels::server::requests::Requests;
use crate::ui::panels::server::rules::Rules;
use crate::ui::panels::server::say::SayPanel;
use crate::ui::panels::server::start::StartForm;
use crate::ui::panels::server::work::{self, Work};
use crate::ui::panels::server::{about, blank, clients, sidebar, top};
use crate::ui::server::Standing;
use crate::ui::settings::Settings;
use crate::ui::theme;
use crate::ui::words;

/// What the page shows of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tab {
    /// What it was asked.
    #[default]
    Requests,
    /// Who asks.
    Clients,
    /// The rules of its mock file.
    Rules,
    /// What it says by itself.
    Say,
    /// What else it heard and noted.
    Log,
    /// What it is and how it is found.
    About,
}

impl Tab {
    /// Every tab with its title.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Requests, "Requests"),
        (Self::Clients, "Clients"),
        (Self::Rules, "Rules"),
        (Self::Say, "Notify"),
        (Self::Log, "Log"),
        (Self::About, "Server"),
    ];
}

/// The state of the page.
#[derive(Default)]
pub struct ServerPage {
    /// What is shown of the server.
    pub tab: Tab,
    /// The form that starts one.
    pub form: StartForm,
    /// What was asked.
    pub requests: Requests,
    /// The request that is selected.
    pub work: Work,
    /// The rules.
    pub rules: Rules,
    say: SayPanel,
    log: LogPanel,
    /// The server whose requests that wait have been brought into view, and the last of them.
    seen: Option<(ServerId, u64)>,
}

impl ServerPage {
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
            let panel = Panel::left("stand").default_size(216.0).size_range(150.0..=(width * 0.3).max(151.0));
            panel.frame(plain).show(ui, |ui| sidebar::show(ui, desk, settings, &mut self.form, acts));
        }
        match desk.stand.current {
            Some(id) if desk.stand.get(id).is_some() => self.server(ui, desk, zone, id),
            _ => {
                CentralPanel::no_frame().show(ui, |ui| blank::show(ui, acts));
            }
        }
        self.form.show(ui.ctx(), desk, settings);
    }

    fn server(&mut self, ui: &mut Ui, desk: &mut Desk, zone: &TimeZone, id: ServerId) {
        let plain = Frame::NONE.fill(theme::palette(ui).bg1);
        let bar = Panel::top("server-tabs").exact_size(top::HEIGHT).resizable(false).frame(plain);
        if let Some(wish) = bar.show(ui, |ui| top::show(ui, &mut self.tab, desk, id)).inner {
            self.obey(wish, desk, id);
        }
        let Some(serving) = desk.stand.get(id) else { return };
        if serving.standing() == Standing::Failed {
            let strip = Panel::top("server-failed").resizable(false).frame(Frame::NONE.fill(theme::palette(ui).err_bg));
            let why = serving.state.1.clone();
            strip.show(ui, |ui| failed(ui, &why));
        }
        if self.tab == Tab::Rules && serving.mock().is_none() {
            self.tab = Tab::Requests;
        }
        self.look(desk, id);
        match self.tab {
            Tab::Requests => self.columns(ui, desk, zone, id),
            Tab::Clients => {
                CentralPanel::no_frame().show(ui, |ui| clients::show(ui, desk, id, zone));
            }
            Tab::Rules => {
                CentralPanel::no_frame().show(ui, |ui| self.rules.show(ui, desk, id));
            }
            Tab::Say => {
                CentralPanel::no_frame().show(ui, |ui| self.say.show(ui, desk, id));
            }
            Tab::Log => {
                CentralPanel::no_frame().show(ui, |ui| self.log.show(ui, desk, id, zone));
            }
            Tab::About => {
                let wish = CentralPanel::no_frame().show(ui, |ui| about::show(ui, desk, id)).inner;
                if let Some(about::Wish::Traffic) = wish {
                    aim(desk, id, String::new());
                }
            }
        }
    }

    /// A request that has begun to wait is selected, unless another that waits is being answered.
    fn look(&mut self, desk: &Desk, id: ServerId) {
        let Some(serving) = desk.stand.get(id) else { return };
        let Some(last) = serving.waiting().last().map(|it| it.request) else { return };
        if self.seen.replace((id, last)) == Some((id, last)) {
            return;
        }
        let busy = self.requests.selected(id).and_then(|it| serving.request(it)).is_some_and(|it| it.waits);
        if let Some(first) = serving.waiting().next().filter(|_| !busy) {
            self.requests.select(id, first.request);
        }
    }

    /// List and request beside each other.
    fn columns(&mut self, ui: &mut Ui, desk: &mut Desk, zone: &TimeZone, id: ServerId) {
        let plain = Frame::NONE.fill(theme::palette(ui).bg1);
        let width = ui.available_width();
        let panel = Panel::left("server-requests").default_size((width * 0.36).clamp(220.0, 480.0));
        panel.size_range(180.0..=(width * 0.6).max(181.0)).frame(plain).show(ui, |ui| {
            self.requests.show(ui, desk, id, true);
        });
        let chosen = self.requests.selected(id);
        let wish = CentralPanel::no_frame().show(ui, |ui| {
            let serving = desk.stand.get(id)?;
            match chosen.filter(|number| serving.request(*number).is_some()) {
                Some(request) => self.work.show(ui, desk, id, request, zone).map(|wish| (request, wish)),
                None => {
                    blank::unasked(ui, serving);
                    None
                }
            }
        });
        if let Some((request, wish)) = wish.inner {
            self.follow(desk, id, request, wish);
        }
    }

    fn follow(&mut self, desk: &mut Desk, id: ServerId, request: u64, wish: work::Wish) {
        let Some(serving) = desk.stand.get(id) else { return };
        match wish {
            work::Wish::Source(seq) => {
                let path = PathBuf::from(serving.wish.path.trim());
                desk.aim = Some((path, format!("seq:{seq}")));
            }
            work::Wish::Traffic => {
                let of = serving.request(request).map(|it| format!("id:{} from:client", it.id));
                aim(desk, id, of.unwrap_or_default());
            }
            work::Wish::Rule(line) => {
                self.tab = Tab::Rules;
                self.rules.reveal(line);
            }
        }
    }

    fn obey(&mut self, wish: top::Wish, desk: &mut Desk, id: ServerId) {
        let now = desk.now;
        match wish {
            top::Wish::Stop => desk.stand.stop(id),
            top::Wish::Change => self.form.open_change(id, desk),
            top::Wish::Again => {
                desk.stand.again(id, now);
            }
        }
    }

    /// Does what a key says.
    pub fn act(&mut self, ui: &Ui, act: Act, desk: &mut Desk, settings: &mut Settings) {
        match act {
            Act::Serve | Act::Connect => return self.form.open(),
            Act::Recordings => {
                settings.recordings = !settings.recordings;
                return;
            }
            Act::NextRecording => return neighbour(desk, 1),
            Act::PreviousRecording => return neighbour(desk, -1),
            _ => {}
        }
        let Some(id) = desk.stand.current else { return };
        if let Act::Tab(at) = act {
            let has_rules = desk.stand.get(id).is_some_and(|it| it.mock().is_some());
            let tabs: Vec<Tab> =
                Tab::ALL.iter().map(|(tab, _)| *tab).filter(|tab| *tab != Tab::Rules || has_rules).collect();
            if let Some(tab) = tabs.get(usize::from(at)) {
                self.tab = *tab;
            }
            return;
        }
        match self.tab {
            Tab::Requests => self.act_in_requests(act, desk, id),
            Tab::Log => {
                let by = match act {
                    Act::Down => 1,
                    Act::Up => -1,
                    Act::PageDown => 20,
                    Act::PageUp => -20,
                    _ => return,
                };
                self.log.step(by);
            }
            Tab::Rules => self.rules.act(ui, act, desk, id),
            Tab::Clients | Tab::Say | Tab::About => {}
        }
    }

    fn act_in_requests(&mut self, act: Act, desk: &mut Desk, id: ServerId) {
        let page = self.requests.page();
        let by = match act {
            Act::Filter => return self.requests.to_filter(),
            Act::Follow => return self.requests.follow(),
            Act::Leave => {
                self.requests.clear();
                return;
            }
            Act::Call => {
                if let Some(request) = self.requests.selected(id) {
                    self.work.send(desk, id, request);
                }
                return;
            }
            Act::Down => 1,
            Act::Up => -1,
            Act::PageDown => page,
            Act::PageUp => -page,
            Act::First => isize::MIN / 2,
            Act::Last => isize::MAX / 2,
            _ => return,
        };
        if let Some(serving) = desk.stand.get(id) {
            self.requests.step(serving, by);
        }
    }
}

/// Opens the recording of a server on the Traffic page.
fn aim(desk: &mut Desk, id: ServerId, filter: String) {
    match desk.stand.get(id).and_then(|it| it.recording.clone()) {
        Some(path) => desk.aim = Some((path, filter)),
        None => desk.notice("This server is not recorded."),
    }
}

fn failed(ui: &mut Ui, why: &str) {
    Frame::NONE.inner_margin(eframe::egui::vec2(14.0, 5.0)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new(words::plain(why)).color(theme::palette(ui).text));
    });
}

/// Shows the server after or before the current one.
fn neighbour(desk: &mut Desk, by: isize) {
    let at = desk.stand.servers.iter().position(|it| Some(it.id) == desk.stand.current);
    let next = at.map_or(Some(0), |at| at.checked_add_signed(by));
    if let Some(serving) = next.and_then(|next| desk.stand.servers.get(next)) {
        desk.stand.current = Some(serving.id);
    }
}
