//! The tab Raw frame: anything can be sent as it is, and the reaction watched.

use eframe::egui::Ui;

use crate::engine::view::ConnectionId;
use crate::ui::desk::Desk;

/// The state of the tab.
#[derive(Debug, Default)]
pub struct Frames {}

impl Frames {
    /// Draws the tab for a connection in all the room there is.
    pub fn show(&mut self, _ui: &mut Ui, _desk: &mut Desk, _connection: ConnectionId) {}
}
