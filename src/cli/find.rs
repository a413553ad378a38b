//! Finds the recording that somebody means: by path, by file name, by the server's name, by the
//! beginning of either, or the last one.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use super::failure::Failure;
use crate::engine::paths;

/// The folder of recordings that `--recordings` or the environment names.
pub(super) fn folder(explicit: Option<&Path>) -> Result<PathBuf, Failure> {
    paths::folder(explicit).map_err(|error| Failure::of(&error))
}

/// The recording that `wanted` means; without it, the last one.
pub(super) fn recording(folder: &Path, wanted: Option<&str>) -> Result<PathBuf, Failure> {
    match wanted {
        None | Some("last") => {
            let newest = files(folder).into_iter().next();
            newest.ok_or_else(|| {
                Failure::said(format!(
                    "there are no recordings in {}; record one with: midwire tap -- COMMAND, or try: midwire demo",
                    folder.display()
                ))
            })
        }
        Some(wanted) => by_name(folder, wanted),
    }
}

/// Whether `wanted` names a recording, or a file at all.
pub(super) fn is_recording(folder: &Path, wanted: &str) -> bool {
    wanted == "last" || Path::new(wanted).is_file() || !matching(folder, wanted).is_empty()
}

fn by_name(folder: &Path, wanted: &str) -> Result<PathBuf, Failure> {
    let path = Path::new(wanted);
    if path.is_file() {
        return Ok(path.to_owned());
    }
    let mut found = matching(folder, wanted);
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => Err(Failure::said(format!(
            "there is no file {wanted}, and no recording in {} has a name that begins so; midwire list shows what is there",
            folder.display()
        ))),
        _ => {
            let names: Vec<String> = found.iter().take(5).map(|path| format!("  {}", file_name(path))).collect();
            let more = if found.len() > 5 { format!("\n  and {} more", found.len() - 5) } else { String::new() };
            Err(Failure::said(format!("{wanted} means several recordings:\n{}{more}", names.join("\n"))))
        }
    }
}

/// The recordings that `wanted` can mean. A whole file name means that file, a whole name of a server
/// its last recording; the beginning of either means all that begin so.
fn matching(folder: &Path, wanted: &str) -> Vec<PathBuf> {
    let files = files(folder);
    let whole = |path: &&PathBuf| file_name(path) == wanted || stem(path) == wanted;
    if let Some(file) = files.iter().find(whole) {
        return vec![file.clone()];
    }
    if let Some(file) = files.iter().find(|path| server_name(path) == wanted) {
        return vec![file.clone()];
    }
    let begins = |path: &PathBuf| stem(path).starts_with(wanted) || server_name(path).starts_with(wanted);
    files.into_iter().filter(|path| !wanted.is_empty() && begins(path)).collect()
}

/// The recordings of a folder, the last one first. File names begin with the time; others go by the
/// time of their last change.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == paths::EXTENSION)).collect();
    files.sort_by_cached_key(|path| Reverse(began(path)));
    files
}

fn began(path: &Path) -> (String, Option<std::time::SystemTime>) {
    let changed = std::fs::metadata(path).and_then(|file| file.modified()).ok();
    let stamp = stem(path).get(..STAMP).filter(|stamp| is_stamp(stamp)).map(str::to_owned);
    let stamp = stamp.or_else(|| {
        let at = jiff::Timestamp::try_from(changed?).ok()?;
        Some(at.to_zoned_datetime(jiff::tz::TimeZone::system()).strftime("%Y%m%d-%H%M%S").to_string())
    });
    (stamp.unwrap_or_default(), changed)
}

/// The length of `YYYYMMDD-HHMMSS`.
const STAMP: usize = 15;

fn is_stamp(text: &str) -> bool {
    text.bytes().enumerate().all(|(at, byte)| if at == 8 { byte == b'-' } else { byte.is_ascii_digit() })
}

/// The server's name in `YYYYMMDD-HHMMSS-NAME-PID`; the whole stem of a file that is called otherwise.
fn server_name(path: &Path) -> String {
    let stem = stem(path);
    let name = || {
        let (stamp, rest) = stem.split_at_checked(STAMP)?;
        let (name, pid) = rest.strip_prefix('-')?.rsplit_once('-')?;
        (is_stamp(stamp) && pid.bytes().all(|byte| byte.is_ascii_digit())).then(|| name.to_owned())
    };
    name().unwrap_or(stem.clone())
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::{Failure, files, recording};

    #[test]
    fn a_recording_is_found_by_all_its_names() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "20261130-100000-git-1.midwire",
            "20261130-110000-git-2.midwire",
            "20261130-120000-github-3.midwire",
            "20261130-090000-time-9.midwire",
            "notes.txt",
        ] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        assert_eq!(files(folder.path()).len(), 4);
        let found = |wanted: Option<&str>| {
            let path = recording(folder.path(), wanted).ok()?;
            Some(path.file_stem()?.to_string_lossy().into_owned())
        };
        let is = |name: &str| Some(name.to_owned());
        assert_eq!(found(None), is("20261130-120000-github-3"));
        assert_eq!(found(Some("last")), is("20261130-120000-github-3"));
        assert_eq!(found(Some("git")), is("20261130-110000-git-2"), "a whole name means the last of that name");
        assert_eq!(found(Some("t")), is("20261130-090000-time-9"));
        assert_eq!(found(Some("20261130-10")), is("20261130-100000-git-1"));
        assert_eq!(found(Some("20261130-100000-git-1.midwire")), is("20261130-100000-git-1"));
        let Err(Failure::Said(several)) = recording(folder.path(), Some("gi")) else { panic!("several") };
        assert!(several.contains("several recordings:\n  20261130-120000-github-3.midwire"), "{several}");
        assert!(found(Some("nothing")).is_none());
    }
}
