//! A question for the folders that the client gives access to.

use eframe::egui::{Align, Id, Layout, RichText, Ui};

use super::sheet::Made;
use crate::engine::view::Json;
use crate::peer::client::Answer;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::widgets::code::{Code, Fault};

/// The roots while they are edited.
pub struct Roots {
    text: String,
}

impl Roots {
    /// Begins with the roots of the connection's settings.
    pub fn new(roots: String) -> Self {
        Self { text: if roots.trim().is_empty() { "[]".to_owned() } else { roots } }
    }

    /// Draws it.
    pub fn show(&mut self, ui: &mut Ui, salt: &str) -> Made {
        let palette = theme::palette(ui);
        let text = "The folders that this client gives access to, each as {\"uri\":\"file:///…\",\"name\":\"…\"}:";
        ui.label(RichText::new(text).color(palette.dim));
        let fault = Fault::of(&self.text);
        let code = Code {
            id: Id::unique((salt, "roots")),
            label: "Roots as JSON",
            rows: 4,
            hint: "[]",
            json: true,
            fault: fault.as_ref().map(|fault| fault.at),
            frame: fault.as_ref().map(|_| palette.warn),
        };
        code.show(ui, &mut self.text);
        for warning in fault.map(|fault| fault.sentence()).into_iter().chain(self.foreign()) {
            ui.label(RichText::new(warning).font(theme::sans(11.5)).color(palette.warn));
        }
        let mut made = Made::Nothing;
        ui.horizontal(|ui| {
            if button::primary(ui, "Answer", "Answer with these roots").clicked() {
                made = Made::Result(self.result());
            }
            if button::framed(ui, None, "Decline", "Decline: roots are not supported", false).clicked() {
                let error = br#"{"code":-32601,"message":"Roots not supported"}"#;
                made = Made::Decline(Answer::Error(error.to_vec()));
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if button::framed(ui, None, "Edit as JSON", "Edit the answer as JSON", false).clicked() {
                    made = Made::AsJson(self.result());
                }
            });
        });
        made
    }

    /// A sentence about roots that are no files.
    fn foreign(&self) -> Option<String> {
        let json = Json::parse(self.text.as_bytes()).ok()?;
        let is_file =
            |root: Json<'_>| root.get("uri").and_then(|uri| uri.text()).is_some_and(|uri| uri.starts_with("file://"));
        let bad = json.items().filter(|root| !is_file(*root)).count();
        (bad > 0).then(|| "Each root has to have a uri that begins with file:// (RO-001).".to_owned())
    }

    fn result(&self) -> String {
        format!(r#"{{"roots":{}}}"#, self.text.trim())
    }
}
