//! Bodies in the chunked coding, whole and cut anywhere.

use proptest::prelude::*;

use super::*;

/// What a body comes to when it comes in these slices: data, trailers, bytes used.
fn decode(slices: &[&[u8]]) -> Result<(Vec<u8>, Vec<u8>, usize), ChunkFault> {
    let (mut chunked, mut data, mut used) = (Chunked::default(), Vec::new(), 0);
    for slice in slices {
        let mut rest = *slice;
        while !rest.is_empty() && !chunked.is_done() {
            let cut = chunked.cut(rest)?;
            assert!(cut.framing + cut.data > 0, "it gets on");
            data.extend_from_slice(&rest[cut.framing..cut.framing + cut.data]);
            rest = &rest[cut.framing + cut.data..];
        }
        used += slice.len() - rest.len();
    }
    Ok((data, chunked.trailers().to_vec(), used))
}

const BODY: &[u8] = b"5;a=\"x;y\"\r\nhello\r\n00A \r\n, world\r\n!\r\n0\r\nX-Sum: 1\r\nY:\r\n\r\n";

#[test]
fn data_and_trailers_come_out_and_what_follows_is_left() {
    let with_more = [BODY, b"HTTP/1.1"].concat();
    let expected = (b"hello, world\r\n!".to_vec(), b"X-Sum: 1\r\nY:\r\n\r\n".to_vec(), BODY.len());
    assert_eq!(decode(&[&with_more]), Ok(expected));
    assert_eq!(decode(&[b"0\r\n\r\n"]), Ok((vec![], vec![], 5)));
    assert_eq!(decode(&[b"1\nx\n0\n\n"]), Ok((b"x".to_vec(), vec![], 7)));
}

#[test]
fn it_is_the_same_wherever_it_is_cut() {
    let whole = decode(&[BODY]).expect("is a body");
    for cut in 0..=BODY.len() {
        let (first, second) = BODY.split_at(cut);
        assert_eq!(decode(&[first, second]).as_ref(), Ok(&whole), "cut at {cut}");
    }
    let bytes: Vec<&[u8]> = BODY.chunks(1).collect();
    assert_eq!(decode(&bytes), Ok(whole));
}

#[test]
fn what_could_be_read_in_two_ways_is_refused() {
    for (body, what) in [
        (&b"\r\n"[..], "hexadecimal"),
        (b"x\r\n", "hexadecimal"),
        (b"-1\r\n", "hexadecimal"),
        (b"0x5\r\n", "hexadecimal"),
        (b"10000000000000000\r\n", "larger"),
        (b"2\r\nabc\r\n", "longer"),
        (b"1\rx", "CR alone"),
        (b"1\r\nx\rx", "longer"),
        (b"0\r\n\rX", "CR alone"),
    ] {
        let fault = decode(&[body]).expect_err("is refused").to_string();
        assert!(fault.contains(what), "{body:?}: {fault}");
    }
}

#[test]
fn lines_without_end_take_no_memory() {
    let endless = vec![b'0'; LONGEST_LINE + 2];
    assert!(decode(&[&endless]).is_err());
    assert!(decode(&[b"1;", &endless]).is_err());
    let trailers = [b"0\r\n".to_vec(), vec![b'a'; LONGEST_TRAILERS + 2]].concat();
    assert!(decode(&[&trailers]).is_err());
    let mut chunked = Chunked::default();
    chunked.cut(b"fffffffffffffff\r\n").expect("begins");
    for _ in 0..100 {
        assert_eq!(chunked.cut(&endless), Ok(Cut { framing: 0, data: endless.len() }));
    }
}

#[test]
fn after_a_fault_there_are_only_faults() {
    let mut chunked = Chunked::default();
    let fault = chunked.cut(b"1\rx").expect_err("is refused");
    assert_eq!((chunked.cut(b"1\r\nx"), chunked.is_done()), (Err(fault), false));
}

proptest! {
    #[test]
    fn what_is_put_into_chunks_comes_out(
        chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..40), 0..8),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let mut body = Vec::new();
        for chunk in &chunks {
            body.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
            body.extend_from_slice(chunk);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(b"0\r\n\r\n");
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(body.len())).collect();
        cuts.extend([0, body.len()]);
        cuts.sort_unstable();
        let slices: Vec<&[u8]> = cuts.windows(2).map(|pair| &body[pair[0]..pair[1]]).collect();
        prop_assert_eq!(decode(&slices), Ok((chunks.concat(), vec![], body.len())));
    }

    #[test]
    fn noise_never_panics(
        noise in prop::collection::vec(prop::sample::select(&b"05f;\r\n ax\0"[..]), 0..40),
        cut in any::<prop::sample::Index>(),
    ) {
        let (first, second) = noise.split_at(cut.index(noise.len() + 1));
        prop_assert_eq!(decode(&[first, second]).is_ok(), decode(&[&noise]).is_ok());
    }
}
