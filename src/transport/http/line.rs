//! The client's role in HTTP/1.1 on one connection: one request after the other, each answered by any
//! number of informational heads and one response.

use super::broken::{Broken, Peer};
use super::heard::Heard;
use super::http1::{Reader, Writer};
use super::origin::Origin;
use super::stream::{ReadHalf, Stream, WriteHalf};
use crate::wire::http::{BodyLength, Head, HeadWriter, request_length, response_length};

/// One connection to a server, or to a proxy that is asked for it.
#[derive(Debug)]
pub(super) struct Line {
    reader: Reader<ReadHalf>,
    writer: Writer<WriteHalf>,
    answer: Answer,
    via: Option<Via>,
}

/// A proxy that is given whole URLs (RFC 9112 §3.2.2).
#[derive(Debug)]
pub(super) struct Via {
    /// What stands in front of each target: `http://host:port`.
    prefix: String,
    /// The value of `Proxy-Authorization`.
    authorization: Option<String>,
}

/// How far the answer to the request is.
#[derive(Debug)]
struct Answer {
    /// The request's method, as far as the length of the answer depends on it.
    method: &'static str,
    phase: Phase,
    length: BodyLength,
    /// Whether both sides keep the connection after it.
    kept: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Head,
    Body,
    Over,
}

#[derive(Debug)]
pub(super) struct Sending<'a> {
    writer: &'a mut Writer<WriteHalf>,
}

#[derive(Debug)]
pub(super) struct Hearing<'a> {
    reader: &'a mut Reader<ReadHalf>,
    answer: &'a mut Answer,
}

impl Line {
    pub(super) fn new(stream: Stream, via: Option<Via>) -> Self {
        let (read, write) = stream.split();
        let answer = Answer { method: "", phase: Phase::Over, length: BodyLength::None, kept: true };
        Self { reader: Reader::new(read, Peer::Server), writer: Writer::new(write, Peer::Server), answer, via }
    }

    pub(super) fn send(&mut self, head: &Head) -> Result<(Sending<'_>, Hearing<'_>), Broken> {
        let length = request_length(head).map_err(|source| Broken::Head { from: Peer::Client, source })?;
        let method = match head.method() {
            "HEAD" => "HEAD",
            "CONNECT" => "CONNECT",
            _ => "",
        };
        self.answer = Answer { method, phase: Phase::Head, length: BodyLength::None, kept: keeps(head) };
        match &self.via {
            Some(via) => self.writer.head(via.asked(head).raw(), length),
            None => self.writer.head(head.raw(), length),
        }
        Ok((Sending { writer: &mut self.writer }, Hearing { reader: &mut self.reader, answer: &mut self.answer }))
    }

    pub(super) async fn closed(&mut self) {
        self.reader.closed().await;
    }

    pub(super) const fn reusable(&self) -> bool {
        self.answer.kept && matches!(self.answer.phase, Phase::Over) && self.writer.is_over()
    }
}

impl Via {
    pub(super) fn new(origin: &Origin, authorization: Option<String>) -> Self {
        Self { prefix: origin.to_string(), authorization }
    }

    /// The same request as it is put to a proxy.
    fn asked(&self, head: &Head) -> Head {
        let target = head.target();
        let whole = if target.starts_with('/') { format!("{}{target}", self.prefix) } else { target.to_owned() };
        let mut asked = HeadWriter::with_target(head, &whole);
        head.fields().for_each(|field| {
            asked.raw(field);
        });
        if let Some(value) = &self.authorization {
            asked.field("Proxy-Authorization", value);
        }
        asked.finish()
    }
}

impl Sending<'_> {
    pub(super) async fn data(&mut self, bytes: &[u8]) -> Result<(), Broken> {
        self.writer.data(bytes).await
    }

    pub(super) async fn flush(&mut self) -> Result<(), Broken> {
        self.writer.flush().await
    }

    pub(super) const fn holds(&self) -> bool {
        self.writer.holds()
    }

    pub(super) async fn finish(&mut self, trailers: &[u8]) -> Result<(), Broken> {
        self.writer.finish(trailers).await
    }

    pub(super) fn upgrade(&mut self) {
        self.writer.body(BodyLength::UntilClose);
    }
}

impl Hearing<'_> {
    pub(super) async fn next(&mut self) -> Result<Heard<'_>, Broken> {
        if self.answer.phase == Phase::Head {
            let head = self.reader.head().await?.ok_or(Broken::ClosedBefore)?;
            self.begin(&head)?;
            return Ok(Heard::Head(head));
        }
        let heard = self.reader.next().await?;
        if matches!(heard, Heard::End) {
            self.answer.phase = Phase::Over;
        }
        Ok(heard)
    }

    /// Takes from a head what follows it.
    fn begin(&mut self, head: &Head) -> Result<(), Broken> {
        let answer = &mut *self.answer;
        let status = head.status().unwrap_or_default();
        if (100..200).contains(&status) && status != 101 {
            answer.length = BodyLength::None;
            return Ok(());
        }
        let switched = status == 101 || (answer.method == "CONNECT" && (200..300).contains(&status));
        answer.length = if switched {
            BodyLength::UntilClose
        } else {
            response_length(head, answer.method).map_err(|source| Broken::Head { from: Peer::Server, source })?
        };
        answer.kept = answer.kept && keeps(head) && answer.length != BodyLength::UntilClose;
        answer.phase = Phase::Body;
        self.reader.body(answer.length);
        Ok(())
    }

    pub(super) const fn length(&self) -> BodyLength {
        self.answer.length
    }
}

/// Whether the sender of this head keeps the connection afterwards (RFC 9112 §9.3).
fn keeps(head: &Head) -> bool {
    let says = |word: &str| {
        let values = head.all("connection").flat_map(|value| value.split(|byte| *byte == b','));
        values.map(<[u8]>::trim_ascii).any(|token| token.eq_ignore_ascii_case(word.as_bytes()))
    };
    if head.minor() == 0 { says("keep-alive") && !says("close") } else { !says("close") }
}
