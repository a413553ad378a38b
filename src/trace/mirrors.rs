//! Headers that repeat what a request's body says (2026-07-28): where they disagree, and whether the
//! server minded. Which arguments a tool wants repeated is learned from the lists of tools that were seen.

use super::http_remark::HttpRemark;
use super::recent::Recent;
use super::record::Heard;
use super::scope::{Scope, glance};
use super::{Name, Trace};
use crate::mcp::mirror::{Annotation, annotations};
use crate::mcp::mirrored::{Known, disagreements};
use crate::model::{Era, Side};

/// What is known of tools.
#[derive(Debug, Default)]
pub(super) struct Mirrors {
    /// A client, an endpoint, and the subject of a tool's calls → its annotations.
    tools: Recent<(Scope, u64, Name), Vec<Annotation>>,
    /// A client and an endpoint → the list of tools that was read last, hashed.
    lists: Recent<(Scope, u64), u64>,
}

/// The most tools of which it is known what they want repeated, and the most lists.
const MOST: usize = 4096;

impl Trace {
    /// Holds the head of a modern message against its body.
    pub(super) fn check_mirrored(&mut self, heard: &Heard<'_>, subject: Name, era: Option<Era>) {
        let Some(talk) = self.https.open(heard.chan.id) else { return };
        let Some(head) = talk.head.as_ref().filter(|_| talk.modern || era == Some(Era::Modern)) else { return };
        let known = self.mirrors.tools.get(&(heard.chan.group(), talk.place, subject));
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
        let hash = glance(tools.raw());
        if self.mirrors.lists.get(&(group, place)) == Some(&hash) {
            return;
        }
        self.mirrors.lists.put((group, place), hash, MOST);
        for tool in tools.items() {
            let Some(name) = tool.get("name").and_then(|name| name.text()) else { continue };
            let key = (group, place, self.names.intern_line(&name, 200));
            self.mirrors.tools.put(key, tool.get("inputSchema").map(annotations).unwrap_or_default(), MOST);
        }
    }
}
