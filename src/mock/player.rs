//! Answers by the rules of a mock file.

use std::collections::VecDeque;
use std::sync::Arc;

use super::damage::Victim;
use super::lists::{Lists, own_result};
use super::reply::{Reply, list_damage};
use super::steps::Act;
use super::timers::Effect;
use super::when::{Differs, Facts, check};
use super::{Mock, Rule};
use crate::mcp::template::Value;
use crate::model::Nanos;
use crate::peer::server::{About, Answer, Asked, Bytes, Kind, Miss, Near, Order, Plan, Script, Step, Text};
use crate::schema::Validator;
use crate::wire::{Json, quote};

/// How many near misses are told of.
const MOST_NEAR: usize = 3;

/// A mock file as a script. It counts how often its rules fitted and answered, from when it was made.
#[derive(Debug)]
pub struct Player {
    mock: Arc<Mock>,
    lists: Lists,
    /// How often each reply fitted, and answered.
    counts: Vec<(u64, u64)>,
    /// When it was first asked what is due.
    begun: Option<Nanos>,
    /// When each timer is next due, counted from then, and how often it was.
    timers: Vec<(Option<Nanos>, u64)>,
    due: VecDeque<Order>,
}

impl Player {
    /// One that has answered nothing yet.
    pub fn new(mock: Arc<Mock>) -> Self {
        let lists = Lists::new(&mock);
        let counts = vec![(0, 0); mock.content.replies.len()];
        let timers = mock.content.timers.iter().map(|timer| (Some(timer.first), 0)).collect();
        Self { mock, lists, counts, begun: None, timers, due: VecDeque::new() }
    }

    /// What it plays.
    pub const fn mock(&self) -> &Arc<Mock> {
        &self.mock
    }

    /// The item that is asked for, and the variables of its URI.
    fn item(&self, asked: &Asked<'_>) -> Option<(usize, Vec<(String, Bytes)>)> {
        let (kind, key) = match asked.method {
            "tools/call" => (Kind::Tools, "name"),
            "prompts/get" => (Kind::Prompts, "name"),
            "resources/read" => (Kind::Resources, "uri"),
            _ => return None,
        };
        let name = Json::parse(asked.params?).ok()?.get(key)?.text()?;
        let items = || self.mock.content.items.iter().enumerate().filter(|(index, _)| self.lists.has(*index));
        if let Some((index, _)) = items().find(|(_, item)| item.kind == kind && item.key == *name) {
            return Some((index, Vec::new()));
        }
        if kind != Kind::Resources {
            return None;
        }
        items().find_map(|(index, item)| {
            let values = item.template.as_ref()?.variables_of(&name)?;
            Some((index, values.into_iter().map(|(name, value)| (name, json(&value))).collect()))
        })
    }

    /// Whether a reply answers now; it is counted where it fits.
    fn fits(&mut self, mock: &Mock, index: usize, facts: Facts<'_>, near: &mut Vec<(usize, Near)>) -> bool {
        let reply = &mock.content.replies[index];
        if let Err((fitted, differs)) = check(&reply.when, facts) {
            near.push((fitted, Self::near(mock, reply, differs)));
            return false;
        }
        self.counts[index].0 += 1;
        let count = self.counts[index].0;
        match reply.nth {
            Some(nth) if !nth.fits(count) => {
                let differs = Differs {
                    pointer: String::new(),
                    wanted: nth.says(),
                    got: Some(format!("call {count} that fits")),
                };
                near.push((reply.when.len(), Self::near(mock, reply, differs)));
                false
            }
            _ => true,
        }
    }

    fn near(mock: &Mock, reply: &Reply, differs: Differs) -> Near {
        let rule = &mock.content.rules[reply.rule];
        let steps =
            reply.acts.iter().filter_map(|act| if let Act::Step(step) = act { Some(step.clone()) } else { None });
        Near {
            what: rule.name.clone(),
            place: Some(rule.line as u64),
            seq: None,
            pointer: differs.pointer,
            wanted: differs.wanted,
            got: differs.got,
            steps: steps.chain(reply.outcome.clone()).collect(),
        }
    }

    /// The replies that answer: those that only add something, outermost first, and the one that says what.
    fn choose(&mut self, mock: &Mock, facts: Facts<'_>, item: Option<usize>) -> (Vec<usize>, Vec<(usize, Near)>) {
        let methods = mock.content.methods.clone();
        let of_method = methods.filter(|index| {
            let method = mock.content.replies[*index].method.as_ref();
            method.is_some_and(|method| method.is_match(facts.asked.method))
        });
        let of_item = item.map(|item| mock.content.items[item].replies.clone()).unwrap_or_default();
        let (mut chosen, mut near, mut answered) = (Vec::new(), Vec::new(), false);
        for index in of_method.chain(of_item) {
            // Each is counted, so that `nth` means the requests that fit, whatever answers them.
            if self.fits(mock, index, facts, &mut near) && !answered {
                chosen.push(index);
                answered = mock.content.replies[index].outcome.is_some();
            }
        }
        (chosen, near)
    }

    /// The steps of what was chosen, the last of it innermost.
    fn plan(&mut self, mock: &Mock, facts: Facts<'_>, chosen: &[usize]) -> Option<Plan> {
        let replies = || chosen.iter().map(|index| &mock.content.replies[*index]);
        let &told = chosen.iter().find(|index| !mock.content.replies[**index].is_idle()).or(chosen.last())?;
        for index in chosen {
            self.counts[*index].1 += 1;
        }
        let nth = self.counts[told].1;
        let mut outcome = replies().find_map(|reply| reply.outcome.clone()).unwrap_or(Step::Own);
        let damages: Vec<_> = replies().flat_map(|reply| reply.damages.iter().cloned()).collect();
        let lists = list_damage(&damages);
        if outcome == Step::Own && (lists.is_some() || damages.iter().any(super::damage::Damage::needs_words)) {
            let own = own_result(mock, &self.lists, facts.asked, lists);
            let result = own.map(|text| Text::Fixed(text.into_bytes().into()));
            outcome = result.map_or(Step::Own, |result| Step::Result { result, bare: false, id: None });
        }
        let victim = Victim { facts, nth };
        let mut steps = Vec::new();
        for act in replies().flat_map(|reply| &reply.acts) {
            match act {
                Act::Step(step) => steps.push(step.clone()),
                Act::Wait(text) => steps.extend(victim.wait(text)),
                Act::List { shown, kind, name } => {
                    self.lists.set(mock, *kind, name, *shown);
                }
            }
        }
        steps.push(outcome);
        for damage in &damages {
            steps = damage.apply(steps, &victim);
        }
        let Rule { name, line, .. } = &mock.content.rules[mock.content.replies[told].rule];
        let deaf = replies().any(|reply| reply.deaf);
        Some(Plan { by: name.clone(), place: Some(*line as u64), nth, values: facts.variables.to_vec(), deaf, steps })
    }

    fn mistaken(mock: &Mock, item: usize, asked: &Asked<'_>) -> Option<Plan> {
        let item = &mock.content.items[item];
        let problems = problems(item.checked.as_deref()?, asked)?;
        let text = quote(&format!("The arguments do not fit the input schema: {problems}"));
        let result = format!(r#"{{"content":[{{"type":"text","text":{text}}}],"isError":true}}"#);
        let result = Text::Fixed(result.into_bytes().into());
        let by = format!("the input schema of {}", item.key);
        Some(Plan { by, steps: vec![Step::Result { result, bare: false, id: None }], ..Plan::default() })
    }

    /// Orders of timers that are due.
    fn ring(&mut self, mock: &Mock, elapsed: Nanos) {
        for (timer, (at, count)) in mock.content.timers.iter().zip(&mut self.timers) {
            let Some(due) = at.filter(|due| *due <= elapsed) else { continue };
            *count += 1;
            let ends = timer.times.is_some_and(|times| *count >= times);
            // What was missed while nobody asked is not made up for.
            *at = timer.every.filter(|_| !ends).map(|every| (due + every).max(elapsed));
            match &timer.effect {
                Effect::Order(order) => self.due.push_back(order.clone()),
                Effect::List { shown, kind, name } => {
                    if self.lists.set(mock, *kind, name, *shown) {
                        self.due.push_back(Order::Changed(*kind));
                    }
                }
            }
        }
    }
}

impl Script for Player {
    fn about(&self) -> &About {
        self.mock.about()
    }

    fn list(&self, kind: Kind) -> &[Bytes] {
        self.lists.of(kind)
    }

    fn answer(&mut self, asked: &Asked<'_>) -> Answer {
        let mock = Arc::clone(&self.mock);
        let (item, variables) = self.item(asked).unzip();
        let variables = variables.unwrap_or_default();
        let facts = Facts { asked, variables: &variables };
        if let Some(plan) = item.and_then(|item| Self::mistaken(&mock, item, asked)) {
            return Answer::Plan(plan);
        }
        let (chosen, mut near) = self.choose(&mock, facts, item);
        let answered = chosen.iter().any(|index| mock.content.replies[*index].outcome.is_some());
        let silent = chosen.iter().all(|index| mock.content.replies[*index].is_idle());
        match item {
            Some(item) if !answered && chosen.iter().all(|index| !mock.content.replies[*index].speaks()) => {
                near.sort_by_key(|(fitted, _)| std::cmp::Reverse(*fitted));
                near.truncate(MOST_NEAR);
                let near: Vec<Near> = near.into_iter().map(|(_, near)| near).collect();
                Answer::Miss(Box::new(miss(&mock, item, near)))
            }
            None if !answered && silent => Answer::Own,
            _ => self.plan(&mock, facts, &chosen).map_or(Answer::Own, Answer::Plan),
        }
    }

    fn due(&mut self, now: Nanos) -> Option<Order> {
        let begun = *self.begun.get_or_insert(now);
        if self.due.is_empty() {
            let (mock, elapsed) = (Arc::clone(&self.mock), now - begun);
            let kinds = self.lists.pass(&mock, elapsed);
            self.due.extend(kinds.into_iter().map(Order::Changed));
            self.ring(&mock, elapsed);
        }
        self.due.pop_front()
    }

    fn due_at(&self) -> Option<Nanos> {
        let rings = self.timers.iter().filter_map(|(at, _)| *at).min();
        let Some(begun) = self.begun else {
            let timed = rings.is_some() || self.lists.next(&self.mock).is_some();
            return timed.then_some(0);
        };
        [rings, self.lists.next(&self.mock)].into_iter().flatten().min().map(|at| begun + at)
    }
}

impl Reply {
    /// Whether it does nothing: an item that says no answer.
    fn is_idle(&self) -> bool {
        self.outcome.is_none() && self.acts.is_empty() && self.damages.is_empty()
    }

    /// Whether it ends a request without an answer of its own.
    fn speaks(&self) -> bool {
        use super::damage::Damage;
        let ends =
            |step: &Step| super::damage::is_answer(step) || matches!(step, Step::Raw(_) | Step::Break | Step::Exit(_));
        self.outcome.is_some()
            || self.acts.iter().any(|act| matches!(act, Act::Step(step) if ends(step)))
            || self.damages.iter().any(|damage| {
                matches!(
                    damage,
                    Damage::NoAnswer | Damage::Break | Damage::Status(..) | Damage::LostSession | Damage::Crash(_)
                )
            })
    }
}

/// Why an item has no answer.
fn miss(mock: &Mock, item: usize, near: Vec<Near>) -> Miss {
    let item = &mock.content.items[item];
    let word = super::steps::KINDS.iter().find(|(_, kind)| *kind == item.kind).map_or("item", |(word, _)| word);
    let why = match near.first() {
        None => format!("the mock file says no answer for the {word} `{}`", item.key),
        Some(near) => {
            let got = near.got.as_deref().unwrap_or("nothing");
            let at = if near.pointer.is_empty() { String::new() } else { format!(" at {}", near.pointer) };
            format!(
                "no rule of the mock file fits this request for the {word} `{}`; the nearest, `{}`, wants {}{at}, which has {got}",
                item.key, near.what, near.wanted
            )
        }
    };
    Miss { why, near }
}

/// What the arguments of a call do not fit, in one line.
fn problems(schema: &str, asked: &Asked<'_>) -> Option<String> {
    let arguments = asked.params.and_then(|params| Json::parse(params).ok()?.get("arguments"));
    let arguments = arguments.map_or(&b"{}"[..], |arguments| arguments.raw());
    let problems = Validator::new(schema.as_bytes()).ok()?.problems(arguments);
    let said: Vec<String> = problems
        .iter()
        .take(5)
        .map(|problem| match problem.pointer.as_str() {
            "" => problem.message.clone(),
            pointer => format!("{} at {pointer}", problem.message),
        })
        .collect();
    (!said.is_empty()).then(|| said.join("; "))
}

/// A variable's value as JSON text.
fn json(value: &Value) -> Bytes {
    let text = match value {
        Value::Text(text) => quote(text),
        Value::List(all) => format!("[{}]", all.iter().map(|text| quote(text)).collect::<Vec<_>>().join(",")),
        Value::Map(all) => {
            let members = all.iter().map(|(name, text)| format!("{}:{}", quote(name), quote(text)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
    };
    text.into_bytes().into()
}
