//! What the recording of a session says of it, without its secrets.

use super::{Options, Target, Way};
use crate::engine::proxy::plan::masked;
use crate::engine::record::secrets;
use crate::engine::tap::naming;
use crate::model::{Nanos, Recording, Role, Transport};

/// The command as it may be shown, or the URL.
pub fn shown(target: &Target) -> String {
    match &target.way {
        Way::Command { command, .. } => secrets::mask(command).0.join(" "),
        Way::Url { url, .. } => masked(url, false),
    }
}

/// The facts about a recording that begins at `started`.
pub fn of(options: &Options, started: Nanos) -> Recording {
    let ours = || std::env::current_dir().ok().map(|folder| folder.to_string_lossy().into_owned());
    let mut facts = Recording {
        name: options.target.name.clone(),
        role: Role::Client,
        transport: Transport::Stdio,
        command: Vec::new(),
        left_out: 0,
        url: None,
        directory: None,
        host: None,
        recorder: std::process::id(),
        program: env!("CARGO_PKG_VERSION").to_owned(),
        started,
        ended: None,
        lost: 0,
    };
    match &options.target.way {
        Way::Command { command, folder, .. } => {
            facts.directory = folder.as_ref().map(|folder| folder.to_string_lossy().into_owned()).or_else(ours);
            let fallback = || naming::of(command);
            facts.name = Some(facts.name).filter(|name| !name.is_empty()).unwrap_or_else(fallback);
            (facts.command, facts.left_out) =
                if options.keep_secrets { (command.clone(), 0) } else { secrets::mask(command) };
        }
        Way::Url { url, .. } => {
            facts.transport = Transport::HttpRequest;
            facts.directory = ours();
            facts.url = Some(masked(url, options.keep_secrets));
            let fallback = || host(url);
            facts.name = Some(facts.name).filter(|name| !name.is_empty()).unwrap_or_else(fallback);
        }
    }
    facts
}

/// Host and port of a URL, which is what its recording is called.
fn host(text: &str) -> String {
    let Ok(url) = url::Url::parse(text.trim()) else { return "server".to_owned() };
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}{port}", url.host_str().unwrap_or("server"))
}

#[cfg(test)]
mod tests {
    use super::{Options, Way, of};
    use crate::engine::client::Target;
    use crate::transport::http::Trust;

    #[test]
    fn a_recording_says_who_was_spoken_to_and_no_secret() {
        let command = ["npx", "-y", "@x/notes", "--token", "s3cret"].map(str::to_owned).to_vec();
        let way =
            Way::Command { command, folder: Some("/srv".into()), environment: super::super::Environment::default() };
        let facts = of(&Options::new(Target { way, ..Target::default() }), 1);
        assert_eq!((facts.name.as_str(), facts.left_out, facts.directory.as_deref()), ("notes", 1, Some("/srv")));
        assert!(!facts.command.concat().contains("s3cret"));
        let url = "https://me:pw@api.example.com:8443/mcp?api_key=s3cret".to_owned();
        let way = Way::Url { url, headers: Vec::new(), trust: Trust::default() };
        let facts = of(&Options::new(Target { way, ..Target::default() }), 1);
        assert_eq!(facts.name, "api.example.com:8443");
        assert_eq!(facts.url.as_deref(), Some("https://•••@api.example.com:8443/mcp?api_key=•••"));
    }
}
