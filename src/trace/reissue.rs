//! Requests that were lost with their stream and are sent again under a new id (2026-07-28, HM-022).
//! Linked only when it is certain which one: the same client, method and params, after the end, and
//! just one that it can be.

use std::collections::{HashMap, VecDeque};

use super::record::Heard;
use super::remark::Remark;
use super::scope::Scope;
use super::{Name, OperationKind, Part, Trace};
use crate::model::{Era, Side};

/// Requests whose stream broke off.
#[derive(Debug, Default)]
pub(super) struct Broken {
    by: HashMap<Key, Vec<u32>>,
    order: VecDeque<(Key, u32)>,
}

/// Client, method, and the hash of its params without `_meta`.
type Key = (Scope, Name, u64);

/// The most that are remembered.
const MOST: usize = 1024;

impl Broken {
    fn put(&mut self, key: Key, exchange: u32) {
        self.by.entry(key).or_default().push(exchange);
        self.order.push_back((key, exchange));
        if self.order.len() > MOST
            && let Some((key, oldest)) = self.order.pop_front()
            && let Some(list) = self.by.get_mut(&key)
        {
            list.retain(|one| *one != oldest);
            if list.is_empty() {
                self.by.remove(&key);
            }
        }
    }

    /// The one that there is; with several nobody can tell.
    fn take(&mut self, key: &Key) -> Option<u32> {
        let [exchange] = self.by.remove(key)?[..] else { return None };
        Some(exchange)
    }
}

impl Trace {
    /// The stream of a modern request broke off before its answer.
    pub(super) fn broke_off(&mut self, exchange: u32) {
        let this = &self.exchanges[exchange as usize];
        let group = self.channels.get(this.channel).group();
        if let Some(params) = self.https.of(this.channel).and_then(|http| http.params) {
            self.broken.put((group, this.method, params), exchange);
        }
    }

    /// Links a modern request to the one that it repeats, and remembers what it asks.
    pub(super) fn repeats(&mut self, heard: &Heard<'_>, params: u64, exchange: u32) {
        let this = &self.exchanges[exchange as usize];
        if heard.side != Side::Client || !heard.chan.is_http() || this.era != Some(Era::Modern) {
            return;
        }
        let key = (heard.chan.group(), this.method, params);
        if let Some((_, http)) = self.https.talk(heard.chan.id) {
            http.params = Some(key.2);
        }
        if self.broken.by.is_empty() {
            return;
        }
        let Some(before) = self.broken.take(&key) else { return };
        let operation = |one: u32| self.exchanges[one as usize].operation;
        let is_chain = operation(before).is_none_or(|of| self.operations[of as usize].kind == OperationKind::Reissue);
        if !is_chain || operation(exchange).is_some() {
            return;
        }
        if self.exchanges[before as usize].id == self.exchanges[exchange as usize].id {
            self.remark(exchange, Remark::ReissuedSameId(self.began(before)));
        }
        self.link(before, exchange, OperationKind::Reissue, Part::Reissued);
    }
}
