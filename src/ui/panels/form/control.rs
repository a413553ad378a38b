//! What a field is edited with. What is typed goes into the form as it is; nothing is corrected, and a field that is
//! not sent becomes one that is as soon as somebody types in it.

use eframe::egui::text::{CCursor, CCursorRange};
use eframe::egui::{
    Align, Button, Color32, Id, Layout, Response, RichText, Stroke, StrokeKind, TextEdit, Ui, WidgetInfo, vec2,
};

use super::{Edit, FormPanel, choice, row};
use crate::schema::{Control, Field, Presence};
use crate::ui::icons::Icon;
use crate::ui::theme::{self, CONTROL, CORNER};
use crate::ui::widgets::button;
use crate::ui::widgets::code::{Code, Fault};
use crate::ui::words;

/// Rows of a field of several lines while it is short.
const ROWS: usize = 3;

/// Draws the control; returns whether the keyboard is in it.
pub fn show(ui: &mut Ui, panel: &mut FormPanel, field: &Field, edits: &mut Vec<Edit>) -> bool {
    let wanted = panel.wanted == Some(field.id);
    let response = match &field.control {
        Control::Text | Control::Number => line(ui, panel, field, edits),
        Control::Lines => lines(ui, panel, field, false, edits),
        Control::Json => lines(ui, panel, field, true, edits),
        Control::Switch => switch(ui, field, edits),
        Control::Choice(values) => choice::one(ui, field, values, edits),
        Control::Choices(values) => choice::several(ui, field, values, edits),
        Control::Variant { labels, open } => variant(ui, field, labels, *open, edits),
        Control::Object { open } => container(ui, field, ["{", "}"], ["member", "members"], *open, edits),
        Control::Array { open } => container(ui, field, ["[", "]"], ["item", "items"], *open, edits),
        Control::Fixed(json) => fixed(ui, field, json),
    };
    if wanted {
        panel.wanted = None;
        response.request_focus();
        response.scroll_to_me(None);
    } else if response.gained_focus() {
        response.scroll_to_me(None);
    }
    response.has_focus()
}

/// What is shown of the text: of a field that is not sent, or sent as `null` or empty, nothing.
fn shown(field: &Field) -> String {
    if field.presence == Presence::Value { field.text.clone() } else { String::new() }
}

/// What is shown where nothing is typed.
pub fn hint(field: &Field) -> &'static str {
    match field.presence {
        Presence::Omit => "not sent",
        Presence::Null => "null",
        Presence::Empty => match field.control {
            Control::Object { .. } => "{}",
            Control::Array { .. } | Control::Choices(_) => "[]",
            _ => "\"\"",
        },
        Presence::Value => "",
    }
}

/// The frame of a control that the schema has something against.
pub fn frame(ui: &Ui, field: &Field) -> Option<Color32> {
    (!field.advice.is_empty()).then(|| theme::palette(ui).warn)
}

/// The line around a control.
pub fn edge(ui: &Ui, field: &Field, focused: bool) -> Stroke {
    let palette = theme::palette(ui);
    match (frame(ui, field), focused) {
        (Some(colour), _) => Stroke::new(1.0, colour),
        (None, true) => Stroke::new(theme::RING, palette.accent),
        (None, false) => theme::hairline(palette),
    }
}

fn line(ui: &mut Ui, panel: &mut FormPanel, field: &Field, edits: &mut Vec<Edit>) -> Response {
    let palette = theme::palette(ui);
    let id = panel.id.with(("value", field.id));
    let mut text = shown(field);
    if ui.memory(|memory| memory.has_focus(id))
        && let Some(taken) = panel.suggest.keys(ui, &field.name)
    {
        place_cursor(ui, id, taken.chars().count());
        text.clone_from(&taken);
        edits.push(Edit::Text(field.id, taken));
    }
    let focused = ui.memory(|memory| memory.has_focus(id));
    let frame = eframe::egui::Frame::new()
        .fill(palette.bg0)
        .stroke(edge(ui, field, focused))
        .corner_radius(CORNER)
        .inner_margin(vec2(8.0, 5.0));
    let edit = TextEdit::singleline(&mut text)
        .id(id)
        .font(theme::mono())
        .frame(frame)
        .min_size(vec2(0.0, CONTROL))
        .desired_width(f32::INFINITY)
        .hint_text(RichText::new(hint(field)).font(theme::mono()).color(palette.faint));
    let response = ui.add(edit).accessible_name(row::label(field));
    let changed = response.changed();
    if changed {
        edits.push(Edit::Text(field.id, text.clone()));
    }
    if field.depth == 0 && panel.suggest.on {
        let others = || others(panel.draft.form().fields(), &field.name);
        let list = panel.suggest.follow(ui, &response, &field.name, &text, changed, others);
        if let Some(taken) = list {
            place_cursor(ui, id, taken.chars().count());
            edits.push(Edit::Text(field.id, taken));
            response.request_focus();
        }
    }
    response
}

/// The other fields with what is typed in them: what a completion may depend on.
fn others(fields: &[Field], name: &str) -> Vec<(String, String)> {
    let sent =
        fields.iter().filter(|field| field.depth == 0 && field.name != name && field.presence == Presence::Value);
    sent.map(|field| (field.name.clone(), field.text.clone())).collect()
}

fn place_cursor(ui: &Ui, id: Id, index: usize) {
    let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
    state.cursor.set_char_range(Some(CCursorRange::one(CCursor::new(index))));
    TextEdit::store_state(ui.ctx(), id, state);
}

/// Several lines: of text, or of JSON with its colours.
fn lines(ui: &mut Ui, panel: &FormPanel, field: &Field, json: bool, edits: &mut Vec<Edit>) -> Response {
    let mut text = shown(field);
    let fault = if json && !text.trim().is_empty() { Fault::of(&text) } else { None };
    let name = row::label(field);
    let code = Code {
        id: panel.id.with(("value", field.id)),
        label: &name,
        rows: if json { 1 } else { ROWS },
        hint: hint(field),
        json,
        fault: fault.map(|fault| fault.at),
        frame: frame(ui, field),
    };
    let output = code.show(ui, &mut text);
    let response = output.response.response;
    if response.changed() {
        edits.push(Edit::Text(field.id, text));
    }
    response
}

/// `true` or `false`, or neither while it is not sent.
fn switch(ui: &mut Ui, field: &Field, edits: &mut Vec<Edit>) -> Response {
    let now = if field.presence == Presence::Value { field.text.as_str() } else { "" };
    let outer = ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let mut whole: Option<Response> = None;
        for word in ["true", "false"] {
            let response = toggle(ui, word, now == word, &format!("{} {word}", row::label(field)), true);
            if response.clicked() {
                edits.push(Edit::Text(field.id, word.to_owned()));
            }
            whole = Some(match whole {
                Some(whole) => whole.union(response),
                None => response,
            });
        }
        // Something that was filled in and is neither.
        if field.presence == Presence::Value && !matches!(now, "true" | "false") {
            ui.label(RichText::new(words::plain(now)).font(theme::mono()).color(theme::palette(ui).warn));
        }
        whole
    });
    outer.inner.unwrap_or(outer.response)
}

/// A word that is on or off.
pub fn toggle(ui: &mut Ui, word: &str, on: bool, label: &str, one: bool) -> Response {
    let palette = theme::palette(ui);
    let colour = if on { palette.accent } else { palette.dim };
    let galley = ui.painter().layout_no_wrap(words::plain(word).into_owned(), theme::mono(), colour);
    let (rect, response) = ui.allocate_exact_size(galley.size() + vec2(20.0, 12.0), eframe::egui::Sense::click());
    let role = if one { eframe::egui::accesskit::Role::RadioButton } else { eframe::egui::accesskit::Role::CheckBox };
    response.widget_info(|| WidgetInfo::selected(role, ui.is_enabled(), on, label));
    let (fill, line) = if on { (palette.accent_bg, palette.accent) } else { (palette.bg0, palette.line) };
    let fill = if response.hovered() && !on { palette.bg2 } else { fill };
    ui.painter().rect(rect, CORNER, fill, Stroke::new(1.0, line), StrokeKind::Inside);
    ui.painter().galley(rect.center() - galley.size() / 2.0, galley, colour);
    button::focus_ring(ui, &response, CORNER);
    response
}

fn variant(ui: &mut Ui, field: &Field, labels: &[String], open: bool, edits: &mut Vec<Edit>) -> Response {
    let chosen = field.chosen.first().copied();
    let text = match (field.presence, chosen.and_then(|index| labels.get(index))) {
        (Presence::Value, Some(label)) => label.as_str(),
        (Presence::Value, None) => "choose a shape",
        _ => hint(field),
    };
    let options: Vec<&str> = labels.iter().map(String::as_str).collect();
    let (response, taken) = choice::drop_down(ui, field, text, &options, chosen);
    if let Some(index) = taken {
        edits.push(Edit::Choose(field.id, index, true));
    }
    if open && field.presence == Presence::Value {
        add(ui, field, edits);
    }
    response
}

fn add(ui: &mut Ui, field: &Field, edits: &mut Vec<Edit>) -> Response {
    let label = format!("Add to {}", row::label(field));
    let response = button::framed(ui, Some(Icon::Plus), "Add", &label, false);
    if response.clicked() {
        edits.push(Edit::Add(field.id));
    }
    response
}

/// What holds members or items: how many, and the button for one more.
fn container(
    ui: &mut Ui,
    field: &Field,
    signs: [&str; 2],
    nouns: [&str; 2],
    open: bool,
    edits: &mut Vec<Edit>,
) -> Response {
    let palette = theme::palette(ui);
    let outer = ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let text = match field.presence {
            Presence::Value => {
                let count = words::counted(field.children as u64, nouns[0], nouns[1]);
                format!("{} {count} {}", signs[0], signs[1])
            }
            _ => hint(field).to_owned(),
        };
        let room = ui.available_width() - if open { 76.0 } else { 0.0 };
        let job = RichText::new(text).font(theme::mono()).color(palette.dim);
        let button = Button::new(job)
            .fill(palette.bg0)
            .stroke(edge(ui, field, false))
            .corner_radius(CORNER)
            .truncate()
            .min_size(vec2(room.max(60.0), CONTROL));
        let layout = Layout::left_to_right(Align::Center).with_main_align(Align::Min);
        let response = ui.allocate_ui_with_layout(vec2(room.max(60.0), CONTROL), layout, |ui| ui.add(button)).inner;
        let word = if field.folded { "unfold" } else { "fold" };
        let label = format!("{}, {word}", row::label(field));
        response.widget_info(|| WidgetInfo::labeled(eframe::egui::accesskit::Role::Button, ui.is_enabled(), &label));
        if response.clicked() {
            if field.presence == Presence::Value {
                edits.push(Edit::Fold(field.id, !field.folded));
            } else {
                edits.push(Edit::Presence(field.id, Presence::Value));
            }
        }
        if open {
            add(ui, field, edits);
        }
        response
    });
    outer.inner
}

fn fixed(ui: &mut Ui, field: &Field, json: &str) -> Response {
    let palette = theme::palette(ui);
    let text = if field.presence == Presence::Value { json } else { hint(field) };
    ui.allocate_ui_with_layout(vec2(ui.available_width(), CONTROL), Layout::left_to_right(Align::Center), |ui| {
        let text = RichText::new(words::plain(text)).font(theme::mono()).color(palette.dim);
        let response = ui.add(eframe::egui::Label::new(text).truncate());
        let name = format!("{} is always {json}", row::label(field));
        response.widget_info(|| WidgetInfo::labeled(eframe::egui::accesskit::Role::Label, true, &name));
        response
    })
    .inner
}
