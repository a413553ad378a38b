//! The saved calls in the sidebar of the Client page.

use eframe::egui::Ui;

use crate::ui::desk::Desk;
use crate::ui::keys::Act;

/// The state of the section.
#[derive(Debug, Default)]
pub struct Saved {}

impl Saved {
    /// Draws the section in the sidebar's column, below the connections.
    pub fn section(&mut self, _ui: &mut Ui, _desk: &mut Desk, _acts: &mut Vec<Act>) {}
}
