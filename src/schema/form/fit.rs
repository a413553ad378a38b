//! Which variant an instance is most likely meant to be: the one whose constants and types it has, whose required
//! members are there, and which knows the most of the others.

use super::Form;
use super::fill::choice_of;
use crate::schema::canon::canonical;
use crate::schema::shape::{Kind, Rest, Shape, Types, Variant};
use crate::wire::{Json, JsonKind};

/// How deep instances are looked into.
const DEEPEST: usize = 4;
/// How often something is compared to find the best.
const LOOKS: usize = 5000;
/// How many members and items of one value are looked at.
const MOST: usize = 50;
/// A constant that is as asked for tells more than any number of members.
const CONSTANT: i64 = 1000;
/// That a value cannot be this.
const NOT: i64 = -10_000;

impl Form {
    /// The best variant; nothing where none has even the right type.
    pub(super) fn best(&mut self, variants: &[Variant], json: Json<'_>) -> Option<usize> {
        let mut best = None;
        self.looks = LOOKS;
        for (at, variant) in variants.iter().enumerate() {
            let shape = self.shapes.of(&self.schema, &variant.key);
            let Some(score) = self.score(&shape, json, 0) else { continue };
            if best.is_none_or(|(_, known)| score > known) {
                best = Some((at, score));
            }
        }
        best.map(|(at, _)| at)
    }

    /// How well an instance fits; nothing where the type is another.
    fn score(&mut self, shape: &Shape, json: Json<'_>, depth: usize) -> Option<i64> {
        self.looks = self.looks.saturating_sub(1);
        if self.looks == 0 {
            return type_of(json).meets(shape.types).then_some(0);
        }
        if json.is_null() {
            return shape.nullable.then_some(1).or(matches!(shape.kind, Kind::Any).then_some(0));
        }
        match (&shape.kind, json.kind()) {
            (Kind::Any, _) => type_of(json).meets(shape.types).then_some(0),
            (Kind::Text, JsonKind::String) | (Kind::Bool, JsonKind::Bool) => Some(1),
            (Kind::Number, JsonKind::Number) => {
                let whole = crate::schema::number::is_whole(json.number()?);
                let integer = shape.types.and(Types::NUMBER) == Types::INTEGER;
                if integer && !whole { Some(NOT) } else { Some(1 + i64::from(integer)) }
            }
            (Kind::Choice(choices), _) => Some(choice_of(choices, json, false).map_or(NOT, |_| CONSTANT / 2)),
            (Kind::Fixed(text), _) => {
                let same = Json::parse(text.as_bytes()).is_ok_and(|fixed| canonical(fixed) == canonical(json));
                Some(if same { CONSTANT } else { NOT })
            }
            (Kind::Multi(choices), JsonKind::Array) => {
                let known = json.items().take(MOST).all(|item| choice_of(choices, item, false).is_some());
                Some(if known { 2 } else { NOT / 2 })
            }
            (Kind::Object(_), JsonKind::Object) => Some(self.object_score(shape, json, depth)),
            (Kind::Array(array), JsonKind::Array) => {
                let items: Vec<_> =
                    json.items().take(MOST.min(3)).enumerate().map(|(at, item)| (array.key_of(at), item)).collect();
                let sum = items.into_iter().map(|(rest, item)| self.rest_score(&rest, item, depth)).sum::<i64>();
                Some(1 + sum)
            }
            (Kind::Union(variants), _) if depth < DEEPEST => {
                let mut best = None;
                for variant in variants.iter().take(MOST) {
                    let shape = self.shapes.of(&self.schema, &variant.key);
                    best = best.max(self.score(&shape, json, depth + 1));
                }
                best
            }
            (Kind::Union(_), _) => Some(0),
            _ => None,
        }
    }

    fn object_score(&mut self, shape: &Shape, json: Json<'_>, depth: usize) -> i64 {
        let Kind::Object(object) = &shape.kind else { return 0 };
        let members: Vec<_> =
            json.members().take(MOST).filter_map(|(name, value)| Some((name.text()?, value))).collect();
        let has = |name: &str| members.iter().any(|(known, _)| known == name);
        let missing = object.required.iter().filter(|name| !has(name)).count() as i64;
        let mut score = 1 - 20 * missing;
        for (name, value) in &members {
            score += match (object.key_of(name), object.index.contains_key(&**name)) {
                (Rest::Closed, _) => -30,
                (Rest::Open, _) => 0,
                (rest, named) => 3 * i64::from(named) + self.rest_score(&rest, *value, depth),
            };
        }
        score
    }

    fn rest_score(&mut self, rest: &Rest, json: Json<'_>, depth: usize) -> i64 {
        let Rest::Key(key) = rest else { return if *rest == Rest::Closed { -30 } else { 0 } };
        if depth >= DEEPEST {
            return 0;
        }
        let shape = self.shapes.of(&self.schema, key);
        self.score(&shape, json, depth + 1).unwrap_or(NOT / 10)
    }
}

fn type_of(json: Json<'_>) -> Types {
    match json.kind() {
        JsonKind::Object => Types::OBJECT,
        JsonKind::Array => Types::ARRAY,
        JsonKind::String => Types::STRING,
        JsonKind::Number => Types::NUMBER,
        JsonKind::Bool => Types::BOOL,
        JsonKind::Null => Types::NULL,
    }
}
