//! Taps on HTTP that run in this window: the form that starts one, and the list with its addresses at the
//! foot of the recordings.

use eframe::egui::{Align, Context, Frame, Id, Key, Layout, Modal, Modifiers, RichText, ScrollArea, TextEdit, Ui};

use crate::engine::view::{Command, TapField, TapInfo, TapWish};
use crate::ui::desk::Desk;
use crate::ui::icons::Icon;
use crate::ui::keys::Act;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// Height of the list of running taps at most.
const HIGHEST: f32 = 180.0;

/// The form.
#[derive(Debug, Default)]
pub struct TapForm {
    open: bool,
    focus: bool,
    wish: TapWish,
    stage: Stage,
}

/// How far the form has come.
#[derive(Debug, Default)]
enum Stage {
    /// It is being filled in.
    #[default]
    Asking,
    /// A tap is being started.
    Starting,
    /// It could not be started.
    Failed(String),
    /// It runs.
    Running(TapInfo),
}

impl TapForm {
    /// Opens the form.
    pub fn open(&mut self) {
        self.open = true;
        self.focus = true;
        self.stage = Stage::Asking;
    }

    /// Draws the form while it is open.
    pub fn show(&mut self, ctx: &Context, desk: &mut Desk) {
        if let Some(answer) = desk.tap_answer.take() {
            self.learn(answer, desk);
        }
        if !self.open {
            return;
        }
        let modal = Modal::new(Id::unique("tap-form")).show(ctx, |ui| {
            Frame::NONE.inner_margin(10.0).show(ui, |ui| {
                ui.set_width(520.0);
                match &self.stage {
                    Stage::Running(info) => running(ui, info),
                    _ => self.ask(ui, desk),
                }
            });
        });
        if modal.should_close() {
            self.open = false;
        }
    }

    fn learn(&mut self, answer: Result<TapInfo, String>, desk: &mut Desk) {
        match answer {
            Ok(info) => {
                if let Some(path) = &info.recording {
                    desk.open(path.clone());
                }
                self.wish = TapWish::default();
                self.stage = Stage::Running(info);
            }
            Err(why) => {
                // A form that was closed meanwhile is not there to say it.
                if !self.open {
                    desk.notice(why.clone());
                }
                self.stage = Stage::Failed(why);
            }
        }
    }

    fn ask(&mut self, ui: &mut Ui, desk: &mut Desk) {
        let palette = theme::palette(ui);
        ui.label(RichText::new("Tap an HTTP server").font(theme::semibold(15.0)));
        let what = "midwire listens on this machine, passes everything on to the server, and records it.";
        ui.label(RichText::new(what).color(palette.dim));
        ui.add_space(6.0);
        let faults = self.wish.faults();
        let fault = |field| faults.iter().find(|(of, _)| *of == field).map(|(_, fault)| fault.as_str());
        let focus = std::mem::take(&mut self.focus);
        let started = matches!(self.stage, Stage::Starting);
        ui.add_enabled_ui(!started, |ui| {
            let wish = &mut self.wish;
            let empty = wish.url.is_empty();
            let url = Field { title: "URL", label: "URL of the server", hint: "https://example.com/mcp" };
            url.show(ui, &mut wish.url, fault(TapField::Url).filter(|_| !empty), focus);
            let listen =
                Field { title: "Listen at", label: "Address to listen at", hint: "127.0.0.1:0, any free port" };
            listen.show(ui, &mut wish.listen, fault(TapField::Listen), false);
            let name = Field { title: "Name", label: "Name of the server", hint: "the server's host" };
            name.show(ui, &mut wish.name, None, false);
            let bearer = Field {
                title: "Bearer token from",
                label: "Environment variable with a bearer token",
                hint: "API_TOKEN, added upstream and never recorded",
            };
            bearer.show(ui, &mut wish.bearer, fault(TapField::Bearer), false);
        });
        if let Stage::Failed(why) = &self.stage {
            ui.add_space(4.0);
            ui.label(RichText::new(words::plain(why)).color(palette.err));
        }
        ui.add_space(10.0);
        let ready = faults.is_empty() && !started;
        let entered = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        ui.horizontal(|ui| {
            let word = if started { "Starting …" } else { "Start" };
            let start = ui.add_enabled_ui(ready, |ui| button::framed(ui, None, word, "Start the tap", false)).inner;
            if ready && (start.clicked() || entered) {
                desk.send(Command::StartTap(self.wish.clone()));
                self.stage = Stage::Starting;
            }
            if button::framed(ui, None, "Cancel", "Cancel the tap", false).clicked() {
                ui.close();
            }
        });
    }
}

/// A field of the form.
struct Field {
    title: &'static str,
    label: &'static str,
    hint: &'static str,
}

impl Field {
    fn show(&self, ui: &mut Ui, text: &mut String, fault: Option<&str>, focus: bool) {
        let palette = theme::palette(ui);
        ui.label(RichText::new(self.title).font(theme::sans(11.5)).color(palette.dim));
        let field = TextEdit::singleline(text).font(theme::mono()).desired_width(f32::INFINITY).hint_text(self.hint);
        let response = ui.add(field).accessible_name(self.label);
        if focus {
            response.request_focus();
        }
        if let Some(fault) = fault {
            ui.label(RichText::new(fault).font(theme::sans(11.5)).color(palette.err));
        }
        ui.add_space(4.0);
    }
}

/// What is said once a tap runs.
fn running(ui: &mut Ui, info: &TapInfo) {
    let palette = theme::palette(ui);
    ui.label(RichText::new("The tap listens").font(theme::semibold(15.0)));
    ui.label(RichText::new("Point the host at this URL instead of the server's:").color(palette.dim));
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        if button::icon_sized(ui, Icon::Copy, "Copy the URL for the host", false, 24.0).clicked() {
            ui.ctx().copy_text(info.url.clone());
        }
        ui.label(RichText::new(words::plain(&info.url)).font(theme::mono()).color(palette.text));
    });
    ui.label(RichText::new(format!("It stands for {}", words::plain(&info.upstream))).color(palette.dim));
    ui.label(RichText::new("It runs until you stop it or close the window.").color(palette.dim));
    ui.add_space(10.0);
    if button::framed(ui, None, "Close", "Close the form", false).clicked() {
        ui.close();
    }
}

/// The running taps and the button for another, at the foot of the recordings.
pub fn foot(ui: &mut Ui, desk: &mut Desk, acts: &mut Vec<Act>) {
    ui.add_space(6.0);
    let mut stop = None;
    ScrollArea::vertical().id_salt("taps").max_height(HIGHEST).auto_shrink([false, true]).show(ui, |ui| {
        for tap in &desk.taps {
            if one(ui, tap) {
                stop = Some(tap.id);
            }
        }
    });
    ui.horizontal(|ui| {
        ui.add_space(10.0);
        let label = "Tap an HTTP server (Ctrl+T)";
        if button::framed(ui, Some(Icon::Plus), "Tap an HTTP server", label, false).clicked() {
            acts.push(Act::Tap);
        }
    });
    ui.add_space(6.0);
    if let Some(id) = stop {
        desk.send(Command::StopTap(id));
    }
}

/// One running tap. Returns whether it is to be stopped.
fn one(ui: &mut Ui, tap: &TapInfo) -> bool {
    let palette = theme::palette(ui);
    let mut stop = false;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.add_space(12.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(8.0);
            let label = format!("Stop the tap {}", words::plain(&tap.name));
            ui.add_enabled_ui(!tap.stopping, |ui| {
                stop = button::icon_sized(ui, Icon::Stop, &label, false, 24.0).clicked();
            });
            let label = format!("Copy the URL {}", words::plain(&tap.url));
            if button::icon_sized(ui, Icon::Copy, &label, false, 24.0).clicked() {
                ui.ctx().copy_text(tap.url.clone());
            }
            ui.with_layout(Layout::top_down(Align::Min), |ui| {
                ui.spacing_mut().item_spacing.y = 0.0;
                let name = RichText::new(words::plain(&tap.name)).color(palette.text);
                ui.add(eframe::egui::Label::new(name).truncate());
                let state = if tap.stopping { "stopping …" } else { &tap.url };
                let url = RichText::new(words::plain(state)).font(theme::sans(11.0)).color(palette.dim);
                ui.add(eframe::egui::Label::new(url).truncate());
            });
        });
    });
    stop
}
