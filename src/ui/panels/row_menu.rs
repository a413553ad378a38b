//! The menu of a row of the timeline: send again, copy, filter.

use eframe::egui::{Popup, Response, Ui, vec2};

use super::copying::What;
use super::resend;
use crate::engine::view::{Detail, Row, RowKey, Sign, Status};
use crate::ui::desk::Desk;
use crate::ui::words;

/// What is wished in the menu of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// Only what matches this filter.
    Filter(String),
    /// Something of the row on the clipboard.
    Copy(What),
}

/// The menu.
#[derive(Debug, Default)]
pub struct RowMenu {
    asked: Option<RowKey>,
    opened: Option<RowKey>,
}

impl RowMenu {
    /// Opens the menu of a row, as a key asks for it, once the row is drawn.
    pub fn open(&mut self, row: RowKey) {
        self.asked = Some(row);
    }

    /// Draws the menu of a row that has been drawn, where it was asked for by the pointer or by a key.
    pub fn show(&mut self, desk: &mut Desk, response: &Response, row: &Row) -> Option<Wish> {
        let by_key = self.asked == Some(row.key);
        if by_key {
            self.asked = None;
            self.opened = Some(row.key);
            Popup::open_id(&response.ctx, Popup::default_response_id(response));
        } else if response.secondary_clicked() {
            self.opened = None;
        }
        let mut popup = Popup::context_menu(response).accessible_name("Row");
        if self.opened == Some(row.key) {
            popup = popup.at_position(response.rect.left_bottom() + vec2(48.0, 0.0));
        }
        popup.show(|ui| menu(ui, desk, row, by_key))?.inner
    }
}

/// What can be done with a row. The first item has the keyboard where `focus` asks for it.
fn menu(ui: &mut Ui, desk: &mut Desk, row: &Row, focus: bool) -> Option<Wish> {
    ui.set_min_width(220.0);
    // The row was selected when its menu was asked for, and is here as soon as it was read.
    let mut wish = None;
    if let Some(detail) = desk.detail.clone().filter(|detail| detail.row.key == row.key) {
        resend::menu(ui, &detail, desk, focus);
        ui.separator();
        wish = copies(ui, &detail);
        ui.separator();
    }
    filters(ui, row).map(Wish::Filter).or(wish)
}

/// What of a row can be copied.
fn copies(ui: &mut Ui, detail: &Detail) -> Option<Wish> {
    let has_curl = detail.http.as_ref().is_some_and(|http| http.curl.is_some());
    let items = [
        (What::Request, "Copy the request", detail.request.is_some() && detail.answer.is_some()),
        (What::Answer, "Copy the answer", detail.request.is_some() && detail.answer.is_some()),
        (What::Exchange, "Copy the message", detail.request.is_some() != detail.answer.is_some()),
        (What::Exchange, "Copy request and answer   (Y)", detail.request.is_some() && detail.answer.is_some()),
        (What::Curl, "Copy as curl   (u)", has_curl),
    ];
    let mut wish = None;
    for (what, label, _) in items.into_iter().filter(|(_, _, is_there)| *is_there) {
        if ui.button(label).clicked() {
            wish = Some(Wish::Copy(what));
        }
    }
    wish
}

/// The rest: filters, and what stands in the row. Returns a filter when one was asked for.
fn filters(ui: &mut Ui, row: &Row) -> Option<String> {
    let mut wish = None;
    let method = format!("method:{}", quoted(&row.method));
    if row.duration.is_some() || row.status != Status::None || row.sign == Sign::Notification {
        if ui.button(format!("Only {}", words::plain(&row.method))).clicked() {
            wish = Some(method.clone());
        }
        if ui.button(format!("Without {}", words::plain(&row.method))).clicked() {
            wish = Some(format!("not {method}"));
        }
    }
    if &*row.method == "tools/call" && ui.button(format!("Only the tool {}", words::plain(&row.subject))).clicked() {
        wish = Some(format!("tool:{}", quoted(&row.subject)));
    }
    if !row.subject.is_empty() && ui.button("Copy the subject").clicked() {
        ui.ctx().copy_text(row.subject.to_string());
    }
    if ui.button("Copy the method").clicked() {
        ui.ctx().copy_text(row.method.to_string());
    }
    wish
}

/// A value for the filter language, in quotes where it needs them.
fn quoted(value: &str) -> String {
    let simple = |sign: char| sign.is_alphanumeric() || "/_-.:".contains(sign);
    if value.chars().all(simple) { value.to_owned() } else { format!("\"{}\"", value.replace('"', "\\\"")) }
}
