//! The pictures of the README: the window over the stage of `panels`, drawn without a screen, in both
//! themes. `UPDATE_SNAPSHOTS=true cargo test --features pictures pictures` draws them anew.

use eframe::egui::Theme;
use egui_kittest::kittest::Queryable;
use egui_kittest::{Harness, SnapshotOptions};
use jiff::tz::TimeZone;
use midwire::ui::app::App;

use super::panels::stage::Stage;

fn picture(theme: Theme, name: &str) {
    let stage = Stage::conversation();
    let mut harness = Harness::builder()
        .with_size([1440.0, 900.0])
        .with_max_steps(24)
        .with_theme(theme)
        .wgpu()
        .build_eframe(move |cc| App::new(cc, Box::new(stage), &[], TimeZone::UTC));
    harness.run_ok();
    harness.get_by_label("41 tools/call search_docs -32602").click();
    harness.run_ok();
    harness.remove_cursor();
    harness.run_ok();
    harness.snapshot_options(name, &SnapshotOptions::new().output_path("assets").max_failed_pixels(2_000));
}

#[test]
fn traffic_dark() {
    picture(Theme::Dark, "traffic-dark");
}

#[test]
fn traffic_light() {
    picture(Theme::Light, "traffic-light");
}
