//! A window without pixels: it sends commands, takes events in, and waits for what is wanted.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use midwire::engine::Handle;
use midwire::engine::view::{Command, Detail, Event, Listing, Opened, Row, RowKey, State, View};

/// Nothing takes so long unless it is broken.
pub(super) const PATIENCE: Duration = Duration::from_mins(1);

/// A window: what it was told last, and the handle.
pub(super) struct Window {
    pub(super) handle: Handle,
    pub(super) list: Vec<Listing>,
    pub(super) state: State,
    pub(super) opened: Option<Arc<Opened>>,
    pub(super) notices: Vec<String>,
    pub(super) woken: Arc<AtomicU64>,
}

impl Window {
    pub(super) fn on(folder: &Path) -> Self {
        let woken = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&woken);
        let handle = Handle::start(folder, move || {
            counter.fetch_add(1, Ordering::Relaxed);
        });
        Self { handle, list: Vec::new(), state: State::default(), opened: None, notices: Vec::new(), woken }
    }

    /// Takes in events until one is what is waited for.
    pub(super) fn until<T>(&mut self, what: &str, mut wanted: impl FnMut(&mut Self, &Event) -> Option<T>) -> T {
        let begun = Instant::now();
        loop {
            match self.handle.poll() {
                Some(event) => {
                    match &event {
                        Event::Recordings { list, .. } => self.list.clone_from(list),
                        Event::State(state) => {
                            assert!(state.version > self.state.version, "versions count up");
                            self.state = state.clone();
                        }
                        Event::Opened(opened) => self.opened = Some(Arc::clone(opened)),
                        Event::Notice(sentence) => self.notices.push(sentence.clone()),
                        _ => {}
                    }
                    if let Some(found) = wanted(self, &event) {
                        println!("{what}: {:?}", begun.elapsed());
                        return found;
                    }
                }
                None => std::thread::sleep(Duration::from_millis(1)),
            }
            let (state, list) = (&self.state, &self.list[..self.list.len().min(3)]);
            assert!(begun.elapsed() < PATIENCE, "still waiting for: {what}; {state:?} {list:?} {:?}", self.notices);
        }
    }

    /// Waits until the list of recordings is as wanted.
    pub(super) fn listed(&mut self, what: &str, wanted: impl Fn(&[Listing]) -> bool) {
        if !wanted(&self.list) {
            self.until(what, |window, _| wanted(&window.list).then_some(()));
        }
    }

    /// Waits until the state is as wanted.
    pub(super) fn settled(&mut self, what: &str, wanted: impl Fn(&State) -> bool) {
        if !wanted(&self.state) {
            self.until(what, |window, _| wanted(&window.state).then_some(()));
        }
    }

    pub(super) fn open(&mut self, path: &Path) {
        self.handle.send(Command::Open(path.to_owned()));
        let path = path.to_owned();
        self.until("opened", move |_, event| match event {
            Event::Opened(opened) if opened.path == path => Some(()),
            Event::OpenFailed { why, .. } => panic!("{why}"),
            _ => None,
        });
        self.until("first state", |_, event| matches!(event, Event::State(_)).then_some(()));
    }

    /// Shows a view with a filter and waits until it is applied to everything.
    pub(super) fn show(&mut self, view: View, filter: &str) {
        let before = self.state.version;
        self.handle.send(Command::Show { view, filter: filter.to_owned() });
        self.settled(&format!("show {filter:?}"), |state| state.version > before && state.filtered >= 1.0);
    }

    pub(super) fn rows(&mut self) -> Vec<Row> {
        self.handle.send(Command::Rows { first: 0, count: 1000 });
        self.until("rows", |_, event| match event {
            Event::Rows { first: 0, rows, .. } => Some(rows.clone()),
            _ => None,
        })
    }

    /// The rows in short: method, subject, outcome.
    pub(super) fn texts(&mut self) -> Vec<String> {
        let line = |row: &Row| format!("{} {} {}", row.method, row.subject, row.outcome).trim().to_owned();
        self.rows().iter().map(line).collect()
    }

    pub(super) fn inspect(&mut self, key: RowKey) -> Arc<Detail> {
        self.handle.send(Command::Inspect(key));
        self.until("inspected", move |_, event| match event {
            Event::Inspected(detail) if detail.row.key == key => Some(Arc::clone(detail)),
            _ => None,
        })
    }
}
