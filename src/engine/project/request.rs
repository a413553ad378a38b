//! A saved call that is ready as an order to the client, and what came of it as an answer to the run: the same for runs
//! of the command line and of the window.

use crate::model::Nanos;
use crate::peer::client as peer;
use crate::peer::client::{Call, Order, Outcome, Question, Reply, Settings};
use crate::project::{Answer, Ready, What};

const MILLISECOND: Nanos = 1_000_000;

/// The order that sends what nothing answers, a notification or raw bytes; nothing for a call.
pub fn one_way(ready: &Ready) -> Option<Order> {
    match &ready.what {
        What::Notification(method) => Some(Order::Notify(method.clone(), ready.params.clone().map(String::into_bytes))),
        What::Raw(bytes) => Some(Order::Raw(bytes.clone(), ready.fields.clone())),
        _ => None,
    }
}

/// The request of a call.
pub fn call(ready: &Ready) -> Call {
    let clock = |ms: Option<u64>| ms.map(|ms| Nanos::try_from(ms).unwrap_or(Nanos::MAX).saturating_mul(MILLISECOND));
    Call {
        method: ready.method.clone(),
        params: ready.params.clone().map(String::into_bytes),
        id: ready.saved.id.clone().map(String::into_bytes),
        bare: ready.saved.bare,
        task: ready.saved.task,
        fields: ready.fields.clone(),
        patience: clock(ready.saved.patience_ms),
        cap: clock(ready.saved.cap_ms),
    }
}

/// What an outcome is for a run.
pub fn answer(outcome: &Outcome) -> Answer<'_> {
    match outcome {
        Outcome::Result(bytes) => Answer::Result(bytes),
        Outcome::Error(bytes) => Answer::Error(bytes),
        other => Answer::Lost(other.why().unwrap_or("it was cancelled")),
    }
}

/// The settings of a connection while a call with saved answers is under way: what one is for is asked of us, whatever
/// else is done with it. Nothing where there are no answers.
pub fn asking(settings: &Settings, answers: &[(String, String)]) -> Option<Settings> {
    let mut settings = settings.clone();
    for (to, _) in answers {
        match to.as_str() {
            "sampling/createMessage" => settings.sampling = Reply::Ask,
            "elicitation/create" => settings.elicitation = Reply::Ask,
            "roots/list" => settings.roots_reply = Reply::Ask,
            _ => {}
        }
    }
    (!answers.is_empty()).then_some(settings)
}

/// The saved answer to a question: those to its method by turns, the last again and again. `given` counts how often
/// each was. Nothing where none is for its method.
pub fn saved_answer(question: &Question, answers: &[(String, String)], given: &mut [usize]) -> Option<peer::Answer> {
    let mine: Vec<usize> = (0..answers.len()).filter(|&index| answers[index].0 == question.method).collect();
    let index = mine.iter().copied().find(|&index| given.get(index) == Some(&0)).or(mine.last().copied())?;
    if let Some(count) = given.get_mut(index) {
        *count += 1;
    }
    Some(peer::Answer::Result(answers[index].1.clone().into_bytes()))
}
