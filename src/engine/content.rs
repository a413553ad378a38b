//! Content that is worth opening by itself, taken out of a message: pictures, sounds, JSON inside text,
//! long text, blobs. Finds it where the protocol puts it; decodes it; does not judge it.

use std::borrow::Cow;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::view::{Content, ContentKind};
use crate::wire::{Json, JsonKind};

/// Pieces of content listed for one message; a hostile one may hold a million.
const MOST: usize = 200;
/// Values looked at in one message.
const MOST_LOOKED: usize = 50_000;
/// Text shorter than this is as well read in its place, unless it says what it is.
const SHORT: usize = 160;

/// Members in which content lies, at any depth: results, embedded resources, prompts, sampling.
const PLACES: [&str; 9] =
    ["result", "params", "content", "contents", "messages", "resource", "inputRequests", "inputResponses", "icons"];

/// Base64 as peers really write it: with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The content of the message in `bytes`, in the order in which it stands there.
pub(super) fn of(bytes: &[u8]) -> Vec<Content> {
    let mut found = Vec::new();
    let Ok(root) = Json::of_frame(bytes) else { return found };
    let mut looked = 0;
    // Depth first with a stack of our own: a message may be nested as deep as it is long.
    let mut todo = vec![(String::new(), root)];
    while let Some((pointer, value)) = todo.pop() {
        looked += 1;
        if looked > MOST_LOOKED || found.len() >= MOST {
            break;
        }
        let from = todo.len();
        match value.kind() {
            JsonKind::Object => {
                found.extend(of_block(&pointer, &value));
                let free = pointer.ends_with("/inputRequests") || pointer.ends_with("/inputResponses");
                for (key, child) in value.members() {
                    let Some(key) = key.text() else { continue };
                    if free || PLACES.contains(&&*key) {
                        todo.push((format!("{pointer}/{}", escape(&key)), child));
                    }
                }
            }
            JsonKind::Array => {
                let items = value.items().take(MOST_LOOKED).enumerate();
                todo.extend(items.map(|(index, item)| (format!("{pointer}/{index}"), item)));
            }
            _ => {}
        }
        todo[from..].reverse();
    }
    found
}

/// The content of one object, if it is a content block, resource contents or an icon.
fn of_block(pointer: &str, block: &Json<'_>) -> Option<Content> {
    let text = |name: &str| block.get(name).and_then(|value| value.text());
    let media = text("mimeType").map(Cow::into_owned);
    let at = |name: &str| format!("{pointer}/{name}");
    if let Some(data) = text("data").filter(|_| matches!(text("type").as_deref(), Some("image" | "audio"))) {
        let kind = if text("type").as_deref() == Some("image") { ContentKind::Image } else { ContentKind::Audio };
        return decoded(at("data"), media, kind, &data);
    }
    if let Some(blob) = text("blob") {
        let kind = kind_of(media.as_deref());
        return decoded(at("blob"), media, kind, &blob);
    }
    if let Some(source) = text("src") {
        let (head, data) = source.strip_prefix("data:")?.split_once(";base64,")?;
        return decoded(at("src"), Some(head.to_owned()), ContentKind::Image, data);
    }
    of_text(at("text"), media, &text("text")?)
}

fn of_text(pointer: String, media: Option<String>, text: &str) -> Option<Content> {
    let trimmed = text.trim();
    let is_json = trimmed.starts_with(['{', '[']) && Json::parse(trimmed.as_bytes()).is_ok();
    let says = media.as_deref().is_some_and(|media| media != "text/plain");
    if !is_json && !says && text.len() < SHORT && !text.contains('\n') {
        return None;
    }
    let kind = if is_json { ContentKind::Json } else { ContentKind::Text };
    Some(Content { pointer, media, kind, bytes: text.as_bytes().into() })
}

fn decoded(pointer: String, media: Option<String>, kind: ContentKind, data: &str) -> Option<Content> {
    let bytes = match BASE64.decode(data) {
        Ok(bytes) => bytes,
        Err(_) => BASE64.decode(data.split_ascii_whitespace().collect::<String>()).ok()?,
    };
    Some(Content { pointer, media, kind, bytes: bytes.into() })
}

fn kind_of(media: Option<&str>) -> ContentKind {
    match media.and_then(|media| media.split_once('/')) {
        Some(("image", _)) => ContentKind::Image,
        Some(("audio", _)) => ContentKind::Audio,
        Some(("text", _)) => ContentKind::Text,
        Some(("application", "json")) => ContentKind::Json,
        _ => ContentKind::Blob,
    }
}

/// A member's name as a step of a JSON pointer.
fn escape(key: &str) -> Cow<'_, str> {
    if key.contains(['~', '/']) { key.replace('~', "~0").replace('/', "~1").into() } else { key.into() }
}

#[cfg(test)]
mod tests {
    use super::of;
    use crate::engine::view::ContentKind;

    fn found(text: &str) -> Vec<(String, ContentKind, usize)> {
        of(text.as_bytes()).into_iter().map(|it| (it.pointer, it.kind, it.bytes.len())).collect()
    }

    #[test]
    fn content_is_found_where_the_protocol_puts_it_and_in_order() {
        let result = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[
            {"type":"text","text":"short"},
            {"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"},
            {"type":"text","text":"{\"a\":1}"},
            {"type":"resource","resource":{"uri":"x:/","mimeType":"text/html","text":"<p>"}},
            {"type":"audio","data":"AAAA","mimeType":"audio/wav"}]}}"#;
        assert_eq!(
            found(result),
            [
                ("/result/content/1/data".to_owned(), ContentKind::Image, 8),
                ("/result/content/2/text".to_owned(), ContentKind::Json, 7),
                ("/result/content/3/resource/text".to_owned(), ContentKind::Text, 3),
                ("/result/content/4/data".to_owned(), ContentKind::Audio, 3),
            ]
        );
        let read = r#"{"result":{"contents":[{"uri":"x:/","blob":"AAECAw"}]}}"#;
        assert_eq!(found(read), [("/result/contents/0/blob".to_owned(), ContentKind::Blob, 4)]);
    }

    #[test]
    fn hostile_messages_give_little_and_cost_little() {
        let deep = format!("{}1{}", r#"{"content":["#.repeat(50_000), "]}".repeat(50_000));
        assert!(found(&deep).is_empty());
        assert!(found(r#"{"result":{"content":[{"type":"image","data":"!!"}]}}"#).is_empty());
        assert!(found("not JSON").is_empty());
    }
}
