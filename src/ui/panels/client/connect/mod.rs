//! The form that connects to a server, and the same without its first half for changing how a connection behaves.

mod behaving;
mod consent;
mod imitating;
mod reaching;

use eframe::egui::{Align, Align2, Context, Frame, Id, Key, Layout, Modal, Modifiers, RichText, ScrollArea, Ui, vec2};

pub use self::consent::{Consent, command};
use self::imitating::Imitating;
use crate::engine::client::Target;
use crate::engine::view::ConnectionId;
use crate::peer::client::Settings as Conduct;
use crate::ui::client::Wish;
use crate::ui::client::wish::Place;
use crate::ui::desk::Desk;
use crate::ui::settings::Settings;
use crate::ui::theme;
use crate::ui::widgets::button;

/// Width of the form.
const WIDTH: f32 = 640.0;

/// What the form is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// A new connection.
    Connect,
    /// Another behaviour of this one.
    Change(ConnectionId),
}

/// The form.
#[derive(Debug, Default)]
pub struct ConnectForm {
    purpose: Option<Purpose>,
    focus: bool,
    tried: bool,
    wish: Wish,
    from: Option<String>,
    imitating: Imitating,
    /// The question whether a command from a file may be run.
    pub consent: Consent,
}

/// What of the form is wrong, and what of that is said yet.
struct Faults {
    all: Vec<(Place, String)>,
    tried: bool,
}

impl Faults {
    /// What is said about a field. An empty one is not scolded before somebody tried to connect.
    fn of(&self, place: Place, empty: bool) -> Option<&str> {
        let fault = self.all.iter().find(|(of, _)| *of == place).map(|(_, fault)| fault.as_str());
        fault.filter(|_| self.tried || !empty)
    }
}

impl ConnectForm {
    /// Opens the form for a new connection; what was typed last is still there.
    pub fn open(&mut self) {
        self.purpose = Some(Purpose::Connect);
        self.focus = true;
        self.tried = false;
        self.imitating = Imitating::default();
    }

    /// Opens it with this filled in, such as a recent target.
    pub fn open_with(&mut self, wish: Wish, from: Option<String>) {
        self.wish = wish;
        self.from = from;
        self.open();
    }

    /// Opens it to change how a connection behaves.
    pub fn open_change(&mut self, id: ConnectionId, desk: &Desk) {
        let Some(connection) = desk.bench.get(id) else { return };
        self.wish = Wish::of(&connection.target, &connection.settings);
        self.from.clone_from(&connection.target.from);
        self.purpose = Some(Purpose::Change(id));
        self.tried = false;
        self.imitating = Imitating::default();
    }

    /// Opens it to edit what a connection was connected to, for another try.
    pub fn open_again(&mut self, id: ConnectionId, desk: &Desk) {
        if let Some(connection) = desk.bench.get(id) {
            let from = connection.target.from.clone();
            self.open_with(Wish::of(&connection.target, &connection.settings), from);
        }
    }

    /// Whether it is open.
    pub fn is_open(&self) -> bool {
        self.purpose.is_some() || self.consent.is_open()
    }

    /// Connects to a target; a command that nobody typed is shown first.
    pub fn connect(&mut self, target: Target, conduct: Conduct, desk: &mut Desk, settings: &mut Settings) {
        if let Some((target, conduct)) = self.consent.ask(target, conduct) {
            settings.remember_target(&Wish::of(&target, &conduct));
            let now = desk.now;
            desk.bench.connect(target, conduct, now);
        }
    }

    /// Draws the form while it is open.
    pub fn show(&mut self, ctx: &Context, desk: &mut Desk, settings: &mut Settings) {
        if let Some((target, conduct)) = self.consent.show(ctx) {
            settings.remember_target(&Wish::of(&target, &conduct));
            let now = desk.now;
            desk.bench.connect(target, conduct, now);
        }
        let Some(purpose) = self.purpose else { return };
        let height = (ctx.content_rect().height() - 180.0).max(160.0);
        // Its top stays where it is, or what chooses the way would move away from under the pointer.
        let id = Id::unique("connect-form");
        let area = Modal::default_area(id).anchor(Align2::CENTER_TOP, vec2(0.0, 48.0));
        let modal = Modal::new(id).area(area).show(ctx, |ui| {
            Frame::NONE.inner_margin(10.0).show(ui, |ui| {
                ui.set_width(WIDTH);
                let title = match purpose {
                    Purpose::Connect => "Connect to a server",
                    Purpose::Change(_) => "How this connection behaves",
                };
                ui.label(RichText::new(title).font(theme::semibold(15.0)));
                ui.add_space(6.0);
                let faults = Faults { all: self.wish.faults(), tried: self.tried };
                let mut entered = false;
                ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
                    ui.set_width(WIDTH - 14.0);
                    if purpose == Purpose::Connect {
                        let focus = std::mem::take(&mut self.focus);
                        entered = reaching::show(ui, &mut self.wish, &faults, focus);
                    } else {
                        let text = "What was negotiated stays as it is; the rest applies from the next message on.";
                        ui.label(RichText::new(text).color(theme::palette(ui).dim));
                        ui.add_space(4.0);
                    }
                    let (behaviour, imitating) = (&mut self.wish.behaviour, &mut self.imitating);
                    behaving::show(ui, behaviour, &faults, imitating, desk, purpose == Purpose::Connect);
                });
                ui.add_space(10.0);
                entered |= ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Enter));
                self.foot(ui, purpose, &faults, entered, desk, settings);
            });
        });
        if modal.should_close() {
            self.purpose = None;
        }
    }

    fn foot(
        &mut self,
        ui: &mut Ui,
        purpose: Purpose,
        faults: &Faults,
        entered: bool,
        desk: &mut Desk,
        settings: &mut Settings,
    ) {
        ui.horizontal(|ui| {
            let (word, label) = match purpose {
                Purpose::Connect => ("Connect", "Connect now"),
                Purpose::Change(_) => ("Apply", "Apply the settings"),
            };
            if button::primary(ui, word, label).clicked() || entered {
                self.tried = true;
                if faults.all.is_empty() {
                    self.commit(purpose, desk, settings);
                    ui.close();
                }
            }
            if button::framed(ui, None, "Cancel", "Cancel the form", false).clicked() {
                ui.close();
            }
            if self.tried && !faults.all.is_empty() {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let text = faults.all.first().map(|(_, why)| why.clone()).unwrap_or_default();
                    ui.label(RichText::new(text).color(theme::palette(ui).err));
                });
            }
        });
    }

    fn commit(&mut self, purpose: Purpose, desk: &mut Desk, settings: &mut Settings) {
        let conduct = self.wish.behaviour.settings();
        match purpose {
            Purpose::Change(id) => desk.bench.change(id, conduct),
            Purpose::Connect => {
                // Whoever has seen and edited the command in this form has agreed to it.
                let target = self.wish.target();
                settings.remember_target(&self.wish);
                let now = desk.now;
                desk.bench.connect(target, conduct, now);
            }
        }
    }
}
