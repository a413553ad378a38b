//! Error objects of the protocol's own: code, message, data, and the status that goes with them on HTTP (1.8).

use crate::model::Era;
use crate::wire::quote;

/// An error that is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) code: i64,
    pub(super) message: String,
    /// `data` as JSON text.
    pub(super) data: Option<String>,
    /// The status where it is all that is sent; `None`: as the code wants in the era.
    pub(super) status: Option<u16>,
}

/// What was sent is not JSON.
pub(super) const PARSE: i64 = -32700;
/// It is no request.
pub(super) const REQUEST: i64 = -32600;
/// There is no such method.
pub(super) const METHOD: i64 = -32601;
/// Its params are not such as the method wants.
pub(super) const PARAMS: i64 = -32602;
/// Something went wrong here.
pub(super) const INTERNAL: i64 = -32603;
/// There is no such resource (legacy era only).
pub(super) const RESOURCE: i64 = -32002;
/// Header fields and body disagree (2026-07-28).
pub(super) const MISMATCH: i64 = -32020;
/// The client lacks a capability (2026-07-28).
pub(super) const CAPABILITY: i64 = -32021;
/// The revision is not spoken (2026-07-28).
pub(super) const VERSION: i64 = -32022;

impl Fault {
    pub(super) fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None, status: None }
    }

    /// With this `data`, as JSON text.
    #[must_use]
    pub(super) fn with_data(mut self, data: String) -> Self {
        self.data = Some(data);
        self
    }

    /// With this status in any era.
    #[must_use]
    pub(super) const fn with_status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// The error object.
    pub(super) fn object(&self) -> String {
        let data = self.data.as_ref().map(|data| format!(",\"data\":{data}")).unwrap_or_default();
        format!("{{\"code\":{},\"message\":{}{data}}}", self.code, quote(&self.message))
    }

    /// The status on HTTP in this era.
    pub(super) fn status(&self, era: Era) -> u16 {
        self.status.unwrap_or_else(|| status(era, self.code))
    }
}

/// The status that goes with an error code (1.8): fixed in 2026-07-28 for some, and 200 otherwise.
pub(super) const fn status(era: Era, code: i64) -> u16 {
    match (era, code) {
        (_, PARSE | REQUEST) | (Era::Modern, MISMATCH | CAPABILITY | VERSION) => 400,
        (Era::Modern, METHOD) => 404,
        _ => 200,
    }
}
