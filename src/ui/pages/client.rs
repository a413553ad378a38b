//! The page of the client: servers, what they have, what is tried out, what comes of it.

use std::collections::HashMap;

use eframe::egui::{Align, CentralPanel, Frame, Layout, Panel, Ui};
use jiff::tz::TimeZone;

use crate::engine::view::ConnectionId;
use crate::ui::client::Subject;
use crate::ui::desk::Desk;
use crate::ui::keys::Act;
use crate::ui::panels::arguments::Arguments;
use crate::ui::panels::client::sidebar::Sidebar;
use crate::ui::panels::frames::Frames;
use crate::ui::settings::Settings;
use crate::ui::theme;
use crate::ui::widgets::button;

/// What the page shows of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tab {
    /// Its tools.
    #[default]
    Tools,
    /// Its resources.
    Resources,
    /// Its resource templates.
    Templates,
    /// Its prompts.
    Prompts,
    /// Tasks.
    Tasks,
    /// Notifications and subscriptions.
    Stream,
    /// Anything, sent as it is.
    Frame,
    /// Who it is and how it was reached.
    Server,
}

impl Tab {
    /// Every tab with its title.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::Tools, "Tools"),
        (Self::Resources, "Resources"),
        (Self::Templates, "Templates"),
        (Self::Prompts, "Prompts"),
        (Self::Tasks, "Tasks"),
        (Self::Stream, "Stream"),
        (Self::Frame, "Raw frame"),
        (Self::Server, "Server"),
    ];
}

/// The state of the page.
#[derive(Default)]
pub struct ClientPage {
    /// What is shown of the connection.
    pub tab: Tab,
    /// The servers at the left.
    pub sidebar: Sidebar,
    /// What is filled in, by connection and subject.
    pub drafts: HashMap<(ConnectionId, Subject), Arguments>,
    /// The tab Raw frame.
    pub frames: Frames,
}

impl ClientPage {
    /// Draws the page; what is pressed is added to `acts`.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        desk: &mut Desk,
        settings: &mut Settings,
        _zone: &TimeZone,
        acts: &mut Vec<Act>,
    ) {
        let plain = Frame::NONE.fill(theme::palette(ui).bg1);
        let width = ui.available_width();
        if settings.recordings {
            let panel = Panel::left("servers").default_size(224.0).size_range(160.0..=(width * 0.3).max(161.0));
            panel.frame(plain).show(ui, |ui| self.sidebar.show(ui, desk, acts));
        }
        let bar = Panel::top("client-tabs").exact_size(44.0).resizable(false).frame(plain);
        bar.show(ui, |ui| {
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add_space(12.0);
                button::segmented(ui, &mut self.tab, &Tab::ALL);
            });
        });
        CentralPanel::no_frame().show(ui, |ui| {
            let Some(id) = desk.bench.current else { return };
            match self.tab {
                Tab::Frame => self.frames.show(ui, desk, id),
                Tab::Tools => {
                    let subject = Subject::new(crate::peer::client::Kind::Tools, "");
                    let draft =
                        self.drafts.entry((id, subject.clone())).or_insert_with(|| Arguments::new(&subject, None));
                    draft.show(ui, desk, id, 400.0);
                }
                _ => {}
            }
        });
    }

    /// Does what a key asks for.
    pub fn act(&mut self, _ui: &Ui, act: Act, _desk: &mut Desk, settings: &mut Settings) {
        match act {
            Act::Recordings => settings.recordings = !settings.recordings,
            Act::Tab(index) => {
                if let Some((tab, _)) = Tab::ALL.get(usize::from(index)) {
                    self.tab = *tab;
                }
            }
            _ => {}
        }
    }
}
