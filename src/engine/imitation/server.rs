//! What the server of a recording was started or reached by, and what of that was left out as a secret.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use url::Url;

use super::{LOOKED, open};
use crate::engine::client::{Base, Environment, Given, Target, Way};
use crate::engine::record::secrets::MASK;
use crate::model::{EntryKind, Recording, Side};
use crate::store::Reader;
use crate::transport::http::Trust;
use crate::wire::http::Head;

/// The server of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Original {
    /// What to connect to, with `from` set. What was left out of it is a mask until it is [`Target::given`].
    pub target: Target,
    /// What was left out as a secret and must be given again, one for each mask in the order of [`Given`].
    pub missing: Vec<Missing>,
}

/// A secret that the recording does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// Where it stood: `argument 3`, `the URL`, `the header field Authorization`.
    pub place: String,
    /// What stands there, with its mask.
    pub shown: String,
    /// Whether it is a header field: a server may do without it.
    pub is_header: bool,
}

/// What the server of a recording was started or reached by. `request` is the URL of the request that it is asked for:
/// a forward proxy records the traffic of many servers, and a reverse one may have been given no path. The error fits
/// after "failed to".
///
/// # Errors
///
/// The recording cannot be read, or does not say it.
pub fn server(recording: &Path, request: Option<&str>) -> Result<Original, String> {
    let reader = open(recording)?;
    let facts = reader.recording().map_err(|error| error.to_string())?;
    let from = format!("the recording {}", recording.display());
    let Recording { name, command, url, directory, .. } = facts;
    if !command.is_empty() {
        let folder = directory.map(PathBuf::from).filter(|folder| folder.is_dir());
        let environment = Environment { base: Base::Inherit, ..Environment::default() };
        return Ok(original(name, Way::Command { command, folder, environment }, from));
    }
    // The traffic of a forward proxy has servers of several names in one recording.
    let (name, is_forward) = if url.is_some() { (name, false) } else { (String::new(), true) };
    let Some(url) = url.or_else(|| request.map(str::to_owned)) else {
        let why = "it names neither a command nor a URL, as recordings that were imported do not";
        return Err(format!("connect to the server of {}: {why}", recording.display()));
    };
    let (headers, stream) = heads(&reader, is_forward.then_some(&url))?;
    let url = endpoint(url, is_forward, request, stream.as_deref());
    Ok(original(name, Way::Url { url, headers, trust: Trust::default() }, from))
}

fn original(name: String, way: Way, from: String) -> Original {
    let mut missing = Vec::new();
    let mut look = |place: &str, shown: &str, is_header: bool| {
        for _ in shown.matches(MASK) {
            missing.push(Missing { place: place.to_owned(), shown: shown.to_owned(), is_header });
        }
    };
    match &way {
        Way::Command { command, .. } => {
            command.iter().enumerate().for_each(|(index, word)| look(&format!("argument {index}"), word, false));
        }
        Way::Url { url, headers, .. } => {
            look("the URL", url, false);
            headers.iter().for_each(|(name, value)| look(&format!("the header field {name}"), value, true));
        }
    }
    Original { target: Target { name, way, from: Some(from), given: Given::default() }, missing }
}

/// The URL of the MCP endpoint. Over HTTP+SSE requests go elsewhere, so the stream that was opened first counts.
fn endpoint(url: String, is_forward: bool, request: Option<&str>, stream: Option<&str>) -> String {
    let Ok(parsed) = Url::parse(&url) else { return url };
    if !is_forward && (parsed.path() != "/" || parsed.query().is_some()) {
        return url;
    }
    if let Some(target) = stream {
        if target.starts_with('/') {
            return format!("{}{target}", parsed.origin().ascii_serialization());
        }
        return target.to_owned();
    }
    request.map_or(url, str::to_owned)
}

/// Header fields: names and values.
type Fields = Vec<(String, String)>;

/// Fields of requests that carried credentials, with masks in the place of these; and the target of the first request,
/// where that opens a stream. Only requests to the host of `only` count, where there is one.
fn heads(reader: &Reader, only: Option<&String>) -> Result<(Fields, Option<String>), String> {
    let host = only.and_then(|url| authority(url));
    let (mut headers, mut stream, mut first, mut left) = (Fields::new(), None, true, LOOKED);
    let scanned = reader.scan(0, &mut |entry| {
        left -= 1;
        if entry.kind == EntryKind::Head && entry.side == Some(Side::Client) {
            let head = Head::read(entry.bytes);
            if host.is_none() || is_to(&head, host.as_deref()) {
                let opens = head.method() == "GET" && accepts_stream(&head);
                if std::mem::take(&mut first) && opens {
                    stream = Some(head.target().to_owned());
                }
                collect(&head, &mut headers);
            }
        }
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    scanned.map_err(|error| error.to_string())?;
    Ok((headers, stream))
}

fn collect(head: &Head, headers: &mut Fields) {
    for field in head.fields() {
        let (name, value) = (String::from_utf8_lossy(field.name), String::from_utf8_lossy(field.value));
        let known = headers.iter().any(|(other, _)| other.eq_ignore_ascii_case(&name));
        if value.contains(MASK) && !known {
            headers.push((name.into_owned(), value.into_owned()));
        }
    }
}

fn accepts_stream(head: &Head) -> bool {
    head.text("accept").is_some_and(|accept| accept.contains("text/event-stream"))
}

/// Host and port of a URL, the port only where it is not the usual one.
fn authority(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    Some(format!("{}{port}", url.host_str()?))
}

/// Whether a request is to this host: by its whole URL, else by `Host`.
fn is_to(head: &Head, host: Option<&str>) -> bool {
    let of_target = authority(head.target());
    let of_field = head.text("host").and_then(|host| authority(&format!("https://{host}")));
    of_target.or(of_field).is_some_and(|it| host.is_some_and(|host| it.eq_ignore_ascii_case(host)))
}
