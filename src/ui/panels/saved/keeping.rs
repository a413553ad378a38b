//! The dialog that saves a call, and how a call and its server get into the file.

use eframe::egui::{Context, RichText};

use super::dialog::{self, End};
use super::{Project, Saved};
use crate::engine::project::{kept_settings, kept_target};
use crate::engine::view::{ClientCommand, ConnectionId};
use crate::project::{Edit, SavedCall, SavedTarget, What, get};
use crate::ui::client::keeping::{Tie, ToSave};
use crate::ui::desk::Desk;
use crate::ui::theme;
use crate::ui::widgets::field::Field;

/// A call that is about to be saved.
#[derive(Debug)]
pub(super) struct Saving {
    asked: ToSave,
    name: String,
    focus: bool,
}

impl Saving {
    /// The dialog for a call, with the name that it has or could have.
    pub(super) fn of(asked: ToSave, desk: &Desk) -> Self {
        let project = desk.bench.project.as_ref();
        let tied = asked.name.clone().filter(|name| project.is_some_and(|it| get(&it.calls, name).is_some()));
        let name = tied.unwrap_or_else(|| usual_name(&asked.call.what));
        Self { asked, name, focus: true }
    }
}

/// What a call is called if nobody says otherwise.
pub(super) fn usual_name(what: &What) -> String {
    match what {
        What::Tool(name) | What::Prompt(name) | What::Method(name) | What::Notification(name) => name.clone(),
        What::Resource(_) | What::Template(_) | What::Raw(_) => String::new(),
    }
}

impl Saved {
    /// Draws the dialog while a call is about to be saved.
    pub(super) fn save_dialog(&mut self, ctx: &Context, desk: &mut Desk) {
        let file = self.file();
        let is_read = desk.bench.project.is_some() || self.fault.is_some();
        let Some(saving) = &mut self.saving else { return };
        let old = desk.bench.project.as_ref().and_then(|it| get(&it.calls, saving.name.trim())).map(|old| &old.what);
        let note = old.map(|what| {
            if *what == saving.asked.call.what {
                "there is a call of this name; its arguments and options are replaced"
            } else {
                "there is another call of this name; it is replaced"
            }
        });
        let done = ("Save", "Save this call");
        let end = dialog::show(ctx, "save-call", "Save the call", done, "Do not save", |ui| {
            ui.label(RichText::new(format!("In {}", file.display())).color(theme::palette(ui).dim));
            let field = Field::new("Name").label("Name of the saved call").fault(note);
            let response = field.show(ui, &mut saving.name);
            if std::mem::take(&mut saving.focus) {
                response.request_focus();
            }
            (dialog::entered(ui, &response), is_read && !saving.name.trim().is_empty())
        });
        if end == End::Open {
            return;
        }
        let Some(Saving { asked, name, .. }) = self.saving.take().filter(|_| end == End::Done) else { return };
        let name = name.trim().to_owned();
        let old = desk.bench.project.as_ref().and_then(|it| get(&it.calls, &name)).cloned();
        let call = old.map_or_else(|| asked.call.clone(), |old| merged(asked.call.clone(), old));
        if let Some(subject) = asked.subject {
            desk.bench.to_tie = Some(Tie { connection: asked.connection, subject, name: name.clone() });
        }
        self.keep(desk, asked.connection, &name, call);
    }

    /// Saves a call, and its server where the file does not have it.
    pub(super) fn keep(&self, desk: &mut Desk, connection: ConnectionId, name: &str, mut call: SavedCall) {
        let file = self.file();
        if let Some(connection) = desk.bench.get(connection) {
            let target = connection.target.clone();
            // Only a server that is surely this one: another could be under another account.
            let known = desk.bench.servers.name_of(&target).map(ToOwned::to_owned);
            let server = known.clone().unwrap_or_else(|| free_name(desk.bench.project.as_ref(), &connection.name()));
            if known.is_none() {
                let settings = kept_settings(&connection.settings);
                let (way, left_out) = kept_target(&target);
                desk.bench.servers.learn(&server, way.clone(), &target);
                let edit = Edit::Target(server.clone(), Box::new(SavedTarget { way, settings }));
                desk.bench.send(ClientCommand::Edit(file.clone(), Box::new(edit)));
                if !left_out.is_empty() {
                    desk.notice(format!("Not saved, because it may be secret: {}", left_out.join(", ")));
                }
            }
            call.target = Some(server);
        }
        let edit = Edit::Call(name.to_owned(), Box::new(call));
        desk.bench.send(ClientCommand::Edit(file, Box::new(edit)));
    }
}

/// A call in the place of an older one: what a form has no place for stays, where both call the same thing.
fn merged(new: SavedCall, old: SavedCall) -> SavedCall {
    if new.what != old.what {
        return new;
    }
    let SavedCall { description, meta, fields, picks, expect, answers, .. } = old;
    let fields = if new.fields.is_empty() { fields } else { new.fields.clone() };
    SavedCall { description, meta: new.meta.clone().or(meta), fields, picks, expect, answers, ..new }
}

/// A name that no other server of the file has.
fn free_name(project: Option<&Project>, wanted: &str) -> String {
    let is_taken = |name: &str| project.is_some_and(|it| get(&it.targets, name).is_some());
    let mut names = (1_u32..).map(|n| if n == 1 { wanted.to_owned() } else { format!("{wanted}-{n}") });
    names.find(|name| !is_taken(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{SavedCall, What, merged};
    use crate::project::Expect;

    #[test]
    fn what_a_form_has_no_place_for_stays() {
        let tool = |name: &str| SavedCall::of(What::Tool(name.to_owned()));
        let old = SavedCall {
            picks: vec![("id".to_owned(), "/id".to_owned())],
            expect: Expect::Any,
            answers: vec!["yes".to_owned()],
            arguments: Some("{}".to_owned()),
            ..tool("a")
        };
        let new = SavedCall { arguments: Some("{\"x\":1}".to_owned()), ..tool("a") };
        let both = merged(new.clone(), old.clone());
        assert_eq!((both.picks, both.expect, both.answers), (old.picks.clone(), old.expect, old.answers.clone()));
        assert_eq!(both.arguments, new.arguments);
        assert_eq!(merged(tool("b"), old), tool("b"), "another call takes nothing over");
    }
}
