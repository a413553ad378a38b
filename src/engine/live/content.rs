//! The pieces of content of one message that are worth opening by themselves, decoded for the window:
//! pictures, sounds, JSON inside text, long text, blobs. Where they lie is for `mcp::content` to say.

use super::view::{Content, ContentKind};
use crate::mcp::content::{self, Kind};
use crate::wire::Json;

/// Text shorter than this is as well read in its place, unless it says what it is.
const SHORT: usize = 160;

/// The content of the message in `bytes`, in the order in which it stands there.
pub(super) fn of(bytes: &[u8]) -> Vec<Content> {
    let Ok(root) = Json::of_frame(bytes) else { return Vec::new() };
    content::content(root).into_iter().filter(is_worth_opening).filter_map(decoded).collect()
}

/// All content of a result, short texts too: what somebody sees who tried something out.
pub fn pieces(bytes: &[u8]) -> Vec<Content> {
    let Ok(root) = Json::of_frame(bytes) else { return Vec::new() };
    content::content(root).into_iter().filter_map(decoded).collect()
}

fn is_worth_opening(piece: &content::Content<'_>) -> bool {
    let Some(text) = piece.text() else { return true };
    let says = piece.media.as_deref().is_some_and(|media| media != "text/plain");
    piece.kind == Kind::Json || says || text.len() >= SHORT || text.contains('\n')
}

fn decoded(piece: content::Content<'_>) -> Option<Content> {
    let kind = match piece.kind {
        Kind::Image => ContentKind::Image,
        Kind::Audio => ContentKind::Audio,
        Kind::Json => ContentKind::Json,
        Kind::Text => ContentKind::Text,
        Kind::Blob => ContentKind::Blob,
    };
    let bytes = piece.bytes()?.into();
    Some(Content { pointer: piece.pointer, media: piece.media, kind, bytes })
}

#[cfg(test)]
mod tests {
    use super::of;
    use crate::engine::view::ContentKind;

    fn found(text: &str) -> Vec<(String, ContentKind, usize)> {
        of(text.as_bytes()).into_iter().map(|it| (it.pointer, it.kind, it.bytes.len())).collect()
    }

    #[test]
    fn what_is_as_well_read_in_its_place_is_left_there() {
        let result = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[
            {"type":"text","text":"short"},
            {"type":"text","text":"two\nlines"},
            {"type":"text","text":"{\"a\":1}"},
            {"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"},
            {"type":"image","data":"!!","mimeType":"image/png"},
            {"type":"resource","resource":{"uri":"x:/","mimeType":"text/html","text":"<p>"}}]}}"#;
        let expected = [
            ("/result/content/1/text".to_owned(), ContentKind::Text, 9),
            ("/result/content/2/text".to_owned(), ContentKind::Json, 7),
            ("/result/content/3/data".to_owned(), ContentKind::Image, 8),
            ("/result/content/5/resource/text".to_owned(), ContentKind::Text, 3),
        ];
        assert_eq!(found(result), expected);
        assert!(found("not JSON").is_empty());
    }
}
