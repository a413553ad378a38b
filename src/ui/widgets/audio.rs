//! What a sound is, told from its first bytes: format, rate, channels and how long it lasts. Nothing is
//! played.

/// A sound in words, such as `WAV · 44.1 kHz · stereo · 2.4 s`.
pub fn describe(bytes: &[u8], media: Option<&str>) -> String {
    let facts = wav(bytes).or_else(|| flac(bytes)).or_else(|| ogg(bytes)).or_else(|| mp3(bytes));
    facts.unwrap_or_else(|| media.unwrap_or("sound of an unknown format").to_owned())
}

fn words(format: &str, rate: u32, channels: u32, seconds: Option<f64>) -> String {
    let mut parts = vec![format.to_owned(), format!("{} kHz", f64::from(rate) / 1000.0)];
    parts.push(match channels {
        1 => "mono".to_owned(),
        2 => "stereo".to_owned(),
        more => format!("{more} channels"),
    });
    if let Some(seconds) = seconds.filter(|seconds| seconds.is_finite()) {
        parts.push(format!("{seconds:.1} s"));
    }
    parts.join(" · ")
}

fn le(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn wav(bytes: &[u8]) -> Option<String> {
    if !bytes.starts_with(b"RIFF") || bytes.get(8..12)? != b"WAVE" {
        return None;
    }
    let (mut at, mut format) = (12, None);
    while let (Some(name), Some(size)) = (bytes.get(at..at + 4), le(bytes, at + 4)) {
        if name == b"fmt " {
            let channels = u32::from(*bytes.get(at + 10)?);
            format = Some((le(bytes, at + 12)?, channels, le(bytes, at + 16)?));
        }
        if name == b"data" {
            let (rate, channels, per_second) = format?;
            let seconds = (per_second > 0).then(|| f64::from(size) / f64::from(per_second));
            return Some(words("WAV", rate, channels, seconds));
        }
        at += 8 + size as usize + (size as usize & 1);
    }
    let (rate, channels, _) = format?;
    Some(words("WAV", rate, channels, None))
}

fn flac(bytes: &[u8]) -> Option<String> {
    let info = bytes.strip_prefix(b"fLaC")?.get(4..38)?;
    let rate = u32::from(info[10]) << 12 | u32::from(info[11]) << 4 | u32::from(info[12]) >> 4;
    let channels = u32::from(info[12] >> 1 & 7) + 1;
    let low = u32::from_be_bytes(info[14..18].try_into().ok()?);
    let samples = u64::from(info[13] & 15) << 32 | u64::from(low);
    let seconds = (rate > 0 && samples > 0).then(|| samples as f64 / f64::from(rate));
    Some(words("FLAC", rate, channels, seconds))
}

fn ogg(bytes: &[u8]) -> Option<String> {
    if !bytes.starts_with(b"OggS") {
        return None;
    }
    let head = &bytes[..bytes.len().min(256)];
    let find = |name: &[u8]| memchr::memmem::find(head, name);
    let (format, channels, rate) = match (find(b"OpusHead"), find(b"\x01vorbis")) {
        (Some(at), _) => ("Ogg Opus", u32::from(*head.get(at + 9)?), 48_000),
        (None, Some(at)) => ("Ogg Vorbis", u32::from(*head.get(at + 11)?), le(head, at + 12)?),
        (None, None) => return Some("Ogg".to_owned()),
    };
    let last = memchr::memmem::rfind(bytes, b"OggS")?;
    let samples = bytes.get(last + 6..last + 14).and_then(|field| Some(u64::from_le_bytes(field.try_into().ok()?)));
    let seconds = samples.filter(|_| rate > 0).map(|samples| samples as f64 / f64::from(rate));
    Some(words(format, rate, channels, seconds))
}

/// The first frame's header; how long it lasts follows from its bit rate, if that is constant.
fn mp3(bytes: &[u8]) -> Option<String> {
    const KILOBITS: [u32; 15] = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
    const RATES: [u32; 3] = [44_100, 48_000, 32_000];
    let start = match bytes.strip_prefix(b"ID3") {
        Some(tag) => 10 + tag.get(3..7)?.iter().fold(0, |size, byte| size << 7 | usize::from(byte & 127)),
        None => 0,
    };
    let frame = bytes.get(start..start + 4)?;
    if frame[0] != 0xFF || frame[1] & 0xFE != 0xFA {
        return None;
    }
    let kilobits = *KILOBITS.get(usize::from(frame[2] >> 4))?;
    let rate = *RATES.get(usize::from(frame[2] >> 2 & 3))?;
    let channels = if frame[3] >> 6 == 3 { 1 } else { 2 };
    let seconds = (kilobits > 0).then(|| (bytes.len() - start) as f64 / (f64::from(kilobits) * 125.0));
    Some(words("MP3", rate, channels, seconds))
}

#[cfg(test)]
mod tests {
    use super::describe;

    fn wav(rate: u32, channels: u8, seconds: u32) -> Vec<u8> {
        let per_second = rate * u32::from(channels) * 2;
        let mut bytes = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0".to_vec();
        bytes.extend([channels, 0]);
        bytes.extend(rate.to_le_bytes());
        bytes.extend(per_second.to_le_bytes());
        bytes.extend([channels * 2, 0, 16, 0]);
        bytes.extend(b"data");
        bytes.extend((per_second * seconds).to_le_bytes());
        bytes
    }

    #[test]
    fn sounds_are_told_from_their_bytes() {
        assert_eq!(describe(&wav(44_100, 2, 3), None), "WAV · 44.1 kHz · stereo · 3.0 s");
        assert_eq!(describe(&wav(8_000, 1, 1)[..30], None), "sound of an unknown format");
        assert_eq!(describe(&[0xFF, 0xFB, 0x90, 0x64, 0, 0], Some("audio/mpeg")), "MP3 · 44.1 kHz · stereo · 0.0 s");
        assert_eq!(describe(b"????", Some("audio/x-odd")), "audio/x-odd");
        for cut in 0..44 {
            let _ = describe(&wav(8_000, 1, 1)[..cut], None);
        }
    }
}
