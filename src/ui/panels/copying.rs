//! What can be copied from the detail, and what is said about it.

use eframe::egui::Ui;

use super::detail::{DetailPanel, Tab};
use super::part::Part;
use crate::engine::view::{Body, Detail};
use crate::ui::widgets::tree::Tree;
use crate::ui::words;

/// Something that can be copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The selected text, or the value at the caret.
    Value,
    /// The JSON pointer of the caret's line.
    Path,
    /// The message with the caret, byte for byte.
    Message,
    /// The request, byte for byte.
    Request,
    /// The answer, byte for byte.
    Answer,
    /// Request and answer, byte for byte.
    Exchange,
    /// A command that sends the HTTP request again.
    Curl,
}

/// The text to copy, and what to say about it.
pub fn text(what: What, detail: &Detail, tab: Tab, part: Option<&Part>) -> Option<(String, String)> {
    match what {
        What::Value => {
            let part = part?;
            let selected = match tab {
                Tab::Pretty => part.sheet.selected_text(part.script()),
                Tab::Raw => part.selected_raw(),
                Tab::Tree | Tab::Timing | Tab::Http => None,
            };
            if let Some(text) = selected {
                return Some((text, "Copied the selected text".to_owned()));
            }
            let tree = part.seen_tree().filter(|_| tab == Tab::Tree);
            Some((tree.map_or_else(|| part.value(), Tree::value), "Copied the value".to_owned()))
        }
        What::Path => {
            let part = part?;
            let tree = part.seen_tree().filter(|_| tab == Tab::Tree);
            let path = tree.map(Tree::path).or_else(|| part.path())?;
            let said = if path.is_empty() {
                "Copied the path: the root".to_owned()
            } else {
                format!("Copied {}", words::plain(&path))
            };
            Some((path, said))
        }
        What::Message => {
            let body = part.map_or(detail.request.as_ref()?, |part| &part.body);
            let (text, exact) = wire_text(body, tab == Tab::Raw);
            Some((text, said("the message", exact, body.size)))
        }
        What::Request | What::Answer => {
            let (body, word) = match what {
                What::Request => (detail.request.as_ref()?, "the request"),
                _ => (detail.answer.as_ref()?, "the answer"),
            };
            let (text, exact) = wire_text(body, tab == Tab::Raw);
            Some((text, said(word, exact, body.size)))
        }
        What::Exchange => {
            let bodies: Vec<&Body> =
                [&detail.request, &detail.answer].into_iter().flatten().map(AsRef::as_ref).collect();
            let mut all = String::new();
            let mut exact = true;
            for body in &bodies {
                let (text, whole) = wire_text(body, tab == Tab::Raw);
                exact &= whole;
                all.push_str(&text);
                if !text.ends_with('\n') && bodies.len() > 1 {
                    all.push('\n');
                }
            }
            Some((all, said("the exchange", exact, bodies.iter().map(|body| body.size).sum())))
        }
        What::Curl => {
            let curl = detail.http.as_ref()?.curl.as_ref()?;
            let notes = curl.notes.iter().map(|note| format!(" {note}")).collect::<String>();
            Some((curl.text.clone(), format!("Copied as curl.{notes}")))
        }
    }
}

fn said(what: &str, exact: bool, size: u64) -> String {
    let size = words::size(size);
    if exact {
        format!("Copied {what}, {size}")
    } else {
        format!("Copied {what}, {size}; bytes that are not UTF-8 became U+FFFD, export keeps them")
    }
}

/// The bytes as a clipboard can hold them, and whether they are the same: of an event its data, unless the
/// whole of it is looked at.
fn wire_text(body: &Body, raw: bool) -> (String, bool) {
    let bytes = if raw { &body.bytes } else { body.payload() };
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), true),
        Err(_) => (String::from_utf8_lossy(bytes).into_owned(), false),
    }
}

/// The menu of what can be copied.
pub fn menu(ui: &mut Ui, panel: &mut DetailPanel) {
    ui.set_min_width(200.0);
    if panel.can_pick() && ui.button("Use in a saved call …   (x)").clicked() {
        panel.wants_pick = true;
        ui.close();
    }
    let items = [
        (What::Value, "Copy the value   (c)"),
        (What::Path, "Copy the path   (C)"),
        (What::Message, "Copy the message   (y)"),
        (What::Exchange, "Copy the exchange   (Y)"),
    ];
    for (what, label) in items {
        if ui.button(label).clicked() {
            panel.copy(ui, what);
            ui.close();
        }
    }
    if panel.has_curl() && ui.button("Copy as curl   (u)").clicked() {
        panel.copy(ui, What::Curl);
        ui.close();
    }
}
