//! Secrets that somebody gave for the masks of a target which was read from a recording. They are filled in last, when
//! the server is started or first spoken to; whoever shows, records or keeps the target has its masks.

use std::fmt;

use super::{Sources, Target, Way};
use crate::engine::record::secrets::MASK;

/// What stands for each mask of a target, in the order of its arguments, or of its URL and header fields. `${NAME}` and
/// `${keychain:NAME}` are replaced as in header fields.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Given(Vec<String>);

impl Given {
    /// One value for each mask.
    pub const fn new(values: Vec<String>) -> Self {
        Self(values)
    }

    /// Whether nothing was given: then masks are texts like any other.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Given({} secrets)", self.0.len())
    }
}

impl Target {
    /// How it is reached, with what was given in the place of the masks. An error fits after "failed to" and names no
    /// value.
    pub(super) fn filled(&self, sources: &Sources<'_>) -> Result<Way, String> {
        let mut way = self.way.clone();
        if self.given.is_empty() {
            return Ok(way);
        }
        let mut filler = Filler { values: self.given.0.iter(), sources };
        match &mut way {
            Way::Command { command, .. } => {
                for word in command {
                    *word = filler.fill(word, false)?;
                }
            }
            Way::Url { url, headers, .. } => {
                *url = filler.fill(url, false)?;
                for (_, value) in headers {
                    // What stands in header fields is replaced by whoever sends them.
                    *value = filler.fill(value, true)?;
                }
            }
        }
        Ok(way)
    }
}

struct Filler<'a> {
    values: std::slice::Iter<'a, String>,
    sources: &'a Sources<'a>,
}

impl Filler<'_> {
    fn fill(&mut self, text: &str, later: bool) -> Result<String, String> {
        let mut parts = text.split(MASK);
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            match self.values.next() {
                Some(value) if later => out.push_str(value),
                Some(value) => out.push_str(&self.sources.fill(value)?.value),
                None => out.push_str(MASK),
            }
            out.push_str(part);
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::{Given, Sources, Target, Way};
    use crate::transport::http::Trust;

    fn filled(way: Way, given: &[&str]) -> Result<Way, String> {
        let given = Given::new(given.iter().map(|it| (*it).to_owned()).collect());
        let keychain = |_: &str| Err("find it".to_owned());
        let variable = |name: &str| (name == "A").then(|| "of A".to_owned());
        let target = Target { way, given, ..Target::default() };
        assert!(!format!("{target:?}").contains("s3cret"), "{target:?}");
        target.filled(&Sources { variable: &variable, keychain: &keychain })
    }

    fn command(words: &[&str]) -> Way {
        let command = words.iter().map(|it| (*it).to_owned()).collect();
        Way::Command { command, folder: None, environment: crate::engine::client::Environment::default() }
    }

    #[test]
    fn each_mask_gets_its_value_in_order() {
        let masked = command(&["srv", "--key=•••", "•••", "plain"]);
        assert_eq!(filled(masked.clone(), &["s3cret", "${A}"]), Ok(command(&["srv", "--key=s3cret", "of A", "plain"])));
        assert_eq!(filled(masked.clone(), &["s3cret"]), Ok(command(&["srv", "--key=s3cret", "•••", "plain"])));
        assert_eq!(filled(masked.clone(), &[]), Ok(masked.clone()));
        let why = filled(masked, &["${NONE}", "x"]).unwrap_err();
        assert!(why.contains("${NONE}"), "{why}");
    }

    #[test]
    fn header_fields_are_left_to_whoever_sends_them() {
        let url = |url: &str, value: &str| Way::Url {
            url: url.to_owned(),
            headers: vec![("X".to_owned(), "1".to_owned()), ("Authorization".to_owned(), value.to_owned())],
            trust: Trust::default(),
        };
        let way = filled(url("https://•••@h/?key=•••", "Bearer •••"), &["a", "${A}", "${keychain:K}"]);
        assert_eq!(way, Ok(url("https://a@h/?key=of A", "Bearer ${keychain:K}")));
    }
}
