//! Variables of the saved calls in what is filled in: their values are put in when the call is made, unless that is
//! switched off; those without a value are marked.

use eframe::egui::{RichText, Ui};

use super::Draft;
use crate::project::{fill_known, references};
use crate::ui::client::keeping::Loading;
use crate::ui::desk::Desk;
use crate::ui::panels::belongs;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// Names that are listed.
const MOST: usize = 8;

/// The saved call that a form is, and the variables that stand in it.
#[derive(Debug)]
pub(super) struct Tied {
    /// The name of the saved call.
    pub(super) name: Option<String>,
    /// What was filled in, and what the file had there.
    loaded: Option<(String, Option<String>)>,
    /// Whether values are put in.
    fills: bool,
    /// The variables in the arguments, and the version of these.
    found: (Option<u64>, Vec<String>),
}

impl Default for Tied {
    fn default() -> Self {
        Self { name: None, loaded: None, fills: true, found: (None, Vec::new()) }
    }
}

impl Draft {
    /// Notes which saved call was filled in.
    pub(super) fn loaded(&mut self, loading: Loading) {
        self.open |= loading.options.is_special();
        self.options = loading.options;
        self.tied.loaded = Some((self.arguments.text(), loading.arguments));
        self.tied.name = Some(loading.name);
    }

    /// The arguments as they are saved: as the file has them where nothing was changed since they were filled in.
    pub(super) fn kept_arguments(&self) -> Option<String> {
        let text = self.arguments.text();
        match &self.tied.loaded {
            Some((filled, original)) if *filled == text => original.clone(),
            _ => Some(text),
        }
    }

    /// The arguments as they are sent.
    pub(super) fn sent_arguments(&self, desk: &Desk) -> String {
        let text = self.arguments.text();
        match desk.bench.project.as_ref().filter(|_| self.tied.fills && text.contains("{{")) {
            Some(project) => fill_known(&text, &|name| desk.bench.variables.value(project, name)).0,
            None => text,
        }
    }
}

/// Draws what is to be said of variables, where there are any.
pub(super) fn show(ui: &mut Ui, draft: &mut Draft, desk: &Desk) {
    let Some(project) = &desk.bench.project else { return };
    let version = draft.arguments.form().draft.version();
    if draft.tied.found.0 != Some(version) {
        draft.tied.found = (Some(version), references(&draft.arguments.text()));
    }
    let found = &draft.tied.found.1;
    if found.is_empty() {
        return;
    }
    let has_value = |name: &&String| desk.bench.variables.value(project, name).is_some();
    let (known, unknown): (Vec<&String>, Vec<&String>) = found.iter().partition(has_value);
    ui.add_space(6.0);
    if !known.is_empty() {
        let text = format!("Put in the values of {}", listed(&known));
        let response = button::check(ui, &mut draft.tied.fills, &text);
        let values = known.iter().take(MOST).filter_map(|name| {
            let value = desk.bench.variables.value(project, name)?;
            Some(format!("{name} = {}", value.chars().take(80).collect::<String>()))
        });
        response.on_hover_text(words::plain(&values.collect::<Vec<_>>().join("   ")));
    }
    if !unknown.is_empty() {
        let (has, it) = if unknown.len() == 1 { ("has", "it is") } else { ("have", "they are") };
        let text = format!(
            "{} {has} no value yet, so {it} sent as written. Make the call that picks it, or set it under Variables.",
            listed(&unknown)
        );
        belongs::notice(ui, &text);
    }
    ui.add_space(6.0);
}

/// The saved call that the form is, in a few words.
pub(super) fn name(ui: &mut Ui, draft: &mut Draft) {
    let Some(name) = draft.tied.name.clone() else { return };
    let palette = theme::palette(ui);
    if button::quiet(ui, "×", "No longer the saved call").on_hover_text("No longer the saved call").clicked() {
        draft.tied = Tied::default();
    }
    let text = RichText::new(format!("saved as {}", words::plain(&name))).font(theme::sans(12.0)).color(palette.dim);
    ui.add(eframe::egui::Label::new(text).truncate()).on_hover_text(words::plain(&name));
}

fn listed(names: &[&String]) -> String {
    let more = if names.len() > MOST { ", …" } else { "" };
    let names: Vec<String> = names.iter().take(MOST).map(|name| format!("{{{{{name}}}}}")).collect();
    format!("{}{more}", names.join(", "))
}
