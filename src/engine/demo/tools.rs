//! The tools of the demo's server: each shows one thing that a tool call can bring about.

use std::io::{self, BufRead, Write};

use base64::Engine as _;

use super::catalog::FOUND;
use super::picture;
use super::server::{Ask, Reply, Server};
use super::talk::Raw;
use crate::wire::quote;

const CONFIRM: &str = r#"{"mode":"form","message":"Pay 12.50 EUR back for parcel 1915883588174806058?","requestedSchema":{"type":"object","properties":{"confirm":{"type":"boolean","title":"Pay it back","default":false},"reason":{"type":"string","title":"Why","oneOf":[{"const":"lost","title":"It was lost"},{"const":"damaged","title":"It arrived damaged"}]}},"required":["confirm"]}}"#;
const SAMPLE: &str = r#"{"messages":[{"role":"user","content":{"type":"text","text":"Order these stops for a short round from the depot: Lund, Malmö, Ystad. Answer with the names only."}}],"modelPreferences":{"hints":[{"name":"small"}],"speedPriority":0.8},"systemPrompt":"You plan delivery rounds.","temperature":0.0,"maxTokens":60}"#;
/// Opaque to the client, which has to send it back as it is (MR-005).
const REQUEST_STATE: &str = "r1.9c2f71d04be85a63.refund/confirm.6d1e0a94c7";

impl<R: BufRead, W: Write, E: Write> Server<R, W, E> {
    /// The reply to `tools/call`.
    pub(super) fn call(&mut self, ask: &Ask) -> io::Result<Reply> {
        let name = ask.params.text("/name").unwrap_or_default();
        if !self.catalog.has_tool(&name, self.imported) {
            return Ok(Reply::Error(-32602, format!("unknown tool: {name}"), None));
        }
        match &*name {
            "find_parcels" => Ok(found()),
            "import_manifest" => self.import(ask),
            "plan_route" => self.plan(ask),
            "refund" => self.refund(ask),
            "draw_label" => Ok(drawn(&ask.params)),
            "archive_year" => self.archive(ask),
            _ => Ok(text("on its way to Lund, 1 stop left")),
        }
    }

    /// Works in steps and says so; the manifest `returns.csv` is long enough to be cancelled.
    fn import(&mut self, ask: &Ask) -> io::Result<Reply> {
        let file = ask.params.text("/arguments/file").unwrap_or_default();
        if file == "returns.csv" {
            self.progress(ask, 1, "reading returns.csv")?;
            self.until_cancelled(&ask.id)?;
            return Ok(Reply::Silence);
        }
        self.grumble(&format!("parcels 1.4.0: importing {file}"))?;
        for (done, what) in [(1, "reading"), (2, "checking 213 lines"), (3, "booking in")] {
            self.progress(ask, done, what)?;
            self.rest();
        }
        self.log(ask, "warning", r#"{"line":87,"problem":"no postcode","booked":false}"#)?;
        self.stock_changed(ask)?;
        self.progress(ask, 4, "done")?;
        self.rest();
        Ok(text("212 of 213 parcels booked in"))
    }

    /// Asks the client for its folders and its model: requests of its own in the legacy era, while a
    /// modern client has to offer sampling with the call itself.
    fn plan(&mut self, ask: &Ask) -> io::Result<Reply> {
        if ask.modern {
            let data = r#"{"requiredCapabilities":{"sampling":{}}}"#.to_owned();
            return Ok(Reply::Error(-32021, "plan_route needs sampling".to_owned(), Some(data)));
        }
        let roots = self.ask("roots/list", "{}")?;
        let folder = roots.and_then(|roots| roots.text("/roots/0/name")).unwrap_or_else(|| "nowhere".to_owned());
        let sampled = self.ask("sampling/createMessage", SAMPLE)?;
        let order = sampled.and_then(|sampled| sampled.text("/content/text")).unwrap_or_default();
        Ok(text(&format!("route saved in {folder}: {order}")))
    }

    /// Pays back after a confirmation: asked by a request in the legacy era, by an answer of the kind
    /// `input_required` in the modern one.
    fn refund(&mut self, ask: &Ask) -> io::Result<Reply> {
        if ask.params.integer("/arguments/amount").is_some_and(|amount| amount > 1000) {
            return Ok(failed("the amount is more than the parcel was insured for (1000)"));
        }
        let answer = if ask.modern {
            match ask.params.raw("/inputResponses/confirm") {
                Some(answer) => Some(Raw(answer)),
                None => return Ok(input_required()),
            }
        } else {
            self.ask("elicitation/create", CONFIRM)?
        };
        let accepted = answer.as_ref().and_then(|answer| answer.raw("/content/confirm")).as_deref() == Some("true");
        Ok(text(if accepted { "12.50 EUR paid back" } else { "not paid back" }))
    }

    /// Takes long: a task for a modern client that knows tasks. A legacy client can only wait or
    /// cancel, and this one finishes all the same, so that its answer comes late (CN-007).
    fn archive(&mut self, ask: &Ask) -> io::Result<Reply> {
        if ask.modern {
            return Ok(self.start_task());
        }
        self.progress(ask, 1, "counting")?;
        if self.until_cancelled(&ask.id)? {
            self.rest();
        }
        Ok(text("4812 parcels of 2024 archived"))
    }

    fn progress(&mut self, ask: &Ask, done: u32, what: &str) -> io::Result<()> {
        let Some(token) = ask.params.raw("/_meta/progressToken") else { return Ok(()) };
        let message = quote(what);
        let params = format!(r#"{{"progressToken":{token},"progress":{done},"total":4,"message":{message}}}"#);
        self.talk.notify("notifications/progress", &params)
    }

    /// Logs to a legacy client, which has set a level; modern ones find it on stderr.
    fn log(&mut self, ask: &Ask, level: &str, data: &str) -> io::Result<()> {
        if ask.modern {
            return self.grumble(&format!("parcels 1.4.0: {data}"));
        }
        let params = format!(r#"{{"level":"{level}","logger":"import","data":{data}}}"#);
        self.talk.notify("notifications/message", &params)
    }

    fn stock_changed(&mut self, ask: &Ask) -> io::Result<()> {
        let params = match (ask.modern, &self.listening, &self.subscribed) {
            (true, Some(id), _) => {
                format!(r#"{{"uri":"depot://stock","_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}}}"#)
            }
            (false, _, Some(uri)) => format!(r#"{{"uri":{}}}"#, quote(uri)),
            _ => return Ok(()),
        };
        self.talk.notify("notifications/resources/updated", &params)
    }
}

fn found() -> Reply {
    let twin = quote(FOUND);
    Reply::Result(format!(r#""content":[{{"type":"text","text":{twin}}}],"structuredContent":{FOUND}"#))
}

fn drawn(params: &Raw) -> Reply {
    let parcel = params.integer("/arguments/parcel").unwrap_or_default();
    let data = base64::engine::general_purpose::STANDARD.encode(picture::label(parcel));
    Reply::Result(format!(
        r#""content":[{{"type":"text","text":"the label of parcel {parcel}"}},{{"type":"image","data":"{data}","mimeType":"image/png"}}]"#
    ))
}

fn input_required() -> Reply {
    Reply::Other(format!(
        r#""resultType":"input_required","inputRequests":{{"confirm":{{"method":"elicitation/create","params":{CONFIRM}}}}},"requestState":"{REQUEST_STATE}""#
    ))
}

fn text(text: &str) -> Reply {
    Reply::Result(format!(r#""content":[{{"type":"text","text":{}}}]"#, quote(text)))
}

fn failed(why: &str) -> Reply {
    Reply::Result(format!(r#""content":[{{"type":"text","text":{}}}],"isError":true"#, quote(why)))
}
