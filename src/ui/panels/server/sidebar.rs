//! The servers at the left of the Server page: those that serve, and those that were served before.

use eframe::egui::{Popup, Rect, ScrollArea, Ui, vec2};

use crate::engine::view::ServerId;
use crate::ui::desk::Desk;
use crate::ui::icons::{self, Icon};
use crate::ui::keys::Act;
use crate::ui::panels::entry::{Entry, draw, title};
use crate::ui::panels::server::start::StartForm;
use crate::ui::server::wish::From;
use crate::ui::server::{Serving, Standing, Wish};
use crate::ui::settings::Settings;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// Draws the sidebar in all the room there is.
pub fn show(ui: &mut Ui, desk: &mut Desk, settings: &mut Settings, form: &mut StartForm, acts: &mut Vec<Act>) {
    ui.set_min_size(ui.available_size());
    ui.add_space(8.0);
    ui.horizontal(|ui| {
        ui.add_space(10.0);
        if button::framed(ui, Some(Icon::Plus), "Serve", "Serve something (Ctrl+N)", false).clicked() {
            acts.push(Act::Serve);
        }
    });
    ScrollArea::vertical().id_salt("stand").auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        if !desk.stand.servers.is_empty() {
            title(ui, "SERVING");
        }
        let ids: Vec<ServerId> = desk.stand.servers.iter().map(|it| it.id).collect();
        for id in ids {
            ui.push_id(id, |ui| server(ui, desk, id));
        }
        recent(ui, desk, settings, form);
        ui.add_space(8.0);
    });
}

fn server(ui: &mut Ui, desk: &mut Desk, id: ServerId) {
    let selected = desk.stand.current == Some(id);
    let Some(serving) = desk.stand.get(id) else { return };
    let palette = theme::palette(ui);
    let (name, second) = (serving.name(), second_line(serving));
    let dot = match serving.standing() {
        Standing::Starting => palette.warn,
        Standing::Serving => palette.ok,
        Standing::Stopped => palette.mark,
        Standing::Failed => palette.err,
    };
    let warns = serving.standing() == Standing::Failed || matches!(serving.source, Some(Err(_)));
    let entry = Entry { title: &name, right: word(serving.wish.from), second: &second, dot, selected, warns };
    let response = draw(ui, &format!("{name}: {second}"), &entry);
    if serving.waiting().next().is_some() {
        let at = Rect::from_min_size(response.rect.right_bottom() - vec2(34.0, 24.0), vec2(18.0, 18.0));
        icons::paint(ui.painter(), at, Icon::Flag, palette.accent);
    }
    let pressed = response.clicked();
    let serves = matches!(serving.standing(), Standing::Starting | Standing::Serving);
    let mut stop = false;
    Popup::context_menu(&response).accessible_name("Server").show(|ui| {
        if ui.button(if serves { "Stop" } else { "Take from the list" }).clicked() {
            stop = true;
            ui.close();
        }
    });
    response.on_hover_text(words::plain(&second));
    if pressed {
        desk.stand.current = Some(id);
    }
    if stop {
        desk.stand.stop(id);
    }
}

fn word(from: From) -> &'static str {
    match from {
        From::Mock => "mock",
        From::Recording => "recording",
        From::Hand => "by hand",
    }
}

/// `2 clients · 17 requests`, what waits, or why it does not serve.
fn second_line(serving: &Serving) -> String {
    match serving.standing() {
        Standing::Starting => "starting …".to_owned(),
        Standing::Stopped => "stopped".to_owned(),
        Standing::Failed => serving.state.1.clone(),
        Standing::Serving => {
            if let Some(Err(why)) = &serving.source {
                return format!("failed to {why}");
            }
            let waiting = serving.waiting().count() as u64;
            if waiting > 0 {
                return words::counted(waiting, "request waits for you", "requests wait for you");
            }
            let clients = serving.clients.iter().filter(|it| it.left.is_none()).count() as u64;
            let requests = serving.requests.len() as u64 + serving.left_out;
            let clients = words::counted(clients, "client", "clients");
            format!("{clients} · {}", words::counted(requests, "request", "requests"))
        }
    }
}

/// What was served before and is not now.
fn recent(ui: &mut Ui, desk: &mut Desk, settings: &mut Settings, form: &mut StartForm) {
    let shown =
        |wish: &Wish| desk.stand.servers.iter().any(|it| it.wish.path == wish.path && it.wish.from == wish.from);
    let recent: Vec<(usize, Wish)> =
        settings.served.iter().cloned().enumerate().filter(|(_, wish)| !shown(wish)).collect();
    if recent.is_empty() {
        return;
    }
    let palette = theme::palette(ui);
    title(ui, "RECENT");
    let mut forget = None;
    for (index, wish) in recent {
        let name = wish.title();
        let entry = Entry {
            title: &name,
            right: word(wish.from),
            second: &wish.path,
            dot: palette.mark,
            selected: false,
            warns: false,
        };
        let response = ui.push_id(("served", index), |ui| draw(ui, &format!("Recent {name}"), &entry)).inner;
        let pressed = response.clicked();
        Popup::context_menu(&response).accessible_name("Recent server").show(|ui| {
            if ui.button("Edit and serve …").clicked() {
                form.open_with(wish.clone());
                ui.close();
            }
            if ui.button("Forget").clicked() {
                forget = Some(index);
                ui.close();
            }
        });
        response.on_hover_text(words::plain(&wish.path));
        if pressed && wish.faults().is_empty() {
            let now = desk.now;
            settings.remember_served(&wish);
            desk.stand.start(wish, now);
        } else if pressed {
            form.open_with(wish);
        }
    }
    if let Some(index) = forget {
        settings.served.remove(index);
    }
}
