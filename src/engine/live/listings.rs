//! The recordings of a folder for the command line: listed once, and cleared away when they are old.
//! The window's list, which goes on, is `watch`.

use std::io;
use std::path::Path;
use std::time::Duration;

use super::view::Listing;
use super::watch;
use crate::engine::clock;
use crate::model::Nanos;

/// The recordings of a folder: live ones first, then the newest. A folder that is not there holds none.
pub fn list(folder: &Path) -> io::Result<Vec<Listing>> {
    match watch::once(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        list => list,
    }
}

/// Those of `list` that may be cleared away: not live, over for longer than `age`, and not among the
/// `keep` newest. What cannot be read is left alone, since nobody can say what it is.
pub fn outdated(list: &[Listing], age: Duration, keep: usize) -> Vec<&Listing> {
    let limit = clock::wall().saturating_sub(Nanos::try_from(age.as_nanos()).unwrap_or(Nanos::MAX));
    before(list, limit, keep)
}

fn before(list: &[Listing], limit: Nanos, keep: usize) -> Vec<&Listing> {
    let over = |listing: &&Listing| !listing.live && ended(listing).is_some_and(|ended| ended < limit);
    list.iter().skip(keep).filter(over).collect()
}

/// When a recording was over: as it says, or when its file was last written.
fn ended(listing: &Listing) -> Option<Nanos> {
    let facts = listing.facts.as_ref().ok()?;
    let written = || {
        let modified = std::fs::metadata(&listing.path).and_then(|file| file.modified()).ok()?;
        let since = modified.duration_since(std::time::UNIX_EPOCH).ok()?;
        Nanos::try_from(since.as_nanos()).ok()
    };
    facts.ended.or_else(written)
}

/// Deletes a recording with what SQLite may have left beside it; gives the bytes that are free now.
pub fn remove(path: &Path) -> io::Result<u64> {
    let mut freed = std::fs::metadata(path)?.len();
    std::fs::remove_file(path)?;
    for suffix in ["-wal", "-shm"] {
        let mut beside = path.as_os_str().to_owned();
        beside.push(suffix);
        // They exist only where a recorder was killed.
        if let Ok(file) = std::fs::metadata(&beside)
            && std::fs::remove_file(&beside).is_ok()
        {
            freed += file.len();
        }
    }
    Ok(freed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Recording, Role, Transport};

    fn listing(name: &str, ended: Option<Nanos>, live: bool) -> Listing {
        let facts = Recording {
            name: name.to_owned(),
            role: Role::Tap,
            transport: Transport::Stdio,
            command: Vec::new(),
            left_out: 0,
            url: None,
            directory: None,
            host: None,
            recorder: 0,
            program: String::new(),
            started: 0,
            ended,
            lost: 0,
        };
        Listing {
            path: format!("/nowhere/{name}.midwire").into(),
            facts: Ok(facts),
            live,
            entries: 0,
            errors: None,
            client: None,
            server: None,
            revision: None,
            outcome: None,
            bytes: 0,
        }
    }

    #[test]
    fn only_what_is_over_old_and_not_among_the_newest_is_outdated() {
        let broken = Listing { facts: Err("no recording".to_owned()), ..listing("broken", None, false) };
        let list = [
            listing("live", None, true),
            listing("young", Some(300), false),
            listing("old", Some(100), false),
            listing("older", Some(50), false),
            listing("interrupted, file gone", None, false),
            broken,
        ];
        let names = |keep| -> Vec<String> {
            before(&list, 200, keep).iter().map(|old| old.path.file_stem().unwrap().display().to_string()).collect()
        };
        assert_eq!(names(0), ["old", "older"]);
        assert_eq!(names(3), ["older"]);
        assert_eq!(names(9), [""; 0]);
    }
}
