//! A stream of server-sent events, of which the data is taken out as it comes, so that an event of any
//! size passes without being held. `wire::sse` reads whole events; this knows the same rules.

use super::inlet::{EventEnd, Part};

/// The longest name, id or number that is kept of an event.
const LONGEST: usize = 64 * 1024;

/// Where in a line it is.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the name of a field, or at the start of the line.
    #[default]
    Name,
    /// Behind the colon, where one space is passed over.
    Colon,
    /// In the value.
    Value,
}

/// What is known of a line's field.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Field {
    Data,
    Event,
    Id,
    Retry,
    #[default]
    Other,
}

/// Takes the data out of events.
#[derive(Debug, Default)]
pub struct Events {
    place: Place,
    field: Field,
    /// The field's name, and later the value of a field that is not data.
    word: Vec<u8>,
    /// The last byte was a CR, so that an LF belongs to it.
    cr: bool,
    /// Whether anything but a BOM has come.
    begun: bool,
    event: EventEnd,
    /// Lines of data are joined with a line end, as they are meant.
    exact: bool,
}

impl Events {
    /// Takes the data out as it was.
    pub fn exact() -> Self {
        Self { exact: true, ..Self::default() }
    }

    /// Takes the next bytes. The lines of an event's data are joined with a space, which between the
    /// tokens of JSON says the same as a line end. An event is given out when its empty line has come.
    pub fn push(&mut self, mut bytes: &[u8], emit: &mut dyn FnMut(Part<'_>)) {
        while !bytes.is_empty() {
            let end = memchr::memchr2(b'\r', b'\n', bytes).unwrap_or(bytes.len());
            let (text, rest) = bytes.split_at(end);
            if !text.is_empty() {
                self.cr = false;
                self.text(text, emit);
            }
            let Some(&by) = rest.first() else { return };
            bytes = &rest[1..];
            if by == b'\n' && std::mem::take(&mut self.cr) {
                continue;
            }
            self.cr = by == b'\r';
            self.line_ended(emit);
        }
    }

    /// Takes bytes of one line.
    fn text(&mut self, mut text: &[u8], emit: &mut dyn FnMut(Part<'_>)) {
        if self.place == Place::Name {
            let end = memchr::memchr(b':', text);
            let name = &text[..end.unwrap_or(text.len())];
            let room = LONGEST - self.word.len().min(LONGEST);
            self.word.extend_from_slice(&name[..name.len().min(room)]);
            let Some(end) = end else { return };
            self.named(emit);
            self.place = Place::Colon;
            text = &text[end + 1..];
        }
        if self.place == Place::Colon && !text.is_empty() {
            self.place = Place::Value;
            text = text.strip_prefix(b" ").unwrap_or(text);
        }
        match self.field {
            _ if text.is_empty() => {}
            Field::Other => {}
            Field::Data => emit(Part::Text(text)),
            _ => {
                let room = LONGEST - self.word.len().min(LONGEST);
                self.word.extend_from_slice(&text[..text.len().min(room)]);
            }
        }
    }

    /// The name of a field is complete.
    fn named(&mut self, emit: &mut dyn FnMut(Part<'_>)) {
        let word = std::mem::take(&mut self.word);
        let begun = std::mem::replace(&mut self.begun, true);
        let name = if begun { &word[..] } else { word.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&word) };
        self.field = match name {
            b"data" => Field::Data,
            b"event" => Field::Event,
            b"id" => Field::Id,
            b"retry" => Field::Retry,
            _ => Field::Other,
        };
        if self.field == Field::Data && std::mem::replace(&mut self.event.has_data, true) {
            emit(Part::Text(if self.exact { b"\n" } else { b" " }));
        }
    }

    fn line_ended(&mut self, emit: &mut dyn FnMut(Part<'_>)) {
        if self.place == Place::Name && self.word.is_empty() {
            // The empty line: the event is complete.
            return emit(Part::End(Some(std::mem::take(&mut self.event))));
        }
        if self.place == Place::Name {
            // A name without a colon: the value is empty.
            self.named(emit);
        }
        let value = String::from_utf8_lossy(&self.word).into_owned();
        match self.field {
            Field::Event => self.event.name = Some(value).filter(|name| !name.is_empty()),
            Field::Id if !value.contains('\0') => self.event.id = Some(value),
            Field::Retry if value.bytes().all(|byte| byte.is_ascii_digit()) => self.event.retry = value.parse().ok(),
            _ => {}
        }
        self.word.clear();
        (self.place, self.field) = (Place::Name, Field::Other);
    }
}

#[cfg(test)]
mod tests {
    use super::Events;
    use crate::engine::remote::inlet::{EventEnd, Part};

    type Told = (String, Option<String>, Option<String>, Option<u64>);

    fn events(chunks: &[&[u8]]) -> (Vec<Told>, bool) {
        let (mut events, mut told, mut data) = (Events::default(), Vec::new(), Vec::new());
        for chunk in chunks {
            events.push(chunk, &mut |part| match part {
                Part::Text(text) => data.extend_from_slice(text),
                Part::End(end) => {
                    let EventEnd { name, id, retry, .. } = end.expect("an event");
                    let data = String::from_utf8_lossy(&std::mem::take(&mut data)).into_owned();
                    if !data.is_empty() || name.is_some() || id.is_some() || retry.is_some() {
                        told.push((data, name, id, retry));
                    }
                }
            });
        }
        (told, !data.is_empty())
    }

    #[test]
    fn data_is_taken_out_wherever_the_stream_is_cut_and_however_lines_end() {
        let stream = "\u{FEFF}data: {\"a\":\n\n: ping\n\nid: 1\ndata\nretry: 20\n\nevent: message\ndata:{\ndata: \"é\":1\n\
                      data: }\nid: x:y\n\ndataset: 1\nretry: 2s\nevent:\ndata: [1]\n\n";
        let told = |data: &str, name: Option<&str>, id: Option<&str>, retry| {
            (data.to_owned(), name.map(str::to_owned), id.map(str::to_owned), retry)
        };
        let expected = vec![
            told("{\"a\":", None, None, None),
            told("", None, Some("1"), Some(20)),
            told("{ \"é\":1 }", Some("message"), Some("x:y"), None),
            told("[1]", None, None, None),
        ];
        for end in ["\n", "\r\n", "\r"] {
            let stream = stream.replace('\n', end);
            for cut in 0..stream.len() {
                let (before, after) = stream.as_bytes().split_at(cut);
                assert_eq!(events(&[before, after]), (expected.clone(), false), "{end:?} cut at {cut}");
            }
        }
    }

    #[test]
    fn an_event_without_its_empty_line_is_open() {
        assert_eq!(events(&[b"data: {}\n"]), (Vec::new(), true), "parsers discard it (SE-006)");
        assert_eq!(events(&[b": only a comment\n"]), (Vec::new(), false));
    }
}
