//! A server on HTTP: the way to it, what it says to one request of MCP, whether another path or the older transport
//! would do better, and then era, version and authorization.

use std::time::Duration;

use tokio::time::timeout;
use url::Url;

use super::response::{BODY, Finding, Response};
use super::{Chart, Fault, Verdict, anatomy, session};
use crate::engine::client::{Options, Sources, Way};
use crate::engine::record::Say;
use crate::transport::http::{ConnectError, Connection, Connector, Heard, Origin, Proxies, Step};
use crate::wire::http::{Head, HeadWriter};

/// How long a response may take.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long a stream is read for its first event.
const FIRST: Duration = Duration::from_secs(3);
/// What is asked with: the one request that every modern server answers, and that tells legacy ones apart.
const PROBE: &str = concat!(
    r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"#,
    r#""2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"midwire","version":""#,
    env!("CARGO_PKG_VERSION"),
    r#""},"io.modelcontextprotocol/clientCapabilities":{}}}}"#
);
/// The steps behind the URL.
const STEPS: [&str; 7] = ["dns", "tcp", "tls", "http", "era", "version", "auth"];

/// Looks at it.
pub(super) fn examine(options: Options, chart: &mut Chart<'_>, say: Say) {
    let Way::Url { url, headers, trust } = &options.target.way else { return };
    let (url, origin) = match anatomy::of_url(url) {
        Ok(found) => found,
        Err((why, remedy)) => {
            chart.step("url", Verdict::Failed(Fault::Start), why, remedy);
            return chart.skip(&STEPS, "there is no URL");
        }
    };
    let made = filled(headers).and_then(|fields| {
        let connector = Connector::new(trust, Proxies::from_env()).map_err(|error| error.to_string())?;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        Ok((fields, connector, runtime.map_err(|error| format!("start a thread: {error}"))?))
    });
    let (fields, connector, runtime) = match made {
        Ok(made) => made,
        Err(why) => {
            chart.step("settings", Verdict::Failed(Fault::Start), format!("failed to {why}"), "");
            return chart.skip(&STEPS, "the settings cannot be used");
        }
    };
    let asker = Asker { connector, fields };
    let probed = runtime.block_on(asker.probe(&url, &origin, chart));
    runtime.shutdown_timeout(Duration::from_secs(1));
    let Some(response) = probed else { return };
    let sent_token = asker.fields.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization"));
    if let Some(challenge) = response.challenge(sent_token) {
        chart.skip(&["era", "version"], "the server wants authorization first");
        return chart.aside("auth", challenge.verdict, challenge.detail, challenge.remedy);
    }
    let opened = match session::open(options, say) {
        Ok(opened) => opened,
        Err(why) => {
            chart.step("era", Verdict::Failed(Fault::Start), format!("failed to {why}"), "");
            return chart.skip(&["version", "auth"], "there is no session");
        }
    };
    if opened.told.chart(chart) {
        let auth = if sent_token {
            "what was sent as Authorization is accepted, or not looked at"
        } else {
            "none is asked for"
        };
        chart.aside("auth", Verdict::Fine, auth, "");
    } else {
        chart.skip(&["auth"], "there is no session");
    }
    opened.close();
}

/// Asks in plain HTTP.
struct Asker {
    connector: Connector,
    fields: Vec<(String, String)>,
}

impl Asker {
    /// The way to the server and its answer; `None` when there is no going on, which is charted.
    async fn probe(&self, url: &Url, origin: &Origin, chart: &mut Chart<'_>) -> Option<Response> {
        let mut connection = self.reach(origin, chart).await?;
        let asked = timeout(PATIENCE, self.ask(&mut connection, url, "POST")).await;
        let response = match asked {
            Ok(Ok(response)) => response,
            Ok(Err(why)) => {
                chart.step("http", Verdict::Failed(Fault::Connection), why, "check the port and the scheme of the URL");
                chart.skip(&STEPS[4..], "the server does not answer in HTTP");
                return None;
            }
            Err(_) => {
                let why = format!("no answer to a POST within {} s", PATIENCE.as_secs());
                chart.step(
                    "http",
                    Verdict::Failed(Fault::Late),
                    why,
                    "look at the server's own log: it took the request and is silent",
                );
                chart.skip(&STEPS[4..], "the server does not answer");
                return None;
            }
        };
        let server = response.server.as_deref().map_or_else(String::new, |server| format!(", {server}"));
        let finding = response.finding(url.as_str());
        let better = if finding.is_lost { self.elsewhere(url, origin).await } else { None };
        let Finding { verdict, detail, remedy, .. } = finding;
        let detail = format!("{}: {detail}{server}", connection.protocol());
        match better {
            Some(Better::Sse) => {
                let detail = format!("{detail}; GET opens the stream of HTTP+SSE there");
                let remedy = "this is the transport of 2024-11-05, which 2025-03-26 has replaced; it works";
                chart.step("http", Verdict::Odd, detail, remedy);
            }
            Some(Better::At(path)) => {
                chart.step("http", verdict, detail, format!("use {path} instead: there MCP is spoken"));
                chart.skip(&STEPS[4..], "the URL is not that of the server");
                return None;
            }
            None => {
                let failed = verdict != Verdict::Fine;
                chart.step("http", verdict, detail, remedy);
                if failed {
                    chart.skip(&STEPS[4..], "there is no MCP to speak");
                    return None;
                }
            }
        }
        Some(response)
    }

    /// The steps to the connection.
    async fn reach(&self, origin: &Origin, chart: &mut Chart<'_>) -> Option<Connection> {
        // More steps than there are have room.
        let (mail, mut passed) = tokio::sync::mpsc::channel(32);
        let mut tell = move |step: Step, found: String| drop(mail.try_send((step, found)));
        let walk = self.connector.walk(origin, &mut tell);
        tokio::pin!(walk);
        let mut last = None;
        let made = loop {
            tokio::select! {
                biased;
                Some((step, found)) = passed.recv() => {
                    last = Some(step);
                    chart.step(name(step), Verdict::Fine, found, "");
                }
                made = &mut walk => break made,
            }
        };
        while let Ok((step, found)) = passed.try_recv() {
            last = Some(step);
            chart.step(name(step), Verdict::Fine, found, "");
        }
        match made {
            Ok(connection) => {
                if !origin.tls {
                    chart.skip(&["tls"], "the URL is http");
                }
                Some(connection)
            }
            Err(error) => {
                not_reached(&error, last, chart);
                None
            }
        }
    }

    /// One request and what came, as far as it is looked at.
    async fn ask(&self, connection: &mut Connection, url: &Url, method: &str) -> Result<Response, String> {
        let body = if method == "POST" { PROBE } else { "" };
        let head = self.head(url, method, body.len());
        let failed = |error: &dyn std::error::Error| format!("failed to {error}");
        let (mut sending, mut hearing) = connection.send(&head).map_err(|error| failed(&error))?;
        let sent = async {
            sending.data(body.as_bytes()).await?;
            sending.finish(b"").await
        };
        // A server may answer before it has read everything, and close.
        let sent = sent.await;
        let mut response = Response::default();
        loop {
            let heard = match hearing.next().await {
                Ok(heard) => heard,
                Err(error) if response.status == 0 => return Err(failed(sent.as_ref().err().unwrap_or(&error))),
                Err(_) => return Ok(response),
            };
            match heard {
                Heard::Head(head) if head.status().is_some_and(|status| status >= 200) => response.take(&head),
                Heard::Head(_) | Heard::Trailers(_) => {}
                Heard::Data(bytes) => {
                    response.body.extend_from_slice(&bytes[..bytes.len().min(BODY - response.body.len())]);
                    if response.body.len() >= BODY || response.speaks() || response.names_endpoint() {
                        return Ok(response);
                    }
                }
                Heard::End => return Ok(response),
            }
        }
    }

    fn head(&self, url: &Url, method: &str, length: usize) -> Head {
        let target = url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()));
        let mut writer = HeadWriter::request(method, &target);
        if let Some(origin) = Origin::of(url) {
            writer.field("Host", origin.authority());
        }
        let agent = concat!("midwire/", env!("CARGO_PKG_VERSION"));
        let mut own = vec![("User-Agent", agent.to_owned()), ("Accept-Encoding", "identity".to_owned())];
        if method == "POST" {
            own.push(("Accept", "application/json, text/event-stream".to_owned()));
            own.push(("Content-Type", "application/json".to_owned()));
            own.push(("MCP-Protocol-Version", "2026-07-28".to_owned()));
            own.push(("Mcp-Method", "server/discover".to_owned()));
            own.push(("Content-Length", length.to_string()));
        } else {
            own.push(("Accept", "text/event-stream".to_owned()));
        }
        for (name, value) in &own {
            if !self.fields.iter().any(|(given, _)| given.eq_ignore_ascii_case(name)) {
                writer.field(name, value);
            }
        }
        for (name, value) in &self.fields {
            writer.field(name, value);
        }
        writer.finish()
    }

    /// Whether the older transport is at this URL, or MCP at a usual path beside it. Only this very server is asked.
    async fn elsewhere(&self, url: &Url, origin: &Origin) -> Option<Better> {
        if self.tries(url, origin, "GET").await.is_some_and(|response| response.names_endpoint()) {
            return Some(Better::Sse);
        }
        for (path, method) in [("/mcp", "POST"), ("/", "POST"), ("/sse", "GET")] {
            let mut other = url.clone();
            other.set_path(path);
            other.set_query(None);
            if other.path() == url.path() {
                continue;
            }
            let response = self.tries(&other, origin, method).await;
            if response.is_some_and(|response| response.speaks() || response.names_endpoint()) {
                return Some(Better::At(other.to_string()));
            }
        }
        None
    }

    async fn tries(&self, url: &Url, origin: &Origin, method: &str) -> Option<Response> {
        let tried = async {
            let mut connection = self.connector.connect(origin).await.ok()?;
            self.ask(&mut connection, url, method).await.ok()
        };
        timeout(FIRST, tried).await.ok().flatten()
    }
}

/// Where it goes better.
enum Better {
    /// The older transport, at this URL.
    Sse,
    /// At this other URL.
    At(String),
}

impl Response {
    fn take(&mut self, head: &Head) {
        let text = |name: &str| head.text(name).map(std::borrow::Cow::into_owned);
        self.status = head.status().unwrap_or_default();
        head.reason().clone_into(&mut self.reason);
        self.media = text("Content-Type").unwrap_or_default();
        self.location = text("Location");
        self.challenge = text("WWW-Authenticate");
        self.server = text("Server");
    }

    /// Whether it is the stream of HTTP+SSE, which begins with the endpoint.
    fn names_endpoint(&self) -> bool {
        let text = String::from_utf8_lossy(&self.body);
        self.status == 200 && text.lines().any(|line| line.replace(' ', "") == "event:endpoint")
    }
}

/// The fields with what stands for secrets filled in. An error fits after "failed to".
fn filled(headers: &[(String, String)]) -> Result<Vec<(String, String)>, String> {
    let sources = Sources::system();
    headers.iter().map(|(name, value)| Ok((name.clone(), sources.fill(value)?.value))).collect()
}

const fn name(step: Step) -> &'static str {
    match step {
        Step::Settings => "settings",
        Step::Dns => "dns",
        Step::Tcp => "tcp",
        Step::Proxy => "proxy",
        Step::Tls => "tls",
        Step::Http => "http",
    }
}

/// The step that failed, and those that therefore were not tried.
fn not_reached(error: &ConnectError, last: Option<Step>, chart: &mut Chart<'_>) {
    let step = error.step();
    let said = error.to_string();
    let why = match error {
        ConnectError::Step { why, .. } => why.clone(),
        ConnectError::File { .. } => format!("failed to {said}"),
    };
    // What to do stands behind the last semicolon of such an error.
    let (why, remedy) = why.split_once("; ").map_or((why.as_str(), ""), |(why, remedy)| (why, remedy));
    let fault = match step {
        Step::Settings => Fault::Start,
        _ if error.is_late() => Fault::Late,
        _ => Fault::Connection,
    };
    chart.step(name(step), Verdict::Failed(fault), why, remedy);
    chart.skip(after(step, last), "the server was not reached");
}

/// The steps behind the one that failed and the last that was passed. A proxy's own step is not among them.
fn after(failed: Step, passed: Option<Step>) -> &'static [&'static str] {
    let place = |step: Step| STEPS.iter().position(|known| *known == name(step));
    let reached = [Some(failed), passed].into_iter().flatten().filter_map(place).max();
    &STEPS[reached.map_or(0, |place| place + 1)..]
}

#[cfg(test)]
mod tests {
    use super::{Step, after};

    #[test]
    fn what_was_passed_is_not_said_to_be_left_out() {
        assert_eq!(after(Step::Tls, Some(Step::Proxy))[0], "http");
        assert_eq!(after(Step::Proxy, Some(Step::Tcp))[0], "tls");
        assert_eq!(after(Step::Tcp, Some(Step::Dns))[0], "tls");
        assert_eq!(after(Step::Settings, None)[0], "dns");
    }
}
