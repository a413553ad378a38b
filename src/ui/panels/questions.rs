//! What servers ask, above every page, so that it cannot be missed wherever somebody is.

use eframe::egui::Ui;

use crate::ui::desk::Desk;
use crate::ui::keys::Act;

/// Draws the strip while a question of any connection waits.
pub fn strip(_ui: &mut Ui, _desk: &mut Desk, _acts: &mut Vec<Act>) {}
