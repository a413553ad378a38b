//! The choice of a recording whose client is imitated: its identity and its capabilities go into the form.

use std::path::PathBuf;

use eframe::egui::{RichText, Ui};

use crate::engine::imitation::Imitation;
use crate::engine::view::{ClientCommand, ClientEvent};
use crate::ui::client::behaviour::Behaviour;
use crate::ui::desk::Desk;
use crate::ui::theme;
use crate::ui::widgets::choice::choice;
use crate::ui::words;

/// Recordings that are offered, beside the one that is open; the newest ones.
const MOST: usize = 40;

/// Whose identity was asked for, and what came of it.
#[derive(Debug, Default)]
pub(super) struct Imitating {
    chosen: Option<PathBuf>,
    waiting: bool,
    said: Option<Result<String, String>>,
}

impl Imitating {
    /// Draws the choice.
    pub fn choose(&mut self, ui: &mut Ui, desk: &mut Desk) {
        let mut options = vec![(None, "As in a recording …".to_owned())];
        options.extend(offered(desk).into_iter().map(|(path, text)| (Some(path), text)));
        let several = options.len() > 1;
        ui.add_enabled_ui(several, |ui| {
            if choice(ui, "Imitate the client of a recording", &mut self.chosen, &options, 300.0)
                && let Some(path) = &self.chosen
            {
                desk.bench.send(ClientCommand::Imitate(path.clone()));
                (self.waiting, self.said) = (true, None);
            }
        });
    }

    /// Takes in what the recording says, and draws what came of it.
    pub fn show(&mut self, ui: &mut Ui, desk: &mut Desk, behaviour: &mut Behaviour) {
        for event in desk.bench.take_answers(|event| matches!(event, ClientEvent::Imitation(..))) {
            let ClientEvent::Imitation(path, found) = event else { continue };
            if self.waiting && self.chosen.as_ref() == Some(&path) {
                self.waiting = false;
                self.said = Some(found.map(|found| taken(*found, behaviour)));
            }
        }
        let palette = theme::palette(ui);
        let (text, colour) = match &self.said {
            Some(Ok(text)) => (text.clone(), palette.dim),
            Some(Err(why)) => (format!("Failed to {why}."), palette.warn),
            None => return,
        };
        ui.label(RichText::new(words::plain(&text)).font(theme::sans(11.5)).color(colour));
    }
}

/// Fills in what is known of a client; says where it stood.
fn taken(found: Imitation, behaviour: &mut Behaviour) -> String {
    let asked = found.revision.map(|it| format!(", which asks for {it}")).unwrap_or_default();
    let lacks = match (&found.identity, &found.capabilities) {
        (None, _) => " It says nothing of its identity.",
        (_, None) => " It says nothing of its capabilities.",
        _ => "",
    };
    behaviour.identity = found.identity.unwrap_or(std::mem::take(&mut behaviour.identity));
    behaviour.capabilities = found.capabilities.unwrap_or(std::mem::take(&mut behaviour.capabilities));
    format!("As in entry {}, {}{asked}.{lacks}", found.seq, found.source)
}

/// The recording that is open, and those whose client is known to be another than midwire.
fn offered(desk: &Desk) -> Vec<(PathBuf, String)> {
    let named = |client: Option<&str>, name: &str| format!("{} · {name}", client.unwrap_or("client"));
    let known = |path| desk.recordings.iter().find(|it| it.path == path).and_then(|it| it.client.as_deref());
    let mut offered = Vec::new();
    if let Some(opened) = &desk.opened {
        let text = named(known(opened.path.clone()), &opened.facts.name);
        offered.push((opened.path.clone(), format!("{text} (open)")));
    }
    let others = desk.recordings.iter().filter_map(|listing| {
        let client = listing.client.as_deref().filter(|client| !client.starts_with("midwire"))?;
        let facts = listing.facts.as_ref().ok()?;
        Some((listing.path.clone(), named(Some(client), &facts.name)))
    });
    let open = offered.first().map(|(path, _)| path.clone());
    offered.extend(others.filter(|(path, _)| open.as_ref() != Some(path)).take(MOST));
    offered
}
