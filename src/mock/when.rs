//! When a rule answers: conditions on the request and on who asks. How often they fitted is for `nth`.

use regex::Regex;

use super::keys::{TEST, nearest};
use super::reader::Reader;
use super::source::{Value, items_of, json, members, number_of, table_of};
use crate::model::Revision;
use crate::peer::server::{Asked, Bytes, Link};
use crate::schema::{canonical, compare};
use crate::wire::{Json, JsonKind, quote};

/// What the first name of a condition may be.
const ROOTS: [&str; 8] = ["arguments", "params", "variables", "client", "capabilities", "era", "link", "revision"];

/// One condition.
#[derive(Debug, Clone)]
pub(super) struct Condition {
    path: Vec<String>,
    test: Test,
}

/// What a value has to be.
#[derive(Debug, Clone)]
enum Test {
    /// JSON text.
    Equals(String),
    Matches(Regex),
    Exists(bool),
    /// A number's text.
    Min(String),
    Max(String),
    Contains(String),
    OneOf(Vec<String>),
    Not(Vec<Test>),
    Since(String),
}

/// A condition that does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Differs {
    /// The JSON pointer in `params`, or the name of what is no part of them.
    pub(super) pointer: String,
    pub(super) wanted: String,
    pub(super) got: Option<String>,
}

/// A request as conditions see it.
#[derive(Clone, Copy)]
pub(super) struct Facts<'a> {
    pub(super) asked: &'a Asked<'a>,
    pub(super) variables: &'a [(String, Bytes)],
}

/// How many of these fit before the first that does not, and that one.
pub(super) fn check(conditions: &[Condition], facts: Facts<'_>) -> Result<(), (usize, Differs)> {
    for (index, condition) in conditions.iter().enumerate() {
        condition.check(facts).map_err(|differs| (index, differs))?;
    }
    Ok(())
}

impl Condition {
    fn check(&self, facts: Facts<'_>) -> Result<(), Differs> {
        let got = self.value(facts);
        let value = got.as_deref().and_then(|json| Json::parse(json.as_bytes()).ok());
        if self.test.fits(value) {
            return Ok(());
        }
        Err(Differs { pointer: self.pointer(), wanted: self.test.says(), got })
    }

    /// The JSON text of what is looked at.
    fn value(&self, facts: Facts<'_>) -> Option<String> {
        let asked = facts.asked;
        let (root, rest) = self.path.split_first()?;
        let json = match root.as_str() {
            "era" => return Some(quote(asked.era.word())),
            "revision" => return Some(quote(asked.revision.text())),
            "link" => return Some(quote(link_word(asked.link))),
            "params" => asked.params?.to_vec(),
            "arguments" => Json::parse(asked.params?).ok()?.get("arguments")?.raw().to_vec(),
            "client" => asked.identity?.to_vec(),
            "capabilities" => asked.capabilities?.to_vec(),
            _ => {
                let (name, rest) = rest.split_first()?;
                let (_, value) = facts.variables.iter().find(|(known, _)| known == name)?;
                return walk(value, rest);
            }
        };
        let name = "name".to_owned();
        let rest = if root == "client" && rest.is_empty() { std::slice::from_ref(&name) } else { rest };
        walk(&json, rest)
    }

    fn pointer(&self) -> String {
        let escaped = |name: &String| format!("/{}", name.replace('~', "~0").replace('/', "~1"));
        let steps: String = self.path.iter().map(escaped).collect();
        match self.path.first().map(String::as_str) {
            Some("arguments") => steps,
            Some("params") => self.path[1..].iter().map(escaped).collect(),
            _ => self.path.join("."),
        }
    }
}

impl Test {
    fn fits(&self, value: Option<Json<'_>>) -> bool {
        let Some(value) = value else {
            return match self {
                Self::Exists(wanted) => !wanted,
                Self::Not(tests) => !tests.iter().all(|test| test.fits(None)),
                _ => false,
            };
        };
        let number = || value.number();
        let order = |bound: &str| number().and_then(|number| compare(number, bound));
        match self {
            Self::Equals(wanted) => same(value, wanted),
            Self::Matches(pattern) => pattern.is_match(&words(value)),
            Self::Exists(wanted) => *wanted,
            Self::Min(bound) => order(bound).is_some_and(std::cmp::Ordering::is_ge),
            Self::Max(bound) => order(bound).is_some_and(std::cmp::Ordering::is_le),
            Self::Contains(part) => contains(value, part),
            Self::OneOf(all) => all.iter().any(|wanted| same(value, wanted)),
            Self::Not(tests) => !tests.iter().all(|test| test.fits(Some(value))),
            Self::Since(first) => *words(value) >= **first,
        }
    }

    /// In words, or as JSON text.
    fn says(&self) -> String {
        match self {
            Self::Equals(wanted) => wanted.clone(),
            Self::Matches(pattern) => format!("something that matches {}", pattern.as_str()),
            Self::Exists(true) => "something".to_owned(),
            Self::Exists(false) => "nothing".to_owned(),
            Self::Min(bound) => format!("{bound} or more"),
            Self::Max(bound) => format!("{bound} or less"),
            Self::Contains(part) => format!("something that contains {part}"),
            Self::OneOf(all) => format!("one of {}", all.join(", ")),
            Self::Not(tests) => {
                format!("not {}", tests.iter().map(Self::says).collect::<Vec<_>>().join(" and "))
            }
            Self::Since(first) => format!("{first} or later"),
        }
    }
}

/// A value as a pattern sees it: a string's text, other values as JSON.
fn words(value: Json<'_>) -> String {
    value.text().map_or_else(|| String::from_utf8_lossy(value.raw()).into_owned(), std::borrow::Cow::into_owned)
}

fn same(value: Json<'_>, wanted: &str) -> bool {
    Json::parse(wanted.as_bytes()).is_ok_and(|wanted| canonical(value) == canonical(wanted))
}

/// Whether a text has this part, or a list this item.
fn contains(value: Json<'_>, part: &str) -> bool {
    if value.kind() == JsonKind::Array {
        return value.items().any(|item| same(item, part));
    }
    let part = Json::parse(part.as_bytes()).map(words).unwrap_or_default();
    value.text().is_some_and(|text| text.contains(&part))
}

fn walk(json: &[u8], path: &[String]) -> Option<String> {
    let mut value = Json::parse(json).ok()?;
    for name in path {
        value = match value.kind() {
            JsonKind::Object => value.get(name)?,
            JsonKind::Array => value.items().nth(name.parse().ok()?)?,
            _ => return None,
        };
    }
    Some(String::from_utf8_lossy(value.raw()).into_owned())
}

const fn link_word(link: Link) -> &'static str {
    match link {
        Link::Stdio => "stdio",
        Link::Http => "http",
        Link::Sse => "sse",
    }
}

impl Reader<'_> {
    /// Conditions of `when`.
    pub(super) fn conditions(&mut self, value: &Value<'_>) -> Vec<Condition> {
        let mut conditions = Vec::new();
        let Some(table) = table_of(value) else {
            self.fault(value.span().start, "`when` is a table of conditions, { arguments.city = \"Oslo\" }");
            return conditions;
        };
        for member in members(table) {
            let path = split(member.name);
            if !ROOTS.contains(&path[0].as_str()) {
                let hint = match nearest(&path[0], ROOTS.into_iter()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("`when` looks at {}", ROOTS.join(", ")),
                };
                self.fault(member.at, format!("there is no `{}` to look at; {hint}", path[0]));
                continue;
            }
            self.condition(path, member.value, &mut conditions);
        }
        conditions
    }

    fn condition(&mut self, path: Vec<String>, value: &Value<'_>, into: &mut Vec<Condition>) {
        if let Some(table) = table_of(value) {
            let tests = members(table).iter().filter(|member| is_test(member.name)).count();
            if tests == 0 && !table.is_empty() {
                for member in members(table) {
                    let path = path.iter().cloned().chain(split(member.name)).collect();
                    self.condition(path, member.value, into);
                }
                return;
            }
            into.extend(self.tests(value).into_iter().map(|test| Condition { path: path.clone(), test }));
            return;
        }
        let special = path.len() == 1 && ["era", "link", "revision", "client"].contains(&path[0].as_str());
        let test = if special { self.special(&path[0], value) } else { self.equal(value).map(Test::Equals) };
        into.extend(test.map(|test| Condition { path, test }));
    }

    /// A table of tests, which all have to fit.
    fn tests(&mut self, value: &Value<'_>) -> Vec<Test> {
        let Some(table) = self.table(value, TEST) else { return Vec::new() };
        let mut tests = Vec::new();
        for name in TEST.all() {
            let Some(value) = table.get(name) else { continue };
            let bound = || number_of(value);
            let test = match name {
                "equals" => self.equal(value).map(Test::Equals),
                "matches" => self.pattern(value).map(Test::Matches),
                "exists" => self.flag(&table, name).map(Test::Exists),
                "min" => bound().map(Test::Min),
                "max" => bound().map(Test::Max),
                "contains" => self.equal(value).map(Test::Contains),
                "one-of" => {
                    items_of(value).map(|items| Test::OneOf(items.iter().filter_map(|item| self.equal(item)).collect()))
                }
                _ => match table_of(value) {
                    Some(_) => Some(Test::Not(self.tests(value))),
                    None => self.equal(value).map(|json| Test::Not(vec![Test::Equals(json)])),
                },
            };
            if test.is_none() && ["min", "max", "one-of"].contains(&name) {
                let what = if name == "one-of" { "a list" } else { "a number" };
                self.fault(value.span().start, format!("`{name}` is {what}"));
            }
            tests.extend(test);
        }
        tests
    }

    fn equal(&mut self, value: &Value<'_>) -> Option<String> {
        json(value).map_err(|(at, why)| self.fault(at, why)).ok()
    }

    fn pattern(&mut self, value: &Value<'_>) -> Option<Regex> {
        let text = self.text_at(value, "matches")?;
        Regex::new(&text)
            .map_err(|error| self.fault(value.span().start, format!("`{text}` is no pattern: {error}")))
            .ok()
    }

    /// `era = "legacy"`, `client = "claude*"`, `revision = ">=2025-06-18"`, or lists of such.
    fn special(&mut self, root: &str, value: &Value<'_>) -> Option<Test> {
        if items_of(value).is_some() {
            return items_of(value)
                .map(|items| Test::OneOf(items.iter().filter_map(|item| self.equal(item)).collect()));
        }
        let text = self.text_at(value, root)?;
        let known = match root {
            "era" => ["legacy", "modern"].contains(&text.as_str()),
            "link" => ["stdio", "http", "sse"].contains(&text.as_str()),
            "revision" => Revision::KNOWN.iter().any(|known| text.trim_start_matches(">=").trim() == known.text()),
            _ => true,
        };
        if !known {
            self.fault(value.span().start, format!("there is no {root} `{text}`"));
        }
        Some(match text.strip_prefix(">=") {
            Some(first) if root == "revision" => Test::Since(first.trim().to_owned()),
            _ if root == "client" && text.contains('*') => Test::Matches(glob(&text)?),
            _ => Test::Equals(quote(&text)),
        })
    }
}

fn is_test(name: &str) -> bool {
    TEST.all().any(|test| test == name)
}

/// `arguments.city` and `arguments/a.b` as names.
fn split(name: &str) -> Vec<String> {
    match name.split_once('/') {
        Some((first, rest)) => {
            let rest = rest.split('/').map(|name| name.replace("~1", "/").replace("~0", "~"));
            first.split('.').filter(|name| !name.is_empty()).map(str::to_owned).chain(rest).collect()
        }
        None => name.split('.').map(str::to_owned).collect(),
    }
}

/// `*` is anything.
pub(super) fn glob(text: &str) -> Option<Regex> {
    let parts: Vec<String> = text.split('*').map(regex::escape).collect();
    Regex::new(&format!("(?s)^{}$", parts.join(".*"))).ok()
}
