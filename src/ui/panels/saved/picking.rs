//! The dialog that makes a value of a result a variable of the saved calls.

use eframe::egui::{Context, RichText, Ui};

use super::dialog::{self, End};
use super::keeping::usual_name;
use super::{Saved, cut, small};
use crate::project::{Project, SavedCall, get, is_name};
use crate::ui::client::keeping::{Tie, ToPick, saved_record};
use crate::ui::desk::Desk;
use crate::ui::theme;
use crate::ui::widgets::field::Field;
use crate::ui::words;

/// Characters of a value that are shown.
const SHOWN: usize = 240;

/// A value that is about to become a variable.
#[derive(Debug)]
pub(super) struct Picking {
    asked: ToPick,
    variable: String,
    /// The saved call that the result is of, where it is one.
    of: Option<String>,
    /// The call as it would be saved, and what would be left out.
    call: Result<(SavedCall, Vec<String>), String>,
    /// The name under which it is saved if it is not yet.
    name: String,
    focus: bool,
}

impl Picking {
    /// The dialog for a value.
    pub(super) fn of(asked: ToPick, desk: &Desk) -> Self {
        let record = desk.bench.get(asked.connection).and_then(|it| it.call(asked.call));
        let call = record.ok_or_else(|| "the call is not remembered any more".to_owned()).and_then(saved_record);
        let of = record.and_then(|record| record.saved.name.clone());
        let name = call.as_ref().map(|(call, _)| usual_name(&call.what)).unwrap_or_default();
        let name = desk
            .bench
            .project
            .as_ref()
            .map_or(name.clone(), |project| free(project, &name, call.as_ref().ok().map(|it| &it.0)));
        Self { variable: variable_of(&asked.pointer), asked, of, call, name, focus: true }
    }

    /// The saved call that the pick goes to: the one that the result is of, or the one whose name was typed.
    fn target(&self) -> &str {
        self.of.as_deref().unwrap_or(self.name.trim())
    }

    fn fault(&self, project: Option<&Project>) -> Option<String> {
        let old = project.and_then(|it| get(&it.calls, self.target()));
        match (&self.of, &self.call, old) {
            (Some(_), _, Some(_)) => None,
            (_, Err(why), _) => Some(format!("The call cannot be saved: {why}.")),
            (_, Ok((call, _)), Some(old)) if old.what != call.what => {
                Some("Another call has this name; choose one of its own.".to_owned())
            }
            (None, ..) if self.name.trim().is_empty() => Some("The call needs a name.".to_owned()),
            _ => None,
        }
    }

    /// What is to be known before the variable is called so.
    fn note(&self, project: Option<&Project>) -> Option<String> {
        let name = self.variable.trim();
        if !is_name(name) {
            return Some("A name begins with a letter; letters, digits, _ - . follow.".to_owned());
        }
        let project = project?;
        let of = project.calls.iter().find(|(_, call)| call.picks.iter().any(|(pick, _)| pick == name));
        if let Some((call, _)) = of {
            return Some(format!("It takes the place of the value that {call} picks."));
        }
        get(&project.variables, name).map(|_| "It takes the place of the file's value once it is picked.".to_owned())
    }
}

impl Saved {
    /// Draws the dialog while a value is about to become a variable.
    pub(super) fn pick_dialog(&mut self, ctx: &Context, desk: &mut Desk) {
        let is_read = desk.bench.project.is_some() || self.fault.is_some();
        let file = self.file();
        let Some(picking) = &mut self.picking else { return };
        let project = desk.bench.project.clone();
        if let (Some(project), Some(of)) = (&project, &picking.of)
            && get(&project.calls, of).is_none()
        {
            // It was of another file, or is there no more.
            picking.of = None;
        }
        let done = ("Save", "Save the pick");
        let title = "Use the value in saved calls";
        let end = dialog::show(ctx, "pick-value", title, done, "Do not use the value", |ui| {
            let fault = picking.fault(project.as_deref()).filter(|_| is_read);
            let note = picking.note(project.as_deref());
            value(ui, &picking.asked);
            let field = Field::new("Variable").label("Name of the variable").fault(note.as_deref());
            let response = field.show(ui, &mut picking.variable);
            if std::mem::take(&mut picking.focus) {
                response.request_focus();
            }
            let mut entered = dialog::entered(ui, &response);
            let named = format!("{{{{{}}}}}", picking.variable.trim());
            small(ui, &format!("Saved calls use it as {named}."), theme::palette(ui).dim);
            ui.add_space(4.0);
            if let Some(of) = &picking.of {
                let text = format!("It is picked whenever the saved call {} is made.", words::plain(of));
                ui.label(RichText::new(text).color(theme::palette(ui).text));
            } else {
                let text = format!("The call is not saved yet. It is, with the pick, in {}", file.display());
                ui.label(RichText::new(words::plain(&text)).color(theme::palette(ui).dim));
                let field = Field::new("Name of the call").label("Name of the saved call").fault(fault.as_deref());
                let response = field.show(ui, &mut picking.name);
                entered |= dialog::entered(ui, &response);
            }
            (entered, is_read && fault.is_none() && is_name(picking.variable.trim()))
        });
        if end == End::Open {
            return;
        }
        if let Some(picking) = self.picking.take().filter(|_| end == End::Done) {
            self.keep_pick(desk, picking);
        }
    }

    fn keep_pick(&mut self, desk: &mut Desk, picking: Picking) {
        let name = picking.target().to_owned();
        let variable = picking.variable.trim().to_owned();
        let old = desk.bench.project.as_ref().and_then(|it| get(&it.calls, &name)).cloned();
        let is_new = old.is_none();
        let mut call = match (old, picking.call) {
            (Some(old), _) => old,
            (None, Ok((call, left_out))) => {
                if !left_out.is_empty() {
                    desk.notice(format!("Not saved, because it may be secret: {}", left_out.join(", ")));
                }
                call
            }
            (None, Err(why)) => return desk.notice(format!("The call was not saved: {why}")),
        };
        let ToPick { connection, call: number, pointer, value } = picking.asked;
        match call.picks.iter_mut().find(|(other, _)| *other == variable) {
            Some((_, old)) => *old = pointer,
            None => call.picks.push((variable.clone(), pointer)),
        }
        desk.bench.variables.pick(&variable, value, &name);
        if let Some(record) = desk.bench.get_mut(connection).and_then(|it| it.call_mut(number)) {
            record.saved.name = Some(name.clone());
            if let Some(subject) = record.subject.clone() {
                desk.bench.to_tie = Some(Tie { connection, subject, name: name.clone() });
            }
        }
        if is_new {
            self.keep(desk, connection, &name, call);
        } else {
            // The server of a call that is saved already stays the one that it is for.
            self.change(desk, &name, call);
        }
    }
}

/// The value, and where it is.
fn value(ui: &mut Ui, asked: &ToPick) {
    let palette = theme::palette(ui);
    let pointer = if asked.pointer.is_empty() { "the whole result" } else { asked.pointer.as_str() };
    ui.label(RichText::new(words::plain(&cut(pointer, SHOWN))).font(theme::mono()).color(palette.key));
    let text = cut(&asked.value, SHOWN);
    ui.label(RichText::new(words::plain(&text)).font(theme::mono()).color(palette.text));
    ui.add_space(4.0);
}

/// A name for the variable, after the last name in the pointer.
fn variable_of(pointer: &str) -> String {
    let mut tokens = pointer.split('/').rev().map(|token| token.replace("~1", "/").replace("~0", "~"));
    let named = tokens.find(|token| !token.is_empty() && !token.bytes().all(|byte| byte.is_ascii_digit()));
    let named = named.unwrap_or_default();
    let fit = |c: char| if c.is_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' };
    let name: String = named.chars().take(40).map(fit).collect();
    let name = name.trim_start_matches(|c: char| !c.is_alphabetic() && c != '_').to_owned();
    if is_name(&name) { name } else { "value".to_owned() }
}

/// A name that no other call of the file has but one that calls the same.
fn free(project: &Project, wanted: &str, call: Option<&SavedCall>) -> String {
    let is_taken = |name: &str| get(&project.calls, name).is_some_and(|old| call.is_none_or(|it| it.what != old.what));
    let mut names = (1_u32..).map(|n| if n == 1 { wanted.to_owned() } else { format!("{wanted}-{n}") });
    names.find(|name| !is_taken(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::variable_of;

    #[test]
    fn a_variable_is_called_after_what_it_is() {
        let cases = [
            ("/structuredContent/id", "id"),
            ("/content/0/text/items/3", "items"),
            ("/content/0/text", "text"),
            ("/a~1b/x y", "x_y"),
            ("/9lives", "lives"),
            ("/0", "value"),
            ("", "value"),
        ];
        for (pointer, name) in cases {
            assert_eq!(variable_of(pointer), name, "{pointer}");
        }
    }
}
