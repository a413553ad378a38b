//! Project files on disk, and targets of them.

use std::fs;

use super::{change, kept_settings, kept_target, load, save_call, target};
use crate::engine::client::{Base, Environment, Target, Way};
use crate::model::Revision;
use crate::peer::client::{EraChoice, Ids, Reply, Settings};
use crate::project::{Edit, SavedCall, SavedTarget, SavedWay, What, get};

fn call() -> SavedCall {
    SavedCall { arguments: Some("{\"n\":1.50}".to_owned()), ..SavedCall::of(What::Tool("t".to_owned())) }
}

#[test]
fn a_file_is_made_and_changed_in_place_through_links_and_with_its_permissions() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.midwire.toml");
    assert!(load(&path).is_err_and(|error| error.to_string().contains("no such file")));
    change(&path, &Edit::Call("one".to_owned(), Box::new(call()))).expect("made");
    fs::write(&path, format!("# mine\n{}", fs::read_to_string(&path).expect("read"))).expect("written");
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("set");
        let link = folder.path().join("link.midwire.toml");
        symlink(&path, &link).expect("linked");
        change(&link, &Edit::Call("two".to_owned(), Box::new(call()))).expect("changed");
        assert!(fs::symlink_metadata(&link).expect("there").file_type().is_symlink());
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o640);
        assert_eq!(load(&path).expect("read").calls.len(), 2);
    }
    assert!(fs::read_to_string(&path).expect("read").starts_with("# mine\n"));
    let left: Vec<_> = fs::read_dir(folder.path()).expect("read").flatten().map(|entry| entry.file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().starts_with('.')), "{left:?}");
    fs::write(&path, "calls = 5").expect("written");
    assert!(change(&path, &Edit::RemoveCall("x".to_owned())).is_err());
    assert_eq!(fs::read_to_string(&path).expect("read"), "calls = 5");
}

#[test]
fn a_call_is_saved_with_its_server_once_and_without_secrets() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.midwire.toml");
    let set = [("API_KEY", "s3cret"), ("MODE", "fast")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let way = Way::Command {
        command: ["srv", "--token", "abc"].map(ToOwned::to_owned).to_vec(),
        folder: None,
        environment: Environment { base: Base::Sdk, set: set.into_iter().collect() },
    };
    let (kept, left_out) = kept_target(&Target { name: "srv".to_owned(), way, ..Target::default() });
    assert_eq!(left_out.len(), 2, "{left_out:?}");
    let settings = Settings {
        era: EraChoice::Pinned(Revision::V2025_06_18),
        ids: Ids::Strings("x-".to_owned()),
        patience: None,
        elicitation: Reply::Made,
        ..Settings::default()
    };
    let saved = SavedTarget { way: kept, settings: kept_settings(&settings) };
    save_call(&path, "one", call(), Some(("srv", saved.clone()))).expect("saved");
    let before = fs::read_to_string(&path).expect("read");
    save_call(&path, "two", call(), Some(("srv", saved))).expect("saved");
    let after = fs::read_to_string(&path).expect("read");
    assert!(after.starts_with(&before) && after.matches("[targets.").count() == 1, "{after}");
    assert!(!after.contains("s3cret") && !after.contains("abc"), "{after}");
    let project = load(&path).expect("read");
    assert_eq!(get(&project.calls, "two").and_then(|call| call.target.as_deref()), Some("srv"));
    let (back, again) = target(&project, &path, None).expect("a target");
    assert_eq!(again, settings);
    let Way::Command { environment, .. } = back.way else { panic!("a command") };
    assert_eq!(environment.base, Base::Sdk);
    assert_eq!(environment.set.get("API_KEY").map(String::as_str), Some("${API_KEY}"));
}

#[test]
fn targets_are_counted_from_the_file_and_what_is_wrong_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.midwire.toml");
    fs::write(&path, "[targets.a]\ncommand = ['x']\nfolder = 'sub'\n[targets.b]\nurl = 'u'\naccept-cert = 'zz'\n[targets.c]\ncommand = ['x']\nera = 'odd'\n")
        .expect("written");
    let project = load(&path).expect("read");
    let (a, _) = target(&project, &path, Some("a")).expect("a target");
    assert!(a.from.as_ref().is_some_and(|from| from.ends_with("a.midwire.toml")));
    assert!(matches!(a.way, Way::Command { folder: Some(within), .. } if within == folder.path().join("sub")));
    let why = |name: Option<&str>| target(&project, &path, name).expect_err("wrong");
    assert!(why(Some("b")).contains("accept-cert"));
    assert!(why(Some("c")).contains("`odd`"));
    assert!(why(None).contains("a, b, c"));
    assert!(why(Some("d")).contains("there are a, b, c"));
    assert!(matches!(get(&project.targets, "b"), Some(SavedTarget { way: SavedWay::Url { .. }, .. })));
}
