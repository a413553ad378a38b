//! A recording to JSON Lines, one entry in memory at a time.

use std::io::Write;
use std::ops::ControlFlow;

use serde::Serialize;

use super::ExportError;
use super::line::{ChannelLine, EntryLine, Head};
use crate::model::Flags;
use crate::store::Reader;

/// What an export wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exported {
    /// Entries.
    pub entries: u64,
}

/// Writes all of a recording to `out`. What a damaged recording lacks is left out;
/// [`Reader::warning`] tells it afterwards.
pub fn export(reader: &Reader, out: &mut impl Write) -> Result<Exported, ExportError> {
    put(out, &Head::new(reader.recording()?))?;
    for channel in reader.channels()? {
        put(out, &ChannelLine::new(channel))?;
    }
    let (mut entries, mut failed) = (0, None);
    reader.scan(0, &mut |entry| {
        entries += 1;
        let hash = if entry.flags.has(Flags::TRUNCATED) { reader.sha256(entry.seq).ok().flatten() } else { None };
        go_on(put(out, &EntryLine::new(entry, hash)), &mut failed)
    })?;
    match failed {
        Some(error) => Err(error.into()),
        None => Ok(out.flush().map(|()| Exported { entries })?),
    }
}

/// Ends a scan at the first error and keeps that.
fn go_on(written: std::io::Result<()>, failed: &mut Option<std::io::Error>) -> ControlFlow<()> {
    match written {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            *failed = Some(error);
            ControlFlow::Break(())
        }
    }
}

fn put(out: &mut impl Write, line: &impl Serialize) -> std::io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}
