//! What all connections of one HTTP tap share: whom it stands for, who may come, where it is noted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::forward::Rules;
use super::journal::Journal;
use super::secure::Identity;
use super::site::{Endpoints, Site};
use crate::engine::doors::Doors;
use crate::engine::record::{Queue, Say};
use crate::model::{Channel, Transport};
use crate::transport::http::Connector;
use crate::wire::http::Head;

/// So much of a `User-Agent` tells clients of one address apart.
const LONGEST_AGENT: usize = 200;

/// One HTTP tap.
pub struct Tap {
    /// Where everything is noted.
    pub queue: Arc<Queue>,
    /// The way to servers.
    pub connector: Connector,
    /// Whom it stands for.
    pub role: Role,
    /// For TLS with clients.
    pub identity: Arc<Identity>,
    /// Who may come.
    pub doors: Doors,
    /// Fields added upstream.
    pub headers: Vec<(String, String)>,
    /// The endpoints of HTTP+SSE that are in use.
    pub endpoints: Arc<Endpoints>,
    /// Puts a line before whoever started it.
    pub say: Say,
    /// The number of the last channel.
    pub last: Arc<AtomicU32>,
    /// Whether it was said why OAuth stops here.
    pub told_of_oauth: AtomicBool,
}

/// Whom a tap stands for.
#[derive(Debug)]
pub enum Role {
    /// For one server.
    Reverse(Arc<Site>),
    /// For whichever server a client asks for.
    Forward(Rules),
}

impl Tap {
    /// The notes of a new exchange, which a request with this head begins; `target` is its path with query.
    pub fn journal(&self, head: &Head, target: &str, ip: &str) -> Journal {
        let text = |name: &str| head.text(name).map(std::borrow::Cow::into_owned).filter(|text| !text.is_empty());
        let peer = match head.text("user-agent") {
            Some(agent) => format!("{ip} {}", agent.chars().take(LONGEST_AGENT).collect::<String>()),
            None => ip.to_owned(),
        };
        let (mut peer, mut session) = (Some(peer), text("mcp-session-id"));
        if let Some(belongs) = self.endpoints.find(target).filter(|_| head.method() == "POST") {
            (peer, session) = (belongs.peer, Some(belongs.session));
        }
        let channel = Channel {
            id: self.last.fetch_add(1, Ordering::Relaxed) + 1,
            transport: Transport::HttpRequest,
            peer,
            session,
            version: text("mcp-protocol-version"),
            resumes: text("last-event-id"),
        };
        Journal::open(&self.queue, channel)
    }

    /// Says once why OAuth does not go through a reverse proxy, when a server asks for it.
    pub fn explain_oauth(&self, head: &Head) {
        let Role::Reverse(site) = &self.role else { return };
        let is_bearer = |value: &[u8]| value.get(..6).is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"bearer"));
        let asks = head.status() == Some(401) && head.all("www-authenticate").any(is_bearer);
        if !asks || self.told_of_oauth.swap(true, Ordering::Relaxed) {
            return;
        }
        if self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization")) {
            (self.say)("the server does not accept the credentials that midwire adds (401); give others");
        } else {
            (self.say)(&format!(
                "the server asks for authorization (401). A client that follows MCP stops here: the server's metadata \
                 names {} as the protected resource, while the client was pointed at midwire.\n\
                 Either run the client as it is through `midwire tap --forward -- CLIENT…`, so that it sees the real URLs,\n\
                 or give midwire a token: put it into a variable and start with --bearer-env VARIABLE",
                site.name
            ));
        }
    }
}
