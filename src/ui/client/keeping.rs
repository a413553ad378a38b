//! What is asked for between the forms, the results and the saved calls: to save, to pick, to fill in, to show.

use super::Subject;
use super::options::Options;
use crate::engine::project::kept_fields;
use crate::engine::view::{ConnectionId, Json};
use crate::peer::client::{Call, CallId, Kind};
use crate::project::{SavedCall, What};
use crate::ui::client::CallRecord;

/// A call that is to be saved, until somebody asked for its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToSave {
    /// The connection whose server it is for.
    pub connection: ConnectionId,
    /// The form that it was filled in with.
    pub subject: Option<Subject>,
    /// The name of the saved call that it is already.
    pub name: Option<String>,
    /// The call.
    pub call: SavedCall,
}

/// A value of a result that is to be used in saved calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToPick {
    /// The connection.
    pub connection: ConnectionId,
    /// The call that ended with the result.
    pub call: CallId,
    /// Where the value is.
    pub pointer: String,
    /// The value, as JSON text.
    pub value: String,
}

/// A form that is a saved call from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tie {
    /// The connection.
    pub connection: ConnectionId,
    /// What the form is for.
    pub subject: Subject,
    /// The saved call.
    pub name: String,
}

/// A saved call that is to be filled in on the connection that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loading {
    /// The form that it is filled into.
    pub subject: Subject,
    /// The saved call.
    pub name: String,
    /// Its arguments as they are in the file.
    pub arguments: Option<String>,
    /// The same with the values of variables, as far as they have one.
    pub filled: String,
    /// What is special about it.
    pub options: Options,
}

/// A call as it is saved, and what was left out of it because it may be a secret. The error says why it cannot be saved.
pub fn saved_call(call: &Call) -> Result<(SavedCall, Vec<String>), String> {
    let mut saved = SavedCall::of_request(&call.method, call.params.as_deref())?;
    let millis = |nanos: i64| u64::try_from(nanos / 1_000_000).unwrap_or_default();
    saved.id = call.id.as_ref().map(|id| String::from_utf8_lossy(id).into_owned());
    (saved.bare, saved.task) = (call.bare, call.task);
    (saved.patience_ms, saved.cap_ms) = (call.patience.map(millis), call.cap.map(millis));
    let (fields, left_out) = kept_fields(&call.fields);
    saved.fields = fields;
    Ok((saved, left_out))
}

/// The same of a call that was made: as it was typed, before values were put in for variables.
pub fn saved_record(record: &CallRecord) -> Result<(SavedCall, Vec<String>), String> {
    if let Some(call) = &record.call {
        let (mut saved, left_out) = saved_call(call)?;
        if let (Some(typed), Some(subject)) = (&record.saved.typed, &record.subject) {
            saved.arguments = Some(typed.clone());
            if subject.kind == Kind::Templates {
                saved.what = What::Template(subject.key.clone());
            }
        }
        return Ok((saved, left_out));
    }
    // One that was sent again byte for byte is what its request says.
    let request = record.rounds.first().map(|round| &round.request[..]).unwrap_or_default();
    let params = Json::parse(request).ok().and_then(|json| json.get("params").map(|params| params.raw().to_vec()));
    saved_call(&Call { method: record.method.clone(), params, ..Call::default() })
}
