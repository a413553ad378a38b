//! What a client says besides its result, on stderr: progress, log messages, what the server writes on its stderr,
//! what fits nowhere. Foreign text is made safe for a terminal, and cut.

use crate::cli::{out, safe};
use crate::peer::client::{Attempt, Bytes, TaskState, Told};
use crate::wire::Json;

/// So much of a foreign text is said.
const ROOM: usize = 2_000;

/// Who says it.
#[derive(Debug, Clone, Copy)]
pub(in crate::cli) struct Voice {
    quiet: bool,
}

impl Voice {
    pub(super) const fn new(quiet: bool) -> Self {
        Self { quiet }
    }

    /// Something that somebody should know, unless they asked for quiet.
    pub(super) fn note(self, text: &str) {
        if !self.quiet {
            out::problem(&safe::line(text));
        }
    }

    /// Something that is wrong.
    pub(super) fn warn(self, text: &str) {
        let _ = self;
        out::problem(&safe::line(text));
    }

    /// A line of the server's stderr.
    pub(super) fn stderr(self, line: &str) {
        if !self.quiet {
            out::aside("server", &safe::line(cut(line)));
        }
    }

    /// Whether it says only what is wrong.
    pub(super) const fn is_quiet(self) -> bool {
        self.quiet
    }

    /// Whether something is said of this.
    pub(super) fn tells(self, told: &Told) -> bool {
        match told {
            Told::Stray { .. } => true,
            // What a task's notification says is told as the state of its call.
            Told::Notified { method, call: Some(_), .. } if method.starts_with("notifications/tasks") => false,
            Told::Notified { method, .. } => !self.quiet && method != "notifications/progress",
            Told::Progress { .. }
            | Told::Task { .. }
            | Told::Late { .. }
            | Told::Stream { .. }
            | Told::Round { .. } => !self.quiet,
            _ => false,
        }
    }

    /// What happens besides the result of a call.
    pub(super) fn told(self, told: &Told) {
        match told {
            Told::Progress { progress, total, message, .. } => {
                let of = total.as_ref().map_or_else(String::new, |total| format!("/{total}"));
                let said = message.as_ref().map_or_else(String::new, |message| format!(" {}", cut(message)));
                self.note(&format!("progress {progress}{of}{said}"));
            }
            Told::Notified { method, message, .. } if method != "notifications/progress" => {
                self.note(&notification(method, message));
            }
            Told::Task { task, .. } => {
                let said = task.message.as_ref().map_or_else(String::new, |said| format!(": {}", cut(said)));
                self.note(&format!("task {} is {}{said}", cut(&task.id), cut(&task.status)));
            }
            Told::Late { message, .. } => self.note(&format!("late answer, dropped: {}", start(message))),
            Told::Stray { bytes, why } => self.warn(&format!("{why}: {}", start(bytes))),
            Told::Stream { what, .. } | Told::Link(what) => self.note(what),
            Told::Round { round, .. } => self.note(&format!("round {round}: the server asks for input")),
            _ => {}
        }
    }

    /// How the era was found out, when it led nowhere.
    pub(super) fn attempts(self, attempts: &[Attempt]) {
        for Attempt { what, came, .. } in attempts {
            self.warn(&format!("  {what}: {}", cut(came)));
        }
    }
}

/// The task that was last told of. A task is told of with each poll; it is said only when it stands otherwise.
#[derive(Debug, Default)]
pub(super) struct LastTask(Option<(String, String, Option<String>)>);

impl LastTask {
    /// Whether this was not just said.
    pub(super) fn is_news(&mut self, task: &TaskState) -> bool {
        let said = Some((task.id.clone(), task.status.clone(), task.message.clone()));
        std::mem::replace(&mut self.0, said.clone()) != said
    }
}

/// A notification in one line: of log messages what they say.
fn notification(method: &str, message: &Bytes) -> String {
    let json = Json::parse(message).ok();
    let params = json.and_then(|json| json.get("params"));
    let text = |name: &str| params.and_then(|params| params.get(name)).and_then(|value| value.text());
    if method != "notifications/message" {
        let said = params.map_or_else(String::new, |params| format!(" {}", start(params.raw())));
        return format!("{}{said}", cut(method));
    }
    let data = params.and_then(|params| params.get("data"));
    let data = data.map(|data| data.text().map_or_else(|| start(data.raw()), |text| cut(&text).to_owned()));
    let logger = text("logger").map_or_else(String::new, |logger| format!(" {}", cut(&logger)));
    format!("log {}{logger}: {}", text("level").unwrap_or_default(), data.unwrap_or_default())
}

/// The beginning of a text.
pub(super) fn cut(text: &str) -> &str {
    match text.char_indices().nth(ROOM) {
        Some((at, _)) => &text[..at],
        None => text,
    }
}

/// The beginning of foreign bytes as text.
pub(super) fn start(bytes: &[u8]) -> String {
    let head = &bytes[..bytes.len().min(4 * ROOM)];
    let text = String::from_utf8_lossy(head);
    let kept = cut(&text);
    let left = if kept.len() < text.len() || head.len() < bytes.len() { "…" } else { "" };
    format!("{}{left}", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(method: &str, message: &str) -> String {
        notification(method, &Bytes::from(message.as_bytes()))
    }

    #[test]
    fn a_task_is_told_of_when_it_stands_otherwise() {
        let mut last = LastTask::default();
        let state = |status: &str, polls| TaskState {
            id: "t".to_owned(),
            status: status.to_owned(),
            message: None,
            polls,
            next: None,
            json: Bytes::from(&b"{}"[..]),
        };
        let told: Vec<bool> = [("working", 0), ("working", 1), ("completed", 2), ("completed", 3)]
            .map(|(status, polls)| last.is_news(&state(status, polls)))
            .to_vec();
        assert_eq!(told, [true, false, true, false]);
    }

    #[test]
    fn notifications_are_told_in_a_line() {
        let log = r#"{"params":{"level":"error","logger":"db","data":"gone\nfor good"}}"#;
        assert_eq!(said("notifications/message", log), "log error db: gone\nfor good");
        let log = r#"{"params":{"level":"info","data":{"n":1.0}}}"#;
        assert_eq!(said("notifications/message", log), r#"log info: {"n":1.0}"#);
        assert_eq!(said("notifications/custom", r#"{"method":"x"}"#), "notifications/custom");
        let told = |call| {
            let message = Bytes::from(&b"{}"[..]);
            Voice::new(false).tells(&Told::Notified { method: "notifications/tasks/status".to_owned(), message, call })
        };
        assert!(told(None) && !told(Some(1)), "a task of a call is told of by its call");
        assert_eq!(start("é".repeat(9_000).as_bytes()).chars().count(), ROOM + 1);
    }
}
