//! The handshake of the legacy era: LC-001 … LC-006, LC-011, LC-013, EC-025, JR-021, HL-020 … HL-023, CN-004.

use super::book::{Book, result};
use super::script::Play;
use crate::model::Revision;
use crate::peer::server::Settings;

/// A handshake in this revision, and which is answered.
fn agreed(settings: Settings, asked: &str) -> String {
    let mut play = Play::new(settings, Book::new());
    play.run("@ join 1 stdio");
    play.run(&format!(r#"1< {{$R,"id":1,"method":"initialize","params":{{"protocolVersion":"{asked}",$I}}}}"#));
    play.came()
}

fn only(revisions: &[Revision]) -> Settings {
    Settings { revisions: revisions.to_vec(), ..Settings::default() }
}

#[test]
fn a_revision_that_is_spoken_is_echoed_and_else_the_newest_with_a_handshake_is_offered() {
    for known in &Revision::KNOWN[..4] {
        assert!(agreed(Settings::default(), known.text()).contains(&format!(r#""protocolVersion":"{known}""#)));
    }
    for unknown in ["2026-07-28", "2025-01-01", "1.0", "2099-01-01", ""] {
        let came = agreed(Settings::default(), unknown);
        assert!(came.contains(r#""result":{"protocolVersion":"2025-11-25""#), "{unknown}: {came}");
    }
    let two = only(&[Revision::V2024_11_05, Revision::V2025_03_26]);
    assert!(agreed(two, "2025-11-25").contains(r#""protocolVersion":"2025-03-26""#));
}
