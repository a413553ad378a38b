//! The variables of the saved calls: what each is now, where that is from, and what it is to be for what is run from
//! here. Nothing of it changes the file.

use std::collections::HashMap;
use std::sync::Arc;

use eframe::egui::accesskit::Role;
use eframe::egui::{Align, CursorIcon, Label, Layout, RichText, Sense, Ui, WidgetInfo, vec2};

use super::{Project, cut, inset, small};
use crate::project::{shown, typed};
use crate::ui::client::variables::{From, Variable};
use crate::ui::desk::Desk;
use crate::ui::panels::entry::title;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::widgets::field::Field;
use crate::ui::words;

/// Variables that are listed.
const MOST: usize = 200;
/// Bytes of a value that can be edited here.
const EDITABLE: usize = 4_000;
/// Lines of a value that are shown at once.
const MOST_LINES: usize = 4;
/// Names of calls that are told of a variable without a value.
const MOST_CALLS: usize = 3;

/// What the table was made of.
type Key = (usize, u64, Option<String>);

/// The table.
#[derive(Debug, Default)]
pub(super) struct Table {
    of: Option<Key>,
    rows: Vec<Variable>,
    /// What is typed for a variable, and the value that it means.
    texts: HashMap<String, (String, String)>,
}

impl Table {
    /// Draws it, where the file has anything to vary.
    pub(super) fn show(&mut self, ui: &mut Ui, desk: &mut Desk, project: &Project) {
        self.sync(desk, project);
        let has_answers = project.calls.iter().any(|(_, call)| !call.answers.is_empty());
        if !self.rows.is_empty() || !project.environments.is_empty() {
            title(ui, "VARIABLES");
            inset(ui, |ui| {
                environments(ui, desk, project);
                for row in &self.rows {
                    line(ui, desk, row, &mut self.texts);
                }
            });
        }
        if has_answers {
            title(ui, "WHAT SERVERS ASK");
            inset(ui, |ui| answers(ui, desk));
        }
    }

    fn sync(&mut self, desk: &Desk, project: &Project) {
        let variables = &desk.bench.variables;
        let key = (Arc::as_ptr(project) as usize, variables.version(), variables.environment.clone());
        if self.of.as_ref() != Some(&key) {
            self.rows = variables.table(project);
            self.rows.truncate(MOST);
            let rows = &self.rows;
            self.texts.retain(|name, _| rows.iter().any(|row| row.name == *name));
            self.of = Some(key);
        }
    }
}

fn environments(ui: &mut Ui, desk: &mut Desk, project: &Project) {
    if project.environments.is_empty() {
        return;
    }
    small(ui, "Environment", theme::palette(ui).dim);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let chosen = &mut desk.bench.variables.environment;
        if button::small(ui, "none", chosen.is_none()).clicked() {
            *chosen = None;
        }
        for (name, _) in &project.environments {
            if button::small(ui, &cut(&words::plain(name), 24), chosen.as_ref() == Some(name)).clicked() {
                *chosen = Some(name.clone());
            }
        }
    });
    ui.add_space(4.0);
}

/// One variable: its name and where its value is from, and below the value.
fn line(ui: &mut Ui, desk: &mut Desk, row: &Variable, texts: &mut HashMap<String, (String, String)>) {
    ui.add_space(2.0);
    let size = vec2(ui.available_width(), 18.0);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        origin(ui, row);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| name(ui, row));
    });
    let size = vec2(ui.available_width(), theme::CONTROL);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
        if matches!(row.from, From::Set | From::Picked(_)) {
            let label = format!("Reset {} to what the file says", words::plain(&row.name));
            if button::quiet(ui, "reset", &label).on_hover_text(&label).clicked() {
                desk.bench.variables.reset(&row.name);
            }
        }
        if row.value.len() > EDITABLE {
            let text = format!("{} · {}", words::size(row.value.len() as u64), cut(&row.value, 60));
            ui.add(Label::new(RichText::new(words::plain(&text)).font(theme::mono())).truncate());
        } else {
            ui.with_layout(Layout::top_down(Align::Min), |ui| field(ui, desk, row, texts));
        }
    });
}

/// The name, which copies how the variable is written.
fn name(ui: &mut Ui, row: &Variable) {
    let text = RichText::new(words::plain(&row.name)).font(theme::mono()).color(theme::palette(ui).key);
    let reference = format!("{{{{{}}}}}", row.name);
    let label = format!("Copy {}", words::plain(&reference));
    let response = ui.add(Label::new(text).truncate().sense(Sense::click()));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    button::focus_ring(ui, &response, theme::CORNER_SMALL);
    if response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text(&label).clicked() {
        ui.ctx().copy_text(reference);
    }
}

fn origin(ui: &mut Ui, row: &Variable) {
    let palette = theme::palette(ui);
    let (text, hover, colour) = match &row.from {
        From::File => ("file".to_owned(), "It is the file's.".to_owned(), palette.dim),
        From::Environment(name) => (name.clone(), format!("It is of the environment {name}."), palette.dim),
        From::Set => ("set here".to_owned(), "It was set here, until the window is closed.".to_owned(), palette.accent),
        From::Picked(call) => (format!("by {call}"), format!("It was picked from a result of {call}."), palette.ok),
        From::Nowhere(calls) => {
            let named: Vec<&str> = calls.iter().take(MOST_CALLS).map(String::as_str).collect();
            let see = if named.is_empty() { String::new() } else { format!("; see {}", named.join(", ")) };
            ("no value".to_owned(), format!("It has no value yet{see}."), palette.warn)
        }
    };
    let text = RichText::new(words::plain(&cut(&text, 16))).font(theme::sans(11.0)).color(colour);
    ui.label(text).on_hover_text(words::plain(&hover));
}

fn field(ui: &mut Ui, desk: &mut Desk, row: &Variable, texts: &mut HashMap<String, (String, String)>) {
    let (text, value) = texts.entry(row.name.clone()).or_insert_with(|| (shown(&row.value), row.value.clone()));
    if *value != row.value {
        (*text, *value) = (shown(&row.value), row.value.clone());
    }
    let hint = if matches!(row.from, From::Nowhere(_)) { "no value" } else { "an empty text" };
    let label = format!("Value of {}", words::plain(&row.name));
    let rows = text.matches('\n').count().min(MOST_LINES - 1) + 1;
    let response = Field::new("").label(&label).hint(hint).rows(rows).show(ui, text);
    if response.changed() {
        *value = typed(text);
        desk.bench.variables.set(&row.name, value.clone());
    }
    if row.value.len() > 20 {
        response.on_hover_text(words::plain(&cut(&row.value, 600)));
    }
}

fn answers(ui: &mut Ui, desk: &mut Desk) {
    let mut gives = !desk.bench.asks;
    let response = button::check(ui, &mut gives, "Give saved answers");
    response.on_hover_text("While a saved call runs that has answers, what the server asks is answered with them.");
    desk.bench.asks = !gives;
    let text = if gives { "Calls with saved answers get them, as in midwire run." } else { "You are asked each time." };
    small(ui, text, theme::palette(ui).dim);
}
