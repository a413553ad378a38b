//! One body in the detail: what is shown of it, and how it is folded, searched and scrolled.

use std::sync::Arc;

use eframe::egui::{Id, Rect, Response, Ui};

use super::content::Pieces;
use super::raw::Raw;
use crate::engine::view::{Body, Needle};
use crate::model::EntryKind;
use crate::ui::keys::Act;
use crate::ui::widgets::script::{JsonScript, TextScript};
use crate::ui::widgets::sheet::{Frame, Hits, Script, Sheet};
use crate::ui::widgets::tree::Tree;

/// Bytes of a body that is not JSON which Pretty shows; Raw shows all of it.
const TEXT: usize = 256 * 1024;

/// What Pretty shows of a body.
enum Shown {
    Json(JsonScript),
    Text(TextScript),
}

/// The tree of a body, which is made when it is first looked at.
enum Seen {
    NotYet,
    None,
    Tree(Tree),
}

/// A body and its sheet.
pub struct Part {
    /// The body.
    pub body: Arc<Body>,
    shown: Shown,
    /// The sheet.
    pub sheet: Sheet,
    /// What the search found.
    pub hits: Hits,
    whole: bool,
    raw: Option<Raw>,
    pieces: Option<Pieces>,
    tree: Seen,
}

impl Part {
    /// The content of a body, or the whole message.
    pub fn new(body: &Arc<Body>, whole: bool) -> Self {
        let shown = match JsonScript::new(body, whole) {
            Some(script) => Shown::Json(script),
            None => Shown::Text(TextScript::new(text(body))),
        };
        Self {
            body: Arc::clone(body),
            shown,
            sheet: Sheet::default(),
            hits: Hits::default(),
            whole,
            raw: None,
            pieces: None,
            tree: Seen::NotYet,
        }
    }

    /// Whether it shows this body in this way, so that folds and the caret can stay.
    pub fn shows(&self, body: &Arc<Body>, whole: bool) -> bool {
        let same = self.body.seq == body.seq && self.body.size == body.size && self.body.flags == body.flags;
        same && self.whole == whole
    }

    /// The script of the sheet.
    pub fn script(&self) -> &dyn Script {
        match &self.shown {
            Shown::Json(script) => script,
            Shown::Text(script) => script,
        }
    }

    /// The JSON script, where it is one.
    pub fn json(&self) -> Option<&JsonScript> {
        match &self.shown {
            Shown::Json(script) => Some(script),
            Shown::Text(_) => None,
        }
    }

    /// Height of the sheet.
    pub fn height(&mut self, ui: &Ui, width: f32) -> f64 {
        let Self { shown, sheet, .. } = self;
        sheet.height(ui, script(shown), width)
    }

    /// Draws the sheet.
    pub fn show(&mut self, ui: &mut Ui, id: Id, sides: (f32, f32), top: f64, clip: Rect, active: bool) -> Response {
        let Self { shown, sheet, hits, .. } = self;
        sheet.show(ui, script(shown), &Frame { id, sides, top, clip, active, hits })
    }

    /// Does something to the sheet with its script.
    pub fn with<R>(&mut self, act: impl FnOnce(&mut Sheet, &dyn Script) -> R) -> R {
        let Self { shown, sheet, .. } = self;
        act(sheet, script(shown))
    }

    /// Folds or unfolds at the caret, or all, as a key asks for.
    pub fn fold_by(&mut self, act: Act) {
        self.with(|sheet, script| match act {
            Act::Fold => sheet.fold_or_leave(script),
            Act::Unfold => sheet.unfold_or_enter(script),
            Act::FoldAll => sheet.fold_all(script),
            Act::UnfoldAll => sheet.unfold_all(),
            Act::Enter => sheet.toggle(script, sheet.caret),
            _ => {}
        });
    }

    /// The JSON pointer of the caret's line.
    pub fn path(&self) -> Option<String> {
        let script = self.json()?;
        Some(script.pretty().pointer(script.source(self.sheet.caret)))
    }

    /// The value of the caret's line, as sent; for text the line.
    pub fn value(&self) -> String {
        match &self.shown {
            Shown::Json(script) => script.pretty().value(script.source(self.sheet.caret)).to_owned(),
            Shown::Text(script) => script.line(self.sheet.caret).to_owned(),
        }
    }

    /// The bytes of the body as text, made when they are first looked at.
    pub fn raw(&mut self) -> &mut Raw {
        self.raw.get_or_insert_with(|| Raw::new(&self.body))
    }

    /// The tree of the body, made when it is first looked at; `None` when it is not JSON.
    pub fn tree(&mut self) -> Option<&mut Tree> {
        if matches!(self.tree, Seen::NotYet) {
            self.tree = Tree::new(&self.body).map_or(Seen::None, Seen::Tree);
        }
        match &mut self.tree {
            Seen::Tree(tree) => Some(tree),
            Seen::NotYet | Seen::None => None,
        }
    }

    /// The pieces of content in it.
    pub fn pieces(&mut self) -> &mut Pieces {
        self.pieces.get_or_insert_with(|| Pieces::new(&self.body))
    }

    /// The tree, where it was looked at.
    pub fn seen_tree(&self) -> Option<&Tree> {
        match &self.tree {
            Seen::Tree(tree) => Some(tree),
            Seen::NotYet | Seen::None => None,
        }
    }

    /// The text selected in the raw bytes.
    pub fn selected_raw(&self) -> Option<String> {
        self.raw.as_ref()?.selected()
    }

    /// Looks for a text.
    pub fn find(&mut self, needle: &Needle) {
        let script = script(&self.shown);
        let lines: Vec<usize> = match &self.shown {
            Shown::Json(json) => {
                let found = json.pretty().find_needle(needle);
                found.into_iter().filter_map(|line| json.own(line)).collect()
            }
            Shown::Text(text) => (0..text.count()).collect(),
        };
        let found = lines
            .into_iter()
            .flat_map(|line| needle.ranges(script.line(line)).map(move |range| (line, range)).collect::<Vec<_>>())
            .collect();
        self.hits = Hits { found, current: None };
    }
}

fn script(shown: &Shown) -> &dyn Script {
    match shown {
        Shown::Json(script) => script,
        Shown::Text(script) => script,
    }
}

fn text(body: &Body) -> String {
    let says = body.payload();
    let text = String::from_utf8_lossy(&says[..says.len().min(TEXT)]);
    if body.kind == EntryKind::Head {
        // The line ends of a head are shown by Raw.
        return text.replace("\r\n", "\n").trim_end().to_owned();
    }
    let text = text.strip_suffix('\n').unwrap_or(&text);
    text.strip_suffix('\r').unwrap_or(text).to_owned()
}
