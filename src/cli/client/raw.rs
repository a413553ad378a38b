//! `midwire call --raw`: sends bytes as they are, however broken, and prints what comes of it. The bytes are typed, or
//! those of a frame on the shelf.

use std::time::Duration;

use super::class::Class;
use super::object::Object;
use super::seat::Seat;
use super::{Done, printed, words};
use crate::cli::failure::Failure;
use crate::model::Era;
use crate::peer::client::shelf::{Ground, Group, Nasty, named, shelf};
use crate::peer::client::{Order, Peer, Settings, Told};

/// The id of frames of the shelf: beyond what the client itself reaches.
const ID: u64 = 9_001;

/// What is sent.
pub(super) enum Frame {
    Bytes(Vec<u8>),
    Shelf(&'static Nasty),
}

impl Frame {
    /// What the word means: text, `@FILE`, `-`, digits behind `hex:`, or a name behind `shelf:`.
    pub(super) fn of(word: &str) -> Result<Self, Failure> {
        let Some(name) = word.strip_prefix("shelf:") else { return bytes(word).map(Self::Bytes) };
        let unknown =
            || Failure::said(format!("there is no frame {name:?} on the shelf; `midwire help frames` lists them"));
        named(name).map(Self::Shelf).ok_or_else(unknown)
    }

    /// The order that sends it to a server.
    fn order(self, peer: &Peer, http: bool, settings: &Settings) -> Order {
        let nasty = match self {
            Self::Bytes(bytes) => return Order::Raw(bytes, Vec::new()),
            Self::Shelf(nasty) => nasty,
        };
        let ground = Ground {
            modern: peer.era == Era::Modern,
            http,
            revision: peer.revision.text().to_owned(),
            id: ID,
            identity: settings.identity.clone(),
            capabilities: settings.capabilities.clone(),
        };
        let mut bytes = nasty.bytes(&ground);
        if nasty.ends && !http {
            bytes.push(b'\n');
        }
        Order::Raw(bytes, nasty.fields(&ground))
    }
}

/// The shelf, for `midwire help frames`.
pub(in crate::cli) fn page() -> String {
    let head = "Frames that are broken on purpose, or legal and often mistaken: what each tries, and what is expected of a \
                server.\n`midwire call TARGET --raw shelf:NAME` sends one and prints what comes.\n";
    let groups = Group::ALL.into_iter().map(|(group, title)| {
        let frames = shelf().filter(|nasty| nasty.group == group);
        let lines = frames.map(|it| format!("  {:<24} {}\n{:27}{}\n", it.name, it.tries, "", it.expects));
        format!("\n{title}\n{}", lines.collect::<String>())
    });
    head.to_owned() + &groups.collect::<String>()
}

/// The bytes that the word means: text, `@FILE`, `-`, or digits behind `hex:`.
fn bytes(word: &str) -> Result<Vec<u8>, Failure> {
    let Some(digits) = word.strip_prefix("hex:") else { return words::bytes(word, "--raw") };
    let digits: Vec<char> = digits.chars().filter(|digit| !digit.is_whitespace()).collect();
    let fault = || Failure::said("--raw hex: takes pairs of hexadecimal digits, such as hex:7b7d0a");
    if !digits.len().is_multiple_of(2) {
        return Err(fault());
    }
    let byte = |pair: &[char]| {
        let digit = |at: usize| pair[at].to_digit(16);
        Some((digit(0)? << 4 | digit(1)?) as u8)
    };
    digits.chunks(2).map(|pair| byte(pair).ok_or_else(fault)).collect()
}

/// Sends the frame once the connection is open, and prints each thing that comes as a line of JSON, until nothing has
/// come for so many seconds.
pub(super) fn send(mut seat: Seat, rest: &[String], frame: Frame, http: bool, silence: f64) -> Done {
    let silence = Duration::try_from_secs_f64(silence)
        .map_err(|_| Failure::said("--silence takes a number of seconds, such as 2 or 0.5"))?;
    if let Some(word) = rest.first() {
        return Err(Failure::said(format!("{word:?} is one word too many: --raw says all that is sent")));
    }
    let done = match seat.opened() {
        Ok(peer) => {
            let order = frame.order(&peer, http, seat.settings());
            seat.tell(order);
            reactions(&mut seat, silence)
        }
        Err(class) => Ok(class),
    };
    seat.leave();
    done
}

fn reactions(seat: &mut Seat, silence: Duration) -> Done {
    let mut came = 0;
    while let Some(told) = seat.hear(Some(silence)) {
        if let Some(line) = line(&told) {
            printed::json(&line)?;
            came += 1;
        }
    }
    if came == 0 {
        seat.voice.note(&format!("nothing came in answer for {} s", silence.as_secs_f64()));
    }
    if seat.is_interrupted() {
        return Ok(Class::Interrupted);
    }
    match seat.accident() {
        Some(why) => {
            seat.voice.warn(why);
            Ok(Class::Connection)
        }
        None => Ok(Class::Fine),
    }
}

/// What came, as it was.
fn line(told: &Told) -> Option<Vec<u8>> {
    let mut object = Object::new();
    let mut whole = |what: &str, why: Option<&str>, bytes: &[u8]| {
        object.text("what", what).maybe("why", why);
        match std::str::from_utf8(bytes) {
            Ok(text) => object.text("text", text),
            Err(_) => object.text("hex", &bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()),
        };
    };
    match told {
        Told::Stray { bytes, why } => whole("message", Some(why), bytes),
        Told::Late { message, .. } => whole("late", None, message),
        Told::Notified { message, .. } => whole("notification", None, message),
        _ => return None,
    }
    Some(object.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_text_or_digits() {
        assert_eq!(bytes("{\"a\":").expect("text"), b"{\"a\":");
        assert_eq!(bytes("hex:ff FE\t0a").expect("digits"), [0xFF, 0xFE, 0x0A]);
        assert!(bytes("hex:abc").is_err() && bytes("hex:zz").is_err());
        assert!(matches!(Frame::of("shelf:id-null"), Ok(Frame::Shelf(nasty)) if nasty.name == "id-null"));
        assert!(Frame::of("shelf:nothing").is_err());
        assert!(page().contains("\n  id-null "), "{}", page());
        let told = Told::Stray { bytes: [0xFF, 0x7B][..].into(), why: "no JSON".to_owned() };
        assert_eq!(line(&told).expect("a line"), br#"{"what":"message","why":"no JSON","hex":"ff7b"}"#);
    }
}
