//! What is passed on to the real server: over a session of our own client, which is opened with the first request.

use crate::peer::server::{Bytes, RequestNo, Step};

use super::Options;

/// The way to the real server.
pub struct Passing {}

impl Passing {
    /// One over which nothing was asked.
    pub fn new(_options: &Options) -> Self {
        Self {}
    }

    /// Asks.
    pub fn ask(&mut self, _request: RequestNo, _message: Bytes) {}

    /// What was answered.
    pub fn take(&mut self) -> Vec<(RequestNo, Vec<Step>)> {
        Vec::new()
    }

    /// Resolves when something was answered.
    pub async fn answered(&self) {
        std::future::pending::<()>().await;
    }

    /// Ends it.
    pub fn stop(&mut self) {}
}
