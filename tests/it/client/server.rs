//! A server that does what a script says, the same over stdio and over HTTP, in one of the eras. Its process on
//! stdio is a shell that ties its pipes to a socket of the test, so that the script runs here.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::Builder;

use midwire::engine::client::{Environment, Trust, Way};
use midwire::wire::Json;

use crate::http::message::{LAST, STREAM, chunk};
use crate::http::socket::Socket;
use crate::http::upstream::Upstream;

/// Which era a server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// 2025-11-25; `server/discover` is refused.
    Legacy,
    /// 2026-07-28; `initialize` is refused.
    Modern,
}

/// What a server is spoken to with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// The pipes of a process.
    Stdio,
    /// Streamable HTTP, each answer as a stream of events.
    Http,
}

/// All kinds of servers.
pub const ALL: [(Over, Era); 4] =
    [(Over::Stdio, Era::Legacy), (Over::Stdio, Era::Modern), (Over::Http, Era::Legacy), (Over::Http, Era::Modern)];

/// A message of the client's.
#[derive(Debug, Clone)]
pub struct Heard(pub String);

impl Heard {
    /// The value at a pointer, as it was sent; empty when it is not there.
    pub fn at(&self, pointer: &str) -> String {
        let json = Json::parse(self.0.as_bytes()).expect("the client sends JSON");
        json.pointer(pointer).map(|value| String::from_utf8_lossy(value.raw()).into_owned()).unwrap_or_default()
    }

    /// Its method; empty for an answer.
    pub fn method(&self) -> String {
        self.at("/method").trim_matches('"').to_owned()
    }

    /// Its id as it was sent.
    pub fn id(&self) -> String {
        self.at("/id")
    }

    /// A result for it.
    pub fn result(&self, result: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, self.id())
    }

    /// An error for it.
    pub fn error(&self, error: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":{},"error":{error}}}"#, self.id())
    }

    /// A notification of progress for it.
    pub fn progress(&self, progress: &str) -> String {
        let token = self.at("/params/_meta/progressToken");
        let params = format!(r#"{{"progressToken":{token},"progress":{progress}}}"#);
        format!(r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{params}}}"#)
    }
}

/// How a script says something while it takes a message: as a line, or as an event of the answer's stream. What is
/// said to what wants no answer has no way over HTTP, and is dropped.
pub type Say<'a> = &'a mut dyn FnMut(&str);

type Run = Arc<dyn Fn(&Heard, Say<'_>) + Send + Sync>;

/// A script, and what it heard.
#[derive(Clone)]
struct Script {
    heard: Arc<Mutex<Vec<Heard>>>,
    run: Run,
}

impl Script {
    fn hears(&self, text: String) -> Heard {
        let message = Heard(text);
        self.heard.lock().expect("whole").push(message.clone());
        message
    }
}

/// A running server.
pub struct Server {
    upstream: Option<Upstream>,
    port: u16,
    heard: Arc<Mutex<Vec<Heard>>>,
}

impl Server {
    /// One of this kind. The opening is its own; everything else is for the script, each message on a thread.
    pub fn start(over: Over, era: Era, script: impl Fn(&Heard, Say<'_>) + Send + Sync + 'static) -> Self {
        let heard: Arc<Mutex<Vec<Heard>>> = Arc::default();
        let run = Arc::new(move |message: &Heard, say: Say<'_>| {
            if !opens(era, message, say) {
                script(message, say);
            }
        });
        let script = Script { heard: Arc::clone(&heard), run };
        match over {
            Over::Stdio => Self { upstream: None, port: on_pipes(script), heard },
            Over::Http => Self { upstream: Some(on_http(script)), port: 0, heard },
        }
    }

    /// What a client connects to.
    pub fn way(&self) -> Way {
        match &self.upstream {
            Some(upstream) => at(&upstream.url("/mcp")),
            None => self.behind(""),
        }
    }

    /// The same on stdio, with something that the shell does before.
    pub fn behind(&self, first: &str) -> Way {
        command(&["bash", "-c", &format!("{first}\n{TIE}"), &self.port.to_string()])
    }

    /// The messages that it heard, in the order in which they came.
    pub fn heard(&self) -> Vec<Heard> {
        self.heard.lock().expect("whole").clone()
    }

    /// Those of a method.
    pub fn heard_of(&self, method: &str) -> Vec<Heard> {
        self.heard().into_iter().filter(|heard| heard.method() == method).collect()
    }
}

/// Ties stdin and stdout to a socket of this port; ends when either side does.
const TIE: &str = "exec 3<>/dev/tcp/127.0.0.1/$0; (cat <&3; kill $$) & cat >&3; kill $!";

/// A command as a way to a server.
pub fn command(words: &[&str]) -> Way {
    let command = words.iter().map(|word| (*word).to_owned()).collect();
    Way::Command { command, folder: None, environment: Environment::default() }
}

/// A URL as a way to a server.
pub fn at(url: &str) -> Way {
    Way::Url { url: url.to_owned(), headers: Vec::new(), trust: Trust::default() }
}

/// Bytes as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The opening of an era; whether the message belongs to it.
fn opens(era: Era, message: &Heard, say: Say<'_>) -> bool {
    let unknown = r#"{"code":-32601,"message":"Method not found"}"#;
    match (era, message.method().as_str()) {
        (Era::Legacy, "server/discover") | (Era::Modern, "initialize") => say(&message.error(unknown)),
        (Era::Legacy, "initialize") => {
            let capabilities = r#"{"tools":{"listChanged":true},"logging":{}}"#;
            let members = format!(r#""protocolVersion":"2025-11-25","capabilities":{capabilities}"#);
            say(&message.result(&format!(r#"{{{members},"serverInfo":{{"name":"s","version":"1"}}}}"#)));
        }
        (Era::Modern, "server/discover") => {
            let members = r#""supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0"#;
            say(&message.result(&format!(r#"{{"resultType":"complete",{members},"cacheScope":"private"}}"#)));
        }
        (_, "notifications/initialized") => {}
        _ => return false,
    }
    true
}

fn on_http(script: Script) -> Upstream {
    Upstream::serve(move |mut socket, _| {
        while let Some(request) = socket.request() {
            if request.method() != "POST" {
                socket.send("HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n");
                continue;
            }
            let message = script.hears(request.said());
            if message.method().is_empty() || message.id().is_empty() {
                socket.send("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
                (script.run)(&message, &mut |_| {});
                continue;
            }
            if answer(&mut socket, &script, &message).is_err() {
                return;
            }
        }
    })
}

/// Answers on a stream of events. An error: the client has closed it.
fn answer(socket: &mut Socket, script: &Script, message: &Heard) -> std::io::Result<()> {
    let mut outcome = socket.try_send(STREAM);
    (script.run)(message, &mut |line| {
        if outcome.is_ok() {
            outcome = socket.try_send(chunk(format!("data: {line}\n\n")));
        }
    });
    outcome?;
    socket.try_send(LAST)
}

/// Serves each process that ties itself to the port that is returned.
fn on_pipes(script: Script) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let accept = move || {
        for tcp in listener.incoming().map_while(Result::ok) {
            let script = script.clone();
            Builder::new().name("pipes".into()).spawn(move || serve(tcp, &script)).expect("a thread");
        }
    };
    Builder::new().name("listens".into()).spawn(accept).expect("a thread");
    port
}

fn serve(tcp: TcpStream, script: &Script) {
    let out = Arc::new(Mutex::new(tcp.try_clone().expect("a handle")));
    for line in BufReader::new(&tcp).lines().map_while(Result::ok) {
        let (message, run, out) = (script.hears(line), Arc::clone(&script.run), Arc::clone(&out));
        let run = move || {
            run(&message, &mut |line| {
                let _ = out.lock().expect("whole").write_all(format!("{line}\n").as_bytes());
            });
        };
        Builder::new().name("message".into()).spawn(run).expect("a thread");
    }
}
