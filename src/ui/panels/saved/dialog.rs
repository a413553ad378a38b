//! What the dialogs of saved calls have in common.

use eframe::egui::{Context, Frame, Id, Key, Modal, Modifiers, Response, RichText, Ui};

use crate::ui::theme;
use crate::ui::widgets::button;

/// What became of a dialog in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// It stays open.
    Open,
    /// What it asks for was given.
    Done,
    /// It was closed.
    Closed,
}

/// Draws a dialog with its title, what `add` draws, and two buttons. `add` returns whether Enter was pressed in a field,
/// and whether it can be done at all.
pub(super) fn show(
    ctx: &Context,
    id: &'static str,
    title: &str,
    done: (&str, &str),
    cancel: &str,
    add: impl FnOnce(&mut Ui) -> (bool, bool),
) -> End {
    let (mut end, mut can) = (End::Open, false);
    let modal = Modal::new(Id::unique(id)).show(ctx, |ui| {
        Frame::NONE.inner_margin(10.0).show(ui, |ui| {
            ui.set_width(440.0);
            ui.label(RichText::new(title).font(theme::semibold(15.0)));
            ui.add_space(4.0);
            let (entered, able) = add(ui);
            can = able;
            ui.add_space(10.0);
            ui.horizontal(|ui| {
                let pressed = ui.add_enabled_ui(able, |ui| button::primary(ui, done.0, done.1).clicked()).inner;
                if pressed || entered {
                    end = End::Done;
                }
                if button::framed(ui, None, "Cancel", cancel, false).clicked() {
                    end = End::Closed;
                }
            });
        });
    });
    match end {
        End::Done if !can => End::Open,
        End::Open if modal.should_close() => End::Closed,
        end => end,
    }
}

/// Whether Enter was pressed in a field of one line.
pub(super) fn entered(ui: &Ui, response: &Response) -> bool {
    response.lost_focus() && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter))
}
