//! The picture of the demo: a parcel's label as a small PNG, drawn from the parcel's id.

use sha2::{Digest as _, Sha256};

const WIDTH: u32 = 240;
const HEIGHT: u32 = 96;
const ROW: usize = WIDTH as usize / 8;

/// The label of a parcel: a bar code of its id between two rules, in two colours.
pub(super) fn label(parcel: i64) -> Vec<u8> {
    let bars: [u8; 32] = Sha256::digest(parcel.to_string()).into();
    let mut rows = Vec::with_capacity((ROW + 1) * HEIGHT as usize);
    for y in 0..HEIGHT {
        rows.push(0); // no filter
        rows.extend((0..ROW).map(|x| pattern(&bars, x, y)));
    }
    png(&rows)
}

fn pattern(bars: &[u8; 32], x: usize, y: u32) -> u8 {
    match y {
        4..=7 | 88..=91 if (1..ROW - 1).contains(&x) => 0xff,
        14..=81 if (2..ROW - 2).contains(&x) => bars[x],
        _ => 0,
    }
}

/// A PNG of one bit per pixel with a palette of two colours; the data is stored, not compressed.
fn png(rows: &[u8]) -> Vec<u8> {
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = Vec::with_capacity(13);
    header.extend(WIDTH.to_be_bytes());
    header.extend(HEIGHT.to_be_bytes());
    header.extend([1, 3, 0, 0, 0]); // depth 1, palette, deflate, no filter method, no interlace
    chunk(&mut out, *b"IHDR", &header);
    chunk(&mut out, *b"PLTE", &[0xfb, 0xf7, 0xee, 0x1f, 0x2a, 0x44]);
    chunk(&mut out, *b"IDAT", &stored(rows));
    chunk(&mut out, *b"IEND", &[]);
    out
}

/// A zlib stream of one stored block, which holds up to 65,535 bytes.
fn stored(data: &[u8]) -> Vec<u8> {
    let length = data.len() as u16;
    let mut out = vec![0x78, 0x01, 0x01];
    out.extend(length.to_le_bytes());
    out.extend((!length).to_le_bytes());
    out.extend_from_slice(data);
    let (a, b) = data.iter().fold((1_u32, 0_u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65_521;
        (a, (b + a) % 65_521)
    });
    out.extend(((b << 16) | a).to_be_bytes());
    out
}

fn chunk(out: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    out.extend((data.len() as u32).to_be_bytes());
    let start = out.len();
    out.extend(kind);
    out.extend_from_slice(data);
    let sum = crc32(&out[start..]);
    out.extend(sum.to_be_bytes());
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}

#[cfg(test)]
mod tests {
    use super::{crc32, label, stored};

    #[test]
    fn the_sums_are_those_of_the_png_specification() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(stored(b"Wikipedia")[16..], 0x11e6_0398_u32.to_be_bytes());
    }

    #[test]
    fn a_label_is_small_and_depends_on_the_parcel() {
        let one = label(1);
        assert!(one.starts_with(b"\x89PNG") && one.len() < 4096, "{} bytes", one.len());
        assert_ne!(one, label(2));
        #[cfg(feature = "gui")]
        assert!(image::load_from_memory(&one).is_ok());
    }
}
