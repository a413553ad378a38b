//! One line of a form: what it shows of the schema, and what is typed in it. Long texts are shared, because an
//! array may have a hundred thousand lines that say the same.

use std::sync::Arc;

/// Number of a field, stable while the form lives.
pub type FieldId = u32;

/// What can be chosen: each with its label and its JSON text.
pub type Choices = Arc<[(String, String)]>;

/// Whether and how a member is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Presence {
    /// It is not there.
    Omit,
    /// `null`.
    Null,
    /// The empty value of its type: `""`, `[]`, `{}`.
    Empty,
    /// What is typed.
    Value,
}

/// What a field is edited with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Control {
    /// One line of text, which is the string.
    Text,
    /// Several lines of text, which are the string.
    Lines,
    /// One line, which is a number where it reads as one, and is sent as a string where it does not.
    Number,
    /// `true` or `false`; [`Field::text`] is that word.
    Switch,
    /// One of these values.
    Choice(Choices),
    /// Several of these values.
    Choices(Choices),
    /// Its members follow as fields, one level deeper.
    Object {
        /// Whether members of any name can be added.
        open: bool,
    },
    /// Its items follow as fields, one level deeper.
    Array {
        /// Whether items can be added and taken away.
        open: bool,
    },
    /// One of several shapes; of the chosen one the members or items follow, one level deeper, or one field for
    /// all else.
    Variant {
        /// What the shapes are called.
        labels: Arc<[String]>,
        /// Whether members or items can be added to the chosen one, by the number of this field.
        open: bool,
    },
    /// JSON text, perhaps of several lines; what does not read as JSON is sent as a string.
    Json,
    /// A value that cannot be otherwise, as JSON text.
    Fixed(String),
}

/// One line of a form, in the order in which they are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its number.
    pub id: FieldId,
    /// How deep it lies: 0 for the members of the root.
    pub depth: u16,
    /// Where its value is, as a JSON pointer.
    pub pointer: String,
    /// What it is called: the member's name, `[0]`, or the label of a variant; empty for the root.
    pub name: String,
    /// `title`, where it says more than the name.
    pub title: Option<Arc<str>>,
    /// `description`.
    pub description: Option<Arc<str>>,
    /// Its type in a few words: `integer, 1 to 50`, `string or null`, `one of 3`, `object, $ref Filter`.
    pub caption: Arc<str>,
    /// Whether the schema requires it.
    pub required: bool,
    /// Which states it can have, in the order in which they are offered; one alone needs no control.
    pub presences: Vec<Presence>,
    /// Which it has.
    pub presence: Presence,
    /// What it is edited with.
    pub control: Control,
    /// What is typed, exactly; for choices the JSON text that is chosen; empty for objects and arrays, and while it
    /// is [`Presence::Empty`]. Where the field is omitted or null it is what was typed before, and typing makes it a
    /// value again.
    pub text: String,
    /// For [`Control::Choice`] and [`Control::Variant`]: the one, if any; for [`Control::Choices`]: which are
    /// chosen, in their order.
    pub chosen: Vec<usize>,
    /// How many members or items it has; 0 for leaves.
    pub children: usize,
    /// Whether the name can be edited (a member that was added).
    pub named: bool,
    /// Whether it can be taken away (an item, an added member).
    pub removable: bool,
    /// Whether what lies below it is hidden.
    pub folded: bool,
    /// What the schema has against it, in sentences.
    pub advice: Vec<String>,
}
