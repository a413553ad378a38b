//! What is written, lost and owed.

use super::*;

const INPUT: Stream = Stream::stdio(Flow::Input);
const OUTPUT: Stream = Stream::stdio(Flow::Output);
const ERROR: Stream = Stream::stdio(Flow::Error);
use crate::engine::clock::Clock;
use crate::engine::record::drafter::Drafter;
use crate::engine::record::queue::{Batch, Queue};
use crate::model::{Recording, Role, Transport};
use crate::store::Reader;
use crate::wire::PIECE;

/// What the chunks of one batch come to.
fn draft(drafter: &mut Drafter, chunks: &[(Stream, &[u8])]) -> Draft {
    let queue = Queue::new(usize::MAX, Clock::start());
    chunks.iter().for_each(|(stream, bytes)| queue.push(*stream, bytes));
    let (mut batch, mut draft) = (Batch::default(), Draft::default());
    queue.take(&mut batch);
    drafter.feed(&mut batch, &mut draft);
    draft
}

fn writer(folder: &std::path::Path) -> Writer {
    let facts = Recording {
        name: "t".into(),
        role: Role::Tap,
        transport: Transport::Stdio,
        command: Vec::new(),
        left_out: 0,
        url: None,
        directory: None,
        host: None,
        recorder: 1,
        program: "0".into(),
        started: 0,
        ended: None,
        lost: 0,
    };
    Writer::create(&folder.join("a.midwire"), &facts).unwrap()
}

#[test]
fn a_loss_in_the_middle_of_an_entry_cuts_it_and_is_confessed() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = writer(folder.path());
    let (mut book, mut drafter) = (Book::new(1), Drafter::new(u64::MAX, false));
    let long = vec![b'a'; PIECE];
    let first = draft(&mut drafter, &[(OUTPUT, &long)]);
    let lost = draft(&mut drafter, &[(OUTPUT, &long), (OUTPUT, b"\n{}\n"), (INPUT, b"[]\n")]);
    let last = draft(&mut drafter, &[(OUTPUT, b"1\n"), (OUTPUT, b"2\n"), (ERROR, b"e\n")]);
    book.write(&mut writer, &first).unwrap();
    book.lose(&lost, "the disk is full");
    book.write(&mut writer, &last).unwrap();
    assert_eq!(book.lost(), 2, "what was begun before is there, in part");
    let entries = Reader::open(writer.path()).unwrap().page(1, 99).unwrap();
    let told: Vec<_> = entries.iter().map(|entry| (entry.seq, entry.flags, entry.size, entry.bytes.len())).collect();
    let size = 2 * PIECE as u64 + 1;
    assert_eq!(told[0], (1, Flags::TRUNCATED, size, PIECE));
    let event = Lifecycle::Lost { entries: 2, why: "the disk is full".into() };
    assert_eq!((lifecycle::decode(&entries[1].bytes), entries[1].flags), (event, Flags::AFTER_LOSS));
    let rest: Vec<_> = told[2..].iter().map(|(seq, flags, ..)| (*seq, *flags)).collect();
    assert_eq!(rest, [(3, Flags::AFTER_LOSS), (4, Flags::default()), (5, Flags::default())]);
}

#[test]
fn only_what_lies_behind_the_last_byte_delivered_is_undelivered() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = writer(folder.path());
    let (mut book, mut drafter) = (Book::new(1), Drafter::new(u64::MAX, false));
    let whole = draft(&mut drafter, &[(OUTPUT, b"ab"), (OUTPUT, b"c\nde\nfg\nh")]);
    book.write(&mut writer, &whole).unwrap();
    let queue = Queue::new(usize::MAX, Clock::start());
    queue.undelivered(OUTPUT, 6);
    queue.push(OUTPUT, b"i\n");
    let (mut batch, mut failed) = (Batch::default(), Draft::default());
    queue.take(&mut batch);
    drafter.feed(&mut batch, &mut failed);
    book.write(&mut writer, &failed).unwrap();
    let entries = Reader::open(writer.path()).unwrap().page(1, 99).unwrap();
    let told: Vec<_> = entries.iter().map(|entry| (&entry.bytes[..], entry.flags)).collect();
    let (fine, not) = (Flags::default(), Flags::UNDELIVERED);
    assert_eq!(told, [(&b"abc\n"[..], fine), (b"de\n", fine), (b"fg\n", not), (b"hi\n", not)]);
}
