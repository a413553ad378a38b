//! What a frame of the window costs while the timeline scrolls: with a million rows against a thousand, in
//! turns within one run. A frame is drawing up the window and cutting it into triangles; what the graphics
//! driver does with them is not ours. Prints milliseconds and the ratio.
//!
//! `cargo bench --bench table`

#![allow(clippy::print_stdout, reason = "a bench tells its figures")]

#[path = "../tests/it/panels/stage.rs"]
#[allow(dead_code, reason = "the tests of the panels need more of it")]
mod stage;

use std::time::Instant;

use eframe::egui::{Key, Theme};
use egui_kittest::Harness;
use jiff::tz::TimeZone;
use midwire::ui::app::App;

use stage::Stage;

/// How many frames each takes in one turn.
const FRAMES: usize = 100;
/// How often each takes its turn.
const ROUNDS: usize = 4;

fn main() {
    // `cargo test --benches` only asks whether it starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let (mut few, mut many) = (window(1_000), window(1_000_000));
    let (mut of_few, mut of_many) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        scroll(&mut few, &mut of_few);
        scroll(&mut many, &mut of_many);
    }
    let (few, many) = (tell("      1,000 rows", &mut of_few), tell("  1,000,000 rows", &mut of_many));
    println!("ratio of the medians {:>6.2}; to reach: 8 ms of CPU for a frame of a million rows", many / few);
}

fn window(rows: u64) -> Harness<'static, App> {
    let stage = Stage::endless(rows);
    let mut harness = Harness::builder()
        .with_size([1280.0, 800.0])
        .with_theme(Theme::Dark)
        .with_max_steps(24)
        .build_eframe(move |cc| App::new(cc, Box::new(stage), &[], TimeZone::UTC));
    harness.run_ok();
    harness
}

/// Scrolls by a screen a frame, back to the top in between, and notes what each frame took.
fn scroll(harness: &mut Harness<'static, App>, times: &mut Vec<f64>) {
    for frame in 0..FRAMES {
        harness.key_press(if frame % 20 == 0 { Key::Home } else { Key::PageDown });
        let begun = Instant::now();
        harness.step();
        let shapes = harness.output().shapes.clone();
        std::hint::black_box(harness.ctx.tessellate(shapes, harness.ctx.pixels_per_point()));
        // A press is two events, and each event is a frame of its own.
        times.push(begun.elapsed().as_secs_f64() * 1000.0 / 2.0);
    }
}

/// Prints the median and the 95th percentile; returns the median.
fn tell(what: &str, times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    let (median, most) = (times[times.len() / 2], times[times.len() * 95 / 100]);
    println!("{what}: a frame takes {median:.2} ms in the middle, {most:.2} ms at the 95th percentile");
    median
}
