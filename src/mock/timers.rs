//! What a mock server does by itself, after a time or ever again.

use super::keys::TIMER;
use super::reader::{Reader, Table};
use super::{Content, RuleKind};
use crate::model::Nanos;
use crate::peer::server::{Kind, Order, Text};

/// The shortest time between two turns of a timer.
const SHORTEST: Nanos = 10_000_000;

/// A timer.
#[derive(Debug, Clone)]
pub(super) struct Timer {
    /// When it first happens, counted from when serving began.
    pub(super) first: Nanos,
    /// How long after that it happens again.
    pub(super) every: Option<Nanos>,
    /// How often it happens; `None`: without end.
    pub(super) times: Option<u64>,
    pub(super) effect: Effect,
}

/// What happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Effect {
    /// This is ordered.
    Order(Order),
    /// An item comes, or goes.
    List {
        /// It comes.
        shown: bool,
        /// Its list.
        kind: Kind,
        /// Its name or URI.
        name: String,
    },
}

impl Reader<'_> {
    /// The timers.
    pub(super) fn timers(&mut self, file: &Table<'_, '_>, into: &mut Content) {
        for (index, table) in self.tables(file, "timer", TIMER).iter().enumerate() {
            let name = self.text(table, "name").unwrap_or_else(|| format!("timer {}", index + 1));
            let (after, every) = (self.time(table, "after"), self.time(table, "every"));
            let times = self.count(table, "times");
            if after.is_none() && every.is_none() {
                self.fault(table.at(), "a timer needs `after`, `every` or both");
                continue;
            }
            let every = every.map(|every| every.max(SHORTEST));
            let Some(effect) = self.effect(table) else { continue };
            self.rule_of(table.value, name, RuleKind::Timer, into);
            let first = after.or(every).unwrap_or_default();
            into.timers.push(Timer { first, every, times, effect });
        }
    }

    fn effect(&mut self, table: &Table<'_, '_>) -> Option<Effect> {
        let does = ["changed", "updated", "notify", "add", "remove", "raw", "end-listening"];
        let said: Vec<&str> = does.into_iter().filter(|key| table.get(key).is_some()).collect();
        let &[does] = said.as_slice() else {
            self.fault(table.at(), format!("a timer does one thing: one of {}", does.join(", ")));
            return None;
        };
        Some(match does {
            "changed" => Effect::Order(Order::Changed(self.kind(table, does)?)),
            "updated" => Effect::Order(Order::Updated(self.text(table, does)?)),
            "notify" => {
                let params = self.filled_object(table, "params").map(|params| match params {
                    Text::Fixed(bytes) | Text::Template(bytes) => bytes,
                });
                Effect::Order(Order::Notify(None, self.text(table, does)?, params))
            }
            "raw" => Effect::Order(Order::Raw(None, self.text(table, does)?.into_bytes().into())),
            "end-listening" => Effect::Order(Order::EndListening),
            _ => {
                let (kind, name) = self.item_named(table, does)?;
                Effect::List { shown: does == "add", kind, name }
            }
        })
    }
}
