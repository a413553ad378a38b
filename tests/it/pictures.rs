//! The pictures of the README: the window on the demo's recordings, drawn without a screen, in both
//! themes. `UPDATE_SNAPSHOTS=true cargo test --features pictures --test it pictures` draws them anew.

use std::path::Path;
use std::time::{Duration, Instant};

use eframe::egui::Theme;
use egui_kittest::kittest::Queryable;
use egui_kittest::{Harness, SnapshotOptions};
use jiff::tz::TimeZone;
use midwire::engine::Handle;
use midwire::engine::view::{Command, Event};
use midwire::model::Nanos;
use midwire::store::Reader;
use midwire::ui::app::App;
use midwire::ui::source::Source;

/// Nothing takes so long unless it is broken.
const PATIENCE: Duration = Duration::from_secs(60);

/// The engine at a fixed time of day, so that a picture does not depend on the day on which it is drawn.
struct Still(Handle, Nanos);

impl Source for Still {
    fn send(&mut self, command: Command) {
        self.0.send(command);
    }

    fn poll(&mut self) -> Option<Event> {
        self.0.poll()
    }

    fn now(&self) -> Nanos {
        self.1
    }

    fn steady(&self) -> f64 {
        self.0.steady()
    }
}

fn picture(theme: Theme, name: &str) {
    let folder = tempfile::tempdir().unwrap();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings");
    for sample in ["demo-legacy.midwire", "demo-modern.midwire"] {
        std::fs::copy(samples.join(sample), folder.path().join(sample)).unwrap();
    }
    let open = folder.path().join("demo-legacy.midwire");
    let began = Reader::open(&open).unwrap().recording().unwrap().started;
    let engine = Still(Handle::start(folder.path(), || {}), began + 60_000_000_000);
    let mut harness = Harness::builder()
        .with_size([1440.0, 900.0])
        .with_max_steps(24)
        .with_theme(theme)
        .wgpu()
        .build_eframe(move |cc| App::new(cc, Box::new(engine), &[open], TimeZone::UTC));
    until(&mut harness, |harness| harness.query_all_by_label_contains("tools/call refund").next().is_some());
    harness.query_all_by_label_contains("tools/call find_parcels ok").next().unwrap().click();
    until(&mut harness, |harness| harness.query_by_label("The whole message (e)").is_some());
    harness.run_ok();
    harness.remove_cursor();
    harness.run_ok();
    harness.snapshot_options(name, &SnapshotOptions::new().output_path("assets").max_failed_pixels(2_000));
}

/// Runs the window until the engine's threads have brought what is wanted.
fn until(harness: &mut Harness<'_, App>, wanted: impl Fn(&Harness<'_, App>) -> bool) {
    let begun = Instant::now();
    loop {
        harness.run_ok();
        if wanted(harness) {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "the window never showed what the picture is of");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn traffic_dark() {
    picture(Theme::Dark, "traffic-dark");
}

#[test]
fn traffic_light() {
    picture(Theme::Light, "traffic-light");
}
