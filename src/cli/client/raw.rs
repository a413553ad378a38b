//! `midwire call --raw`: sends bytes as they are, however broken, and prints what comes of it.

use std::time::Duration;

use super::class::Class;
use super::object::Object;
use super::seat::Seat;
use super::{Done, printed, words};
use crate::cli::failure::Failure;
use crate::peer::client::{Order, Told};

/// The bytes that the word means: text, `@FILE`, `-`, or digits behind `hex:`.
pub(super) fn bytes(word: &str) -> Result<Vec<u8>, Failure> {
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

/// Sends the bytes once the connection is open, and prints each thing that comes as a line of JSON, until nothing has
/// come for so many seconds.
pub(super) fn send(mut seat: Seat, rest: &[String], bytes: Vec<u8>, silence: f64) -> Done {
    let silence = Duration::try_from_secs_f64(silence)
        .map_err(|_| Failure::said("--silence takes a number of seconds, such as 2 or 0.5"))?;
    if let Some(word) = rest.first() {
        return Err(Failure::said(format!("{word:?} is one word too many: --raw says all that is sent")));
    }
    let done = match seat.opened() {
        Ok(_) => {
            seat.tell(Order::Raw(bytes, Vec::new()));
            reactions(&mut seat, silence)
        }
        Err(class) => Ok(class),
    };
    seat.leave();
    done
}

fn reactions(seat: &mut Seat, silence: Duration) -> Done {
    while let Some(told) = seat.hear(Some(silence)) {
        if let Some(line) = line(&told) {
            printed::json(&line)?;
        }
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
        let told = Told::Stray { bytes: [0xFF, 0x7B][..].into(), why: "no JSON".to_owned() };
        assert_eq!(line(&told).expect("a line"), br#"{"what":"message","why":"no JSON","hex":"ff7b"}"#);
    }
}
