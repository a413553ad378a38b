//! Codings are undone whatever chunks they come in, and what cannot be is told.

use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use proptest::prelude::*;

use super::*;

/// 400 events, compressed by zstd with a window of 1 KiB and a checksum.
const ZSTD: &[u8] = include_bytes!("../../../../tests/data/codings/events.zst");
/// 300 MiB of zeros.
const BOMB: &[u8] = include_bytes!("../../../../tests/data/codings/bomb.br");

fn events() -> String {
    (0..400).map(|n| format!("data: {{\"n\":{n},\"square\":{}}}\n\n", n * n % 997)).collect()
}

/// All that comes of chunks; with an output of this size.
fn decode(coding: Coding, chunks: &[&[u8]], room: usize) -> Result<(Vec<u8>, bool), Broken> {
    let mut decoder = Decoder::new(coding).expect("a coding");
    let (mut all, mut output) = (Vec::new(), vec![0; room]);
    for chunk in chunks {
        let mut used = 0;
        loop {
            let progress = decoder.decode(&chunk[used..], &mut output)?;
            used += progress.used;
            all.extend_from_slice(&output[..progress.made]);
            if progress == Progress::default() {
                assert_eq!(used, chunk.len(), "it stopped before the end");
                break;
            }
        }
    }
    Ok((all, decoder.is_whole()))
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// The same text in every coding.
fn coded(text: &[u8]) -> Vec<(Coding, Vec<u8>)> {
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
    zlib.write_all(text).unwrap();
    let mut bare = DeflateEncoder::new(Vec::new(), Compression::default());
    bare.write_all(text).unwrap();
    let zstd = ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest);
    let (first, second) = text.split_at(text.len() / 2);
    // A skippable frame stands between the two.
    let skipped: &[u8] = &[0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let frames = [first, second].map(|part| ruzstd::encoding::compress_to_vec(part, level));
    vec![
        (Coding::Gzip, gzip(text)),
        (Coding::Gzip, [gzip(first), gzip(second), vec![0; 7]].concat()),
        (Coding::Deflate, zlib.finish().unwrap()),
        (Coding::Deflate, bare.finish().unwrap()),
        (Coding::Zstd, zstd),
        (Coding::Zstd, [&frames[0], skipped, &frames[1]].concat()),
    ]
}

#[test]
fn every_coding_is_undone_however_it_is_cut() {
    let text = events().repeat(30);
    for (coding, bytes) in coded(text.as_bytes()) {
        for (size, room) in [(1, 1000), (7, 1 << 16), (usize::MAX, 100)] {
            let chunks: Vec<&[u8]> = bytes.chunks(size.min(bytes.len())).collect();
            let (all, whole) = decode(coding, &chunks, room).expect("sound");
            assert!(all == text.as_bytes() && whole, "{coding:?} in chunks of {size}");
        }
        let (part, whole) = decode(coding, &[&bytes[..bytes.len() - 9]], 1000).expect("sound as far as it goes");
        assert!(text.as_bytes().starts_with(&part) && !whole, "{coding:?} cut off");
    }
}

#[test]
fn a_window_smaller_than_the_body_is_kept_and_no_more() {
    for size in [1, 50, 5000] {
        let chunks: Vec<&[u8]> = ZSTD.chunks(size).collect();
        let (all, whole) = decode(Coding::Zstd, &chunks, 700).expect("sound");
        assert!(all == events().as_bytes() && whole);
    }
}

#[test]
fn what_was_flushed_comes_out_at_once() {
    let brotli: [&[u8]; 4] = [
        b"\x0b\x07\x80data: {\"n\":1}\n\n",
        b"\x70\x00\x80\x5f\x52\x41\xa6\xaf\x44\x01\x26\x04\x58\x63\x00",
        b"\x70\x00\x80\x5f\x52\x61\xa6\xaf\x80\x10\x25\x00\x70\x63\x00",
        b"\x03",
    ];
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let mut flushed = Vec::new();
    for n in 1..=3 {
        write!(encoder, "data: {{\"n\":{n}}}\n\n").unwrap();
        encoder.flush().unwrap();
        flushed.push(std::mem::take(encoder.get_mut()));
    }
    flushed.push(encoder.finish().unwrap());
    let gzip: Vec<&[u8]> = flushed.iter().map(Vec::as_slice).collect();
    // A frame with a window of a megabyte: three raw blocks, the last of which says so.
    let zstd: [&[u8]; 4] = [
        b"\x28\xb5\x2f\xfd\x00\x50\x78\x00\x00data: {\"n\":1}\n\n",
        b"\x78\x00\x00data: {\"n\":2}\n\n",
        b"\x78\x00\x00data: {\"n\":3}\n\n",
        b"\x01\x00\x00",
    ];
    for (coding, chunks) in [(Coding::Brotli, &brotli[..]), (Coding::Gzip, &gzip), (Coding::Zstd, &zstd)] {
        for count in 1..=3 {
            let (all, whole) = decode(coding, &chunks[..count], 1000).expect("sound");
            assert!(all.ends_with(format!("{{\"n\":{count}}}\n\n").as_bytes()) && !whole, "{coding:?} {count}");
        }
        assert!(decode(coding, chunks, 1000).expect("sound").1, "{coding:?}");
    }
}

#[test]
fn what_is_no_such_coding_is_told() {
    for coding in [Coding::Gzip, Coding::Brotli, Coding::Zstd] {
        assert_eq!(decode(coding, &[b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"], 100), Err(Broken), "{coding:?}");
    }
    assert_eq!(decode(Coding::Gzip, &[&gzip(b"x"), b"more"], 100), Err(Broken), "something behind its end");
    assert_eq!(decode(Coding::Brotli, &[b"\x3b"], 100), Ok((Vec::new(), true)), "a body of no bytes");
    assert!(Decoder::new(Coding::Unknown).is_none() && Decoder::new(Coding::Identity).is_none());
}

#[test]
fn a_bomb_is_given_up_before_it_costs_much() {
    let mut decoder = Decoder::new(Coding::Brotli).unwrap();
    let (mut output, mut made, mut used) = (vec![0; 1 << 16], 0_u64, 0);
    let result = loop {
        match decoder.decode(&BOMB[used..], &mut output) {
            Ok(progress) => {
                used += progress.used;
                made += progress.made as u64;
                assert!(progress != Progress::default());
            }
            Err(broken) => break broken,
        }
    };
    assert_eq!(result, Broken);
    assert!(made < 80 << 20, "{made}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever comes, it ends, and does not panic.
    #[test]
    fn damage_does_no_harm(
        which in 0..8_usize,
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        size in 1..400_usize,
    ) {
        let mut all = coded(events().as_bytes());
        all.push((Coding::Zstd, ZSTD.to_vec()));
        all.push((Coding::Brotli, BOMB.to_vec()));
        let (coding, bytes) = &mut all[which];
        for (place, value) in places {
            let at = place.index(bytes.len());
            bytes[at] = value;
        }
        let chunks: Vec<&[u8]> = bytes.chunks(size).collect();
        let _ = decode(*coding, &chunks, 5000);
    }
}
