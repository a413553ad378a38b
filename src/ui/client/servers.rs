//! Which connection is to which server of the project file. What is meant for one server must not reach another, so
//! all counts by which servers or their accounts can differ: arguments, environment, folder, header fields, certificates.

use std::path::{Path, PathBuf};

use super::{Bench, Connection, Standing};
use crate::engine::client::{Target, Way};
use crate::engine::project::{folder_of, way};
use crate::engine::view::ConnectionId;
use crate::project::{Named, SavedTarget, SavedWay, get};

/// A server of the file, and what it was found to be.
#[derive(Debug, Clone)]
struct Known {
    name: String,
    saved: SavedWay,
    way: Way,
}

/// The servers of a project file.
#[derive(Debug, Clone, Default)]
pub struct Servers {
    folder: PathBuf,
    targets: Named<SavedTarget>,
    /// What a file does not say: entries of hosts' files, and what was left out of it as a secret. Each holds while the
    /// file says the same of the server as it did then.
    known: Vec<Known>,
}

impl Servers {
    /// Takes in what the file at this path says now.
    pub fn read(&mut self, path: &Path, targets: &Named<SavedTarget>) {
        self.folder = folder_of(path);
        self.targets.clone_from(targets);
        let Self { targets, known, .. } = self;
        known.retain(|it| get(targets, &it.name).is_some_and(|target| target.way == it.saved));
    }

    /// Notes what a server of the file is: what it came to when it was asked for, or what it was saved from.
    pub fn learn(&mut self, name: &str, saved: SavedWay, target: &Target) {
        self.known.retain(|it| it.name != name);
        self.known.push(Known { name: name.to_owned(), saved, way: target.way.clone() });
    }

    /// What the file says of a server.
    pub fn saved(&self, name: &str) -> Option<&SavedWay> {
        get(&self.targets, name).map(|target| &target.way)
    }

    /// Whether a server of the file is this one. Where that cannot be told it is not.
    pub fn is(&self, name: &str, target: &Target) -> bool {
        let Some(saved) = self.saved(name) else { return false };
        let same = |other: &Way| whole(other) == whole(&target.way);
        self.known.iter().any(|it| it.name == name && it.saved == *saved && same(&it.way))
            || way(saved, &self.folder).is_some_and(|made| made.is_ok_and(|made| same(&made)))
    }

    /// The name in the file of this server.
    pub fn name_of(&self, target: &Target) -> Option<&str> {
        self.targets.iter().map(|(name, _)| name.as_str()).find(|name| self.is(name, target))
    }

    /// The open connection to a server of the file: the preferred one if it is right, else another that is. Without a
    /// server's name it is the preferred one alone.
    pub fn connection(&self, bench: &Bench, name: Option<&str>, preferred: ConnectionId) -> Option<ConnectionId> {
        let is_open = |it: &&Connection| it.standing() == Standing::Open;
        let preferred = bench.get(preferred);
        let found = match name {
            None => preferred.filter(is_open),
            Some(name) => {
                preferred.into_iter().chain(&bench.connections).filter(is_open).find(|it| self.is(name, &it.target))
            }
        };
        found.map(|it| it.id)
    }
}

/// The same with whole paths, which a file counts from elsewhere than we do.
fn whole(way: &Way) -> Way {
    let whole = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let mut way = way.clone();
    match &mut way {
        Way::Command { folder, .. } => *folder = folder.as_ref().map(whole),
        Way::Url { trust, .. } => {
            trust.ca = trust.ca.iter().map(whole).collect();
            trust.client = trust.client.as_ref().map(|(certificate, key)| (whole(certificate), whole(key)));
        }
    }
    way
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Servers;
    use crate::engine::client::{Base, Environment, Target, Trust, Way};
    use crate::engine::project::kept_target;
    use crate::project::{SavedTarget, SavedWay};

    fn of(way: Way) -> Target {
        Target { way, ..Target::default() }
    }

    fn url(headers: &[(&str, &str)], trust: Trust) -> Target {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        of(Way::Url { url: "http://127.0.0.1:1/mcp".to_owned(), headers, trust })
    }

    fn command(words: &[&str], folder: Option<&str>, base: Base, set: &[(&str, &str)]) -> Target {
        let set = set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let command = words.iter().map(|word| (*word).to_owned()).collect();
        of(Way::Command { command, folder: folder.map(Into::into), environment: Environment { base, set } })
    }

    /// The servers of a file that keeps this one as `it`, read anew: nothing is known but what the file says.
    fn file(target: &Target) -> Servers {
        let saved = SavedTarget { way: kept_target(target).0, ..SavedTarget::default() };
        let mut servers = Servers::default();
        servers.read(Path::new("/work/a.midwire.toml"), &vec![("it".to_owned(), saved)]);
        servers
    }

    #[test]
    fn a_server_is_hit_only_where_everything_is_the_same() {
        let token = |value| url(&[("Authorization", value)], Trust::default());
        let trusting = |trust| url(&[("Authorization", "Bearer ${A}")], trust);
        let a = token("Bearer ${A}");
        let by_url = [
            token("Bearer ${B}"),
            token("Bearer ${keychain:A}"),
            token("Bearer abc"),
            url(&[], Trust::default()),
            url(&[("Authorization", "Bearer ${A}"), ("X-Tenant", "2")], Trust::default()),
            trusting(Trust { client: Some(("c.pem".into(), "k.pem".into())), ..Trust::default() }),
            trusting(Trust { fingerprint: Some([1; 32]), ..Trust::default() }),
            trusting(Trust { ca: vec!["/ca.pem".into()], ..Trust::default() }),
        ];
        let run = |words: &[&str], folder, base, set| command(words, folder, base, set);
        let set: &[(&str, &str)] = &[("DB", "test")];
        let c = run(&["srv", "-x"], Some("/a"), Base::Inherit, set);
        let by_command = [
            run(&["srv"], Some("/a"), Base::Inherit, set),
            run(&["srv", "-x"], Some("/b"), Base::Inherit, set),
            run(&["srv", "-x"], None, Base::Inherit, set),
            run(&["srv", "-x"], Some("/a"), Base::Sdk, set),
            run(&["srv", "-x"], Some("/a"), Base::Inherit, &[("DB", "live")]),
            run(&["srv", "-x"], Some("/a"), Base::Inherit, &[]),
        ];
        for (right, wrong) in [(a, &by_url[..]), (c, &by_command[..])] {
            let servers = file(&right);
            assert!(servers.is("it", &right), "{right:?}");
            assert_eq!(servers.name_of(&right), Some("it"));
            for wrong in wrong {
                assert!(!servers.is("it", wrong), "{right:?} and {wrong:?}");
            }
            assert!(!servers.is("other", &right));
        }
    }

    #[test]
    fn what_was_left_out_as_a_secret_is_known_only_of_the_connection_it_was_saved_from() {
        let of_token = |token| command(&["srv", "--token", token], None, Base::Inherit, &[]);
        let (test, live) = (of_token("abc"), of_token("xyz"));
        let mut servers = file(&test);
        assert!(!servers.is("it", &test) && !servers.is("it", &live), "the file alone cannot tell them apart");
        let saved = kept_target(&test).0;
        servers.learn("it", saved.clone(), &test);
        assert!(servers.is("it", &test) && !servers.is("it", &live));
        let other = SavedTarget { way: kept_target(&url(&[], Trust::default())).0, ..SavedTarget::default() };
        servers.read(Path::new("/work/a.midwire.toml"), &vec![("it".to_owned(), other)]);
        servers.read(
            Path::new("/work/a.midwire.toml"),
            &vec![("it".to_owned(), SavedTarget { way: saved, ..SavedTarget::default() })],
        );
        assert!(!servers.is("it", &test), "what was known of another server of that name is forgotten");
    }

    #[test]
    fn servers_of_hosts_go_by_what_they_came_to_and_folders_by_the_file() {
        let way = SavedWay::Host { host: None, server: "files".to_owned() };
        let mut servers = Servers::default();
        let targets = vec![("mine".to_owned(), SavedTarget { way: way.clone(), ..SavedTarget::default() })];
        servers.read(Path::new("/work/a.midwire.toml"), &targets);
        let found = Target { name: "files".to_owned(), ..command(&["srv", "/a"], None, Base::Inherit, &[]) };
        assert!(!servers.is("mine", &found), "a name alone tells nothing");
        servers.learn("mine", way, &found);
        assert!(servers.is("mine", &found));
        let other = Target { name: "files".to_owned(), ..command(&["srv", "/b"], None, Base::Inherit, &[]) };
        assert!(!servers.is("mine", &other));

        let within = SavedWay::Command {
            command: vec!["srv".to_owned()],
            folder: Some("sub".to_owned()),
            base: crate::project::SavedBase::Inherit,
            set: Vec::new(),
        };
        servers.read(
            Path::new("/work/a.midwire.toml"),
            &vec![("sub".to_owned(), SavedTarget { way: within, ..SavedTarget::default() })],
        );
        assert!(servers.is("sub", &command(&["srv"], Some("/work/sub"), Base::Inherit, &[])));
        assert!(!servers.is("sub", &command(&["srv"], Some("/sub"), Base::Inherit, &[])));
    }
}
