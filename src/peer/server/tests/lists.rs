//! Lists, levels and completions: PG-001, EC-018, EC-019, EC-026, CH-003, CM-*.

use super::book::Book;
use super::script::Play;
use crate::peer::server::Kind;
use crate::wire::Json;

fn paged(items: usize, page: usize) -> Play {
    let mut book = (0..items).fold(Book::new(), |book, at| book.tool(&format!("t{at}")));
    book.about.page = Some(page);
    Play::legacy(book, "2025-11-25")
}

/// Names of the tools on a page, and the cursor of the next.
fn page(play: &mut Play, method: &str, cursor: Option<&str>) -> (Vec<String>, Option<String>) {
    let params = cursor.map(|cursor| format!(r#","params":{{"cursor":"{cursor}"}}"#)).unwrap_or_default();
    play.run(&format!(r#"1< {{$R,"id":1,"method":"{method}"{params}}}"#));
    let came = play.came();
    let json = Json::parse(came.trim_start_matches("1> ").as_bytes()).expect("a message");
    let text = |json: Option<Json<'_>>| json.and_then(|json| json.text()).unwrap_or_default().into_owned();
    let tools = json.pointer("/result/tools");
    let names = tools.iter().flat_map(Json::items).map(|tool| text(tool.get("name"))).collect();
    (names, json.pointer("/result/nextCursor").map(|cursor| text(Some(cursor))))
}

#[test]
fn pages_hold_every_item_once_in_their_order() {
    let mut play = paged(7, 3);
    let (mut all, mut cursor, mut pages) = (Vec::new(), None, 0);
    loop {
        let (names, next) = page(&mut play, "tools/list", cursor.as_deref());
        all.extend(names);
        pages += 1;
        cursor = next;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!((pages, all), (3, (0..7).map(|at| format!("t{at}")).collect()));
    assert_eq!(page(&mut paged(3, 3), "tools/list", None).1, None);
    assert_eq!(page(&mut paged(0, 3), "tools/list", None), (Vec::new(), None));
}

#[test]
fn cursors_that_were_not_given_out_for_the_list_are_refused() {
    let mut play = paged(7, 3);
    let cursor = page(&mut play, "tools/list", None).1.expect("there is more");
    let swapped = format!("M{}", &cursor[1..]);
    for (method, params) in [
        ("tools/list", r#"{"cursor":""}"#.to_owned()),
        ("tools/list", r#"{"cursor":"3"}"#.to_owned()),
        ("tools/list", r#"{"cursor":3}"#.to_owned()),
        ("tools/list", r#"{"cursor":null}"#.to_owned()),
        ("tools/list", format!(r#"{{"cursor":"{cursor}x"}}"#)),
        ("prompts/list", format!(r#"{{"cursor":"{cursor}"}}"#)),
        (
            "tools/list",
            if swapped == cursor { r#"{"cursor":"."}"#.to_owned() } else { format!(r#"{{"cursor":"{swapped}"}}"#) },
        ),
    ] {
        play.run(&format!(r#"1< {{$R,"id":1,"method":"{method}","params":{params}}}"#));
        let came = play.came();
        assert!(came.contains(r#""code":-32602"#), "{method} {params}: {came}");
    }
}

#[test]
fn levels_are_set_where_they_are_such() {
    let mut play = Play::legacy(Book::new(), "2025-11-25");
    play.run(
        r#"
        1< {$R,"id":1,"method":"logging/setLevel","params":{"level":"warning"}}
        1> {$R,"id":1,"result":{}}
        1< {$R,"id":2,"method":"logging/setLevel","params":{"level":"loud"}}
        1> {$R,"id":2,"error":{"code":-32602,"message":"the level must be one of debug, info, notice, warning, error, critical, alert, emergency"}}
        1< {$R,"id":3,"method":"logging/setLevel"}
        ~"#,
    );
}

#[test]
fn completions_are_a_hundred_at_the_most_and_say_how_many_there_are() {
    let mut book = Book::new()
        .item(Kind::Prompts, r#"{"name":"p"}"#)
        .item(Kind::Templates, r#"{"uriTemplate":"a:/{x}","name":"t"}"#);
    let values = (0..150).map(|at| format!("Value {at}")).collect();
    book.about.completions.push(("p".to_owned(), "many".to_owned(), values));
    book.about.completions.push(("a:/{x}".to_owned(), "x".to_owned(), vec!["Ulm".to_owned(), "Bonn".to_owned()]));
    let mut play = Play::legacy(book, "2025-11-25");
    let complete = |reference: &str, argument: &str, value: &str| {
        format!(
            r#"1< {{$R,"id":1,"method":"completion/complete","params":{{"ref":{reference},"argument":{{"name":"{argument}","value":"{value}"}}}}}}"#
        )
    };
    let (prompt, template) = (r#"{"type":"ref/prompt","name":"p"}"#, r#"{"type":"ref/resource","uri":"a:/{x}"}"#);
    play.run(&complete(prompt, "many", "value"));
    let came = play.came();
    assert!(came.contains(r#""total":150,"hasMore":true"#), "{came}");
    assert_eq!(came.matches("Value").count(), 100);
    for (reference, argument, value, expected) in [
        (template, "x", "u", r#"["Ulm"],"total":1,"hasMore":false"#),
        (template, "x", "", r#"["Ulm","Bonn"],"total":2,"hasMore":false"#),
        (template, "y", "", r#"[],"total":0,"hasMore":false"#),
        (prompt, "many", "value 14", r#""total":11,"#),
        (r#"{"type":"ref/prompt","name":"none"}"#, "x", "", r#""code":-32602"#),
        (r#"{"type":"odd"}"#, "x", "", r#""code":-32602"#),
        ("7", "x", "", r#""code":-32602"#),
    ] {
        play.run(&complete(reference, argument, value));
        let came = play.came();
        assert!(came.contains(expected), "{reference} {argument} {value}: {came}");
    }
    let mut book = Book::new();
    book.about.legacy = "{}".to_owned();
    let mut play = Play::legacy(book, "2025-11-25");
    play.run(&complete(prompt, "x", ""));
    assert!(play.came().contains("-32601"), "EC-026");
}
