//! What can still be read of a message of which only the head was kept: its envelope.

/// The longest head that is searched; an envelope's small members come before the large one, or not
/// at all, and a head can be many megabytes.
const MOST: usize = 64 * 1024;

/// The top-level members that are whole in `head`, as an object, with the member that was cut off
/// standing there empty; `None` when the head is no object. So an answer that was too large to keep
/// still answers its request, provided that its id comes before what was cut.
pub(super) fn envelope(head: &[u8]) -> Option<Vec<u8>> {
    let head = &head[..head.len().min(MOST)];
    let start = head.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let head = &head[start..];
    if head.first() != Some(&b'{') {
        return None;
    }
    let mut last_whole = None;
    let (mut depth, mut in_string, mut escaped) = (0_u32, false, false);
    for (at, &byte) in head.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' if depth == 1 => last_whole = Some(at),
            _ => {}
        }
    }
    let whole = &head[..last_whole.unwrap_or(1)];
    let cut = &head[last_whole.map_or(1, |comma| comma + 1)..];
    let mut text = whole.to_vec();
    // Which member was cut tells an answer from a request.
    for (name, empty) in [("result", "{}"), ("params", "{}"), ("error", r#"{"code":0,"message":""}"#)] {
        if cut.trim_ascii_start().starts_with(format!("\"{name}\"").as_bytes()) {
            let comma = if last_whole.is_some() { "," } else { "" };
            text.extend_from_slice(format!("{comma}\"{name}\":{empty}").as_bytes());
        }
    }
    text.push(b'}');
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::envelope;

    #[test]
    fn what_is_whole_is_kept_and_what_was_cut_is_empty() {
        let read = |head: &str| envelope(head.as_bytes()).map(|text| String::from_utf8_lossy(&text).into_owned());
        let cut = r#"{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"a,b\",{"#;
        assert_eq!(read(cut).as_deref(), Some(r#"{"jsonrpc":"2.0","id":7,"result":{}}"#));
        assert_eq!(read(r#"{"result":{"a":[1,2"#).as_deref(), Some(r#"{"result":{}}"#));
        assert_eq!(read(r#"{"jsonrpc":"2.0","id":7"#).as_deref(), Some(r#"{"jsonrpc":"2.0"}"#));
        assert_eq!(read("aaaa"), None);
        assert_eq!(read(""), None);
    }
}
