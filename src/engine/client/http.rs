//! The link to a URL.

use super::link::News;
use crate::model::Id;
use crate::peer::client::Bytes;

/// A link to a URL.
pub struct Remote {}

impl Remote {
    /// Stands ready.
    pub fn open(&mut self) {}
    /// Sends.
    pub fn send(&mut self, _: Bytes, _: Vec<(String, String)>, _: bool) {}
    /// Drops.
    pub fn drop_request(&mut self, _: &Id) {}
    /// Breaks.
    pub fn break_stream(&mut self, _: Option<&Id>) {}
    /// Ends.
    pub fn finish(&mut self) {}
    /// Hurries.
    pub fn hurry(&mut self) {}
    /// Over.
    pub fn is_over(&self) -> bool {
        true
    }
    /// Next.
    pub async fn next(&mut self) -> Option<News> {
        None
    }
}
