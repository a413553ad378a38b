//! Rules edited in place.

use super::mock;
use crate::mock::edit;

const TEXT: &str =
    "# mine\n[[tool]] # the first\nname = \"a\"\nanswer = \"x\"   # so far\n\n[[tool]]\nname = \"b\"\nanswer = \"y\"\n";

#[test]
fn a_rule_is_replaced_and_all_else_stays() {
    let rule = mock(TEXT).rules()[0].clone();
    let changed = edit(TEXT, rule.range, "[[tool]]\nname = \"a\"\nanswer = \"new\"").expect("it is a mock");
    assert_eq!(
        changed,
        TEXT.replace("[[tool]] # the first\nname = \"a\"\nanswer = \"x\"", "[[tool]]\nname = \"a\"\nanswer = \"new\"")
    );
}

#[test]
fn what_is_wrong_with_the_new_text_is_told_and_nothing_is_changed() {
    let rule = mock(TEXT).rules()[1].clone();
    let faults = edit(TEXT, rule.range.clone(), "[[tool]]\nname = \"b\"\nanwser = \"y\"").expect_err("a slip");
    assert_eq!(faults.len(), 1);
    assert_eq!((faults[0].line, faults[0].column), (8, 1));
    assert!(edit(TEXT, rule.range, "[[tool").is_err());
    assert!(edit(TEXT, 500..600, "").is_err());
}

#[test]
fn faults_that_were_there_before_do_not_stand_in_the_way() {
    let text = format!("{TEXT}colour = 5\n");
    let rule = crate::mock::read(&text).mock.expect("it is TOML").rules()[0].clone();
    assert!(edit(&text, rule.range, "[[tool]]\nname = \"a\"\nanswer = \"new\"").is_ok());
}

#[test]
fn files_that_are_named_are_not_needed_for_an_edit() {
    let text = "[[tool]]\nname = \"a\"\ninput = { file = \"s.json\" }\nanswer = \"x\"";
    assert_eq!(edit(text, 0..text.len(), text).as_deref(), Ok(text));
}
