//! The form that starts a server, and the half of it that changes how one behaves.

use eframe::egui::{
    Align, Align2, CollapsingHeader, Context, Frame, Id, Key, Layout, Modal, Modifiers, RichText, Ui, vec2,
};

use crate::engine::view::ServerId;
use crate::ui::desk::Desk;
use crate::ui::server::wish::{Eras, From, Hand, Match, Miss, Place, Speed, Wish};
use crate::ui::settings::Settings;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::widgets::choice::choice;
use crate::ui::widgets::field::Field;
use crate::ui::words;

/// Width of the form.
const WIDTH: f32 = 600.0;
/// Recordings that are offered.
const OFFERED: usize = 30;

/// What the form is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// A new server.
    Start,
    /// Another behaviour of this one.
    Change(ServerId),
}

/// The form.
#[derive(Debug, Default)]
pub struct StartForm {
    purpose: Option<Purpose>,
    focus: bool,
    tried: bool,
    wish: Wish,
}

impl StartForm {
    /// Opens the form for a new server; what was typed last is still there.
    pub fn open(&mut self) {
        self.purpose = Some(Purpose::Start);
        self.focus = true;
        self.tried = false;
    }

    /// Opens it with this filled in.
    pub fn open_with(&mut self, wish: Wish) {
        self.wish = wish;
        self.open();
    }

    /// Opens it to change how a server behaves.
    pub fn open_change(&mut self, id: ServerId, desk: &Desk) {
        let Some(serving) = desk.stand.get(id) else { return };
        self.wish = serving.wish.clone();
        self.purpose = Some(Purpose::Change(id));
        self.tried = false;
    }

    /// Draws the form while it is open.
    pub fn show(&mut self, ctx: &Context, desk: &mut Desk, settings: &mut Settings) {
        let Some(purpose) = self.purpose else { return };
        let id = Id::unique("serve-form");
        let area = Modal::default_area(id).anchor(Align2::CENTER_TOP, vec2(0.0, 48.0));
        let modal = Modal::new(id).area(area).show(ctx, |ui| {
            Frame::NONE.inner_margin(10.0).show(ui, |ui| {
                ui.set_width(WIDTH);
                let title = if purpose == Purpose::Start { "Serve" } else { "How this server behaves" };
                ui.label(RichText::new(title).font(theme::semibold(15.0)));
                ui.add_space(6.0);
                let faults = self.wish.faults();
                if purpose == Purpose::Start {
                    self.source(ui, &faults, desk);
                }
                self.behaviour(ui, &faults, purpose);
                ui.add_space(10.0);
                let entered = ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Enter));
                self.foot(ui, purpose, &faults, entered, desk, settings);
            });
        });
        if modal.should_close() {
            self.purpose = None;
        }
    }

    /// What is said about a field. An empty path is not scolded before somebody tried.
    fn fault<'a>(&self, faults: &'a [(Place, String)], place: Place) -> Option<&'a str> {
        let fault = faults.iter().find(|(of, _)| *of == place).map(|(_, fault)| fault.as_str());
        fault.filter(|_| self.tried || place != Place::Path && place != Place::Real)
    }

    fn source(&mut self, ui: &mut Ui, faults: &[(Place, String)], desk: &Desk) {
        let ways = [(From::Mock, "A mock file"), (From::Recording, "A recording"), (From::Hand, "By hand")];
        button::segmented(ui, &mut self.wish.from, &ways);
        ui.add_space(6.0);
        let fault = self.fault(faults, Place::Path).map(str::to_owned);
        let focus = std::mem::take(&mut self.focus);
        let palette = theme::palette(ui);
        match self.wish.from {
            From::Mock => {
                let field = Field::new("Path of the mock file").hint("server.mock.toml").fault(fault.as_deref());
                let response = field.show(ui, &mut self.wish.path);
                if focus {
                    response.request_focus();
                }
                let text = "It is read again whenever it changes. assets/MOCK.md says what can stand in it.";
                ui.label(RichText::new(text).font(theme::sans(11.5)).color(palette.dim));
            }
            From::Recording => {
                let field = Field::new("Path of the recording").hint("/path/to/recording.midwire");
                let response = field.fault(fault.as_deref()).show(ui, &mut self.wish.path);
                if focus {
                    response.request_focus();
                }
                offered(ui, &mut self.wish.path, desk);
            }
            From::Hand => {
                let text = "Each request waits until you answer it. The protocol's own, such as the handshake, is \
                            answered by itself.";
                ui.label(RichText::new(text).color(palette.dim));
            }
        }
        ui.add_space(4.0);
        Field::new("Name").label("Name of the server").hint("as the file").show(ui, &mut self.wish.name);
        ui.add_space(4.0);
        let listen = Field::new("Listens at").label("Address to listen at").hint("127.0.0.1:0, any free port");
        listen.fault(self.fault(faults, Place::Listen)).show(ui, &mut self.wish.listen);
        ui.add_space(4.0);
        CollapsingHeader::new("HTTP").id_salt("serve-http").show(ui, |ui| {
            let path = Field::new("Path of the endpoint").hint("/mcp");
            path.fault(self.fault(faults, Place::Endpoint)).show(ui, &mut self.wish.endpoint);
            ui.add_space(4.0);
            button::check(ui, &mut self.wish.sessions, "Sessions for clients of the legacy era");
            button::check(ui, &mut self.wish.json, "JSON instead of streams, where one answer is all that comes");
            button::check(ui, &mut self.wish.sse, "HTTP+SSE of 2024-11-05 as well, at /sse");
        });
    }

    fn behaviour(&mut self, ui: &mut Ui, faults: &[(Place, String)], purpose: Purpose) {
        ui.add_space(4.0);
        row(ui, "Eras", |ui| {
            let eras = [(Eras::Both, "both"), (Eras::Legacy, "legacy only"), (Eras::Modern, "2026-07-28 only")];
            choice(ui, "Eras that are spoken", &mut self.wish.eras, &eras, 200.0);
        });
        if self.wish.from != From::Hand {
            row(ui, "Waits", |ui| {
                let speeds = [(Speed::Recorded, "as they are"), (Speed::Fast, "none"), (Speed::Capped, "at most …")];
                choice(ui, "How waits are taken", &mut self.wish.speed, &speeds, 200.0);
            });
            if self.wish.speed == Speed::Capped {
                let field = Field::new("").label("Seconds that a wait takes at most").hint("seconds");
                field.fault(self.fault(faults, Place::Cap)).show(ui, &mut self.wish.cap);
            }
            row(ui, "By hand", |ui| {
                let hands = [(Hand::Nothing, "nothing"), (Hand::Calls, "calls"), (Hand::Everything, "everything")];
                choice(ui, "What is answered by hand", &mut self.wish.hand, &hands, 200.0);
            });
            row(ui, "Without an answer", |ui| {
                let misses = [(Miss::Error, "an error"), (Miss::Hand, "ask me"), (Miss::Pass, "ask the real server")];
                choice(ui, "What is done without an answer", &mut self.wish.miss, &misses, 200.0);
            });
            // What a running server was started with stays; so does the real one.
            if self.wish.miss == Miss::Pass && purpose == Purpose::Start {
                let field = Field::new("The real server").label("Command or URL of the real server");
                field.fault(self.fault(faults, Place::Real)).show(ui, &mut self.wish.real);
            }
        }
        if self.wish.from == From::Recording && purpose == Purpose::Start {
            row(ui, "Calls are found", |ui| {
                let ways = [
                    (Match::Params, "by method and params"),
                    (Match::Strict, "so, and each once"),
                    (Match::Order, "in recorded order"),
                ];
                choice(ui, "How recorded calls are found", &mut self.wish.matching, &ways, 200.0);
            });
            let field = Field::new("What does not count").label("JSON pointers into params that do not count");
            let field = field.hint("/arguments/timestamp /arguments/nonce");
            field.fault(self.fault(faults, Place::Ignored)).show(ui, &mut self.wish.ignored);
        }
    }

    fn foot(
        &mut self,
        ui: &mut Ui,
        purpose: Purpose,
        faults: &[(Place, String)],
        entered: bool,
        desk: &mut Desk,
        settings: &mut Settings,
    ) {
        ui.horizontal(|ui| {
            let (word, label) = match purpose {
                Purpose::Start => ("Serve", "Serve now"),
                Purpose::Change(_) => ("Apply", "Apply the settings"),
            };
            if button::primary(ui, word, label).clicked() || entered {
                self.tried = true;
                if faults.is_empty() {
                    self.commit(purpose, desk, settings);
                    ui.close();
                }
            }
            if button::framed(ui, None, "Cancel", "Cancel the form", false).clicked() {
                ui.close();
            }
            if self.tried && !faults.is_empty() {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let text = faults.first().map(|(_, why)| why.clone()).unwrap_or_default();
                    ui.add(eframe::egui::Label::new(RichText::new(text).color(theme::palette(ui).err)).truncate());
                });
            }
        });
    }

    fn commit(&mut self, purpose: Purpose, desk: &mut Desk, settings: &mut Settings) {
        match purpose {
            Purpose::Change(id) => desk.stand.change(id, self.wish.clone()),
            Purpose::Start => {
                settings.remember_served(&self.wish);
                let now = desk.now;
                desk.stand.start(self.wish.clone(), now);
            }
        }
    }
}

/// A caption with a control at its right.
fn row(ui: &mut Ui, caption: &str, add: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        let text = RichText::new(caption).font(theme::sans(12.0)).color(theme::palette(ui).dim);
        let start = ui.cursor().left();
        ui.label(text);
        ui.add_space((start + 130.0 - ui.cursor().left()).max(0.0));
        add(ui);
    });
}

/// The recordings that are known, to choose one.
fn offered(ui: &mut Ui, path: &mut String, desk: &Desk) {
    let recordings: Vec<(String, String)> = desk
        .recordings
        .iter()
        .filter_map(|listing| {
            let facts = listing.facts.as_ref().ok()?;
            let file = listing.path.file_name()?.to_string_lossy().into_owned();
            Some((listing.path.display().to_string(), format!("{} · {file}", words::plain(&facts.name))))
        })
        .take(OFFERED)
        .collect();
    if !recordings.is_empty() {
        ui.add_space(4.0);
        choice(ui, "One of the recordings here", path, &recordings, WIDTH - 2.0);
    }
}
