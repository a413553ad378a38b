//! A server that does what a script says: each connection is given to the script in a thread of its own.
//! It is not a server of HTTP; a script writes the bytes that it means.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{Builder, JoinHandle};

use super::message::Message;
use super::socket::Socket;
use crate::tapped::PATIENCE;

/// A listening server on loopback; a script that fails fails the test.
pub struct Upstream {
    /// Where it listens.
    pub address: SocketAddr,
    scheme: &'static str,
    seen: Arc<Mutex<Vec<Message>>>,
    stop: Arc<AtomicBool>,
    accepting: Option<JoinHandle<Vec<JoinHandle<()>>>>,
}

impl Upstream {
    /// Gives each connection to `script`, with its number from 0.
    pub fn serve(script: impl Fn(Socket, usize) + Send + Sync + 'static) -> Self {
        Self::listen("http", Arc::default(), move |tcp, number| script(Socket::on(tcp), number))
    }

    /// The same over TLS.
    pub fn serve_tls(config: rustls::ServerConfig, script: impl Fn(Socket, usize) + Send + Sync + 'static) -> Self {
        let config = Arc::new(config);
        Self::listen("https", Arc::default(), move |tcp, number| {
            let session = rustls::ServerConnection::new(Arc::clone(&config)).expect("a session");
            let stream = rustls::StreamOwned::new(session, tcp.try_clone().expect("a handle"));
            script(Socket::over(tcp, Box::new(stream)), number);
        })
    }

    /// Answers each request with what `answer` makes of it, on as many connections as come; the requests
    /// are kept.
    pub fn replying<T: Into<Vec<u8>>>(answer: impl Fn(&Message) -> T + Send + Sync + 'static) -> Self {
        let seen: Arc<Mutex<Vec<Message>>> = Arc::default();
        let keep = Arc::clone(&seen);
        Self::listen("http", seen, move |tcp, _| {
            let mut socket = Socket::on(tcp);
            while let Some(request) = socket.request() {
                let answer = answer(&request).into();
                keep.lock().expect("whole").push(request);
                if socket.try_send(answer).is_err() {
                    return;
                }
            }
        })
    }

    /// Answers each request with these bytes.
    pub fn answering(answer: impl Into<Vec<u8>>) -> Self {
        let answer = answer.into();
        Self::replying(move |_| answer.clone())
    }

    /// The requests that came, in the order in which they were complete.
    pub fn requests(&self) -> Vec<Message> {
        self.seen.lock().expect("whole").clone()
    }

    /// The one request that came.
    pub fn request(&self) -> Message {
        let mut all = self.requests();
        assert_eq!(all.len(), 1, "one request: {all:?}");
        all.remove(0)
    }

    /// A URL on this server.
    pub fn url(&self, path: &str) -> String {
        format!("{}://{}{path}", self.scheme, self.address)
    }

    fn listen(
        scheme: &'static str,
        seen: Arc<Mutex<Vec<Message>>>,
        script: impl Fn(TcpStream, usize) + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, script) = (Arc::clone(&stop), Arc::new(script));
        let accept = move || {
            let mut scripts = Vec::new();
            for (number, tcp) in listener.incoming().enumerate() {
                if stopped.load(Ordering::Relaxed) {
                    break;
                }
                let (tcp, script) = (tcp.expect("a connection"), Arc::clone(&script));
                let thread = Builder::new().name(format!("upstream-{number}"));
                scripts.push(thread.spawn(move || script(tcp, number)).expect("a thread"));
            }
            scripts
        };
        let accepting = Builder::new().name("upstream".into()).spawn(accept).expect("a thread");
        Self { address, scheme, seen, stop, accepting: Some(accepting) }
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(self.address);
        let scripts = self.accepting.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        let failed = scripts.into_iter().filter_map(|script| script.join().err()).count();
        assert!(failed == 0 || std::thread::panicking(), "the upstream's script failed {failed} times, see above");
    }
}

/// Lets one thread wait for another: each opening lets one waiter pass.
#[derive(Clone, Default)]
pub struct Gate(Arc<(Mutex<u32>, Condvar)>);

impl Gate {
    /// Closed.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets one pass.
    pub fn open(&self) {
        *self.0.0.lock().expect("whole") += 1;
        self.0.1.notify_all();
    }

    /// Waits until it may pass.
    pub fn pass(&self) {
        let guard = self.0.0.lock().expect("whole");
        let (mut guard, time) = self.0.1.wait_timeout_while(guard, PATIENCE, |free| *free == 0).expect("whole");
        assert!(!time.timed_out(), "nobody opened the gate");
        *guard -= 1;
    }
}
