//! Which class the end of a connection belongs to that never opened, told by the words of its reason.

use super::class::Class;

/// The class of a reason. What is not recognised is a matter of the connection.
pub(super) fn class_of(why: &str) -> Class {
    // What a server wrote itself proves nothing.
    let why = why.split(" on stderr: ").next().unwrap_or_default();
    let says = |words: &[&str]| words.iter().any(|word| why.contains(word));
    if says(&["failed to start the server", "failed to start the client", "fill in ", "the keychain"]) {
        Class::Usage
    } else if status(why) {
        Class::Http
    } else if says(&["no sign of life", "in all", "no answer for"]) {
        Class::Late
    } else if says(&["no version in common", "refused initialize", "There is no MCP", "no answer to it"]) {
        Class::Protocol
    } else {
        Class::Connection
    }
}

/// Whether a status of HTTP is named.
fn status(why: &str) -> bool {
    let after = why.match_indices("HTTP ").map(|(at, word)| &why[at + word.len()..]);
    after.filter_map(|rest| rest.get(..3)).any(|code| code.bytes().all(|digit| digit.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_their_classes() {
        for (why, class) in [
            ("failed to start the server: the command \"x\" was not found", Class::Usage),
            ("the server wants authorization (HTTP 401). Give a token", Class::Http),
            ("HTTP 404: nothing is there", Class::Http),
            ("failed to read the server's response: it speaks HTTP and more", Class::Connection),
            ("the server did not answer initialize: no sign of life for 0.5 s", Class::Late),
            ("no version in common: asked for 2024-11-05, the server speaks 2025-11-25", Class::Protocol),
            ("the server exited with code 1; the last it said on stderr: HTTP 404", Class::Connection),
            (
                "failed to reach http://127.0.0.1:1: TCP: nothing listens; start the server, or check the port",
                Class::Connection,
            ),
        ] {
            assert_eq!(class_of(why), class, "{why}");
        }
    }
}
