//! Project files on disk: read with a bound, written beside themselves and renamed.

use std::fs::{self, File};
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use super::{ENDING, ProjectFileError};
use crate::project::{Edit, Project, SavedCall, SavedTarget, edit, get};

/// Bytes of a project file.
const LARGEST: u64 = 16 << 20;
/// How often a file that changes under our hands is read again.
const TURNS: u32 = 5;

/// Reads a project file.
pub fn load(path: &Path) -> Result<Project, ProjectFileError> {
    let text = text(path)?.ok_or_else(|| fault("read", path, "there is no such file"))?;
    Project::read(&text).map_err(|error| ProjectFileError::Text { path: path.to_owned(), error })
}

/// Changes a project file, which is made where there is none. It is written beside itself and renamed, so that it is
/// never half written; a file that changed meanwhile is read again.
pub fn change(path: &Path, change: &Edit) -> Result<Project, ProjectFileError> {
    changed(path, std::slice::from_ref(change))
}

/// Saves a call under a name, and its server where the file has none of that name. A file whose name does not end with
/// [`ENDING`] is taken as it is named.
pub fn save_call(
    path: &Path,
    name: &str,
    call: SavedCall,
    target: Option<(&str, SavedTarget)>,
) -> Result<Project, ProjectFileError> {
    let mut edits = Vec::new();
    let known = match load(path) {
        Ok(project) => target.as_ref().is_some_and(|(name, _)| get(&project.targets, name).is_some()),
        Err(_) => false,
    };
    let mut call = call;
    if let Some((of, saved)) = target {
        call.target = Some(of.to_owned());
        if !known {
            edits.push(Edit::Target(of.to_owned(), Box::new(saved)));
        }
    }
    edits.push(Edit::Call(name.to_owned(), Box::new(call)));
    changed(path, &edits)
}

fn changed(path: &Path, edits: &[Edit]) -> Result<Project, ProjectFileError> {
    let of_text = |error| ProjectFileError::Text { path: path.to_owned(), error };
    for _ in 0..TURNS {
        let before = text(path)?;
        let mut after = before.clone().unwrap_or_default();
        for one in edits {
            after = edit(&after, one).map_err(of_text)?;
        }
        let project = Project::read(&after).map_err(of_text)?;
        if before.as_ref() == Some(&after) {
            return Ok(project);
        }
        let beside = write_beside(path, &after)?;
        if text(path)? == before {
            // A link goes on being one: what it leads to is replaced.
            let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            return match fs::rename(&beside, &real) {
                Ok(()) => Ok(project),
                Err(error) => {
                    let _ = fs::remove_file(&beside);
                    Err(fault("write", path, &error.to_string()))
                }
            };
        }
        let _ = fs::remove_file(&beside);
    }
    Err(fault("write", path, "something else keeps changing it; try again"))
}

/// Writes the text into a new file in the same folder, with the permissions of the old one.
fn write_beside(path: &Path, text: &str) -> Result<PathBuf, ProjectFileError> {
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    let beside = real.with_file_name(format!(".{name}.{}", std::process::id()));
    let written = File::create(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        if let Ok(facts) = fs::metadata(&real) {
            file.set_permissions(facts.permissions())?;
        }
        file.sync_all()
    });
    written.map(|()| beside.clone()).map_err(|error| {
        let _ = fs::remove_file(&beside);
        fault("write", path, &error.to_string())
    })
}

/// The text of a file; nothing when there is none.
fn text(path: &Path) -> Result<Option<String>, ProjectFileError> {
    let unread = |why: &str| fault("read", path, why);
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unread(&error.to_string())),
        Ok(facts) if !facts.is_file() => return Err(unread("it is no file")),
        Ok(_) => {}
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes));
    match read {
        Err(error) => Err(unread(&error.to_string())),
        Ok(size) if size as u64 > LARGEST => {
            Err(unread(&format!("it is larger than {} MiB; is it a {ENDING} file?", LARGEST >> 20)))
        }
        Ok(_) => String::from_utf8(bytes).map(Some).map_err(|_| unread("it is not UTF-8")),
    }
}

fn fault(doing: &'static str, path: &Path, why: &str) -> ProjectFileError {
    ProjectFileError::File { doing, path: path.to_owned(), why: why.to_owned() }
}
