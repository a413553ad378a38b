//! The words that say how the client behaves.

use clap::{Args, ValueEnum};

use super::{json, seconds};
use crate::cli::failure::Failure;
use crate::model::Revision;
use crate::peer::client::{EraChoice, Reply, Settings};
use crate::wire::{Json, JsonKind};

/// Which era is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Era {
    /// Ask with server/discover, fall back to initialize
    Auto,
    /// initialize at once
    Legacy,
    /// 2026-07-28, without falling back
    Modern,
}

/// How the client behaves.
#[derive(Debug, Args)]
#[command(next_help_heading = "Client")]
pub(in crate::cli) struct Manner {
    /// Which era to speak
    #[arg(long, value_enum, default_value_t = Era::Auto, hide_possible_values = true, value_name = "auto|legacy|modern")]
    era: Era,
    /// Speak this revision and no other, such as 2025-06-18; any text is sent
    #[arg(long, value_name = "DATE", conflicts_with = "era")]
    revision: Option<String>,
    /// Who to say we are (clientInfo): JSON, @FILE or -
    #[arg(long, value_name = "JSON")]
    client_info: Option<String>,
    /// Capabilities to declare: JSON, @FILE or -
    #[arg(long, value_name = "JSON")]
    capabilities: Option<String>,
    /// Take identity and capabilities of the client in this recording
    #[arg(long, value_name = "RECORDING")]
    pub(in crate::cli::client) imitate: Option<String>,
    /// Seconds that a request may be without a sign of life; 0 for ever
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    timeout: f64,
    /// Seconds that a request may take in all; 0 for ever
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0)]
    max_time: f64,
    /// Progress is no sign of life
    #[arg(long)]
    no_progress_reset: bool,
    /// Send no progress token
    #[arg(long)]
    no_progress: bool,
    /// Ask for log messages from this level on: debug, info, notice, warning, error, …
    #[arg(long, value_name = "LEVEL")]
    log_level: Option<String>,
    /// Answer roots/list with these: JSON array, @FILE or - ; or a folder's path
    #[arg(long, value_name = "ROOTS")]
    roots: Option<String>,
    /// How a question of the server's is answered (repeatable); METHOD is sampling, elicitation or roots. Without it
    /// you are asked on a terminal, and elsewhere it is declined
    #[arg(long, value_name = "METHOD=JSON|@FILE|decline|made|ask")]
    answer: Vec<String>,
    /// Rounds of input that one call may take (2026-07-28)
    #[arg(long, value_name = "NUMBER", default_value_t = 10)]
    rounds: u32,
}

impl Manner {
    /// What was typed on top of `settings`, which hold what is imitated.
    pub(in crate::cli::client) fn settings(&self, mut settings: Settings) -> Result<Settings, Failure> {
        settings.era = self.era();
        if let Some(text) = &self.client_info {
            settings.identity = object(text, "--client-info")?;
        }
        if let Some(text) = &self.capabilities {
            settings.capabilities = object(text, "--capabilities")?;
        }
        settings.patience = seconds(self.timeout, "--timeout")?;
        settings.cap = seconds(self.max_time, "--max-time")?;
        settings.progress_counts = !self.no_progress_reset;
        settings.progress = !self.no_progress;
        settings.log_level.clone_from(&self.log_level);
        settings.most_rounds = self.rounds;
        if let Some(text) = &self.roots {
            settings.roots = roots(text)?;
        }
        for answer in &self.answer {
            reply(answer, &mut settings)?;
        }
        Ok(settings)
    }

    fn era(&self) -> EraChoice {
        if let Some(text) = &self.revision {
            return EraChoice::Pinned(Revision::from_text(text));
        }
        match self.era {
            Era::Auto => EraChoice::Auto,
            Era::Legacy => EraChoice::Legacy,
            Era::Modern => EraChoice::Modern,
        }
    }
}

/// Takes one `--answer`.
fn reply(word: &str, settings: &mut Settings) -> Result<(), Failure> {
    let fault = || Failure::said(format!("--answer takes METHOD=JSON, METHOD=decline, made or ask; {word:?} is none"));
    let (method, how) = word.split_once('=').ok_or_else(fault)?;
    let reply = match how {
        "ask" => Reply::Ask,
        "decline" => Reply::Decline,
        "made" => Reply::Made,
        text => Reply::Result(object(text, "--answer")?),
    };
    match method {
        "sampling" | "sampling/createMessage" => settings.sampling = reply,
        "elicitation" | "elicitation/create" => settings.elicitation = reply,
        "roots" | "roots/list" => settings.roots_reply = reply,
        _ => {
            return Err(Failure::said(format!("--answer knows sampling, elicitation and roots; {method:?} is none")));
        }
    }
    Ok(())
}

/// JSON text of an object.
fn object(text: &str, option: &str) -> Result<String, Failure> {
    let bytes = json(text, option)?;
    let is_object = Json::parse(&bytes).is_ok_and(|json| json.kind() == JsonKind::Object);
    let text = String::from_utf8(bytes).ok().filter(|_| is_object);
    text.ok_or_else(|| Failure::said(format!("{option} takes a JSON object in UTF-8")))
}

/// The array of roots: as JSON, or one folder.
fn roots(text: &str) -> Result<String, Failure> {
    if !text.starts_with(['[', '@']) && text != "-" {
        let folder = std::path::absolute(text)
            .map_err(|error| Failure::said(format!("failed to find the folder {text} of --roots: {error}")))?;
        let url = url::Url::from_file_path(&folder).map_err(|()| {
            Failure::said(format!("the folder {text} of --roots has no file: URL; give --roots a JSON array"))
        })?;
        return Ok(format!("[{{\"uri\":{}}}]", crate::wire::quote(url.as_str())));
    }
    let bytes = json(text, "--roots")?;
    let is_array = Json::parse(&bytes).is_ok_and(|json| json.kind() == JsonKind::Array);
    let text = String::from_utf8(bytes).ok().filter(|_| is_array);
    text.ok_or_else(|| Failure::said("--roots takes a JSON array of roots, or a folder"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Words {
        #[command(flatten)]
        manner: Manner,
    }

    fn settings(words: &[&str]) -> Result<Settings, String> {
        let words = Words::try_parse_from([&["midwire"], words].concat()).map_err(|error| error.to_string())?;
        words.manner.settings(Settings::default()).map_err(|failure| format!("{failure:?}"))
    }

    #[test]
    fn words_become_settings() {
        let usual = settings(&[]).expect("good words");
        assert_eq!(usual, Settings::default());
        let typed = settings(&[
            "--revision",
            "2025-06-18",
            "--timeout",
            "0",
            "--max-time",
            "1.5",
            "--no-progress",
            "--no-progress-reset",
            "--client-info",
            r#" {"name":"x","n":1.0} "#,
            "--answer",
            "sampling=decline",
            "--answer",
            r#"elicitation/create={"action":"cancel"}"#,
            "--rounds",
            "3",
            "--roots",
            r#"[{"uri":"file:///a"}]"#,
        ])
        .expect("good words");
        assert_eq!(typed.era, EraChoice::Pinned(Revision::V2025_06_18));
        assert_eq!((typed.patience, typed.cap), (None, Some(1_500_000_000)));
        assert!(!typed.progress && !typed.progress_counts);
        assert_eq!(typed.identity, r#"{"name":"x","n":1.0}"#);
        assert_eq!(typed.sampling, Reply::Decline);
        assert_eq!(typed.elicitation, Reply::Result(r#"{"action":"cancel"}"#.to_owned()));
        assert_eq!((typed.most_rounds, typed.roots.as_str()), (3, r#"[{"uri":"file:///a"}]"#));
    }

    #[test]
    fn words_that_cannot_be_say_what_can() {
        for (words, said) in [
            (&["--revision", "2025-06-18", "--era", "modern"][..], "cannot be used with"),
            (&["--timeout=-1"], "seconds"),
            (&["--client-info", "[]"], "takes a JSON object"),
            (&["--client-info", "{"], "no JSON"),
            (&["--answer", "sampling"], "--answer takes METHOD=JSON"),
            (&["--answer", "tools=ask"], "knows sampling, elicitation and roots"),
            (&["--roots", "@/no/such/file"], "failed to read /no/such/file"),
        ] {
            let fault = settings(words).expect_err("bad words");
            assert!(fault.contains(said), "{words:?}: {fault}");
        }
    }
}
