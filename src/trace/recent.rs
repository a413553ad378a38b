//! A map that holds so many and forgets the oldest: what servers give out new ones of for ever.

use std::collections::VecDeque;
use std::hash::Hash;

use super::scope::QuickMap;

/// A map that forgets the oldest when it is full.
#[derive(Debug)]
pub(super) struct Recent<K, V> {
    map: QuickMap<K, V>,
    order: VecDeque<K>,
}

impl<K, V> Default for Recent<K, V> {
    fn default() -> Self {
        Self { map: QuickMap::default(), order: VecDeque::new() }
    }
}

impl<K: Hash + Eq + Copy, V> Recent<K, V> {
    /// Adds a value, or replaces the one that its key has. `most` are kept.
    pub(super) fn put(&mut self, key: K, value: V, most: usize) {
        if self.map.insert(key, value).is_none() {
            self.order.push_back(key);
        }
        if self.order.len() > most
            && let Some(oldest) = self.order.pop_front()
        {
            self.map.remove(&oldest);
        }
    }

    pub(super) fn get(&self, key: &K) -> Option<&V> {
        self.map.get(key)
    }

    pub(super) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.map.get_mut(key)
    }

    /// Takes one out. Its key stays in the order: put in again, it may be forgotten early, not late.
    pub(super) fn remove(&mut self, key: &K) -> Option<V> {
        self.map.remove(key)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.map.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::Recent;

    #[test]
    fn the_oldest_is_forgotten_and_what_is_put_again_counts_once() {
        let mut recent = Recent::default();
        for key in [1, 2, 2, 3] {
            recent.put(key, key * 10, 2);
        }
        assert_eq!((recent.get(&1), recent.get(&2), recent.get(&3)), (None, Some(&20), Some(&30)));
        recent.remove(&2);
        for key in 4..100 {
            recent.put(key, 0, 2);
        }
        assert_eq!((recent.get(&97), recent.get(&98), recent.map.len(), recent.order.len()), (None, Some(&0), 2, 2));
    }
}
