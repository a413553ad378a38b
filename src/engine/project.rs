//! Project files on disk, and runs of what is saved in them.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::client::Target;
use crate::peer::client::Settings;
use crate::project::{Edit, Project, ProjectError};

/// What the name of a project file ends with.
pub const ENDING: &str = ".midwire.toml";

/// Why a project file could not be read or written. Each fits after "failed to".
#[derive(Debug, Error)]
pub enum ProjectFileError {
    /// The file cannot be read or written.
    #[error("{doing} {}: {why}", .path.display())]
    File {
        /// `read` or `write`.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Why and what to do.
        why: String,
    },
    /// What it says cannot be read or changed.
    #[error("{} in {}", .error, .path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// Why.
        error: ProjectError,
    },
}

/// Reads a project file.
pub fn load(path: &Path) -> Result<Project, ProjectFileError> {
    Err(ProjectFileError::File { doing: "read", path: path.to_owned(), why: "not built yet".to_owned() })
}

/// Changes a project file, which is made where there is none. It is written beside itself and renamed, so that it is
/// never half written; a file that changed meanwhile is read again.
pub fn change(path: &Path, edit: &Edit) -> Result<Project, ProjectFileError> {
    let _ = edit;
    Err(ProjectFileError::File { doing: "write", path: path.to_owned(), why: "not built yet".to_owned() })
}

/// The target of a project with this name (`None`: the only one), and how the client behaves with it. Folders are
/// counted from that of the file.
pub fn target(project: &Project, path: &Path, name: Option<&str>) -> Result<(Target, Settings), String> {
    let _ = (project, path, name);
    Err("not built yet".to_owned())
}
