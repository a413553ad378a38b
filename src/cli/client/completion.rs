//! `… complete`: asks the server how an argument of a prompt or a variable of a template may go on.

use super::arguments::{Given, strings};
use super::seat::Seat;
use super::{Done, printed};
use crate::cli::failure::Failure;
use crate::peer::client::{Call, completion};

/// Completes `argument` (`name=beginning`) of what `about` refers to (JSON text), with the other arguments in
/// `context`.
pub(in crate::cli) fn run(seat: &mut Seat, about: &str, argument: &str, context: &[&str], envelope: bool) -> Done {
    let (name, value) = argument
        .split_once('=')
        .ok_or_else(|| Failure::said(format!("{argument:?}: to be completed is NAME=BEGINNING, which may be empty")))?;
    let given: Vec<Given> =
        context.iter().map(|word| Given::read(word)).collect::<Result<_, _>>().map_err(Failure::Said)?;
    let context = if given.is_empty() { None } else { Some(strings(&given).map_err(Failure::Said)?) };
    let params = completion(about, name, value, context.as_deref());
    let call = Call { method: "completion/complete".to_owned(), params: Some(params), ..Call::default() };
    let ended = seat.call(call);
    printed::ended(seat, &ended, envelope)
}
