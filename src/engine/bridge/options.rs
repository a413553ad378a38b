//! What a bridge is asked to do, and the facts that its recording begins with.

use std::path::PathBuf;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use url::Url;

use crate::engine::paths;
use crate::engine::record::{Plan, secrets};
use crate::engine::tap::host;
use crate::model::{Nanos, Recording, Role, Transport};
use crate::transport::http::{Origin, Trust};

/// What a bridge is asked to do.
#[derive(Debug, Clone)]
pub struct Options {
    /// What to call the server; otherwise its URL says.
    pub name: Option<String>,
    /// The folder for the recording; otherwise see [`paths::folder`].
    pub recordings: Option<PathBuf>,
    /// How long requests that run may take after the host's input has ended.
    pub grace: Duration,
    /// How many bytes of one entry are kept.
    pub max_entry: u64,
    /// Whether what looks like a secret is recorded.
    pub keep_secrets: bool,
    /// The server's URL.
    pub url: String,
    /// Whom to trust where TLS is spoken.
    pub trust: Trust,
    /// Fields added to every request; their values are never recorded.
    pub headers: Vec<(String, String)>,
}

impl Options {
    /// The server's URL, and the field that stands for credentials in it. An error fits after "failed to".
    pub fn url(&self) -> Result<(Url, Vec<(String, String)>), String> {
        let refused = |why: &str| format!("use the URL {:?}: {why}; give it as https://HOST/PATH", self.url);
        let mut url = Url::parse(&self.url).map_err(|error| refused(&error.to_string()))?;
        if Origin::of(&url).is_none() {
            return Err(refused("it is neither http nor https"));
        }
        let mut extra = Vec::new();
        if !url.username().is_empty() || url.password().is_some() {
            let credentials = format!("{}:{}", url.username(), url.password().unwrap_or_default());
            extra.push(("Authorization".to_owned(), format!("Basic {}", STANDARD.encode(credentials))));
            // Both can only fail for a URL without a host.
            let _ = (url.set_username(""), url.set_password(None));
        }
        url.set_fragment(None);
        Ok((url, extra))
    }

    /// What the recorder needs to know, put together on its own thread.
    pub fn plan(&self, url: &Url, started: Nanos) -> impl FnOnce() -> Plan + Send + 'static {
        let (options, url) = (self.clone(), url.clone());
        let parent = host::parent();
        move || {
            let name = options.name.unwrap_or_else(|| url.host_str().unwrap_or("server").to_owned());
            let words = [String::new(), url.to_string()];
            let (mut words, left_out) = if options.keep_secrets { (words.to_vec(), 0) } else { secrets::mask(&words) };
            let facts = Recording {
                name,
                role: Role::Tap,
                transport: Transport::HttpRequest,
                command: Vec::new(),
                left_out,
                url: words.pop(),
                directory: std::env::current_dir().ok().map(|folder| folder.to_string_lossy().into_owned()),
                host: parent.map(host::describe),
                recorder: std::process::id(),
                program: env!("CARGO_PKG_VERSION").to_owned(),
                started,
                ended: None,
                lost: 0,
            };
            let folder = paths::folder(options.recordings.as_deref()).map_err(|error| error.to_string());
            Plan { folder, facts, max_entry: options.max_entry, keep_secrets: options.keep_secrets }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Result<(String, usize), String> {
        let options = Options {
            name: None,
            recordings: None,
            grace: Duration::ZERO,
            max_entry: 0,
            keep_secrets: false,
            url: text.to_owned(),
            trust: Trust::default(),
            headers: Vec::new(),
        };
        options.url().map(|(url, extra)| (url.to_string(), extra.len()))
    }

    #[test]
    fn a_url_is_http_and_its_credentials_become_a_field() {
        assert_eq!(url("http://h:1/mcp/?a=b#c"), Ok(("http://h:1/mcp/?a=b".to_owned(), 0)));
        assert_eq!(url("https://me:pw@h/mcp"), Ok(("https://h/mcp".to_owned(), 1)));
        assert!(url("h/mcp").is_err_and(|why| why.contains("give it as https://HOST/PATH")));
        assert!(url("ws://h/mcp").is_err_and(|why| why.contains("neither http nor https")));
    }
}
