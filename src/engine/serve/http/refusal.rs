//! What is refused before the machine hears of it, with the status and body that the transport has for it.

use crate::wire::quote;

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The status.
    pub status: u16,
    /// The code of the JSON-RPC error in its body; that has no id (HX-006).
    pub code: i32,
    /// What is wrong and what to do.
    pub why: String,
    /// `Allow`, where the method is at fault.
    pub allow: Option<&'static str>,
}

impl Refusal {
    /// One with this status.
    pub fn new(status: u16, why: impl Into<String>) -> Self {
        Self { status, code: -32600, why: why.into(), allow: None }
    }

    /// A method that the path does not have (HM-020, HL-010).
    pub fn method(allow: &'static str, why: &str) -> Self {
        Self { allow: Some(allow), ..Self::new(405, why) }
    }

    /// A session that is not known (HL-005).
    pub fn session(id: &str) -> Self {
        let id: String = id.chars().take(80).collect();
        let why = format!("there is no session {id:?}: it has ended, or was never given; begin again with initialize");
        Self { code: -32001, ..Self::new(404, why) }
    }

    /// A session that is missing (HL-004).
    pub fn no_session() -> Self {
        Self::new(400, "Mcp-Session-Id is missing: send the one that the response to initialize brought")
    }

    /// Its body.
    pub fn body(&self) -> String {
        let message = quote(&self.why);
        format!("{{\"jsonrpc\":\"2.0\",\"error\":{{\"code\":{},\"message\":{message}}}}}", self.code)
    }
}
