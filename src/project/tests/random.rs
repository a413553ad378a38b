//! Whatever is saved in a file comes back, and the rest of the file stays.

use proptest::prelude::*;

use super::{BY_HAND, read};
use crate::project::{Edit, Project, SavedCall, What, edit, get};

fn texts() -> impl Strategy<Value = String> {
    "[a-z\"'\\\\{}#=\n\r\té\\[\\]. ]{0,16}"
}

fn calls() -> impl Strategy<Value = SavedCall> {
    let what = (0..8_u8, texts(), proptest::collection::vec(any::<u8>(), 0..8));
    let what = what.prop_map(|(kind, text, bytes)| match kind {
        0 => What::Tool(text),
        1 => What::Prompt(text),
        2 => What::Resource(text),
        3 => What::Template(text),
        4 => What::Method(text),
        5 => What::Notification(text),
        _ => What::Raw(bytes),
    });
    let pairs = proptest::collection::btree_map(texts(), texts(), 0..3);
    let text = || proptest::option::of(texts());
    (what, text(), text(), pairs, proptest::option::of(0..5_000_u64)).prop_map(
        |(what, arguments, description, pairs, ms)| SavedCall {
            arguments,
            description,
            picks: pairs.into_iter().collect(),
            patience_ms: ms,
            ..SavedCall::of(what)
        },
    )
}

proptest! {
    #[test]
    fn whatever_is_saved_comes_back(first in calls(), second in calls(), other in calls(), name in texts()) {
        let mut text = BY_HAND.to_owned();
        for (name, call) in [(name.as_str(), &first), ("other", &other), (name.as_str(), &second)] {
            text = edit(&text, &Edit::Call(name.to_owned(), Box::new(call.clone()))).expect("changed");
        }
        let project = read(&text);
        prop_assert_eq!(get(&project.calls, &name).map(|call| &call.what), Some(&second.what));
        prop_assert_eq!(get(&project.calls, &name).map(|call| &call.arguments), Some(&second.arguments));
        prop_assert_eq!(get(&project.calls, "other").map(|call| call.picks.len()), Some(other.picks.len()));
        let by_hand = read(BY_HAND);
        prop_assert_eq!(get(&project.calls, "create"), get(&by_hand.calls, "create"));
        prop_assert!(text.starts_with(BY_HAND));
        let gone = edit(&text, &Edit::RemoveCall(name)).expect("removed");
        prop_assert_eq!(read(&gone).calls.len(), project.calls.len() - 1);
    }

    #[test]
    fn variables_come_back_byte_for_byte(text in texts(), number in "-?[1-9][0-9]{0,30}(\\.[0-9]{1,9})?([eE][+-]?[0-9]{1,3})?") {
        let others = ["{\"a\": [null]}", "\"\\u0041\"", "null", "true", "\"\""].map(ToOwned::to_owned);
        for json in others.into_iter().chain([crate::wire::quote(&text), number]) {
            let after = edit(BY_HAND, &Edit::Variable("v".to_owned(), json.clone())).expect("changed");
            let project = read(&after);
            prop_assert_eq!(get(&project.variables, "v"), Some(&json));
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[a-z\\[\\]{}.=\"' \n#1]{0,60}") {
        if Project::read(&text).is_ok() {
            let _ = edit(&text, &Edit::Call("a".to_owned(), Box::new(SavedCall::of(What::Tool("t".to_owned())))));
            let _ = edit(&text, &Edit::RemoveCall("a".to_owned()));
        }
    }
}
