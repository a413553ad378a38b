//! A peer that this project did not write: a small server and a small client on the official Rust SDK,
//! for tests that put midwire between two programs that know nothing of it.
//!
//! `rmcp-peer server` speaks MCP on stdio in both eras, `rmcp-peer serve-http` on a free port of loopback,
//! which it says on stdout; `features` and `serve-features` likewise, with what takes several requests. `rmcp-peer client legacy|auto|modern CMD ARGS…` starts a server, lists and
//! calls its tools, and prints one line for each outcome; the lines hold nothing that differs from run to
//! run. With `http URL` for a command it does so with a server that runs already.

#![allow(clippy::print_stdout, reason = "a program of its own, whose output is its result")]

mod features;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ClientConfig, ClientResult,
    ContentBlock, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ErrorData, Implementation,
    InputRequest, InputRequests, InputRequiredResult, JsonObject, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ProtocolVersion, ServerCapabilities, ServerConfig, ServerRequest, Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{
    IntoTransport, StreamableHttpClientTransport, StreamableHttpServerConfig, StreamableHttpService, TokioChildProcess,
};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, RoleClient, RoleServer, ServerHandler, ServiceExt};
use serde_json::json;

use features::Features;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["server"] => serve(Peer).await,
        ["features"] => serve(Features::new()).await,
        ["serve-http"] => serve_http(Peer).await,
        ["serve-features"] => serve_http(Features::new()).await,
        ["client", mode, "http", url] => {
            converse(mode, StreamableHttpClientTransport::from_uri((*url).to_owned())).await
        }
        ["client", mode, command, arguments @ ..] => {
            let mut server = tokio::process::Command::new(command);
            server.args(arguments);
            converse(mode, TokioChildProcess::new(server)?).await
        }
        _ => Err("usage: rmcp-peer server | features | serve-http | serve-features | client legacy|auto|modern CMD ARGS… | http URL".into()),
    }
}

async fn serve(server: impl ServerHandler) -> Outcome {
    eprintln_once("rmcp-peer: serving on stdio");
    let running = server.serve(rmcp::transport::stdio()).await?;
    running.waiting().await?;
    Ok(())
}

/// Serves on loopback until it is killed.
async fn serve_http(server: impl ServerHandler + Clone) -> Outcome {
    let sessions = Arc::new(LocalSessionManager::default());
    let service =
        StreamableHttpService::new(move || Ok(server.clone()), sessions, StreamableHttpServerConfig::default());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/mcp", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        let service = TowerToHyperService::new(service.clone());
        tokio::spawn(async move {
            // A client that breaks off is none of this server's business.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

/// What the server says on stderr, so that there is something to record there.
#[allow(clippy::print_stderr, reason = "a program of its own")]
fn eprintln_once(text: &str) {
    eprintln!("{text}");
}

#[derive(Clone)]
struct Peer;

impl ServerHandler for Peer {
    fn get_info(&self) -> ServerConfig {
        let mut config = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        config.server_info = Implementation::new("rmcp-peer", "1.0.0");
        config
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let text = object(&json!({ "type": "object", "properties": { "text": { "type": "string" } } }));
        let steps = object(&json!({ "type": "object", "properties": { "steps": { "type": "integer" } } }));
        let nothing = object(&json!({ "type": "object", "properties": {} }));
        Ok(ListToolsResult::with_all_items(vec![
            Tool::new("echo", "Gives the text back.", text),
            Tool::new("count", "Counts, with progress.", steps),
            Tool::new("ask", "Asks the user for a name.", Arc::clone(&nothing)),
            Tool::new("fail", "Always fails.", nothing),
        ]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match request.name.as_ref() {
            "echo" => Ok(said(text_of(&request, "text")).into()),
            "count" => Ok(count(&request, &context).await.into()),
            "ask" => ask(&request, &context).await,
            "fail" => Ok(CallToolResult::error(vec![ContentBlock::text("it failed, as told")]).into()),
            other => Err(ErrorData::invalid_params(format!("no tool is called {other}"), None)),
        }
    }
}

async fn count(request: &CallToolRequestParams, context: &RequestContext<RoleServer>) -> CallToolResult {
    let steps = request.arguments.as_ref().and_then(|given| given.get("steps")?.as_u64()).unwrap_or(3) as u32;
    for step in 1..=steps {
        tokio::time::sleep(Duration::from_millis(5)).await;
        if let Some(token) = context.meta.get_progress_token() {
            let progress = ProgressNotificationParam::new(token, f64::from(step)).with_total(f64::from(steps));
            // A client that has gone learns nothing more; the call itself ends on its own.
            let _ = context.peer.notify_progress(progress.with_message(format!("step {step}"))).await;
        }
    }
    said(format!("counted to {steps}"))
}

/// Asks for a name: with a request of the server's own in the legacy era, with a result that requires
/// input and a second round in the modern one.
async fn ask(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let question = ElicitRequest::new(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: "Your name?".into(),
        requested_schema: serde_json::from_value(
            json!({ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] }),
        )
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))?,
    });
    if context.protocol_version().is_some_and(|version| version == ProtocolVersion::V_2026_07_28) {
        let answer = request.input_responses.as_ref().and_then(|answers| answers.get("name"));
        return Ok(match answer {
            Some(answer) => said(format!("hello {}", answer["content"]["name"])).into(),
            None => {
                let mut questions = InputRequests::new();
                questions.insert("name".into(), InputRequest::Elicitation(question));
                InputRequiredResult::new(Some(questions), Some("state of 'ask' \"1\"".into())).into()
            }
        });
    }
    match context.peer.send_request(ServerRequest::ElicitRequest(question)).await {
        Ok(ClientResult::ElicitResult(answer)) => {
            Ok(said(format!("hello {}", answer.content.unwrap_or_default()["name"])).into())
        }
        other => Ok(CallToolResult::error(vec![ContentBlock::text(format!("no answer: {other:?}"))]).into()),
    }
}

/// The client: answers questions and counts the progress that it is told.
#[derive(Clone, Default)]
struct Asker {
    progress: Arc<AtomicU32>,
}

impl ClientHandler for Asker {
    fn get_info(&self) -> ClientConfig {
        let capabilities = ClientCapabilities::builder().enable_elicitation().build();
        ClientConfig::new(capabilities, Implementation::new("rmcp-client", "1.0.0"))
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(json!({ "name": "Ferris" })))
    }

    async fn on_progress(&self, _: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.progress.fetch_add(1, Ordering::Relaxed);
    }
}

async fn converse<T, E, A>(mode: &str, transport: T) -> Outcome
where
    T: IntoTransport<RoleClient, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let modern = vec![ProtocolVersion::V_2026_07_28];
    let lifecycle = match mode {
        "legacy" => ClientLifecycleMode::Initialize,
        "modern" => ClientLifecycleMode::Discover { preferred_versions: modern },
        "auto" => ClientLifecycleMode::Auto { preferred_versions: modern, legacy_version: None },
        other => return Err(format!("{other} is none of legacy, auto, modern").into()),
    };
    let asker = Asker::default();
    let progress = Arc::clone(&asker.progress);
    let client = asker.serve_with_lifecycle(transport, lifecycle).await?;
    let info = client.peer_info().ok_or("the server did not introduce itself")?;
    println!("negotiated {}", info.protocol_version);
    let tools = client.list_all_tools().await?;
    println!("tools {}", tools.iter().map(|tool| tool.name.as_ref()).collect::<Vec<_>>().join(" "));
    let calls = [
        ("echo", json!({ "text": "héllo ✓ \u{2028} 9007199254740993" })),
        ("count", json!({ "steps": 5 })),
        ("ask", json!({})),
        ("fail", json!({})),
        ("no-such-tool", json!({})),
    ];
    for (name, given) in calls {
        match client.call_tool(CallToolRequestParams::new(name).with_arguments((*object(&given)).clone())).await {
            Ok(result) => println!("ok {name} {}", serde_json::to_string(&result)?),
            Err(error) => println!("error {name} {error}"),
        }
    }
    client.cancel().await?;
    println!("closed after {} progress notifications", progress.load(Ordering::Relaxed));
    Ok(())
}

fn said(text: String) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

fn text_of(request: &CallToolRequestParams, name: &str) -> String {
    let text = request.arguments.as_ref().and_then(|given| given.get(name)?.as_str());
    text.unwrap_or_default().to_owned()
}

fn object(value: &serde_json::Value) -> Arc<JsonObject> {
    Arc::new(value.as_object().cloned().unwrap_or_default())
}
