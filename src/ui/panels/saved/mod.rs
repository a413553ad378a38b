//! The saved calls in the sidebar of the Client page: a project file, its calls and chains, runs of them, and the
//! variables that they use.

mod dialog;
mod keeping;
mod listed;
mod loading;
mod picking;
mod table;

use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::{Color32, Context, Frame, Key, Label, Margin, Response, RichText, Ui};

use self::keeping::Saving;
use self::picking::Picking;
use self::table::Table;
use crate::engine::view::{ClientCommand, ClientEvent};
use crate::ui::client::servers::Servers;
use crate::ui::client::variables::Variables;
use crate::ui::desk::Desk;
use crate::ui::panels::client::connect::ConnectForm;
use crate::ui::panels::entry::title;
use crate::ui::settings::Settings;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::widgets::field::Field;
use crate::ui::words;

/// Where a project begins if nothing else is said.
const USUAL: &str = "calls.midwire.toml";

/// The state of the section.
#[derive(Debug, Default)]
pub struct Saved {
    path: String,
    /// Whether the path that is remembered was taken over.
    begun: bool,
    fault: Option<String>,
    saving: Option<Saving>,
    picking: Option<Picking>,
    table: Table,
}

impl Saved {
    fn file(&self) -> PathBuf {
        let typed = self.path.trim();
        let path = PathBuf::from(if typed.is_empty() { USUAL } else { typed });
        std::path::absolute(&path).unwrap_or(path)
    }

    /// Takes in answers, and draws the dialogs that save a call or a pick.
    pub fn show(&mut self, ctx: &Context, desk: &mut Desk, settings: &mut Settings, form: &mut ConnectForm) {
        if !std::mem::replace(&mut self.begun, true) && !settings.project.is_empty() {
            self.path.clone_from(&settings.project);
            desk.bench.send(ClientCommand::Project(self.file()));
        }
        let wanted = |event: &ClientEvent| matches!(event, ClientEvent::Project(..) | ClientEvent::ProjectTarget(..));
        for event in desk.bench.take_answers(wanted) {
            self.absorb(event, desk, settings, form);
        }
        if let Some(asked) = desk.bench.to_save.take() {
            self.know_file(desk);
            self.saving = Some(Saving::of(asked, desk));
        }
        if let Some(asked) = desk.bench.to_pick.take() {
            self.know_file(desk);
            self.picking = Some(Picking::of(asked, desk));
        }
        self.save_dialog(ctx, desk);
        self.pick_dialog(ctx, desk);
    }

    fn absorb(&mut self, event: ClientEvent, desk: &mut Desk, settings: &mut Settings, form: &mut ConnectForm) {
        match event {
            ClientEvent::Project(path, _) if path != self.file() => {}
            ClientEvent::Project(path, Ok(project)) => {
                settings.project = path.display().to_string();
                desk.bench.servers.read(&path, &project.targets);
                let environment = &mut desk.bench.variables.environment;
                let is_there = |name: &String| project.environments.iter().any(|(other, _)| other == name);
                *environment = environment.take().filter(is_there);
                (desk.bench.project, self.fault) = (Some(project), None);
            }
            ClientEvent::Project(_, Err(why)) => self.fault = Some(format!("Failed to {why}")),
            ClientEvent::ProjectTarget(_, name, Ok(found)) => {
                let servers = &mut desk.bench.servers;
                if let Some((name, saved)) = name.and_then(|name| Some((name.clone(), servers.saved(&name)?.clone()))) {
                    servers.learn(&name, saved, &found.0);
                }
                form.connect(found.0, found.1, desk, settings);
            }
            ClientEvent::ProjectTarget(_, _, Err(why)) => desk.notice(format!("Failed to {why}")),
            _ => {}
        }
    }

    /// What is in the file already must be known before something is added to it.
    fn know_file(&mut self, desk: &mut Desk) {
        if desk.bench.project.is_none() {
            self.fault = None;
            desk.bench.send(ClientCommand::Project(self.file()));
        }
    }

    /// Draws the section in the sidebar's column, below the connections.
    pub fn section(&mut self, ui: &mut Ui, desk: &mut Desk) {
        title(ui, "SAVED CALLS");
        ui.scope(|ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            inset(ui, |ui| {
                self.opening(ui, desk);
                match &self.fault {
                    Some(fault) => drop(small(ui, fault, theme::palette(ui).err)),
                    None if desk.bench.project.is_none() => {
                        let text = "Save call, below a form, keeps calls in this file, to be run again one by one or as a \
                                    chain.";
                        small(ui, text, theme::palette(ui).dim);
                    }
                    None => {}
                }
                if let Some(project) = desk.bench.project.clone() {
                    self.listed(ui, desk, &project);
                }
            });
            if let Some(project) = desk.bench.project.clone() {
                self.table.show(ui, desk, &project);
            }
        });
    }

    fn opening(&mut self, ui: &mut Ui, desk: &mut Desk) {
        let before = self.path.clone();
        let response = Field::new("").label("Path of the project file").hint(USUAL).show(ui, &mut self.path);
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        response.on_hover_text(words::plain(&self.file().display().to_string()));
        if self.path != before {
            // What is shown is always what the path names.
            (desk.bench.project, self.fault) = (None, None);
            desk.bench.servers = Servers::default();
            desk.bench.variables = Variables::default();
        }
        if button::quiet(ui, "Open", "Open the project file").clicked() || entered {
            desk.bench.send(ClientCommand::Project(self.file()));
        }
    }
}

/// What stands in the column, set in from its edges.
fn inset(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    Frame::NONE.inner_margin(Margin::symmetric(14, 2)).show(ui, add);
}

/// A small line of text, which wraps.
fn small(ui: &mut Ui, text: &str, colour: Color32) -> Response {
    ui.add(Label::new(RichText::new(words::plain(text)).font(theme::sans(11.0)).color(colour)).wrap())
}

/// A text that is cut where it is long.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

type Project = Arc<crate::project::Project>;
