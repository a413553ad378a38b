//! Values that stand for others: `${NAME}` for a variable of midwire's own environment, `${keychain:NAME}` for a secret
//! of the system's keychain. Errors name what was asked for and never what was found.

use crate::transport::keychain;

/// A value with what was put in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// The value.
    pub value: String,
    /// Whether something was put in: then it is treated as a secret.
    pub secret: bool,
}

/// Where values come from.
pub struct Sources<'a> {
    /// A variable.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// A secret of the keychain; an error fits after "failed to".
    pub keychain: &'a dyn Fn(&str) -> Result<String, String>,
}

impl Sources<'static> {
    /// Our own environment, and the system's keychain.
    pub fn system() -> Self {
        Self {
            variable: &|name| std::env::var(name).ok(),
            keychain: &|name| keychain::secret(name).map_err(|error| error.to_string()),
        }
    }
}

impl Sources<'_> {
    /// Puts in what `text` asks for. `${env:NAME}` and `${NAME:-DEFAULT}`, which hosts' files have, are understood too;
    /// `$${` is a plain `${`. An error fits after "failed to".
    pub fn fill(&self, text: &str) -> Result<Filled, String> {
        let mut filled = Filled { value: String::with_capacity(text.len()), secret: false };
        let mut rest = text;
        while let Some(at) = rest.find("${") {
            let (before, from) = rest.split_at(at);
            if let Some(before) = before.strip_suffix('$') {
                filled.value.push_str(before);
                filled.value.push_str("${");
                rest = &from[2..];
                continue;
            }
            let Some(end) = from.find('}') else { break };
            filled.value.push_str(before);
            filled.value.push_str(&self.one(&from[2..end])?);
            filled.secret = true;
            rest = &from[end + 1..];
        }
        filled.value.push_str(rest);
        Ok(filled)
    }

    fn one(&self, asked: &str) -> Result<String, String> {
        if let Some(name) = asked.strip_prefix("keychain:") {
            return (self.keychain)(name.trim());
        }
        let (name, default) = asked.split_once(":-").map_or((asked, None), |(name, default)| (name, Some(default)));
        let name = name.strip_prefix("env:").unwrap_or(name).trim();
        if !is_name(name) {
            return Err(format!(
                "fill in ${{{asked}}}: only ${{NAME}} for an environment variable and ${{keychain:NAME}} for a secret of \
                 the keychain are known; put the value there"
            ));
        }
        (self.variable)(name).or_else(|| default.map(str::to_owned)).ok_or_else(|| {
            format!(
                "fill in ${{{name}}}: midwire's own environment has no such variable; set it and start midwire again"
            )
        })
    }
}

fn is_name(text: &str) -> bool {
    let inner = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '.' | '-' | '(' | ')');
    text.starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '_') && text.chars().all(inner)
}

#[cfg(test)]
mod tests {
    use super::{Filled, Sources};

    fn fill(text: &str) -> Result<Filled, String> {
        let keychain = |name: &str| if name == "K" { Ok("s3cret".to_owned()) } else { Err("find it".to_owned()) };
        let variable = |name: &str| (name == "A").then(|| "1${B}".to_owned());
        Sources { variable: &variable, keychain: &keychain }.fill(text)
    }

    #[test]
    fn what_is_asked_for_is_put_in_once() {
        for (text, value, secret) in [
            ("", "", false),
            ("plain $A {A} $", "plain $A {A} $", false),
            ("x${A}y${A}", "x1${B}y1${B}", true),
            ("${env:A}${NONE:-d}", "1${B}d", true),
            ("Bearer ${keychain:K}", "Bearer s3cret", true),
            ("$${A} ${A", "${A} ${A", false),
        ] {
            assert_eq!(fill(text), Ok(Filled { value: value.to_owned(), secret }), "{text}");
        }
    }

    #[test]
    fn what_is_not_there_is_named() {
        assert!(fill("${NONE}").unwrap_err().contains("${NONE}"));
        assert!(fill("${input:token}").unwrap_err().contains("${input:token}"));
        assert_eq!(fill("${keychain:x}"), Err("find it".to_owned()));
    }
}
