//! What is wrong with a head that cannot be passed on, in words for whoever sent it.

use super::trim_end;

/// Why a head cannot be passed on. The texts fit after "failed to read the head: ".
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HeadFault {
    /// More bytes than [`super::LONGEST_HEAD`].
    #[error("it has more than 256 KiB, or has no end; send less in its fields")]
    TooLong,
    /// HTTP/2 without TLS.
    #[error("it is HTTP/2 with prior knowledge; use HTTP/1.1, or HTTP/2 over TLS")]
    Http2,
    /// Something that is not HTTP.
    #[error("it is not HTTP: it does not begin with the first line of a request or a response")]
    NotHttp,
    /// Something inside it.
    #[error("{what}")]
    Malformed {
        /// What.
        what: &'static str,
    },
    /// What it says about the length of its body is no number, contradicts itself, or could be read in two
    /// ways, which request smuggling lives on.
    #[error("{what}")]
    Length {
        /// What.
        what: &'static str,
    },
}

/// Says what is wrong as soon as the first bytes tell, so that nobody waits for the end of something that
/// is no head.
pub(super) fn early(bytes: &[u8]) -> Result<(), HeadFault> {
    if bytes.starts_with(b"PRI * HTTP/2") {
        return Err(HeadFault::Http2);
    }
    let word = bytes.iter().position(|byte| *byte == b' ').unwrap_or(bytes.len());
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~/".contains(byte);
    if word > LONGEST_METHOD || !bytes[..word].iter().all(is_word) || (word == 0 && !bytes.is_empty()) {
        return Err(HeadFault::NotHttp);
    }
    Ok(())
}

/// The most letters that a method may have.
const LONGEST_METHOD: usize = 256;

/// Checks a whole head.
pub(super) fn check(head: &[u8]) -> Result<(), HeadFault> {
    early(head)?;
    let lines = memchr::memchr_iter(b'\n', head).count();
    let mut fields = vec![httparse::EMPTY_HEADER; lines];
    let parsed = if head.starts_with(b"HTTP/") {
        let mut config = httparse::ParserConfig::default();
        config
            .allow_spaces_after_header_name_in_responses(true)
            .allow_obsolete_multiline_headers_in_responses(true)
            .allow_multiple_spaces_in_response_status_delimiters(true)
            .ignore_invalid_headers_in_responses(true);
        config.parse_response(&mut httparse::Response::new(&mut fields), head)
    } else {
        httparse::Request::new(&mut fields).parse(head)
    };
    match parsed {
        Ok(httparse::Status::Complete(used)) if used == head.len() => Ok(()),
        Ok(_) => Err(HeadFault::Malformed { what: "its lines do not end as those of a head" }),
        Err(fault) => Err(name(fault, head)),
    }
}

/// Says what a fault is about.
fn name(fault: httparse::Error, head: &[u8]) -> HeadFault {
    let first = memchr::memchr(b'\n', head).map_or(head, |end| trim_end(&head[..end]));
    if memchr::memmem::find(first, b"HTTP/").is_none() {
        return HeadFault::NotHttp;
    }
    let what = match fault {
        httparse::Error::HeaderName => "a field's name has a character that no name may have, or ends in a space",
        httparse::Error::HeaderValue => "a field's value has a control character",
        httparse::Error::NewLine => "a line ends with CR alone",
        httparse::Error::Status => "the status is not a number of three digits",
        httparse::Error::TooManyHeaders => "it has too many fields",
        httparse::Error::Version => "the version is neither HTTP/1.1 nor HTTP/1.0",
        httparse::Error::Token => "the first line has a character that may not stand there",
    };
    HeadFault::Malformed { what }
}
