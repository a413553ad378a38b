//! What a call ended with, read for the page: its content piece by piece, its structured content held against the
//! schema, and what is worth a remark. Large results take their time, so this is done off the frame.

use std::sync::Arc;

use crate::engine::view::{Body, Content, ContentKind, Json, JsonKind, pieces};
use crate::schema::{Problem, Validator};
use crate::ui::words;

/// Blocks that are read; of more it is said how many.
const MOST: usize = 200;
/// Problems that are told.
const MOST_PROBLEMS: usize = 50;

/// One block of content.
#[derive(Debug, Clone)]
pub struct Block {
    /// What it is: `text`, `image/png`, `resource link`; with the role where it is of a prompt.
    pub title: String,
    /// Further words: its URI, its annotations.
    pub note: String,
    /// What to show; `None` where it cannot be.
    pub piece: Option<Content>,
    /// The URI of a link or resource, which can be read.
    pub uri: Option<String>,
}

/// How structured content stands to the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fits {
    /// There is no structured content, or none is promised.
    Unasked,
    /// It matches, by this dialect.
    Yes(String),
    /// It does not, by this dialect.
    No(String, Vec<Problem>),
    /// It could not be checked; why.
    Unchecked(String),
    /// A schema promises it, and it is not there.
    Missing,
}

/// A remark about a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The remark, in a sentence.
    pub text: String,
    /// Whether it asks for care.
    pub warns: bool,
}

/// A result, read.
#[derive(Debug)]
pub struct Answer {
    /// Its content.
    pub blocks: Vec<Block>,
    /// Blocks that were left out.
    pub more: usize,
    /// `structuredContent`, laid out.
    pub structured: Option<Arc<Body>>,
    /// How that stands to the schema.
    pub fits: Fits,
    /// `_meta`, laid out.
    pub meta: Option<Arc<Body>>,
    /// What is worth saying.
    pub remarks: Vec<Remark>,
    /// Whether it has a place for content at all; other results are shown as they are.
    pub has_content: bool,
}

/// Reads a result, held against the schema (JSON text) of a tool's output where it has one.
pub fn read(bytes: &[u8], of_tool: bool, output: Option<&[u8]>) -> Answer {
    let root = Json::of_frame(bytes).ok().filter(|json| json.kind() == JsonKind::Object);
    let get = |name: &str| root.as_ref().and_then(|root| root.get(name));
    let found = pieces(bytes);
    let mut blocks = Vec::new();
    let mut more = 0;
    let mut add = |block: Block| if blocks.len() < MOST { blocks.push(block) } else { more += 1 };
    for (member, list) in ["content", "contents"].into_iter().filter_map(|name| Some((name, get(name)?))) {
        for (index, item) in list.items().enumerate() {
            let mut read = block(&item, &format!("/{member}/{index}"), None, &found);
            // What was just read need not be offered for reading.
            read.uri = read.uri.filter(|_| member == "content");
            add(read);
        }
    }
    for (index, message) in get("messages").iter().flat_map(Json::items).enumerate() {
        let role = message.get("role").and_then(|it| it.text().map(std::borrow::Cow::into_owned));
        let Some(content) = message.get("content") else { continue };
        if content.kind() == JsonKind::Array {
            for (place, item) in content.items().enumerate() {
                add(block(&item, &format!("/messages/{index}/content/{place}"), role.as_deref(), &found));
            }
        } else {
            add(block(&content, &format!("/messages/{index}/content"), role.as_deref(), &found));
        }
    }
    let structured = get("structuredContent");
    let is_error = get("isError").and_then(|it| it.as_bool()).unwrap_or(false);
    let has_content = ["content", "contents", "messages", "structuredContent"].iter().any(|name| get(name).is_some());
    let fits = fits(structured.as_ref().map(Json::raw), output, is_error);
    let remarks = if of_tool { remarks(&get, blocks.len() + more, structured.is_some(), is_error) } else { Vec::new() };
    Answer {
        blocks,
        more,
        structured: structured.map(|it| body(it.raw())),
        fits,
        meta: get("_meta").map(|it| body(it.raw())),
        remarks,
        has_content: has_content || of_tool,
    }
}

fn fits(structured: Option<&[u8]>, output: Option<&[u8]>, is_error: bool) -> Fits {
    match (structured, output) {
        (_, None) => Fits::Unasked,
        // A tool that failed need not keep its promise.
        (None, Some(_)) => {
            if is_error {
                Fits::Unasked
            } else {
                Fits::Missing
            }
        }
        (Some(json), Some(schema)) => match Validator::new(schema) {
            Err(why) => Fits::Unchecked(why),
            Ok(validator) => {
                let mut problems = validator.problems(json);
                problems.truncate(MOST_PROBLEMS);
                let dialect = validator.dialect().to_owned();
                if problems.is_empty() { Fits::Yes(dialect) } else { Fits::No(dialect, problems) }
            }
        },
    }
}

/// What there is to say about the shape of a tool's result.
fn remarks<'a>(
    get: &impl Fn(&str) -> Option<Json<'a>>,
    blocks: usize,
    structured: bool,
    is_error: bool,
) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let mut say = |text: &str, warns| remarks.push(Remark { text: text.to_owned(), warns });
    let content = get("content");
    let is_array = content.as_ref().is_some_and(|it| it.kind() == JsonKind::Array);
    if is_error {
        say("isError: the tool ran and failed; the model is shown this.", true);
    }
    match (&content, blocks, structured) {
        (Some(_), ..) if !is_array => {
            say("content is no array, so hosts will not show it; Raw has it as it was sent.", true);
        }
        (Some(_), 0, false) if is_error => say("content is empty: the tool does not say what went wrong.", true),
        (Some(_), 0, false) => say("content is empty: the tool has nothing to say, which is allowed.", false),
        (Some(_), 0, true) => {
            say(
                "content is empty and everything is in structuredContent: hosts that read content alone see nothing.",
                true,
            );
        }
        (None, _, true) => {
            say(
                "There is structuredContent and no content: content is required, hosts that read it alone see nothing.",
                true,
            );
        }
        (None, _, false) if get("resultType").is_some_and(|it| !it.is_text("complete")) || get("task").is_some() => {}
        (None, _, false) => say("The result has neither content nor structuredContent; Raw has all of it.", true),
        (Some(_), ..) => {}
    }
    remarks
}

fn block(item: &Json<'_>, pointer: &str, role: Option<&str>, found: &[Content]) -> Block {
    let text = |json: &Json<'_>, name: &str| json.get(name).and_then(|it| it.text().map(std::borrow::Cow::into_owned));
    let sort = text(item, "type").unwrap_or_else(|| "resource".to_owned());
    let inner = item.get("resource");
    let of = inner.as_ref().unwrap_or(item);
    let uri = text(of, "uri");
    let media = text(of, "mimeType");
    let mut piece = found
        .iter()
        .find(|piece| piece.pointer.strip_prefix(pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
        .cloned();
    let mut title = match (sort.as_str(), &media) {
        ("text", _) => "text".to_owned(),
        ("resource_link", _) => "resource link".to_owned(),
        (_, Some(media)) => media.clone(),
        (sort, None) => sort.to_owned(),
    };
    if let Some(role) = role {
        title = format!("{role}: {title}");
    }
    let mut notes: Vec<String> = Vec::new();
    notes.extend(uri.clone());
    notes.extend(text(item, "title").or_else(|| text(item, "name")));
    if let Some(piece) = &piece
        && piece.kind == ContentKind::Json
    {
        notes.push("JSON inside text, opened".to_owned());
    }
    if let Some(piece) = &piece
        && matches!(piece.kind, ContentKind::Image | ContentKind::Audio | ContentKind::Blob)
    {
        notes.push(words::size(piece.bytes.len() as u64));
    }
    if let Some(annotations) = item.get("annotations") {
        notes.push(String::from_utf8_lossy(annotations.raw()).into_owned());
    }
    if piece.is_none() {
        // Nothing that is known of: the block itself, as it was sent.
        let bytes: Arc<[u8]> = item.raw().into();
        piece = Some(Content { pointer: pointer.to_owned(), media: None, kind: ContentKind::Json, bytes });
        if sort != "resource_link" {
            notes.push("as it was sent".to_owned());
        }
    }
    Block { title, note: notes.join(" · "), piece, uri }
}

/// JSON text, laid out.
pub fn body(bytes: &[u8]) -> Arc<Body> {
    Arc::new(Body::loose(bytes, None, 0))
}

#[cfg(test)]
mod tests {
    use super::{Fits, read};

    fn said(result: &str, output: Option<&str>) -> (usize, bool, Vec<String>) {
        let answer = read(result.as_bytes(), true, output.map(str::as_bytes));
        let remarks = answer.remarks.into_iter().map(|it| it.text.split([':', ';', ',']).next().unwrap().to_owned());
        (answer.blocks.len(), answer.structured.is_some(), remarks.collect())
    }

    #[test]
    fn every_shape_of_a_result_is_told_apart() {
        let text = r#""content":[{"type":"text","text":"hi"}]"#;
        for (result, blocks, structured, remarks) in [
            (format!("{{{text}}}"), 1, false, vec![]),
            (r#"{"content":[]}"#.to_owned(), 0, false, vec!["content is empty"]),
            (
                r#"{"content":[],"structuredContent":{"a":1}}"#.to_owned(),
                0,
                true,
                vec!["content is empty and everything is in structuredContent"],
            ),
            (r#"{"structuredContent":{"a":1}}"#.to_owned(), 0, true, vec!["There is structuredContent and no content"]),
            (format!(r#"{{{text},"structuredContent":[1]}}"#), 1, true, vec![]),
            (format!(r#"{{{text},"structuredContent":{{}},"isError":true}}"#), 1, true, vec!["isError"]),
            (r#"{"content":[],"isError":true}"#.to_owned(), 0, false, vec!["isError", "content is empty"]),
            (r#"{"content":"hi"}"#.to_owned(), 0, false, vec!["content is no array"]),
            ("{}".to_owned(), 0, false, vec!["The result has neither content nor structuredContent"]),
            (r#"{"resultType":"input_required"}"#.to_owned(), 0, false, vec![]),
        ] {
            let expected = (blocks, structured, remarks.into_iter().map(str::to_owned).collect::<Vec<_>>());
            assert_eq!(said(&result, None), expected, "{result}");
        }
    }

    #[test]
    fn a_promise_of_structure_is_held_against_what_came() {
        let schema = br#"{"type":"object"}"#;
        assert!(matches!(read(br#"{"content":[]}"#, true, Some(schema)).fits, Fits::Missing));
        assert!(matches!(read(br#"{"content":[],"isError":true}"#, true, Some(schema)).fits, Fits::Unasked));
        assert!(matches!(read(br#"{"structuredContent":{}}"#, true, Some(schema)).fits, Fits::Yes(_)));
        assert!(matches!(read(br#"{"structuredContent":{}}"#, true, None).fits, Fits::Unasked));
    }

    #[test]
    fn blocks_of_every_kind_have_a_title_and_something_to_show() {
        let result = br#"{"content":[{"type":"text","text":"{\"a\":1}"},{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"},
            {"type":"resource_link","uri":"x:/1","name":"one"},{"type":"resource","resource":{"uri":"x:/2","text":"t"}},{"type":"video"},7]}"#;
        let answer = read(result, true, None);
        let titles: Vec<_> = answer.blocks.iter().map(|it| it.title.as_str()).collect();
        assert_eq!(titles, ["text", "image/png", "resource link", "resource", "video", "resource"]);
        assert_eq!(answer.blocks[2].uri.as_deref(), Some("x:/1"));
        assert!(answer.blocks.iter().all(|it| it.piece.is_some()));
        let prompt = read(br#"{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}"#, false, None);
        assert_eq!(prompt.blocks[0].title, "user: text");
    }
}
