//! The environment that a server is started with: what it is made of, and how it is shown. All values are masked but
//! those of variables that are known to hold no secret, so that a picture of the window gives nothing away.

use std::ffi::{OsStr, OsString};

use super::substitute::Sources;
use super::{Base, Environment};
use crate::engine::record::secrets::MASK;

/// What the SDKs' clients pass on.
#[cfg(not(windows))]
const SDK: &[&str] = &["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];
#[cfg(windows)]
const SDK: &[&str] = &[
    "APPDATA",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATH",
    "PROCESSOR_ARCHITECTURE",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "USERNAME",
    "USERPROFILE",
    "PROGRAMFILES",
];

/// Variables whose values are shown.
const HARMLESS: &[&str] = &[
    "APPDATA",
    "COLORTERM",
    "COMSPEC",
    "EDITOR",
    "HOME",
    "HOMEDRIVE",
    "HOMEPATH",
    "LANG",
    "LANGUAGE",
    "LOCALAPPDATA",
    "LOGNAME",
    "NODE_ENV",
    "NO_COLOR",
    "NUMBER_OF_PROCESSORS",
    "OS",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMFILES",
    "PWD",
    "PYTHONUNBUFFERED",
    "SHELL",
    "SHLVL",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
];

/// The variables of a server, sorted by name.
#[derive(Debug, Clone, Default)]
pub struct Variables(Vec<Variable>);

#[derive(Debug, Clone)]
struct Variable {
    name: OsString,
    value: OsString,
    /// Set for this server, rather than passed on from our own environment.
    set: bool,
    /// Something was put in.
    secret: bool,
}

impl Variables {
    /// What `wanted` makes of our own environment. An error fits after "failed to".
    pub fn of(
        wanted: &Environment,
        ours: impl Iterator<Item = (OsString, OsString)>,
        sources: &Sources<'_>,
    ) -> Result<Self, String> {
        let mut all: Vec<Variable> = ours
            .filter(|(name, value)| passes(&wanted.base, name, value))
            .map(|(name, value)| Variable { name, value, set: false, secret: false })
            .collect();
        for (name, value) in &wanted.set {
            if name.is_empty() || name.contains(['=', '\0']) {
                return Err(format!("set the variable {name:?}: that is no name of one"));
            }
            let filled = sources.fill(value).map_err(|why| format!("set the variable {name}: failed to {why}"))?;
            if filled.value.contains('\0') {
                return Err(format!("set the variable {name}: its value holds a NUL"));
            }
            all.retain(|one| !is_same(&one.name, OsStr::new(name)));
            let (value, secret) = (filled.value.into(), filled.secret);
            all.push(Variable { name: name.into(), value, set: true, secret });
        }
        all.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(Self(all))
    }

    /// As a process is given them.
    pub fn given(&self) -> Vec<(OsString, OsString)> {
        self.0.iter().map(|one| (one.name.clone(), one.value.clone())).collect()
    }

    /// As they are shown: values masked, and which of them were set for this server.
    pub fn shown(&self) -> Vec<(String, String)> {
        let shown = |one: &Variable| {
            let name = one.name.to_string_lossy().into_owned();
            let harmless = HARMLESS.iter().any(|known| known.eq_ignore_ascii_case(&name)) || name.starts_with("LC_");
            let value =
                if one.value.is_empty() || harmless && !one.secret { one.value.to_string_lossy() } else { MASK.into() };
            (name, if one.set { format!("{value} (set here)") } else { value.into_owned() })
        };
        self.0.iter().map(shown).collect()
    }
}

fn passes(base: &Base, name: &OsStr, value: &OsStr) -> bool {
    match base {
        Base::Inherit => true,
        // A value that begins so is a function of a shell; the SDKs leave it out too.
        Base::Sdk => {
            SDK.iter().any(|known| is_same(name, OsStr::new(known))) && !value.as_encoded_bytes().starts_with(b"()")
        }
        Base::Only(names) => names.iter().any(|known| is_same(name, OsStr::new(known))),
        Base::Empty => false,
    }
}

fn is_same(one: &OsStr, other: &OsStr) -> bool {
    if cfg!(windows) { one.eq_ignore_ascii_case(other) } else { one == other }
}

#[cfg(test)]
mod tests {
    use super::{Base, Environment, Sources, Variables};

    fn variables(base: Base, set: &[(&str, &str)]) -> Result<Vec<(String, String)>, String> {
        let ours = [("PATH", "/bin"), ("HOME", "/h"), ("FOO", "1"), ("SHELL", "() { x; }"), ("EMPTY", "")];
        let ours = ours.map(|(name, value)| (name.into(), value.into()));
        let set = set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let sources = Sources { variable: &|_| Some("v".to_owned()), keychain: &|_| Err("find it".to_owned()) };
        let made = Variables::of(&Environment { base, set }, ours.into_iter(), &sources)?;
        let plain = made
            .given()
            .into_iter()
            .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()));
        let shown = made.shown();
        assert_eq!(plain.len(), shown.len());
        Ok(plain.zip(shown).map(|((name, value), (_, shown))| (format!("{name}={value}"), shown)).collect())
    }

    fn given(base: Base, set: &[(&str, &str)]) -> Vec<String> {
        variables(base, set).expect("made").into_iter().map(|(given, _)| given).collect()
    }

    #[test]
    #[cfg(unix)]
    fn each_base_gives_what_it_says_and_what_is_set_wins() {
        assert_eq!(given(Base::Inherit, &[]), ["EMPTY=", "FOO=1", "HOME=/h", "PATH=/bin", "SHELL=() { x; }"]);
        assert_eq!(given(Base::Sdk, &[("BAR", "2")]), ["BAR=2", "HOME=/h", "PATH=/bin"]);
        assert_eq!(given(Base::Only(vec!["FOO".into(), "NONE".into()]), &[]), ["FOO=1"]);
        assert_eq!(given(Base::Empty, &[("A", "${X}"), ("PATH", "/only")]), ["A=v", "PATH=/only"]);
        assert_eq!(given(Base::Inherit, &[("FOO", "2")])[1], "FOO=2");
    }

    #[test]
    fn values_are_masked_but_for_harmless_ones() {
        let set = [("PATH", "${X}"), ("TOKEN", "t"), ("LANG", "C")];
        let shown: Vec<String> =
            variables(Base::Inherit, &set).expect("made").into_iter().map(|(_, shown)| shown).collect();
        assert_eq!(shown, ["", "•••", "/h", "C (set here)", "••• (set here)", "() { x; }", "••• (set here)"]);
    }

    #[test]
    fn what_cannot_be_set_says_why() {
        assert!(variables(Base::Empty, &[("A=B", "1")]).unwrap_err().contains("no name"));
        assert_eq!(
            variables(Base::Empty, &[("A", "${keychain:x}")]).unwrap_err(),
            "set the variable A: failed to find it"
        );
    }
}
