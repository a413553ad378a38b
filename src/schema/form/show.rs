//! From the values of a form to its lines.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::item::{Body, Item, Place, Reading};
use super::{Form, LARGE, LONG, write};
use crate::schema::refs::push_step;
use crate::schema::shape::{Kind, Shape};
use crate::schema::{Control, Field, FieldId, Presence, Problem};

/// Strings that may be longer than this are edited in several lines, in characters.
const LINE: u64 = 200;

impl Form {
    /// Makes the lines anew, and checks the whole where it is not large.
    pub(super) fn show(&mut self) {
        self.lay_out();
        if self.items.len() <= LARGE {
            let text = self.text();
            if text.len() <= LONG {
                let found = self.schema.validator().map(|validator| validator.problems(text.as_bytes()));
                self.put(&found.unwrap_or_default());
            }
        }
    }

    /// Makes the lines anew with these problems.
    pub(super) fn advise(&mut self, problems: &[Problem]) {
        self.lay_out();
        self.put(problems);
    }

    /// Makes one line anew, after a change of nothing but its text.
    pub(super) fn patch(&mut self, id: FieldId) {
        self.version += 1;
        if self.items.len() <= LARGE {
            self.show();
            return;
        }
        let Some(at) = self.place(id) else { return };
        let (depth, pointer, name) = {
            let old = &self.fields[at];
            (old.depth, old.pointer.clone(), old.name.clone())
        };
        if let Some(field) = self.line(id, depth, &pointer, &name) {
            self.fields[at] = field;
        }
    }

    /// Shows the last child of a container of a large form, where no other line changes but the container's own.
    /// False where everything has to be made anew.
    pub(super) fn append(&mut self, id: FieldId, child: FieldId) -> bool {
        let Some(at) = self.place(id).filter(|_| self.items.len() > LARGE) else { return false };
        let (depth, mut pointer, name) = {
            let old = &self.fields[at];
            (old.depth, old.pointer.clone(), old.name.clone())
        };
        let Some(line) = self.line(id, depth, &pointer, &name) else { return false };
        let step = self.name(child).map_or_else(|| (line.children - 1).to_string(), |name| name.to_string());
        let label = if self.name(child).is_some() { step.clone() } else { format!("[{step}]") };
        push_step(&mut pointer, &step);
        let mut new = Vec::new();
        self.lines(child, depth + 1, &mut pointer, &label, &mut new);
        let end = self.fields[at + 1..].iter().position(|field| field.depth <= depth);
        let end = end.map_or(self.fields.len(), |end| at + 1 + end);
        self.fields[at] = line;
        self.fields.splice(end..end, new);
        self.index();
        self.version += 1;
        true
    }

    fn lay_out(&mut self) {
        let mut fields = Vec::new();
        let root = self.base;
        self.root = self.line(root, 0, "", "").unwrap_or_else(blank);
        if matches!(self.root.control, Control::Object { .. } | Control::Array { .. }) && self.is_container(root) {
            self.below(root, 0, &mut String::new(), &mut fields);
        } else {
            self.lines(root, 0, &mut String::new(), "", &mut fields);
        }
        self.fields = fields;
        self.index();
    }

    fn index(&mut self) {
        self.shown.clear();
        self.shown.resize(self.items.len(), u32::MAX);
        for (at, field) in self.fields.iter().enumerate() {
            self.shown[(field.id - self.base) as usize] = at as u32;
        }
    }

    fn lines(&self, id: FieldId, depth: u16, pointer: &mut String, name: &str, out: &mut Vec<Field>) {
        let Some(field) = self.line(id, depth, pointer, name) else { return };
        let open = !field.folded && field.presence == Presence::Value;
        out.push(field);
        if open {
            self.below(id, depth + 1, pointer, out);
        }
    }

    /// The lines of what a container holds, or of what a variant is.
    fn below(&self, id: FieldId, depth: u16, pointer: &mut String, out: &mut Vec<Field>) {
        let Some(item) = self.item(id) else { return };
        let length = pointer.len();
        match &item.body {
            Body::Object { children, .. } => {
                for child in children {
                    let name = self.name(*child).unwrap_or_default();
                    push_step(pointer, &name);
                    self.lines(*child, depth, pointer, &name, out);
                    pointer.truncate(length);
                }
            }
            Body::Array(items) => {
                for (at, child) in items.iter().enumerate() {
                    push_step(pointer, &at.to_string());
                    self.lines(*child, depth, pointer, &format!("[{at}]"), out);
                    pointer.truncate(length);
                }
            }
            Body::Union { chosen, inner } => {
                let Some(at) = *chosen else { return };
                let Some(inner) = inner.get(at).copied().flatten() else { return };
                if self.is_container(inner) {
                    self.below(inner, depth, pointer, out);
                } else if let Kind::Union(variants) = &item.shape.kind {
                    let label = variants.get(at).map_or("", |variant| &variant.label);
                    self.lines(inner, depth, pointer, label, out);
                }
            }
            _ => {}
        }
    }

    /// Whether what is shown of a value is only what it holds.
    fn is_container(&self, id: FieldId) -> bool {
        self.item(id).is_some_and(|item| {
            matches!(item.body, Body::Object { .. } | Body::Array(_)) && item.presence != Presence::Null
        })
    }

    fn line(&self, id: FieldId, depth: u16, pointer: &str, name: &str) -> Option<Field> {
        let item = self.item(id)?;
        let shape = &item.shape;
        let chosen = match &item.body {
            Body::Multi(chosen) => chosen.clone(),
            Body::Union { chosen, .. } => chosen.iter().copied().collect(),
            Body::Leaf(_, text) => chosen_value(shape, text),
            _ => Vec::new(),
        };
        let text = match &item.body {
            Body::Leaf(_, text) if item.presence != Presence::Empty => text.clone(),
            _ => String::new(),
        };
        let says_more = |title: &Arc<str>| !title.eq_ignore_ascii_case(&name.replace(['_', '-'], " "));
        let title = shape.title.clone().filter(says_more);
        Some(Field {
            id,
            depth,
            pointer: pointer.to_owned(),
            name: name.to_owned(),
            title: title.filter(|title| item.place != Place::Inner || **title != *name),
            description: shape.description.clone(),
            caption: Arc::clone(&shape.caption),
            required: item.required,
            presences: item.presences(),
            presence: item.presence,
            control: self.control(item),
            text,
            chosen,
            children: self.children(item),
            named: item.added && matches!(item.place, Place::Member(_)),
            removable: item.added,
            folded: item.folded,
            advice: self.local_advice(item, id),
        })
    }

    fn children(&self, item: &Item) -> usize {
        match &item.body {
            Body::Object { children, .. } => children.len(),
            Body::Array(items) => items.len(),
            Body::Union { chosen: Some(at), inner } => {
                let inner = inner.get(*at).copied().flatten().and_then(|inner| self.item(inner));
                inner.map_or(0, |inner| match &inner.body {
                    Body::Object { children, .. } => children.len(),
                    Body::Array(items) => items.len(),
                    _ => 1,
                })
            }
            _ => 0,
        }
    }

    fn control(&self, item: &Item) -> Control {
        match (&item.body, &item.shape.kind) {
            (Body::Leaf(Reading::Text, text), _) => text_control(&item.shape, text),
            (Body::Leaf(Reading::Number, _), _) => Control::Number,
            (Body::Leaf(Reading::Json, text), kind) => match kind {
                Kind::Bool if matches!(text.as_str(), "true" | "false" | "") => Control::Switch,
                Kind::Choice(choices) => Control::Choice(Arc::clone(choices)),
                Kind::Fixed(fixed) if text == fixed => Control::Fixed(fixed.clone()),
                _ => Control::Json,
            },
            (Body::Object { .. }, _) => Control::Object { open: item.is_open() },
            (Body::Array(_), _) => Control::Array { open: item.is_open() },
            (Body::Multi(_), Kind::Multi(choices)) => Control::Choices(Arc::clone(choices)),
            (Body::Union { chosen, inner }, Kind::Union(variants)) => {
                let inner = chosen.and_then(|at| inner.get(at).copied().flatten()).and_then(|inner| self.item(inner));
                Control::Variant {
                    labels: variants.iter().map(|variant| variant.label.clone()).collect(),
                    open: inner.is_some_and(Item::is_open),
                }
            }
            (_, kind) => unmade(kind, item),
        }
    }

    /// What can be said of a value without its schema being looked at as a whole.
    fn local_advice(&self, item: &Item, id: FieldId) -> Vec<String> {
        let mut advice = Vec::new();
        if let (Presence::Value, Body::Leaf(reading, text)) = (item.presence, &item.body) {
            advice.extend(write::remark(*reading, text));
        }
        if item.required && matches!(item.place, Place::Member(_)) && !self.is_sent(id) {
            advice.push("it is required, and is not sent".to_owned());
        }
        if item.shape.default.is_some() && self.default_of(&item.shape).is_none() && item.presence == Presence::Omit {
            advice.push("its default does not fit its type and is not filled in".to_owned());
        }
        advice
    }

    /// Puts problems where they belong: at the value, or at the nearest line above it that is shown.
    fn put(&mut self, problems: &[Problem]) {
        let places: HashMap<String, usize> =
            self.fields.iter().enumerate().map(|(at, field)| (field.pointer.clone(), at)).collect();
        for problem in problems {
            if let Some(at) = problem.missing.as_ref().and_then(|name| {
                let mut pointer = problem.pointer.clone();
                push_step(&mut pointer, name);
                places.get(&pointer)
            }) {
                let advice = &mut self.fields[*at].advice;
                if !advice.iter().any(|known| known.starts_with("it is required")) {
                    advice.push("it is required".to_owned());
                }
                continue;
            }
            let mut above = problem.pointer.as_str();
            let advice = loop {
                if let Some(&at) = places.get(above) {
                    break &mut self.fields[at].advice;
                }
                match above.rfind('/') {
                    Some(at) => above = &above[..at],
                    None => break &mut self.root.advice,
                }
            };
            let below = &problem.pointer[above.len()..];
            advice.push(if below.is_empty() {
                problem.message.clone()
            } else {
                format!("{below}: {}", problem.message)
            });
        }
    }

    /// Which places are folded and which are open, by pointer.
    pub(super) fn folds(&self) -> (HashSet<String>, HashSet<String>) {
        let (mut folded, mut open) = (HashSet::new(), HashSet::new());
        for field in self.fields.iter().filter(|field| field.children > 0) {
            let set = if field.folded { &mut folded } else { &mut open };
            set.insert(field.pointer.clone());
        }
        (folded, open)
    }

    /// Folds what was folded at the same place before.
    pub(super) fn refold(&mut self, (folded, open): &(HashSet<String>, HashSet<String>)) {
        if folded.is_empty() && open.is_empty() {
            return;
        }
        self.lay_out();
        let changes: Vec<(FieldId, bool)> = self
            .fields
            .iter()
            .filter(|field| field.children > 0)
            .filter_map(|field| {
                let fold = folded.contains(&field.pointer) || (field.folded && !open.contains(&field.pointer));
                (fold != field.folded).then_some((field.id, fold))
            })
            .collect();
        for (id, fold) in changes {
            self.item_mut(id).into_iter().for_each(|item| item.folded = fold);
        }
    }
}

fn chosen_value(shape: &Shape, text: &str) -> Vec<usize> {
    let Kind::Choice(choices) = &shape.kind else { return Vec::new() };
    choices.iter().position(|(_, choice)| choice == text).into_iter().collect()
}

fn text_control(shape: &Shape, text: &str) -> Control {
    let limits = &shape.limits;
    let long = limits.long || limits.lengths.most.is_some_and(|most| most > LINE) || text.contains('\n');
    if long { Control::Lines } else { Control::Text }
}

/// What a value is edited with that was never there.
fn unmade(kind: &Kind, item: &Item) -> Control {
    match kind {
        Kind::Any => Control::Json,
        Kind::Text => text_control(&item.shape, ""),
        Kind::Number => Control::Number,
        Kind::Bool => Control::Switch,
        Kind::Choice(choices) => Control::Choice(Arc::clone(choices)),
        Kind::Fixed(text) => Control::Fixed(text.clone()),
        Kind::Multi(choices) => Control::Choices(Arc::clone(choices)),
        Kind::Object(_) => Control::Object { open: item.is_open() },
        Kind::Array(_) => Control::Array { open: item.is_open() },
        Kind::Union(variants) => {
            Control::Variant { labels: variants.iter().map(|variant| variant.label.clone()).collect(), open: false }
        }
    }
}

/// A field of nothing.
pub(super) fn blank() -> Field {
    Field {
        id: 0,
        depth: 0,
        pointer: String::new(),
        name: String::new(),
        title: None,
        description: None,
        caption: "".into(),
        required: true,
        presences: vec![Presence::Value],
        presence: Presence::Value,
        control: Control::Json,
        text: String::new(),
        chosen: Vec::new(),
        children: 0,
        named: false,
        removable: false,
        folded: false,
        advice: Vec::new(),
    }
}
