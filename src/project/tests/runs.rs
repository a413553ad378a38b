//! Runs of calls and chains.

use super::{named, read};
use crate::project::{Answer, Run, RunError};

const CHAIN: &str = "[targets.t]\ncommand = ['x']\n[variables]\nname = 'file'\nn = 1\n[environments.e]\nn = 2\n\
    [calls.make]\ntool = 'make'\narguments = '{\"name\":\"{{name}}\",\"n\":{{n}}}'\n\
    pick = { id = '/content/0/text/id' }\n\
    [calls.read]\ntemplate = 'note:///{id}{?n}'\narguments = '{\"id\":\"{{id}}\",\"n\":{{n}}}'\nmeta = { k = '{{id}}' }\n\
    [calls.fail]\nmethod = 'no/such'\nparams = '{}'\nmeta = '{\"a\":1}'\nexpect = 'error'\nheaders = { H = '{{name}}' }\n\
    [calls.tell]\nnotification = 'notifications/x'\n[calls.open]\ntool = '{{gone}}'\n\
    [chains]\nall = ['make', 'read', 'fail', 'tell']\nbroken = ['make', 'nothing']\n\
    [chains.on]\ncalls = ['fail', 'tell']\ngoes-on = true\n";

fn run(name: &str, environment: Option<&str>, set: &[(&str, &str)]) -> Result<Run, RunError> {
    Run::new(&read(CHAIN), name, environment, &named(set))
}

#[test]
fn variables_are_filled_in_and_picked_on_the_way() {
    let mut run = run("all", Some("e"), &[("name", "\"a \\\"b\\\"\"")]).expect("a run");
    let make = run.next_call().expect("a call").expect("ready");
    assert_eq!((make.method.as_str(), make.target.as_deref()), ("tools/call", Some("t")));
    assert_eq!(make.params.as_deref(), Some(r#"{"name":"make","arguments":{"name":"a \"b\"","n":2}}"#));
    let verdict = run.ended(Answer::Result(br#"{"content":[{"type":"text","text":"{\"id\":12345678901234567890}"}]}"#));
    assert_eq!((verdict.ok, verdict.picked), (true, named(&[("id", "12345678901234567890")])));
    let read = run.next_call().expect("a call").expect("ready");
    let expected = r#"{"uri":"note:///12345678901234567890?n=2","_meta":{"k":12345678901234567890}}"#;
    assert_eq!(read.params.as_deref(), Some(expected));
    assert!(run.ended(Answer::Result(b"{}")).ok);
    let fail = run.next_call().expect("a call").expect("ready");
    assert_eq!((fail.method.as_str(), fail.params.as_deref()), ("no/such", Some(r#"{"_meta":{"a":1}}"#)));
    assert_eq!(fail.fields, named(&[("H", "a \"b\"")]));
    assert!(run.ended(Answer::Error(b"{}")).ok);
    let tell = run.next_call().expect("a call").expect("ready");
    assert!(tell.is_one_way() && tell.params.is_none());
    assert!(run.ended(Answer::Sent).ok);
    assert!(run.next_call().is_none());
}

#[test]
fn a_run_stops_where_it_is_not_as_expected_unless_it_goes_on() {
    let mut one = run("all", None, &[]).expect("a run");
    one.next_call().expect("a call").expect("ready");
    let verdict = one.ended(Answer::Result(br#"{"content":[],"isError":true}"#));
    assert!(!verdict.ok && verdict.stops && verdict.why.is_some_and(|why| why.contains("isError")));
    assert!(one.next_call().is_none());

    let mut lost = run("all", None, &[]).expect("a run");
    lost.next_call().expect("a call").expect("ready");
    let verdict = lost.ended(Answer::Result(br#"{"content":[]}"#));
    assert!(verdict.stops && verdict.why.is_some_and(|why| why.contains("`id`")));

    let mut on = run("on", None, &[]).expect("a run");
    on.next_call().expect("a call").expect("ready");
    let verdict = on.ended(Answer::Result(b"{}"));
    assert!(!verdict.ok && !verdict.stops);
    assert!(on.next_call().is_some());
    assert!(on.ended(Answer::Lost("gone")).stops);
}

#[test]
fn what_is_not_there_is_named_with_what_there_is() {
    let why = |name: &str, environment| run(name, environment, &[]).expect_err(name).to_string();
    assert!(why("none", None).contains("calls: make, read"));
    assert!(why("broken", None).contains("`nothing`"));
    assert!(why("make", Some("x")).contains("environments: e"));
    let mut open = run("open", None, &[]).expect("a run");
    assert!(open.next_call().expect("a call").is_err_and(|why| why.contains("`gone`")));
    assert!(open.next_call().is_none());
}
