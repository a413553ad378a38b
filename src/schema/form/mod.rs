//! The state of a form: what is typed, what is omitted, and the JSON that is sent. What is typed is the truth; the
//! JSON is made from it, and never the other way round except when an instance is taken over.

mod edit;
mod fill;
mod fit;
mod item;
mod make;
mod show;
mod write;

use std::sync::Arc;

use super::shape::{Part, Shape, Shapes};
use super::{Field, FieldId, Presence, Problem, Schema};
use crate::wire::{Json, Pretty};
use item::{Body, Item, Place};

/// A form with more values than this is neither checked nor shown anew with each letter.
const LARGE: usize = 2000;
/// JSON longer than this is not checked with each letter, in bytes.
const LONG: usize = 64 << 10;
/// How many values a form may have.
const MOST: usize = 2_000_000;
/// Containers with more children than this are folded at first.
const WIDE: usize = 200;

/// A form for one schema.
#[derive(Debug)]
pub struct Form {
    schema: Arc<Schema>,
    shapes: Shapes,
    /// The values; the number of a field less `base` is its place.
    items: Vec<Item>,
    base: FieldId,
    fields: Vec<Field>,
    /// Where in `fields` a value stands, by its place in `items`; beyond their end where it is not shown.
    shown: Vec<u32>,
    root: Field,
    version: u64,
    /// How many comparisons are left in the search for a variant.
    looks: usize,
}

impl Form {
    /// A form as it is shown first: defaults filled in, what is required present, what is optional omitted.
    pub fn new(schema: Arc<Schema>) -> Self {
        let mut form = Self {
            schema,
            shapes: Shapes::default(),
            items: Vec::new(),
            base: 0,
            fields: Vec::new(),
            shown: Vec::new(),
            root: show::blank(),
            version: 0,
            looks: 0,
        };
        let root = form.plant();
        form.make(root, 0);
        form.show();
        form
    }

    /// The schema.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// Takes over an instance. What the schema does not know is kept and shown too. All fields get new numbers;
    /// what was folded or open stays so.
    ///
    /// # Errors
    ///
    /// Why the text is not JSON; the form is then as before.
    pub fn fill(&mut self, json: &[u8]) -> Result<(), String> {
        let value = Json::of_frame(json).map_err(|fault| format!("byte {}: {}", fault.at, fault.what))?;
        if let Err(damage) = std::str::from_utf8(value.raw()) {
            return Err(format!("byte {}: the text is not UTF-8", damage.valid_up_to()));
        }
        let folds = self.folds();
        let root = self.plant();
        self.adopt(root, value, 0);
        self.refold(&folds);
        self.changed();
        Ok(())
    }

    /// The JSON that is sent, on one line. Members stand in the order of the schema, or in that of the instance
    /// that was taken over.
    pub fn text(&self) -> String {
        let mut out = String::new();
        self.write(self.base, &mut out);
        out
    }

    /// The JSON that is sent, laid out for reading.
    pub fn pretty(&self) -> String {
        let text = self.text();
        Pretty::of(text.as_bytes()).filter(|pretty| pretty.left_out == 0).map_or(text, |pretty| pretty.text)
    }

    /// The root itself. It is not among [`Form::fields`] where it is an object or an array, whose children are;
    /// its number serves to add to it.
    pub fn root(&self) -> &Field {
        &self.root
    }

    /// The lines of the form; what is folded is left out.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The line of this number, if it is shown.
    pub fn field(&self, id: FieldId) -> Option<&Field> {
        self.fields.get(self.place(id)?)
    }

    /// Counts up with each change.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Checks the whole against the schema and puts the problems where they belong. It is done with each change of
    /// a form that is not large.
    pub fn check(&mut self) {
        let problems = self.problems();
        self.advise(&problems);
        self.version += 1;
    }

    fn problems(&self) -> Vec<Problem> {
        let text = self.text();
        self.schema.validator().map(|validator| validator.problems(text.as_bytes())).unwrap_or_default()
    }

    /// Throws everything away and begins with a root that is not made yet.
    fn plant(&mut self) -> FieldId {
        self.base = self.base.checked_add(self.items.len() as FieldId).unwrap_or_default();
        self.items.clear();
        let key = vec![Part::Node(self.schema.tree().root())];
        let shape = self.shapes.of(&self.schema, &key);
        self.grow(Item { required: true, ..Item::new(None, Place::Root, shape) })
    }

    fn grow(&mut self, item: Item) -> FieldId {
        self.items.push(item);
        self.base + self.items.len() as FieldId - 1
    }

    fn item(&self, id: FieldId) -> Option<&Item> {
        self.items.get(id.checked_sub(self.base)? as usize)
    }

    fn item_mut(&mut self, id: FieldId) -> Option<&mut Item> {
        self.items.get_mut(id.checked_sub(self.base)? as usize)
    }

    /// Where in `fields` a field stands.
    fn place(&self, id: FieldId) -> Option<usize> {
        let at = *self.shown.get(id.checked_sub(self.base)? as usize)? as usize;
        (at < self.fields.len()).then_some(at)
    }

    fn shape(&self, id: FieldId) -> Option<Arc<Shape>> {
        self.item(id).map(|item| Arc::clone(&item.shape))
    }

    fn set(&mut self, id: FieldId, presence: Presence, body: Body) {
        if let Some(item) = self.item_mut(id) {
            item.presence = presence;
            item.body = body;
        }
    }

    /// After a change of what there is.
    fn changed(&mut self) {
        self.version += 1;
        self.show();
    }
}

#[cfg(test)]
mod tests;
