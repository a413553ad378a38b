//! Mock files on disk, as the window reads, writes and makes them. The server that serves one watches it by itself.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

/// Bytes of a mock file that are read.
const MOST: u64 = 64 << 20;

/// What a mock file says; the error fits after "failed to".
pub fn read(path: &Path) -> Result<Arc<str>, String> {
    let fault = |why: String| format!("read the mock file {}: {why}", path.display());
    let size = std::fs::metadata(path).map_err(|error| fault(error.to_string()))?.len();
    if size > MOST {
        return Err(fault(format!("it has {size} bytes, and {MOST} are the most that is read")));
    }
    std::fs::read_to_string(path).map(Arc::from).map_err(|error| fault(error.to_string()))
}

/// Writes a mock file that still says `was`, whole or not at all; gives what it says now. The error fits after
/// "failed to".
pub fn write(path: &Path, was: &str, text: &str) -> Result<Arc<str>, String> {
    let fault = |why: &str| format!("write the mock file {}: {why}", path.display());
    if *read(path)? != *was {
        return Err(fault("it was changed by somebody else since it was read; look at it again"));
    }
    // Beside it and then in its place, through a link as an editor does.
    let real = std::fs::canonicalize(path).map_err(|error| fault(&error.to_string()))?;
    let mut beside = real.clone().into_os_string();
    beside.push(format!(".{}.new", std::process::id()));
    let written = std::fs::write(&beside, text)
        .and_then(|()| std::fs::set_permissions(&beside, std::fs::metadata(&real)?.permissions()))
        .and_then(|()| std::fs::rename(&beside, &real));
    if let Err(error) = written {
        // Nothing is left of the attempt; that it cannot be removed changes nothing.
        let _ = std::fs::remove_file(&beside);
        return Err(fault(&error.to_string()));
    }
    Ok(Arc::from(text))
}

/// Writes a mock file that is not there yet. The error fits after "failed to".
pub fn create(path: &Path, text: &str) -> Result<(), String> {
    let fault = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            format!("write the mock file {}: it is there already; give another name", path.display())
        }
        _ => format!("write the mock file {}: {error}", path.display()),
    };
    let mut file = std::fs::File::create_new(path).map_err(fault)?;
    file.write_all(text.as_bytes()).map_err(fault)
}

#[cfg(test)]
mod tests {
    use super::{create, read, write};

    #[test]
    fn a_file_is_written_only_where_it_says_what_was_read() {
        let folder = std::env::temp_dir().join(format!("midwire-mock-file-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("a.mock.toml");
        std::fs::write(&path, "name = 1\n").expect("a file");
        assert_eq!(&*read(&path).expect("it is there"), "name = 1\n");
        assert_eq!(&*write(&path, "name = 1\n", "name = 2\n").expect("it is as read"), "name = 2\n");
        let why = write(&path, "name = 1\n", "name = 3\n").expect_err("it has changed");
        assert!(why.contains("changed by somebody else"), "{why}");
        assert_eq!(&*read(&path).expect("it is there"), "name = 2\n");
        assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 1, "nothing else is left");
        assert!(create(&path, "x").expect_err("it is there").contains("give another name"));
        assert!(read(&folder.join("none")).expect_err("none").starts_with("read the mock file"));
        std::fs::remove_dir_all(&folder).expect("ours");
    }
}
