//! The streams of one session: which events they had, so that a client can come back for what it missed, and what waits
//! until there is one. Each message goes to exactly one stream (HL-013), and what is kept is bounded.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::outbox::{Outbox, Part};
use crate::peer::server::Bytes;

/// So many bytes of events are kept for a session, and so many wait for a stream.
const KEPT: usize = 1 << 20;
/// So many streams of a session are remembered.
const MOST: usize = 256;

/// The number of a stream within its session.
pub type StreamNo = u64;

/// The streams of a session.
#[derive(Debug, Default)]
pub struct Streams {
    known: BTreeMap<StreamNo, Stream>,
    last: StreamNo,
    /// What belongs to no request and found no stream, with its load.
    waiting: VecDeque<Part>,
    waits: usize,
    /// The bytes of all events that are kept.
    kept: usize,
}

#[derive(Debug, Default)]
struct Stream {
    outbox: Option<Arc<Outbox>>,
    /// Carries what belongs to no request.
    is_loose: bool,
    events: VecDeque<(u64, Part)>,
    last: u64,
    /// Its response was complete.
    over: bool,
}

impl Streams {
    /// A stream for the response to a POST.
    pub fn answering(&mut self, outbox: Arc<Outbox>) -> StreamNo {
        self.add(Stream { outbox: Some(outbox), ..Stream::default() })
    }

    /// A stream for what belongs to no request; gets what waits.
    pub fn listening(&mut self, outbox: Arc<Outbox>) -> StreamNo {
        let number = self.add(Stream { outbox: Some(outbox), is_loose: true, ..Stream::default() });
        self.waits = 0;
        for part in std::mem::take(&mut self.waiting) {
            self.send(number, part);
        }
        number
    }

    fn add(&mut self, stream: Stream) -> StreamNo {
        self.last += 1;
        self.known.insert(self.last, stream);
        if self.known.len() > MOST {
            // The oldest that nobody reads; if all are read, they are as many as there are connections.
            let gone = self.known.iter().find(|(_, stream)| stream.outbox.is_none()).map(|(number, _)| *number);
            gone.into_iter().for_each(|number| self.forget(number));
        }
        self.last
    }

    fn forget(&mut self, number: StreamNo) {
        if let Some(stream) = self.known.remove(&number) {
            self.kept -= stream.events.iter().map(|(_, part)| size(part)).sum::<usize>();
        }
    }

    /// Sends on a stream: to who reads it, and to who comes back for it.
    pub fn send(&mut self, number: StreamNo, part: Part) {
        let Some(stream) = self.known.get_mut(&number) else { return };
        stream.last += 1;
        let part = match part {
            Part::Message(bytes, _, status) => Part::Message(bytes, Some(format!("{number}-{}", stream.last)), status),
            part => part,
        };
        let is_taken = stream.outbox.as_ref().is_some_and(|outbox| outbox.put(part.clone()));
        if !is_taken {
            stream.outbox = None;
        }
        self.kept += size(&part);
        stream.events.push_back((stream.last, part));
        while self.kept > KEPT && self.drop_oldest(number) {}
    }

    /// Forgets an event of the oldest stream that has any; the newest of the stream at hand stays.
    fn drop_oldest(&mut self, current: StreamNo) -> bool {
        for (number, stream) in &mut self.known {
            if !stream.events.is_empty() && (*number != current || stream.events.len() > 1) {
                self.kept -= stream.events.pop_front().map_or(0, |(_, part)| size(&part));
                return true;
            }
        }
        false
    }

    /// Sends what belongs to no request; it waits where nobody listens. `false` when something that waited was given up
    /// for it.
    pub fn send_loose(&mut self, part: Part) -> bool {
        let open = self.known.iter().find(|(_, stream)| stream.is_loose && stream.outbox.is_some());
        if let Some(number) = open.map(|(number, _)| *number) {
            self.send(number, part);
            return true;
        }
        self.waits += size(&part);
        self.waiting.push_back(part);
        let mut kept = true;
        while self.waits > KEPT && self.waiting.len() > 1 {
            self.waits -= self.waiting.pop_front().as_ref().map_or(0, size);
            kept = false;
        }
        kept
    }

    /// The response of a stream is complete. One that had no event is nothing to come back for.
    pub fn end(&mut self, number: StreamNo) {
        let Some(stream) = self.known.get_mut(&number) else { return };
        stream.over = true;
        stream.outbox.take().into_iter().for_each(|outbox| {
            outbox.put(Part::Done);
        });
        if stream.last == 0 {
            self.forget(number);
        }
    }

    /// Does the last thing that is done on the connection that a stream has; the stream goes on.
    pub fn part_with(&mut self, number: StreamNo, last: Part) {
        if let Some(outbox) = self.known.get_mut(&number).and_then(|stream| stream.outbox.take()) {
            outbox.put(last);
        }
    }

    /// Nobody reads this stream any more by that outbox.
    pub fn lost(&mut self, number: StreamNo, outbox: &Arc<Outbox>) {
        if let Some(stream) = self.known.get_mut(&number)
            && stream.outbox.as_ref().is_some_and(|known| Arc::ptr_eq(known, outbox))
        {
            stream.outbox = None;
        }
    }

    /// Gives a stream to who comes back for it, behind the event with this id, and says which it is. Whoever read it is
    /// cut off. `None` when that event is not known: never given, or forgotten.
    pub fn resume(&mut self, id: &str, outbox: &Arc<Outbox>) -> Option<StreamNo> {
        let (number, event) = id.split_once('-')?;
        let (number, event): (StreamNo, u64) = (number.parse().ok()?, event.parse().ok()?);
        let stream = self.known.get_mut(&number)?;
        let first = stream.events.front().map_or(stream.last + 1, |(first, _)| *first);
        if event > stream.last || event + 1 < first {
            return None;
        }
        stream.outbox.take().into_iter().for_each(|old| {
            old.put(Part::Done);
        });
        for (_, part) in stream.events.iter().filter(|(number, _)| *number > event) {
            outbox.put(part.clone());
        }
        if stream.over {
            outbox.put(Part::Done);
        } else {
            stream.outbox = Some(Arc::clone(outbox));
        }
        Some(number)
    }

    /// Ends the connections of all streams.
    pub fn close(&mut self, last: &Part) {
        for stream in self.known.values_mut() {
            stream.outbox.take().into_iter().for_each(|outbox| {
                outbox.put(last.clone());
            });
        }
    }

    /// Whether anybody reads one.
    pub fn is_read(&self) -> bool {
        self.known.values().any(|stream| stream.outbox.is_some())
    }
}

fn size(part: &Part) -> usize {
    let bytes: Option<&Bytes> = match part {
        Part::Message(bytes, ..) | Part::Raw(bytes) => Some(bytes),
        _ => None,
    };
    bytes.map_or(0, |bytes| bytes.len()) + 64
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{KEPT, Outbox, Part, Streams};

    fn message(text: &str) -> Part {
        Part::Message(text.as_bytes().into(), None, 200)
    }

    fn read(outbox: &Outbox) -> Vec<String> {
        let text = |part| match part {
            Part::Message(bytes, id, _) => format!("{} {}", id.unwrap_or_default(), String::from_utf8_lossy(&bytes)),
            part => format!("{part:?}"),
        };
        outbox.try_take().into_iter().map(text).collect()
    }

    #[test]
    fn a_message_goes_to_one_stream_and_waits_where_there_is_none() {
        let (mut streams, one, two) = (Streams::default(), Arc::new(Outbox::default()), Arc::new(Outbox::default()));
        assert!(streams.send_loose(message("a")));
        streams.listening(Arc::clone(&one));
        streams.listening(Arc::clone(&two));
        streams.send_loose(message("b"));
        assert_eq!((read(&one), read(&two)), (vec!["1-1 a".to_owned(), "1-2 b".to_owned()], vec![]));
        streams.lost(1, &one);
        streams.send_loose(message("c"));
        assert_eq!(read(&two), ["2-1 c"]);
    }

    #[test]
    fn who_comes_back_gets_what_it_missed_of_that_stream_and_no_other() {
        let mut streams = Streams::default();
        let [one, two, back] = [0; 3].map(|_| Arc::new(Outbox::default()));
        let (first, second) = (streams.answering(Arc::clone(&one)), streams.answering(two));
        for text in ["a", "b"] {
            streams.send(first, message(text));
            streams.send(second, message("other"));
        }
        streams.part_with(first, Part::Close);
        streams.send(first, message("c"));
        assert_eq!(read(&one), ["1-1 a", "1-2 b", "Close"]);
        assert_eq!(streams.resume("1-1", &back), Some(1));
        streams.send(first, message("d"));
        streams.end(first);
        assert_eq!(read(&back), ["1-2 b", "1-3 c", "1-4 d", "Done"]);
        for unknown in ["1-9", "7-1", "x", "1", ""] {
            assert_eq!(streams.resume(unknown, &back), None, "{unknown}");
        }
        let late = Arc::new(Outbox::default());
        assert_eq!(streams.resume("1-0", &late), Some(1), "the priming event");
        assert_eq!(read(&late).len(), 5);
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mut streams = Streams::default();
        let (outbox, large) = (Arc::new(Outbox::default()), "x".repeat(KEPT / 4));
        let number = streams.answering(Arc::clone(&outbox));
        for _ in 0..9 {
            streams.send(number, message(&large));
            outbox.try_take();
        }
        assert!(streams.kept <= KEPT, "{}", streams.kept);
        assert_eq!(streams.resume("1-2", &outbox), None, "it was forgotten, so nothing is left out in silence");
        assert!(streams.resume("1-8", &outbox).is_some());
        for _ in 0..9 {
            streams.lost(number, &outbox);
            streams.send_loose(message(&large));
        }
        assert!(streams.waits <= KEPT, "{}", streams.waits);
    }
}
