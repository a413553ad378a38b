//! The words that stand before a colon or a comparison, and the nearest one to a slip of the pen.

/// A word that asks about one fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Word {
    /// The method.
    Method,
    /// The tool that is called.
    Tool,
    /// What it is about.
    Subject,
    /// The URI of a resource.
    Uri,
    /// The name of a prompt.
    Prompt,
    /// The JSON-RPC id.
    Id,
    /// Who sent it.
    From,
    /// What it is and how it stands.
    Is,
    /// The code of its error.
    Code,
    /// From request to answer.
    Latency,
    /// Bytes.
    Size,
    /// Tokens.
    Tokens,
    /// The rules of its findings.
    Rule,
    /// The revision of the protocol.
    Revision,
    /// The era of the protocol.
    Era,
    /// Time since the start of the recording.
    Time,
    /// The number of the entry.
    Seq,
    /// Rounds of MRTR or polls of a task.
    Rounds,
    /// The status of the HTTP response.
    Status,
    /// A text in the heads of an HTTP request and its response.
    Header,
    /// The session of HTTP.
    Session,
    /// Where it was seen.
    Channel,
}

/// What a number measures, which says what units it may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    Time,
    Bytes,
    Count,
}

impl Word {
    /// Every word: how it is written, an example of its use, and what it asks.
    pub const ALL: &'static [(Self, &'static str, &'static str, &'static str)] = &[
        (Self::Method, "method", "method:tools/*", "the method"),
        (Self::Tool, "tool", "tool:search", "the tool that is called"),
        (Self::Subject, "subject", "subject:file:*", "the tool, URI, prompt or line"),
        (Self::Uri, "uri", "uri:file:*", "the resource's URI"),
        (Self::Prompt, "prompt", "prompt:review", "the prompt's name"),
        (Self::Id, "id", "id:3", "the JSON-RPC id; id:\"3\" is only the string"),
        (Self::From, "from", "from:client", "who sent it"),
        (Self::Is, "is", "is:error", "what it is and how it stands"),
        (Self::Code, "code", "code:-32602", "the code of its error"),
        (Self::Latency, "latency", "latency>200ms", "from request to answer (ns us ms s m)"),
        (Self::Size, "size", "size>1MB", "its bytes (B KB MB GB KiB MiB)"),
        (Self::Tokens, "tokens", "tokens>500", "its tokens"),
        (Self::Rule, "rule", "rule:JR-005", "a rule of its findings"),
        (Self::Revision, "revision", "revision:2025-11-25", "the revision by which it is read"),
        (Self::Era, "era", "era:modern", "legacy or modern"),
        (Self::Time, "time", "time>1m", "time since the start of the recording"),
        (Self::Seq, "seq", "seq>100", "the number of the entry"),
        (Self::Rounds, "rounds", "rounds>1", "rounds of one operation"),
        (Self::Status, "status", "status>=400", "the HTTP status; status:4* is any from 400 to 499"),
        (Self::Header, "header", "header:mcp-session-id", "a text in the HTTP heads, in either case"),
        (Self::Session, "session", "session:1868a90c*", "the Mcp-Session-Id"),
        (Self::Channel, "channel", "channel:stream", "a channel's number, or stdio, request, stream, sse"),
    ];

    /// Other ways to write a word.
    const ALSO: &'static [(&'static str, Self)] =
        &[("duration", Self::Latency), ("bytes", Self::Size), ("resource", Self::Uri), ("head", Self::Header)];

    /// The word that is written `text`.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        let also = || Self::ALSO.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, word)| *word);
        Self::ALL.iter().find(|(_, name, ..)| name.eq_ignore_ascii_case(text)).map(|(word, ..)| *word).or_else(also)
    }

    /// How it is written, with an example.
    fn row(self) -> (&'static str, &'static str) {
        Self::ALL.iter().find(|(word, ..)| *word == self).map_or(("", ""), |(_, name, example, _)| (*name, *example))
    }

    /// How it is written.
    pub fn text(self) -> &'static str {
        self.row().0
    }

    /// An example of its use.
    pub fn example(self) -> &'static str {
        self.row().1
    }

    /// What its number measures; `None` for words that ask about a name.
    pub(super) const fn measure(self) -> Option<Measure> {
        match self {
            Self::Latency | Self::Time => Some(Measure::Time),
            Self::Size => Some(Measure::Bytes),
            Self::Code | Self::Tokens | Self::Seq | Self::Rounds | Self::Status => Some(Measure::Count),
            _ => None,
        }
    }
}

/// The candidate nearest to a mistyped `text`, when one is near enough to be meant.
pub(super) fn nearest<'a>(text: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let text = text.to_ascii_lowercase();
    let best = candidates.map(|candidate| (distance(text.as_bytes(), candidate.as_bytes()), candidate)).min()?;
    (best.0 <= 1 + text.len() / 4 && best.0 < text.len()).then_some(best.1)
}

/// How many letters must be put in, taken out, changed or swapped with their neighbour.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut rows = [vec![0; b.len() + 1], (0..=b.len()).collect::<Vec<_>>(), vec![0; b.len() + 1]];
    for i in 1..=a.len().min(32) {
        let [before, last, row] = &mut rows;
        row[0] = i;
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = change.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        rows.rotate_left(1);
    }
    rows[1][b.len()] + a.len().saturating_sub(32)
}
