//! The variables of the saved calls as they stand now: what the file says, the environment that was chosen, what was
//! set here, and what was picked from results.

use std::collections::{BTreeMap, HashSet};

use crate::project::{Named, Project, get, references};

/// Bytes of one value that are kept.
const LARGEST: usize = 1 << 20;
/// Variables that are kept besides those of the file.
const MOST: usize = 1_000;

/// Where a value is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum From {
    /// `[variables]` of the file.
    File,
    /// An environment of the file.
    Environment(String),
    /// It was set in the window.
    Set,
    /// A result of this saved call.
    Picked(String),
    /// Nowhere: it has none yet. The saved calls that pick it, or else that use it.
    Nowhere(Vec<String>),
}

/// A variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value as JSON text; empty where it has none.
    pub value: String,
    /// Where that is from.
    pub from: From,
}

/// What was chosen, set and picked in the window.
#[derive(Debug, Default)]
pub struct Variables {
    /// The environment of the file that is used.
    pub environment: Option<String>,
    /// Values that take the place of the file's, and the call that each was picked from.
    own: BTreeMap<String, (String, Option<String>)>,
    version: u64,
}

impl Variables {
    /// Gives a variable a value (JSON text) by hand.
    pub fn set(&mut self, name: &str, value: String) {
        self.put(name, value, None);
    }

    /// Gives a variable a value that was picked from a result of a saved call.
    pub fn pick(&mut self, name: &str, value: String, call: &str) {
        self.put(name, value, Some(call.to_owned()));
    }

    /// The latest wins: a pick takes the place of what was set before, as in a run, and the other way round.
    fn put(&mut self, name: &str, value: String, call: Option<String>) {
        if value.len() <= LARGEST && (self.own.len() < MOST || self.own.contains_key(name)) {
            self.own.insert(name.to_owned(), (value, call));
            self.version += 1;
        }
    }

    /// Counts up with each change but that of the environment.
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// Back to what the file says.
    pub fn reset(&mut self, name: &str) {
        self.own.remove(name);
        self.version += 1;
    }

    /// What takes the place of the file's values, as a run takes it.
    pub fn own(&self) -> Named<String> {
        self.own.iter().map(|(name, (value, _))| (name.clone(), value.clone())).collect()
    }

    /// The value of a variable, as JSON text.
    pub fn value(&self, project: &Project, name: &str) -> Option<String> {
        self.found(project, name).map(|(value, _)| value)
    }

    fn found(&self, project: &Project, name: &str) -> Option<(String, From)> {
        if let Some((value, call)) = self.own.get(name) {
            return Some((value.clone(), call.clone().map_or(From::Set, From::Picked)));
        }
        let chosen = self.environment.as_deref().and_then(|it| Some((it, get(&project.environments, it)?)));
        let of_environment = chosen.and_then(|(environment, values)| {
            Some((get(values, name)?.clone(), From::Environment(environment.to_owned())))
        });
        of_environment.or_else(|| Some((get(&project.variables, name)?.clone(), From::File)))
    }

    /// All variables that the file has or its calls use, in its order, then others by name.
    pub fn table(&self, project: &Project) -> Vec<Variable> {
        let (mut names, mut seen): (Vec<&str>, HashSet<&str>) = (Vec::new(), HashSet::new());
        let of_file = project.variables.iter().map(|(name, _)| name.as_str());
        let of_environments =
            project.environments.iter().flat_map(|(_, all)| all.iter().map(|(name, _)| name.as_str()));
        let of_picks = project.calls.iter().flat_map(|(_, call)| call.picks.iter().map(|(name, _)| name.as_str()));
        let used: Vec<(String, String)> = used(project);
        let of_use = used.iter().map(|(name, _)| name.as_str());
        let own = self.own.keys().map(String::as_str);
        for name in of_file.chain(of_environments).chain(of_picks).chain(of_use).chain(own) {
            if seen.insert(name) {
                names.push(name);
            }
        }
        let row = |name: &str| {
            let (value, from) = self.found(project, name).unwrap_or_else(|| {
                let picks = |call: &crate::project::SavedCall| call.picks.iter().any(|(pick, _)| pick == name);
                let mut calls: Vec<String> =
                    project.calls.iter().filter(|(_, call)| picks(call)).map(|(call, _)| call.clone()).collect();
                if calls.is_empty() {
                    calls = used.iter().filter(|(use_of, _)| use_of == name).map(|(_, call)| call.clone()).collect();
                }
                (String::new(), From::Nowhere(calls))
            });
            Variable { name: name.to_owned(), value, from }
        };
        names.into_iter().map(row).collect()
    }
}

/// The variables that calls of a file use, each with the call.
fn used(project: &Project) -> Named<String> {
    let mut found = Vec::new();
    for (name, call) in &project.calls {
        let fields = call.fields.iter().map(|(_, value)| value);
        let answers = call.answers.iter().filter_map(|answer| Some(&get(&project.answers, answer)?.result));
        for text in call.arguments.iter().chain(&call.meta).chain(fields).chain(answers) {
            found.extend(references(text).into_iter().map(|variable| (variable, name.clone())));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{From, Variables};
    use crate::project::Project;

    const FILE: &str = r#"
[variables]
a = 1
b = "two"
[environments.work]
b = "zwei"
c = 3
[calls.make]
tool = "make"
arguments = '{"x":"{{b}}","y":"{{gone}}"}'
pick = { d = "/d" }
"#;

    fn told(variables: &Variables, project: &Project) -> Vec<(String, String, From)> {
        variables.table(project).into_iter().map(|it| (it.name, it.value, it.from)).collect()
    }

    #[test]
    fn the_latest_of_what_was_set_and_picked_wins_over_the_environment_and_that_over_the_file() {
        let project = Project::read(FILE).expect("a project");
        let mut variables = Variables::default();
        let row = |name: &str, value: &str, from: From| (name.to_owned(), value.to_owned(), from);
        let nowhere = || From::Nowhere(vec!["make".to_owned()]);
        let plain = [
            row("a", "1", From::File),
            row("b", "\"two\"", From::File),
            row("c", "", From::Nowhere(Vec::new())),
            row("d", "", nowhere()),
            row("gone", "", nowhere()),
        ];
        assert_eq!(told(&variables, &project), plain);
        variables.environment = Some("work".to_owned());
        assert_eq!(told(&variables, &project)[1], row("b", "\"zwei\"", From::Environment("work".to_owned())));
        variables.set("b", "5".to_owned());
        variables.pick("d", "[1]".to_owned(), "make");
        let table = told(&variables, &project);
        assert_eq!(table[1], row("b", "5", From::Set));
        assert_eq!(table[3], row("d", "[1]", From::Picked("make".to_owned())));
        variables.pick("b", "6".to_owned(), "make");
        assert_eq!(variables.value(&project, "b").as_deref(), Some("6"));
        variables.set("b", "7".to_owned());
        assert_eq!(variables.own(), [("b".to_owned(), "7".to_owned()), ("d".to_owned(), "[1]".to_owned())]);
        variables.reset("b");
        assert_eq!(variables.value(&project, "b").as_deref(), Some("\"zwei\""));
        variables.environment = Some("no such".to_owned());
        assert_eq!(variables.value(&project, "b").as_deref(), Some("\"two\""));
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mut variables = Variables::default();
        variables.set("large", "1".repeat(super::LARGEST + 1));
        for index in 0..super::MOST + 10 {
            variables.set(&format!("v{index}"), "1".to_owned());
        }
        assert_eq!(variables.own().len(), super::MOST);
    }
}
