//! `midwire prune`: deletes recordings that are old. Never one that is live, never a file that is no
//! recording.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::failure::Failure;
use super::out::{self, Color, Page};
use super::{figures, find};
use crate::engine::listings;

const EXAMPLES: &str = "\
Examples:
  midwire prune --older-than 30d --dry-run        what would be deleted
  midwire prune --older-than 12h --keep 20        but not the 20 newest recordings

A recording is as old as its end. Live recordings and files that cannot be read are left alone.";

/// The words of `midwire prune`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Prune {
    /// Delete recordings that ended longer ago: a whole number and s, m, h, d or w, such as 30d
    #[arg(long, value_name = "AGE", value_parser = age)]
    older_than: Duration,
    /// Leave so many of the newest recordings, however old they are
    #[arg(long, value_name = "N", default_value_t = 0)]
    keep: usize,
    /// Say what would be deleted, and delete nothing
    #[arg(long)]
    dry_run: bool,
    /// Folder of the recordings [default: `MIDWIRE_RECORDINGS`, else the platform's data folder]
    #[arg(long, value_name = "DIR")]
    recordings: Option<PathBuf>,
}

impl Prune {
    pub(super) fn run(self) -> Result<(), Failure> {
        let folder = find::folder(self.recordings.as_deref())?;
        let list = listings::list(&folder)
            .map_err(|error| Failure::said(format!("failed to read the folder {}: {error}", folder.display())))?;
        let old = listings::outdated(&list, self.older_than, self.keep);
        let mut page = Page::new(Color::Never);
        let (mut freed, mut gone, mut stayed) = (0, 0, 0);
        for listing in old {
            let name = listing.path.file_name().unwrap_or_default().display().to_string();
            let removed = if self.dry_run { Ok(listing.bytes) } else { listings::remove(&listing.path) };
            match removed {
                Ok(bytes) => {
                    freed += bytes;
                    gone += 1;
                    page.line(&format!("{name}  {}", figures::size(bytes)))?;
                }
                Err(error) => {
                    stayed += 1;
                    out::problem(&format!("failed to delete {}: {error}", listing.path.display()));
                }
            }
        }
        let verb = if self.dry_run { "would delete" } else { "deleted" };
        let noun = if gone == 1 { "recording" } else { "recordings" };
        page.line(&format!("{verb} {gone} {noun}, {}", figures::size(freed)))?;
        page.flush()?;
        if stayed > 0 {
            return Err(Failure::said(format!("{stayed} could not be deleted")));
        }
        Ok(())
    }
}

/// A whole number and a unit, nothing else.
fn age(text: &str) -> Result<Duration, String> {
    let wrong = || "an age is a whole number and s, m, h, d or w, such as 90m, 12h, 30d".to_owned();
    let unit = text.chars().last().ok_or_else(wrong)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        'd' => 86_400,
        'w' => 604_800,
        _ => return Err(wrong()),
    };
    let number = &text[..text.len() - 1];
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong());
    }
    let number: u64 = number.parse().map_err(|_| "that is longer than anybody can wait".to_owned())?;
    number
        .checked_mul(seconds)
        .map(Duration::from_secs)
        .ok_or_else(|| "that is longer than anybody can wait".to_owned())
}

#[cfg(test)]
mod tests {
    use super::age;

    #[test]
    fn ages_are_taken_strictly() {
        assert_eq!(age("30d").unwrap().as_secs(), 30 * 86_400);
        assert_eq!(age("0s").unwrap().as_secs(), 0);
        assert_eq!(age("2w").unwrap().as_secs(), 14 * 86_400);
        for wrong in ["", "30", "d", "-1d", "1.5h", "1 d", "30days", "+3d", "1d ", "99999999999999999999d", "30ü"] {
            assert!(age(wrong).is_err(), "{wrong}");
        }
        assert!(age("9999999999999999w").is_err());
    }
}
