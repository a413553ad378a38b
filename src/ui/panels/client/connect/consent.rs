//! The question that comes before a command is run which nobody typed here: one from a host's file or a recording.
//! The whole command is shown, argument by argument, so that nothing hides behind an ellipsis.

use eframe::egui::{Context, Frame, Id, Modal, RichText, ScrollArea, Ui};

use crate::engine::client::{Base, Target, Way};
use crate::peer::client::Settings as Conduct;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// The question, while it is asked.
#[derive(Debug, Default)]
pub struct Consent {
    asked: Option<Box<(Target, Conduct)>>,
}

impl Consent {
    /// Gives back what needs no consent; asks for the rest.
    pub fn ask(&mut self, target: Target, conduct: Conduct) -> Option<(Target, Conduct)> {
        if target.from.is_some() && matches!(target.way, Way::Command { .. }) {
            self.asked = Some(Box::new((target, conduct)));
            return None;
        }
        Some((target, conduct))
    }

    /// Whether it is asked.
    pub fn is_open(&self) -> bool {
        self.asked.is_some()
    }

    /// Draws the question. Returns what was agreed to.
    pub fn show(&mut self, ctx: &Context) -> Option<(Target, Conduct)> {
        let asked = self.asked.as_ref()?;
        let mut agreed = false;
        let modal = Modal::new(Id::unique("consent")).show(ctx, |ui| {
            Frame::NONE.inner_margin(10.0).show(ui, |ui| {
                ui.set_width(560.0);
                agreed = question(ui, &asked.0);
            });
        });
        if agreed {
            return self.asked.take().map(|asked| *asked);
        }
        if modal.should_close() {
            self.asked = None;
        }
        None
    }
}

fn question(ui: &mut Ui, target: &Target) -> bool {
    let palette = theme::palette(ui);
    ui.label(RichText::new("Run this command?").font(theme::semibold(15.0)));
    let from = target.from.as_deref().unwrap_or("elsewhere");
    let text = format!("It comes from {} and runs as you, with your rights.", words::plain(from));
    ui.label(RichText::new(text).color(palette.dim));
    ui.add_space(6.0);
    command(ui, &target.way);
    ui.add_space(10.0);
    let mut agreed = false;
    ui.horizontal(|ui| {
        agreed = button::primary(ui, "Run it", "Run the command").clicked();
        if button::framed(ui, None, "Cancel", "Do not run the command", false).clicked() {
            ui.close();
        }
    });
    agreed
}

/// A command as it will be run: word by word, its folder, the names of its variables. Nothing for a URL.
pub fn command(ui: &mut Ui, way: &Way) {
    let palette = theme::palette(ui);
    let Way::Command { command, folder, environment } = way else { return };
    let frame = Frame::NONE.fill(palette.bg0).stroke(theme::hairline(palette)).corner_radius(theme::CORNER);
    frame.inner_margin(10.0).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ScrollArea::vertical().max_height(260.0).min_scrolled_height(260.0).auto_shrink([false, true]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            for (index, word) in command.iter().enumerate() {
                let colour = if index == 0 { palette.text } else { palette.str };
                let word = if word.is_empty() { "\"\"".into() } else { words::plain(word) };
                ui.label(RichText::new(word).font(theme::mono()).color(colour));
            }
        });
    });
    ui.add_space(6.0);
    if let Some(folder) = folder {
        ui.label(RichText::new(format!("In the folder {}", folder.display())).color(palette.dim));
    }
    let base = match &environment.base {
        Base::Inherit => "With all of your environment".to_owned(),
        Base::Sdk => "With HOME, PATH and the few other variables that SDKs pass on".to_owned(),
        Base::Only(names) => format!("With {} of your environment", names.join(", ")),
        Base::Empty => "With nothing of your environment".to_owned(),
    };
    let names: Vec<&str> = environment.set.keys().map(String::as_str).collect();
    let and = if names.is_empty() { String::new() } else { format!(", and {}", names.join(", ")) };
    ui.label(RichText::new(words::plain(&format!("{base}{and}."))).color(palette.dim));
}
