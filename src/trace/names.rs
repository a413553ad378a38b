//! Strings that occur again and again (methods, tools, URIs, outcomes), each kept once.

use std::collections::HashMap;
use std::sync::Arc;

/// The number of a string in [`Names`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Name(pub u32);

impl Name {
    /// The empty string: nothing to say.
    pub const NONE: Self = Self(0);

    /// Whether it is the empty string.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// The strings. Numbers are given out in order of first use and never change.
#[derive(Debug)]
pub struct Names {
    list: Vec<Arc<str>>,
    index: HashMap<Arc<str>, u32>,
}

/// When there are as many names, fleeting ones are no longer added; a row then reads its text from the
/// entry's bytes.
const MOST_FLEETING: usize = 100_000;

impl Names {
    /// Only the empty string.
    pub fn new() -> Self {
        let empty: Arc<str> = Arc::from("");
        Self { list: vec![Arc::clone(&empty)], index: HashMap::from([(empty, 0)]) }
    }

    /// The number of `text`, given out now if it is new.
    pub fn intern(&mut self, text: &str) -> Name {
        if let Some(&number) = self.index.get(text) {
            return Name(number);
        }
        let text: Arc<str> = Arc::from(text);
        let number = self.list.len() as u32;
        self.list.push(Arc::clone(&text));
        self.index.insert(text, number);
        Name(number)
    }

    /// The same for what differs each time, such as progress or targets with a session's id in them: when
    /// there are very many names already, a new one is not added, and [`Name::NONE`] stands for it.
    pub fn intern_fleeting(&mut self, text: &str) -> Name {
        if self.list.len() < MOST_FLEETING { self.intern(text) } else { self.find(text).unwrap_or(Name::NONE) }
    }

    /// A fleeting text made fit for one line of at most `most` characters.
    pub fn intern_line(&mut self, text: &str, most: usize) -> Name {
        // What is known was made fit before; so nothing is copied for what comes again and again.
        self.find(text).unwrap_or_else(|| self.intern_fleeting(&crate::mcp::one_line(text, most)))
    }

    /// The number of `text`, if it was seen.
    pub fn find(&self, text: &str) -> Option<Name> {
        self.index.get(text).map(|&number| Name(number))
    }

    /// The string of a number; the empty string for one that was never given out.
    pub fn text(&self, name: Name) -> &Arc<str> {
        self.list.get(name.0 as usize).unwrap_or(&self.list[0])
    }

    /// How many there are, the empty one included.
    pub fn count(&self) -> usize {
        self.list.len()
    }
}

impl Default for Names {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::{Name, Names};

    #[test]
    fn a_string_has_one_number() {
        let mut names = Names::new();
        let call = names.intern("tools/call");
        assert_eq!(names.intern("tools/call"), call);
        assert_eq!(&**names.text(call), "tools/call");
        assert_eq!(names.intern(""), Name::NONE);
        assert_eq!(names.find("tools/list"), None);
        assert_eq!(&**names.text(Name(99)), "");
    }

    #[test]
    fn what_differs_each_time_is_not_kept_for_ever() {
        let mut names = Names::new();
        let first = names.intern_line("/messages?session=0", 200);
        for number in 0..super::MOST_FLEETING + 10 {
            names.intern_line(&format!("/messages?session={number}"), 200);
        }
        assert_eq!(names.count(), super::MOST_FLEETING);
        assert_eq!(
            (names.intern_line("/other", 200), names.intern_line("/messages?session=0", 200)),
            (Name::NONE, first)
        );
        assert_ne!(names.intern("tools/call"), Name::NONE);
    }
}
