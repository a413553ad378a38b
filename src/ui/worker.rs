//! One thread for what a frame must not do: decoding pictures, colouring text, laying out large JSON.

use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};

use eframe::egui::Context;

/// Jobs that may wait; more than a person can ask for between two frames.
const WAITING: usize = 32;

type Job = Box<dyn FnOnce() + Send>;

/// The thread; started when it is first needed, ended with the window.
#[derive(Default)]
pub struct Worker {
    jobs: Option<SyncSender<Job>>,
}

/// Something that the worker is making, or has made.
#[derive(Debug)]
pub enum Later<T> {
    /// It is being made.
    Coming(Receiver<T>),
    /// Here it is.
    Here(T),
    /// It could not be made.
    Lost,
}

impl Worker {
    /// Has `work` done and the window drawn again when it is. `None` when too much waits already: then
    /// it is asked again in a later frame.
    pub fn start<T: Send + 'static>(
        &mut self,
        ctx: &Context,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<Later<T>> {
        let (give, take) = sync_channel(1);
        let ctx = ctx.clone();
        let job: Job = Box::new(move || {
            // Nobody waits any more when another row was chosen meanwhile.
            let _ = give.try_send(work());
            ctx.request_repaint();
        });
        let jobs = self.jobs.get_or_insert_with(run);
        jobs.try_send(job).ok().map(|()| Later::Coming(take))
    }
}

fn run() -> SyncSender<Job> {
    let (give, take) = sync_channel::<Job>(WAITING);
    let thread = std::thread::Builder::new().name("render".to_owned());
    // Where no thread can be had the sender finds nobody, and nothing is drawn that needs it.
    let _ = thread.spawn(move || take.into_iter().for_each(|job| job()));
    give
}

impl<T> Later<T> {
    /// The thing, once it is here.
    pub fn get(&mut self) -> Option<&mut T> {
        if let Self::Coming(take) = self {
            match take.try_recv() {
                Ok(made) => *self = Self::Here(made),
                Err(TryRecvError::Disconnected) => *self = Self::Lost,
                Err(TryRecvError::Empty) => {}
            }
        }
        match self {
            Self::Here(made) => Some(made),
            Self::Coming(_) | Self::Lost => None,
        }
    }
}
