//! `midwire open`, and midwire without a word: the window.

use std::path::PathBuf;

use clap::Args;

use super::failure::Failure;
use super::find;

const EXAMPLES: &str = "\
Examples:
  midwire                            the window, with all recordings
  midwire open report.midwire        the window on a recording that somebody sent
  midwire open git                   the last recording of the server git";

/// The words of `midwire open`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Open {
    /// Recordings to open: paths or names, as for show
    #[arg(required = true, value_name = "RECORDING")]
    files: Vec<String>,
    /// Folder of the recordings [default: `MIDWIRE_RECORDINGS`, else the platform's data folder]
    #[arg(long, value_name = "DIR")]
    recordings: Option<PathBuf>,
}

impl Open {
    pub(super) fn run(self) -> Result<(), Failure> {
        let folder = find::folder(self.recordings.as_deref())?;
        let files = self.files.iter().map(|file| find::recording(&folder, Some(file)));
        let files = files.collect::<Result<Vec<PathBuf>, Failure>>()?;
        window(folder, files)
    }
}

/// The window without anything asked for.
pub(super) fn nothing_asked() -> Result<(), Failure> {
    window(find::folder(None)?, Vec::new())
}

/// Opens the window and returns when it is closed.
pub(super) fn window(folder: PathBuf, files: Vec<PathBuf>) -> Result<(), Failure> {
    is_possible().map_err(|why| {
        Failure::said(format!("{why}; midwire list and midwire show do without, and midwire --help says more"))
    })?;
    super::run_window(folder, files)
}

/// Whether a window can be shown here; otherwise a sentence that says why not.
pub(super) fn is_possible() -> Result<(), String> {
    if cfg!(not(feature = "gui")) {
        return Err("this midwire was built without a window (feature gui)".to_owned());
    }
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let needs_display = cfg!(all(unix, not(target_os = "macos")));
    if needs_display && !set("DISPLAY") && !set("WAYLAND_DISPLAY") && !set("WAYLAND_SOCKET") {
        return Err("there is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set)".to_owned());
    }
    Ok(())
}
