//! The window as a whole: takes in what the engine says, draws the page, passes on what was asked.

use std::path::PathBuf;

use eframe::egui::{Frame, Panel, RichText, Ui};
use jiff::tz::TimeZone;

use super::desk::Desk;
use super::keys::{self, Act};
use super::pages::Page;
use super::pages::client::ClientPage;
use super::pages::server::ServerPage;
use super::pages::traffic::Traffic;
use super::panels::open_file::OpenFile;
use super::panels::questions::Questions;
use super::panels::taps::TapForm;
use super::panels::turn::TurnForm;
use super::panels::{keys_help, rail, resend, status_bar};
use super::server::Wish;
use super::server::wish::From;
use super::settings::Settings;
use super::source::Source;
use super::theme;
use super::widgets::button;
use crate::engine::view::View;
use crate::ui::icons::Icon;
use crate::ui::words;

/// Seconds that a frame may spend on what the engine says; the rest waits for the next frame.
const DRAIN: f64 = 0.010;
/// Events that are taken between two looks at the time.
const BATCH: usize = 16;
/// Under this name the settings are remembered.
const SETTINGS: &str = "midwire";

/// The window.
pub struct App {
    source: Box<dyn Source>,
    desk: Desk,
    settings: Settings,
    page: Page,
    traffic: Traffic,
    client: ClientPage,
    server: ServerPage,
    open_file: OpenFile,
    tap_form: TapForm,
    turn_form: TurnForm,
    questions: Questions,
    help: bool,
    zone: TimeZone,
}

impl App {
    /// A window over a source, with what it remembers; opens the first of `files`.
    pub fn new(cc: &eframe::CreationContext<'_>, source: Box<dyn Source>, files: &[PathBuf], zone: TimeZone) -> Self {
        let settings: Settings =
            cc.storage.and_then(|storage| eframe::get_value(storage, SETTINGS)).unwrap_or_default();
        theme::install(&cc.egui_ctx);
        cc.egui_ctx.set_theme(settings.theme.preference());
        let view = if settings.messages { View::Messages } else { View::Exchanges };
        let mut desk = Desk::new(view);
        desk.show(view, "");
        if let Some(file) = files.first() {
            desk.open(file.clone());
        }
        Self {
            source,
            desk,
            settings,
            page: Page::default(),
            traffic: Traffic::default(),
            client: ClientPage::default(),
            server: ServerPage::default(),
            open_file: OpenFile::default(),
            tap_form: TapForm::default(),
            turn_form: TurnForm::default(),
            questions: Questions::default(),
            help: false,
            zone,
        }
    }

    /// What the window knows.
    pub fn desk(&self) -> &Desk {
        &self.desk
    }

    /// The same, so that a test can tell it things.
    pub fn desk_mut(&mut self) -> &mut Desk {
        &mut self.desk
    }

    /// What the window remembers, so that a test can set it.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// Takes in what the engine says, for as long as a frame can afford.
    fn drain(&mut self, ctx: &eframe::egui::Context) {
        let start = self.source.steady();
        loop {
            for _ in 0..BATCH {
                let Some(event) = self.source.poll() else { return };
                self.desk.absorb(event);
            }
            if self.source.steady() - start > DRAIN {
                ctx.request_repaint();
                return;
            }
        }
    }

    fn act(&mut self, ui: &Ui, act: Act) {
        match act {
            Act::Help => self.help = !self.help,
            Act::Open => self.open_file.open(),
            Act::Tap => self.tap_form.open(),
            Act::Traffic => self.page = Page::Traffic,
            Act::Client => self.page = Page::Client,
            Act::Mock if self.page == Page::Traffic => {
                self.desk.to_turn = self.desk.opened.as_ref().map(|opened| opened.path.clone());
            }
            Act::Server => self.page = Page::Server,
            Act::Serve => {
                self.page = Page::Server;
                self.server.act(ui, act, &mut self.desk, &mut self.settings);
            }
            Act::Connect if self.page != Page::Server => {
                self.page = Page::Client;
                self.client.act(ui, act, &mut self.desk, &mut self.settings);
            }
            Act::Theme => {
                self.settings.theme = self.settings.theme.next();
                ui.ctx().set_theme(self.settings.theme.preference());
            }
            _ if self.page == Page::Client => self.client.act(ui, act, &mut self.desk, &mut self.settings),
            _ if self.page == Page::Server => self.server.act(ui, act, &mut self.desk, &mut self.settings),
            _ => self.traffic.act(ui, act, &mut self.desk, &mut self.settings),
        }
    }

    /// Forms that lead from a recording to a server.
    fn serve(&mut self, ui: &Ui) {
        if let Some(path) = self.desk.to_serve.take() {
            self.page = Page::Server;
            let path = path.display().to_string();
            self.server.form.open_with(Wish { from: From::Recording, path, ..Wish::default() });
        }
        if let Some(path) = self.desk.to_turn.take() {
            self.turn_form.open(&path, &self.desk);
        }
        if let Some(wish) = self.turn_form.show(ui.ctx(), &mut self.desk) {
            self.page = Page::Server;
            self.settings.remember_served(&wish);
            let now = self.desk.now;
            self.desk.stand.start(wish, now);
        }
    }

    /// Files dropped onto the window are opened; of several the first.
    fn dropped(&mut self, ui: &Ui) {
        let path = ui.input(|input| input.raw.dropped_files.first().map(|file| file.path().to_path_buf()));
        if let Some(path) = path {
            self.desk.open(path);
        }
        if ui.input(|input| !input.raw.hovered_files.is_empty()) {
            let palette = theme::palette(ui);
            let painter = ui.ctx().layer_painter(eframe::egui::LayerId::new(
                eframe::egui::Order::Foreground,
                eframe::egui::Id::unique("drop"),
            ));
            let rect = ui.ctx().content_rect();
            painter.rect_filled(rect, 0.0, palette.veil);
            let text = "Drop a .midwire file to open it";
            let at = rect.center();
            painter.text(at, eframe::egui::Align2::CENTER_CENTER, text, theme::semibold(15.0), palette.text);
        }
    }

    /// Sentences from the engine, above everything, until they are closed.
    fn notices(&mut self, ui: &mut Ui) {
        if self.desk.notices.is_empty() {
            return;
        }
        let palette = theme::palette(ui);
        let frame = Frame::NONE.fill(palette.err_bg).inner_margin(eframe::egui::vec2(14.0, 4.0));
        Panel::top("notices").resizable(false).frame(frame).show(ui, |ui| {
            let mut closed = None;
            for (index, text) in self.desk.notices.iter().enumerate() {
                ui.horizontal(|ui| {
                    if button::icon_sized(ui, Icon::Cross, "Close the notice", false, 22.0).clicked() {
                        closed = Some(index);
                    }
                    ui.label(RichText::new(words::plain(text)).color(palette.text));
                });
            }
            if let Some(index) = closed {
                self.desk.notices.remove(index);
            }
        });
    }

    /// Draws again when a figure on the screen grows with time: the age of a live recording, how long a
    /// request has been pending or a stream silent. Otherwise nothing is drawn until something happens.
    fn tick(&self, ui: &Ui) {
        let ages = self.desk.recordings.iter().any(|listing| listing.live);
        let state = self.desk.latest();
        if self.desk.bench.is_in_run() || self.page == Page::Client && self.desk.bench.is_busy() {
            ui.ctx().request_repaint_after_secs(0.1);
        }
        if self.page == Page::Server && self.desk.stand.is_busy() {
            ui.ctx().request_repaint_after_secs(0.5);
        }
        if state.live && state.pending + state.open > 0 {
            ui.ctx().request_repaint_after_secs(1.0);
        } else if ages {
            ui.ctx().request_repaint_after_secs(20.0);
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        self.desk.now = self.source.now();
        self.drain(ui.ctx());
        let modal = ui.ctx().memory(|memory| memory.top_modal_layer().is_some());
        let dialog = modal || eframe::egui::Popup::is_any_open(ui.ctx()) || self.questions.has_keyboard();
        let mut acts = keys::pressed(ui.ctx(), dialog);
        if ui.input(|input| input.events.iter().any(|event| matches!(event, eframe::egui::Event::Copy)))
            && !ui.ctx().text_edit_focused()
        {
            acts.push(Act::CopyValue);
        }
        let palette = theme::palette(ui);
        let plain = Frame::NONE.fill(palette.bg1);
        self.notices(ui);
        let foot = Panel::bottom("status").exact_size(status_bar::HEIGHT).resizable(false).frame(plain);
        foot.show(ui, |ui| status_bar::show(ui, &self.desk, self.page, &mut acts));
        let waiting = (Questions::count(&self.desk), self.desk.stand.waiting());
        let side = Panel::left("rail").exact_size(rail::WIDTH).resizable(false).frame(plain);
        side.show(ui, |ui| rail::show(ui, self.page, &self.settings, waiting, &mut acts));
        self.questions.strip(ui, &self.desk, self.page == Page::Client);
        match self.page {
            Page::Traffic => self.traffic.show(ui, &mut self.desk, &mut self.settings, &self.zone, &mut acts),
            Page::Client => self.client.show(ui, &mut self.desk, &mut self.settings, &self.zone, &mut acts),
            Page::Server => self.server.show(ui, &mut self.desk, &mut self.settings, &self.zone, &mut acts),
        }
        for act in acts {
            self.act(ui, act);
        }
        if let Some((path, filter)) = self.desk.aim.take() {
            self.page = Page::Traffic;
            self.desk.open(path);
            self.traffic.filter.set(&filter, &mut self.desk);
            self.desk.select_first();
        }
        if let Some((id, shown)) = self.desk.bench.shown.take() {
            self.page = Page::Client;
            self.client.display(&self.desk, id, shown);
        }
        self.serve(ui);
        resend::connect::show(ui.ctx(), &mut self.desk, &mut self.settings);
        self.questions.show(ui, &mut self.desk);
        keys_help::show(ui.ctx(), &mut self.help);
        if let Some(path) = self.open_file.show(ui.ctx()) {
            self.desk.open(path);
        }
        self.tap_form.show(ui.ctx(), &mut self.desk);
        self.dropped(ui);
        for command in self.desk.commands() {
            self.source.send(command);
        }
        self.tick(ui);
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        eframe::set_value(storage, SETTINGS, &self.settings);
    }

    fn clear_color(&self, visuals: &eframe::egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }
}
