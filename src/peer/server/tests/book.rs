//! The script of the scripts: rules in a table, with all capabilities declared.

use crate::model::{Nanos, Revision};
use crate::peer::server::{About, Answer, Asked, ByHand, Bytes, Kind, Miss, Near, Order, Plan, Script, Step, Text};
use crate::wire::Json;

/// All capabilities of the legacy era.
const LEGACY: &str = concat!(
    r#"{"logging":{},"completions":{},"prompts":{"listChanged":true},"#,
    r#""resources":{"subscribe":true,"listChanged":true},"tools":{"listChanged":true},"#,
    r#""tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}"#
);
/// All capabilities of 2026-07-28.
const MODERN: &str = concat!(
    r#"{"logging":{},"completions":{},"prompts":{"listChanged":true},"#,
    r#""resources":{"subscribe":true,"listChanged":true},"tools":{"listChanged":true},"#,
    r#""extensions":{"io.modelcontextprotocol/tasks":{}}}"#
);

/// Rules by method and name, items by kind, and what was learnt.
#[derive(Debug)]
pub struct Book {
    pub about: About,
    rules: Vec<(String, Plan)>,
    items: Vec<(Kind, Vec<Bytes>)>,
    /// Whether what has no rule is a miss; otherwise the protocol answers.
    pub misses: bool,
    /// When it does something by itself, and what.
    pub orders: Vec<(Nanos, Order)>,
}

impl Book {
    /// Nothing but a name.
    pub fn new() -> Self {
        Self {
            about: About {
                identity: r#"{"name":"s","version":"1"}"#.to_owned(),
                legacy: LEGACY.to_owned(),
                modern: MODERN.to_owned(),
                instructions: None,
                revisions: Revision::KNOWN.to_vec(),
                page: None,
                hint: (0, "private".to_owned()),
                completions: Vec::new(),
            },
            rules: Vec::new(),
            items: Kind::ALL.into_iter().map(|kind| (kind, Vec::new())).collect(),
            misses: false,
            orders: Vec::new(),
        }
    }

    /// With a rule for a method, or for `METHOD NAME`; a later one for the same never answers.
    pub fn rule(mut self, of: &str, steps: Vec<Step>) -> Self {
        let plan = Plan { by: format!("rule {}", self.rules.len() + 1), steps, ..Plan::default() };
        self.rules.push((of.to_owned(), plan));
        self
    }

    /// With an item.
    pub fn item(mut self, kind: Kind, json: &str) -> Self {
        let of_kind = self.items.iter_mut().find(|(known, _)| *known == kind).expect("every kind is there");
        of_kind.1.push(json.as_bytes().into());
        self
    }

    /// With a tool that takes anything.
    pub fn tool(self, name: &str) -> Self {
        self.item(Kind::Tools, &format!(r#"{{"name":"{name}","inputSchema":{{"type":"object"}}}}"#))
    }
}

impl Script for Book {
    fn about(&self) -> &About {
        &self.about
    }

    fn list(&self, kind: Kind) -> &[Bytes] {
        let of_kind = self.items.iter().find(|(known, _)| *known == kind);
        of_kind.map_or(&[], |(_, items)| items.as_slice())
    }

    fn answer(&mut self, asked: &Asked<'_>) -> Answer {
        let params = asked.params.and_then(|params| Json::parse(params).ok());
        let name = params.and_then(|params| params.get("name").or_else(|| params.get("uri"))?.text());
        let of = name.map(|name| format!("{} {name}", asked.method)).unwrap_or_default();
        let rule = self.rules.iter_mut().find(|(known, _)| *known == of || known == asked.method);
        match rule {
            Some((_, plan)) => {
                plan.nth += 1;
                Answer::Plan(plan.clone())
            }
            None if self.misses && asked.method == "tools/call" => Answer::Miss(Box::new(Miss {
                why: "no rule answers this".to_owned(),
                near: vec![Near {
                    what: "rule 1".to_owned(),
                    pointer: "/arguments/a".to_owned(),
                    wanted: "1".to_owned(),
                    got: Some("2".to_owned()),
                    ..Near::default()
                }],
            })),
            None => Answer::Own,
        }
    }

    fn learn(&mut self, asked: &Asked<'_>, steps: &[Step]) {
        let plan = Plan { by: "learnt".to_owned(), steps: steps.to_vec(), ..Plan::default() };
        self.rules.push((asked.method.to_owned(), plan));
    }

    fn due(&mut self, now: Nanos) -> Option<Order> {
        let at = self.orders.iter().position(|(at, _)| *at <= now)?;
        Some(self.orders.remove(at).1)
    }

    fn due_at(&self) -> Option<Nanos> {
        self.orders.iter().map(|(at, _)| *at).min()
    }
}

/// A step that answers with this result.
pub fn result(json: &str) -> Step {
    Step::Result { result: fixed(json), bare: false, id: None }
}

/// A step that answers with this error object.
pub fn error(json: &str) -> Step {
    Step::Error { error: fixed(json), id: None }
}

/// A step that waits so many seconds.
pub fn wait(seconds: Nanos) -> Step {
    Step::Wait(seconds * 1_000_000_000)
}

/// A step that asks for an elicitation.
pub fn elicit(key: &str) -> Step {
    let params = fixed(r#"{"message":"?","requestedSchema":{"type":"object","properties":{}}}"#);
    Step::Ask { key: key.to_owned(), method: "elicitation/create".to_owned(), params: Some(params), forced: false }
}

/// Text as it is.
pub fn fixed(text: &str) -> Text {
    Text::Fixed(text.as_bytes().into())
}

/// The kind whose list is called so; without a name, tools.
pub fn kind(name: &str) -> Kind {
    Kind::ALL.into_iter().find(|kind| kind.member() == name).unwrap_or(Kind::Tools)
}

/// `nothing`, `calls`, `everything`, or methods separated by commas.
pub fn by_hand(words: &str) -> ByHand {
    match words {
        "nothing" => ByHand::Nothing,
        "calls" => ByHand::Calls,
        "everything" => ByHand::Everything,
        methods => ByHand::Methods(methods.split(',').map(str::to_owned).collect()),
    }
}
