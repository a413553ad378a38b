//! A shelf of ready-made frames that are broken on purpose, or legal and often mistaken: each with what it tries and
//! what the specification expects of a server that gets it. Pure text; who sends them is elsewhere.

mod build;
mod frames;

pub use build::Ground;
pub use frames::shelf;

/// What a frame is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    /// Its `id`.
    Id,
    /// The members of JSON-RPC.
    Envelope,
    /// Arrays of messages.
    Batch,
    /// Lines and their bytes.
    Framing,
    /// The JSON itself.
    Json,
    /// What MCP says about a message that JSON-RPC has nothing against.
    Protocol,
    /// Header fields of HTTP.
    Http,
}

impl Group {
    /// Every group with its title.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Id, "Ids"),
        (Self::Envelope, "Envelope"),
        (Self::Batch, "Batches"),
        (Self::Framing, "Lines and bytes"),
        (Self::Json, "JSON"),
        (Self::Protocol, "Protocol"),
        (Self::Http, "Header fields"),
    ];
}

/// Where a frame makes sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// Anywhere.
    Anywhere,
    /// On the pipes of a process.
    Stdio,
    /// On HTTP.
    Http,
    /// In 2026-07-28.
    Modern,
    /// In 2026-07-28 on HTTP.
    ModernHttp,
    /// In the four revisions before it.
    Legacy,
}

/// A frame of the shelf.
#[derive(Debug, Clone, Copy)]
pub struct Nasty {
    /// What to call it on a command line: lower-case words with hyphens.
    pub name: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// What it is about.
    pub group: Group,
    /// Where it makes sense.
    pub place: Place,
    /// What it tries, in a sentence.
    pub tries: &'static str,
    /// What is expected of the server, in a sentence, with the rules by their ids.
    pub expects: &'static str,
    /// Whether a line end belongs behind it on stdio.
    pub ends: bool,
    make: build::Make,
}

impl Nasty {
    /// Its bytes, without the line end that [`Nasty::ends`] speaks of.
    pub fn bytes(&self, ground: &Ground) -> Vec<u8> {
        self.make.bytes(ground)
    }

    /// The header fields that it has on HTTP beside or instead of the client's own.
    pub fn fields(&self, ground: &Ground) -> Vec<(String, String)> {
        self.make.fields(ground)
    }

    /// Whether it makes sense on this ground.
    pub const fn suits(&self, ground: &Ground) -> bool {
        match self.place {
            Place::Anywhere => true,
            Place::Stdio => !ground.http,
            Place::Http => ground.http,
            Place::Modern => ground.modern,
            Place::ModernHttp => ground.modern && ground.http,
            Place::Legacy => !ground.modern,
        }
    }
}

/// The frame of this name.
pub fn named(name: &str) -> Option<&'static Nasty> {
    shelf().find(|nasty| nasty.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Ground, Group, named, shelf};
    use crate::wire::{Frame, Json, read};

    fn ground(modern: bool, http: bool) -> Ground {
        let revision = if modern { "2026-07-28" } else { "2025-11-25" };
        Ground {
            modern,
            http,
            revision: revision.to_owned(),
            id: 9_001,
            identity: "{}".to_owned(),
            capabilities: "{}".to_owned(),
        }
    }

    #[test]
    fn each_frame_says_what_it_tries_and_what_is_expected_by_which_rule() {
        let mut names = HashSet::new();
        let rule = |text: &str| {
            text.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '-').any(|word| {
                word.len() == 6 && word.as_bytes()[2] == b'-' && word[3..].bytes().all(|byte| byte.is_ascii_digit())
            })
        };
        for nasty in shelf() {
            assert!(names.insert(nasty.name), "{} is there twice", nasty.name);
            assert!(nasty.tries.ends_with('.') && nasty.expects.ends_with('.'), "{}", nasty.name);
            assert!(rule(nasty.expects), "{} names no rule: {}", nasty.name, nasty.expects);
            for (modern, http) in [(false, false), (false, true), (true, false), (true, true)] {
                let ground = ground(modern, http);
                let bytes = nasty.bytes(&ground);
                assert!(!bytes.is_empty(), "{}", nasty.name);
                assert!(bytes.len() < 5 << 20, "{} has {} bytes", nasty.name, bytes.len());
            }
        }
        for (group, title) in Group::ALL {
            assert!(shelf().any(|nasty| nasty.group == group), "nothing under {title}");
        }
        assert!(named("id-null").is_some() && named("no such").is_none());
    }

    #[test]
    fn frames_are_broken_where_they_say_and_nowhere_else() {
        let legacy = ground(false, false);
        let of = |name: &str| named(name).expect("a frame").bytes(&legacy);
        for nasty in shelf().filter(|nasty| matches!(nasty.group, Group::Id | Group::Envelope | Group::Protocol)) {
            for line in nasty.bytes(&legacy).split(|byte| *byte == b'\n') {
                assert!(Json::parse(line).is_ok(), "{} is to be JSON", nasty.name);
            }
        }
        assert!(Json::parse(&of("id-null")).expect("JSON").get("id").expect("an id").is_null());
        assert!(Json::parse(&of("id-missing")).expect("JSON").get("id").is_none());
        assert!(Json::parse(&of("half-a-line")).is_err());
        assert!(Json::parse(&of("two-on-a-line")).is_err());
        assert!(of("bom").starts_with(b"\xEF\xBB\xBF"));
        assert!(std::str::from_utf8(&of("not-utf8")).is_err());
        assert!(of("nul-byte").contains(&0));
        assert!(matches!(read(&of("batch")), Frame::Batch { .. }));
        let digits = of("big-integer");
        assert!(digits.windows(16).any(|part| part == b"9007199254740993"));
    }

    #[test]
    fn a_modern_server_gets_its_meta_unless_that_is_what_is_tried() {
        let modern = ground(true, true);
        let version = |name: &str| {
            let bytes = named(name).expect("a frame").bytes(&modern);
            let json = Json::parse(&bytes).expect("JSON");
            let meta = json.pointer("/params/_meta/io.modelcontextprotocol~1protocolVersion");
            meta.and_then(|it| it.text()).map(std::borrow::Cow::into_owned)
        };
        assert_eq!(version("id-string").as_deref(), Some("2026-07-28"));
        assert_eq!(version("no-meta"), None);
        assert_eq!(version("wrong-version").as_deref(), Some("1900-01-01"));
        let fields = named("wrong-method-field").expect("a frame").fields(&modern);
        assert!(fields.iter().any(|(name, value)| name == "Mcp-Method" && value == "prompts/list"));
        assert!(!named("no-meta").expect("a frame").suits(&ground(false, true)));
    }
}
