//! One line of a form.

/// Number of a field, stable while the form lives.
pub type FieldId = u32;

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
    /// `true` or `false`.
    Switch,
    /// One of these values, each with its label and JSON text.
    Choice(Vec<(String, String)>),
    /// Several of these values: labels and JSON texts.
    Choices(Vec<(String, String)>),
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
    /// One of several shapes, by label; the fields of the chosen one follow.
    Variant(Vec<String>),
    /// JSON text.
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
    /// What it is called: the member's name, `[0]`, or the `title` of a variant.
    pub name: String,
    /// `title`, where it says more than the name.
    pub title: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// Its type in a few words: `integer, 1 to 50`, `string or null`, `one of 3`, `object, $ref Filter`.
    pub caption: String,
    /// Whether the schema requires it.
    pub required: bool,
    /// Which states it can have, in the order in which they are offered.
    pub presences: Vec<Presence>,
    /// Which it has.
    pub presence: Presence,
    /// What it is edited with.
    pub control: Control,
    /// What is typed, exactly; for choices the JSON text that is chosen; empty for objects and arrays.
    pub text: String,
    /// For [`Control::Choices`]: which are chosen; for [`Control::Variant`]: the one.
    pub chosen: Vec<usize>,
    /// Whether the name can be edited (a member that was added).
    pub named: bool,
    /// Whether it can be taken away (an item, an added member).
    pub removable: bool,
    /// Whether what lies below it is hidden.
    pub folded: bool,
    /// What the schema has against it, in sentences.
    pub advice: Vec<String>,
}
