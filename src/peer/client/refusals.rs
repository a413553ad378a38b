//! Why a server was not willing: error objects and HTTP statuses, in words for a person.

use std::fmt;

use super::Refused;
use super::opening::texts;
use crate::mcp::one_line;
use crate::model::Revision;
use crate::wire::Json;

/// An error object, as far as the opening reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// `code`.
    pub(super) code: Option<i64>,
    /// `message`.
    message: String,
    /// `data.supported`: the versions that the server speaks.
    pub(super) supported: Vec<String>,
    /// `data.requiredCapabilities`.
    required: Option<String>,
}

impl Fault {
    pub(super) fn read(error: Json<'_>) -> Self {
        let text = |json: Json<'_>| String::from_utf8_lossy(json.raw()).into_owned();
        Self {
            code: error.get("code").and_then(|code| code.as_i64()),
            message: error.get("message").and_then(|message| message.text()).unwrap_or_default().into_owned(),
            supported: error.pointer("/data/supported").map(texts).unwrap_or_default(),
            required: error.pointer("/data/requiredCapabilities").map(text),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => write!(f, "error {code}")?,
            None => f.write_str("an error without a code")?,
        }
        if !self.message.is_empty() {
            write!(f, " ({})", one_line(&self.message, 200))?;
        }
        if let Some(required) = &self.required {
            write!(f, ", which needs the capabilities {required}")?;
        }
        Ok(())
    }
}

/// What a refusal over HTTP means for the opening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    /// Whether there is no use in trying otherwise.
    pub(super) is_final: bool,
    /// What it means and what to do.
    pub(super) sentence: String,
}

/// Judges a refusal. Without a response, nobody can be asked otherwise; without authorization, nothing is known yet.
pub(super) fn refusal(refused: &Refused) -> Refusal {
    let Refused { status, why, challenge, .. } = refused;
    let sentence = match status {
        None => why.clone(),
        Some(status @ (401 | 403)) => {
            let challenge = challenge.as_deref().map(|text| format!(" It says: {}.", one_line(text, 300)));
            format!(
                "the server wants authorization (HTTP {status}). Give a token that it takes, as a bearer token or a \
                 header.{}",
                challenge.unwrap_or_default()
            )
        }
        Some(status) => format!("HTTP {status}: {why}"),
    };
    Refusal { is_final: matches!(status, None | Some(401 | 403)), sentence }
}

/// That the versions do not meet, with both sides' lists.
pub(super) fn both_lists(asked: &Revision, supported: &[String]) -> String {
    let theirs = if supported.is_empty() { "none that it names".to_owned() } else { supported.join(", ") };
    format!("asked for {asked}, the server speaks {theirs}")
}
