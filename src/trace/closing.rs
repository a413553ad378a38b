//! The ends of HTTP requests: what becomes of an exchange whose response is over (protocol.md 3.7, 4.4).

use super::http_remark::HttpRemark;
use super::https::{Said, Talk};
use super::remark::Remark;
use super::{RowRef, Status, Trace};
use crate::model::{ChannelId, Era, HttpEnd, Nanos, Seq, Side};

impl Trace {
    /// A side has said all that it says on a channel.
    pub(super) fn side_ended(&mut self, channel: ChannelId, side: Side, until: Nanos) {
        if side == Side::Server {
            return self.http_ended(channel, HttpEnd::Complete, "", until);
        }
        let Some((talk, http)) = self.https.talk(channel) else { return };
        talk.expects = false;
        http.sent.get_or_insert(until.max(http.at));
        self.request_complete(channel);
    }

    /// The final status has come.
    pub(super) fn responded(&mut self, channel: ChannelId, seq: Seq, status: u16) {
        let Some(talk) = self.https.open(channel) else { return };
        let (said, had_session, modern, place) = (talk.said, talk.had_session, talk.modern, talk.place);
        let of_mcp = said != Said::Nothing || self.https.is_endpoint(place);
        if (300..400).contains(&status) && status != 304 && of_mcp {
            self.remark_http(channel, HttpRemark::Redirect(status));
        }
        if had_session && !modern && of_mcp {
            let method = self.https.of(channel).map(|http| http.method);
            let is_delete = method.is_some_and(|method| &**self.names.text(method) == "DELETE");
            match status {
                200..300 if is_delete => self.session_deleted(channel, seq),
                200..300 => self.session_served(channel),
                _ => {}
            }
        }
    }

    /// An HTTP request is over. Its end is told once; what comes afterwards is not its end.
    pub(super) fn http_ended(&mut self, channel: ChannelId, end: HttpEnd, why: &str, at: Nanos) {
        let Some(talk) = self.https.close(channel) else { return };
        let http = &mut self.https.list[talk.http as usize];
        let last = http.last_byte.or(http.responded).unwrap_or(http.at);
        let at = at.max(last);
        (http.ended, http.end) = (Some(at), Some(end));
        let (status, bytes, response) = (http.status, http.received_bytes, http.response);
        // That a client leaves its stream is as it should be; of its requests it is said with them.
        let left = end == HttpEnd::ClientGone && (talk.asks_stream || !talk.requests.is_empty());
        if matches!(end, HttpEnd::Failed | HttpEnd::Refused) || (!why.is_empty() && !left) {
            let lines: Vec<&str> = why.lines().map(|line| line.trim_end_matches('.')).collect();
            let why = crate::mcp::one_line(&lines.join("; "), 500);
            // What fails after the status has come was reached.
            let failed_late = end == HttpEnd::Failed && status.is_some();
            let end = if failed_late { HttpEnd::ServerGone } else { end };
            self.remark_http(channel, HttpRemark::Ended(end, why));
        }
        self.accepted_well(channel, &talk, status, bytes);
        for &exchange in &talk.requests {
            self.settle(exchange, at);
        }
        self.answer_refused(channel, &talk, end, status);
        if talk.streams || talk.asks_stream {
            self.stream_over(channel, &talk, end, at);
        }
        if let Some(head) = response.filter(|_| status == Some(404) && self.means_session(&talk)) {
            self.session_unknown(channel, head);
        }
        self.lost_with(channel, &talk, status, response, at);
        self.https.touch(talk.http);
    }

    /// Nothing more will come: what is open was cut off, nobody knows how.
    pub(super) fn https_over(&mut self, at: Nanos) {
        let before = self.rows.len();
        for channel in self.https.all_open() {
            let Some(talk) = self.https.close(channel) else { continue };
            let http = &mut self.https.list[talk.http as usize];
            http.ended = Some(at.max(http.last_byte.or(http.responded).unwrap_or(http.at)));
            if http.row.is_none() && http.exchange.is_none() {
                http.row = Some(http.request);
                self.rows.push(RowRef::Entry(http.request));
            }
            self.https.touch(talk.http);
        }
        if self.rows.len() > before {
            let mut rows = std::mem::take(&mut self.rows);
            rows.sort_by_key(|row| self.row_seq(*row));
            self.rows = rows;
            self.reordered += 1;
        }
    }

    /// Whether a 404 says that the session is unknown: not one that says so of a method.
    fn means_session(&self, talk: &Talk) -> bool {
        let of_method = |exchange: &u32| &**self.names.text(self.exchanges[*exchange as usize].outcome) == "-32601";
        let of_mcp = talk.said != Said::Nothing || self.https.is_endpoint(talk.place);
        talk.had_session && !talk.modern && of_mcp && !talk.requests.iter().any(of_method)
    }

    /// What is in flight in a session that has just been ended or lost.
    fn lost_with(&mut self, channel: ChannelId, talk: &Talk, status: Option<u16>, head: Option<Seq>, at: Nanos) {
        let chan = self.channels.get(channel);
        let Some(session) = chan.session().filter(|_| talk.had_session && !chan.over_sse) else { return };
        if head.is_some_and(|head| self.losses.is_over_since(session, head)) {
            let lost = status == Some(404);
            let why = if lost { "the server had lost the session" } else { "the client ended the session first" };
            self.session_over(session, at, why);
        }
    }

    /// What becomes of an exchange whose HTTP request is over.
    pub(super) fn settle(&mut self, exchange: u32, at: Nanos) {
        let this = &self.exchanges[exchange as usize];
        if !this.status.is_open() {
            return;
        }
        let Some(http) = self.https.of(this.channel) else { return };
        let (listens, modern) = (this.method == self.words.listen, this.era == Some(Era::Modern));
        match (http.end, http.status) {
            (_, Some(status)) if status >= 400 => self.close_by_status(exchange, status, Status::Error, at),
            (Some(HttpEnd::Failed), None) => self.close(exchange, Status::Error, self.words.not_reached, at),
            (Some(HttpEnd::Refused), _) => self.close(exchange, Status::Error, self.words.refused, at),
            (Some(HttpEnd::Stopped), _) if listens => self.end_listen(exchange, HttpEnd::Stopped, at),
            (Some(HttpEnd::Stopped), _) => self.unanswered(exchange, at, "midwire was stopped"),
            (Some(end), Some(200..300) | None) if listens => self.end_listen(exchange, end, at),
            (Some(HttpEnd::ClientGone), _) if modern => {
                self.remark(exchange, Remark::Disconnected { modern });
                self.close(exchange, Status::Cancelled, self.words.disconnected, at);
            }
            (Some(HttpEnd::ClientGone), _) => {
                self.remark(exchange, Remark::Disconnected { modern });
                self.touch(exchange);
            }
            (_, None) => self.unanswered(exchange, at, "the server closed the connection first"),
            (_, Some(status @ 300..400)) => self.close_by_status(exchange, status, Status::Unanswered, at),
            (Some(end), Some(status)) => self.settle_success(exchange, end, status, at),
            (None, _) => {}
        }
    }

    /// The response said that all is well, and brought no answer.
    fn settle_success(&mut self, exchange: u32, end: HttpEnd, status: u16, at: Nanos) {
        let this = &self.exchanges[exchange as usize];
        let (channel, modern) = (this.channel, this.era == Some(Era::Modern));
        let chan = self.channels.get(channel);
        let Some(http) = self.https.of(channel) else { return };
        let streams = self.names.text(http.media).eq_ignore_ascii_case("text/event-stream");
        let ids = http.resumable;
        if chan.over_sse {
            // The answer comes on the stream.
            return self.touch(exchange);
        }
        if !streams {
            self.remark(exchange, Remark::NoAnswer(status));
            return self.close_by_status(exchange, status, Status::Unanswered, at);
        }
        let gone = end != HttpEnd::Complete;
        self.remark(exchange, Remark::BrokenOff { modern, ids, gone });
        if modern || !ids {
            self.close(exchange, Status::Unanswered, self.words.unanswered, at);
        }
        if modern {
            self.broke_off(exchange);
        }
        self.touch(exchange);
    }

    fn close_by_status(&mut self, exchange: u32, status: u16, how: Status, at: Nanos) {
        let word = self.status_word(status);
        self.close(exchange, how, word, at);
    }

    /// A subscription lasts as long as its stream.
    fn end_listen(&mut self, exchange: u32, end: HttpEnd, at: Nanos) {
        let word = match end {
            HttpEnd::ClientGone => self.words.ended_by_client,
            HttpEnd::Complete => self.words.ended_by_server,
            _ => self.words.ended_with_connection,
        };
        self.close(exchange, Status::Closed, word, at);
    }

    fn unanswered(&mut self, exchange: u32, at: Nanos, why: &'static str) {
        self.remark(exchange, Remark::Ended(why));
        self.close(exchange, Status::Unanswered, self.words.unanswered, at);
    }

    /// The POST of an answer or a notification that belongs to an exchange did not get through.
    fn answer_refused(&mut self, channel: ChannelId, talk: &Talk, end: HttpEnd, status: Option<u16>) {
        if talk.said != Said::Others {
            return;
        }
        let Some((exchange, body)) = self.https.of(channel).and_then(|http| Some((http.exchange?, http.body?))) else {
            return;
        };
        match (status, end) {
            (Some(status), _) if status >= 400 => self.remark(exchange, Remark::PostRefused { body, status }),
            (None, HttpEnd::Failed | HttpEnd::Refused) => self.remark(exchange, Remark::PostNotReached(body)),
            _ => return,
        }
        self.touch(exchange);
    }

    /// Whether the server accepted a POST of notifications or answers as it should (HX-005).
    fn accepted_well(&mut self, channel: ChannelId, talk: &Talk, status: Option<u16>, bytes: u64) {
        let Some(status) = status.filter(|_| !self.channels.get(channel).over_sse) else { return };
        match (talk.said, status) {
            (Said::Others, 202) if bytes > 0 => self.remark_http(channel, HttpRemark::AcceptedWithBody(bytes)),
            (Said::Others, 200..300) if status != 202 => self.remark_http(channel, HttpRemark::NotAccepted(status)),
            (Said::Requests | Said::Initialize, 200) if bytes > 0 && !talk.streams => self.media_is_right(channel),
            (Said::Nothing, 200) if talk.asks_stream && !talk.streams && self.https.is_endpoint(talk.place) => {
                self.remark_http(channel, HttpRemark::NoStream);
            }
            _ => {}
        }
    }

    /// A request is answered with JSON or a stream of events, and the response says so (HX-007).
    fn media_is_right(&mut self, channel: ChannelId) {
        let Some(http) = self.https.of(channel) else { return };
        if !self.names.text(http.media).eq_ignore_ascii_case("application/json") {
            self.remark_http(channel, HttpRemark::Media(http.media));
        }
    }
}
