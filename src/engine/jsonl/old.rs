//! HTTP requests as texts of format 1 tell of them: one line each, apart from the entries. They become heads
//! at the end of the recording, as the store does it with the table of that format.

use serde::Deserialize;

use super::import::{Fault, Made};
use super::line::decode;
use crate::model::{Entry, EntryKind, Flags, HttpEnd, Lifecycle, Nanos, Side};
use crate::wire::lifecycle;

/// One HTTP request with its response.
#[derive(Debug, Deserialize)]
pub struct HttpLine {
    channel: u32,
    requested: Nanos,
    responded: Option<Nanos>,
    ended: Option<Nanos>,
    request_head: Option<String>,
    request_head_base64: Option<String>,
    response_head: Option<String>,
    response_head_base64: Option<String>,
}

impl HttpLine {
    /// Adds its heads, and that it ended.
    pub fn add(self, made: &mut Made) -> Result<(), Fault> {
        let request = head(self.request_head, self.request_head_base64.as_deref())?;
        let response = head(self.response_head, self.response_head_base64.as_deref())?;
        let ended = Lifecycle::HttpEnded { how: HttpEnd::Complete, why: String::new() };
        let mut put = |at, side: Option<Side>, bytes: Vec<u8>| {
            let kind = if side.is_some() { EntryKind::Head } else { EntryKind::Lifecycle };
            let (seq, size) = (made.next().0, bytes.len() as u64);
            let channel = self.channel;
            made.entry(&Entry { seq, at, until: at, channel, side, kind, flags: Flags::default(), size, bytes }, None)
        };
        if let Some(head) = request {
            put(self.requested, Some(Side::Client), head)?;
        }
        if let Some(head) = response {
            put(self.responded.unwrap_or(self.requested), Some(Side::Server), head)?;
        }
        match self.ended {
            Some(at) => put(at, None, lifecycle::encode(&ended)),
            None => Ok(()),
        }
    }
}

fn head(text: Option<String>, base64: Option<&str>) -> Result<Option<Vec<u8>>, String> {
    match (text, base64) {
        (Some(text), _) => Ok(Some(text.into_bytes())),
        (None, Some(base64)) => decode(base64).map(Some),
        (None, None) => Ok(None),
    }
}
