//! A stand-in for the engine: a conversation in memory that answers the window's commands at once.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use midwire::engine::view::{
    Attached, Body, ClientCommand, Command, Detail, Event, Listing, Opened, Pretty, Row, RowKey, ServerCommand,
    ServerEvent, Sign, State, Status, TapInfo, TapWish,
};
use midwire::model::{EntryKind, Era, Flags, Host, Nanos, Recording, Role, Side, Transport};
use midwire::ui::source::Source;

/// The moment at which the conversation began: 2026-11-30 16:09:23 UTC.
pub const START: Nanos = 1_796_054_963_000_000_000;
const MILLI: Nanos = 1_000_000;

/// What the window asked for, for tests to look at.
pub type Sent = Rc<RefCell<Vec<Command>>>;

/// What the connections of the Client page find: events for a command.
type Clients = Box<dyn Fn(&ClientCommand) -> Vec<Event>>;

/// What becomes of servers of the Server page: events for a command.
type Servers = Box<dyn Fn(&ServerCommand) -> Vec<ServerEvent>>;

/// The stand-in.
pub struct Stage {
    rows: Vec<Row>,
    total: u64,
    shown: Vec<usize>,
    list: Vec<Listing>,
    events: VecDeque<Event>,
    version: u64,
    /// What connections of the Client page find.
    clients: Clients,
    /// What becomes of servers of the Server page.
    servers: Servers,
    /// What each detail gets besides.
    enrich: fn(Detail) -> Detail,
    /// Shared with the test.
    pub sent: Sent,
}

impl Stage {
    /// The conversation of the design's pictures.
    pub fn conversation() -> Self {
        let rows = rows();
        let total = rows.len() as u64;
        Self::with(rows, total, listings())
    }

    /// Rows of a test's own, whose details get something besides.
    pub fn of(rows: Vec<Row>, enrich: fn(Detail) -> Detail) -> Self {
        let total = rows.len() as u64;
        Self { enrich, ..Self::with(rows, total, listings()) }
    }

    /// A folder without recordings.
    pub fn empty() -> Self {
        Self::with(Vec::new(), 0, Vec::new())
    }

    /// With what connections of the Client page find.
    pub fn with_clients(self, clients: impl Fn(&ClientCommand) -> Vec<Event> + 'static) -> Self {
        Self { clients: Box::new(clients), ..self }
    }

    /// With what becomes of servers of the Server page.
    pub fn with_servers(self, servers: impl Fn(&ServerCommand) -> Vec<ServerEvent> + 'static) -> Self {
        Self { servers: Box::new(servers), ..self }
    }

    /// With something besides in each detail.
    pub fn enriched(self, enrich: fn(Detail) -> Detail) -> Self {
        Self { enrich, ..self }
    }

    /// So many rows, made up as they are asked for.
    pub fn endless(total: u64) -> Self {
        Self::with(rows(), total, listings())
    }

    fn with(rows: Vec<Row>, total: u64, list: Vec<Listing>) -> Self {
        let shown = (0..rows.len()).collect();
        let (events, sent) = (VecDeque::new(), Sent::default());
        let mut stage = Self {
            rows,
            total,
            shown,
            list,
            events,
            version: 0,
            clients: Box::new(|_| Vec::new()),
            servers: Box::new(|_| Vec::new()),
            enrich: |detail| detail,
            sent,
        };
        let folder = PathBuf::from("/home/ann/.local/share/midwire/recordings");
        stage.events.push_back(Event::Recordings { folder, list: stage.list.clone() });
        stage
    }

    fn state(&mut self) -> Event {
        self.version += 1;
        let endless = self.total > self.rows.len() as u64;
        Event::State(State {
            version: self.version,
            live: true,
            entries: 1_204,
            read: 1_204,
            total: self.total,
            matching: if endless { self.total } else { self.shown.len() as u64 },
            filtered: 1.0,
            errors: 1,
            pending: 1,
            bytes: 2_100_000,
            methods: ["initialize", "tools/call", "tools/list"].map(Arc::from).into(),
            tools: ["echo", "search_docs"].map(Arc::from).into(),
            ..State::default()
        })
    }

    fn row(&self, index: u64) -> Option<Row> {
        if self.total > self.rows.len() as u64 {
            let mut row = self.rows[(index % self.rows.len() as u64) as usize].clone();
            row.seq = index + 1;
            row.key = RowKey::Entry(index + 1);
            return (index < self.total).then_some(row);
        }
        self.shown.get(index as usize).map(|place| self.rows[*place].clone())
    }

    fn filter(&mut self, filter: &str) {
        // Enough of the language for the window; the language has tests of its own.
        let wanted = |row: &Row| match filter.trim() {
            "" => true,
            "is:error" => row.status == Status::Error,
            text => row.method.contains(text.trim_start_matches("method:")) || row.subject.contains(text),
        };
        self.shown = (0..self.rows.len()).filter(|place| wanted(&self.rows[*place])).collect();
    }

    /// Starts a tap that does not exist; one for a host called `refused` fails.
    fn tap(&mut self, wish: &TapWish) {
        if wish.url.contains("refused") {
            let why = "The tap was not started: failed to listen at 127.0.0.1:1: it is taken".to_owned();
            return self.events.push_back(Event::TapFailed(why));
        }
        let info = TapInfo {
            id: 1,
            name: wish.name.clone(),
            upstream: wish.url.clone(),
            url: "http://127.0.0.1:40001/mcp".to_owned(),
            recording: self.list.first().map(|listing| listing.path.clone()),
            since: START,
            stopping: false,
        };
        self.events.push_back(Event::Taps(vec![info.clone()]));
        self.events.push_back(Event::TapStarted(info));
    }

    fn answer(&mut self, command: &Command) {
        match command {
            Command::Open(path) => {
                let facts = self.list.iter().find(|listing| listing.path == *path).and_then(|l| l.facts.clone().ok());
                let facts = facts.unwrap_or_else(|| recording("opened", START));
                self.events.push_back(Event::Opened(Arc::new(Opened { path: path.clone(), facts, warning: None })));
                let state = self.state();
                self.events.push_back(state);
            }
            Command::Show { filter, .. } => {
                self.filter(filter);
                let state = self.state();
                self.events.push_back(state);
            }
            Command::Rows { first, count } => {
                let rows = (*first..first + u64::from(*count)).map_while(|index| self.row(index)).collect();
                self.events.push_back(Event::Rows { version: self.version, first: *first, rows });
            }
            Command::Inspect(key) => {
                let found = (0..self.total.min(100)).filter_map(|index| self.row(index)).find(|row| row.key == *key);
                if let Some(row) = found {
                    let detail = (self.enrich)(detail(row, self.version));
                    self.events.push_back(Event::Inspected(Arc::new(detail)));
                }
            }
            Command::Locate(key) => {
                let place = self.shown.iter().position(|place| self.rows[*place].key == *key);
                self.events.push_back(Event::Located { key: *key, index: place.map(|place| place as u64) });
            }
            Command::StartTap(wish) => self.tap(wish),
            Command::StopTap(_) => self.events.push_back(Event::Taps(Vec::new())),
            Command::Client(command) => {
                let events = (self.clients)(command);
                self.events.extend(events);
            }
            Command::Server(command) => {
                let events = (self.servers)(command);
                self.events.extend(events.into_iter().map(Event::Server));
            }
            Command::Close | Command::Rescan | Command::Delete(_) => {}
        }
    }
}

impl Source for Stage {
    fn send(&mut self, command: Command) {
        self.answer(&command);
        self.sent.borrow_mut().push(command);
    }

    fn poll(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    fn now(&self) -> Nanos {
        START + 14_120 * MILLI
    }

    fn steady(&self) -> f64 {
        0.0
    }
}

fn recording(name: &str, started: Nanos) -> Recording {
    Recording {
        name: name.to_owned(),
        role: Role::Tap,
        transport: Transport::Stdio,
        command: vec!["npx".to_owned(), name.to_owned()],
        left_out: 0,
        url: None,
        directory: None,
        host: Some(Host { pid: started as u32, program: "claude".to_owned(), started: Some(started) }),
        recorder: 4_711,
        program: "0.1.0".to_owned(),
        started,
        ended: None,
        lost: 0,
    }
}

/// The recordings of the design's pictures.
fn listings() -> Vec<Listing> {
    let minute = 60_000 * MILLI;
    let make = |name: &str, client: &str, revision: &str, entries: u64, age: Nanos, live: bool| Listing {
        path: PathBuf::from(format!("/home/ann/.local/share/midwire/recordings/{name}.midwire")),
        facts: Ok(recording(name, START - age)),
        live,
        entries,
        errors: Some(0),
        client: Some(client.to_owned()),
        server: None,
        revision: Some(revision.to_owned()),
        outcome: (!live).then(|| "exited 0".to_owned()),
        bytes: 2_100_000,
    };
    let mut git = make("git", "Codex", "2025-11-25", 412, 90 * minute, false);
    git.outcome = Some("exited 1".to_owned());
    git.errors = Some(3);
    let mut probe = make("git", "Codex", "2025-11-25", 2, 90 * minute, false);
    probe.path = PathBuf::from("/home/ann/.local/share/midwire/recordings/git-probe.midwire");
    if let Ok(facts) = &mut probe.facts {
        facts.ended = Some(facts.started + 200 * MILLI);
    }
    vec![
        make("everything", "Claude Code 2.1", "2025-11-25", 1_204, 4 * minute, true),
        make("docs", "Cursor 3.0", "2026-07-28", 88, 12 * minute, true),
        git,
        probe,
        make("payments", "Claude Code 2.1", "2026-07-28", 35, 200 * minute, false),
        make("filesystem", "opencode 1.18", "2025-11-25", 9_731, 3 * 1_440 * minute, false),
    ]
}

/// The rows of the design's pictures.
fn rows() -> Vec<Row> {
    use Sign::{Broken, FromClient, FromServer, Notification, Stderr};
    use Status::{Error, None, Odd, Ok, Pending};
    type Line = (u64, Nanos, Sign, &'static str, &'static str, &'static str, Status, Nanos, u64);
    let lines: [Line; 19] = [
        (12, 104, FromClient, "tools/list", "", "16 tools", Ok, 8, 9_100),
        (14, 131, FromServer, "roots/list", "", "2 roots", Ok, 3, 214),
        (17, 871, FromClient, "tools/call", "echo", "ok", Ok, 4, 312),
        (19, 1_002, FromClient, "tools/call", "get_sum", "ok", Ok, 3, 288),
        (22, 1_210, FromClient, "resources/read", "demo://resource/dynamic/text/1", "ok", Ok, 6, 1_200),
        (25, 1_377, Notification, "notifications/message", "info", "", None, 0, 144),
        (27, 1_615, FromClient, "tools/call", "trigger_long_running_operation", "ok · 5 progress", Ok, 2_015, 402),
        (35, 1_990, FromClient, "tools/call", "trigger_sampling_request", "ok · 1 asked back", Ok, 890, 1_900),
        (41, 2_318, FromClient, "tools/call", "search_docs", "-32602", Error, 412, 602),
        (43, 2_733, Stderr, "stderr", "WARN cast failed: limit", "", None, 0, 61),
        (44, 3_020, FromClient, "prompts/get", "args-prompt", "ok", Ok, 5, 512),
        (47, 3_402, FromClient, "tools/call", "get_tiny_image", "ok · image", Ok, 12, 5_400),
        (50, 3_911, FromClient, "tools/call", "search_docs", "ok", Ok, 388, 24_600),
        (53, 4_300, Broken, "not JSON", "MCP Nightly ready", "", None, 0, 18),
        (54, 4_518, FromClient, "completion/complete", "department", "3 values", Ok, 2, 190),
        (57, 4_940, FromClient, "tools/call", "get_structured_content", "ok", Ok, 4, 618),
        (60, 5_306, FromClient, "tools/call", "trigger_elicitation_request", "accepted", Ok, 3_820, 2_200),
        (66, 9_410, FromClient, "tools/call", "slow_report", "cancelled, late", Odd, 5_002, 806),
        (70, 10_120, FromClient, "tools/call", "search_docs", "pending", Pending, 0, 214),
    ];
    (0..)
        .zip(lines)
        .map(|(index, (seq, at, sign, method, subject, outcome, status, millis, size))| Row {
            key: RowKey::Exchange(index),
            seq,
            at: START + at * MILLI,
            sign,
            method: method.into(),
            subject: subject.into(),
            status,
            outcome: outcome.into(),
            duration: (millis > 0).then_some(millis * MILLI),
            size,
            rounds: 1,
            going: Option::None,
        })
        .collect()
}

/// The request of entry 41, as a client would send it.
pub const REQUEST: &str = concat!(
    r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search_docs","arguments":{"#,
    r#""query":"cache components","library":1915883588174806058,"limit":"10","huge":1e400,"zero":-0.0},"#,
    r#""_meta":{"progressToken":0}}}"#,
    "\n"
);
const ERROR: &str = concat!(
    r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"limit must be integer","data":"#,
    r#"{"path":"/limit","got":"string"}}}"#,
    "\n"
);

fn body(text: &str, seq: u64, side: Side, at: Nanos) -> Arc<Body> {
    Arc::new(Body {
        seq,
        kind: EntryKind::Frame,
        side: Some(side),
        at,
        until: at,
        flags: Flags::default(),
        size: text.len() as u64,
        bytes: text.as_bytes().to_vec(),
        data: None,
        pretty: Pretty::of(text.as_bytes()),
        content: Vec::new(),
    })
}

/// Every row is shown with the same bodies; what matters is the window.
fn detail(row: Row, version: u64) -> Detail {
    let answered = !matches!(row.status, Status::None | Status::Pending);
    let attached = |after: Nanos, sign: Sign, what: &str, text: &str, certain: bool| Attached {
        key: RowKey::Exchange(9),
        after: after * MILLI,
        sign,
        what: what.to_owned(),
        text: text.to_owned(),
        certain,
    };
    let line = format!("{} {}\n", row.method, row.subject);
    let request = if row.duration.is_some() || row.status == Status::Pending { REQUEST } else { &line };
    Detail {
        version,
        revision: Some("2025-11-25".to_owned()),
        era: Some(Era::Legacy),
        id: Some("7".to_owned()),
        request: Some(body(request, row.seq, Side::Client, row.at)),
        answer: answered.then(|| body(ERROR, row.seq + 1, Side::Server, row.at + row.duration.unwrap_or(0))),
        belongs: vec![
            attached(31, Sign::Notification, "progress 1 of 3", "searching", true),
            attached(202, Sign::Stderr, "stderr", "WARN cast failed: limit", false),
        ],
        remarks: vec![
            "The answer came after the client had cancelled the request; a client ignores such an answer.".to_owned(),
        ]
        .into_iter()
        .filter(|_| row.status == Status::Odd)
        .collect(),
        http: None,
        row,
    }
}
