//! What the demo's server offers, as JSON text: its tools, resources, templates and prompts.

use serde_json::Value;

/// Who the demo's server says it is.
pub(super) const SERVER_INFO: &str = r#"{"name":"parcels","title":"Parcel depot","version":"1.4.0"}"#;
/// What a model is told about it.
pub(super) const INSTRUCTIONS: &str = "Look parcels up with find_parcels before you refund or label them.";
/// What the resource `depot://stock` holds; the numbers are there to be shown as they are.
pub(super) const STOCK: &str = r#"{"Malmö":2,"Lund":17,"Ystad":0,"value":18446744073709551616}"#;
/// What the resource `depot://opening-hours` holds.
pub(super) const HOURS: &str = "# Opening hours\n\n- Monday to Friday: 7 to 18\n- Saturday: 9 to 13\n- Sunday: —\n";
/// Three numbers that a program loses when it reads them as floating point: an id above 2^53, a 1.0
/// that becomes 1, and a number beyond the range of a double.
pub(super) const FOUND: &str = concat!(
    r#"{"parcels":[{"id":1915883588174806058,"city":"Malmö","weight":1.0,"insured":1e400},"#,
    r#"{"id":9007199254740995,"city":"Malmö","weight":0.250,"insured":100}],"count":2}"#
);

const CATALOG: &str = include_str!("catalog.json");

/// The lists of the server.
pub(super) struct Catalog(Value);

impl Catalog {
    pub(super) fn new() -> Self {
        Self(serde_json::from_str(CATALOG).unwrap_or_default())
    }

    /// The value of one list as JSON text: `resources`, `templates`, `prompts`.
    pub(super) fn list(&self, name: &str) -> String {
        self.0[name].to_string()
    }

    /// The tools, with the one that an import brings when it has been made.
    pub(super) fn tools(&self, imported: bool) -> String {
        let mut tools = self.0["tools"].clone();
        if let (true, Value::Array(list)) = (imported, &mut tools) {
            list.push(self.0["later"].clone());
        }
        tools.to_string()
    }

    /// Whether a tool of this name is offered.
    pub(super) fn has_tool(&self, name: &str, imported: bool) -> bool {
        let listed = self.0["tools"].as_array().into_iter().flatten();
        let later = imported.then(|| &self.0["later"]);
        listed.chain(later).any(|tool| tool["name"] == name)
    }
}

#[cfg(test)]
mod tests {
    use super::{Catalog, HOURS};

    #[test]
    fn the_catalog_is_json_and_states_sizes_that_are_true() {
        let catalog = Catalog::new();
        assert!(catalog.has_tool("find_parcels", false));
        assert!(!catalog.has_tool("track_parcel", false));
        assert!(catalog.has_tool("track_parcel", true));
        assert_eq!(catalog.0["resources"][1]["size"], HOURS.len());
    }
}
