//! Headers that repeat what a request's body says (2026-07-28): where they disagree, and whether the
//! server minded. Which arguments a tool wants repeated is learned from the lists of tools that were seen.

use super::Trace;
use super::http_remark::HttpRemark;
use super::record::Heard;
use super::scope::glance;
use super::scope::{QuickMap, Scope, digest};
use crate::mcp::mirror::{Annotation, annotations};
use crate::mcp::mirrored::{Known, disagreements};
use crate::model::{Era, Side};

/// What is known of tools.
#[derive(Debug, Default)]
pub(super) struct Mirrors {
    /// A client, an endpoint and a tool's name, hashed → its annotations.
    tools: QuickMap<u64, Vec<Annotation>>,
    /// A client and an endpoint, hashed → the list of tools that was read last, hashed.
    lists: QuickMap<u64, u64>,
}

/// The most tools of which it is known what they want repeated, and the most lists.
const MOST: usize = 4096;

fn of_tool(group: Scope, place: u64, name: &str) -> u64 {
    digest(&(group, place, name))
}

impl Trace {
    /// Holds the head of a modern message against its body.
    pub(super) fn check_mirrored(&mut self, heard: &Heard<'_>, era: Option<Era>) {
        let Some(talk) = self.https.open(heard.chan.id) else { return };
        let Some(head) = talk.head.as_ref().filter(|_| talk.modern || era == Some(Era::Modern)) else { return };
        let name = heard.message.params.and_then(|params| params.get("name")?.text());
        let known = name.and_then(|name| self.mirrors.tools.get(&of_tool(heard.chan.group(), talk.place, &name)));
        let known = Known { annotations: known.map(Vec::as_slice), negotiated: None };
        for found in disagreements(head, Some(heard.message), known) {
            self.remark_http(heard.chan.id, HttpRemark::Mirrored { rule: found.rule, text: found.text });
        }
    }

    /// Learns from a list of tools which arguments are to be repeated, and notes where a server did not
    /// mind what it must refuse.
    pub(super) fn learn_mirrored(&mut self, exchange: u32, heard: &Heard<'_>) {
        let this = &self.exchanges[exchange as usize];
        let lists = this.method == self.words.tools;
        let (Some(result), true) = (heard.message.result, this.era == Some(Era::Modern)) else { return };
        if heard.side != Side::Server || this.channel != heard.chan.id {
            return;
        }
        let Some(number) = self.https.number(heard.chan.id) else { return };
        if self.https.remarks(number).iter().any(HttpRemark::must_be_refused) {
            self.remark_http(heard.chan.id, HttpRemark::MirrorIgnored);
        }
        let Some(talk) = self.https.open(heard.chan.id).filter(|_| lists) else { return };
        let (group, place) = (heard.chan.group(), talk.place);
        let Some(tools) = result.get("tools") else { return };
        let (list, hash) = (digest(&(group, place)), glance(tools.raw()));
        if self.mirrors.lists.len() >= MOST {
            self.mirrors.lists.clear();
        }
        if self.mirrors.lists.insert(list, hash) == Some(hash) {
            return;
        }
        for tool in tools.items() {
            let Some(name) = tool.get("name").and_then(|name| name.text()) else { continue };
            let key = of_tool(group, place, &name);
            if self.mirrors.tools.len() < MOST || self.mirrors.tools.contains_key(&key) {
                self.mirrors.tools.insert(key, tool.get("inputSchema").map(annotations).unwrap_or_default());
            }
        }
    }
}
