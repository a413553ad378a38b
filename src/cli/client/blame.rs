//! Which class the end of a connection belongs to that never opened, told by the words of its reason.

use super::class::Class;

/// The class of a reason. What is not recognised is a matter of the connection.
pub(super) fn class_of(why: &str) -> Class {
    let says = |words: &[&str]| words.iter().any(|word| why.contains(word));
    if says(&["start the server", "prepare the server", "the keychain", "the variable"]) {
        return Class::Usage;
    }
    if says(&["HTTP 4", "HTTP 5", "HTTP 3", "status 4", "status 5", "status 3"]) {
        return Class::Http;
    }
    if says(&["revision", "supportedVersions", "server/discover", "initialize"]) {
        return if says(&["no answer", "in time"]) { Class::Late } else { Class::Protocol };
    }
    Class::Connection
}
