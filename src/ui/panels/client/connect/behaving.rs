//! The second half of the form: era, identity and capabilities, ids, time, questions, limits.

use eframe::egui::{Align, CollapsingHeader, Layout, RichText, Ui, vec2};

use super::Faults;
use super::imitating::Imitating;
use crate::model::Revision;
use crate::peer::client::{CAPABILITIES, Settings as Conduct};
use crate::ui::client::behaviour::{Answering, Behaviour, By};
use crate::ui::client::wish::Place;
use crate::ui::desk::Desk;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::widgets::choice::choice;
use crate::ui::widgets::field::Field;

/// Draws it; what only matters while connecting is left out unless `connecting`.
pub(super) fn show(
    ui: &mut Ui,
    behaviour: &mut Behaviour,
    faults: &Faults,
    imitating: &mut Imitating,
    desk: &mut Desk,
    connecting: bool,
) {
    if connecting {
        era(ui, behaviour, faults);
    }
    let title = if connecting { "Identity and capabilities" } else { "Identity and capabilities (of modern requests)" };
    let header = CollapsingHeader::new(title).id_salt("connect-identity");
    header.show(ui, |ui| identity(ui, behaviour, faults, imitating, desk));
    let header = CollapsingHeader::new("Time, progress and ids").id_salt(("connect-time", connecting));
    header.default_open(!connecting).show(ui, |ui| times(ui, behaviour, faults));
    let header = CollapsingHeader::new("What the server asks").id_salt(("connect-questions", connecting));
    header.default_open(!connecting).show(ui, |ui| questions(ui, behaviour, faults));
    CollapsingHeader::new("Rounds, pages and tasks").id_salt("connect-limits").show(ui, |ui| {
        let fault = faults.of(Place::Rounds, false);
        Field::new("Rounds that one call may take").fault(fault).show(ui, &mut behaviour.most_rounds);
        button::check(ui, &mut behaviour.step_rounds, "Each round waits until I send it, and can be edited");
        let fault = faults.of(Place::Pages, false);
        Field::new("Pages of a list that are fetched by themselves").fault(fault).show(ui, &mut behaviour.most_pages);
        button::check(ui, &mut behaviour.poll_tasks, "Ask for the state of tasks by itself");
    });
}

fn caption(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).font(theme::sans(11.5)).color(theme::palette(ui).dim));
}

fn era(ui: &mut Ui, behaviour: &mut Behaviour, faults: &Faults) {
    let mut options = vec![
        ("auto".to_owned(), "auto: asks, and falls back".to_owned()),
        ("modern".to_owned(), "modern: 2026-07-28, no fallback".to_owned()),
        ("legacy".to_owned(), "legacy: initialize at once".to_owned()),
    ];
    for revision in Revision::KNOWN.iter().rev() {
        options.push((revision.text().to_owned(), format!("pinned: {}", revision.text())));
    }
    ui.columns_const(|columns: &mut [Ui; 2]| {
        caption(&mut columns[0], "Era or revision");
        choice(&mut columns[0], "Era or revision", &mut behaviour.era, &options, 260.0);
        let fault = faults.of(Place::Probe, false);
        let field = Field::new("The question for the era waits (s)").label("Time-out of the probe").fault(fault);
        field.show(&mut columns[1], &mut behaviour.probe);
    });
    ui.add_space(4.0);
}

fn identity(ui: &mut Ui, behaviour: &mut Behaviour, faults: &Faults, imitating: &mut Imitating, desk: &mut Desk) {
    ui.horizontal(|ui| {
        if button::framed(ui, None, "midwire's own", "Use midwire's own identity", false).clicked() {
            behaviour.identity = Conduct::default().identity;
            CAPABILITIES.clone_into(&mut behaviour.capabilities);
        }
        if button::framed(ui, None, "None", "Declare no capabilities", false).clicked() {
            "{}".clone_into(&mut behaviour.capabilities);
        }
        imitating.choose(ui, desk);
    });
    imitating.show(ui, desk, behaviour);
    let fault = faults.of(Place::Identity, false);
    let field = Field::new("clientInfo").label("Identity as JSON").fault(fault).rows(2);
    field.show(ui, &mut behaviour.identity);
    let fault = faults.of(Place::Capabilities, false);
    let field = Field::new("capabilities").label("Capabilities as JSON").fault(fault).rows(3);
    field.show(ui, &mut behaviour.capabilities);
    let fault = faults.of(Place::Roots, false);
    let field = Field::new("Roots").label("Roots as JSON").fault(fault).rows(2);
    field.hint(r#"[{"uri":"file:///home/ann/project","name":"project"}]"#).show(ui, &mut behaviour.roots);
}

fn times(ui: &mut Ui, behaviour: &mut Behaviour, faults: &Faults) {
    ui.columns_const(|columns: &mut [Ui; 2]| {
        let fault = faults.of(Place::Patience, false);
        let field = Field::new("Without a sign of life at most (s)").hint("no limit").fault(fault);
        field.show(&mut columns[0], &mut behaviour.patience);
        let fault = faults.of(Place::Cap, false);
        let field = Field::new("In all at most (s)").hint("no limit").fault(fault);
        field.show(&mut columns[1], &mut behaviour.cap);
    });
    button::check(ui, &mut behaviour.progress, "Ask for progress");
    button::check(ui, &mut behaviour.progress_counts, "Progress is a sign of life");
    ui.add_space(4.0);
    ui.columns_const(|columns: &mut [Ui; 2]| {
        caption(&mut columns[0], "Ids");
        let kinds = [(false, "numbers, from"), (true, "strings, beginning with")];
        columns[0].horizontal(|ui| {
            choice(ui, "Kind of ids", &mut behaviour.strings, &kinds, 170.0);
            let fault = faults.of(Place::Ids, false);
            ui.vertical(|ui| Field::new("").label("First id").fault(fault).show(ui, &mut behaviour.ids));
        });
        caption(&mut columns[1], "Log level");
        let levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
        let mut options = vec![(String::new(), "nothing is asked for")];
        options.extend(levels.iter().map(|level| ((*level).to_owned(), *level)));
        choice(&mut columns[1], "Log level", &mut behaviour.log_level, &options, 180.0);
    });
}

fn questions(ui: &mut Ui, behaviour: &mut Behaviour, faults: &Faults) {
    let lines: [(&str, &mut Answering, Place); 3] = [
        ("Elicitation", &mut behaviour.elicitation, Place::Elicitation),
        ("Sampling", &mut behaviour.sampling, Place::Sampling),
        ("Roots", &mut behaviour.roots_reply, Place::RootsReply),
    ];
    for (title, answering, place) in lines {
        let person = if place == Place::RootsReply { "by the roots above" } else { "I answer" };
        let options = [
            (By::Person, person),
            (By::Saved, "by a saved result"),
            (By::Decline, "by declining"),
            (By::Made, "by something made up that fits"),
        ];
        ui.horizontal(|ui| {
            let size = vec2(90.0, theme::CONTROL);
            ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_width(size.x);
                ui.label(title);
            });
            choice(ui, &format!("How {} is answered", title.to_lowercase()), &mut answering.by, &options, 240.0);
        });
        if answering.by == By::Saved {
            let fault = faults.of(place, answering.saved.is_empty());
            let label = format!("Saved result for {}", title.to_lowercase());
            Field::new("").label(&label).fault(fault).rows(3).show(ui, &mut answering.saved);
        }
    }
}
