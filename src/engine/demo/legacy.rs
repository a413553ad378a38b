//! What the demo's client says in the legacy era (2025-11-25): the handshake, then everything that a
//! session can hold, requests of the server included.

use std::io::{self, BufRead, Write};

use super::client::{CLIENT_INFO, Client};
use super::server::LEGACY;

impl<R: BufRead, W: Write> Client<R, W> {
    /// The whole legacy conversation.
    pub(super) fn converse_legacy(&mut self) -> io::Result<()> {
        self.shake_hands()?;
        self.look_around()?;
        self.read_resources()?;
        self.use_prompts()?;
        self.call_tools()?;
        self.be_asked()?;
        self.make_mistakes()?;
        self.cancel()
    }

    fn shake_hands(&mut self) -> io::Result<()> {
        let capabilities = r#"{"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{}}}"#;
        self.request(
            "initialize",
            &format!(r#"{{"protocolVersion":"{LEGACY}","capabilities":{capabilities},"clientInfo":{CLIENT_INFO}}}"#),
        )?
        .ok();
        self.notify("notifications/initialized", "{}")?;
        self.request("logging/setLevel", r#"{"level":"info"}"#)?.ok();
        Ok(())
    }

    /// Three lists at once: more than one request is out when the first answer comes.
    fn look_around(&mut self) -> io::Result<()> {
        self.request("tools/list", "{}")?.ok();
        let resources = self.start("resources/list", "{}")?;
        let templates = self.start_at_once("resources/templates/list", "{}")?;
        let prompts = self.start_at_once("prompts/list", "{}")?;
        for id in [resources, templates, prompts] {
            self.answer(&id)?.ok();
        }
        Ok(())
    }

    fn read_resources(&mut self) -> io::Result<()> {
        self.request("resources/read", r#"{"uri":"depot://stock"}"#)?.ok();
        self.request("resources/subscribe", r#"{"uri":"depot://stock"}"#)?.ok();
        let reference = r#""ref":{"type":"ref/resource","uri":"depot://shelf/{row}"}"#;
        self.request("completion/complete", &format!(r#"{{{reference},"argument":{{"name":"row","value":"A"}}}}"#))?
            .ok();
        self.request("resources/read", r#"{"uri":"depot://shelf/A2"}"#)?.ok();
        Ok(())
    }

    fn use_prompts(&mut self) -> io::Result<()> {
        let arguments = r#"{"parcel":"1915883588174806058","tone":"warm"}"#;
        self.request("prompts/get", &format!(r#"{{"name":"complaint","arguments":{arguments}}}"#))?.ok();
        self.request("ping", "{}")?.ok();
        Ok(())
    }

    fn call_tools(&mut self) -> io::Result<()> {
        // 2^53 + 1, and a 1.0 that has to stay one.
        let arguments = r#"{"city":"Malmö","after":9007199254740993,"max_weight":1.0}"#;
        self.request("tools/call", &format!(r#"{{"name":"find_parcels","arguments":{arguments}}}"#))?.ok();
        let import =
            r#"{"name":"import_manifest","arguments":{"file":"monday.csv"},"_meta":{"progressToken":"import-1"}}"#;
        self.request("tools/call", import)?.ok();
        self.until_told("notifications/tools/list_changed")?;
        self.request("tools/list", "{}")?.ok();
        self.request("tools/call", r#"{"name":"draw_label","arguments":{"parcel":1915883588174806058}}"#)?.ok();
        Ok(())
    }

    /// Calls that make the server ask back.
    fn be_asked(&mut self) -> io::Result<()> {
        let stops = r#"{"stops":["Lund","Malmö","Ystad"]}"#;
        self.request("tools/call", &format!(r#"{{"name":"plan_route","arguments":{stops}}}"#))?.ok();
        let refund = r#"{"parcel":1915883588174806058,"amount":12.50,"currency":"EUR"}"#;
        self.request("tools/call", &format!(r#"{{"name":"refund","arguments":{refund}}}"#))?.ok();
        Ok(())
    }

    /// An error of the protocol and an error of a tool.
    fn make_mistakes(&mut self) -> io::Result<()> {
        self.request("tools/call", r#"{"name":"find_parcel","arguments":{"city":"Lund"}}"#)?.ok();
        let refund = r#"{"parcel":1915883588174806058,"amount":250000}"#;
        self.request("tools/call", &format!(r#"{{"name":"refund","arguments":{refund}}}"#))?.ok();
        Ok(())
    }

    /// A call that is given up, and answered all the same.
    fn cancel(&mut self) -> io::Result<()> {
        let archive = r#"{"name":"archive_year","arguments":{"year":2024},"_meta":{"progressToken":"archive-1"}}"#;
        let id = self.start("tools/call", archive)?;
        self.until_told("notifications/progress")?;
        self.request("ping", "{}")?.ok();
        self.notify("notifications/cancelled", &format!(r#"{{"requestId":{id},"reason":"took too long"}}"#))?;
        self.answer(&id)?.ok();
        Ok(())
    }
}
