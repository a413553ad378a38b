//! The tab Raw frame: anything can be sent as it is, from a shelf of frames that are broken on purpose or typed by hand,
//! and the reaction watched. Text is sent byte for byte; hexadecimal is for what is no text.

use eframe::egui::{Align, Layout, RichText, ScrollArea, TextEdit, Ui};

use crate::engine::client::Way;
use crate::engine::view::ConnectionId;
use crate::model::Era;
use crate::peer::client::Order;
use crate::peer::client::shelf::{Ground, Group, Nasty, shelf};
use crate::ui::client::{Connection, Standing};
use crate::ui::desk::Desk;
use crate::ui::theme;
use crate::ui::widgets::button;
use crate::ui::words;

/// The id that frames of the shelf begin with: beyond what the client itself is likely to reach.
const FIRST_ID: u64 = 900_001;
/// Bytes that are taken over into the field of text.
pub const LONGEST: usize = 256 * 1024;
/// Things that came which are shown.
const MOST: usize = 200;

/// The state of the tab.
#[derive(Debug, Default)]
pub struct Frames {
    text: String,
    hex: bool,
    no_end: bool,
    fields: Vec<(String, String)>,
    expects: Option<&'static Nasty>,
    sent: u64,
    /// Of which connection, and how many notifications had come when something was sent last.
    mark: Option<(ConnectionId, u64)>,
}

impl Frames {
    /// Draws the tab for a connection in all the room there is.
    pub fn show(&mut self, ui: &mut Ui, desk: &mut Desk, id: ConnectionId) {
        let all = ui.available_rect_before_wrap();
        ui.painter().rect_filled(all, 0.0, theme::palette(ui).bg0);
        let Some(connection) = desk.bench.get(id) else { return };
        let open = connection.standing() == Standing::Open;
        let ground = self.ground(connection);
        let (left, right) = all.split_left_right_at_x(all.left() + (all.width() * 0.3).clamp(180.0, 320.0));
        ui.painter().vline(right.left(), all.y_range(), theme::hairline(theme::palette(ui)));
        button::place(ui, left.shrink(10.0), Layout::top_down(Align::Min), |ui| self.shelf(ui, &ground));
        let mut order = None;
        button::place(ui, right.shrink(12.0), Layout::top_down(Align::Min), |ui| {
            order = self.editor(ui, &ground, open);
            self.reaction(ui, connection);
        });
        ui.advance_cursor_after_rect(all);
        if let Some(order) = order {
            self.mark = Some((id, mark(connection)));
            self.sent += 1;
            desk.bench.order(id, order);
        }
    }

    /// Takes bytes over, to be looked at or sent; `sent` is the connection over which they have just been sent.
    pub fn load(&mut self, bytes: &[u8], sent: Option<&Connection>) {
        (self.expects, self.fields, self.no_end) = (None, Vec::new(), false);
        match std::str::from_utf8(bytes) {
            // A field of text is laid out anew with each letter.
            _ if bytes.len() > LONGEST => (self.text, self.hex) = (String::new(), false),
            Ok(text) => (self.text, self.hex) = (text.to_owned(), false),
            Err(_) => (self.text, self.hex) = (hex_of(bytes), true),
        }
        self.mark = sent.map(|connection| (connection.id, mark(connection)));
    }

    fn ground(&self, connection: &Connection) -> Ground {
        let peer = connection.peer.as_ref();
        Ground {
            modern: peer.is_some_and(|peer| peer.era == Era::Modern),
            http: matches!(connection.target.way, Way::Url { .. }),
            revision: peer.map_or_else(|| "2025-11-25".to_owned(), |peer| peer.revision.text().to_owned()),
            id: FIRST_ID + self.sent,
            identity: connection.settings.identity.clone(),
            capabilities: connection.settings.capabilities.clone(),
        }
    }

    fn shelf(&mut self, ui: &mut Ui, ground: &Ground) {
        let palette = theme::palette(ui);
        ScrollArea::vertical().id_salt("shelf").auto_shrink([false, false]).show(ui, |ui| {
            for (group, title) in Group::ALL {
                let suits = shelf().filter(|nasty| nasty.group == group && nasty.suits(ground));
                let suits: Vec<&'static Nasty> = suits.collect();
                if suits.is_empty() {
                    continue;
                }
                ui.add_space(4.0);
                let title = RichText::new(title.to_uppercase()).font(theme::medium(10.5)).color(palette.faint);
                ui.label(title);
                for nasty in suits {
                    let chosen = self.expects.is_some_and(|it| it.name == nasty.name);
                    if ui.selectable_label(chosen, nasty.title).on_hover_text(nasty.tries).clicked() {
                        self.take(nasty, ground);
                    }
                }
            }
        });
    }

    fn take(&mut self, nasty: &'static Nasty, ground: &Ground) {
        let bytes = nasty.bytes(ground);
        self.expects = Some(nasty);
        self.fields = if ground.http { nasty.fields(ground) } else { Vec::new() };
        self.no_end = !nasty.ends;
        match String::from_utf8(bytes) {
            Ok(text) => (self.text, self.hex) = (text, false),
            Err(bytes) => (self.text, self.hex) = (hex_of(bytes.as_bytes()), true),
        }
    }

    fn editor(&mut self, ui: &mut Ui, ground: &Ground, open: bool) -> Option<Order> {
        let palette = theme::palette(ui);
        let before = self.hex;
        ui.horizontal(|ui| {
            button::segmented(ui, &mut self.hex, &[(false, "Text"), (true, "Hex")]);
            if !ground.http {
                let mut ends = !self.no_end;
                button::check(ui, &mut ends, "a line end behind it");
                self.no_end = !ends;
            }
        });
        if before != self.hex {
            self.text = if self.hex {
                hex_of(self.text.as_bytes())
            } else {
                String::from_utf8_lossy(&bytes_of(&self.text).unwrap_or_default()).into_owned()
            };
        }
        ui.add_space(4.0);
        let field = TextEdit::multiline(&mut self.text).font(theme::mono()).desired_width(f32::INFINITY);
        ui.add(field.desired_rows(8)).accessible_name("The frame, as it is sent");
        let bytes = if self.hex { bytes_of(&self.text) } else { Ok(self.text.clone().into_bytes()) };
        if let Err(why) = &bytes {
            ui.label(RichText::new(why).color(palette.err));
        }
        for (name, value) in &self.fields {
            ui.label(RichText::new(words::plain(&format!("{name}: {value}"))).font(theme::mono()).color(palette.dim));
        }
        if let Some(nasty) = self.expects {
            ui.label(RichText::new(nasty.tries).color(palette.dim));
            ui.label(RichText::new(format!("Expected: {}", nasty.expects)).color(palette.text));
        }
        ui.add_space(4.0);
        let mut sent = false;
        ui.add_enabled_ui(open && bytes.is_ok(), |ui| {
            sent = button::primary(ui, "Send as it is", "Send the frame as it is").clicked();
        });
        let mut bytes = bytes.ok().filter(|_| sent)?;
        if !ground.http && !self.no_end {
            bytes.push(b'\n');
        }
        Some(Order::Raw(bytes, self.fields.clone()))
    }

    /// What has come since something was sent.
    fn reaction(&self, ui: &mut Ui, connection: &Connection) {
        let palette = theme::palette(ui);
        let Some((_, mark)) = self.mark.filter(|(id, _)| *id == connection.id) else { return };
        ui.add_space(10.0);
        ui.label(RichText::new("WHAT CAME SINCE").font(theme::medium(10.5)).color(palette.faint));
        let from = usize::try_from(mark.saturating_sub(connection.notices_left_out)).unwrap_or(usize::MAX);
        let mut came = connection.notifications.iter().skip(from).take(MOST).peekable();
        if came.peek().is_none() {
            ui.label(RichText::new("Nothing yet.").color(palette.dim));
        }
        ScrollArea::vertical().id_salt("reaction").auto_shrink([false, false]).show(ui, |ui| {
            for notice in came {
                ui.label(RichText::new(words::plain(&notice.what)).font(theme::sans(12.0)).color(palette.warn));
                let text = String::from_utf8_lossy(&notice.message[..notice.message.len().min(2_000)]);
                ui.label(RichText::new(words::plain(&text)).font(theme::mono()));
            }
        });
    }
}

/// How many notifications have come.
fn mark(connection: &Connection) -> u64 {
    connection.notices_left_out + connection.notifications.len() as u64
}

/// Bytes as pairs of digits.
fn hex_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// The bytes of pairs of digits, whatever stands between them.
fn bytes_of(text: &str) -> Result<Vec<u8>, String> {
    let digits: Vec<char> = text.chars().filter(|sign| !sign.is_whitespace()).collect();
    if !digits.len().is_multiple_of(2) {
        return Err("A byte has two digits; one is missing.".to_owned());
    }
    let byte = |pair: &[char]| {
        let (high, low) = (pair[0].to_digit(16), pair[1].to_digit(16));
        high.zip(low).and_then(|(high, low)| u8::try_from(high * 16 + low).ok())
    };
    let bytes: Option<Vec<u8>> = digits.chunks_exact(2).map(byte).collect();
    bytes.ok_or_else(|| "Only digits from 0 to f make bytes.".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{bytes_of, hex_of};

    #[test]
    fn any_bytes_can_be_written_in_digits() {
        let bytes = [0, 0x7b, 0xff, 0xc3, 0x28];
        assert_eq!(bytes_of(&hex_of(&bytes)).unwrap(), bytes);
        assert_eq!(bytes_of(" 7B\n7d ").unwrap(), b"{}");
        assert!(bytes_of("7").is_err() && bytes_of("zz").is_err());
    }
}
