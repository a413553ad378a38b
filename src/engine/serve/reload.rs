//! Notices that a mock file has changed, or a file that it names, and reads it again. A file that is broken leaves what
//! was read before.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::source::{self, Read};
use super::{Matching, Source};
use crate::peer::server::Pace;

/// How often it is looked at.
const TICK: Duration = Duration::from_millis(250);
/// How often its bytes are read although its time seems unchanged: times are coarse, and some tools set them back.
const SWEEP: Duration = Duration::from_secs(2);

/// A mock file that is watched.
#[derive(Debug)]
pub struct Reload {
    path: PathBuf,
    stamp: Option<(SystemTime, u64)>,
    hash: Option<u64>,
    looked: Instant,
    swept: Instant,
}

impl Reload {
    /// Watches the file as it was read just now; only mock files change.
    pub fn of(source: &Source) -> Option<Self> {
        let Source::Mock(path) = source else { return None };
        let now = Instant::now();
        Some(Self { path: path.clone(), stamp: stamp(path), hash: hash(path), looked: now, swept: now })
    }

    /// How long until the next look.
    pub fn rest(&self) -> Duration {
        TICK.saturating_sub(self.looked.elapsed())
    }

    /// What the file says now, if it changed since. Half a file, as editors leave it for a moment, is read like any
    /// other and told as broken; the next look finds the whole.
    pub fn look(&mut self) -> Option<Result<Read, String>> {
        self.looked = Instant::now();
        let stamp = stamp(&self.path);
        if stamp == self.stamp && self.swept.elapsed() < SWEEP {
            return None;
        }
        (self.stamp, self.swept) = (stamp, Instant::now());
        let hash = hash(&self.path);
        if hash == self.hash {
            return None;
        }
        self.hash = hash;
        Some(source::read(&Source::Mock(self.path.clone()), &Matching::default(), Pace::default(), false))
    }
}

fn stamp(path: &Path) -> Option<(SystemTime, u64)> {
    let data = std::fs::metadata(path).ok()?;
    Some((data.modified().ok()?, data.len()))
}

fn hash(path: &Path) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    std::fs::read(path).ok()?.hash(&mut hasher);
    Some(hasher.finish())
}
