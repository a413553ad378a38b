//! The JSON scanner under `json`, `message` and `pretty`: it says where a value ends and whether it is
//! valid. It never recurses and never builds anything.

/// Why bytes are not JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonFault {
    /// Offset of the byte at fault; the length of the input when it ended too early.
    pub at: usize,
    /// What is wrong there, fitting after "byte N: ".
    pub what: &'static str,
}

impl std::fmt::Display for JsonFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "byte {}: {}", self.at, self.what)
    }
}

/// How the scanner reads on. It tolerates bytes that are not UTF-8 inside strings and notes what some
/// parsers refuse although the grammar allows it.
#[derive(Debug)]
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    /// Where it reads next.
    pub(super) at: usize,
    /// Which of the open containers are objects.
    open: Open,
    /// The deepest nesting seen.
    pub(super) deepest: usize,
    /// Whether a string has half a surrogate pair as an escape (JR-023).
    pub(super) lone_surrogate: bool,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, open: Open::default(), deepest: 0, lone_surrogate: false }
    }

    /// A fault at the next byte.
    pub(super) fn fault<T>(&self, what: &'static str) -> Result<T, JsonFault> {
        let what = if self.at >= self.bytes.len() { "the text ends before the JSON value does" } else { what };
        Err(JsonFault { at: self.at, what })
    }

    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips insignificant whitespace.
    #[inline]
    pub(super) fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    /// Reads on when the next byte is `byte`.
    #[inline]
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Reads one value and the whitespace before it; returns where it begins.
    pub(super) fn value(&mut self) -> Result<usize, JsonFault> {
        self.space();
        let start = self.at;
        let floor = self.open.depth;
        loop {
            match self.peek() {
                Some(b'{') => {
                    self.enter(true);
                    if self.take(b'}') {
                        self.open.pop();
                    } else {
                        self.name()?;
                        continue;
                    }
                }
                Some(b'[') => {
                    self.enter(false);
                    if self.take(b']') {
                        self.open.pop();
                    } else {
                        continue;
                    }
                }
                _ => self.scalar()?,
            }
            if self.close(floor)? {
                return Ok(start);
            }
        }
    }

    /// After a value: reads what follows, up to the start of the next value. True when the value that
    /// was asked for is complete.
    #[inline]
    fn close(&mut self, floor: usize) -> Result<bool, JsonFault> {
        while self.open.depth > floor {
            self.space();
            match (self.peek(), self.open.is_object()) {
                (Some(b','), true) => {
                    self.at += 1;
                    self.space();
                    self.name()?;
                    return Ok(false);
                }
                (Some(b','), false) => {
                    self.at += 1;
                    self.space();
                    return Ok(false);
                }
                (Some(b'}'), true) | (Some(b']'), false) => {
                    self.at += 1;
                    self.open.pop();
                }
                (_, true) => return self.fault("expected `,` or `}`"),
                (_, false) => return self.fault("expected `,` or `]`"),
            }
        }
        Ok(true)
    }

    #[inline]
    fn enter(&mut self, object: bool) {
        self.open.push(object);
        self.deepest = self.deepest.max(self.open.depth);
        self.at += 1;
        self.space();
    }

    /// Reads a member's name and the colon, so that its value follows; returns where the name ends.
    #[inline]
    pub(super) fn name(&mut self) -> Result<usize, JsonFault> {
        if self.peek() != Some(b'"') {
            return self.fault("expected a member name in double quotes");
        }
        self.string()?;
        let end = self.at;
        self.space();
        if !self.take(b':') {
            return self.fault("expected `:` after the member name");
        }
        self.space();
        Ok(end)
    }

    #[inline]
    fn scalar(&mut self) -> Result<(), JsonFault> {
        match self.peek() {
            Some(b'"') => self.string(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.literal(b"true"),
            Some(b'f') => self.literal(b"false"),
            Some(b'n') => self.literal(b"null"),
            Some(b'N' | b'I') if self.follows(b"NaN") || self.follows(b"Infinity") => {
                self.fault("JSON has no `NaN` and no `Infinity`")
            }
            Some(b'\'') => self.fault("JSON strings have double quotes"),
            _ => self.fault("expected a JSON value"),
        }
    }

    fn follows(&self, word: &[u8]) -> bool {
        self.bytes[self.at..].starts_with(word)
    }

    fn literal(&mut self, word: &'static [u8]) -> Result<(), JsonFault> {
        if !self.follows(word) {
            return self.fault("expected a JSON value");
        }
        self.at += word.len();
        Ok(())
    }

    fn number(&mut self) -> Result<(), JsonFault> {
        self.take(b'-');
        if self.take(b'0') {
            if matches!(self.peek(), Some(b'0'..=b'9')) {
                return self.fault("a number has no leading zeros");
            }
        } else {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if !self.take(b'+') {
                self.take(b'-');
            }
            self.digits()?;
        }
        Ok(())
    }

    #[inline]
    fn digits(&mut self) -> Result<(), JsonFault> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { self.fault("expected a digit") } else { Ok(()) }
    }

    /// Reads a string from its opening quote to behind its closing quote.
    #[inline]
    pub(super) fn string(&mut self) -> Result<(), JsonFault> {
        self.at += 1;
        loop {
            self.at = plain(self.bytes, self.at);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                _ => return self.fault("a control character inside a string must be escaped"),
            }
        }
    }

    fn escape(&mut self) -> Result<(), JsonFault> {
        self.at += 1;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 1;
                Ok(())
            }
            Some(b'u') => self.unicode_escape(),
            _ => self.fault("unknown escape in a string"),
        }
    }

    fn unicode_escape(&mut self) -> Result<(), JsonFault> {
        let unit = self.unit()?;
        if unit & 0xF800 != 0xD800 {
            return Ok(());
        }
        let low_follows = unit < 0xDC00 && self.follows(b"\\u");
        if low_follows {
            self.at += 1;
            let back = self.at - 1;
            if self.unit()? & 0xFC00 == 0xDC00 {
                return Ok(());
            }
            // The second escape is a character of its own, perhaps the first half of the next pair.
            self.at = back;
        }
        self.lone_surrogate = true;
        Ok(())
    }

    /// Reads `uXXXX`.
    fn unit(&mut self) -> Result<u16, JsonFault> {
        self.at += 1;
        let mut unit = 0;
        for _ in 0..4 {
            let Some(digit) = self.peek().and_then(|byte| char::from(byte).to_digit(16)) else {
                return self.fault("`\\u` needs four hexadecimal digits");
            };
            unit = unit << 4 | digit as u16;
            self.at += 1;
        }
        Ok(unit)
    }
}

/// The offset, from `at` on, of the first byte that is a quote, a backslash or a control character:
/// the end of what a string holds as it is. Eight bytes at a time, since bodies are mostly strings.
#[inline]
pub(super) fn plain(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) = bytes.get(at..at + 8) {
        let word = u64::from_le_bytes(word.try_into().unwrap_or_default());
        let special = special(word);
        if special != 0 {
            return at + (special.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|&byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
        at += 1;
    }
    at
}

/// The high bit of each byte of `word` that is special; bits above the lowest one may be wrong.
#[inline]
const fn special(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let quote = word ^ (ONES * b'"' as u64);
    let slash = word ^ (ONES * b'\\' as u64);
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    ((quote.wrapping_sub(ONES) & !quote) | (slash.wrapping_sub(ONES) & !slash) | control) & HIGH
}

/// Where the value that begins at `at` ends, in bytes that are known to be valid.
pub(super) fn skip(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(b'"') => skip_string(bytes, at),
        Some(b'{' | b'[') => skip_container(bytes, at),
        _ => {
            let rest = bytes.get(at..).unwrap_or_default();
            let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t' | b':');
            at + rest.iter().position(ends).unwrap_or(rest.len())
        }
    }
}

fn skip_string(bytes: &[u8], at: usize) -> usize {
    let mut at = plain(bytes, at + 1);
    while bytes.get(at) == Some(&b'\\') {
        at = plain(bytes, at + 2);
    }
    (at + 1).min(bytes.len())
}

fn skip_container(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0_usize;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = skip_string(bytes, at);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at
}

/// Skips insignificant whitespace from `at` on.
#[inline]
pub(super) fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\n' | b'\r' | b'\t')) {
        at += 1;
    }
    at
}

/// A stack of one bit for each open container, so that ten million of them take little over a megabyte.
#[derive(Debug, Default)]
struct Open {
    /// The innermost bits; the lowest is the innermost.
    word: u64,
    /// The words before it.
    spilled: Vec<u64>,
    depth: usize,
}

impl Open {
    #[inline]
    fn push(&mut self, object: bool) {
        if self.depth.is_multiple_of(64) && self.depth != 0 {
            self.spilled.push(self.word);
            self.word = 0;
        }
        self.word = self.word << 1 | u64::from(object);
        self.depth += 1;
    }

    #[inline]
    fn pop(&mut self) {
        self.word >>= 1;
        self.depth -= 1;
        if self.depth.is_multiple_of(64) {
            self.word = self.spilled.pop().unwrap_or_default();
        }
    }

    #[inline]
    const fn is_object(&self) -> bool {
        self.word & 1 == 1
    }
}
