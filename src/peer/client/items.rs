//! The items of a list, page by page. A list is told anew with each page, so the pages are shared rather than
//! copied: a list of a thousand pages costs a thousand pointers each time, not its items.

use std::sync::Arc;

use super::Bytes;

/// One item of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The item as JSON text, as sent.
    pub json: Bytes,
    /// What it is called by: the tool's or prompt's `name`, the resource's `uri`, `uriTemplate`, `taskId`; empty where
    /// it has none.
    pub key: String,
    /// What to show: `title`, else `annotations.title`, else `name`, else the key.
    pub title: String,
    /// What is wrong with it; it stays usable as far as that goes. Empty for most.
    pub faults: Vec<String>,
}

/// The items of all pages of a list, in the order in which they came. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Items {
    pages: Vec<Page>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Page {
    /// How many items come before this page.
    before: usize,
    items: Arc<[Item]>,
}

impl Items {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.pages.last().map_or(0, |page| page.before + page.items.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The item at this place, counting from 0.
    pub fn get(&self, index: usize) -> Option<&Item> {
        let after = self.pages.partition_point(|page| page.before <= index);
        let page = self.pages.get(after.checked_sub(1)?)?;
        page.items.get(index - page.before)
    }

    /// The items in order.
    pub fn iter(&self) -> impl Iterator<Item = &Item> {
        self.pages.iter().flat_map(|page| page.items.iter())
    }

    /// The first item that is called by this key.
    pub fn find(&self, key: &str) -> Option<&Item> {
        self.iter().find(|item| item.key == key)
    }

    /// Adds a page. One without items leaves no trace.
    pub fn push(&mut self, page: Vec<Item>) {
        if !page.is_empty() {
            self.pages.push(Page { before: self.len(), items: page.into() });
        }
    }
}

impl FromIterator<Item> for Items {
    fn from_iter<I: IntoIterator<Item = Item>>(items: I) -> Self {
        let mut all = Self::default();
        all.push(items.into_iter().collect());
        all
    }
}

#[cfg(test)]
mod tests {
    use super::{Item, Items};

    fn item(key: &str) -> Item {
        Item { json: (*b"{}").into(), key: key.to_owned(), title: key.to_owned(), faults: Vec::new() }
    }

    #[test]
    fn pages_read_as_one_list() {
        let mut items = Items::default();
        assert!(items.is_empty() && items.get(0).is_none());
        items.push(vec![item("a"), item("b")]);
        items.push(Vec::new());
        items.push(vec![item("c")]);
        let keys: Vec<_> = (0..4).map(|index| items.get(index).map(|item| item.key.as_str())).collect();
        assert_eq!(keys, [Some("a"), Some("b"), Some("c"), None]);
        assert_eq!((items.len(), items.iter().count()), (3, 3));
        assert!(items.find("c").is_some() && items.find("d").is_none());
    }
}
