//! What happens to a connection besides messages.

/// One thing that happened. Its recorded form is written and read by `wire::lifecycle`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lifecycle {
    /// The server process was started.
    Spawned {
        /// Its process id.
        pid: u32,
    },
    /// The server could not be started.
    SpawnFailed {
        /// What was wrong, in a sentence that says what to do.
        why: String,
    },
    /// The server process ended by itself.
    Exited {
        /// Its exit code.
        code: i32,
    },
    /// The server process was ended by a signal.
    Signalled {
        /// The signal's number.
        signal: i32,
    },
    /// The host closed its end of the server's stdin.
    ClientClosed,
    /// The host closed its end of the server's stdout: it reads no more.
    ClientStoppedReading,
    /// The server closed its stdout.
    ServerClosed,
    /// The server closed its stdin: it reads no more.
    ServerStoppedReading,
    /// midwire passed a signal on to the server.
    SignalPassed {
        /// The signal's number.
        signal: i32,
    },
    /// midwire took a step to end the server.
    Stopping {
        /// The signal that it sent; `None` for closing its stdin.
        signal: Option<i32>,
        /// Why.
        reason: StopReason,
    },
    /// Processes that the server left behind were ended.
    Swept {
        /// Their process ids.
        pids: Vec<u32>,
    },
    /// Some entries could not be recorded; traffic was not touched.
    Lost {
        /// How many.
        entries: u64,
        /// Why.
        why: String,
    },
    /// midwire listens for clients.
    Listening {
        /// Where a client is to be pointed at.
        url: String,
    },
    /// midwire passed something on otherwise than it came, because it would not have worked as it was:
    /// the `endpoint` of HTTP+SSE, a redirect, `Origin`.
    Changed {
        /// What: the name of a header field, or `endpoint`.
        what: String,
        /// What it was passed on as; empty when it was left out.
        to: String,
    },
    /// An HTTP request with its response is over, and no entry says so ([`Flags::ENDS`](super::Flags::ENDS)).
    HttpEnded {
        /// How.
        how: HttpEnd,
        /// What was wrong, in a sentence that says what to do; empty when nothing was.
        why: String,
    },
    /// An event that this version does not know; its recorded text is shown as it is.
    Unknown {
        /// The recorded text.
        text: String,
    },
}

/// How an HTTP request with its response came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HttpEnd {
    /// The response was complete.
    Complete,
    /// The client closed its connection before the response was complete; upstream was told so at once.
    ClientGone,
    /// The server closed its connection before its response was complete.
    ServerGone,
    /// The server could not be reached, or did not answer in HTTP; the client was told so with a 502 or 504.
    Failed,
    /// midwire refused the request and did not pass it on.
    Refused,
    /// midwire was stopped.
    Stopped,
}

impl HttpEnd {
    /// Every end, with the word that stands for it in a recording.
    pub const WORDS: [(Self, &'static str); 6] = [
        (Self::Complete, "complete"),
        (Self::ClientGone, "client-gone"),
        (Self::ServerGone, "server-gone"),
        (Self::Failed, "failed"),
        (Self::Refused, "refused"),
        (Self::Stopped, "stopped"),
    ];
}

/// Why midwire ended a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// The host closed stdin, and the server did not exit in time.
    EndOfInput,
    /// The host sent midwire a signal, and the server did not exit in time.
    Signal,
    /// midwire itself was killed.
    TapKilled,
    /// The host no longer reads.
    ClientGone,
}

impl StopReason {
    /// Every reason, with the word that stands for it in a recording.
    pub const WORDS: [(Self, &'static str); 4] = [
        (Self::EndOfInput, "end-of-input"),
        (Self::Signal, "signal"),
        (Self::TapKilled, "tap-killed"),
        (Self::ClientGone, "client-gone"),
    ];
}
