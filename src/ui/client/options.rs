//! What is special about one call: its own id, nothing added, a task, header fields, other clocks. As it is typed.

use super::behaviour::read_seconds;
use crate::engine::view::Json;
use crate::peer::client::Call;

/// The options of a call, as typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// The id as JSON text; empty for the next one.
    pub id: String,
    /// Nothing is added.
    pub bare: bool,
    /// A task of 2025-11-25 is asked for.
    pub task: bool,
    /// Its `ttl` in milliseconds; empty for none.
    pub ttl: String,
    /// Header fields, one a line.
    pub fields: String,
    /// Seconds without a sign of life; empty as the connection has it.
    pub patience: String,
    /// Seconds in all; empty as the connection has it.
    pub cap: String,
}

impl Options {
    /// Whether anything differs from an ordinary call.
    pub fn is_special(&self) -> bool {
        *self != Self::default()
    }

    /// What is wrong, one sentence for each field that has something: id, ttl, fields, patience, cap.
    pub fn faults(&self) -> [Option<String>; 5] {
        let id = self.id.trim();
        let id = (!id.is_empty() && Json::of_frame(id.as_bytes()).is_err())
            .then(|| "An id is JSON, such as 7, \"7\" or null. Raw frame sends anything else.".to_owned());
        let ttl = self.ttl.trim();
        let ttl = (self.task && !ttl.is_empty() && ttl.parse::<u64>().is_err())
            .then(|| "Whole milliseconds; empty for none.".to_owned());
        let broken = self.fields.lines().filter(|line| !line.trim().is_empty()).find(|line| field(line).is_none());
        let fields = broken.map(|line| format!("Write Name: value; this is none: {}", line.trim()));
        [id, ttl, fields, read_seconds(&self.patience).err(), read_seconds(&self.cap).err()]
    }

    /// Puts them into a call; what has faults is left out.
    pub fn apply(&self, call: &mut Call) {
        let id = self.id.trim();
        call.id = (!id.is_empty() && Json::of_frame(id.as_bytes()).is_ok()).then(|| id.as_bytes().to_vec());
        call.bare = self.bare;
        call.task = self.task.then(|| self.ttl.trim().parse().ok());
        call.fields = self.fields.lines().filter_map(field).collect();
        call.patience = read_seconds(&self.patience).ok().flatten();
        call.cap = read_seconds(&self.cap).ok().flatten();
    }
}

fn field(line: &str) -> Option<(String, String)> {
    let (name, value) = line.split_once(':')?;
    let name = name.trim();
    (!name.is_empty() && !name.contains(char::is_whitespace)).then(|| (name.to_owned(), value.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::Options;
    use crate::peer::client::Call;

    #[test]
    fn what_is_typed_reaches_the_call_and_what_is_wrong_is_said() {
        let text = |text: &str| text.to_owned();
        let options = Options {
            id: text(" \"a\" "),
            bare: true,
            task: true,
            ttl: text("5000"),
            fields: text("X-A: 1\n\nX-B:"),
            patience: text("1.5"),
            cap: text(""),
        };
        assert!(options.faults().iter().all(Option::is_none) && options.is_special());
        let mut call = Call::default();
        options.apply(&mut call);
        assert_eq!(
            (call.id.as_deref(), call.task, call.patience),
            (Some(&b"\"a\""[..]), Some(Some(5_000)), Some(1_500_000_000))
        );
        assert_eq!(call.fields, [(text("X-A"), text("1")), (text("X-B"), text(""))]);
        let wrong = Options {
            id: text("a"),
            task: true,
            ttl: text("x"),
            fields: text("no"),
            patience: text("-1"),
            cap: text("s2"),
            bare: false,
        };
        assert!(wrong.faults().iter().all(Option::is_some));
        assert!(!Options::default().is_special());
    }
}
