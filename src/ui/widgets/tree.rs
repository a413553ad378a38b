//! JSON as a tree of values that open one by one. A value is read when it is opened, so a body of any
//! size or depth costs no more than what is looked at.

use std::ops::Range;
use std::sync::Arc;

use eframe::egui::accesskit::Role;
use eframe::egui::{Id, Rect, Response, Sense, Ui, WidgetInfo, pos2, vec2};

use super::cell::Cell;
use super::sheet::Ink;
use crate::engine::view::{Body, Json, JsonKind};
use crate::ui::icons::{self, Icon};
use crate::ui::theme;
use crate::ui::words;

/// Height of a row.
pub const ROW: f32 = 20.0;
/// How far a level is set in.
const INDENT: f32 = 16.0;
/// Levels beyond which nothing is set in further.
const DEEPEST: usize = 24;
/// Bytes of a value that are drawn; the rest would not fit on any screen.
const DRAWN: usize = 600;
/// A body up to this size is opened two levels deep from the start.
const SMALL: usize = 64 * 1024;

/// What a value is called where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Name {
    Root,
    Member(Range<usize>),
    Item(u32),
}

#[derive(Debug, Clone)]
struct Node {
    name: Name,
    value: Range<usize>,
    depth: usize,
    kind: JsonKind,
    children: u32,
    open: bool,
}

/// The tree of a body.
#[derive(Debug)]
pub struct Tree {
    body: Arc<Body>,
    nodes: Vec<Node>,
    /// The row that the keyboard acts on.
    pub caret: usize,
}

impl Tree {
    /// The tree of a body; `None` when it is not JSON.
    pub fn new(body: &Arc<Body>) -> Option<Self> {
        let bytes = &body.bytes;
        let start = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        let json = Json::parse(&bytes[start..]).ok()?;
        let root = node(bytes, Name::Root, &json, 0);
        let mut tree = Self { body: Arc::clone(body), nodes: vec![root], caret: 0 };
        tree.open(0);
        if bytes.len() <= SMALL {
            for index in (1..tree.nodes.len()).rev() {
                tree.open(index);
            }
        }
        Some(tree)
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.nodes.len()
    }

    fn open(&mut self, index: usize) {
        let Some(parent) = self.nodes.get_mut(index).filter(|node| !node.open && node.children > 0) else { return };
        parent.open = true;
        let depth = parent.depth + 1;
        let bytes = &self.body.bytes;
        let Ok(json) = Json::parse(&bytes[parent.value.clone()]) else { return };
        let children: Vec<Node> = if parent.kind == JsonKind::Object {
            json.members()
                .map(|(name, value)| node(bytes, Name::Member(span(bytes, name.raw())), &value, depth))
                .collect()
        } else {
            (0..).zip(json.items()).map(|(index, value)| node(bytes, Name::Item(index), &value, depth)).collect()
        };
        let behind = self.nodes.split_off(index + 1);
        self.nodes.extend(children);
        self.nodes.extend(behind);
    }

    fn close(&mut self, index: usize) {
        let Some(parent) = self.nodes.get_mut(index).filter(|node| node.open) else { return };
        parent.open = false;
        let depth = parent.depth;
        let inside = self.nodes[index + 1..].iter().take_while(|node| node.depth > depth).count();
        self.nodes.drain(index + 1..index + 1 + inside);
    }

    /// Opens a value or closes it.
    pub fn toggle(&mut self, index: usize) {
        if self.nodes.get(index).is_some_and(|node| node.open) { self.close(index) } else { self.open(index) }
    }

    /// Opens at the caret, or goes in.
    pub fn enter(&mut self) {
        let Some(node) = self.nodes.get(self.caret) else { return };
        if node.open {
            self.step(1);
        } else {
            self.open(self.caret);
        }
    }

    /// Closes at the caret, or goes to what it is in.
    pub fn leave(&mut self) {
        if self.nodes.get(self.caret).is_some_and(|node| node.open) {
            self.close(self.caret);
        } else if let Some(parent) = self.parent(self.caret) {
            self.caret = parent;
        }
    }

    /// Closes all but the outermost.
    pub fn close_all(&mut self) {
        self.caret = 0;
        self.close(0);
        self.open(0);
    }

    fn parent(&self, index: usize) -> Option<usize> {
        let depth = self.nodes.get(index)?.depth;
        (0..index).rev().find(|above| self.nodes[*above].depth < depth)
    }

    /// Moves the caret. Returns whether it moved.
    pub fn step(&mut self, by: isize) -> bool {
        let before = self.caret;
        self.caret = self.caret.saturating_add_signed(by).min(self.nodes.len().saturating_sub(1));
        self.caret != before
    }

    /// The value at the caret, byte for byte.
    pub fn value(&self) -> String {
        let bytes = self.nodes.get(self.caret).map_or(&[][..], |node| &self.body.bytes[node.value.clone()]);
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// The JSON pointer of the value at the caret.
    pub fn path(&self) -> String {
        let mut steps = Vec::new();
        let mut at = Some(self.caret);
        while let Some(index) = at {
            match &self.nodes[index].name {
                Name::Root => {}
                Name::Item(item) => steps.push(item.to_string()),
                Name::Member(name) => {
                    let name = Json::parse(&self.body.bytes[name.clone()]).ok();
                    let name = name.and_then(|name| name.text().map(std::borrow::Cow::into_owned)).unwrap_or_default();
                    steps.push(name.replace('~', "~0").replace('/', "~1"));
                }
            }
            at = self.parent(index);
        }
        steps.iter().rev().fold(String::new(), |path, step| path + "/" + step)
    }

    /// Draws the rows in view. The answer is that of the whole area, so that a menu can be hung on it.
    pub fn show(&mut self, ui: &mut Ui, id: Id, sides: (f32, f32), top: f64, clip: Rect, active: bool) -> Response {
        let bottom = top + self.nodes.len() as f64 * f64::from(ROW);
        let area = Rect::from_min_max(
            pos2(sides.0, top.max(f64::from(clip.top())) as f32),
            pos2(sides.1, bottom.min(f64::from(clip.bottom())) as f32),
        );
        let response = ui.interact(area, id, Sense::CLICK);
        let first = ((f64::from(clip.top()) - top) / f64::from(ROW)).floor().max(0.0) as usize;
        let last = ((f64::from(clip.bottom()) - top) / f64::from(ROW)).ceil().max(0.0) as usize;
        for index in first..last.min(self.nodes.len()) {
            let y = (top + index as f64 * f64::from(ROW)) as f32;
            let rect = Rect::from_min_max(pos2(sides.0, y), pos2(sides.1, y + ROW));
            self.row(ui, id, index, rect, active);
        }
        if let Some(pointer) =
            response.interact_pointer_pos().filter(|_| response.clicked() || response.secondary_clicked())
        {
            let index = ((f64::from(pointer.y) - top) / f64::from(ROW)).max(0.0) as usize;
            self.caret = index.min(self.nodes.len().saturating_sub(1));
            if response.clicked() {
                self.toggle(self.caret);
            }
        }
        response
    }

    fn row(&self, ui: &Ui, id: Id, index: usize, rect: Rect, active: bool) {
        let palette = theme::palette(ui);
        let node = &self.nodes[index];
        let bytes = &self.body.bytes;
        if active && index == self.caret {
            ui.painter().rect_filled(rect, theme::CORNER_SMALL, palette.bg2);
        }
        let left = rect.left() + 8.0 + INDENT * node.depth.min(DEEPEST) as f32;
        for level in 1..=node.depth.min(DEEPEST) {
            let x = rect.left() + 16.0 + INDENT * (level - 1) as f32;
            ui.painter().vline(x, rect.y_range(), theme::hairline(palette));
        }
        if node.children > 0 {
            let mark = Rect::from_min_size(pos2(left, rect.top()), vec2(16.0, ROW));
            icons::paint(ui.painter(), mark, if node.open { Icon::Down } else { Icon::Right }, palette.dim);
        }
        let name = match &node.name {
            Name::Root => String::new(),
            Name::Item(item) => item.to_string(),
            Name::Member(name) => shown(&bytes[name.clone()]),
        };
        let ink = if matches!(node.name, Name::Item(_)) { Ink::Dim } else { Ink::Key };
        let (value, value_ink) = self.value_of(node);
        let label = format!("{name} {value}");
        let row = ui.interact(rect, id.with(index), Sense::hover());
        row.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
        let mut cell = Cell::new();
        if !name.is_empty() {
            cell = cell.add(&name, theme::mono(), ink.colour(palette)).add("  ", theme::mono(), palette.dim);
        }
        let place = Rect::from_min_max(pos2(left + 18.0, rect.top()), pos2(rect.right() - 4.0, rect.bottom()));
        if cell.add(&value, theme::mono(), value_ink.colour(palette)).paint(ui.painter(), place, false) {
            row.on_hover_ui_at_pointer(|ui| {
                ui.set_max_width(520.0);
                ui.label(eframe::egui::RichText::new(&label).font(theme::mono()));
            });
        }
    }

    fn value_of(&self, node: &Node) -> (String, Ink) {
        let count = u64::from(node.children);
        match node.kind {
            JsonKind::Object => (format!("{{ {} }}", words::counted(count, "member", "members")), Ink::Dim),
            JsonKind::Array => (format!("[ {} ]", words::counted(count, "item", "items")), Ink::Dim),
            kind => {
                let ink = match kind {
                    JsonKind::String => Ink::String,
                    JsonKind::Number => Ink::Number,
                    _ => Ink::Literal,
                };
                (shown(&self.body.bytes[node.value.clone()]), ink)
            }
        }
    }
}

fn node(bytes: &[u8], name: Name, json: &Json<'_>, depth: usize) -> Node {
    let children = match json.kind() {
        JsonKind::Object => json.members().count(),
        JsonKind::Array => json.items().count(),
        _ => 0,
    };
    Node { name, value: span(bytes, json.raw()), depth, kind: json.kind(), children: children as u32, open: false }
}

/// Where a part of `bytes` lies in it.
fn span(bytes: &[u8], part: &[u8]) -> Range<usize> {
    let start = part.as_ptr() as usize - bytes.as_ptr() as usize;
    start..start + part.len()
}

/// The text of a scalar, cut to what is drawn.
fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(DRAWN)]);
    let text = words::plain(&text);
    if bytes.len() > DRAWN { format!("{text}…  {}", words::size(bytes.len() as u64)) } else { text.into_owned() }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::Tree;
    use crate::engine::view::Body;
    use crate::model::{EntryKind, Flags};

    fn tree(text: &str) -> Tree {
        let body = Body {
            seq: 1,
            kind: EntryKind::Frame,
            side: None,
            at: 0,
            until: 0,
            flags: Flags::default(),
            size: text.len() as u64,
            bytes: text.as_bytes().to_vec(),
            data: None,
            pretty: None,
            content: Vec::new(),
        };
        Tree::new(&Arc::new(body)).expect("JSON")
    }

    #[test]
    fn values_keep_their_text_and_paths_are_pointers() {
        let mut tree = tree(r#"{"a/b":{"~x":[1.0, 1e400 ,{"deep":true}]},"a/b":2}"#);
        let mut seen = Vec::new();
        for index in 0.. {
            if index >= tree.rows() {
                break;
            }
            tree.caret = index;
            if !tree.nodes[index].open {
                tree.enter();
            }
            seen.push((tree.path(), tree.value()));
        }
        let texts: Vec<(&str, &str)> = seen.iter().map(|(path, value)| (path.as_str(), value.as_str())).collect();
        assert_eq!(texts[2], ("/a~1b/~0x", r#"[1.0, 1e400 ,{"deep":true}]"#));
        assert_eq!(texts[4], ("/a~1b/~0x/1", "1e400"));
        assert_eq!(texts.last(), Some(&("/a~1b", "2")), "a duplicate key is shown as well");
    }

    #[test]
    fn closing_takes_everything_inside_and_depth_does_not_matter() {
        let depth = 20_000;
        let mut tree = tree(&format!("{}1{}", "[".repeat(depth), "]".repeat(depth)));
        for index in 0..200 {
            tree.caret = index;
            tree.enter();
        }
        assert!(tree.rows() > 100);
        tree.caret = 0;
        tree.leave();
        assert_eq!(tree.rows(), 1);
        tree.close_all();
        assert_eq!(tree.rows(), 2);
    }
}
