//! The calls and chains of the file: to be filled in, run, and connected for; and the steps of the last run.

use eframe::egui::accesskit::Role;
use eframe::egui::{Align, CursorIcon, Label, Layout, RichText, Sense, Ui, WidgetInfo, vec2};

use super::loading::{load, right};
use super::{Saved, cut, small};
use crate::engine::view::{ClientCommand, ConnectionId};
use crate::project::{Edit, Project, SavedCall, What, get};
use crate::ui::client::chain::{ChainRun, State, Step};
use crate::ui::desk::Desk;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// Characters of a step's line.
const LINE: usize = 300;

/// A call or chain as it is listed.
struct Entry<'a> {
    name: &'a String,
    about: Option<&'a str>,
    target: Option<&'a String>,
    /// Whether it can be filled into a form.
    fills: bool,
}

impl Saved {
    /// Changes a call that the file has.
    pub(super) fn change(&self, desk: &mut Desk, name: &str, call: SavedCall) {
        let edit = Edit::Call(name.to_owned(), Box::new(call));
        desk.bench.send(ClientCommand::Edit(self.file(), Box::new(edit)));
    }

    /// Draws the calls and chains.
    pub(super) fn listed(&mut self, ui: &mut Ui, desk: &mut Desk, project: &Project) {
        let palette = theme::palette(ui);
        for note in &project.notes {
            small(ui, &format!("line {}: {}", note.line, note.text), palette.warn);
        }
        for (name, call) in &project.calls {
            let second = format!("{} · {}", call.target.as_deref().unwrap_or("any server"), described(&call.what));
            let entry = Entry { name, about: call.description.as_deref(), target: call.target.as_ref(), fills: true };
            if self.entry(ui, desk, project, &entry) {
                load(desk, project, name, call);
            }
            Self::below(ui, desk, name, &second);
        }
        for (name, chain) in &project.chains {
            let first = chain.calls.first().and_then(|call| get(&project.calls, call));
            let target = first.and_then(|call| call.target.as_ref());
            let entry = Entry { name, about: chain.description.as_deref(), target, fills: false };
            self.entry(ui, desk, project, &entry);
            Self::below(ui, desk, name, &chain.calls.join(" → "));
        }
    }

    /// The first line of a call or chain: its name, and what can be done with it. Returns whether it is to be filled in.
    fn entry(&self, ui: &mut Ui, desk: &mut Desk, project: &Project, entry: &Entry<'_>) -> bool {
        ui.add_space(4.0);
        let size = vec2(ui.available_width(), 22.0);
        let lay = |ui: &mut Ui| {
            self.buttons(ui, desk, project, entry);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| heading(ui, entry)).inner
        };
        ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), lay).inner
    }

    fn buttons(&self, ui: &mut Ui, desk: &mut Desk, project: &Project, entry: &Entry<'_>) {
        let (name, shown) = (entry.name, words::plain(entry.name));
        let is_this = desk.bench.run.as_ref().is_some_and(|run| run.name == *name);
        if desk.bench.is_in_run() {
            let label = format!("Stop {shown}");
            if is_this
                && button::framed_small(ui, None, "Stop", &label).clicked()
                && let Some(mut run) = desk.bench.run.take()
            {
                run.stop(&mut desk.bench);
                desk.bench.run = Some(run);
            }
            return;
        }
        let found = right(desk, project, entry.target.map(String::as_str));
        match found.and_then(|id| Some((id, desk.bench.get(id)?.name()))) {
            Some((id, server)) => {
                let label = format!("Run {shown} over {}", words::plain(&server));
                if button::framed_small(ui, None, "Run", &label).on_hover_text(&label).clicked() {
                    run(desk, project, name, id);
                }
            }
            None => {
                let label = format!("Connect to the server of {shown}");
                if button::framed_small(ui, None, "Connect", &label).on_hover_text(&label).clicked() {
                    desk.bench.send(ClientCommand::ProjectTarget(self.file(), entry.target.cloned()));
                }
            }
        }
    }

    /// What stands below: what it is, and the steps of its run.
    fn below(ui: &mut Ui, desk: &mut Desk, name: &str, second: &str) {
        small(ui, &cut(second, 160), theme::palette(ui).dim);
        if desk.bench.run.as_ref().is_some_and(|run| run.name == name) {
            Self::steps(ui, desk);
        }
    }

    /// The steps of the run; a step that was made can be looked at.
    fn steps(ui: &mut Ui, desk: &mut Desk) {
        let mut wanted = None;
        for (index, step) in desk.bench.run.iter().flat_map(|run| &run.steps).enumerate() {
            let has_result = step.made.filter(|(id, call)| {
                let record = desk.bench.get(*id).and_then(|it| it.call(*call));
                record.is_some_and(|record| record.subject.is_some())
            });
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                told(ui, step);
                let label = format!("Show the result of {}, step {}", words::plain(&step.name), index + 1);
                if has_result.is_some() && button::quiet(ui, "result", &label).clicked() {
                    wanted = has_result;
                }
            });
        }
        if wanted.is_some() {
            desk.bench.to_show = wanted;
        }
    }
}

/// The name; that of a call can be pressed. Returns whether it was.
fn heading(ui: &mut Ui, entry: &Entry<'_>) -> bool {
    let palette = theme::palette(ui);
    let shown = words::plain(entry.name);
    let text = RichText::new(&*shown).font(theme::medium(12.5)).color(palette.text);
    let hover = entry.about.map_or_else(|| shown.to_string(), |about| format!("{shown}\n{}", words::plain(about)));
    let label = Label::new(text).truncate();
    if !entry.fills {
        ui.add(label).on_hover_text(hover);
        return false;
    }
    let response = ui.add(label.sense(Sense::click()));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Load {shown}")));
    button::focus_ring(ui, &response, theme::CORNER_SMALL);
    response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text(hover).clicked()
}

/// Runs a call or chain with the variables as they stand. The result of a single call is shown.
fn run(desk: &mut Desk, project: &Project, name: &str, id: ConnectionId) {
    match ChainRun::new(project, &desk.bench, name, id) {
        Ok(run) => {
            desk.bench.run = Some(run);
            desk.bench.go_on(desk.now);
        }
        Err(why) => return desk.notice(format!("Failed to {why}")),
    }
    if let Some([only]) = desk.bench.run.as_ref().map(|run| &run.steps[..]) {
        desk.bench.to_show = only.made;
    }
}

/// One step of a run.
fn told(ui: &mut Ui, step: &Step) {
    let palette = theme::palette(ui);
    let name = &step.name;
    let (text, colour) = match &step.state {
        State::Waiting => (format!("{name}: waiting"), palette.dim),
        State::Running => (format!("{name}: running"), palette.warn),
        State::Failed(why) => (format!("{name}: failed, {why}"), palette.err),
        State::Fine(picked) => {
            let picked: String = picked.iter().map(|(name, value)| format!(" · {name} = {}", cut(value, 80))).collect();
            (format!("{name}: ok{picked}"), palette.ok)
        }
    };
    small(ui, &cut(&text, LINE), colour);
}

fn described(what: &What) -> String {
    match what {
        What::Tool(name) | What::Prompt(name) | What::Resource(name) | What::Template(name) => name.clone(),
        What::Method(method) | What::Notification(method) => method.clone(),
        What::Raw(bytes) => format!("{} raw bytes", bytes.len()),
    }
}
