//! JSON laid out in lines for reading, every number and key exactly as sent.

/// JSON text laid out in lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pretty {
    /// The laid-out text.
    pub text: String,
    /// Its lines.
    pub lines: Vec<PrettyLine>,
}

/// One line of the layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrettyLine {
    /// Where it begins in the text.
    pub start: usize,
    /// Where it ends, line end excluded.
    pub end: usize,
    /// How deep it is nested.
    pub depth: u32,
    /// The index of the line that closes the container which this line opens.
    pub fold: Option<u32>,
}
