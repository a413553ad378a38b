//! The words that stand for closed sets in a recording, in both directions.
//!
//! Words rather than numbers, so that a recording can be read with the sqlite3 shell. A word that
//! this version does not know comes from a newer one and is read as the nearest known thing.

use crate::model::{EntryKind, Role, Side, Transport};

/// Every transport with its word.
const TRANSPORTS: [(Transport, &str); 4] = [
    (Transport::Stdio, "stdio"),
    (Transport::HttpRequest, "http-request"),
    (Transport::HttpStream, "http-stream"),
    (Transport::HttpSse, "http-sse"),
];

/// Every kind of entry with its word.
const KINDS: [(EntryKind, &str); 6] = [
    (EntryKind::Frame, "frame"),
    (EntryKind::Head, "head"),
    (EntryKind::Body, "body"),
    (EntryKind::Event, "event"),
    (EntryKind::Stderr, "stderr"),
    (EntryKind::Lifecycle, "lifecycle"),
];

/// The word for a transport.
pub fn transport_word(transport: Transport) -> &'static str {
    word(&TRANSPORTS, transport)
}

/// The transport that a word names; `None` for an unknown one.
pub fn transport(word: &str) -> Option<Transport> {
    value(&TRANSPORTS, word)
}

/// The word for a kind of entry.
pub fn kind_word(kind: EntryKind) -> &'static str {
    word(&KINDS, kind)
}

/// The kind of entry that a word names; `None` for an unknown one.
pub fn kind(word: &str) -> Option<EntryKind> {
    value(&KINDS, word)
}

/// The word for a role.
pub fn role_word(role: Role) -> &'static str {
    word(&Role::WORDS, role)
}

/// The role that a word names; `None` for an unknown one.
pub fn role(word: &str) -> Option<Role> {
    value(&Role::WORDS, word)
}

/// The side that a word names; `None` for anything else.
pub fn side(word: &str) -> Option<Side> {
    [Side::Client, Side::Server].into_iter().find(|side| side.word() == word)
}

fn word<T: Copy + PartialEq>(words: &[(T, &'static str)], value: T) -> &'static str {
    words.iter().find(|(known, _)| *known == value).map_or("", |(_, word)| word)
}

fn value<T: Copy>(words: &[(T, &str)], word: &str) -> Option<T> {
    words.iter().find(|(_, known)| *known == word).map(|(value, _)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_a_word_that_leads_back_to_it() {
        for (transport_value, _) in TRANSPORTS {
            assert_eq!(transport(transport_word(transport_value)), Some(transport_value));
        }
        for (kind_value, _) in KINDS {
            assert_eq!(kind(kind_word(kind_value)), Some(kind_value));
        }
        for (role_value, _) in Role::WORDS {
            assert_eq!(role(role_word(role_value)), Some(role_value));
        }
        assert_eq!(side("client"), Some(Side::Client));
        assert_eq!(side(""), None);
    }
}
