//! The window: pages, panels and widgets over the engine's events. The only module that names egui.
//!
//! A frame never waits: it takes in what lies ready, draws what is in view, and passes commands on.

pub mod app;
pub mod client;
mod desk;
mod fonts;
mod icons;
mod keys;
mod pages;
pub mod panels;
mod rows;
pub mod server;
pub mod settings;
pub mod source;
pub mod theme;
pub mod widgets;
mod words;
pub mod worker;

use std::path::PathBuf;

use eframe::egui::{IconData, ViewportBuilder};

use crate::engine::Handle;

/// What the window is started with.
#[derive(Debug, Clone)]
pub struct Options {
    /// The folder of recordings that it watches.
    pub folder: PathBuf,
    /// Recordings to open; the first is shown.
    pub open: Vec<PathBuf>,
}

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
#[error("open a window: {0}; without a display use `midwire list` and `midwire show`, or `midwire demo --headless`")]
pub struct WindowError(#[from] eframe::Error);

/// Shows the window until it is closed.
///
/// # Errors
///
/// Where there is no display, or none that OpenGL can draw on.
pub fn run(options: Options) -> Result<(), WindowError> {
    let native = eframe::NativeOptions {
        viewport: ViewportBuilder::default()
            .with_app_id("midwire")
            .with_title("midwire")
            .with_inner_size([1440.0, 900.0])
            .with_min_inner_size([720.0, 420.0])
            .with_icon(icon()),
        persist_window: true,
        ..Default::default()
    };
    let start = move |cc: &eframe::CreationContext<'_>| -> Result<Box<dyn eframe::App>, _> {
        let ctx = cc.egui_ctx.clone();
        let handle = Handle::start(options.folder, move || ctx.request_repaint());
        Ok(Box::new(app::App::new(cc, Box::new(handle), &options.open, jiff::tz::TimeZone::system())))
    };
    Ok(eframe::run_native("midwire", native, Box::new(start))?)
}

/// The window's icon; the desktop's own where it cannot be read.
fn icon() -> IconData {
    let png = include_bytes!("../../assets/icon/midwire-256.png");
    image::load_from_memory(png).map_or_else(
        |_| IconData::default(),
        |image| {
            let image = image.into_rgba8();
            IconData { width: image.width(), height: image.height(), rgba: image.into_raw() }
        },
    )
}
