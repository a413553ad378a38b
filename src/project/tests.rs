//! Project files: read, and changed by what stands in them.

use super::{Chain, Edit, Expect, Named, Project, ProjectError, SavedCall, SavedWay, What, edit, get};

mod random;
mod runs;

const SAMPLE: &str = include_str!("../../assets/sample.midwire.toml");

fn read(text: &str) -> Project {
    Project::read(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn named(pairs: &[(&str, &str)]) -> Named<String> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn the_sample_says_nothing_unknown_and_names_only_what_is_there() {
    let project = read(SAMPLE);
    assert_eq!(project.notes, []);
    assert!(project.calls.len() > 5 && project.chains.len() > 1 && project.targets.len() > 2, "{project:#?}");
    for (name, chain) in &project.chains {
        for call in &chain.calls {
            assert!(get(&project.calls, call).is_some(), "{name}: {call}");
        }
    }
    for (name, call) in &project.calls {
        assert!(call.target.as_ref().is_some_and(|target| get(&project.targets, target).is_some()), "{name}");
        assert!(call.answers.iter().all(|answer| get(&project.answers, answer).is_some()), "{name}");
    }
}

#[test]
fn arguments_are_json_text_byte_for_byte_or_toml_with_exact_numbers() {
    let text = "[calls.a]\ntool = 't'\narguments = '''\n{ \"n\": 1.50,\n  \"n\": 1e400 }'''\n\
                [calls.b]\ntool = 't'\n[calls.b.arguments]\nz = 12345678901234567890123\na = 1.50\nh = 0xFF\n\
                d = 1979-05-27\ne = [true, 'x', { q = -0.0, b = +1 }]\n[calls.b.arguments.deep]\n\"k y\" = 1_000\n";
    let project = read(text);
    let arguments = |name| get(&project.calls, name).and_then(|call: &SavedCall| call.arguments.clone()).expect("some");
    assert_eq!(arguments("a"), "{ \"n\": 1.50,\n  \"n\": 1e400 }");
    let expected = concat!(
        r#"{"z":12345678901234567890123,"a":1.50,"h":255,"d":"1979-05-27","#,
        r#""e":[true,"x",{"q":-0.0,"b":1}],"deep":{"k y":1000}}"#
    );
    assert_eq!(arguments("b"), expected);
}

#[test]
fn faults_have_a_line_and_a_column_and_what_means_nothing_is_noted() {
    let cases = [
        ("midwire = 1\n[calls.a]\ntool = 5\n", (3, 1), "`tool`: it is a text"),
        ("[calls.a]\nfoo = 1\n", (1, 8), "one of `tool`"),
        ("[calls.a]\ntool = 'a'\nprompt = 'b'\n", (1, 8), "one of `tool`"),
        ("[calls.a]\ntool = 'a'\narguments = 'x'\nparams = 'y'\n", (4, 1), "either"),
        ("\"é\" = 1\n\n  \"é\" = 2\n", (3, 3), "duplicate"),
        ("[calls.a]\ntool = 'a'\narguments = { x = inf }\n", (3, 19), "JSON has no inf"),
        ("[variables]\nx = { json = '{' }\n", (2, 1), "no JSON"),
        ("[calls.a]\nhex = '7b 2'\n", (2, 1), "hexadecimal"),
        ("[calls.a]\ntool = 't'\npatience = 'soon'\n", (3, 1), "seconds"),
        ("[targets.a]\nurl = 'u'\ncommand = []\n", (1, 10), "one of"),
        ("midwire = 2\n", (1, 1), "form 1"),
        ("\u{feff}midwire = 1\n", (1, 1), "byte order mark"),
        ("[[calls]]\ntool = 'x'\n", (1, 3), "it is a table"),
    ];
    for (text, place, words) in cases {
        let Err(ProjectError::Read { line, column, why }) = Project::read(text) else { panic!("{text}") };
        assert_eq!((line, column), place, "{text}: {why}");
        assert!(why.contains(words), "{text}: {why}");
    }
    let project = read("# x\nnew = 1\n[calls.a]\ntool = 't'\narguemnts = '{}'\n");
    let notes: Vec<(usize, &str)> = project.notes.iter().map(|note| (note.line, note.text.as_str())).collect();
    assert_eq!(notes, [(2, "`new` means nothing in a project file"), (5, "`arguemnts` means nothing in a call")]);
}

const BY_HAND: &str = "# mine\nmidwire = 1\nfuture = { a = 1 } # kept\n\n[variables] # all\nname = 'x'   # who\n\n\
                       # about create\n[calls.create]\ntool = 'create' # the tool\n# its arguments\narguments = '{}'\n\
                       pick.id = '/id' # dotted\nunknown = 7\n\n[calls.create.headers]\n# why\nX-A = 'b'\n\n\
                       [calls.last]\nmethod = 'ping'";

#[test]
fn a_change_leaves_all_else_byte_for_byte() {
    let mut call = get(&read(BY_HAND).calls, "create").expect("there").clone();
    call.arguments = Some("{\"a\":\n 1}".to_owned());
    call.expect = Expect::IsError;
    call.picks = named(&[("id", "/structuredContent/id")]);
    call.fields = named(&[("X-A", "c"), ("X-B", "d")]);
    let after = edit(BY_HAND, &Edit::Call("create".to_owned(), Box::new(call.clone()))).expect("changed");
    let expected = BY_HAND
        .replace("arguments = '{}'", "arguments = '''\n{\"a\":\n 1}'''")
        .replace("pick.id = '/id' # dotted", "pick.id = \"/structuredContent/id\" # dotted")
        .replace("unknown = 7", "unknown = 7\nexpect = \"isError\"")
        .replace("X-A = 'b'", "X-A = \"c\"\nX-B = \"d\"");
    assert_eq!(after, expected);
    assert_eq!(get(&read(&after).calls, "create"), Some(&call));
    // A second pick has no place among dotted names: refused rather than written somewhere else.
    call.picks.push(("other".to_owned(), "/x".to_owned()));
    assert!(matches!(edit(&after, &Edit::Call("create".to_owned(), Box::new(call))), Err(ProjectError::Change { .. })));
}

#[test]
fn what_is_new_stands_at_the_end_and_what_goes_takes_only_itself() {
    let call = SavedCall { arguments: Some("{}".to_owned()), ..SavedCall::of(What::Tool("t \"x\"".to_owned())) };
    let after = edit(BY_HAND, &Edit::Call("new one".to_owned(), Box::new(call.clone()))).expect("changed");
    let added = "\n\n[calls.\"new one\"]\ntool = 't \"x\"'\narguments = '{}'\n";
    assert_eq!(after, format!("{BY_HAND}{added}"));
    assert_eq!(get(&read(&after).calls, "new one"), Some(&call));

    let after = edit(BY_HAND, &Edit::Variable("name".to_owned(), "1.50".to_owned())).expect("changed");
    assert_eq!(after, BY_HAND.replace("name = 'x'   # who", "name = 1.50   # who"));
    let after = edit(&after, &Edit::Variable("big".to_owned(), "{\"n\":1e999}".to_owned())).expect("changed");
    assert!(after.contains("# who\nbig = { json = '{\"n\":1e999}' }\n"), "{after}");

    let after = edit(BY_HAND, &Edit::RemoveCall("create".to_owned())).expect("changed");
    let expected = "# mine\nmidwire = 1\nfuture = { a = 1 } # kept\n\n[variables] # all\nname = 'x'   # who\n\n\
                    # about create\n\n\n[calls.last]\nmethod = 'ping'";
    assert_eq!(after, expected);

    let chain = Chain { calls: vec!["create".to_owned()], ..Chain::default() };
    let after = edit("", &Edit::Chain("all".to_owned(), chain.clone())).expect("changed");
    assert!(after.starts_with("# Saved calls."), "{after}");
    assert_eq!(read(&after).chains, [("all".to_owned(), chain)]);
}

#[test]
fn a_table_of_arguments_stays_until_it_is_changed_and_its_comments_are_never_lost() {
    let text =
        "[calls.a]\ntool = 't'\n[calls.a.arguments]\nx = 1\n[calls.a.arguments.y]\nz = 2\n\n[calls.b]\ntool = 'u'\n";
    let mut call = get(&read(text).calls, "a").expect("there").clone();
    call.description = Some("d".to_owned());
    let after = edit(text, &Edit::Call("a".to_owned(), Box::new(call.clone()))).expect("changed");
    assert_eq!(after, text.replace("tool = 't'\n", "tool = 't'\ndescription = \"d\"\n"));
    call.arguments = Some("[1]".to_owned());
    let after = edit(&after, &Edit::Call("a".to_owned(), Box::new(call.clone()))).expect("changed");
    assert_eq!(after, "[calls.a]\ntool = 't'\ndescription = \"d\"\narguments = '[1]'\n\n[calls.b]\ntool = 'u'\n");
    let commented = text.replace("x = 1", "x = 1 # one");
    let refused = edit(&commented, &Edit::Call("a".to_owned(), Box::new(call.clone())));
    assert!(matches!(refused, Err(ProjectError::Change { .. })), "{refused:?}");
    let braces = "calls = { a = { tool = 't' } }\n";
    let refused = edit(braces, &Edit::Call("n".to_owned(), Box::new(call)));
    assert!(matches!(refused, Err(ProjectError::Change { .. })), "{refused:?}");
}

#[test]
fn line_ends_of_windows_stay() {
    let text = "[variables]\r\na = 1\r\n\r\n[calls.x]\r\nmethod = 'ping'\r\n";
    let after = edit(text, &Edit::Variable("b".to_owned(), "2".to_owned())).expect("changed");
    assert_eq!(after, text.replace("a = 1\r\n", "a = 1\r\nb = 2\r\n"));
}

#[test]
fn targets_of_every_kind_come_back() {
    let text = "[targets.a]\ncommand = ['x', '-y']\nfolder = 'sub'\nenvironment = ['PATH']\nenv = { K = '${K}' }\n\
                era = 'modern'\nids = 'p-'\npatience = 1.5\nsampling = 'yes'\nidentity = '{\"name\":\"n\"}'\n\
                [targets.b]\nurl = 'https://x/mcp'\nheaders = { A = 'b' }\naccept-cert = 'ff'\n\
                [targets.c]\nserver = 's'\nhost = 'cursor'\n";
    let project = read(text);
    assert_eq!(project.notes, []);
    let mut copy = String::new();
    for (name, target) in &project.targets {
        copy = edit(&copy, &Edit::Target(name.clone(), Box::new(target.clone()))).expect("changed");
    }
    assert_eq!(read(&copy).targets, project.targets, "{copy}");
    let (_, mut first) = project.targets[0].clone();
    assert_eq!((first.settings.patience_ms, first.settings.ids.as_deref()), (Some(1_500), Some("\"p-\"")));
    first.way = SavedWay::Host { host: None, server: "s".to_owned() };
    let after = edit(text, &Edit::Target("a".to_owned(), Box::new(first.clone()))).expect("changed");
    assert_eq!(get(&read(&after).targets, "a"), Some(&first), "{after}");
}

#[test]
fn a_request_is_saved_as_what_it_is() {
    let saved = |method: &str, params: &str| {
        let call = SavedCall::of_request(method, Some(params.as_bytes())).expect("UTF-8");
        (call.what, call.arguments)
    };
    let arguments = r#"{"n": 1.50, "n":2}"#;
    let tool = saved("tools/call", &format!(r#"{{"name":"t","arguments":{arguments}}}"#));
    assert_eq!(tool, (What::Tool("t".to_owned()), Some(arguments.to_owned())));
    let read = saved("resources/read", r#"{"uri":"x:/"}"#);
    assert_eq!(read, (What::Resource("x:/".to_owned()), None));
    // Whatever else it says is kept too.
    let odd = r#"{"name":"t","extra":1}"#;
    assert_eq!(saved("tools/call", odd), (What::Method("tools/call".to_owned()), Some(odd.to_owned())));
    assert_eq!(SavedCall::of_request("ping", None).map(|call| call.arguments), Ok(None));
    assert!(SavedCall::of_request("x", Some(b"\xff")).is_err());
}
