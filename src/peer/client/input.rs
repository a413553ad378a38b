//! What a server asks in the course of a request of 2026-07-28: the `inputRequests` of a round of MRTR or of a
//! task, and the `inputResponses` that answer them.

use super::Bytes;
use crate::wire::{Json, JsonKind};

/// How many questions one result may hold; further ones are not asked.
const MOST: usize = 256;

/// One member of `inputRequests`.
#[derive(Debug, Clone)]
pub(super) struct Ask<'a> {
    /// Its key, decoded.
    pub(super) key: String,
    /// Its key as it was written, to be answered by.
    pub(super) written: Bytes,
    /// Its method; empty where it names none.
    pub(super) method: String,
    /// Its params; the whole value where it names no method.
    pub(super) params: Option<Json<'a>>,
}

/// The questions in `inputRequests`, in their order. Of duplicate keys the last counts (MR-003).
pub(super) fn asks(requests: Option<Json<'_>>) -> Vec<Ask<'_>> {
    let mut asks: Vec<Ask<'_>> = Vec::new();
    for (key, value) in requests.iter().flat_map(Json::members) {
        let method = value.get("method").and_then(|method| method.text()).unwrap_or_default().into_owned();
        let params = if method.is_empty() { Some(value) } else { value.get("params") };
        let ask = Ask { key: key.text().unwrap_or_default().into_owned(), written: key.raw().into(), method, params };
        match asks.iter().position(|known| known.key == ask.key) {
            Some(at) => asks[at] = ask,
            None if asks.len() < MOST => asks.push(ask),
            None => {}
        }
    }
    asks
}

/// `inputResponses`: these answers (key as written, result as JSON text).
pub(super) fn responses<'a>(answers: impl Iterator<Item = (&'a [u8], &'a [u8])>) -> Vec<u8> {
    let mut out = vec![b'{'];
    for (key, answer) in answers {
        if out.len() > 1 {
            out.push(b',');
        }
        out.extend_from_slice(key);
        out.push(b':');
        out.extend_from_slice(answer);
    }
    out.push(b'}');
    out
}

/// Whether a result names anything by which a round can go on (RT-004).
pub(super) fn names_something(result: Json<'_>) -> bool {
    let asks = result.get("inputRequests").is_some_and(|requests| requests.kind() == JsonKind::Object);
    asks || result.get("requestState").is_some()
}

#[cfg(test)]
mod tests {
    use super::{asks, responses};
    use crate::wire::Json;

    #[test]
    fn whatever_is_asked_is_asked_under_its_key() {
        let json = r#"{"b":{"method":"roots/list"},"a":{"method":"x/y","params":{"n":1.0}},"c":7,
            "b":{"method":"elicitation/create","params":{}},"\u0064":{}}"#;
        let asks = asks(Json::parse(json.as_bytes()).ok());
        let told: Vec<_> = asks.iter().map(|ask| (ask.key.as_str(), ask.method.as_str())).collect();
        assert_eq!(told, [("b", "elicitation/create"), ("a", "x/y"), ("c", ""), ("d", "")]);
        assert_eq!(asks[1].params.map(|params| params.raw()), Some(&br#"{"n":1.0}"#[..]));
        assert_eq!(&*asks[3].written, br#""\u0064""#);
        let answers = asks.iter().take(2).map(|ask| (&*ask.written, &b"{}"[..]));
        assert_eq!(responses(answers), br#"{"b":{},"a":{}}"#);
        assert_eq!(responses(std::iter::empty()), b"{}");
    }

    #[test]
    fn what_is_no_object_asks_nothing() {
        assert!(asks(None).is_empty());
        assert!(asks(Json::parse(b"[1]").ok()).is_empty());
    }
}
