//! Opening a recording by its path, for desktops without a file dialog and for people with a shell.

use std::path::PathBuf;

use eframe::egui::{Context, Id, Key, Modal, Modifiers, RichText, TextEdit};

use crate::ui::theme;
use crate::ui::widgets::button;

/// The path being typed.
#[derive(Debug, Default)]
pub struct OpenFile {
    open: bool,
    focus: bool,
    path: String,
}

impl OpenFile {
    /// Opens the field.
    pub fn open(&mut self) {
        self.open = true;
        self.focus = true;
    }

    /// Draws the field while it is open. Returns the path once it was given.
    pub fn show(&mut self, ctx: &Context) -> Option<PathBuf> {
        if !self.open {
            return None;
        }
        let mut given = None;
        let modal = Modal::new(Id::unique("open-file")).show(ctx, |ui| {
            let palette = theme::palette(ui);
            ui.set_width(520.0);
            ui.label(RichText::new("Open a recording").font(theme::semibold(15.0)));
            ui.label(
                RichText::new("The path of a .midwire file. It can also be dropped onto the window.")
                    .color(palette.dim),
            );
            ui.add_space(4.0);
            let field = TextEdit::singleline(&mut self.path).font(theme::mono()).desired_width(f32::INFINITY);
            let response =
                ui.add(field.hint_text("/path/to/recording.midwire")).accessible_name("Path of the recording");
            if std::mem::take(&mut self.focus) {
                response.request_focus();
            }
            let entered = response.lost_focus() && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
            ui.add_space(8.0);
            ui.horizontal(|ui| {
                let open = button::framed(ui, None, "Open", "Open this path", false).clicked();
                if (open || entered) && !self.path.trim().is_empty() {
                    given = Some(expand(self.path.trim()));
                    ui.close();
                }
                if button::framed(ui, None, "Cancel", "Cancel", false).clicked() {
                    ui.close();
                }
            });
        });
        if modal.should_close() {
            self.open = false;
        }
        given
    }
}

/// The path that a person means: quotes from a shell removed, `~` as the home folder.
fn expand(text: &str) -> PathBuf {
    let text = text.trim_matches(['"', '\'']);
    match (text.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(text),
    }
}

#[cfg(test)]
mod tests {
    use super::expand;

    #[test]
    fn paths_are_taken_as_a_shell_writes_them() {
        assert_eq!(expand("'/tmp/a b.midwire'").to_str(), Some("/tmp/a b.midwire"));
        assert!(expand("~/x.midwire").ends_with("x.midwire"));
        assert!(!expand("~/x.midwire").starts_with("~"));
    }
}
