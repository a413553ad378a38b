//! The keys of the window: one table, read by the window and shown on the sheet of keys, so that the
//! two cannot differ.

use eframe::egui::{Context, Key, Modifiers};

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// The next row or line.
    Down,
    /// The row or line before.
    Up,
    /// A screenful on.
    PageDown,
    /// A screenful back.
    PageUp,
    /// The first row or line.
    First,
    /// The last row or line.
    Last,
    /// Into the detail.
    Enter,
    /// Back: close, clear, leave.
    Leave,
    /// Fold, or go to what encloses the line.
    Fold,
    /// Unfold, or go in.
    Unfold,
    /// Fold everything.
    FoldAll,
    /// Unfold everything.
    UnfoldAll,
    /// To the filter line.
    Filter,
    /// Follow the end of a live recording.
    Follow,
    /// Let the timeline stand still.
    Pause,
    /// Exchanges or messages.
    View,
    /// A tab of the detail, from 0.
    Tab(u8),
    /// Request and answer side by side.
    SideBySide,
    /// Only the content, or the whole message.
    Envelope,
    /// Show or hide the recordings.
    Recordings,
    /// Show or hide the detail.
    Detail,
    /// The page of traffic.
    Traffic,
    /// The page of the client.
    Client,
    /// The page of the server.
    Server,
    /// Serve something.
    Serve,
    /// Connect to a server.
    Connect,
    /// Make the call that is filled in.
    Call,
    /// Fetch the list anew.
    Refresh,
    /// Turn the recording into a mock file.
    Mock,
    /// Open a file.
    Open,
    /// Tap an HTTP server.
    Tap,
    /// Search in the detail.
    Find,
    /// The next hit.
    NextHit,
    /// The hit before.
    PreviousHit,
    /// Copy the value at the line, or what is selected.
    CopyValue,
    /// Copy the path of the line.
    CopyPath,
    /// Copy the message.
    CopyMessage,
    /// Copy request and answer.
    CopyExchange,
    /// Copy a command that sends the HTTP request again.
    CopyCurl,
    /// Use the value at the line in saved calls.
    Pick,
    /// Send a recorded message again.
    Resend,
    /// The menu of a row.
    Menu,
    /// The next recording in the list.
    NextRecording,
    /// The recording before.
    PreviousRecording,
    /// Change the theme.
    Theme,
    /// Show the keys.
    Help,
}

/// One key: how it is pressed, what it does, and how the sheet of keys says so.
pub struct Binding {
    /// The modifiers that must be held.
    pub modifiers: Modifiers,
    /// The key.
    pub key: Key,
    /// What it does.
    pub act: Act,
}

const fn plain(key: Key, act: Act) -> Binding {
    Binding { modifiers: Modifiers::NONE, key, act }
}

const fn shift(key: Key, act: Act) -> Binding {
    Binding { modifiers: Modifiers::SHIFT, key, act }
}

const fn command(key: Key, act: Act) -> Binding {
    Binding { modifiers: Modifiers::COMMAND, key, act }
}

/// Every key. Those with modifiers come first, since a key without matches them too.
const BINDINGS: &[Binding] = &[
    command(Key::O, Act::Open),
    command(Key::T, Act::Tap),
    command(Key::F, Act::Find),
    command(Key::Num1, Act::Traffic),
    command(Key::Num2, Act::Client),
    command(Key::Num3, Act::Server),
    command(Key::N, Act::Connect),
    command(Key::Enter, Act::Call),
    command(Key::R, Act::Refresh),
    command(Key::ArrowDown, Act::NextRecording),
    command(Key::ArrowUp, Act::PreviousRecording),
    shift(Key::N, Act::PreviousHit),
    shift(Key::G, Act::Last),
    shift(Key::C, Act::CopyPath),
    shift(Key::Y, Act::CopyExchange),
    shift(Key::F10, Act::Menu),
    plain(Key::J, Act::Down),
    plain(Key::ArrowDown, Act::Down),
    plain(Key::K, Act::Up),
    plain(Key::ArrowUp, Act::Up),
    plain(Key::PageDown, Act::PageDown),
    plain(Key::PageUp, Act::PageUp),
    plain(Key::Home, Act::First),
    plain(Key::G, Act::First),
    plain(Key::End, Act::Last),
    plain(Key::Enter, Act::Enter),
    plain(Key::Escape, Act::Leave),
    plain(Key::H, Act::Fold),
    plain(Key::ArrowLeft, Act::Fold),
    plain(Key::L, Act::Unfold),
    plain(Key::ArrowRight, Act::Unfold),
    plain(Key::Minus, Act::FoldAll),
    plain(Key::Equals, Act::UnfoldAll),
    plain(Key::Plus, Act::UnfoldAll),
    plain(Key::Questionmark, Act::Help),
    plain(Key::F1, Act::Help),
    plain(Key::Slash, Act::Filter),
    plain(Key::F, Act::Follow),
    plain(Key::P, Act::Pause),
    plain(Key::V, Act::View),
    plain(Key::Num1, Act::Tab(0)),
    plain(Key::Num2, Act::Tab(1)),
    plain(Key::Num3, Act::Tab(2)),
    plain(Key::Num4, Act::Tab(3)),
    plain(Key::Num5, Act::Tab(4)),
    plain(Key::Num6, Act::Tab(5)),
    plain(Key::Num7, Act::Tab(6)),
    plain(Key::Num8, Act::Tab(7)),
    plain(Key::S, Act::SideBySide),
    plain(Key::E, Act::Envelope),
    plain(Key::OpenBracket, Act::Recordings),
    plain(Key::CloseBracket, Act::Detail),
    plain(Key::N, Act::NextHit),
    plain(Key::C, Act::CopyValue),
    plain(Key::Y, Act::CopyMessage),
    plain(Key::U, Act::CopyCurl),
    plain(Key::X, Act::Pick),
    plain(Key::M, Act::Mock),
    plain(Key::R, Act::Resend),
    plain(Key::T, Act::Theme),
];

/// A group of the sheet of keys: its title, and for each line the keys and what they do.
pub type Group = (&'static str, &'static [(&'static str, &'static str, Act)]);

/// The sheet of keys.
pub const SHEET: &[Group] = &[
    (
        "Move",
        &[
            ("j  k  ↓  ↑", "next, previous row or line", Act::Down),
            ("PgDn  PgUp", "a screenful", Act::PageDown),
            ("g  G  Home  End", "first, last", Act::First),
            ("Enter", "into the detail", Act::Enter),
            ("Esc", "back; clear the filter; close", Act::Leave),
            ("Ctrl+↓  Ctrl+↑", "next, previous recording", Act::NextRecording),
        ],
    ),
    (
        "Timeline",
        &[
            ("/", "filter", Act::Filter),
            ("f", "follow the end", Act::Follow),
            ("p", "pause, go on", Act::Pause),
            ("v", "exchanges or messages", Act::View),
            ("m", "turn into a mock file", Act::Mock),
            ("r", "send again; edit and send", Act::Resend),
            ("Shift+F10", "menu of the row", Act::Menu),
        ],
    ),
    (
        "Detail",
        &[
            ("1  2  3  4  5", "Pretty, Tree, Raw, Timing, HTTP", Act::Tab(0)),
            ("Ctrl+F", "search; n  N next, previous hit", Act::Find),
            ("h  l  ←  →", "fold, unfold", Act::Fold),
            ("-  +", "fold all, unfold all", Act::FoldAll),
            ("s", "request and answer side by side", Act::SideBySide),
            ("e", "content or the whole message", Act::Envelope),
        ],
    ),
    (
        "Copy",
        &[
            ("c", "the value at the line", Act::CopyValue),
            ("C", "its path, a JSON pointer", Act::CopyPath),
            ("y", "the message, byte for byte", Act::CopyMessage),
            ("Y", "request and answer", Act::CopyExchange),
            ("u", "the HTTP request as a curl command", Act::CopyCurl),
            ("Ctrl+C", "the selected text", Act::CopyValue),
        ],
    ),
    (
        "Client",
        &[
            ("Ctrl+N", "connect to a server", Act::Connect),
            ("Ctrl+Enter", "call", Act::Call),
            ("Ctrl+R", "fetch the list anew", Act::Refresh),
            ("x", "use the value in saved calls", Act::Pick),
            ("1 … 8", "Tools, Resources, … Server", Act::Tab(0)),
        ],
    ),
    (
        "Server",
        &[
            ("Ctrl+N", "serve something", Act::Connect),
            ("Ctrl+Enter", "send the answer", Act::Call),
            ("f", "follow the requests", Act::Follow),
            ("1 … 6", "Requests, Clients, … Server", Act::Tab(0)),
        ],
    ),
    (
        "Window",
        &[
            ("[  ]", "recordings, detail", Act::Recordings),
            ("Ctrl+O", "open a file", Act::Open),
            ("Ctrl+T", "tap an HTTP server", Act::Tap),
            ("Ctrl+1", "Traffic", Act::Traffic),
            ("Ctrl+2", "Client", Act::Client),
            ("Ctrl+3", "Server", Act::Server),
            ("t", "dark, light, as the system", Act::Theme),
            ("?", "this sheet", Act::Help),
        ],
    ),
];

/// What was pressed since the last frame. While a text is being edited only keys with Ctrl count, and
/// none of them is one that the text field uses. While a dialog or a menu is open the keys are its own.
pub fn pressed(ctx: &Context, dialog: bool) -> Vec<Act> {
    let editing = ctx.text_edit_focused();
    if dialog {
        return Vec::new();
    }
    ctx.input_mut(|input| {
        let mut acts = Vec::new();
        for binding in BINDINGS {
            let moves = matches!(binding.act, Act::NextRecording | Act::PreviousRecording);
            if editing && (binding.modifiers != Modifiers::COMMAND || moves) {
                continue;
            }
            while input.consume_key(binding.modifiers, binding.key) {
                acts.push(binding.act);
            }
        }
        acts
    })
}

#[cfg(test)]
mod tests {
    use super::{BINDINGS, SHEET};

    #[test]
    fn the_sheet_names_no_key_that_does_nothing_and_no_key_is_bound_twice() {
        for (_, lines) in SHEET {
            for (keys, what, act) in *lines {
                assert!(BINDINGS.iter().any(|binding| binding.act == *act), "{keys} ({what}) does nothing");
            }
        }
        for (index, one) in BINDINGS.iter().enumerate() {
            let twin = BINDINGS[..index].iter().any(|other| other.key == one.key && other.modifiers == one.modifiers);
            assert!(!twin, "{:?} is bound twice", one.key);
        }
    }
}
