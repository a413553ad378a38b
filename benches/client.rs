//! What a frame of the Client page costs: with ten thousand tools against ten, while a list of a thousand pages
//! arrives, and beside a result of twelve mebibytes, in turns within one run. A frame is drawing up the window and
//! cutting it into triangles; what the graphics driver does with them is not ours. Prints milliseconds and ratios.
//!
//! `cargo bench --bench client`

#![allow(clippy::print_stdout, reason = "a bench tells its figures")]

#[path = "../tests/it/panels/stage.rs"]
#[allow(dead_code, reason = "the tests of the panels need more of it")]
mod stage;

use std::sync::Arc;
use std::time::{Duration, Instant};

use eframe::egui::{Key, Modifiers, Theme};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use jiff::tz::TimeZone;
use midwire::engine::view::{Body, ClientCommand, ClientEvent, Event, pieces};
use midwire::model::{Era, Revision};
use midwire::peer::client::{Bytes, Gist, Item, Items, Kind, List, Order, Outcome, Peer, State, Told};
use midwire::ui::app::App;

use stage::Stage;

/// Frames in one turn, and turns.
const FRAMES: usize = 60;
const ROUNDS: usize = 4;
/// The large result, in bytes of its text.
const LARGE: usize = 12 << 20;

fn main() {
    // `cargo test --benches` only asks whether it starts.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let (mut few, mut many) = (window(10, 1), window(10_000, 1_000));
    let (mut of_few, mut of_many, mut of_pages) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        scroll(&mut few, &mut of_few);
        scroll(&mut many, &mut of_many);
        many.key_press_modifiers(Modifiers::COMMAND, Key::R);
        frames(&mut many, &mut of_pages);
    }
    let few = tell("        10 tools, scrolling", &mut of_few);
    let many = tell("    10,000 tools, scrolling", &mut of_many);
    let pages = tell(" 1,000 pages of 10 arriving", &mut of_pages);
    let large = large();
    println!(
        "ratios of the medians to 10 tools: {:.2} for 10,000, {:.2} for 1,000 pages, {:.2} for 12 MiB; to reach: 8 ms",
        many / few,
        pages / few,
        large / few
    );
}

/// The page with a large result beside it: while it arrives, and when it stands.
fn large() -> f64 {
    let mut harness = window(10, 1);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Enter);
    let (mut arriving, mut standing) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        frames(&mut harness, &mut arriving);
        std::thread::sleep(Duration::from_millis(500));
    }
    for _ in 0..ROUNDS {
        scroll(&mut harness, &mut standing);
    }
    tell("   a result of 12 MiB comes ", &mut arriving);
    let worst = arriving.last().copied().unwrap_or_default();
    println!("   the longest frame while it comes: {worst:.2} ms");
    tell("   a result of 12 MiB stands", &mut standing)
}

/// The Client page on a server with so many tools in so many pages.
fn window(tools: usize, pages: usize) -> Harness<'static, App> {
    let made = Made { lists: lists(tools, pages), large: result() };
    let stage = Stage::empty().with_clients(move |command| made.answer(command));
    let mut harness = Harness::builder()
        .with_size([1280.0, 800.0])
        .with_theme(Theme::Dark)
        .with_max_steps(24)
        .build_eframe(move |cc| App::new(cc, Box::new(stage), &[], TimeZone::UTC));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::N);
    harness.run_steps(4);
    harness.get_by_label("Command of the server").type_text("node server.js");
    harness.run_steps(4);
    harness.get_by_label("Connect now").click();
    harness.run_steps(12);
    harness.get_by_label("tool_00000").click();
    harness.run_steps(12);
    harness
}

/// The list as it is told with each page.
fn lists(tools: usize, pages: usize) -> Vec<Arc<List>> {
    let mut items = Items::default();
    let page = tools / pages;
    let told = (0..pages).map(|number| {
        items.push((number * page..(number + 1) * page).map(item).collect());
        let next = (number + 1 < pages).then(|| number.to_string());
        let pages = u32::try_from(number + 1).unwrap_or(u32::MAX);
        Arc::new(List { items: items.clone(), pages, next, stopped: None, hint: None, at: 0, stale: false })
    });
    told.collect()
}

fn item(index: usize) -> Item {
    let name = format!("tool_{index:05}");
    let json = format!(
        r#"{{"name":"{name}","description":"Looks for number {index}","inputSchema":{{"type":"object",
        "properties":{{"query":{{"type":"string"}},"limit":{{"type":"integer","maximum":50}}}}}}}}"#
    );
    Item { json: json.into_bytes().into(), key: name.clone(), title: name, faults: Vec::new() }
}

/// What the stand-in for the engine answers with, made before the frames that are timed.
struct Made {
    lists: Vec<Arc<List>>,
    large: (Bytes, Arc<Body>),
}

impl Made {
    fn answer(&self, command: &ClientCommand) -> Vec<Event> {
        let events = match command {
            ClientCommand::Connect(id, ..) => vec![
                ClientEvent::Started(*id, None),
                ClientEvent::Told(*id, Box::new(Told::State(State::Open(Arc::new(peer()))))),
            ],
            ClientCommand::Order(id, order) => match &**order {
                Order::List(call, Kind::Tools) => {
                    let pages = self.lists.iter().map(|list| Told::List(Kind::Tools, Arc::clone(list)));
                    let ended = Told::Ended { call: *call, outcome: Outcome::Result((*b"{}").into()), took: 1 };
                    pages.chain([ended]).map(|told| ClientEvent::Told(*id, Box::new(told))).collect()
                }
                Order::Call(call, _) => {
                    let outcome = Outcome::Result(Arc::clone(&self.large.0));
                    let ended = Told::Ended { call: *call, outcome, took: 1_000_000 };
                    let laid = ClientEvent::Laid(*id, *call, Arc::clone(&self.large.1), Gist::default());
                    vec![ClientEvent::Told(*id, Box::new(ended)), laid]
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        events.into_iter().map(Event::Client).collect()
    }
}

/// The large result, and as the engine lays it out on a thread of its own.
fn result() -> (Bytes, Arc<Body>) {
    let text = "0123456789abcde\\n".repeat(LARGE / 16);
    let bytes = format!(r#"{{"content":[{{"type":"text","text":"{text}"}}]}}"#).into_bytes();
    let body = Arc::new(body(&bytes));
    (bytes.into(), body)
}

fn peer() -> Peer {
    Peer {
        era: Era::Legacy,
        revision: Revision::V2025_11_25,
        identity: Some((*br#"{"name":"bench","version":"1"}"#).into()),
        capabilities: Some((*br#"{"tools":{}}"#).into()),
        instructions: None,
        supported: Vec::new(),
        greeting: None,
    }
}

fn body(bytes: &[u8]) -> Body {
    Body { content: pieces(bytes), ..Body::loose(bytes, None, 0) }
}

/// Moves the selection by a screen a frame, back to the top in between.
fn scroll(harness: &mut Harness<'static, App>, times: &mut Vec<f64>) {
    for frame in 0..FRAMES {
        harness.key_press(if frame % 20 == 0 { Key::Home } else { Key::PageDown });
        // A press is two events, and each event is a frame of its own.
        times.push(step(harness) / 2.0);
    }
}

/// Draws frames in which nobody presses anything.
fn frames(harness: &mut Harness<'static, App>, times: &mut Vec<f64>) {
    for _ in 0..FRAMES {
        times.push(step(harness));
    }
}

/// Milliseconds that one step takes.
fn step(harness: &mut Harness<'static, App>) -> f64 {
    let begun = Instant::now();
    harness.step();
    let shapes = harness.output().shapes.clone();
    std::hint::black_box(harness.ctx.tessellate(shapes, harness.ctx.pixels_per_point()));
    begun.elapsed().as_secs_f64() * 1000.0
}

/// Prints the median and the 95th percentile; returns the median.
fn tell(what: &str, times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    let (median, most) = (times[times.len() / 2], times[times.len() * 95 / 100]);
    println!("{what}: a frame takes {median:.2} ms in the middle, {most:.2} ms at the 95th percentile");
    median
}
