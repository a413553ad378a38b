//! An answer by hand: a result by a form or as JSON, an error, a raw frame; and the ways to give none.

use eframe::egui::{Align, Frame, Id, Layout, RichText, Stroke, Ui};

use crate::model::Nanos;
use crate::peer::server::{Order, Step};
use crate::ui::panels::form::FormPanel;
use crate::ui::server::{Asked, reply};
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::widgets::code::Code;
use crate::ui::words;

/// How long hosts wait, where nothing else is said: the SDKs' own limit, in seconds.
const PATIENCE: i64 = 60;

/// What the answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Sort {
    #[default]
    Result,
    Error,
    Frame,
}

/// What was done in a frame.
#[derive(Debug)]
pub enum Done {
    /// It is answered by these steps.
    Steps(Vec<Step>),
    /// Something else is ordered.
    Order(Order),
}

/// An answer that is being written.
pub struct AnswerPanel {
    sort: Sort,
    result: FormPanel,
    error: FormPanel,
    frame: String,
    /// How long the host waits, in seconds.
    patience: i64,
    bare: bool,
    /// Whether placeholders are filled in, as where the answer begins with a rule of a mock file.
    filled: bool,
}

impl AnswerPanel {
    /// For a request; `output` is the `outputSchema` of its tool.
    pub fn new(salt: &str, asked: &Asked, output: Option<&str>) -> Self {
        let schema = reply::schema(&asked.method, output, &asked.subject);
        Self {
            sort: Sort::Result,
            result: FormPanel::new(&format!("{salt} result"), schema.as_bytes()),
            error: FormPanel::new(&format!("{salt} error"), reply::ERROR.as_bytes()),
            frame: reply::frame(&asked.message, asked.era),
            patience: PATIENCE,
            bare: false,
            filled: false,
        }
    }

    /// Begins with what these steps would have answered.
    pub fn begin(&mut self, steps: &[Step]) {
        let Some(start) = reply::start(steps) else { return };
        let (sort, form) =
            if start.is_result { (Sort::Result, &mut self.result) } else { (Sort::Error, &mut self.error) };
        (self.sort, self.filled) = (sort, start.filled);
        form.draft.fill(&start.text);
    }

    /// Draws it. Returns what was done.
    pub fn show(&mut self, ui: &mut Ui, asked: &Asked, salt: &str, now: Nanos, most: f32) -> Option<Done> {
        let palette = theme::palette(ui);
        let frame = Frame::new()
            .fill(palette.accent_bg)
            .stroke(Stroke::new(1.0, palette.accent))
            .corner_radius(theme::CORNER)
            .inner_margin(12.0);
        frame
            .show(ui, |ui| {
                ui.set_width(ui.available_width());
                self.head(ui, asked, now);
                ui.add_space(4.0);
                ui.horizontal(|ui| {
                    let sorts = [(Sort::Result, "Result"), (Sort::Error, "Error"), (Sort::Frame, "Raw frame")];
                    button::segmented(ui, &mut self.sort, &sorts);
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| match self.sort {
                        Sort::Result => self.result.switch(ui),
                        Sort::Error => self.error.switch(ui),
                        Sort::Frame => {}
                    });
                });
                ui.add_space(4.0);
                match self.sort {
                    Sort::Result => {
                        self.result.show(ui, most);
                    }
                    Sort::Error => {
                        self.error.show(ui, most);
                    }
                    Sort::Frame => {
                        let id = Id::unique((salt, "frame"));
                        let hint = "the whole message, sent as it is";
                        let code = Code { id, label: "Raw frame", rows: 4, hint, json: true, fault: None, frame: None };
                        code.show(ui, &mut self.frame);
                    }
                }
                ui.add_space(6.0);
                self.foot(ui, asked)
            })
            .inner
    }

    /// Who waits, and for how long yet.
    fn head(&mut self, ui: &mut Ui, asked: &Asked, now: Nanos) {
        let palette = theme::palette(ui);
        ui.horizontal(|ui| {
            ui.label(RichText::new("The host waits for your answer").font(theme::semibold(13.0)).color(palette.text));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let drag = eframe::egui::DragValue::new(&mut self.patience).range(1..=86_400).suffix(" s");
                ui.add(drag)
                    .on_hover_text("How long the host waits; most SDKs give up after 60 s unless progress comes.")
                    .accessible_name("Seconds that the host waits");
                let left = self.patience * 1_000_000_000 - (now - asked.at);
                let (text, colour) = if left > 0 {
                    let colour = if left < 10_000_000_000 { palette.err } else { palette.text };
                    (format!("{} left of", words::age(left.max(1_000_000_000))), colour)
                } else {
                    ("it has probably given up after".to_owned(), palette.err)
                };
                ui.label(RichText::new(text).font(theme::mono()).color(colour));
            });
        });
    }

    fn foot(&mut self, ui: &mut Ui, asked: &Asked) -> Option<Done> {
        let mut done = None;
        ui.horizontal_wrapped(|ui| {
            let label = match self.sort {
                Sort::Result => "Send the result",
                Sort::Error => "Send the error",
                Sort::Frame => "Send the frame",
            };
            if button::primary(ui, "Send", label).on_hover_text("Ctrl+Enter").clicked() {
                done = Some(self.done());
            }
            let hint = "Let the script or the policy for misses decide, as if nobody sat here.";
            if button::framed(ui, None, "Let it be answered", "Let it be answered by itself", false)
                .on_hover_text(hint)
                .clicked()
            {
                done = Some(Done::Order(Order::LetGo(asked.request)));
            }
            let hint = "The host goes on waiting, to see what it does.";
            if button::framed(ui, None, "Never answer", "Never answer it", false).on_hover_text(hint).clicked() {
                done = Some(Done::Order(Order::Drop(asked.request)));
            }
            if self.sort == Sort::Result {
                let hint = "Otherwise what the era wants beside it is added: resultType, who the server is.";
                button::check(ui, &mut self.bare, "exactly so").on_hover_text(hint);
            }
            if self.sort != Sort::Frame {
                let hint = "{{arguments.city}}, {{nth}} and the like are filled in as in a mock file.";
                button::check(ui, &mut self.filled, "fill in {{…}}").on_hover_text(hint);
            }
        });
        done
    }

    /// What is sent.
    pub fn done(&self) -> Done {
        let step = match self.sort {
            Sort::Result => {
                Step::Result { result: reply::text(self.result.text(), self.filled), id: None, bare: self.bare }
            }
            Sort::Error => Step::Error { error: reply::text(self.error.text(), self.filled), id: None },
            Sort::Frame => Step::Raw(format!("{}\n", self.frame).into_bytes().into()),
        };
        Done::Steps(vec![step])
    }
}
