//! What a schema says of the place that an argument is for: which types fit there. Reads the schema where it lies,
//! follows `$ref` within it, and gives up early rather than late: what it does not find is a string.

use crate::wire::{Json, JsonKind};

/// So many schemas are looked at for one place.
const MOST: usize = 64;
/// So many of them may lie within each other.
const DEPTH: usize = 12;

/// All schemas that hold for one place, as far as they were found.
#[derive(Debug, Clone)]
pub(super) struct Shape<'a> {
    root: Option<Json<'a>>,
    all: Vec<Json<'a>>,
}

/// The types that fit at a place; none where nothing is said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Types(Vec<JsonKind>);

impl<'a> Shape<'a> {
    /// The shape of the whole.
    pub(super) fn of(schema: Option<Json<'a>>) -> Self {
        let mut shape = Self { root: schema, all: Vec::new() };
        shape.take(schema, DEPTH);
        shape
    }

    /// That of a member.
    pub(super) fn member(&self, name: &str) -> Self {
        let mut shape = Self { root: self.root, all: Vec::new() };
        for schema in &self.all {
            let named = schema.get("properties").and_then(|properties| properties.get(name));
            shape.take(named.or_else(|| schema.get("additionalProperties")), DEPTH);
        }
        shape
    }

    /// Whether a member of this very name is described.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.all.iter().any(|schema| schema.get("properties").is_some_and(|all| all.get(name).is_some()))
    }

    /// That of an item.
    pub(super) fn item(&self, index: usize) -> Self {
        let mut shape = Self { root: self.root, all: Vec::new() };
        for schema in &self.all {
            let at = |all: Json<'a>| all.items().nth(index);
            let items = schema.get("items");
            let tuple = items.filter(|items| items.kind() == JsonKind::Array).and_then(at);
            let named = schema.get("prefixItems").and_then(at).or(tuple);
            shape.take(named.or(items), DEPTH);
        }
        shape
    }

    /// The types that fit.
    pub(super) fn types(&self) -> Types {
        let mut types = Types::default();
        for schema in &self.all {
            match schema.get("type") {
                Some(one) if one.kind() == JsonKind::String => types.name(one),
                Some(several) => several.items().for_each(|one| types.name(one)),
                None => {}
            }
            for value in Self::values_of(*schema) {
                types.add(value.kind());
            }
        }
        types
    }

    /// The value of `enum` or `const` that is written like this: its text, or its JSON.
    pub(super) fn listed(&self, text: &str) -> Option<Json<'a>> {
        let all = || self.all.iter().flat_map(|schema| Self::values_of(*schema));
        let is_text = |value: &Json<'a>| value.is_text(text);
        let is_json = |value: &Json<'a>| value.kind() != JsonKind::String && value.raw() == text.as_bytes();
        all().find(is_text).or_else(|| all().find(is_json))
    }

    fn values_of(schema: Json<'a>) -> impl Iterator<Item = Json<'a>> + use<'a> {
        let listed = schema.get("enum").into_iter().flat_map(|all| all.items().take(MOST));
        listed.chain(schema.get("const"))
    }

    /// Takes a schema and those that hold at the same place.
    fn take(&mut self, schema: Option<Json<'a>>, depth: usize) {
        let Some(schema) = schema.filter(|schema| schema.kind() == JsonKind::Object) else { return };
        if depth == 0 || self.all.len() >= MOST {
            return;
        }
        self.all.push(schema);
        if let Some(target) = schema.get("$ref").and_then(|target| self.target(target)) {
            self.take(Some(target), depth - 1);
        }
        for word in ["allOf", "anyOf", "oneOf"] {
            let several = schema.get(word);
            several.into_iter().flat_map(|all| all.items()).for_each(|one| self.take(Some(one), depth - 1));
        }
        for word in ["then", "else"] {
            self.take(schema.get(word), depth - 1);
        }
    }

    /// What a `$ref` within the schema means.
    fn target(&self, target: Json<'a>) -> Option<Json<'a>> {
        let text = target.text()?;
        self.root?.pointer(text.strip_prefix('#')?)
    }
}

impl Types {
    /// Whether nothing is said.
    pub(super) fn is_unknown(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether values of this kind fit.
    pub(super) fn has(&self, kind: JsonKind) -> bool {
        self.0.contains(&kind)
    }

    /// In words.
    pub(super) fn words(&self) -> String {
        let word = |kind: &JsonKind| match kind {
            JsonKind::Object => "object",
            JsonKind::Array => "array",
            JsonKind::String => "string",
            JsonKind::Number => "number",
            JsonKind::Bool => "boolean",
            JsonKind::Null => "null",
        };
        self.0.iter().map(word).collect::<Vec<_>>().join(" or ")
    }

    fn name(&mut self, name: Json<'_>) {
        let kind = match name.text().as_deref() {
            Some("object") => JsonKind::Object,
            Some("array") => JsonKind::Array,
            Some("string") => JsonKind::String,
            Some("number" | "integer") => JsonKind::Number,
            Some("boolean") => JsonKind::Bool,
            Some("null") => JsonKind::Null,
            _ => return,
        };
        self.add(kind);
    }

    fn add(&mut self, kind: JsonKind) {
        if !self.0.contains(&kind) {
            self.0.push(kind);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = r##"{"$defs":{"loop":{"anyOf":[{"$ref":"#/$defs/loop"},{"type":"null"}]},"id":{"type":"integer"}},
        "properties":{"a":{"$ref":"#/$defs/id"},"b":{"$ref":"#/$defs/loop"},"c":{"items":{"type":["string","null"]}},
        "d":{"enum":[1,"two",1.50]},"e":true,"f":{"prefixItems":[{"type":"boolean"}],"items":{"type":"number"}}},
        "oneOf":[{"properties":{"g":{"const":3}}},{"properties":{"g":{"type":"string"}}}],
        "additionalProperties":{"type":"object","properties":{"x":{"type":"array"}}}}"##;

    #[test]
    fn a_place_is_found_through_all_that_a_schema_may_be() {
        let schema = Json::parse(SCHEMA.as_bytes()).expect("JSON");
        let shape = Shape::of(Some(schema));
        let types = |name: &str| shape.member(name).types().words();
        assert_eq!(types("a"), "number");
        assert_eq!(types("b"), "null", "a schema that refers to itself ends");
        assert_eq!(types("c"), "");
        assert_eq!(shape.member("c").item(9).types().words(), "string or null");
        assert_eq!(types("d"), "number or string");
        assert_eq!(types("e"), "");
        assert_eq!(shape.member("f").item(0).types().words(), "boolean");
        assert_eq!(shape.member("f").item(1).types().words(), "number");
        assert_eq!(types("g"), "object or number or string");
        assert_eq!(shape.member("else").member("x").types().words(), "array");
        assert_eq!(shape.member("d").listed("1.50").map(|json| json.raw()), Some(&b"1.50"[..]));
        assert_eq!(shape.member("d").listed("two").map(|json| json.raw()), Some(&b"\"two\""[..]));
        assert!(shape.member("d").listed("1.5").is_none());
        assert!(shape.knows("a") && !shape.knows("else"));
        assert!(Shape::of(None).member("a").types().is_unknown());
    }
}
