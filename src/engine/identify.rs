//! The thread that reads who speaks in a recording and how it ended. Not yet.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender};

use super::outbox::Outbox;
use super::view::Listing;

/// A recording to be read.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub(super) path: PathBuf,
    pub(super) live: bool,
}

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Summary;

impl Summary {
    pub(super) fn tell(self, _listing: &mut Listing) {}
}

pub(super) fn run(queue: &Receiver<Job>, done: &SyncSender<(Job, Summary)>, out: &Outbox) {
    while let Ok(job) = queue.recv() {
        let _ = job.live;
        if out.stopped() || done.send((job, Summary)).is_err() {
            return;
        }
    }
}
