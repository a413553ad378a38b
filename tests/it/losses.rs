//! What a tap loses: nothing while it can write, and never traffic. Many taps at once, a folder that
//! cannot be written, a disk that is full and has room again.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::time::Duration;

use midwire::model::{EntryKind, Lifecycle, Side};

use crate::tapped::{Recorded, Tapped, command};

#[test]
fn twenty_taps_at_once_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let taps: Vec<_> = (0..20)
        .map(|_| command(folder.path(), &[], &["cat"]).spawn().expect("midwire starts"))
        .map(|mut child| {
            let work = move || {
                let mut input = child.stdin.take().unwrap();
                for n in 0..500 {
                    let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":{n},\"method\":\"ping\"}}\n");
                    std::io::Write::write_all(&mut input, line.as_bytes()).unwrap();
                }
                drop(input);
                child.wait_with_output().unwrap()
            };
            std::thread::Builder::new().name("host".into()).spawn(work).unwrap()
        })
        .collect();
    for tap in taps {
        let output = tap.join().unwrap();
        assert!(output.status.success() && output.stderr.is_empty());
        assert_eq!(output.stdout.split(|byte| *byte == b'\n').count() - 1, 500);
    }
    let mut recorders = BTreeSet::new();
    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let reader = midwire::store::Reader::open(&path).unwrap();
        let facts = reader.recording().unwrap();
        assert!(facts.ended.is_some() && facts.lost == 0);
        let entries = reader.page(1, usize::MAX).unwrap();
        for side in [Side::Client, Side::Server] {
            let own = |entry: &&_| entry_is(entry, side);
            assert_eq!(entries.iter().filter(own).count(), 500);
        }
        recorders.insert(facts.recorder);
    }
    assert_eq!(recorders.len(), 20);
}

fn entry_is(entry: &midwire::model::Entry, side: Side) -> bool {
    entry.kind == EntryKind::Frame && entry.side == Some(side)
}

#[test]
fn without_a_folder_for_recordings_traffic_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let mut tap = command(&file.join("r"), &[], &["cat"]).spawn().unwrap();
    std::io::Write::write_all(tap.stdin.as_mut().unwrap(), b"{}\n").unwrap();
    std::thread::sleep(Duration::from_millis(1200));
    let output = tap.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(0), &b"{}\n"[..]));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("midwire: failed to make the recordings folder "), "{said}");
    assert_eq!(said.matches("failed to").count(), 1, "said once: {said}");
    assert!(said.contains("the recording is incomplete; entries lost: "), "{said}");
}

#[test]
#[ignore = "mounts a tmpfs; needs root"]
fn a_full_disk_costs_entries_but_no_traffic() {
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let mount = Command::new("mount").args(["-t", "tmpfs", "-o", "size=4m", "tmpfs"]).arg(&disk).status().unwrap();
    assert!(mount.success());
    let _unmount = Unmount(disk.clone());
    let mut tapped = Tapped::spawn(tempfile::tempdir().unwrap(), command(&disk.join("r"), &[], &["cat"]));
    let line = [vec![b'x'; 9_999], b"\n".to_vec()].concat();
    for n in 0..1000 {
        tapped.send(&line);
        if n == 50 {
            std::thread::sleep(Duration::from_millis(200));
        }
    }
    // Room again: the recorder finds it, and goes on.
    let more = Command::new("mount").args(["-o", "remount,size=64m"]).arg(&disk).status().unwrap();
    assert!(more.success());
    std::thread::sleep(Duration::from_millis(1500));
    for _ in 0..10 {
        tapped.send(&line);
    }
    tapped.end_input();
    let outcome = tapped.finish();
    assert_eq!((outcome.code(), outcome.out.len()), (0, 1010 * 10_000));
    assert!(outcome.err.contains("the disk is full") && outcome.err.contains("recording goes on"), "{}", outcome.err);
    let recorded = Recorded::read(&disk.join("r"));
    let frames = recorded.frames(Side::Client).len() + recorded.frames(Side::Server).len();
    assert!(recorded.facts.lost > 0);
    assert_eq!(frames as u64 + recorded.facts.lost, 2020);
    let said: u64 = recorded
        .events()
        .iter()
        .map(|event| match event {
            Lifecycle::Lost { entries, why } if why.contains("the disk is full") => *entries,
            _ => 0,
        })
        .sum();
    assert_eq!(said, recorded.facts.lost);
    assert!(recorded.entries.iter().any(|entry| entry.flags.has(midwire::model::Flags::AFTER_LOSS)));
}

/// Takes a disk away again.
pub(crate) struct Unmount(pub(crate) std::path::PathBuf);

impl Drop for Unmount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}
