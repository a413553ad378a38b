//! A server as requests name it, and the endpoints of HTTP+SSE that servers have announced.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use url::Url;

use crate::transport::http::Origin;

/// One server.
#[derive(Debug, PartialEq, Eq)]
pub struct Site {
    /// Where it is.
    pub origin: Origin,
    /// The origin as text: `http://host:port`.
    pub name: String,
    /// What `Host` says.
    pub authority: String,
}

impl Site {
    /// The server at `origin`.
    pub fn new(origin: Origin) -> Arc<Self> {
        let (name, authority) = (origin.to_string(), origin.authority());
        Arc::new(Self { origin, name, authority })
    }

    /// The URL of a target there.
    pub fn url(&self, target: &str) -> Option<Url> {
        Url::parse(&format!("{}{target}", self.name)).ok()
    }
}

/// Streams of HTTP+SSE that are open, by the target to which their client's messages are posted.
#[derive(Debug, Default)]
pub struct Endpoints {
    count: AtomicUsize,
    known: Mutex<HashMap<String, Belongs>>,
}

/// What ties messages to a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Belongs {
    /// The session: what the endpoint says, or else something that nobody else has.
    pub session: String,
    /// Whose connection the stream is.
    pub peer: Option<String>,
}

/// An endpoint that is known as long as this is held.
#[derive(Debug)]
pub struct Known {
    endpoints: Arc<Endpoints>,
    target: String,
}

impl Endpoints {
    /// Notes an endpoint.
    pub fn announce(endpoints: &Arc<Self>, target: &str, belongs: Belongs) -> Known {
        let mut known = endpoints.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(target.to_owned(), belongs);
        endpoints.count.store(known.len(), Ordering::Release);
        Known { endpoints: Arc::clone(endpoints), target: target.to_owned() }
    }

    /// The stream to which a message that is posted to `target` belongs.
    pub fn find(&self, target: &str) -> Option<Belongs> {
        if self.count.load(Ordering::Acquire) == 0 {
            return None;
        }
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(target).cloned()
    }
}

impl Drop for Known {
    fn drop(&mut self) {
        let mut known = self.endpoints.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.remove(&self.target);
        self.endpoints.count.store(known.len(), Ordering::Release);
    }
}

/// The session that an endpoint names in its query, or else the whole of it.
pub fn session(target: &str) -> String {
    let query = target.split_once('?').map_or("", |(_, query)| query);
    let named = query.split('&').filter_map(|pair| pair.split_once('='));
    let is_session = |name: &str| name.to_ascii_lowercase().replace(['_', '-'], "").starts_with("session");
    named.filter(|(name, _)| is_session(name)).map(|(_, value)| value).next().unwrap_or(target).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_known_as_long_as_its_stream() {
        let endpoints = Arc::new(Endpoints::default());
        let belongs = Belongs { session: session("/m?sessionId=a-1&x=2"), peer: Some("p".into()) };
        assert_eq!(belongs.session, "a-1");
        assert_eq!((session("/m?session_id=b"), session("/m/7")), ("b".to_owned(), "/m/7".to_owned()));
        let known = Endpoints::announce(&endpoints, "/m?sessionId=a-1&x=2", belongs.clone());
        assert_eq!(endpoints.find("/m?sessionId=a-1&x=2"), Some(belongs));
        assert_eq!(endpoints.find("/m"), None);
        drop(known);
        assert_eq!(endpoints.find("/m?sessionId=a-1&x=2"), None);
    }
}
