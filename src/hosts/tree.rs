//! A host's file as a tree, whether it was JSON, JSON with comments, or TOML.

use std::borrow::Cow;

use jsonc_parser::ast::Value;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use toml::de::{DeTable, DeValue};

/// A value. Members stand in the order of the file; both parsers bound how deep it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tree {
    Null,
    Bool(bool),
    /// A number or a date, as written.
    Number(String),
    Text(String),
    List(Vec<Tree>),
    Map(Vec<(String, Tree)>),
}

impl Tree {
    /// Reads a file. The error says where and why it cannot be read.
    pub(super) fn read(text: &str, toml: bool) -> Result<Self, String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if toml { read_toml(text) } else { read_json(text) }
    }

    /// The member with this name; of duplicates the last, as hosts take it.
    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        self.members().iter().rev().find(|(other, _)| other == name).map(|(_, value)| value)
    }

    /// The value that several names lead to, one inside the other.
    pub(super) fn at(&self, names: &[&str]) -> Option<&Self> {
        names.iter().try_fold(self, |tree, name| tree.get(name))
    }

    pub(super) fn members(&self) -> &[(String, Self)] {
        if let Self::Map(members) = self { members } else { &[] }
    }

    pub(super) fn items(&self) -> &[Self] {
        if let Self::List(items) = self { items } else { &[] }
    }

    pub(super) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    pub(super) const fn bool(&self) -> Option<bool> {
        if let Self::Bool(value) = self { Some(*value) } else { None }
    }

    /// What a person calls such a value.
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Map(_) => "an object",
        }
    }
}

fn read_json(text: &str) -> Result<Tree, String> {
    let parsed =
        parse_to_ast(text, &CollectOptions::default(), &ParseOptions::default()).map_err(|error| error.to_string())?;
    Ok(parsed.value.map_or_else(|| Tree::Map(Vec::new()), of_json))
}

fn of_json(value: Value<'_>) -> Tree {
    match value {
        Value::StringLit(text) => Tree::Text(text.value.into_owned()),
        Value::NumberLit(number) => Tree::Number(number.value.to_owned()),
        Value::BooleanLit(value) => Tree::Bool(value.value),
        Value::Object(object) => {
            let members = object.properties.into_iter();
            Tree::Map(members.map(|member| (member.name.into_string(), of_json(member.value))).collect())
        }
        Value::Array(array) => Tree::List(array.elements.into_iter().map(of_json).collect()),
        Value::NullKeyword(_) => Tree::Null,
    }
}

fn read_toml(text: &str) -> Result<Tree, String> {
    let table = DeTable::parse(text).map_err(|error| {
        let before = &text[..error.span().map_or(0, |span| span.start.min(text.len()))];
        format!("{} on line {}", error.message(), before.matches('\n').count() + 1)
    })?;
    Ok(of_table(table.into_inner()))
}

fn of_table(table: DeTable<'_>) -> Tree {
    // The parser sorts by name; the file's order is that of the places.
    let mut members: Vec<_> = table.into_iter().collect();
    members.sort_by_key(|(name, _)| name.span().start);
    let members = members.into_iter();
    Tree::Map(members.map(|(name, value)| (Cow::into_owned(name.into_inner()), of_toml(value.into_inner()))).collect())
}

fn of_toml(value: DeValue<'_>) -> Tree {
    match value {
        DeValue::String(text) => Tree::Text(text.into_owned()),
        DeValue::Integer(number) => Tree::Number(number.to_string()),
        DeValue::Float(number) => Tree::Number(number.as_str().to_owned()),
        DeValue::Boolean(value) => Tree::Bool(value),
        DeValue::Datetime(date) => Tree::Number(date.to_string()),
        DeValue::Array(items) => Tree::List(items.into_iter().map(|item| of_toml(item.into_inner())).collect()),
        DeValue::Table(table) => of_table(table),
    }
}

#[cfg(test)]
mod tests {
    use super::Tree;

    #[test]
    fn comments_commas_marks_and_orders_are_borne() {
        let text = "\u{feff}// a\n{ \"b\": [1, /* x */ 2,], \"a\": 1e400, \"b2\": null, }\n";
        let tree = Tree::read(text, false).expect("read");
        let names: Vec<&str> = tree.members().iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["b", "a", "b2"]);
        assert_eq!(tree.get("a"), Some(&Tree::Number("1e400".to_owned())));
        assert_eq!(Tree::read(" \n", false), Ok(Tree::Map(Vec::new())));
        let toml = Tree::read("\u{feff}z = 1\na = [0x1F]\n[m.z]\nq = 1979-05-27\n[m.a]\n", true).expect("read");
        let names: Vec<&str> = toml.members().iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["z", "a", "m"]);
        let inner: Vec<&str> = toml.get("m").expect("m").members().iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(inner, ["z", "a"]);
    }

    #[test]
    fn what_cannot_be_read_says_where_and_depth_has_an_end() {
        assert!(Tree::read("{\n \"a\": }", false).is_err_and(|why| why.contains("line 2")));
        assert!(Tree::read("a = 1\nb = = 2\n", true).is_err_and(|why| why.contains("line 2")));
        assert!(Tree::read(&"[".repeat(100_000), false).is_err());
        assert!(Tree::read(&format!("a = {}", "[".repeat(100_000)), true).is_err());
    }

    #[test]
    fn of_duplicates_the_last_counts() {
        let tree = Tree::read(r#"{"a":1,"a":2}"#, false).expect("read");
        assert_eq!(tree.get("a"), Some(&Tree::Number("2".to_owned())));
    }
}
