//! Who deals with the questions of a server on the command line: asks a person where there is one at a terminal, one
//! question after the other; declines elsewhere, and says so. What is answered by settings never comes here.

use std::collections::VecDeque;
use std::io::{BufRead as _, IsTerminal as _};
use std::sync::mpsc::SyncSender;

use super::dialogue::{Dialogue, Step};
use super::seat::News;
use super::voice::{Voice, cut};
use crate::cli::{out, safe};
use crate::peer::client::{Answer, Order, Question, QuestionId, Reply, Settings};

/// So many questions wait for a person.
const WAITING: usize = 100;

/// Deals with questions.
pub(super) struct Clerk {
    voice: Voice,
    mail: SyncSender<News>,
    /// Whether somebody can be asked.
    has_person: bool,
    /// Whether lines are read already.
    reads: bool,
    sampling: Reply,
    elicitation: Reply,
    roots: Reply,
    waiting: VecDeque<Question>,
    now: Option<(QuestionId, Dialogue)>,
    /// The line that waits for an answer.
    open_line: String,
}

impl Clerk {
    pub(super) fn new(settings: &Settings, voice: Voice, mail: SyncSender<News>) -> Self {
        Self {
            voice,
            mail,
            has_person: std::io::stdin().is_terminal() && std::io::stderr().is_terminal(),
            reads: false,
            sampling: settings.sampling.clone(),
            elicitation: settings.elicitation.clone(),
            roots: settings.roots_reply.clone(),
            waiting: VecDeque::new(),
            now: None,
            open_line: String::new(),
        }
    }

    /// The server asks something. What is to be done at once.
    pub(super) fn asked(&mut self, question: &Question) -> Vec<Order> {
        let reply = match question.method.as_str() {
            "sampling/createMessage" => &self.sampling,
            "elicitation/create" => &self.elicitation,
            // Asking means answering with the roots of the settings.
            "roots/list" if self.roots == Reply::Ask => return Vec::new(),
            "roots/list" => &self.roots,
            _ => &Reply::Ask,
        };
        let method = cut(&question.method).to_owned();
        if *reply != Reply::Ask {
            self.voice.note(&format!("the server asks {method}; answered as told with --answer"));
            return Vec::new();
        }
        if !self.has_person || self.waiting.len() >= WAITING {
            let why = if self.has_person { "too much waits already" } else { "nobody is at a terminal" };
            self.voice.warn(&format!("the server asks {method}, and {why}: declined; --answer says how to answer"));
            return vec![Order::Answer(question.id, decline(&question.method))];
        }
        self.waiting.push_back(question.clone());
        self.go_on()
    }

    /// A question needs no answer any more.
    pub(super) fn settled(&mut self, question: QuestionId, why: &str) {
        let waited = self.waiting.len();
        self.waiting.retain(|waiting| waiting.id != question);
        let was_asked = self.now.as_ref().is_some_and(|(now, _)| *now == question);
        if was_asked {
            self.now = None;
        }
        if was_asked || self.waiting.len() < waited {
            self.voice.note(&format!("the question needs no answer any more: {}", cut(why)));
        }
    }

    /// A line was typed.
    pub(super) fn typed(&mut self, line: Option<String>) -> Vec<Order> {
        let Some((question, mut dialogue)) = self.now.take() else { return Vec::new() };
        let Some(line) = line else {
            // The end of the input: nobody is there any more.
            self.has_person = false;
            let left = std::mem::take(&mut self.waiting);
            let mut orders = vec![Order::Answer(question, dialogue.decline())];
            orders.extend(left.iter().map(|left| Order::Answer(left.id, decline(&left.method))));
            return orders;
        };
        match dialogue.line(&line) {
            Step::Ask(lines) => {
                self.ask(&lines);
                self.now = Some((question, dialogue));
                Vec::new()
            }
            Step::Done(answer) => {
                let mut orders = vec![Order::Answer(question, answer)];
                orders.extend(self.go_on());
                orders
            }
        }
    }

    /// Asks the next question, when none is asked.
    fn go_on(&mut self) -> Vec<Order> {
        if self.now.is_some() {
            return Vec::new();
        }
        let Some(question) = self.waiting.pop_front() else { return Vec::new() };
        if !self.read() {
            return vec![Order::Answer(question.id, decline(&question.method))];
        }
        let (dialogue, lines) = Dialogue::of(&question);
        self.ask(&lines);
        self.now = Some((question.id, dialogue));
        Vec::new()
    }

    /// Lets something else be said while a line waits for an answer, and puts that line again.
    pub(super) fn aside(&self, said: impl FnOnce()) {
        if self.now.is_none() {
            return said();
        }
        out::question("", true);
        said();
        out::question(&safe::line(&self.open_line), false);
    }

    /// Puts lines before a person; the last waits for an answer on it.
    fn ask(&mut self, lines: &[String]) {
        if let Some((last, before)) = lines.split_last() {
            for line in before {
                out::question(&safe::line(line), true);
            }
            out::question(&safe::line(last), false);
            self.open_line.clone_from(last);
        }
    }

    /// Begins to read lines; `false` when that cannot be.
    fn read(&mut self) -> bool {
        if !self.reads {
            let mail = self.mail.clone();
            let read = move || {
                for line in std::io::stdin().lock().lines() {
                    if mail.send(News::Typed(line.ok())).is_err() {
                        return;
                    }
                }
                drop(mail.send(News::Typed(None)));
            };
            self.reads = std::thread::Builder::new().name("typed".to_owned()).spawn(read).is_ok();
        }
        self.reads
    }
}

/// What declines a question of this method.
pub(super) fn decline(method: &str) -> Answer {
    match method {
        "elicitation/create" => Answer::Result(br#"{"action":"decline"}"#.to_vec()),
        "sampling/createMessage" => {
            Answer::Error(br#"{"code":-1,"message":"User rejected sampling request"}"#.to_vec())
        }
        _ => Answer::Error(br#"{"code":-32601,"message":"Method not found"}"#.to_vec()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::sync_channel;

    use super::*;

    fn question(id: QuestionId, method: &str) -> Question {
        Question { id, method: method.to_owned(), params: None, call: None, key: None, round: 0, request: None }
    }

    #[test]
    fn without_a_person_questions_are_declined_in_their_own_way() {
        let (mail, _news) = sync_channel(1);
        let settings = Settings { sampling: Reply::Made, ..Settings::default() };
        let mut clerk = Clerk::new(&settings, Voice::new(true), mail);
        clerk.has_person = false;
        let declined = clerk.asked(&question(1, "elicitation/create"));
        assert_eq!(declined, [Order::Answer(1, Answer::Result(br#"{"action":"decline"}"#.to_vec()))]);
        assert_eq!(clerk.asked(&question(2, "sampling/createMessage")), [], "answered by the settings");
        assert_eq!(clerk.asked(&question(3, "roots/list")), [], "answered by the settings too");
        let [Order::Answer(4, Answer::Error(error))] = &clerk.asked(&question(4, "x/y"))[..] else { panic!("refused") };
        assert!(error.starts_with(br#"{"code":-32601"#));
    }

    #[test]
    fn one_question_waits_for_the_other_and_the_end_of_input_declines_all() {
        let (mail, _news) = sync_channel(1);
        let mut clerk = Clerk::new(&Settings::default(), Voice::new(true), mail);
        (clerk.has_person, clerk.reads) = (true, true);
        assert_eq!(clerk.asked(&question(1, "sampling/createMessage")), []);
        assert_eq!(clerk.asked(&question(2, "elicitation/create")), []);
        assert_eq!(clerk.asked(&question(3, "sampling/createMessage")), []);
        let [Order::Answer(1, Answer::Result(result))] = &clerk.typed(Some("Paris".to_owned()))[..] else {
            panic!("the first is answered")
        };
        assert!(result.windows(7).any(|part| part == b"\"Paris\""), "{}", String::from_utf8_lossy(result));
        clerk.settled(2, "cancelled");
        assert_eq!(clerk.typed(Some("ignored".to_owned())), [], "nothing is asked at the moment");
        clerk.go_on();
        let [Order::Answer(3, Answer::Error(_))] = &clerk.typed(None)[..] else { panic!("the last is declined") };
    }
}
