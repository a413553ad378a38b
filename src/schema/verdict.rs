//! Which SDKs and hosts refuse a schema that others take: only what is known, each with its ground. What was
//! observed was observed with the versions that are named; what is only reported is marked as uncertain.

use super::refs::push_step;
use super::tree::{Members, Node, NodeId, Tree};
use super::{Schema, dialect::Dialect};

/// How many places of one kind are told.
const TOLD: usize = 5;
/// How many schemas are looked at.
const MOST: usize = 20_000;
/// Names that are longer are refused by some providers of models, in characters.
const NAME: usize = 64;

const SPECIFICATION: &str = "the specification";
const TYPESCRIPT_1: &str = "observed: TypeScript SDK 1.32 reading tools/list";
const TYPESCRIPT_2: &str = "observed: TypeScript SDK 2.4 reading tools/list";
const PYTHON: &str = "observed: Python SDK 2.3 reading tools/list";
const REPORTED: &str = "reports of users: it works in the Inspector and fails in a host";

/// That somebody refuses a schema, or may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Who: an SDK and all that is built on it, hosts, providers of models, or the specification itself.
    pub who: &'static str,
    /// Whether it is certain; otherwise it may be so, for some of them or some versions.
    pub certain: bool,
    /// What is refused, with what follows, in a sentence.
    pub what: String,
    /// Where in the schema, as a JSON pointer.
    pub pointer: String,
    /// How it is known.
    pub ground: &'static str,
}

impl Verdict {
    /// What is said of a tool's name, whatever its schema (TL-001, TL-002).
    pub fn of_tool_name(name: &str) -> Vec<Self> {
        let mut found = Found::default();
        let length = name.chars().count();
        if length == 0 || length > 128 {
            found.add(true, "MCP", "a tool's name has 1 to 128 characters (TL-001)".to_owned(), "", SPECIFICATION);
        } else if length > NAME {
            let what =
                format!("names of more than {NAME} characters may be refused or cut, and hosts put more before it");
            found.add(false, "providers of models", what, "", REPORTED);
        }
        if name.chars().any(|c| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))) {
            let what = "a tool's name has only letters, digits, `_`, `-` and `.` (TL-002)".to_owned();
            found.add(true, "MCP", what, "", SPECIFICATION);
        }
        found.verdicts
    }
}

/// What is said of a schema as a tool's `inputSchema`.
pub(super) fn of(schema: &Schema) -> Vec<Verdict> {
    let tree = schema.tree();
    let root = tree.root();
    let mut found = Found::default();
    if tree.members(root).is_none() {
        let what = "an inputSchema is an object (TL-005); the whole list of tools is refused".to_owned();
        for (who, ground) in [
            ("MCP", SPECIFICATION),
            ("TypeScript SDK 1", TYPESCRIPT_1),
            ("TypeScript SDK 2", TYPESCRIPT_2),
            ("Python SDK 2", PYTHON),
        ] {
            found.add(true, who, what.clone(), "", ground);
        }
        return found.verdicts;
    }
    found.root(tree, root);
    found.dialect(tree);
    for lost in schema.refs().lost.iter().filter(|lost| lost.external).take(TOLD) {
        let what = format!(
            "$ref {} leads out of the schema, which clients must not follow by themselves (TL-010)",
            lost.reference
        );
        found.add(true, "MCP", what, &lost.pointer, SPECIFICATION);
    }
    found.walk(tree, root, &mut String::new());
    found.verdicts
}

#[derive(Default)]
struct Found {
    verdicts: Vec<Verdict>,
    /// How many places were told of mixed types and of names.
    mixed: usize,
    named: usize,
    seen: usize,
}

impl Found {
    fn add(&mut self, certain: bool, who: &'static str, what: String, pointer: &str, ground: &'static str) {
        self.verdicts.push(Verdict { who, certain, what, pointer: pointer.to_owned(), ground });
    }

    /// What both TypeScript SDKs refuse, and with it the whole list of tools.
    fn typescript(&mut self, what: &str, pointer: &str) {
        self.add(
            true,
            "TypeScript SDK 1",
            format!("{what}; the whole list of tools is refused"),
            pointer,
            TYPESCRIPT_1,
        );
        self.add(
            true,
            "TypeScript SDK 2",
            format!("{what}; the whole list of tools is refused"),
            pointer,
            TYPESCRIPT_2,
        );
    }

    fn root(&mut self, tree: &Tree, root: NodeId) {
        if tree.get_str(root, "type").is_none_or(|name| &**name != "object") {
            self.add(true, "MCP", "the root's type must be \"object\" (TL-005)".to_owned(), "", SPECIFICATION);
            self.typescript("the root's type is not \"object\"", "");
        }
        if tree.get(root, "properties").is_some_and(|id| tree.members(id).is_none()) {
            self.typescript("properties is no object", "/properties");
        }
        let strings =
            |id: NodeId| tree.items(id).is_some_and(|items| items.iter().all(|item| tree.str(*item).is_some()));
        if tree.get(root, "required").is_some_and(|id| !strings(id)) {
            self.typescript("required is no list of names", "/required");
        }
        for word in ["anyOf", "oneOf", "allOf", "$ref"].into_iter().filter(|word| tree.get(root, word).is_some()) {
            let what = format!(
                "{word} at the root is not among what revisions before 2026-07-28 name there; hosts may ignore or refuse it"
            );
            self.add(false, "hosts and providers of models", what, &format!("/{word}"), SPECIFICATION);
        }
        for (name, value) in
            tree.get(root, "properties").and_then(|id| tree.members(id)).into_iter().flat_map(Members::iter)
        {
            let plain = matches!(tree.node(value), Node::Object(_) | Node::Array(_));
            if !plain && self.verdicts.len() < TOLD * 4 {
                let mut pointer = "/properties".to_owned();
                push_step(&mut pointer, name);
                let what = "the schema of a member is no object (`true` is one of JSON Schema); the whole list of tools is refused";
                self.add(true, "TypeScript SDK 1", what.to_owned(), &pointer, TYPESCRIPT_1);
            }
        }
    }

    fn dialect(&mut self, tree: &Tree) {
        match Dialect::of(tree) {
            Ok(Dialect::Draft202012) => {}
            Ok(dialect) => {
                let what = format!(
                    "$schema names {}; who checks only by 2020-12 refuses it or reads it wrongly (TL-006)",
                    dialect.name()
                );
                self.add(false, "hosts", what, "/$schema", REPORTED);
            }
            Err(_) => {
                let what = "$schema names a dialect that is no JSON Schema dialect in use (TL-009)".to_owned();
                self.add(false, "hosts", what, "/$schema", SPECIFICATION);
            }
        }
    }

    fn walk(&mut self, tree: &Tree, node: NodeId, pointer: &mut String) {
        self.seen += 1;
        if self.seen > MOST {
            return;
        }
        let length = pointer.len();
        let children: Vec<(&str, NodeId)> = match tree.node(node) {
            Node::Object(members) => members.iter().map(|(name, value)| (&**name, value)).collect(),
            Node::Array(items) => items.iter().map(|item| ("", *item)).collect(),
            _ => return,
        };
        self.mixed_types(tree, node, pointer);
        for (at, (name, value)) in children.into_iter().enumerate() {
            if name.is_empty() {
                push_step(pointer, &at.to_string());
            } else {
                push_step(pointer, name);
            }
            if name == "properties" {
                self.names(tree, value, pointer);
            }
            self.walk(tree, value, pointer);
            pointer.truncate(length);
        }
    }

    fn mixed_types(&mut self, tree: &Tree, node: NodeId, pointer: &str) {
        let several = tree.get(node, "type").and_then(|id| tree.items(id)).is_some_and(|types| types.len() > 1);
        if several && self.mixed < TOLD {
            self.mixed += 1;
            let what = "a list of types is not taken by those who translate schemas into one type each".to_owned();
            self.add(false, "hosts and providers of models", what, &format!("{pointer}/type"), REPORTED);
        }
    }

    fn names(&mut self, tree: &Tree, properties: NodeId, pointer: &str) {
        for (name, _) in tree.members(properties).into_iter().flat_map(Members::iter) {
            let odd =
                name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
            let long = name.chars().count() > NAME;
            if (!odd && !long) || self.named >= TOLD {
                continue;
            }
            self.named += 1;
            let why = if long {
                "is longer than 64 characters"
            } else {
                "has other characters than letters, digits, `_`, `-` and `.`"
            };
            let mut place = pointer.to_owned();
            push_step(&mut place, name);
            self.add(false, "providers of models", format!("the name of a member {why}"), &place, REPORTED);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(schema: &str) -> Vec<String> {
        let line = |one: Verdict| {
            let certain = if one.certain { "refuses" } else { "may refuse" };
            format!("{} {certain} {}", one.who, one.pointer)
        };
        Schema::read(schema.as_bytes()).verdicts().into_iter().map(line).collect()
    }

    #[test]
    fn who_refuses_what_is_told_with_its_certainty() {
        assert_eq!(told(r#"{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}"#), [""; 0]);
        let not_object = ["MCP refuses ", "TypeScript SDK 1 refuses ", "TypeScript SDK 2 refuses "];
        assert_eq!(told(r#"{"properties":{"a":{}}}"#), not_object);
        assert_eq!(told(r#"{"type":["object","null"]}"#)[..3], not_object);
        assert_eq!(told("true").len(), 4);
        assert_eq!(
            told(r#"{"type":"object","properties":{"data":true}}"#),
            ["TypeScript SDK 1 refuses /properties/data"]
        );
        assert_eq!(
            told(r#"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}"#),
            ["hosts may refuse /$schema"]
        );
        assert_eq!(
            told(r#"{"type":"object","properties":{"a":{"type":["null","boolean"]},"b c":{}}}"#),
            [
                "providers of models may refuse /properties/b c",
                "hosts and providers of models may refuse /properties/a/type"
            ]
        );
        let root_union = told(r#"{"anyOf":[{"type":"object"}]}"#);
        assert_eq!((root_union.len(), root_union[3].as_str()), (4, "hosts and providers of models may refuse /anyOf"));
        assert_eq!(
            told(r##"{"type":"object","$ref":"#/$defs/a","$defs":{"a":{}}}"##),
            ["hosts and providers of models may refuse /$ref"]
        );
        assert_eq!(
            told(r#"{"type":"object","properties":{"a":{"$ref":"https://example.com/x"}}}"#),
            ["MCP refuses /properties/a"]
        );
    }

    #[test]
    fn names_of_tools_are_judged_alone() {
        let count = |name: &str| Verdict::of_tool_name(name).len();
        assert_eq!(
            (count("get-sum_2.x"), count(&"x".repeat(65)), count(&"x".repeat(129)), count("a b"), count("")),
            (0, 1, 1, 1, 1)
        );
    }
}
