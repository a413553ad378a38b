//! Files that are no recordings, recordings of a newer format, and damaged ones: what is said about them,
//! and what can still be read.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use midwire::model::Entry;
use midwire::store::{FORMAT, OpenError, Reader, StoreError, Writer};

use crate::recordings::{batch, begin, closed, frame, read};

#[test]
fn other_things_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let make = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let sample = folder.path().join("sample");
    closed(&sample, 5);
    let sample = fs::read(&sample).unwrap();
    let mut foreign = sample.clone();
    foreign[68..72].copy_from_slice(b"GPKG");
    let says = |path: &Path| {
        let text = Reader::open(path).map(|_| ()).unwrap_err().to_string();
        text.replace(&path.display().to_string(), "X")
    };
    let missing = folder.path().join("missing");
    let said = [
        says(&missing),
        says(folder.path()),
        says(&make("empty", b"")),
        says(&make("text", b"{\"dir\":\"c2s\"}\n")),
        says(&make("foreign", &foreign)),
        says(&make("head", &sample[..60])),
    ];
    insta::assert_snapshot!(said.join("\n"), @r"
    open X: there is no such file; check the name
    open X: this is a folder; name one of the .midwire files in it
    open X: the file is empty; its recorder has just begun, or was stopped before it wrote anything
    open X: this is not a recording (not a SQLite file); JSON Lines are read with `midwire import`
    open X: this is a SQLite file, but not a recording of midwire; name a .midwire file
    open X: the file is damaged and nothing of it can be read (only 60 bytes of it are there); look for another copy of it
    ");
}

#[test]
fn a_newer_format_is_read_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    closed(&path, 20);
    let mut bytes = fs::read(&path).unwrap();
    bytes[60..64].copy_from_slice(&9u32.to_be_bytes());
    fs::write(&path, bytes).unwrap();
    let reader = Reader::open(&path).unwrap();
    assert_eq!(read(&reader).len(), 20);
    let warning = reader.warning().unwrap().replace(&format!("the {FORMAT} of"), "the N of");
    insta::assert_snapshot!(warning, @"the recording has format 9, newer than the N of this midwire: what is new in it is not shown; update midwire to see it");
    assert!(matches!(Writer::open(&path), Err(StoreError::Open(OpenError::Newer { found: 9, .. }))));
}

#[test]
fn a_truncated_recording_is_read_as_far_as_it_goes() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    closed(&whole, 2000);
    let bytes = fs::read(&whole).unwrap();
    let mut last = usize::MAX;
    for tenths in (1..10).rev() {
        let path = folder.path().join("cut");
        fs::write(&path, &bytes[..bytes.len() / 10 * tenths + 17]).unwrap();
        let reader = Reader::open(&path).unwrap();
        let seqs = read(&reader);
        let gap = seqs.iter().zip(1..).position(|(seq, n)| *seq != n).unwrap_or(seqs.len());
        assert!(seqs.len() - gap < 50, "from the beginning on, up to the page that was cut through");
        assert!(seqs.len() < last && seqs.len() + 150 > 190 * tenths, "{} entries from {tenths} tenths", seqs.len());
        last = seqs.len();
        assert_eq!(reader.last_seq().unwrap(), seqs[last - 1]);
        assert_eq!(reader.recording().unwrap().name, "everything");
        let warning = reader.warning().unwrap();
        assert!(
            warning.contains(&format!("the last entry that can be read is number {}", seqs[last - 1])),
            "{warning}"
        );
        assert!(warning.contains("the file is cut off"), "{warning}");
    }
    let path = folder.path().join("stump");
    fs::write(&path, &bytes[..5000]).unwrap();
    assert!(matches!(Reader::open(&path), Err(OpenError::Damaged { .. })));
}

#[test]
fn a_hole_in_a_recording_costs_only_what_lay_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    closed(&path, 2000);
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2 / 65536 * 65536;
    bytes[middle..middle + 65536].fill(0xff);
    fs::write(&path, bytes).unwrap();
    let reader = Reader::open(&path).unwrap();
    let seqs = read(&reader);
    assert!((1800..2000).contains(&seqs.len()), "{}", seqs.len());
    assert_eq!((seqs[0], seqs[seqs.len() - 1]), (1, 2000));
    let gap = seqs.windows(2).find(|pair| pair[1] != pair[0] + 1).unwrap();
    let warning = reader.warning().unwrap();
    assert_eq!(warning, format!("damaged and left out: entries {} to {}", gap[0] + 1, gap[1] - 1));
    assert_eq!(reader.entry(gap[0] + 1).unwrap(), None);
}

#[test]
fn no_damage_makes_the_reader_panic_or_hang() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.midwire");
    let mut writer = begin(&path);
    batch(&mut writer, 1..=200);
    writer.insert(&Entry { size: 900_000, ..frame(201, &vec![b'y'; 300_000]) }).unwrap();
    writer.append(201, 1, &vec![b'z'; 600_000]).unwrap();
    writer.close(7, 0).unwrap();
    let sound = fs::read(&path).unwrap();
    let mut random = 88_172_645_463_325_252_u64;
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % below as u64) as usize
    };
    for round in 0..100 {
        let mut bytes = sound.clone();
        for _ in 0..=next(20) {
            // Half of the damage goes where SQLite keeps its structure: the first bytes of pages.
            let place = if next(2) == 0 { next(bytes.len()) } else { next(bytes.len() / 4096) * 4096 + next(120) };
            let place = place.max(16).min(bytes.len() - 1);
            bytes[place] = next(256) as u8;
        }
        if round % 3 == 0 {
            bytes.truncate(next(sound.len()).max(100));
        }
        let path = folder.path().join("damaged");
        fs::write(&path, bytes).unwrap();
        let Ok(mut reader) = Reader::open(&path) else { continue };
        let mut count = 0;
        let _ = reader.scan(0, &mut |_| {
            count += 1;
            ControlFlow::Continue(())
        });
        assert!(count <= 100_000, "round {round} does not end");
        let _ = (reader.recording(), reader.channels(), reader.count(), reader.last_seq(), reader.warning());
        let _ = (reader.entry(201), reader.sha256(201), reader.changed());
    }
}
