//! What the demo's client says in the modern era (2026-07-28): no handshake, `_meta` on each request,
//! an answer that asks back, a subscription and a task.

use std::io::{self, BufRead, Write};

use super::client::{CLIENT_INFO, Client};
use super::server::MODERN;

const CAPABILITIES: &str = r#"{"elicitation":{"form":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;
/// The id of the subscription: a string, while the others are numbers.
const WATCH: &str = r#""watch-1""#;

impl<R: BufRead, W: Write> Client<R, W> {
    /// The whole modern conversation.
    pub(super) fn converse_modern(&mut self) -> io::Result<()> {
        self.ask_modern("server/discover", "")?;
        self.ask_modern("tools/list", "")?;
        self.watch()?;
        self.read()?;
        self.call()?;
        self.confirm()?;
        self.fail()?;
        self.poll_task()?;
        self.give_up()
    }

    /// Asks with `_meta`; `members` is the JSON text of the other params without the braces. Gives the
    /// answer's text, the result or the error.
    fn ask_modern(&mut self, method: &str, members: &str) -> io::Result<super::talk::Raw> {
        let answer = self.request(method, &params(members, ""))?;
        Ok(answer.unwrap_or_else(|error| error))
    }

    /// Subscribes; the acknowledgement comes at once, the result only at the end.
    fn watch(&mut self) -> io::Result<()> {
        let filter = r#""notifications":{"toolsListChanged":true,"resourceSubscriptions":["depot://stock"]}"#;
        self.start_as(WATCH, "subscriptions/listen", &params(filter, ""))?;
        self.until_told("notifications/subscriptions/acknowledged")
    }

    fn read(&mut self) -> io::Result<()> {
        self.ask_modern("resources/list", "")?;
        self.ask_modern("resources/read", r#""uri":"depot://stock""#)?;
        self.ask_modern("prompts/list", "")?;
        let arguments = r#"{"parcel":"1915883588174806058"}"#;
        self.ask_modern("prompts/get", &format!(r#""name":"complaint","arguments":{arguments}"#))?;
        let reference = r#""ref":{"type":"ref/resource","uri":"depot://shelf/{row}"}"#;
        self.ask_modern("completion/complete", &format!(r#"{reference},"argument":{{"name":"row","value":"A"}}"#))?;
        Ok(())
    }

    /// A call with numbers that must survive, and one with progress that changes what is watched.
    fn call(&mut self) -> io::Result<()> {
        let arguments = r#"{"city":"Malmö","after":9007199254740993,"max_weight":1.0}"#;
        self.ask_modern("tools/call", &format!(r#""name":"find_parcels","arguments":{arguments}"#))?;
        let import = r#""name":"import_manifest","arguments":{"file":"monday.csv"}"#;
        self.request("tools/call", &params(import, r#","progressToken":1"#))?.ok();
        self.until_told("notifications/tools/list_changed")?;
        self.ask_modern("tools/list", "")?;
        Ok(())
    }

    /// The same call twice: the first answer asks for input, the second try brings it and the state
    /// that came with the question, under a new id (MR-004, MR-005).
    fn confirm(&mut self) -> io::Result<()> {
        let refund = r#""name":"refund","arguments":{"parcel":1915883588174806058,"amount":12.50,"currency":"EUR"}"#;
        let asked = self.ask_modern("tools/call", refund)?;
        let state = asked.raw("/requestState").unwrap_or_default();
        let answers = r#"{"confirm":{"action":"accept","content":{"confirm":true,"reason":"damaged"}}}"#;
        self.ask_modern("tools/call", &format!(r#"{refund},"inputResponses":{answers},"requestState":{state}"#))?;
        Ok(())
    }

    /// A tool that needs what the client has not offered, one that does not exist, and one that fails.
    fn fail(&mut self) -> io::Result<()> {
        self.ask_modern("tools/call", r#""name":"plan_route","arguments":{"stops":["Lund","Malmö","Ystad"]}"#)?;
        self.ask_modern("tools/call", r#""name":"find_parcel","arguments":{"city":"Lund"}"#)?;
        let refund = r#"{"parcel":1915883588174806058,"amount":250000}"#;
        self.ask_modern("tools/call", &format!(r#""name":"refund","arguments":{refund}"#))?;
        Ok(())
    }

    /// A call that becomes a task, and the task until it is completed.
    fn poll_task(&mut self) -> io::Result<()> {
        let made = self.ask_modern("tools/call", r#""name":"archive_year","arguments":{"year":2024}"#)?;
        let task = made.raw("/taskId").unwrap_or_default();
        let interval = made.integer("/pollIntervalMs").unwrap_or_default();
        for _ in 0..2 {
            std::thread::sleep(std::time::Duration::from_millis(interval.unsigned_abs()));
            let polled = self.ask_modern("tasks/get", &format!(r#""taskId":{task}"#))?;
            if polled.text("/status").as_deref() == Some("completed") {
                break;
            }
        }
        Ok(())
    }

    /// A call that is given up; the server says nothing more about it (CN-008).
    fn give_up(&mut self) -> io::Result<()> {
        let import = r#""name":"import_manifest","arguments":{"file":"returns.csv"}"#;
        let id = self.start("tools/call", &params(import, r#","progressToken":2"#))?;
        self.until_told("notifications/progress")?;
        self.notify("notifications/cancelled", &format!(r#"{{"requestId":{id},"reason":"not today"}}"#))?;
        // A last request, so that the server has read the cancellation before its input ends.
        self.ask_modern("resources/read", r#""uri":"depot://opening-hours""#)?;
        Ok(())
    }
}

/// Params with the `_meta` that each modern request carries (ME-005, ME-006), and more of `_meta`.
fn params(members: &str, meta: &str) -> String {
    let comma = if members.is_empty() { "" } else { "," };
    format!(
        r#"{{{members}{comma}"_meta":{{"io.modelcontextprotocol/protocolVersion":"{MODERN}","io.modelcontextprotocol/clientInfo":{CLIENT_INFO},"io.modelcontextprotocol/clientCapabilities":{CAPABILITIES}{meta}}}}}"#
    )
}
