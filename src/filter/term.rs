//! One question about one fact.

use std::fmt;

use super::facts::{Facts, Is};
use super::lex::Value;
use super::name::Name;
use super::pattern::quoted;
use super::quantity::{self, Operator};
use super::word::{Measure, Word, nearest};
use crate::model::{ChannelId, Era, Id, Side, Transport};

/// A question about a fact, ready to be asked of a million rows.
#[derive(Debug, Clone)]
pub(super) enum Term {
    Is(Is, &'static str),
    From(Side),
    Era(Era),
    Number {
        word: Word,
        measure: Measure,
        operator: Operator,
        number: i64,
    },
    Id {
        text: Box<str>,
        only_string: bool,
        number: Option<Id>,
    },
    Name {
        word: Word,
        name: Name,
    },
    /// A status that begins with these digits, as in `4*`.
    Hundred {
        text: Box<str>,
        from: i64,
        to: i64,
    },
    Channel(ChannelId),
    Transport(Transport, &'static str),
}

/// The transports by their words.
const TRANSPORTS: [(Transport, &str); 4] = [
    (Transport::Stdio, "stdio"),
    (Transport::HttpRequest, "request"),
    (Transport::HttpStream, "stream"),
    (Transport::HttpSse, "sse"),
];

impl Term {
    /// The term that is written `word`, `operator`, `value`; the message says what is wrong with it.
    pub(super) fn new(word: Word, operator: Option<Operator>, value: Value) -> Result<Self, String> {
        if let Some(measure) = word.measure() {
            return Self::number(word, measure, operator.unwrap_or(Operator::Equal), value);
        }
        if operator.is_some_and(|operator| operator != Operator::Equal) {
            return Err(format!("`{}` is not a number to compare; write `{}`", word.text(), word.example()));
        }
        match word {
            Word::Is => is(&value),
            Word::From => from(&value),
            Word::Era => era(&value),
            Word::Id => id(value),
            Word::Channel => channel(&value),
            _ => Ok(Self::Name { word, name: Name::new(value)? }),
        }
    }

    fn number(word: Word, measure: Measure, operator: Operator, value: Value) -> Result<Self, String> {
        let Value::Bare(text) = value else {
            return Err(format!("`{}` needs a number, as in `{}`", word.text(), word.example()));
        };
        let starts_like_a_number = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
        if matches!(word, Word::Code | Word::Status) && !starts_like_a_number && operator == Operator::Equal {
            return is(&Value::Bare(text));
        }
        if word == Word::Status
            && operator == Operator::Equal
            && let Some((from, to)) = hundred(&text)
        {
            return Ok(Self::Hundred { text: text.into(), from, to });
        }
        let number = quantity::parse(&text, measure)?;
        Ok(Self::Number { word, measure, operator, number })
    }

    /// A rank: bits, then numbers, then names, then expressions.
    pub(super) const fn cost(&self) -> u8 {
        match self {
            Self::Is(..) | Self::From(_) | Self::Era(_) | Self::Channel(_) | Self::Transport(..) => 0,
            Self::Number { .. } | Self::Hundred { .. } => 1,
            Self::Id { .. } => 2,
            Self::Name { name, .. } if name.is_plain() => 3,
            Self::Name { .. } => 4,
        }
    }

    pub(super) fn matches(&self, facts: &Facts<'_>) -> bool {
        match self {
            Self::Is(is, _) => facts.is.has(*is),
            Self::From(side) => facts.from == Some(*side),
            Self::Era(era) => facts.era == Some(*era),
            Self::Channel(channel) => facts.channel == Some(*channel),
            Self::Transport(transport, _) => facts.transport == Some(*transport),
            Self::Hundred { from, to, .. } => {
                facts.status.is_some_and(|status| (*from..=*to).contains(&i64::from(status)))
            }
            Self::Number { word, operator, number, .. } => {
                fact(*word, facts).is_some_and(|fact| operator.holds(fact, *number))
            }
            Self::Id { text, only_string, number } => facts.id.is_some_and(|id| match id {
                Id::String(sent) => sent == text,
                _ if *only_string => false,
                Id::Number(_) => Some(id) == number.as_ref(),
                Id::Null => &**text == "null",
                Id::Other(sent) => sent == text,
            }),
            Self::Name { word: Word::Rule, name } => facts.rules.iter().any(|rule| name.matches(rule)),
            Self::Name { word, name } => named(*word, facts).is_some_and(|fact| name.matches(fact)),
        }
    }
}

/// The number that a word asks about.
fn fact(word: Word, facts: &Facts<'_>) -> Option<i64> {
    let count = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    match word {
        Word::Code => facts.code,
        Word::Latency => facts.latency,
        Word::Size => Some(count(facts.size)),
        Word::Tokens => facts.tokens.map(count),
        Word::Time => Some(facts.since_start),
        Word::Seq => Some(count(facts.seq)),
        Word::Rounds => Some(facts.rounds.into()),
        Word::Status => facts.status.map(i64::from),
        _ => None,
    }
}

/// The name that a word asks about.
fn named<'a>(word: Word, facts: &Facts<'a>) -> Option<&'a str> {
    let about = |methods: &[&str]| methods.iter().any(|start| facts.method.starts_with(start));
    match word {
        Word::Method => Some(facts.method).filter(|method| !method.is_empty()),
        Word::Tool => facts.tool,
        Word::Subject => facts.subject,
        Word::Uri => facts.subject.filter(|_| about(&["resources/", "notifications/resources/"])),
        Word::Prompt => facts.subject.filter(|_| about(&["prompts/"])),
        Word::Revision => facts.revision,
        Word::Session => facts.session,
        _ => None,
    }
}

/// The plain text of a value; a regular expression is none.
fn plain(value: &Value, word: Word) -> Result<&str, String> {
    match value {
        Value::Bare(text) | Value::Quoted(text) => Ok(text),
        Value::Regex(..) => Err(format!("`{}` takes no regular expression; write `{}`", word.text(), word.example())),
    }
}

fn is(value: &Value) -> Result<Term, String> {
    let text = plain(value, Word::Is)?;
    let known = Is::ALL.iter().find(|(_, word, _)| word.eq_ignore_ascii_case(text));
    if let Some((is, word, _)) = known {
        return Ok(Term::Is(*is, word));
    }
    era_of(text).map(Term::Era).ok_or_else(|| {
        let words = || Is::ALL.iter().map(|(_, word, _)| *word).chain(["legacy", "modern"]);
        match nearest(text, words()) {
            Some(near) => format!("nothing is `{text}`; did you mean `is:{near}`?"),
            None => format!("nothing is `{text}`; it can be {}", words().collect::<Vec<_>>().join(", ")),
        }
    })
}

fn from(value: &Value) -> Result<Term, String> {
    match plain(value, Word::From)?.to_ascii_lowercase().as_str() {
        "client" | "host" => Ok(Term::From(Side::Client)),
        "server" => Ok(Term::From(Side::Server)),
        other => Err(format!("nothing comes from `{other}`; write `from:client` or `from:server`")),
    }
}

fn era(value: &Value) -> Result<Term, String> {
    let text = plain(value, Word::Era)?;
    era_of(text).map(Term::Era).ok_or_else(|| format!("there is no era `{text}`; write `era:legacy` or `era:modern`"))
}

fn channel(value: &Value) -> Result<Term, String> {
    let text = plain(value, Word::Channel)?;
    if let Ok(number) = text.parse() {
        return Ok(Term::Channel(number));
    }
    let known = TRANSPORTS.iter().find(|(_, word)| word.eq_ignore_ascii_case(text));
    known.map(|(transport, word)| Term::Transport(*transport, word)).ok_or_else(|| {
        format!("there is no channel `{text}`; write its number, or `stdio`, `request`, `stream` or `sse`")
    })
}

/// The statuses that begin as `4*`, `4xx` or `40*` say.
fn hundred(text: &str) -> Option<(i64, i64)> {
    let digits = text.trim_end_matches(['*', 'x', 'X']);
    let rest = u32::try_from(3_usize.checked_sub(digits.len())?).ok()?;
    let begun: i64 = digits.parse().ok().filter(|_| digits.len() < text.len() && rest > 0)?;
    let scale = 10_i64.pow(rest);
    Some((begun * scale, begun * scale + scale - 1))
}

fn era_of(text: &str) -> Option<Era> {
    [Era::Legacy, Era::Modern].into_iter().find(|era| era.word().eq_ignore_ascii_case(text))
}

/// An id without quotes is a number or a string, one with quotes a string.
fn id(value: Value) -> Result<Term, String> {
    plain(&value, Word::Id)?;
    let (text, only_string) = match value {
        Value::Bare(text) => (text, false),
        Value::Quoted(text) | Value::Regex(text, _) => (text, true),
    };
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || c == '-') && text.parse::<f64>().is_ok();
    let number = (is_number && !only_string).then(|| Id::number(&text));
    Ok(Term::Id { text: text.into(), only_string, number })
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Is(_, word) => write!(f, "is:{word}"),
            Self::From(side) => write!(f, "from:{}", side.word()),
            Self::Era(era) => write!(f, "era:{}", era.word()),
            Self::Number { word, measure, operator, number } => {
                let colon = if *operator == Operator::Equal { ":".to_owned() } else { operator.to_string() };
                write!(f, "{}{colon}{}", word.text(), quantity::print(*number, *measure))
            }
            Self::Id { text, only_string: true, .. } => write!(f, "id:{}", quoted(text)),
            Self::Id { text, .. } => write!(f, "id:{text}"),
            Self::Name { word, name } => write!(f, "{}:{name}", word.text()),
            Self::Hundred { text, .. } => write!(f, "status:{text}"),
            Self::Channel(channel) => write!(f, "channel:{channel}"),
            Self::Transport(_, word) => write!(f, "channel:{word}"),
        }
    }
}
