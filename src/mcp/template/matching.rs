//! A URI back to the variables of its template. RFC 6570 (1.4) warns that this cannot always be told; what is ambiguous
//! here goes to the variable that stands first, as little of it as may be.

use std::collections::BTreeMap;

use regex::Regex;

use super::{Modifier, Operator, Part, Template, Value, Variable};

impl Template {
    /// The values with which the template expands to this URI; `None` where it cannot be of this template. Variables
    /// without a value are left out.
    pub fn variables_of(&self, uri: &str) -> Option<BTreeMap<String, Value>> {
        let pattern = Regex::new(&self.pattern()).ok()?;
        let captures = pattern.captures(uri)?;
        let mut values = BTreeMap::new();
        let mut variables = self.variables.as_slice();
        let mut group = 1;
        for part in &self.parts {
            let Part::Expression(operator, count) = part else { continue };
            let (mine, rest) = variables.split_at(*count);
            variables = rest;
            let named = matches!(operator, Operator::Query | Operator::QueryContinuation | Operator::PathParameters);
            for variable in mine {
                let found = captures.get(group).map(|found| found.as_str());
                group += usize::from(!named);
                let Some(found) = found else { continue };
                let value = if named { pair(found, variable) } else { plain(found, variable) };
                if let Some(value) = value {
                    values.insert(variable.name.clone(), value);
                }
            }
            group += usize::from(named);
        }
        Some(values)
    }

    /// The template as a pattern: a group for each variable, but one for a whole query or path parameters.
    fn pattern(&self) -> String {
        let mut pattern = "(?s)^".to_owned();
        let mut variables = self.variables.as_slice();
        for part in &self.parts {
            match part {
                Part::Literal(text) => pattern.push_str(&regex::escape(text)),
                Part::Expression(operator, count) => {
                    let (mine, rest) = variables.split_at(*count);
                    variables = rest;
                    expression(&mut pattern, *operator, mine);
                }
            }
        }
        pattern.push('$');
        pattern
    }
}

fn expression(pattern: &mut String, operator: Operator, variables: &[Variable]) {
    match operator {
        Operator::Query => return pattern.push_str(r"(?:\?([^#]*))?"),
        Operator::QueryContinuation => return pattern.push_str("(?:&([^#]*))?"),
        Operator::PathParameters => return pattern.push_str("((?:;[^/?#;]*)*)"),
        _ => {}
    }
    for (index, variable) in variables.iter().enumerate() {
        let exploded = variable.is_exploded();
        let (first, class) = match operator {
            Operator::Reserved => ("", "[^ ]"),
            Operator::Fragment => ("#", "[^ ]"),
            Operator::Label => (r"\.", "[^/?#.]"),
            Operator::Path => ("/", "[^/?#]"),
            _ if variables.len() > 1 => ("", "[^/?#,]"),
            _ => ("", "[^/?#]"),
        };
        let group = match operator {
            Operator::Label | Operator::Path if exploded => format!("((?:{first}{class}*)*)"),
            Operator::Label | Operator::Path => format!("(?:{first}({class}*))?"),
            Operator::Fragment if index == 0 => format!("(?:#({class}*?))?"),
            _ if index == 0 => format!("({class}+?)"),
            _ => format!("(?:,({class}*?))?"),
        };
        pattern.push_str(&group);
    }
}

/// The value of what stands in one place.
fn plain(found: &str, variable: &Variable) -> Option<Value> {
    let separator = match variable.operator {
        Operator::Label => '.',
        Operator::Path => '/',
        _ => ',',
    };
    if variable.is_exploded() {
        let found = found.strip_prefix(['.', '/']).unwrap_or(found);
        if found.is_empty() {
            return None;
        }
        return Some(Value::List(found.split(separator).map(decoded).collect()));
    }
    Some(Value::Text(decoded(found)))
}

/// The value of a variable among `name=value` pairs, in whatever order.
fn pair(found: &str, variable: &Variable) -> Option<Value> {
    let separator = if variable.operator == Operator::PathParameters { ';' } else { '&' };
    let values: Vec<String> = found
        .split(separator)
        .filter_map(|pair| match pair.split_once('=') {
            Some((name, value)) if name == variable.name => Some(decoded(value)),
            None if pair == variable.name => Some(String::new()),
            _ => None,
        })
        .collect();
    match (values.first(), variable.modifier) {
        (None, _) => None,
        (Some(_), Modifier::Explode) => Some(Value::List(values)),
        (Some(first), _) => Some(Value::Text(first.clone())),
    }
}

/// Percent-encoded triplets undone; what is no UTF-8 then becomes U+FFFD.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let digits = bytes.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let byte = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        match byte.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{Template, Value};

    fn values(template: &str, uri: &str) -> Option<Vec<String>> {
        let values = Template::read(template).expect("a template").variables_of(uri)?;
        let say = |(name, value): (String, Value)| match value {
            Value::Text(text) => format!("{name}={text}"),
            Value::List(all) => format!("{name}={all:?}"),
            Value::Map(all) => format!("{name}={all:?}"),
        };
        Some(values.into_iter().map(say).collect())
    }

    #[test]
    fn uris_lead_back_to_their_variables() {
        let cases: [(&str, &str, &[&str]); 12] = [
            ("note://{id}", "note://7", &["id=7"]),
            ("note://{id}/x", "note://a%20b/x", &["id=a b"]),
            ("file:///{+path}", "file:///a/b.txt", &["path=a/b.txt"]),
            ("x://{a}/{b}", "x://1/2", &["a=1", "b=2"]),
            ("x://{a,b}", "x://1,2", &["a=1", "b=2"]),
            ("x://h{/a,b}", "x://h/1/2", &["a=1", "b=2"]),
            ("x://h{/all*}", "x://h/1/2", &["all=[\"1\", \"2\"]"]),
            ("x://h{?q,n}", "x://h?n=2&q=a%26b", &["n=2", "q=a&b"]),
            ("x://h{?q*}", "x://h?q=1&q=2", &["q=[\"1\", \"2\"]"]),
            ("x://h?a=1{&q}", "x://h?a=1&q=2", &["q=2"]),
            ("x://h{;v}{.e}{#f}", "x://h;v=1.json#top", &["f=top", "v=1.json"]),
            ("x://h{?q}", "x://h", &[]),
        ];
        for (template, uri, expected) in cases {
            let expected: Vec<String> = expected.iter().map(|text| (*text).to_owned()).collect();
            assert_eq!(values(template, uri), Some(expected), "{template} {uri}");
        }
    }

    #[test]
    fn a_uri_of_another_template_is_none_of_this() {
        for (template, uri) in [
            ("note://{id}", "note://a/b"),
            ("note://{id}", "note://"),
            ("note://{id}", "other://1"),
            ("x{?q}", "x&q=1"),
        ] {
            assert_eq!(values(template, uri), None, "{template} {uri}");
        }
    }
}
