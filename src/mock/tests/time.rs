//! What happens by itself.

use super::{Asking, faults};
use crate::peer::server::{Kind, Order, Script};

const SECOND: i64 = 1_000_000_000;

/// What is due at a time in seconds, as text.
fn due(asking: &mut Asking, seconds: f64) -> Vec<String> {
    let now = (seconds * SECOND as f64) as i64;
    std::iter::from_fn(|| asking.player.due(now)).map(|order| format!("{order:?}")).collect()
}

fn tools(asking: &Asking) -> usize {
    asking.player.list(Kind::Tools).len()
}

#[test]
fn items_come_and_go_at_their_times() {
    let mut asking = Asking::of(
        "[[tool]]\nname = \"always\"\nanswer = \"x\"\n[[tool]]\nname = \"late\"\nfrom = \"5s\"\nuntil = \"8s\"\nanswer = \"x\"",
    );
    assert_eq!(asking.player.due_at(), Some(0));
    // Times count from when it is first asked.
    assert_eq!(due(&mut asking, 100.0), Vec::<String>::new());
    assert_eq!(asking.player.due_at(), Some(105 * SECOND));
    assert_eq!((tools(&asking), asking.calls("late", "{}").as_str()), (1, "own"));
    assert_eq!(due(&mut asking, 105.0), ["Changed(Tools)"]);
    assert_eq!(tools(&asking), 2);
    assert!(asking.calls("late", "{}").starts_with("result"));
    assert_eq!(asking.player.due_at(), Some(108 * SECOND));
    assert_eq!(due(&mut asking, 200.0), ["Changed(Tools)"]);
    assert_eq!((tools(&asking), asking.player.due_at()), (1, None));
}

#[test]
fn steps_and_timers_add_and_remove_items() {
    let mut asking = Asking::of(
        "[[tool]]\nname = \"t\"\nsteps = [{ add = { tool = \"h\" } }]\nanswer = \"x\"\n\
         [[tool]]\nname = \"h\"\nhidden = true\nanswer = \"x\"\n\
         [[timer]]\nafter = \"1s\"\nremove = { tool = \"h\" }",
    );
    assert_eq!(tools(&asking), 1);
    assert!(asking.calls("t", "{}").starts_with("changed tools/list\nresult"));
    assert_eq!(tools(&asking), 2);
    due(&mut asking, 0.0);
    assert_eq!(due(&mut asking, 1.0), ["Changed(Tools)"]);
    assert_eq!(tools(&asking), 1);
}

#[test]
fn timers_order_what_they_say() {
    let mut asking = Asking::of(
        "[[timer]]\nevery = \"1s\"\ntimes = 2\nchanged = \"prompts\"\n[[timer]]\nafter = 0\nupdated = \"x://1\"\n\
         [[timer]]\nafter = 0\nnotify = \"x/y\"\nparams = { a = 1 }\n[[timer]]\nafter = \"10s\"\nevery = \"1h\"\nraw = \"x\"\n\
         [[timer]]\nafter = \"1s\"\nend-listening = true",
    );
    let first =
        [Order::Updated("x://1".to_owned()), Order::Notify(None, "x/y".to_owned(), Some(b"{\"a\":1}"[..].into()))];
    assert_eq!(due(&mut asking, 0.0), first.map(|order| format!("{order:?}")));
    assert_eq!(asking.player.due_at(), Some(SECOND));
    assert_eq!(due(&mut asking, 1.0), ["Changed(Prompts)", "EndListening"]);
    // What was missed comes once.
    assert_eq!(due(&mut asking, 9.0), ["Changed(Prompts)"]);
    assert_eq!(asking.player.due_at(), Some(10 * SECOND));
    assert_eq!(due(&mut asking, 10.0).len(), 1);
    assert_eq!(asking.player.due_at(), Some(3_610 * SECOND));
}

#[test]
fn a_mock_in_which_nothing_happens_is_never_due() {
    let asking = Asking::of("[[tool]]\nname = \"t\"\nanswer = \"x\"");
    assert_eq!(asking.player.due_at(), None);
}

#[test]
fn timers_that_are_none_are_told_of() {
    assert!(faults("[[timer]]\nchanged = \"tools\"")[0].contains("needs `after`, `every` or both"));
    assert!(faults("[[timer]]\nafter = 1")[0].contains("does one thing"));
    assert!(faults("[[timer]]\nafter = 1\nadd = { tool = \"x\" }")[0].contains("there is no `x`"));
}
