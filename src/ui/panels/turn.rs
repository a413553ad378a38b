//! The form that turns a recording, what the filter shows of it, or one exchange into a mock file, to be served at once
//! if wanted.

use std::path::{Path, PathBuf};

use eframe::egui::{Context, Id, Modal, RichText};

use crate::engine::view::Turned;
use crate::ui::desk::Desk;
use crate::ui::server::Wish;
use crate::ui::server::wish::From;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::widgets::field::Field;
use crate::ui::words;

/// The form.
#[derive(Debug, Default)]
pub struct TurnForm {
    open: bool,
    focus: bool,
    recording: PathBuf,
    name: String,
    /// What can be chosen, with the words for it.
    choices: Vec<(Turned, String)>,
    chosen: usize,
    to: String,
    /// It is being made; and whether it is to be served then.
    making: Option<bool>,
    failed: Option<String>,
}

impl TurnForm {
    /// Opens the form for a recording, as a whole or as far as it is shown.
    pub fn open(&mut self, recording: &Path, desk: &Desk) {
        let of = desk.recordings.iter().find(|it| it.path == recording).and_then(|it| it.facts.as_ref().ok());
        self.name = of.map(|facts| facts.name.clone()).unwrap_or_default();
        self.choices = vec![(Turned::All, "the whole recording".to_owned())];
        if desk.is_current(recording) {
            let filter = desk.filter.trim();
            if !filter.is_empty() {
                let shown = words::counted(desk.state().matching, "row", "rows");
                self.choices.push((Turned::Filter(filter.to_owned()), format!("what is shown ({shown})")));
            }
            if let Some(detail) = desk.detail.as_ref().filter(|it| Some(it.row.key) == desk.selected)
                && let Some(request) = &detail.request
            {
                let what = format!("{} {}", detail.row.method, detail.row.subject);
                let only = format!("only {}", words::plain(what.trim()));
                self.choices.push((Turned::Only(vec![request.seq]), only));
            }
        }
        self.chosen = self.choices.len() - 1;
        self.to = suggested(&self.name);
        recording.clone_into(&mut self.recording);
        (self.open, self.focus, self.making, self.failed) = (true, true, None, None);
    }

    /// Draws the form while it is open. Returns what is to be served once it was made.
    pub fn show(&mut self, ctx: &Context, desk: &mut Desk) -> Option<Wish> {
        let served = self.learn(desk);
        if !self.open {
            return served;
        }
        let modal = Modal::new(Id::unique("turn-form")).show(ctx, |ui| {
            let palette = theme::palette(ui);
            ui.set_width(540.0);
            ui.label(RichText::new("Turn into a mock file").font(theme::semibold(15.0)));
            let text = "Each recorded call becomes a rule that answers as the server did, in a file to read and edit.";
            ui.label(RichText::new(text).color(palette.dim));
            ui.add_space(6.0);
            for (index, (_, word)) in self.choices.iter().enumerate() {
                if ui.radio(self.chosen == index, word).clicked() {
                    self.chosen = index;
                }
            }
            ui.add_space(6.0);
            let response = Field::new("Path of the new file").hint("server.mock.toml").show(ui, &mut self.to);
            if std::mem::take(&mut self.focus) {
                response.request_focus();
            }
            if let Some(why) = &self.failed {
                ui.label(RichText::new(words::plain(why)).color(palette.err));
            }
            ui.add_space(10.0);
            let ready = self.making.is_none() && !self.to.trim().is_empty();
            ui.horizontal(|ui| {
                ui.add_enabled_ui(ready, |ui| {
                    let serve = button::primary(ui, "Make and serve it", "Make the mock file and serve it").clicked();
                    let make = button::framed(ui, None, "Make it", "Make the mock file", false).clicked();
                    if serve || make {
                        self.make(desk, serve);
                    }
                });
                if button::framed(ui, None, "Cancel", "Cancel the mock file", false).clicked() {
                    ui.close();
                }
            });
        });
        if modal.should_close() {
            self.open = false;
        }
        served
    }

    fn make(&mut self, desk: &mut Desk, serve: bool) {
        let Some((turned, _)) = self.choices.get(self.chosen) else { return };
        desk.stand.turn(&self.recording, turned.clone(), &expand(self.to.trim()));
        self.making = Some(serve);
        self.failed = None;
    }

    fn learn(&mut self, desk: &mut Desk) -> Option<Wish> {
        let (path, made) = desk.stand.take_turned()?;
        let serve = self.making.take().unwrap_or_default();
        match made {
            Ok(warnings) => {
                self.open = false;
                desk.notice(format!("{} was written.", path.display()));
                for warning in warnings {
                    desk.notice(warning);
                }
                serve.then(|| Wish { from: From::Mock, path: path.display().to_string(), ..Wish::default() })
            }
            Err(why) => {
                let why = format!("Failed to {why}.");
                // A form that was closed meanwhile is not there to say it.
                if !self.open {
                    desk.notice(why.clone());
                }
                self.failed = Some(why);
                None
            }
        }
    }
}

/// Where the file would go: the home folder, under the server's name.
fn suggested(name: &str) -> String {
    let safe = |sign: char| if sign.is_ascii_alphanumeric() || "-_.".contains(sign) { sign } else { '-' };
    let name: String = name.chars().map(safe).take(60).collect();
    let name = if name.trim_matches(['-', '.']).is_empty() { "server" } else { &name };
    format!("~/{name}.mock.toml")
}

/// The path that a person means: `~` as the home folder.
fn expand(text: &str) -> PathBuf {
    match (text.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(text),
    }
}

#[cfg(test)]
mod tests {
    use super::suggested;

    #[test]
    fn the_name_of_a_server_is_made_one_of_a_file() {
        assert_eq!(suggested("docs"), "~/docs.mock.toml");
        assert_eq!(suggested("127.0.0.1:80/../x"), "~/127.0.0.1-80-..-x.mock.toml");
        assert_eq!(suggested("…"), "~/server.mock.toml");
    }
}
