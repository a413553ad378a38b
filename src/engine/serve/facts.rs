//! What the recording of a server says of it.

use super::{Front, Options, Source};
use crate::model::{Nanos, Recording, Role, Transport};
use crate::peer::server::Script;
use crate::wire::Json;

/// The facts about a recording that begins at `started`; `url` is where clients are pointed at.
pub fn of(options: &Options, script: &dyn Script, url: Option<&str>, started: Nanos) -> Recording {
    Recording {
        name: name(options, script),
        role: Role::Server,
        transport: if options.front == Front::Stdio { Transport::Stdio } else { Transport::HttpRequest },
        command: Vec::new(),
        left_out: 0,
        url: url.map(str::to_owned),
        directory: std::env::current_dir().ok().map(|folder| folder.to_string_lossy().into_owned()),
        host: None,
        recorder: std::process::id(),
        program: env!("CARGO_PKG_VERSION").to_owned(),
        started,
        ended: None,
        lost: 0,
    }
}

/// What it is called: as the user said, as the server says, as its file is called.
fn name(options: &Options, script: &dyn Script) -> String {
    let said = || {
        let json = Json::parse(script.about().identity.as_bytes()).ok()?;
        json.get("name")?.text().map(std::borrow::Cow::into_owned).filter(|name| !name.trim().is_empty())
    };
    let file = || match &options.source {
        Source::Mock(path) => Some(path.file_stem()?.to_string_lossy().into_owned()),
        Source::Recordings(paths) => Some(paths.first()?.file_stem()?.to_string_lossy().into_owned()),
        Source::Nothing => None,
    };
    options.name.clone().or_else(said).or_else(file).unwrap_or_else(|| "server".to_owned())
}
