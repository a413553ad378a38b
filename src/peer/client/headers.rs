//! What is wrong with the `x-mcp-header` annotations of a tool (TL-030 … TL-034), in words. Over HTTP such a
//! tool is not to be called (TL-036); on stdio the annotations mean nothing. What those that can be obeyed say,
//! `mcp::mirror` knows.

use crate::mcp::{one_line, one_line_of};
use crate::wire::{Json, JsonKind};

const NAME: &str = "x-mcp-header";
/// How deep schemas are looked into.
const DEEPEST: usize = 64;
/// How many subschemas of one tool are looked at.
const MOST: usize = 10_000;
/// How many faults are told of one tool.
const MOST_FAULTS: usize = 8;

/// A subschema on the way.
struct Place<'a> {
    schema: Json<'a>,
    /// The names on the way to it, with dots; empty for the root.
    name: String,
    depth: usize,
    /// Whether only `properties` led to it.
    plain: bool,
}

/// Everything that is wrong with the annotations in a tool's `inputSchema`; empty when they can be obeyed, or
/// there are none.
pub fn header_faults(schema: Json<'_>) -> Vec<String> {
    let mut faults = Vec::new();
    if memchr::memmem::find(schema.raw(), NAME.as_bytes()).is_none() {
        return faults;
    }
    let mut headers: Vec<String> = Vec::new();
    let mut open = vec![Place { schema, name: String::new(), depth: 0, plain: true }];
    let mut looked = 0;
    while let Some(place) = open.pop() {
        looked += 1;
        if looked > MOST || faults.len() >= MOST_FAULTS {
            break;
        }
        if let Some(annotation) = place.schema.get(NAME)
            && let Some(fault) = fault(&place, annotation, &mut headers)
        {
            faults.push(fault);
        }
        if place.depth < DEEPEST {
            // The last one that is put on the stack is looked at first, and faults are told in their order.
            let start = open.len();
            below(&place, &mut open);
            open[start..].reverse();
        }
    }
    faults
}

/// The subschemas of one.
fn below<'a>(place: &Place<'a>, open: &mut Vec<Place<'a>>) {
    let depth = place.depth + 1;
    for (key, value) in place.schema.members() {
        let key = key.text().unwrap_or_default();
        let plain = place.plain && key == "properties";
        match (&*key, value.kind()) {
            ("const" | "default" | "enum" | "examples" | NAME, _) => {}
            ("properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas", JsonKind::Object) => {
                open.extend(value.members().map(|(name, schema)| {
                    let name = name.text().unwrap_or_default();
                    let name = if place.name.is_empty() { name.into_owned() } else { format!("{}.{name}", place.name) };
                    Place { schema, name, depth, plain }
                }));
            }
            (_, JsonKind::Object) => open.push(Place { schema: value, name: place.name.clone(), depth, plain: false }),
            (_, JsonKind::Array) => {
                let items = value.items().filter(|item| item.kind() == JsonKind::Object);
                open.extend(items.map(|schema| Place { schema, name: place.name.clone(), depth, plain: false }));
            }
            _ => {}
        }
    }
}

/// What is wrong with one annotation.
fn fault(place: &Place<'_>, annotation: Json<'_>, headers: &mut Vec<String>) -> Option<String> {
    let on = if place.name.is_empty() { "the root".to_owned() } else { format!("`{}`", one_line(&place.name, 60)) };
    let Some(header) = annotation.text().filter(|header| !header.is_empty()) else {
        return Some(format!("{NAME} on {on} is {}, not a name", one_line_of(annotation.raw(), 40)));
    };
    let shown = one_line(&header, 60);
    if !header.bytes().all(is_token) {
        return Some(format!("{NAME} `{shown}` on {on} cannot be the name of a header field"));
    }
    if !place.plain {
        return Some(format!("{NAME} `{shown}` on {on} is not reached through `properties` alone"));
    }
    if !place.schema.get("type").is_some_and(mirrors) {
        return Some(format!("{NAME} `{shown}` on {on} stands on something other than a string, integer or boolean"));
    }
    let folded = header.to_ascii_lowercase();
    if headers.contains(&folded) {
        return Some(format!("{NAME} `{shown}` on {on} occurs twice"));
    }
    headers.push(folded);
    None
}

/// Whether values of this `type` can stand in a header field; `null` beside others means that it is left out.
fn mirrors(kind: Json<'_>) -> bool {
    let one = |kind: Json<'_>| ["string", "integer", "boolean"].iter().any(|word| kind.is_text(word));
    match kind.kind() {
        JsonKind::Array => kind.items().any(one) && kind.items().all(|kind| one(kind) || kind.is_text("null")),
        _ => one(kind),
    }
}

/// Whether a byte may stand in a field's name (RFC 9110, `tchar`).
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::header_faults;
    use crate::wire::Json;

    fn faults(properties: &str) -> Vec<String> {
        let schema = format!(r#"{{"type":"object","properties":{properties}}}"#);
        header_faults(Json::parse(schema.as_bytes()).expect("the test's JSON is valid"))
    }

    #[test]
    fn annotations_that_can_be_obeyed_have_no_faults() {
        let good = r#"{"a":{"type":"string","x-mcp-header":"Region"},
            "b":{"type":"object","properties":{"c":{"type":["integer","null"],"x-mcp-header":"Zone"}}},
            "x-mcp-header":{"type":"number"},
            "d":{"type":"object","default":{"x-mcp-header":""},"const":{"properties":{"x-mcp-header":3}}}}"#;
        assert_eq!(faults(good), Vec::<String>::new());
    }

    #[test]
    fn each_rule_has_its_sentence() {
        let cases = [
            (r#"{"a":{"type":"string","x-mcp-header":""}}"#, "on `a` is \"\", not a name"),
            (r#"{"a":{"type":"string","x-mcp-header":7}}"#, "on `a` is 7, not a name"),
            (r#"{"a":{"type":"string","x-mcp-header":"My Region"}}"#, "cannot be the name"),
            (r#"{"a":{"type":"string","x-mcp-header":"A:B"}}"#, "cannot be the name"),
            (r#"{"a":{"type":"string","x-mcp-header":"Région"}}"#, "cannot be the name"),
            (r#"{"a":{"type":"string","x-mcp-header":"R\t1"}}"#, "cannot be the name"),
            (r#"{"a":{"type":"number","x-mcp-header":"A"}}"#, "stands on something other"),
            (r#"{"a":{"type":"null","x-mcp-header":"A"}}"#, "stands on something other"),
            (r#"{"a":{"type":"object","x-mcp-header":"A"}}"#, "stands on something other"),
            (r#"{"a":{"x-mcp-header":"A"}}"#, "stands on something other"),
            (r#"{"a":{"type":["string","number"],"x-mcp-header":"A"}}"#, "stands on something other"),
            (
                r#"{"a":{"type":"string","x-mcp-header":"My"},"b":{"type":"string","x-mcp-header":"my"}}"#,
                "`my` on `b` occurs twice",
            ),
            (
                r#"{"a":{"items":{"type":"string","x-mcp-header":"A"}}}"#,
                "on `a` is not reached through `properties` alone",
            ),
            (
                r#"{"a":{"anyOf":[{"properties":{"b":{"type":"string","x-mcp-header":"A"}}}]}}"#,
                "on `a.b` is not reached through `properties` alone",
            ),
        ];
        for (properties, sentence) in cases {
            let found = faults(properties);
            assert!(found.len() == 1 && found[0].contains(sentence), "{properties}: {found:?}");
        }
    }

    #[test]
    fn a_hostile_schema_ends() {
        let deep = format!("{}{}", r#"{"a":{"properties":"#.repeat(5_000), "}}".repeat(5_000));
        let schema =
            format!(r#"{{"x-mcp-header":"A","type":"string","properties":{}}}"#, deep.replace("}}}}", "{}}}}}"));
        if let Ok(schema) = Json::parse(schema.as_bytes()) {
            header_faults(schema);
        }
        let wide: Vec<_> = (0..20_000).map(|n| format!(r#""p{n}":{{"x-mcp-header":""}}"#)).collect();
        assert_eq!(faults(&format!("{{{}}}", wide.join(","))).len(), 8);
    }
}
