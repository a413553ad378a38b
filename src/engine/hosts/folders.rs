//! Where we are: platform, home, folders of settings, project. Asked for once for each reading.

use std::path::{Path, PathBuf};

use crate::hosts::{Folders, Place, Platform, places};

/// What the places of files and the variables in them are counted from.
#[derive(Debug)]
pub(super) struct Here {
    /// The user's home folder.
    pub(super) home: PathBuf,
    /// The folder that somebody works in.
    pub(super) project: PathBuf,
    platform: Platform,
    folders: Folders,
}

impl Here {
    /// For somebody who works in `project`, or in our own folder. `None` where there is no home.
    pub(super) fn new(project: Option<&Path>) -> Option<Self> {
        let home = etcetera::home_dir().ok()?;
        let project = project.map(Path::to_owned).or_else(|| std::env::current_dir().ok()).unwrap_or_default();
        let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        Some(Self::with(platform(), home, project, &named))
    }

    /// The same for a platform and an environment that are given.
    pub(super) fn with(
        platform: Platform,
        home: PathBuf,
        project: PathBuf,
        named: &dyn Fn(&str) -> Option<PathBuf>,
    ) -> Self {
        let xdg = named("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"));
        let (settings, local) = match platform {
            Platform::Linux => (xdg.clone(), xdg.clone()),
            Platform::MacOs => (home.join("Library/Application Support"), home.join("Library/Application Support")),
            Platform::Windows => (
                named("APPDATA").unwrap_or_else(|| home.join("AppData/Roaming")),
                named("LOCALAPPDATA").unwrap_or_else(|| home.join("AppData/Local")),
            ),
        };
        let folders = Folders {
            codex: named("CODEX_HOME").unwrap_or_else(|| home.join(".codex")),
            claude: named("CLAUDE_CONFIG_DIR").unwrap_or_else(|| home.clone()),
            home: home.clone(),
            settings,
            xdg,
            local,
            project: Some(project.clone()),
        };
        Self { home, project, platform, folders }
    }

    /// The files that hosts may have.
    pub(super) fn places(&self) -> Vec<Place> {
        places(self.platform, &self.folders)
    }
}

const fn platform() -> Platform {
    if cfg!(target_os = "macos") {
        Platform::MacOs
    } else if cfg!(windows) {
        Platform::Windows
    } else {
        Platform::Linux
    }
}
