//! The only place that prints. Everything else hands its words here, because on a stdio tap stdout is
//! the protocol and must carry nothing of ours.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

/// Says on stderr what went wrong or what somebody should know. A host shows this to its user, so
/// each line begins with our name. A stderr that is closed is no reason to stop.
pub fn problem(text: &str) {
    let mut words = String::new();
    for line in text.lines() {
        words.push_str("midwire: ");
        words.push_str(line);
        words.push('\n');
    }
    let _ = io::stderr().write_all(words.as_bytes());
}

/// Says on stderr what somebody else says, line by line, with who it is in front.
pub fn aside(who: &str, text: &str) {
    let words: String = text.lines().map(|line| format!("{who}: {line}\n")).collect();
    let _ = io::stderr().write_all(words.as_bytes());
}

/// Puts a line before a person at a terminal; one that `ends` not waits for an answer.
pub fn question(line: &str, ends: bool) {
    let mut out = io::stderr();
    let _ = out.write_all(line.as_bytes()).and_then(|()| if ends { out.write_all(b"\n") } else { out.flush() });
}

/// Whether text is coloured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What a piece of text is, so that it gets its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Less important than what stands beside it.
    Dim,
    /// More important.
    Bold,
    /// From the client.
    Client,
    /// From the server.
    Server,
    /// It went well.
    Good,
    /// It went wrong.
    Bad,
    /// It needs an eye.
    Odd,
}

impl Ink {
    /// The parameters of the terminal's SGR sequence: only the 16 colours that every theme defines.
    const fn code(self) -> &'static str {
        match self {
            Self::Dim => "2",
            Self::Bold => "1",
            Self::Client => "36",
            Self::Server => "35",
            Self::Good => "32",
            Self::Bad => "31",
            Self::Odd => "33",
        }
    }
}

/// What is written on stdout: buffered, and coloured where that is wanted.
pub struct Page {
    out: BufWriter<Stdout>,
    coloured: bool,
}

impl Page {
    /// A page on stdout.
    pub fn new(color: Color) -> Self {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let coloured = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => io::stdout().is_terminal() && !unwanted && !dumb,
        };
        Self { out: BufWriter::with_capacity(64 * 1024, io::stdout()), coloured }
    }

    /// `text` in a colour, where text is coloured at all.
    pub fn ink(&self, ink: Ink, text: &str) -> String {
        if self.coloured && !text.is_empty() {
            format!("\u{1b}[{}m{text}\u{1b}[0m", ink.code())
        } else {
            text.to_owned()
        }
    }

    /// Writes one line.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.write_all(b"\n")
    }

    /// Sends out what was written so far.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Bytes go out as they are: an export to stdout.
impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
