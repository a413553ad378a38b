//! What may be asked of a client, in which words, and what is wrong with what it answers. Nothing here is sent.

use crate::mcp::{Capabilities, Known, methods};
use crate::model::{Era, Revision};
use crate::peer::edit::{with, without};
use crate::wire::{Json, JsonKind, quote};

/// The three methods that `inputRequests` may hold (MR-001).
const OF_ROUNDS: [&str; 3] = ["elicitation/create", "roots/list", "sampling/createMessage"];

/// Why a client is not asked something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Bar {
    /// It did not declare these capabilities, as dotted paths (CA-010 … CA-018).
    Undeclared(Vec<&'static str>),
    /// The revision has no such request.
    Unknown(String),
}

impl Bar {
    /// In words.
    pub(super) fn says(&self, method: &str) -> String {
        match self {
            Self::Undeclared(paths) => {
                format!("{method} was not asked: the client does not declare {}", paths.join(" and "))
            }
            Self::Unknown(why) => format!("{method} was not asked: {why}"),
        }
    }
}

/// What speaks against asking this of a client with these capabilities.
pub(super) fn bar(revision: &Revision, can: &Capabilities, method: &str, params: Option<Json<'_>>) -> Option<Bar> {
    let modern = revision.era() == Era::Modern;
    if modern && !OF_ROUNDS.contains(&method) {
        return Some(Bar::Unknown(format!("inputRequests hold only {} (MR-001)", OF_ROUNDS.join(", "))));
    }
    if !modern && methods::find(method).is_some_and(|known| !known.revisions.contains(revision)) {
        return Some(Bar::Unknown(format!("{revision} has no such request")));
    }
    if !modern && is_url(params) && revision.nearest_known() != Revision::V2025_11_25 && method == OF_ROUNDS[0] {
        return Some(Bar::Unknown(format!("{revision} has no elicitation by URL")));
    }
    let missing: Vec<&'static str> =
        needs(revision, method, params).filter(|path| can.has(path) != Known::Yes).collect();
    (!missing.is_empty()).then_some(Bar::Undeclared(missing))
}

/// The capabilities that a client must have declared to be asked this.
fn needs(revision: &Revision, method: &str, params: Option<Json<'_>>) -> impl Iterator<Item = &'static str> {
    let has = |name: &str| params.is_some_and(|params| params.get(name).is_some());
    let modes = matches!(revision.nearest_known(), Revision::V2025_11_25 | Revision::V2026_07_28);
    let (first, second) = match method {
        "roots/list" => ("roots", None),
        "sampling/createMessage" => ("sampling", (has("tools") || has("toolChoice")).then_some("sampling.tools")),
        "elicitation/create" if !modes => ("elicitation", None),
        "elicitation/create" if is_url(params) => ("elicitation.url", None),
        "elicitation/create" => ("elicitation.form", None),
        other => (methods::find(other).map_or("", |known| known.gate), None),
    };
    [Some(first), second].into_iter().flatten()
}

fn is_url(params: Option<Json<'_>>) -> bool {
    params.and_then(|params| params.get("mode")).is_some_and(|mode| mode.is_text("url"))
}

/// Capabilities with these paths, as `data.requiredCapabilities` of -32021 names them (EC-008).
pub(super) fn required(paths: &[&str]) -> String {
    let mut tops: Vec<(&str, Vec<&str>)> = Vec::new();
    for path in paths {
        let (top, below) = path.split_once('.').unwrap_or((path, ""));
        match tops.iter_mut().find(|(known, _)| *known == top) {
            Some((_, within)) => within.push(below),
            None => tops.push((top, vec![below])),
        }
    }
    let tops = tops.into_iter().map(|(top, mut within)| {
        within.retain(|below| !below.is_empty());
        let within: Vec<String> = within.iter().map(|below| format!("{}:{{}}", quote(below))).collect();
        format!("{}:{{{}}}", quote(top), within.join(","))
    });
    format!("{{{}}}", tops.collect::<Vec<_>>().join(","))
}

/// Params in the words of the revision: `mode` and `elicitationId` as it has them (EL-001 … EL-003). `fresh` makes the id
/// of an elicitation that has none.
pub(super) fn worded(revision: &Revision, method: &str, params: Vec<u8>, fresh: impl FnOnce() -> String) -> Vec<u8> {
    if method != OF_ROUNDS[0] {
        return params;
    }
    let json = Json::parse(&params).ok();
    let (url, has_id) = (is_url(json), json.is_some_and(|json| json.get("elicitationId").is_some()));
    let changed = match revision.nearest_known() {
        Revision::V2026_07_28 => without(&params, "elicitationId"),
        Revision::V2025_11_25 if url && !has_id => with(&params, &[("elicitationId", quote(&fresh()).as_bytes())]),
        Revision::V2025_11_25 => None,
        _ => without(&params, "mode"),
    };
    changed.unwrap_or(params)
}

/// What is wrong with the shape of a result for what was asked (MR-011); it is told, and in a round refused.
pub(super) fn fault(method: &str, result: Json<'_>) -> Option<String> {
    if result.kind() != JsonKind::Object {
        return Some("it is no object".to_owned());
    }
    let text = |name: &str| result.get(name).and_then(|value| value.text());
    let kind = |name: &str| result.get(name).map(|value| value.kind());
    let lacks = |name: &str| Some(format!("it has no `{name}` of the right type"));
    match method {
        "elicitation/create" => match text("action").as_deref() {
            Some("accept" | "decline" | "cancel") => match kind("content") {
                None | Some(JsonKind::Object) => None,
                Some(_) => Some("its `content` is no object".to_owned()),
            },
            Some(other) => Some(format!("its `action` {} is none of accept, decline, cancel (EL-008)", quote(other))),
            None => lacks("action"),
        },
        "sampling/createMessage" => {
            if text("role").is_none() {
                return lacks("role");
            }
            if !matches!(kind("content"), Some(JsonKind::Object | JsonKind::Array)) {
                return lacks("content");
            }
            if text("model").is_none() { lacks("model") } else { None }
        }
        "roots/list" => (kind("roots") != Some(JsonKind::Array)).then(|| "it has no list `roots` (RO-003)".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Bar, bar, fault, required, worded};
    use crate::mcp::Capabilities;
    use crate::model::Revision;
    use crate::wire::Json;

    fn json(text: &str) -> Json<'_> {
        Json::parse(text.as_bytes()).expect("the test's JSON is valid")
    }

    #[test]
    fn only_what_was_declared_is_asked() {
        let (c, d, e) = (Revision::V2025_06_18, Revision::V2025_11_25, Revision::V2026_07_28);
        let missing = |path| Some(Bar::Undeclared(vec![path]));
        let cases = [
            (&d, r#"{"elicitation":{}}"#, "elicitation/create", "{}", None),
            (&d, r#"{"elicitation":{}}"#, "elicitation/create", r#"{"mode":"url"}"#, missing("elicitation.url")),
            (&e, r#"{"elicitation":{"url":{}}}"#, "elicitation/create", "{}", missing("elicitation.form")),
            (&e, r#"{"elicitation":{"url":{}}}"#, "elicitation/create", r#"{"mode":"url"}"#, None),
            (&c, r#"{"elicitation":{}}"#, "elicitation/create", "{}", None),
            (&d, r#"{"sampling":{}}"#, "sampling/createMessage", "{}", None),
            (&e, r#"{"sampling":{}}"#, "sampling/createMessage", r#"{"tools":[]}"#, missing("sampling.tools")),
            (&d, "{}", "roots/list", "{}", missing("roots")),
            (&d, "{}", "ping", "{}", None),
            (&d, "{}", "acme/odd", "{}", None),
        ];
        for (revision, can, method, params, expected) in cases {
            let can = Capabilities::read(json(can));
            assert_eq!(bar(revision, &can, method, Some(json(params))), expected, "{revision} {method} {params}");
        }
        let all = Capabilities::read(json(r#"{"elicitation":{"url":{}}}"#));
        for (revision, method, params) in [
            (&e, "ping", "{}"),
            (&Revision::V2025_03_26, "elicitation/create", "{}"),
            (&c, "elicitation/create", r#"{"mode":"url"}"#),
        ] {
            assert!(matches!(bar(revision, &all, method, Some(json(params))), Some(Bar::Unknown(_))), "{method}");
        }
        assert_eq!(bar(&d, &Capabilities::UNKNOWN, "roots/list", None), missing("roots"));
    }

    #[test]
    fn what_is_missing_is_named_as_capabilities() {
        assert_eq!(required(&["roots"]), r#"{"roots":{}}"#);
        let both = ["sampling", "sampling.tools", "elicitation.url"];
        assert_eq!(required(&both), r#"{"sampling":{"tools":{}},"elicitation":{"url":{}}}"#);
    }

    #[test]
    fn elicitations_are_worded_for_the_revision() {
        let say = |revision, text: &str| {
            let worded = worded(&revision, "elicitation/create", text.into(), || "e1".to_owned());
            String::from_utf8(worded).expect("UTF-8")
        };
        assert_eq!(say(Revision::V2026_07_28, r#"{"mode":"url","elicitationId":"x"}"#), r#"{"mode":"url"}"#);
        assert_eq!(say(Revision::V2025_11_25, r#"{"mode":"url"}"#), r#"{"mode":"url","elicitationId":"e1"}"#);
        let given = r#"{"mode":"url","elicitationId":"x"}"#;
        assert_eq!(say(Revision::V2025_11_25, given), given);
        assert_eq!(say(Revision::V2025_06_18, r#"{"mode":"form","message":"?"}"#), r#"{"message":"?"}"#);
    }

    #[test]
    fn answers_of_the_wrong_shape_are_told() {
        let good = [
            ("elicitation/create", r#"{"action":"accept","content":{"a":1}}"#),
            ("elicitation/create", r#"{"action":"decline"}"#),
            ("sampling/createMessage", r#"{"role":"assistant","content":[],"model":"m"}"#),
            ("roots/list", r#"{"roots":[]}"#),
            ("acme/odd", "{}"),
        ];
        for (method, result) in good {
            assert_eq!(fault(method, json(result)), None, "{result}");
        }
        let bad = [
            ("elicitation/create", "12345"),
            ("elicitation/create", "{}"),
            ("elicitation/create", r#"{"action":"yes"}"#),
            ("elicitation/create", r#"{"action":"accept","content":[]}"#),
            ("sampling/createMessage", r#"{"role":"assistant","content":{}}"#),
            ("roots/list", r#"{"roots":{}}"#),
        ];
        for (method, result) in bad {
            assert!(fault(method, json(result)).is_some(), "{result}");
        }
    }
}
