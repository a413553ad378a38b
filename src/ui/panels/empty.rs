//! What is shown where there is nothing to show: how to get something.

use eframe::egui::{Align, Layout, RichText, Ui, vec2};

use crate::ui::desk::Desk;
use crate::ui::icons::{self, Icon};
use crate::ui::theme::{self, CORNER};
use crate::ui::widgets::button;
use crate::ui::words;

/// A command that records a server without any setting up.
const FIRST: &str = "midwire tap -- npx -y @modelcontextprotocol/server-everything";

/// The entry of a host's configuration that puts midwire in between.
const HOST: &str = r#"{
  "mcpServers": {
    "everything": {
      "command": "midwire",
      "args": ["tap", "--name", "everything", "--", "npx", "-y",
               "@modelcontextprotocol/server-everything"]
    }
  }
}"#;

/// What the timeline lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lack {
    /// There is no recording at all.
    Recordings,
    /// A recording is being opened or read.
    Time,
    /// The recording could not be opened.
    Access,
    /// No recording is chosen.
    Choice,
    /// The recording has no entries.
    Entries,
    /// The filter hides everything.
    Match,
}

/// What is lacking, if anything is.
pub fn lack(desk: &Desk) -> Option<Lack> {
    let state = desk.state();
    match (&desk.opened, &desk.opening) {
        (_, None) if desk.failed.is_some() => Some(Lack::Access),
        (None, Some(_)) => Some(Lack::Time),
        (None, None) if desk.folder.is_none() => Some(Lack::Time),
        (None, None) if desk.recordings.is_empty() => Some(Lack::Recordings),
        (None, None) => Some(Lack::Choice),
        (Some(_), _) if state.matching > 0 => None,
        (Some(_), _) if state.version == 0 || state.read < state.entries => Some(Lack::Time),
        (Some(_), _) if !desk.filter.trim().is_empty() => Some(Lack::Match),
        (Some(_), _) => Some(Lack::Entries),
    }
}

/// What a person wishes who looks at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// To clear the filter.
    Clear,
    /// To tap an HTTP server.
    Tap,
}

/// Draws it in the middle. Returns what was wished.
pub fn show(ui: &mut Ui, desk: &Desk, lack: Lack) -> Option<Wish> {
    let all = ui.available_rect_before_wrap();
    ui.painter().rect_filled(all, 0.0, theme::palette(ui).bg0);
    let width = all.width().clamp(200.0, 640.0) - 32.0;
    let top = if lack == Lack::Recordings { 48.0 } else { all.height() * 0.32 };
    let place = eframe::egui::Rect::from_min_size(
        all.center_top() + vec2(-width / 2.0, top),
        vec2(width, (all.height() - top).max(40.0)),
    );
    let mut wish = None;
    let builder = eframe::egui::UiBuilder::new().max_rect(place).layout(Layout::top_down(Align::Min));
    ui.scope_builder(builder, |ui| match lack {
        Lack::Recordings => wish = first_recording(ui, desk),
        Lack::Time => say(ui, "Reading …", &progress(desk)),
        Lack::Access => refused(ui, desk),
        Lack::Choice => {
            say(ui, "No recording is open", "Choose one at the left, drop a .midwire file here, or press Ctrl+O.");
        }
        Lack::Entries if desk.latest().live => {
            say(
                ui,
                "Waiting for the first message",
                "The recorder runs. What the host and the server say appears here as they say it.",
            );
        }
        Lack::Entries => say(ui, "Nothing was recorded", "The recording ended before anything was said."),
        Lack::Match => {
            say(
                ui,
                "Nothing matches",
                &format!("The filter hides all {}.", words::counted(desk.state().total, "row", "rows")),
            );
            ui.add_space(8.0);
            let clear = button::framed(ui, Some(Icon::Cross), "Clear the filter", "Clear the filter", false);
            wish = clear.clicked().then_some(Wish::Clear);
        }
    });
    wish
}

fn progress(desk: &Desk) -> String {
    let state = desk.latest();
    if state.entries == 0 {
        return "The recording is being opened.".to_owned();
    }
    format!("{} of {}", words::count(state.read), words::counted(state.entries, "entry", "entries"))
}

fn say(ui: &mut Ui, title: &str, text: &str) {
    let palette = theme::palette(ui);
    ui.label(RichText::new(title).font(theme::semibold(15.0)).color(palette.text));
    ui.label(RichText::new(text).color(palette.dim));
}

fn refused(ui: &mut Ui, desk: &Desk) {
    let palette = theme::palette(ui);
    let Some((path, why)) = &desk.failed else { return };
    ui.label(RichText::new("This recording cannot be opened").font(theme::semibold(15.0)).color(palette.err));
    ui.label(RichText::new(path.display().to_string()).font(theme::mono()).color(palette.text));
    ui.label(RichText::new(words::plain(why)).color(palette.dim));
}

fn first_recording(ui: &mut Ui, desk: &Desk) -> Option<Wish> {
    let palette = theme::palette(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(40.0, 40.0), eframe::egui::Sense::hover());
    ui.painter().rect_filled(rect, CORNER, palette.accent_bg);
    icons::paint(ui.painter(), rect, Icon::Traffic, palette.accent);
    ui.add_space(8.0);
    say(ui, "Record a first server", "midwire sits between a host and an MCP server and shows every message, live.");
    ui.add_space(12.0);
    ui.label(
        RichText::new("Try it in a terminal: it waits for JSON-RPC lines and records what is said.").color(palette.dim),
    );
    snippet(ui, FIRST, "Copy the command");
    ui.add_space(12.0);
    ui.label(
        RichText::new("Or put it before a server's command in your host's configuration and restart the host:")
            .color(palette.dim),
    );
    snippet(ui, HOST, "Copy the configuration");
    ui.add_space(12.0);
    let about = "Or, for a server that is reached over HTTP, start a tap here and point the host at it:";
    ui.label(RichText::new(about).color(palette.dim));
    ui.add_space(2.0);
    let label = "Tap an HTTP server now";
    let tap = button::framed(ui, Some(Icon::Plus), "Tap an HTTP server …", label, false).clicked();
    ui.add_space(12.0);
    if let Some(folder) = &desk.folder {
        let text = format!("Recordings appear here as soon as they begin. They lie in {}", folder.display());
        ui.label(RichText::new(text).font(theme::sans(11.5)).color(palette.dim));
    }
    tap.then_some(Wish::Tap)
}

fn snippet(ui: &mut Ui, text: &str, label: &str) {
    let palette = theme::palette(ui);
    let frame = eframe::egui::Frame::new().fill(palette.bg1).stroke(theme::hairline(palette)).corner_radius(CORNER);
    frame.inner_margin(10.0).show(ui, |ui| {
        ui.horizontal_top(|ui| {
            let width = ui.available_width() - 34.0;
            ui.vertical(|ui| {
                ui.set_width(width);
                ui.label(RichText::new(text).font(theme::mono()).color(palette.text));
            });
            if button::icon_sized(ui, Icon::Copy, label, false, 24.0).clicked() {
                ui.ctx().copy_text(text.to_owned());
            }
        });
    });
}
