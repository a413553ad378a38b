//! What is unusual about one message, as a small set: it was read all the same, and other peers may
//! refuse it. Each names the rule of the protocol that it touches.

use super::json::{Json, JsonKind};

/// A set of oddities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Oddities(pub u32);

/// Declares the set's members, so that the list of all of them cannot miss one.
macro_rules! oddities {
    ($($name:ident = $bit:literal, $rule:literal, $says:literal;)*) => {
        impl Oddities {
            $(#[doc = concat!($says, " (", $rule, ").")]
            pub const $name: Self = Self(1 << $bit);)*

            /// Every oddity with the rule that it touches and what it says, fitting after "the message ".
            pub const ALL: &'static [(Self, &'static str, &'static str)] =
                &[$((Self::$name, $rule, $says)),*];
        }
    };
}

oddities! {
    BOM = 0, "IO-004", "begins with a byte order mark";
    CRLF = 1, "IO-005", "ends with CR LF";
    INVALID_UTF8 = 2, "JR-023", "holds bytes that are not UTF-8";
    DUPLICATE_KEYS = 3, "JR-024", "has a member twice; the last one counts here, and parsers disagree";
    WRONG_VERSION = 4, "JR-001", "does not say `\"jsonrpc\": \"2.0\"`";
    BOTH_RESULT_AND_ERROR = 5, "JR-002", "has both `result` and `error`";
    METHOD_AND_ANSWER = 6, "JR-002", "has `method` beside `result` or `error`";
    ID_NULL = 7, "JR-004", "has the id `null`";
    ID_NOT_SCALAR = 8, "JR-003", "has an id that is neither a string nor a number";
    ID_FRACTION = 9, "JR-003", "has an id with a fraction";
    PARAMS_NOT_OBJECT = 10, "JR-015", "has `params` that are not an object";
    RESULT_NOT_OBJECT = 11, "JR-009", "has a `result` that is not an object";
    ERROR_MALFORMED = 12, "JR-010", "has an `error` without an integer `code` and a string `message`";
    METHOD_NOT_STRING = 13, "JR-016", "has a `method` that is not a string";
    ID_MISSING = 14, "JR-011", "answers without an id";
    EXTRA_MEMBERS = 15, "JR-032", "has members that JSON-RPC does not know";
    LONE_SURROGATE = 16, "JR-023", "has half a surrogate pair as an escape in a string";
    ID_UNSAFE_INTEGER = 17, "JR-025", "has an integer id beyond 2^53 - 1, which JavaScript rounds";
    DEEP = 18, "JR-001", "is nested more than 127 levels deep, which common parsers refuse";
}

impl Oddities {
    /// None.
    pub const NONE: Self = Self(0);

    /// Whether all of `other` is in the set.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set with `other` added.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The oddities in the set, each with its rule and what it says.
    pub fn iter(self) -> impl Iterator<Item = (Self, &'static str, &'static str)> {
        Self::ALL.iter().copied().filter(move |(oddity, ..)| self.has(*oddity))
    }

    /// Where the text of a frame begins, and what is odd around it.
    pub(super) fn around(bytes: &[u8]) -> (usize, Self) {
        let has_bom = bytes.starts_with(b"\xEF\xBB\xBF");
        let bom = if has_bom { Self::BOM } else { Self::NONE };
        let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let crlf = if text.ends_with(b"\r") { Self::CRLF } else { Self::NONE };
        (if has_bom { 3 } else { 0 }, bom.with(crlf))
    }

    /// What is odd about an id.
    pub(super) fn of_id(id: Json<'_>) -> Self {
        match id.kind() {
            JsonKind::String => Self::NONE,
            JsonKind::Null => Self::ID_NULL,
            JsonKind::Number => Self::of_number(id),
            _ => Self::ID_NOT_SCALAR,
        }
    }

    fn of_number(id: Json<'_>) -> Self {
        const SAFE: u64 = (1 << 53) - 1;
        let digits = id.number().is_some_and(|text| !text.contains(['.', 'e', 'E']));
        match id.as_i64() {
            Some(value) if value.unsigned_abs() <= SAFE => Self::NONE,
            None if !digits && id.as_f64().is_some_and(|value| value.fract() != 0.0) => Self::ID_FRACTION,
            _ => Self::ID_UNSAFE_INTEGER,
        }
    }
}
