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

/// When a file was changed and how large it is; nothing where it is not there.
type Stamp = Option<(SystemTime, u64)>;

/// A mock file that is watched.
#[derive(Debug)]
pub struct Reload {
    path: PathBuf,
    /// It, and the files that it names.
    watched: Vec<PathBuf>,
    stamps: Vec<Stamp>,
    hash: u64,
    looked: Instant,
    swept: Instant,
}

impl Reload {
    /// Watches the file as it was read just now; only mock files change.
    pub fn of(source: &Source) -> Option<Self> {
        let Source::Mock(path) = source else { return None };
        let now = Instant::now();
        let watched = watched(path);
        let (stamps, hash) = (stamps(&watched), hash(&watched));
        Some(Self { path: path.clone(), watched, stamps, hash, looked: now, swept: now })
    }

    /// How long until the next look.
    pub fn rest(&self) -> Duration {
        TICK.saturating_sub(self.looked.elapsed())
    }

    /// What the file says now, if it changed since. Half a file, as editors leave it for a moment, is read like any
    /// other and told as broken; the next look finds the whole.
    pub fn look(&mut self) -> Option<Result<Read, String>> {
        self.looked = Instant::now();
        let stamps = stamps(&self.watched);
        if stamps == self.stamps && self.swept.elapsed() < SWEEP {
            return None;
        }
        (self.stamps, self.swept) = (stamps, Instant::now());
        if hash(&self.watched) == self.hash {
            return None;
        }
        self.watched = watched(&self.path);
        (self.stamps, self.hash) = (self::stamps(&self.watched), hash(&self.watched));
        Some(source::read(&Source::Mock(self.path.clone()), &Matching::default(), Pace::default(), false))
    }
}

fn watched(path: &Path) -> Vec<PathBuf> {
    let mut watched = vec![path.to_owned()];
    watched.extend(source::named(path));
    watched
}

fn stamps(paths: &[PathBuf]) -> Vec<Stamp> {
    let of = |path: &PathBuf| {
        let data = std::fs::metadata(path).ok()?;
        Some((data.modified().ok()?, data.len()))
    };
    paths.iter().map(of).collect()
}

fn hash(paths: &[PathBuf]) -> u64 {
    let mut hasher = DefaultHasher::new();
    paths.iter().for_each(|path| std::fs::read(path).ok().hash(&mut hasher));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::{Instant, Reload, SWEEP};
    use crate::engine::serve::Source;
    use crate::peer::server::Kind;

    #[test]
    fn a_file_that_is_named_is_a_part_of_the_mock_file() {
        let folder = std::env::temp_dir().join(format!("midwire-reload-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let (mock, schema) = (folder.join("a.mock.toml"), folder.join("s.json"));
        std::fs::write(&schema, r#"{"type":"object"}"#).expect("a file");
        std::fs::write(&mock, "[[tool]]\nname = \"t\"\ninput = { file = \"s.json\" }\nanswer = \"x\"\n")
            .expect("a file");
        let mut reload = Reload::of(&Source::Mock(mock.clone())).expect("mock files change");
        let mut look = || {
            // As if enough time had passed for a sweep.
            reload.swept = Instant::now().checked_sub(2 * SWEEP).unwrap_or_else(Instant::now);
            reload.look()
        };
        assert!(look().is_none(), "nothing has changed");
        std::fs::write(&schema, r#"{"type":"object","title":"S"}"#).expect("a file");
        let read = look().expect("it has changed").expect("it can be read");
        let tool = String::from_utf8_lossy(&read.script.list(Kind::Tools)[0]).into_owned();
        assert!(tool.contains(r#""title":"S""#), "{tool}");
        assert!(look().is_none(), "it is read once");
        std::fs::write(&mock, "[[tool]").expect("a file");
        assert!(look().expect("it has changed").is_err());
        std::fs::remove_dir_all(&folder).expect("ours");
    }
}
