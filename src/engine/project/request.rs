//! A saved call that is ready as an order to the client, and what came of it as an answer to the run: the same for runs
//! of the command line and of the window.

use crate::model::Nanos;
use crate::peer::client::{Call, Order, Outcome};
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
