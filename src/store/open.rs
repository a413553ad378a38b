//! Finds out what a file is and opens it for reading: a sound recording, one whose writer lives or was
//! killed, one in a folder that cannot be written, a damaged one, a newer one, or something else.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, ffi};

use super::schema::{APPLICATION_ID, FORMAT};
use super::{OpenError, reader};

/// How long a reader waits while the writer makes, recovers or closes the file.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often it is tried again to reach what lies beside the file, and how long is waited before.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(20);

/// The first bytes of every SQLite file.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// A recording that is open for reading.
#[derive(Debug)]
pub struct Opened {
    /// The connection.
    pub connection: Connection,
    /// What a person should know.
    pub warnings: Vec<String>,
    /// Whether parts of the file are missing.
    pub damaged: bool,
}

/// Opens `path` for reading.
pub fn open(path: &Path) -> Result<Opened, OpenError> {
    let header = look(path)?;
    match shared(path, &header) {
        Ok(connection) => accept(path, connection, Vec::new(), false),
        Err(Fault::Damage(_)) => salvage(path, &header),
        Err(Fault::Shared(_)) => alone(path, &header),
        Err(Fault::Other(source)) => Err(OpenError::Sqlite { path: path.to_owned(), source }),
    }
}

/// Opens a file that others may write. While its writer dies or closes it, what lies beside it may be
/// out of reach for a moment, and without that the end of the recording would seem to be missing.
fn shared(path: &Path, header: &Header) -> Result<Connection, Fault> {
    for _ in 0..TRIES {
        match attempt(path, Access::Shared) {
            Err(Fault::Shared(_)) if header.wal > 0 => std::thread::sleep(PAUSE),
            other => return other,
        }
    }
    attempt(path, Access::Shared)
}

/// How the file is shared with others while it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    /// With the locks and the shared memory of WAL.
    Shared,
    /// Without any: nothing can be written next to the file, so nobody writes it.
    Immutable,
    /// Shared, and pages that the file should have but has not do not count.
    Salvage,
}

/// Why an attempt failed, as far as it decides what is tried next.
enum Fault {
    /// The content is not what it should be.
    Damage(rusqlite::Error),
    /// What several connections need next to the file cannot be made.
    Shared(rusqlite::Error),
    /// Anything else.
    Other(rusqlite::Error),
}

impl From<rusqlite::Error> for Fault {
    fn from(source: rusqlite::Error) -> Self {
        match source.sqlite_error_code() {
            _ if is_damage(&source) => Self::Damage(source),
            Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly) => Self::Shared(source),
            _ => Self::Other(source),
        }
    }
}

/// Whether SQLite says that the file's content is wrong, rather than that it cannot be reached.
pub fn is_damage(source: &rusqlite::Error) -> bool {
    const SHORT: i32 = ffi::SQLITE_IOERR_SHORT_READ;
    match source {
        rusqlite::Error::SqliteFailure(error, _) => {
            matches!(error.code, ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) || error.extended_code == SHORT
        }
        _ => false,
    }
}

/// What the file itself says before SQLite is asked.
struct Header {
    length: u64,
    page_size: u64,
    pages: u64,
    wal: u64,
}

impl Header {
    /// Whether bytes at the end are missing. Only the WAL knows the size while there is one.
    fn is_cut(&self) -> bool {
        self.wal == 0 && self.length < self.page_size * self.pages
    }
}

/// Tells files that are certainly no recordings from those that SQLite is asked about.
fn look(path: &Path) -> Result<Header, OpenError> {
    let owned = || path.to_owned();
    let unreadable = |source: std::io::Error| match source.kind() {
        std::io::ErrorKind::NotFound => OpenError::Missing { path: owned() },
        _ => OpenError::Unreadable { path: owned(), source },
    };
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(OpenError::Folder { path: owned() });
    }
    if !metadata.is_file() {
        return Err(OpenError::NotSqlite { path: owned() });
    }
    if metadata.len() == 0 {
        return Err(OpenError::Empty { path: owned() });
    }
    let mut head = Vec::new();
    File::open(path).and_then(|file| file.take(100).read_to_end(&mut head)).map_err(unreadable)?;
    if !head.starts_with(MAGIC) {
        return Err(OpenError::NotSqlite { path: owned() });
    }
    if head.len() < 100 {
        let why = format!("only {} bytes of it are there", head.len());
        return Err(OpenError::Damaged { path: owned(), why });
    }
    let page_size = match u64::from(head[16]) << 8 | u64::from(head[17]) {
        1 => 65536,
        size => size,
    };
    let pages = head[28..32].iter().fold(0, |pages, byte| pages << 8 | u64::from(*byte));
    let wal = fs::metadata(beside(path, "-wal")).map_or(0, |wal| wal.len());
    Ok(Header { length: metadata.len(), page_size, pages, wal })
}

/// The file that SQLite keeps beside a recording.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Opens and reads a little, since SQLite does nothing before the first query.
fn attempt(path: &Path, access: Access) -> Result<Connection, Fault> {
    let mut flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = if access == Access::Immutable {
        flags |= OpenFlags::SQLITE_OPEN_URI;
        Connection::open_with_flags(address(path), flags)?
    } else {
        Connection::open_with_flags(plain(path), flags)?
    };
    connection.busy_timeout(PATIENCE)?;
    // The file may come from anybody: nothing in it may call functions, and cells are checked.
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    if access == Access::Salvage {
        // SQLite refuses a file that is shorter than its header says, except in this state.
        connection.pragma_update(None, "writable_schema", true)?;
    }
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(connection)
}

/// The path as SQLite takes it: a relative one that begins like an address must not be read as one.
pub fn plain(path: &Path) -> PathBuf {
    if path.is_relative() { Path::new(".").join(path) } else { path.to_owned() }
}

/// The address by which SQLite opens a file that nobody can change.
fn address(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut address = String::from("file://");
    let bytes = absolute.as_os_str().as_encoded_bytes();
    if !bytes.starts_with(b"/") {
        address.push('/');
    }
    for byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b':' | b'.' | b'-' | b'_' => {
                address.push(char::from(*byte));
            }
            b'\\' if cfg!(windows) => address.push('/'),
            _ => address.extend(format!("%{byte:02X}").chars()),
        }
    }
    address + "?immutable=1"
}

/// Opens a file next to which nothing can be made. Its WAL cannot be read then.
fn alone(path: &Path, header: &Header) -> Result<Opened, OpenError> {
    let mut warnings = Vec::new();
    if header.wal > 0 {
        warnings.push(format!(
            "the end of the recording is in {}, which can only be read in a folder that may be written: copy both files to one",
            beside(path, "-wal").display()
        ));
    }
    match attempt(path, Access::Immutable) {
        Ok(connection) => accept(path, connection, warnings, false),
        Err(Fault::Damage(source)) => Err(OpenError::Damaged { path: path.to_owned(), why: source.to_string() }),
        Err(Fault::Shared(source) | Fault::Other(source)) => Err(OpenError::Sqlite { path: path.to_owned(), source }),
    }
}

/// Opens a damaged file for what can be read of it.
fn salvage(path: &Path, header: &Header) -> Result<Opened, OpenError> {
    let mut warnings = Vec::new();
    if header.is_cut() {
        let whole = header.page_size * header.pages;
        warnings.push(format!("the file is cut off: {} of {whole} bytes are there", header.length));
    }
    match attempt(path, Access::Salvage) {
        Ok(connection) => accept(path, connection, warnings, true),
        Err(Fault::Damage(source) | Fault::Shared(source) | Fault::Other(source)) => {
            Err(OpenError::Damaged { path: path.to_owned(), why: source.to_string() })
        }
    }
}

/// The application's mark, the format's number and how many tables there are; all at one moment, since
/// a recorder may be writing them just now.
fn marks(connection: &Connection) -> rusqlite::Result<(i64, i64, i64)> {
    let moment = connection.unchecked_transaction()?;
    let number = |pragma: &str| moment.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let things = moment.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0)).unwrap_or(0);
    Ok((number("application_id")?, number("user_version")?, things))
}

/// Checks that it is a recording, and one whose format we can read.
fn accept(path: &Path, connection: Connection, mut warnings: Vec<String>, damaged: bool) -> Result<Opened, OpenError> {
    let path = || path.to_owned();
    let (application, format, things) =
        marks(&connection).map_err(|source| OpenError::Sqlite { path: path(), source })?;
    if application == 0 && things == 0 {
        return Err(OpenError::Empty { path: path() });
    }
    if application != i64::from(APPLICATION_ID) {
        return Err(OpenError::NotRecording { path: path() });
    }
    let newer = format > i64::from(FORMAT);
    if let Err(source) = reader::try_tables(&connection) {
        return Err(if newer {
            OpenError::Newer { path: path(), found: format as u32 }
        } else {
            OpenError::Damaged { path: path(), why: source.to_string() }
        });
    }
    if newer {
        warnings.push(format!(
            "the recording has format {format}, newer than the {FORMAT} of this midwire: what is new in it is not shown; update midwire to see it"
        ));
    }
    Ok(Opened { connection, warnings, damaged })
}
