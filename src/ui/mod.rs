//! The window: pages, panels and widgets over the engine's events. The only module that names egui.
