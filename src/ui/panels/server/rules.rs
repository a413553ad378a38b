//! The rules of a mock file, edited in place: the text of one rule or of the whole file, checked while it is typed, and
//! written back with all else as it was.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use eframe::egui::accesskit::Role;
use eframe::egui::{Align, Id, Layout, Panel, Rect, RichText, ScrollArea, Sense, Ui, WidgetInfo, vec2};

use crate::engine::view::ServerId;
use crate::mock::{self, Fault, Rule, RuleKind};
use crate::ui::desk::Desk;
use crate::ui::keys::Act;
use crate::ui::theme::{self, CORNER};
use crate::ui::widgets::button;
use crate::ui::widgets::cell;
use crate::ui::widgets::code::Code;
use crate::ui::words;
use crate::ui::worker::{Later, Worker};

/// Height of a row.
const ROW: f32 = 40.0;
/// Faults that are listed.
const MOST_FAULTS: usize = 30;

/// What is being edited.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    /// Its name: of a rule, or that of the file.
    name: String,
    /// Where it stands in the text that was read.
    range: Range<usize>,
    /// What is typed.
    text: String,
}

/// Rules and faults of a text.
type Parsed = (Vec<Rule>, Vec<Fault>);

/// The file as it was read.
#[derive(Debug)]
struct File {
    text: Arc<str>,
    rules: Vec<Rule>,
    faults: Vec<Fault>,
}

/// The state of the tab.
#[derive(Default)]
pub struct Rules {
    of: Option<(PathBuf, u64)>,
    file: Option<Result<File, String>>,
    /// A text that is being read.
    coming: Option<(Arc<str>, bool, Later<Parsed>)>,
    piece: Option<Piece>,
    /// What is wrong with what is typed, for the text that it was found in.
    checked: Option<(String, Later<Vec<Fault>>)>,
    worker: Worker,
    /// A line whose rule is to be shown.
    wanted: Option<u64>,
    /// What a write was refused for, or that it was done.
    said: Option<Result<String, String>>,
    writing: bool,
}

impl Rules {
    /// Shows the rule at this line as soon as the file is there.
    pub fn reveal(&mut self, line: u64) {
        self.wanted = Some(line);
    }

    /// Does what a key says.
    pub fn act(&mut self, _: &Ui, act: Act, desk: &mut Desk, id: ServerId) {
        let by = match act {
            Act::Down => 1,
            Act::Up => -1,
            Act::Call => return self.write(desk, id),
            _ => return,
        };
        let Some(Ok(file)) = &self.file else { return };
        let name = self.piece.as_ref().map(|piece| piece.range.clone());
        let at = file.rules.iter().position(|rule| Some(&rule.range) == name.as_ref());
        let next = at.map_or(Some(0), |at| at.checked_add_signed(by));
        if let Some(rule) = next.and_then(|next| file.rules.get(next)).cloned() {
            self.choose(&rule);
        }
    }

    /// Draws the tab in all the room there is.
    pub fn show(&mut self, ui: &mut Ui, desk: &mut Desk, id: ServerId) {
        let all = ui.available_rect_before_wrap();
        let palette = theme::palette(ui);
        ui.painter().rect_filled(all, 0.0, palette.bg0);
        self.follow(ui, desk, id);
        let plain = eframe::egui::Frame::NONE.fill(palette.bg1);
        let width = (all.width() * 0.32).clamp(200.0, 420.0);
        let panel = Panel::left("server-rules").default_size(width).size_range(160.0..=(all.width() * 0.6).max(161.0));
        panel.frame(plain).show(ui, |ui| self.list(ui, desk, id));
        eframe::egui::CentralPanel::no_frame().show(ui, |ui| self.editor(ui, desk, id));
    }

    /// Reads the file when it has changed, and takes in what was read.
    fn follow(&mut self, ui: &Ui, desk: &mut Desk, id: ServerId) {
        let Some(serving) = desk.stand.get(id) else { return };
        let Some(path) = serving.mock() else { return };
        let now = (path, serving.read);
        if self.of.as_ref() != Some(&now) {
            if self.of.as_ref().is_some_and(|(path, _)| *path != now.0) {
                self.piece = None;
                self.file = None;
                self.said = None;
            }
            desk.stand.read(&now.0);
            self.of = Some(now);
        }
        let Some((path, _)) = &self.of else { return };
        match desk.stand.take_file(path) {
            Some(Ok(text)) => {
                let written = std::mem::take(&mut self.writing);
                let source = Arc::clone(&text);
                let later = self.worker.start(ui.ctx(), move || parsed(&source)).unwrap_or(Later::Lost);
                self.coming = Some((text, written, later));
            }
            Some(Err(why)) if self.writing => {
                self.writing = false;
                self.said = Some(Err(format!("Failed to {why}.")));
            }
            Some(Err(why)) => self.file = Some(Err(why)),
            None => {}
        }
        self.arrive();
        self.seek();
    }

    /// Takes in a file that has been read.
    fn arrive(&mut self) {
        let Some((text, written, later)) = &mut self.coming else { return };
        let Some((rules, faults)) = later.get().map(std::mem::take) else { return };
        let (text, written) = (Arc::clone(text), *written);
        self.coming = None;
        let file = File { text, rules, faults };
        if written {
            self.said = Some(Ok("Written; the server reads it again by itself.".to_owned()));
        }
        // What is being typed stays; its place is found again by its name.
        if !matches!(&self.file, Some(Ok(old)) if old.text == file.text) {
            self.settle(&file, written);
        }
        self.file = Some(Ok(file));
    }

    /// Finds the piece that is edited in a file that was read anew.
    fn settle(&mut self, file: &File, written: bool) {
        let Some(piece) = &mut self.piece else { return };
        let place = file.rules.iter().find(|rule| rule.name == piece.name).map(|rule| rule.range.clone());
        let whole =
            piece.range == (0..self.file.as_ref().and_then(|it| it.as_ref().ok()).map_or(0, |it| it.text.len()));
        match place {
            Some(range) => {
                let edited = self
                    .file
                    .as_ref()
                    .and_then(|it| it.as_ref().ok())
                    .is_none_or(|old| old.text.get(piece.range.clone()).is_some_and(|was| was != piece.text));
                if written || !edited {
                    file.text.get(range.clone()).unwrap_or_default().clone_into(&mut piece.text);
                }
                piece.range = range;
            }
            None if whole => {
                if written {
                    piece.text = file.text.to_string();
                }
                piece.range = 0..file.text.len();
            }
            None => self.piece = None,
        }
    }

    fn seek(&mut self) {
        let Some(Ok(file)) = &self.file else { return };
        let Some(line) = self.wanted.take() else { return };
        let before = |rule: &&Rule| rule.line as u64 <= line;
        if let Some(rule) = file.rules.iter().rfind(before).cloned() {
            self.choose(&rule);
        }
    }

    fn choose(&mut self, rule: &Rule) {
        let Some(Ok(file)) = &self.file else { return };
        let text = file.text.get(rule.range.clone()).unwrap_or_default().to_owned();
        self.piece = Some(Piece { name: rule.name.clone(), range: rule.range.clone(), text });
        (self.checked, self.said) = (None, None);
    }

    fn list(&mut self, ui: &mut Ui, desk: &Desk, id: ServerId) {
        ui.set_min_size(ui.available_size());
        let palette = theme::palette(ui);
        let Some(serving) = desk.stand.get(id) else { return };
        ui.add_space(8.0);
        let (mut chosen, mut whole) = (None, false);
        ui.horizontal(|ui| {
            ui.add_space(10.0);
            whole = button::framed(ui, None, "Whole file", "Edit the whole file", false).clicked();
        });
        match &self.file {
            None => {
                ui.label(RichText::new("  Reading the file …").color(palette.dim));
            }
            Some(Err(why)) => {
                ui.label(RichText::new(format!("Failed to {}.", words::plain(why))).color(palette.err));
            }
            Some(Ok(file)) => {
                ScrollArea::vertical().id_salt("server-rules").auto_shrink([false, false]).show(ui, |ui| {
                    ui.spacing_mut().item_spacing.y = 0.0;
                    for rule in &file.rules {
                        let hits = serving.hits.get(&rule.name).copied().unwrap_or_default();
                        let current = self.piece.as_ref().is_some_and(|piece| piece.range == rule.range);
                        if row(ui, rule, hits, current) {
                            chosen = Some(rule.clone());
                        }
                    }
                });
            }
        }
        if whole && let Some(Ok(file)) = &self.file {
            let name = self.of.as_ref().map(|(path, _)| path.display().to_string()).unwrap_or_default();
            self.piece = Some(Piece { name, range: 0..file.text.len(), text: file.text.to_string() });
            (self.checked, self.said) = (None, None);
        }
        if let Some(rule) = chosen {
            self.choose(&rule);
        }
    }

    fn editor(&mut self, ui: &mut Ui, desk: &mut Desk, id: ServerId) {
        let palette = theme::palette(ui);
        let Some(Ok(file)) = &self.file else { return };
        let Some(piece) = &mut self.piece else {
            let rect = ui.available_rect_before_wrap();
            button::place(ui, rect.shrink(16.0), Layout::top_down(Align::Min), |ui| {
                let text = "Choose a rule to see what it says and to change it. What is written is served at once.";
                ui.label(RichText::new(text).color(palette.dim));
                faults(ui, &file.faults);
            });
            return;
        };
        let was = file.text.get(piece.range.clone()).unwrap_or_default();
        let edited = was != piece.text;
        let (mut write, mut revert) = (false, false);
        eframe::egui::Frame::NONE.inner_margin(16.0).show(ui, |ui| {
            ui.horizontal(|ui| {
                let name = RichText::new(words::plain(&piece.name)).font(theme::semibold(13.0)).color(palette.text);
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    ui.add_enabled_ui(edited, |ui| {
                        write = button::primary(ui, "Write", "Write the file").on_hover_text("Ctrl+Enter").clicked();
                        revert = button::framed(ui, None, "Revert", "Give up what was typed", false).clicked();
                    });
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                        ui.add(eframe::egui::Label::new(name).truncate());
                    });
                });
            });
            ui.add_space(4.0);
            let most = (ui.available_height() - 120.0).max(120.0);
            ScrollArea::vertical().id_salt("server-rule").max_height(most).auto_shrink([false, true]).show(ui, |ui| {
                let id = Id::unique("server-rule-text");
                let rows = 12;
                let label = "Text of the rule";
                let code = Code { id, label, rows, hint: "", json: false, fault: None, frame: None };
                code.show(ui, &mut piece.text);
            });
            if edited {
                let current = self.checked.as_ref().is_some_and(|(text, _)| *text == piece.text);
                if !current {
                    let (text, range, new) = (Arc::clone(&file.text), piece.range.clone(), piece.text.clone());
                    let check = move || mock::edit(&text, range, &new).err().unwrap_or_default();
                    let later = self.worker.start(ui.ctx(), check);
                    self.checked = later.map(|later| (piece.text.clone(), later));
                }
                if let Some(found) = self.checked.as_mut().and_then(|(_, later)| later.get()) {
                    faults(ui, found);
                }
            } else {
                faults(ui, &file.faults);
            }
            if let Some(said) = &self.said {
                let (text, colour) = match said {
                    Ok(text) => (text, palette.ok),
                    Err(text) => (text, palette.err),
                };
                ui.add_space(4.0);
                ui.label(RichText::new(words::plain(text)).font(theme::sans(12.0)).color(colour));
            }
        });
        if revert {
            was.clone_into(&mut piece.text);
        }
        if write {
            self.write(desk, id);
        }
    }

    /// Writes what was typed, where the file stays a mock.
    fn write(&mut self, desk: &mut Desk, id: ServerId) {
        let (Some(Ok(file)), Some(piece)) = (&self.file, &self.piece) else { return };
        let Some(path) = desk.stand.get(id).and_then(crate::ui::server::Serving::mock) else { return };
        match mock::edit(&file.text, piece.range.clone(), &piece.text) {
            Ok(text) => {
                let was = Arc::clone(&file.text);
                desk.stand.write(&path, was, text);
                self.writing = true;
                self.said = None;
            }
            Err(found) => {
                let first = found.first().map(ToString::to_string).unwrap_or_default();
                self.said = Some(Err(format!("Not written: {first}.")));
            }
        }
    }
}

/// What a text says; files that it names are taken for empty ones, since a frame reads none: the server says what is
/// wrong with them.
fn parsed(text: &str) -> Parsed {
    let read = mock::read_with(text, &|_| Ok(b"{}".to_vec()));
    (read.mock.map(|mock| mock.rules().to_vec()).unwrap_or_default(), read.faults)
}

fn faults(ui: &mut Ui, faults: &[Fault]) {
    let palette = theme::palette(ui);
    if faults.is_empty() {
        return;
    }
    ui.add_space(6.0);
    for fault in faults.iter().take(MOST_FAULTS) {
        let text = RichText::new(words::plain(&fault.to_string())).font(theme::sans(12.0)).color(palette.warn);
        ui.label(text);
    }
    if faults.len() > MOST_FAULTS {
        let more = format!("and {} more", faults.len() - MOST_FAULTS);
        ui.label(RichText::new(more).font(theme::sans(12.0)).color(palette.warn));
    }
}

/// One rule. Returns whether it was pressed.
fn row(ui: &mut Ui, rule: &Rule, hits: u64, current: bool) -> bool {
    let palette = theme::palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, current, words::plain(&rule.name)));
    if current {
        ui.painter().rect_filled(rect, 0.0, palette.accent_bg);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 0.0, palette.bg2);
    }
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, theme::hairline(palette));
    let first = Rect::from_min_max(rect.min + vec2(12.0, 2.0), rect.max - vec2(12.0, 18.0));
    cell::text(ui.painter(), first, &words::plain(&rule.name), theme::sans(13.0), palette.text, false);
    let answers = match hits {
        0 if rule.kind == RuleKind::Timer => "by itself".to_owned(),
        0 => "has not answered".to_owned(),
        _ => format!("answered {}", words::counted(hits, "time", "times")),
    };
    let text = format!("line {} · {answers}", rule.line);
    let second = Rect::from_min_max(rect.min + vec2(12.0, 20.0), rect.max - vec2(12.0, 3.0));
    cell::text(ui.painter(), second, &text, theme::sans(11.0), palette.dim, false);
    button::focus_ring(ui, &response, CORNER);
    response.clicked()
}
