//! The servers at the left of the Client page: connected ones, those of hosts' files, recent ones, saved calls.

use eframe::egui::{Popup, Rect, ScrollArea, Ui, vec2};

use crate::engine::client::{Target, Way};
use crate::engine::hosts::HostServer;
use crate::engine::view::{ClientCommand, ConnectionId};
use crate::peer::client::{EraChoice, Kind, Settings as Conduct, State};
use crate::ui::client::{Connection, Standing, Wish};
use crate::ui::desk::Desk;
use crate::ui::icons::{self, Icon};
use crate::ui::keys::Act;
use crate::ui::panels::client::connect::ConnectForm;
use crate::ui::panels::entry::{Entry, draw, title};
use crate::ui::panels::saved::Saved;
use crate::ui::settings::Settings;
use crate::ui::theme::{self, Palette};
use crate::ui::widgets::button;
use crate::ui::words;

/// The state of the sidebar.
#[derive(Default)]
pub struct Sidebar {
    /// The section of saved calls.
    pub saved: Saved,
    asked: bool,
}

impl Sidebar {
    /// Draws the sidebar in all the room there is.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        desk: &mut Desk,
        settings: &mut Settings,
        form: &mut ConnectForm,
        acts: &mut Vec<Act>,
    ) {
        ui.set_min_size(ui.available_size());
        if !std::mem::replace(&mut self.asked, true) {
            desk.bench.send(ClientCommand::Hosts);
        }
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            ui.add_space(10.0);
            if button::framed(ui, Some(Icon::Plus), "Connect", "Connect to a server (Ctrl+N)", false).clicked() {
                acts.push(Act::Connect);
            }
        });
        ScrollArea::vertical().id_salt("servers").auto_shrink([false, false]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            if !desk.bench.connections.is_empty() {
                title(ui, "CONNECTED");
            }
            let ids: Vec<ConnectionId> = desk.bench.connections.iter().map(|it| it.id).collect();
            for id in ids {
                connection(ui, desk, id);
            }
            hosts(ui, desk, settings, form);
            recent(ui, desk, settings, form);
            self.saved.section(ui, desk);
            ui.add_space(8.0);
        });
    }
}

fn connection(ui: &mut Ui, desk: &mut Desk, id: ConnectionId) {
    let selected = desk.bench.current == Some(id);
    let Some(connection) = desk.bench.get(id) else { return };
    let palette = theme::palette(ui);
    let name = connection.name();
    let second = second_line(connection);
    let dot = dot(palette, connection);
    let right = transport(&connection.target.way);
    let warns = connection.standing() == Standing::Failed;
    let entry = Entry { title: &name, right, second: &second, dot, selected, warns };
    let response = draw(ui, &name, &entry);
    if !connection.questions.is_empty() {
        let at = Rect::from_min_size(response.rect.right_bottom() - vec2(34.0, 24.0), vec2(18.0, 18.0));
        icons::paint(ui.painter(), at, Icon::Flag, palette.accent);
    }
    let pressed = response.clicked();
    let mut close = false;
    Popup::context_menu(&response).accessible_name("Connection").show(|ui| {
        let word = if connection.standing() == Standing::Open { "Disconnect" } else { "Take from the list" };
        if ui.button(word).clicked() {
            close = true;
            ui.close();
        }
    });
    response.on_hover_text(format!("{}\n{}", words::plain(&described(&connection.target)), words::plain(&second)));
    if pressed {
        desk.bench.current = Some(id);
    }
    if close {
        desk.bench.disconnect(id);
    }
}

fn dot(palette: &Palette, connection: &Connection) -> eframe::egui::Color32 {
    match connection.standing() {
        Standing::Opening => palette.warn,
        Standing::Open => palette.ok,
        Standing::Closed => palette.mark,
        Standing::Failed => palette.err,
    }
}

fn transport(way: &Way) -> &'static str {
    match way {
        Way::Command { .. } => "stdio",
        Way::Url { .. } => "HTTP",
    }
}

/// The whole command or URL.
fn described(target: &Target) -> String {
    match &target.way {
        Way::Command { command, .. } => crate::engine::client::line(command),
        Way::Url { url, .. } => url.clone(),
    }
}

/// A command whose long paths are cut to their ends, which tell one server from another.
fn short(line: &str) -> String {
    let cut = |(index, word): (usize, &str)| {
        let keep = if index == 0 { 1 } else { 2 };
        let place = word.rmatch_indices('/').nth(keep - 1).map(|(at, _)| at).filter(|_| word.starts_with('/'));
        match place {
            Some(at) if index == 0 => word[at + 1..].to_owned(),
            Some(at) if at > 0 => format!("…{}", &word[at..]),
            _ => word.to_owned(),
        }
    };
    line.split(' ').enumerate().map(cut).collect::<Vec<_>>().join(" ")
}

/// `2025-11-25 · auto · 16 tools`, or why it ended.
fn second_line(connection: &Connection) -> String {
    match &connection.state {
        State::Opening => "connecting …".to_owned(),
        State::Closed { why, .. } => format!("ended: {why}"),
        State::Open(peer) => {
            let choice = match &connection.settings.era {
                EraChoice::Auto => "auto",
                EraChoice::Legacy => "legacy",
                EraChoice::Modern => "modern",
                EraChoice::Pinned(_) => "pinned",
            };
            let tools = connection.lists.get(&Kind::Tools).map(|list| list.items.len() as u64);
            let tools = tools.map(|count| format!(" · {}", words::counted(count, "tool", "tools"))).unwrap_or_default();
            format!("{} · {choice}{tools}", peer.revision.text())
        }
    }
}

/// What hosts on this machine have, by host.
fn hosts(ui: &mut Ui, desk: &mut Desk, settings: &mut Settings, form: &mut ConnectForm) {
    let Some(files) = desk.bench.hosts.clone() else { return };
    let palette = theme::palette(ui);
    let mut last = None;
    let mut place = 0_u32;
    for file in files.iter() {
        if file.servers.is_empty() && file.fault.is_none() {
            continue;
        }
        if last != Some(file.host) {
            last = Some(file.host);
            title(ui, &format!("FROM {}", file.host.title().to_uppercase()));
        }
        if let Some(fault) = &file.fault {
            let second = format!("failed to {fault}");
            let name = file.path.file_name().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
            let entry =
                Entry { title: &name, right: "", second: &second, dot: palette.err, selected: false, warns: true };
            draw(ui, &name, &entry).on_hover_text(format!("{}\n{}", file.path.display(), words::plain(&second)));
        }
        for server in &file.servers {
            place += 1;
            ui.push_id(("host-server", place), |ui| host_server(ui, desk, settings, form, server));
        }
    }
    if place > 0 {
        ui.horizontal(|ui| {
            ui.add_space(10.0);
            if button::quiet(ui, "Read the files again", "Read the files of hosts again").clicked() {
                desk.bench.send(ClientCommand::Hosts);
            }
        });
    }
}

fn host_server(ui: &mut Ui, desk: &mut Desk, settings: &mut Settings, form: &mut ConnectForm, server: &HostServer) {
    let palette = theme::palette(ui);
    let fault = server.faults.first().cloned();
    let missing = (!server.unresolved.is_empty()).then(|| format!("needs {}", server.unresolved.join(", ")));
    let second = fault.or(missing).unwrap_or_else(|| short(&server.shown));
    let warns = !server.faults.is_empty() || !server.unresolved.is_empty();
    let right = match (&server.target, server.disabled) {
        (_, true) => "disabled",
        (Some(target), false) => transport(&target.way),
        (None, false) => "",
    };
    let entry = Entry { title: &server.name, right, second: &second, dot: palette.mark, selected: false, warns };
    let response = draw(ui, &format!("{} of {}", server.name, server.host.title()), &entry);
    let pressed = response.clicked();
    Popup::context_menu(&response).accessible_name("Server").show(|ui| {
        if ui.button("Edit and connect …").clicked() {
            if let Some(target) = &server.target {
                form.open_with(Wish::of(target, &Conduct::default()), target.from.clone());
            }
            ui.close();
        }
    });
    let mut hover = vec![server.path.display().to_string(), server.shown.clone()];
    hover.extend(server.faults.iter().cloned());
    hover.extend(server.details.iter().map(|(name, value)| format!("{name}={value}")));
    response.on_hover_text(words::plain(&hover.join("\n")).replace('↵', "\n"));
    if pressed {
        match &server.target {
            Some(target) => form.connect((**target).clone(), Conduct::default(), desk, settings),
            None => desk.notice(format!("{} cannot be used: {second}", server.name)),
        }
    }
}

/// Targets that were connected to before and are not now.
fn recent(ui: &mut Ui, desk: &mut Desk, settings: &mut Settings, form: &mut ConnectForm) {
    let title_of = |it: &Connection| Wish::of(&it.target, &it.settings).title();
    let open: Vec<String> = desk.bench.connections.iter().map(title_of).collect();
    let palette = theme::palette(ui);
    let recent: Vec<Wish> = settings.targets.iter().filter(|wish| !open.contains(&wish.title())).cloned().collect();
    if recent.is_empty() {
        return;
    }
    title(ui, "RECENT");
    let mut forget = None;
    for (index, wish) in recent.iter().enumerate() {
        let target = wish.target();
        let name = Connection::name_of(&target);
        let second = described(&target);
        let entry = Entry {
            title: &name,
            right: transport(&target.way),
            second: &short(&second),
            dot: palette.mark,
            selected: false,
            warns: false,
        };
        let response = ui.push_id(("recent", index), |ui| draw(ui, &format!("Recent {name}"), &entry)).inner;
        let pressed = response.clicked();
        Popup::context_menu(&response).accessible_name("Recent server").show(|ui| {
            if ui.button("Edit and connect …").clicked() {
                form.open_with(wish.clone(), None);
                ui.close();
            }
            if ui.button("Forget").clicked() {
                forget = Some(wish.title());
                ui.close();
            }
        });
        response.on_hover_text(words::plain(&second));
        if pressed && wish.faults().is_empty() {
            form.connect(target, wish.behaviour.settings(), desk, settings);
        } else if pressed {
            // Secrets are not kept, so something may have to be filled in again.
            form.open_with(wish.clone(), None);
        }
    }
    if let Some(name) = forget {
        settings.targets.retain(|wish| wish.title() != name);
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn what_tells_commands_apart_is_kept() {
        assert_eq!(short("/usr/bin/node /srv/peers/every/dist/index.js -x"), "node …/dist/index.js -x");
        assert_eq!(short("npx -y @scope/server /data"), "npx -y @scope/server /data");
        assert_eq!(short("http://127.0.0.1:9/mcp"), "http://127.0.0.1:9/mcp");
        assert_eq!(short(""), "");
    }
}
