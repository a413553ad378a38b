//! The frames themselves, by what they are about.

mod bytes;
mod messages;
mod protocol;

use super::build::Make;
use super::{Group, Nasty, Place};

const fn frame(
    group: Group,
    place: Place,
    (name, title): (&'static str, &'static str),
    (tries, expects): (&'static str, &'static str),
    make: Make,
) -> Nasty {
    // Half a line is the one thing that a line end would spoil.
    let ends = !matches!((make, place), (Make::Cut(_), Place::Stdio));
    Nasty { name, title, group, place, tries, expects, ends, make }
}

/// Every frame, by group.
pub fn shelf() -> impl Iterator<Item = &'static Nasty> {
    [messages::FRAMES, bytes::FRAMES, protocol::FRAMES].into_iter().flatten()
}
