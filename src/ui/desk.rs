//! What the window knows and what it has asked for: fed by events, emptied of commands once a frame.
//! Nothing here draws, waits or reads a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::client::{Bench, Reconnect};
use super::rows::Rows;
use super::server::Stand;
use crate::engine::view::{Command, Detail, Event, Listing, Opened, Row, RowKey, State, TapInfo, View};
use crate::model::Nanos;

/// How many notices are kept; older ones have been read or were not worth it.
const NOTICES: usize = 5;

/// The window's knowledge.
#[derive(Debug)]
pub struct Desk {
    /// The folder of recordings, once it is known.
    pub folder: Option<PathBuf>,
    /// What lies in it.
    pub recordings: Vec<Listing>,
    /// Counts up whenever the list has come anew.
    pub listed: u64,
    /// The recording that is being opened.
    pub opening: Option<PathBuf>,
    /// The current recording.
    pub opened: Option<Arc<Opened>>,
    /// The recording that could not be opened, and why.
    pub failed: Option<(PathBuf, String)>,
    /// Sentences that a person should read.
    pub notices: Vec<String>,
    /// The taps that run in this window.
    pub taps: Vec<TapInfo>,
    /// What came of the tap that was asked for last, until somebody has taken it.
    pub tap_answer: Option<Result<TapInfo, String>>,
    /// The row that is selected.
    pub selected: Option<RowKey>,
    /// Where it is among those that match.
    pub cursor: u64,
    /// Everything about the row that is, or was last, selected.
    pub detail: Option<Arc<Detail>>,
    /// A row to bring into view.
    pub reveal: Option<u64>,
    /// The rows that are here.
    pub rows: Rows,
    /// How the timeline is drawn up.
    pub view: View,
    /// The filter in force.
    pub filter: String,
    /// The connections of the Client page.
    pub bench: Bench,
    /// The servers of the Server page.
    pub stand: Stand,
    /// A recording that is to be served, until the form for that has opened.
    pub to_serve: Option<PathBuf>,
    /// A recording that is to be turned into a mock file, until the form for that has opened.
    pub to_turn: Option<PathBuf>,
    /// The new connection over which something recorded is sent again, while it is asked for.
    pub reconnect: Option<Reconnect>,
    /// Whether the menu by which a recorded message is sent again is to open.
    pub resend: bool,
    /// A recording and a filter that the Traffic page is to show, until it does.
    pub aim: Option<(PathBuf, String)>,
    /// The time of the last frame, on the wall.
    pub now: Nanos,
    live: State,
    frozen: Option<State>,
    wanted: Option<u64>,
    aims: bool,
    inspected: Option<Row>,
    outbox: Vec<Command>,
}

impl Desk {
    /// A desk with nothing on it.
    pub fn new(view: View) -> Self {
        Self {
            folder: None,
            recordings: Vec::new(),
            listed: 0,
            opening: None,
            opened: None,
            failed: None,
            notices: Vec::new(),
            taps: Vec::new(),
            tap_answer: None,
            selected: None,
            cursor: 0,
            detail: None,
            reveal: None,
            rows: Rows::default(),
            view,
            filter: String::new(),
            bench: Bench::default(),
            stand: Stand::default(),
            to_serve: None,
            to_turn: None,
            reconnect: None,
            resend: false,
            aim: None,
            aims: false,
            now: 0,
            live: State::default(),
            frozen: None,
            wanted: None,
            inspected: None,
            outbox: Vec::new(),
        }
    }

    /// How far the recording is read: as it was when paused, or as it is.
    pub fn state(&self) -> &State {
        self.frozen.as_ref().unwrap_or(&self.live)
    }

    /// How far the recording is read, paused or not.
    pub fn latest(&self) -> &State {
        &self.live
    }

    /// Whether the timeline stands still.
    pub fn is_paused(&self) -> bool {
        self.frozen.is_some()
    }

    /// Stops the timeline, or lets it go on.
    pub fn pause(&mut self, pause: bool) {
        self.frozen = pause.then(|| self.live.clone());
    }

    /// Asks for the recording at this path.
    pub fn open(&mut self, path: PathBuf) {
        self.failed = None;
        self.opening = Some(path.clone());
        self.send(Command::Open(path));
    }

    /// Selects the first row that matches, as soon as there is one.
    pub fn select_first(&mut self) {
        self.aims = true;
    }

    /// Shows only what matches, in a view.
    pub fn show(&mut self, view: View, filter: &str) {
        if self.view != view {
            self.rows.clear();
        }
        self.view = view;
        filter.clone_into(&mut self.filter);
        self.frozen = None;
        self.send(Command::Show { view, filter: filter.to_owned() });
        if let Some(key) = self.selected {
            self.send(Command::Locate(key));
        }
    }

    /// Selects the row at an index; when it is not here yet, as soon as it is.
    pub fn select_index(&mut self, index: u64) {
        let Some(last) = self.state().matching.checked_sub(1) else { return };
        let index = index.min(last);
        self.cursor = index;
        self.reveal = Some(index);
        match self.rows.get(index).cloned() {
            Some(row) => self.select(row, index),
            None => self.wanted = Some(index),
        }
    }

    /// Moves the selection by so many rows.
    pub fn step(&mut self, by: i64) {
        let from = match self.selected {
            Some(_) => self.cursor.saturating_add_signed(by),
            None if by < 0 => u64::MAX,
            None => 0,
        };
        self.select_index(from);
    }

    fn select(&mut self, row: Row, index: u64) {
        self.wanted = None;
        self.cursor = index;
        if self.selected == Some(row.key) && self.inspected.as_ref() == Some(&row) {
            return;
        }
        self.selected = Some(row.key);
        self.send(Command::Inspect(row.key));
        self.inspected = Some(row);
    }

    /// Selects a row by its key, wherever it is.
    pub fn jump(&mut self, key: RowKey) {
        self.wanted = None;
        self.selected = Some(key);
        self.inspected = None;
        self.send(Command::Inspect(key));
        self.send(Command::Locate(key));
    }

    /// Selects nothing.
    pub fn deselect(&mut self) {
        self.wanted = None;
        self.selected = None;
        self.inspected = None;
        self.detail = None;
    }

    /// Asks for the rows that are shown, where they are missing or old.
    pub fn want(&mut self, first: u64, end: u64, seconds: f64) {
        let version = if self.is_paused() { 0 } else { self.live.version };
        if let Some(command) = self.rows.want(first, end.min(self.state().matching), version, seconds) {
            self.send(command);
        }
    }

    /// Passes a command on at the end of the frame.
    pub fn send(&mut self, command: Command) {
        self.outbox.push(command);
    }

    /// The commands since the last frame.
    pub fn commands(&mut self) -> Vec<Command> {
        let mut commands = std::mem::take(&mut self.outbox);
        commands.extend(self.bench.commands().into_iter().map(Command::Client));
        commands.extend(self.stand.commands().into_iter().map(Command::Server));
        commands
    }

    /// Says something to the person at the window.
    pub fn notice(&mut self, text: impl Into<String>) {
        let text = text.into();
        self.notices.retain(|old| *old != text);
        self.notices.push(text);
        if self.notices.len() > NOTICES {
            self.notices.remove(0);
        }
    }

    /// The listing of the current recording.
    pub fn listing(&self) -> Option<&Listing> {
        let opened = self.opened.as_ref()?;
        self.recordings.iter().find(|listing| listing.path == opened.path)
    }

    /// Whether this recording is the current one, or is about to be.
    pub fn is_current(&self, path: &Path) -> bool {
        match &self.opening {
            Some(opening) => opening == path,
            None => self.opened.as_ref().is_some_and(|opened| opened.path == path),
        }
    }

    /// Takes in what the engine says.
    pub fn absorb(&mut self, event: Event) {
        match event {
            Event::Recordings { folder, list } => self.listed(folder, list),
            Event::Opened(opened) => self.opened(opened),
            Event::OpenFailed { path, why } => {
                if self.opening.as_ref() == Some(&path) {
                    self.opening = None;
                }
                self.failed = Some((path, why));
            }
            Event::State(state) => {
                self.live = state;
                if self.aims && self.opening.is_none() && self.live.matching > 0 && self.live.filtered >= 1.0 {
                    self.aims = false;
                    self.select_index(0);
                }
            }
            Event::Rows { version, first, rows } => self.arrived(version, first, &rows),
            Event::Inspected(detail) => {
                if self.selected == Some(detail.row.key) {
                    self.detail = Some(detail);
                }
            }
            Event::Located { key, index } => self.located(key, index),
            Event::Notice(text) => self.notice(text),
            Event::Taps(taps) => self.taps = taps,
            Event::TapStarted(info) => self.tap_answer = Some(Ok(info)),
            Event::TapFailed(why) => self.tap_answer = Some(Err(why)),
            Event::Server(event) => self.stand.absorb(event, self.now),
            Event::Client(event) => {
                self.bench.absorb(event, self.now);
                std::mem::take(&mut self.bench.failures).into_iter().for_each(|text| self.notice(text));
            }
        }
    }

    fn listed(&mut self, folder: PathBuf, list: Vec<Listing>) {
        self.folder = Some(folder);
        self.recordings = list;
        self.listed += 1;
        if self.opened.is_none() && self.opening.is_none() && self.failed.is_none() {
            let first = self.recordings.iter().find(|listing| listing.facts.is_ok());
            if let Some(path) = first.map(|listing| listing.path.clone()) {
                self.open(path);
            }
        }
    }

    fn opened(&mut self, opened: Arc<Opened>) {
        self.opening = None;
        self.failed = None;
        self.opened = Some(opened);
        self.live = State::default();
        self.frozen = None;
        self.cursor = 0;
        self.reveal = None;
        self.rows.clear();
        self.deselect();
    }

    fn arrived(&mut self, version: u64, first: u64, rows: &[Row]) {
        self.rows.put(version, first, rows);
        if let Some(index) = self.wanted
            && let Some(row) = self.rows.get(index).cloned()
        {
            self.select(row, index);
        } else if let Some(key) = self.selected
            && let Some(place) = rows.iter().position(|row| row.key == key)
        {
            // A row that has changed since it was looked at (its answer came) is looked at again.
            self.select(rows[place].clone(), first + place as u64);
        }
    }

    fn located(&mut self, key: RowKey, index: Option<u64>) {
        if self.selected == Some(key)
            && let Some(index) = index
        {
            self.cursor = index;
            self.reveal = Some(index);
        }
    }
}
