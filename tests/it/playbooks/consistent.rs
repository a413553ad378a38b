//! What holds for every trace, whatever it was made of.

use midwire::trace::{NoteKind, RowRef, Trace};

/// The note of a message: of its entry, or of its part of a batch.
fn note(trace: &Trace, place: midwire::trace::Place) -> midwire::trace::Note {
    let items = trace.items(place.seq);
    let entry = trace.note(place.seq).expect("a message's entry has a note");
    items.get(place.item as usize).copied().unwrap_or(*entry)
}

/// What holds for every trace: each answer is in its exchange, each row stands for something, and
/// nothing is listed twice.
pub fn consistent(trace: &Trace) {
    for (index, exchange) in trace.exchanges().iter().enumerate() {
        let request = note(trace, exchange.request);
        assert_eq!((request.exchange(), request.side), (Some(index as u32), Some(exchange.side)));
        if let Some(answer) = exchange.answer {
            let answer = note(trace, answer);
            assert_eq!((answer.exchange(), answer.side), (Some(index as u32), Some(exchange.side.other())));
            assert!(exchange.end.is_some_and(|end| end >= exchange.at));
        }
        assert_eq!(exchange.answer.is_none(), exchange.duration().is_none());
    }
    let rows: std::collections::HashSet<_> = trace.rows().iter().collect();
    assert_eq!(rows.len(), trace.rows().len(), "a row twice");
    let exchanges = trace.rows().iter().filter(|row| matches!(row, RowRef::Exchange(_))).count();
    assert_eq!(exchanges, trace.exchanges().len(), "each exchange has one row");
    for note in trace.notes() {
        let row = trace.rows().contains(&RowRef::Entry(note.seq));
        let begins = note.kind == NoteKind::Batch && trace.items(note.seq).iter().any(|item| item.exchange().is_some());
        let belongs = begins
            || note.exchange().is_some_and(|index| {
                let this = &trace.exchanges()[index as usize];
                let places = [Some(this.request), this.answer].into_iter().flatten();
                places.map(|place| place.seq).chain(this.attached.iter().map(|one| one.seq)).any(|seq| seq == note.seq)
            });
        let of_http = trace.http(note.channel).is_some();
        assert!(row || belongs || of_http, "entry {} is nowhere", note.seq);
    }
    let numbers = trace.rows().iter().map(|row| match row {
        RowRef::Entry(seq) => *seq,
        RowRef::Exchange(exchange) => trace.exchanges()[*exchange as usize].request.seq,
    });
    assert!(numbers.is_sorted(), "rows are in order");
    for http in trace.https() {
        assert_eq!(trace.http(http.channel), Some(http));
        assert!(http.exchange.is_none() || http.row.is_none(), "one row for one HTTP request");
        assert!(http.ended.is_none() || http.exchange.is_some() || http.row.is_some(), "an HTTP request has a row");
        assert!(http.row.is_none_or(|row| trace.rows().contains(&RowRef::Entry(row))));
        trace.http_remarks(http.channel);
    }
}
