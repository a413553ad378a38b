//! The folder with the authority's files: private, and every file in it whole at any moment, whoever else
//! writes there.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::AuthorityError;

/// The folder.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Makes the folder if there is none, for the user alone (0700).
    pub(super) fn open(path: &Path) -> Result<Self, AuthorityError> {
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(path).map_err(|source| fault(path, source))?;
        restrict(path, 0o700)?;
        Ok(Self { path: path.to_owned() })
    }

    /// The path of a file in it.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// A secret file's bytes; `None` when there is none. A file that others can read is closed to them.
    pub(super) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, AuthorityError> {
        let path = self.path(name);
        match std::fs::read(&path) {
            Ok(bytes) => {
                restrict(&path, 0o600)?;
                Ok(Some(bytes))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(fault(&path, source)),
        }
    }

    /// Writes a secret file unless somebody else did first, and reads what is there then.
    pub(super) fn keep_first<T>(
        &self,
        name: &str,
        bytes: &[u8],
        read: impl FnOnce(&[u8], &Path) -> Result<T, AuthorityError>,
    ) -> Result<T, AuthorityError> {
        let path = self.path(name);
        let draft = self.draft(name, bytes, true)?;
        // A link is refused where there is a file already; a file system without links gets the second best.
        let kept = match std::fs::hard_link(&draft, &path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists && !path.exists() => {
                std::fs::rename(&draft, &path)
            }
            _ => Ok(()),
        };
        // After a rename there is nothing to remove.
        let _ = std::fs::remove_file(&draft);
        kept.map_err(|source| fault(&path, source))?;
        let bytes = self.read(name)?.ok_or_else(|| fault(&path, io::ErrorKind::NotFound.into()))?;
        read(&bytes, &path)
    }

    /// Writes a file in place of whatever was there; does nothing when it is the same already.
    pub(super) fn replace(&self, name: &str, bytes: &[u8], secret: bool) -> Result<(), AuthorityError> {
        let path = self.path(name);
        if std::fs::read(&path).is_ok_and(|there| there == bytes) {
            return Ok(());
        }
        let draft = self.draft(name, bytes, secret)?;
        std::fs::rename(&draft, &path).map_err(|source| {
            let _ = std::fs::remove_file(&draft);
            fault(&path, source)
        })
    }

    /// A file with these bytes beside the one that it will become, on the disk.
    fn draft(&self, name: &str, bytes: &[u8], secret: bool) -> Result<PathBuf, AuthorityError> {
        let serial = super::serial()?;
        let random: String = serial.to_bytes().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let path = self.path(&format!("{name}.{random}.new"));
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, if secret { 0o600 } else { 0o644 });
        #[cfg(not(unix))]
        let _ = secret;
        let written = options.open(&path).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()
        });
        written.map_err(|source| {
            let _ = std::fs::remove_file(&path);
            fault(&path, source)
        })?;
        Ok(path)
    }
}

/// Takes from others what they may do with a path. Elsewhere than on Unix a user's folders are private.
fn restrict(path: &Path, mode: u32) -> Result<(), AuthorityError> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let metadata = std::fs::metadata(path).map_err(|source| fault(path, source))?;
        if metadata.permissions().mode() & 0o077 != 0 {
            let permissions = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(path, permissions).map_err(|source| fault(path, source))?;
        }
    }
    #[cfg(not(unix))]
    let _ = (path, mode);
    Ok(())
}

fn fault(path: &Path, source: io::Error) -> AuthorityError {
    AuthorityError::Folder { path: path.to_owned(), source }
}
