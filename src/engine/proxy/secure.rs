//! TLS with clients: the listener's own, and that of hosts which are looked into.

use std::sync::Arc;

use super::client::Client;
use super::site::Site;

/// Serves a client that believes to speak TLS with `site`.
pub async fn decrypt(client: Client, site: Arc<Site>) {
    let _ = (client, site);
}
