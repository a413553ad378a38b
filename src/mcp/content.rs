//! Content inside messages: content blocks, resource contents, icons; pictures, sounds, text, blobs.
//!
//! It is found where the protocol puts it, in results and params, in embedded resources, prompts,
//! sampling, and rounds; a block of the wrong shape hides only itself. Nothing is decoded until it is
//! asked for, and nothing is judged.

use std::borrow::Cow;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::wire::Json;

/// Pieces of content listed for one message; a hostile one may hold a million.
const MOST: usize = 200;
/// Values looked at in one message.
const MOST_LOOKED: usize = 50_000;
/// Steps down to a piece: nothing in the protocol lies half as deep.
const DEEPEST: usize = 24;

/// Members in which content lies, at any depth.
const PLACES: [&str; 9] =
    ["result", "params", "content", "contents", "messages", "resource", "inputRequests", "inputResponses", "icons"];

/// Base64 as peers really write it: with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// What a piece of content is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A picture.
    Image,
    /// A sound.
    Audio,
    /// Text that is itself JSON.
    Json,
    /// Other text.
    Text,
    /// A blob of another kind.
    Blob,
}

/// One piece of content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content<'a> {
    /// Where its data is: a JSON pointer into the message.
    pub pointer: String,
    /// Its media type, where it says one.
    pub media: Option<String>,
    /// What it is.
    pub kind: Kind,
    /// The URI of the resource that it is of, where it is one.
    pub uri: Option<String>,
    data: Data<'a>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Data<'a> {
    Text(Cow<'a, str>),
    Base64(Cow<'a, str>),
}

impl Content<'_> {
    /// Its bytes, decoded now: of the picture, the sound, the text. `None` for bad base64.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        match &self.data {
            Data::Text(text) => Some(text.as_bytes().to_vec()),
            Data::Base64(data) => BASE64
                .decode(data.as_bytes())
                .or_else(|_| BASE64.decode(data.split_ascii_whitespace().collect::<String>()))
                .ok(),
        }
    }

    /// Its text, where it is text.
    pub fn text(&self) -> Option<&str> {
        match &self.data {
            Data::Text(text) => Some(text),
            Data::Base64(_) => None,
        }
    }
}

/// The content of a message, or of any part of one, in the order in which it stands there.
pub fn content(root: Json<'_>) -> Vec<Content<'_>> {
    let mut found = Vec::new();
    let mut looked = 0;
    // Depth first with a stack of our own: a message may be nested as deep as it is long.
    let mut todo = vec![(String::new(), 0, root)];
    while let Some((pointer, depth, value)) = todo.pop() {
        looked += 1;
        if looked > MOST_LOOKED || found.len() >= MOST {
            break;
        }
        let from = todo.len();
        let (block, free) =
            (Block::of(value), pointer.ends_with("/inputRequests") || pointer.ends_with("/inputResponses"));
        if depth < DEEPEST {
            let inside = value.members().take(MOST_LOOKED).filter_map(|(key, child)| Some((key.text()?, child)));
            // The keys of rounds are the server's own.
            let inside = inside.filter(|(key, _)| free || PLACES.contains(&&**key));
            todo.extend(inside.map(|(key, child)| (format!("{pointer}/{}", step(&key)), depth + 1, child)));
            let items = value.items().take(MOST_LOOKED).enumerate();
            todo.extend(items.map(|(index, child)| (format!("{pointer}/{index}"), depth + 1, child)));
        }
        found.extend(block.content(&pointer));
        todo[from..].reverse();
    }
    found
}

/// The members by which an object is a content block, resource contents or an icon.
#[derive(Default)]
struct Block<'a> {
    kind: Option<Json<'a>>,
    media: Option<Json<'a>>,
    uri: Option<Json<'a>>,
    data: Option<Json<'a>>,
    blob: Option<Json<'a>>,
    src: Option<Json<'a>>,
    text: Option<Json<'a>>,
}

impl<'a> Block<'a> {
    /// Reads them in one pass, since a message may be many megabytes long.
    fn of(value: Json<'a>) -> Self {
        let mut block = Self::default();
        for (key, value) in value.members() {
            let slot = match key.raw() {
                b"\"type\"" => &mut block.kind,
                b"\"mimeType\"" => &mut block.media,
                b"\"uri\"" => &mut block.uri,
                b"\"data\"" => &mut block.data,
                b"\"blob\"" => &mut block.blob,
                b"\"src\"" => &mut block.src,
                b"\"text\"" => &mut block.text,
                _ => continue,
            };
            *slot = Some(value);
        }
        block
    }

    fn content(&self, pointer: &str) -> Option<Content<'a>> {
        let text = |value: Option<Json<'a>>| value.and_then(|value| value.text());
        let media = text(self.media).map(Cow::into_owned);
        let (name, kind, data) = if let Some(kind) = self.played()
            && let Some(data) = text(self.data)
        {
            ("data", kind, Data::Base64(data))
        } else if let Some(blob) = text(self.blob) {
            ("blob", kind_of(media.as_deref()), Data::Base64(blob))
        } else if let Some(source) = text(self.src) {
            return icon(pointer, &source);
        } else {
            let text = text(self.text)?;
            ("text", if is_json(&text) { Kind::Json } else { Kind::Text }, Data::Text(text))
        };
        let uri = text(self.uri).map(Cow::into_owned);
        Some(Content { pointer: format!("{pointer}/{name}"), media, kind, uri, data })
    }

    fn played(&self) -> Option<Kind> {
        let kind = self.kind?;
        let is = |name, what| kind.is_text(name).then_some(what);
        is("image", Kind::Image).or_else(|| is("audio", Kind::Audio))
    }
}

/// A picture inside the address of an icon; one that lies elsewhere is never fetched.
fn icon<'a>(pointer: &str, source: &str) -> Option<Content<'a>> {
    let (media, data) = source.strip_prefix("data:")?.split_once(";base64,")?;
    let (media, data) = (Some(media.to_owned()), Data::Base64(data.to_owned().into()));
    Some(Content { pointer: format!("{pointer}/src"), media, kind: Kind::Image, uri: None, data })
}

/// Whether a text is itself JSON worth laying out: an object or an array.
fn is_json(text: &str) -> bool {
    let text = text.trim();
    text.starts_with(['{', '[']) && Json::parse(text.as_bytes()).is_ok()
}

fn kind_of(media: Option<&str>) -> Kind {
    match media.and_then(|media| media.split_once('/')) {
        Some(("image", _)) => Kind::Image,
        Some(("audio", _)) => Kind::Audio,
        Some(("text", _)) => Kind::Text,
        Some(("application", "json")) => Kind::Json,
        _ => Kind::Blob,
    }
}

/// A member's name as a step of a JSON pointer.
fn step(key: &str) -> Cow<'_, str> {
    if key.contains(['~', '/']) { key.replace('~', "~0").replace('/', "~1").into() } else { key.into() }
}

#[cfg(test)]
mod tests {
    use super::{Kind, content};
    use crate::wire::Json;

    fn found(text: &str) -> Vec<(String, Kind, Option<usize>)> {
        let json = Json::parse(text.as_bytes()).expect("the test's JSON is valid");
        let list = content(json).into_iter();
        list.map(|piece| (piece.pointer.clone(), piece.kind, piece.bytes().map(|bytes| bytes.len()))).collect()
    }

    fn piece(pointer: &str, kind: Kind, size: usize) -> (String, Kind, Option<usize>) {
        (pointer.to_owned(), kind, Some(size))
    }

    #[test]
    fn content_is_found_where_the_protocol_puts_it_and_in_order() {
        let result = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[
            {"type":"text","text":"short"},
            {"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"},
            7,
            {"type":"text","text":" {\"a\":1}"},
            {"type":"resource","resource":{"uri":"x:/","mimeType":"text/html","text":"<p>"}},
            {"type":"audio","data":"AAAA","mimeType":"audio/wav"}]}}"#;
        let expected = [
            piece("/result/content/0/text", Kind::Text, 5),
            piece("/result/content/1/data", Kind::Image, 8),
            piece("/result/content/3/text", Kind::Json, 8),
            piece("/result/content/4/resource/text", Kind::Text, 3),
            piece("/result/content/5/data", Kind::Audio, 3),
        ];
        assert_eq!(found(result), expected);
        let read = r#"{"result":{"contents":[{"uri":"x:/","blob":"AAECAw"}]}}"#;
        assert_eq!(found(read), [piece("/result/contents/0/blob", Kind::Blob, 4)]);
    }

    #[test]
    fn prompts_sampling_rounds_and_icons_hold_content_too() {
        let prompt = r#"{"result":{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}}"#;
        assert_eq!(found(prompt), [piece("/result/messages/0/content/text", Kind::Text, 2)]);
        let round =
            r#"{"params":{"inputResponses":{"a/b":{"role":"assistant","content":{"type":"text","text":"[1]"}}}}}"#;
        assert_eq!(found(round), [piece("/params/inputResponses/a~1b/content/text", Kind::Json, 3)]);
        let icon = r#"{"result":{"icons":[{"src":"data:image/png;base64,AAAA"},{"src":"https://x/y.png"}]}}"#;
        assert_eq!(found(icon), [piece("/result/icons/0/src", Kind::Image, 3)]);
    }

    #[test]
    fn hostile_messages_give_little_and_cost_little() {
        let deep = format!("{}1{}", r#"{"content":["#.repeat(50_000), "]}".repeat(50_000));
        assert!(found(&deep).is_empty());
        let bad = found(r#"{"result":{"content":[{"type":"image","data":"!!"}]}}"#);
        assert_eq!(bad, [("/result/content/0/data".to_owned(), Kind::Image, None)]);
        let many = format!(r#"{{"content":[{}1]}}"#, r#"{"type":"text","text":"a"},"#.repeat(1000));
        assert_eq!(found(&many).len(), 200);
    }
}
