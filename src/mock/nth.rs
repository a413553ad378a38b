//! Which of the times that a rule fits it answers.

use toml::de::DeValue;

use super::reader::Reader;
use super::source::{Value, number_of};

/// Which of the times that a rule fits it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Nth {
    from: u64,
    to: u64,
    every: u64,
}

impl Nth {
    /// Whether it answers this time, counting from 1.
    pub(super) const fn fits(self, count: u64) -> bool {
        count >= self.from && count <= self.to && count.is_multiple_of(self.every)
    }

    /// In words.
    pub(super) fn says(self) -> String {
        let range = match (self.from, self.to) {
            (1, u64::MAX) => String::new(),
            (from, u64::MAX) => format!("call {from} and later"),
            (from, to) if from == to => format!("call {from}"),
            (from, to) => format!("calls {from} to {to}"),
        };
        match self.every {
            1 => range,
            every => format!("{range}{}every {every}th call", if range.is_empty() { "" } else { ", " }),
        }
    }
}

impl Reader<'_> {
    /// `nth = 2`, `nth = "2.."`, `nth = "2..4"`, and `every = 3`.
    pub(super) fn nth(&mut self, nth: Option<&Value<'_>>, every: Option<u64>) -> Option<Nth> {
        let mut all = Nth { from: 1, to: u64::MAX, every: every.unwrap_or(1).max(1) };
        let Some(value) = nth else { return every.is_some().then_some(all) };
        let text = match value.get_ref() {
            DeValue::String(text) => text.clone().into_owned(),
            _ => number_of(value).unwrap_or_default(),
        };
        let (from, to) = text.split_once("..").unwrap_or((&text, &text));
        let read = |text: &str, open: u64| if text.is_empty() { Some(open) } else { text.trim().parse().ok() };
        match (read(from, 1), read(to, u64::MAX)) {
            (Some(from), Some(to)) if !text.is_empty() && from >= 1 && to >= from => {
                (all.from, all.to) = (from, to);
                Some(all)
            }
            _ => {
                self.fault(
                    value.span().start,
                    "`nth` is a number from 1, or a text such as \"2..\", \"..3\", \"2..4\"",
                );
                None
            }
        }
    }
}
