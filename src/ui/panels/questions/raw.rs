//! An answer as raw JSON: a result, an error, or none at all on purpose.

use eframe::egui::{Id, RichText, Ui};

use crate::peer::client::Answer;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::widgets::code::{Code, Fault};

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Sort {
    #[default]
    Result,
    Error,
}

/// An answer as raw JSON.
#[derive(Debug, Default)]
pub struct Raw {
    open: bool,
    sort: Sort,
    result: String,
    error: String,
}

impl Raw {
    /// Whether the answer is written as JSON.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Begins with this result.
    pub fn begin(&mut self, result: String) {
        self.open = true;
        self.sort = Sort::Result;
        self.result = result;
        if self.error.is_empty() {
            let usual = "{\n  \"code\": -32603,\n  \"message\": \"The user answered with an error\"\n}";
            usual.clone_into(&mut self.error);
        }
    }

    /// Begins with an error.
    pub fn begin_error(&mut self) {
        let result = if self.result.is_empty() { "{}".to_owned() } else { std::mem::take(&mut self.result) };
        self.begin(result);
        self.sort = Sort::Error;
    }

    /// Draws the editor; returns the answer that was given. `rounds`: it is a question of MRTR, in which there are no
    /// errors. `back`: there is something else to go back to.
    pub fn show(&mut self, ui: &mut Ui, salt: &str, rounds: bool, back: bool) -> Option<Answer> {
        let palette = theme::palette(ui);
        button::segmented(ui, &mut self.sort, &[(Sort::Result, "Result"), (Sort::Error, "Error")]);
        if rounds && self.sort == Sort::Error {
            let text = "A round has no errors: the call is given up.";
            ui.label(RichText::new(text).font(theme::sans(11.5)).color(palette.warn));
        }
        let text = if self.sort == Sort::Result { &mut self.result } else { &mut self.error };
        let fault = Fault::of(text);
        let code = Code {
            id: Id::unique((salt, "raw")),
            label: "Answer as JSON",
            rows: 6,
            hint: "",
            json: true,
            fault: fault.as_ref().map(|fault| fault.at),
            frame: fault.as_ref().map(|_| palette.warn),
        };
        code.show(ui, text);
        if let Some(fault) = fault {
            let text = format!("{} Sent as it is.", fault.sentence());
            ui.label(RichText::new(text).font(theme::sans(11.5)).color(palette.warn));
        }
        let mut answer = None;
        ui.horizontal(|ui| {
            let label = if self.sort == Sort::Result { "Send the result" } else { "Send the error" };
            if button::primary(ui, "Send", label).clicked() {
                answer = Some(match self.sort {
                    Sort::Result => Answer::Result(self.result.clone().into_bytes()),
                    Sort::Error => Answer::Error(self.error.clone().into_bytes()),
                });
            }
            if back && button::framed(ui, None, "Back", "Back to the form", false).clicked() {
                self.open = false;
            }
            let hint = "The server goes on waiting, to see what it does.";
            let silence = button::framed(ui, None, "No answer at all", "Give no answer at all", false);
            if silence.on_hover_text(hint).clicked() {
                answer = Some(Answer::Silence);
            }
        });
        answer
    }
}
