//! How long the body behind a head is (RFC 9112 section 6).

use super::{Head, HeadFault};

/// How the end of a body is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyLength {
    /// There is no body.
    None,
    /// After so many bytes, which may be none.
    Exact(u64),
    /// By the chunked coding.
    Chunked,
    /// When the connection is closed.
    UntilClose,
}

/// How long the body of a request is. Whatever two parties might read differently is a fault.
pub fn request_length(head: &Head) -> Result<BodyLength, HeadFault> {
    let length = content_length(head)?;
    let Some(coding) = Coding::of(head) else {
        return Ok(length.map_or(BodyLength::None, BodyLength::Exact));
    };
    let what = if length.is_some() {
        "it has both Content-Length and Transfer-Encoding, which two parties may read differently"
    } else if head.minor() == 0 {
        "it has Transfer-Encoding, which HTTP/1.0 does not know"
    } else if coding.last_is_chunked && coding.chunked == 1 {
        return Ok(BodyLength::Chunked);
    } else {
        "its Transfer-Encoding does not end in `chunked`, so nobody knows where the body ends"
    };
    Err(HeadFault::Length { what })
}

/// How long the body of a response is that answers a request with this method.
pub fn response_length(head: &Head, request_method: &str) -> Result<BodyLength, HeadFault> {
    let status = head.status().unwrap_or_default();
    let is_tunnel = request_method == "CONNECT" && (200..300).contains(&status);
    if request_method == "HEAD" || is_tunnel || matches!(status, 100..=199 | 204 | 304) {
        return Ok(BodyLength::None);
    }
    match Coding::of(head) {
        Some(coding) if coding.last_is_chunked => Ok(BodyLength::Chunked),
        Some(_) => Ok(BodyLength::UntilClose),
        None => Ok(content_length(head)?.map_or(BodyLength::UntilClose, BodyLength::Exact)),
    }
}

/// The number that all `Content-Length` fields say, or all items of one that is a list.
fn content_length(head: &Head) -> Result<Option<u64>, HeadFault> {
    let mut length = None;
    for value in head.all("content-length").flat_map(|value| value.split(|byte| *byte == b',')) {
        let digits = std::str::from_utf8(value.trim_ascii()).unwrap_or_default();
        let number = if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None };
        let Some(number) = number else {
            return Err(HeadFault::Length { what: "its Content-Length is not a number" });
        };
        if length.replace(number).is_some_and(|before: u64| before != number) {
            return Err(HeadFault::Length { what: "it has several Content-Lengths that differ" });
        }
    }
    Ok(length)
}

/// What the `Transfer-Encoding` fields say together.
struct Coding {
    last_is_chunked: bool,
    /// How often `chunked` is named.
    chunked: usize,
}

impl Coding {
    fn of(head: &Head) -> Option<Self> {
        let mut coding: Option<Self> = None;
        for item in head.all("transfer-encoding").flat_map(|value| value.split(|byte| *byte == b',')) {
            let coding = coding.get_or_insert(Self { last_is_chunked: false, chunked: 0 });
            if item.trim_ascii().is_empty() {
                continue;
            }
            coding.last_is_chunked = item.trim_ascii().eq_ignore_ascii_case(b"chunked");
            coding.chunked += usize::from(coding.last_is_chunked);
        }
        coding
    }
}
