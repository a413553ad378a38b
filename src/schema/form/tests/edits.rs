//! Typing, choosing, adding and taking away.

use super::{add, choose, field, form, names, presence, type_in};
use crate::schema::{Control, Presence};

#[test]
fn what_is_typed_is_the_truth_char_by_char() {
    // T-64: a draft that is taken back letter by letter is never anything but what is seen.
    let mut form = form(r#"{"properties":{"x":{}},"required":["x"]}"#);
    let whole = r#"["item-1","item-2"]"#;
    let mut typed = String::new();
    for letter in whole.chars() {
        typed.push(letter);
        type_in(&mut form, "/x", &typed);
        assert_eq!(field(&form, "/x").text, typed);
    }
    assert_eq!(form.text(), format!(r#"{{"x":{whole}}}"#));
    while typed.pop().is_some() {
        type_in(&mut form, "/x", &typed);
        assert_eq!((field(&form, "/x").text.as_str(), &field(&form, "/x").control), (typed.as_str(), &Control::Json));
    }
    assert_eq!(form.text(), "{}");
    type_in(&mut form, "/x", r#"["item-1","item-2""#);
    assert_eq!(form.text(), r#"{"x":"[\"item-1\",\"item-2\""}"#);
    assert!(field(&form, "/x").advice[0].contains("is not JSON"), "{:?}", field(&form, "/x").advice);
}

#[test]
fn numbers_are_sent_digit_for_digit() {
    let mut form = form(r#"{"properties":{"n":{"type":"number"},"i":{"type":"integer"}}}"#);
    for text in ["2512292042121000001", "1.0", "1e400", "-0", "0.10", "1E+2", "340282366920938463463374607431768211456"]
    {
        type_in(&mut form, "/n", text);
        assert_eq!(form.text(), format!(r#"{{"n":{text}}}"#));
        assert!(field(&form, "/n").advice.is_empty(), "{text}: {:?}", field(&form, "/n").advice);
    }
    for text in ["1,5", "01", "+1", ".5", "5.", "NaN", "0x10", "1 2", "eins"] {
        type_in(&mut form, "/n", text);
        assert_eq!(form.text(), format!(r#"{{"n":"{text}"}}"#));
        assert_eq!(field(&form, "/n").text, text);
        assert!(field(&form, "/n").advice[0].contains("sent as a string"));
    }
    type_in(&mut form, "/n", " 5 ");
    type_in(&mut form, "/i", "1.5");
    assert_eq!(form.text(), r#"{"n":5,"i":1.5}"#);
    assert_eq!(field(&form, "/i").advice, ["it is the number 1.5, where an integer belongs"]);
}

#[test]
fn choices_send_their_own_type() {
    let mut form = form(
        r#"{"properties":{"c":{"enum":["1",1,1.5,true,null,[2],{"a":3}]},"m":{"type":"array","items":{"enum":["a","b","c"]}},
        "t":{"oneOf":[{"const":"v1","title":"First"},{"const":2,"title":"Second"}]},"f":{"const":7}}}"#,
    );
    let sent: Vec<String> = (0..6)
        .map(|index| {
            choose(&mut form, "/c", index);
            assert_eq!(field(&form, "/c").chosen, [index]);
            form.text()
        })
        .collect();
    assert_eq!(
        sent,
        [r#"{"c":"1"}"#, r#"{"c":1}"#, r#"{"c":1.5}"#, r#"{"c":true}"#, r#"{"c":[2]}"#, r#"{"c":{"a":3}}"#]
    );
    presence(&mut form, "/c", Presence::Null);
    choose(&mut form, "/m", 2);
    choose(&mut form, "/m", 0);
    choose(&mut form, "/t", 1);
    presence(&mut form, "/f", Presence::Value);
    assert_eq!(form.text(), r#"{"c":null,"m":["c","a"],"t":2,"f":7}"#);
    let id = field(&form, "/m").id;
    form.choose(id, 2, false);
    form.choose(id, 0, false);
    assert_eq!((field(&form, "/m").presence, form.text().contains(r#""m":[]"#)), (Presence::Empty, true));
    assert_eq!(field(&form, "/f").control, Control::Fixed("7".to_owned()));
    assert!(form.fields().iter().all(|field| field.advice.is_empty()));
}

#[test]
fn arrays_maps_and_tuples_grow_and_shrink() {
    let mut form = form(
        r#"{"properties":{"list":{"type":"array","items":{"type":"integer"}},"map":{"type":"object","additionalProperties":{"type":"boolean"}},
        "pair":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false}}}"#,
    );
    let first = add(&mut form, "/list");
    form.set_text(first, "1");
    let second = add(&mut form, "/list");
    form.set_text(second, "2");
    form.remove(first);
    assert_eq!(form.field(second).map(|field| field.pointer.as_str()), Some("/list/0"));
    let member = add(&mut form, "/map");
    form.rename(member, "a/b");
    form.set_text(member, "true");
    presence(&mut form, "/pair", Presence::Value);
    type_in(&mut form, "/pair/0", "x");
    type_in(&mut form, "/pair/1", "3");
    assert_eq!(form.text(), r#"{"list":[2],"map":{"a/b":true},"pair":["x",3]}"#);
    let pair = field(&form, "/pair");
    assert_eq!((&pair.control, pair.caption.as_ref()), (&Control::Array { open: false }, "tuple of 2"));
    assert_eq!(names(&form), ["list", "  [0]", "map", "  a/b", "pair", "  [0]", "  [1]"]);
    assert!(form.fields().iter().all(|field| field.advice.is_empty()), "{:#?}", form.fields());
    let first = field(&form, "/pair/0").id;
    form.remove(first);
    assert!(form.text().contains(r#""pair":[3]"#), "{}", form.text());
    assert_eq!(field(&form, "/pair/0").advice, ["it is the number 3, where a string belongs"]);
}

#[test]
fn tuples_of_older_dialects_are_tuples_too() {
    let mut form = form(
        r#"{"$schema":"http://json-schema.org/draft-07/schema#","properties":{
        "old":{"type":"array","items":[{"type":"boolean"}],"additionalItems":{"type":"null"}}},"required":["old"]}"#,
    );
    add(&mut form, "/old");
    assert_eq!(
        (names(&form).join(","), form.text().as_str()),
        ("old,  [0],  [1]".to_owned(), r#"{"old":[false,null]}"#)
    );
    assert!(form.fields().iter().all(|field| field.advice.is_empty()));
}

#[test]
fn a_member_is_added_renamed_and_taken_away() {
    let mut form = form(r#"{"properties":{"a":{"type":"string"}},"patternProperties":{"^n_":{"type":"integer"}}}"#);
    let root = form.root().id;
    let new = form.add(root).unwrap();
    form.set_text(new, "[1, 2]");
    form.rename(new, "x");
    assert_eq!(form.text(), r#"{"x":[1,2]}"#);
    form.rename(new, "n_1");
    assert_eq!((form.text().as_str(), form.field(new).unwrap().advice.len()), (r#"{"n_1":[1,2]}"#, 1));
    form.rename(new, "a");
    assert_eq!(form.text(), r#"{"a":[1,2]}"#);
    form.remove(new);
    assert_eq!(form.text(), "{}");
    let closed = super::form(r#"{"type":"object","additionalProperties":false}"#);
    assert_eq!(closed.root().control, Control::Object { open: false });
}

#[test]
fn the_version_counts_and_numbers_stay() {
    let mut form =
        form(r#"{"properties":{"a":{"type":"string"},"b":{"type":"object","properties":{"c":{"type":"string"}}}}}"#);
    let (before, a) = (form.version(), field(&form, "/a").id);
    type_in(&mut form, "/a", "x");
    presence(&mut form, "/b", Presence::Value);
    assert!(form.version() >= before + 2);
    assert_eq!(field(&form, "/a").id, a);
    let b = field(&form, "/b").id;
    form.fold(b, true);
    assert_eq!(names(&form), ["a", "b"]);
    form.fill(br#"{"b":{"c":"d"}}"#).unwrap();
    assert_eq!(names(&form), ["a", "b"]);
    assert!(field(&form, "/b").folded);
    form.set_text(a, "an old number changes nothing");
    form.remove(12345);
    form.choose(99999, 0, true);
    assert_eq!(form.text(), r#"{"b":{"c":"d"}}"#);
}
