//! `midwire discover` and `midwire ping`: who a server is and how that was found out, and whether it answers.

use std::ffi::OsString;

use clap::Args;

use super::class::Class;
use super::object::Object;
use super::seat::Seat;
use super::{Done, Shared, begin, printed};
use crate::cli::failure::Failure;
use crate::model::Era;
use crate::peer::client::{Call, Peer};

const DISCOVER: &str = "\
Examples:
  midwire discover https://example.com/mcp
  midwire discover --era legacy -- npx -y @modelcontextprotocol/server-everything
  midwire discover everything | jq .attempts

Prints one object, of which what is not known is left out:
  era, revision, server, capabilities, instructions, supported (versions, 2026-07-28)
  attempts   each step by which it was found out: what was sent, what came, whether it led on
  greeting   the whole result of initialize or server/discover
  recording  the file";

const PING: &str = "\
Examples:
  midwire ping https://example.com/mcp
  midwire ping --count 10 everything

2026-07-28 has no ping: there server/discover is asked instead. Each result is printed on a line of its own.";

/// The words of `midwire discover`.
#[derive(Debug, Args)]
#[command(after_help = DISCOVER)]
pub(in crate::cli) struct Discover {
    /// A URL or the name of a server (not with -- COMMAND)
    #[arg(value_name = "TARGET")]
    words: Vec<String>,
    #[command(flatten)]
    shared: Shared,
    /// The server's command with its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

impl Discover {
    pub(in crate::cli) fn run(self) -> Done {
        let (mut seat, rest) = begin(&self.words, self.command, &self.shared)?;
        let done = nothing_else(&rest).and_then(|()| match seat.opened() {
            Ok(peer) => printed::json(&object(&seat, &peer)).map(|()| Class::Fine),
            Err(class) => Ok(class),
        });
        seat.leave();
        done
    }
}

pub(super) fn nothing_else(rest: &[String]) -> Result<(), Failure> {
    match rest.first() {
        Some(word) => Err(Failure::said(format!("{word:?} is one word too many: only the server is named"))),
        None => Ok(()),
    }
}

fn object(seat: &Seat, peer: &Peer) -> Vec<u8> {
    let mut object = Object::new();
    object.text("era", peer.era.word()).text("revision", peer.revision.text());
    let raw = [("server", &peer.identity), ("capabilities", &peer.capabilities)];
    for (name, bytes) in raw {
        if let Some(bytes) = bytes {
            object.raw(name, bytes);
        }
    }
    object.maybe("instructions", peer.instructions.as_deref());
    if !peer.supported.is_empty() {
        let versions: Vec<Vec<u8>> = peer.supported.iter().map(|version| printed::text(version)).collect();
        object.array("supported", versions.iter().map(Vec::as_slice));
    }
    let attempts: Vec<Vec<u8>> = seat
        .attempts()
        .iter()
        .map(|attempt| {
            Object::new().text("what", &attempt.what).text("came", &attempt.came).plain("ok", attempt.ok).finish()
        })
        .collect();
    object.array("attempts", attempts.iter().map(Vec::as_slice));
    if let Some(greeting) = &peer.greeting {
        object.raw("greeting", greeting);
    }
    let recording = seat.recording().map(|path| path.to_string_lossy().into_owned());
    object.maybe("recording", recording.as_deref());
    object.finish()
}

/// The words of `midwire ping`.
#[derive(Debug, Args)]
#[command(after_help = PING)]
pub(in crate::cli) struct Ping {
    /// A URL or the name of a server (not with -- COMMAND)
    #[arg(value_name = "TARGET")]
    words: Vec<String>,
    /// How often
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    count: u32,
    #[command(flatten)]
    shared: Shared,
    /// The server's command with its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

impl Ping {
    pub(in crate::cli) fn run(self) -> Done {
        let (mut seat, rest) = begin(&self.words, self.command.clone(), &self.shared)?;
        let done = nothing_else(&rest).and_then(|()| self.carry_out(&mut seat));
        seat.leave();
        done
    }

    fn carry_out(&self, seat: &mut Seat) -> Done {
        let peer = match seat.opened() {
            Ok(peer) => peer,
            Err(class) => return Ok(class),
        };
        let method = if peer.era == Era::Modern { "server/discover" } else { "ping" };
        for _ in 0..self.count {
            let ended = seat.call(Call { method: method.to_owned(), ..Call::default() });
            if ended.class() == Class::Fine {
                seat.voice.note(&format!("{method} answered after {} ms", printed::milliseconds(ended.took)));
            }
            let class = printed::ended(seat, &ended, self.shared.place.envelope)?;
            if class != Class::Fine {
                return Ok(class);
            }
        }
        Ok(Class::Fine)
    }
}
