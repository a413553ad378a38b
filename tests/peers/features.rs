//! A server on the official Rust SDK with what takes several requests: pages, rounds, tasks, subscriptions. Part of
//! `rmcp-peer`; it is a file of its own because `rmcp.rs` is a whole conversation already.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, ContentBlock, CreateTaskResult,
    ErrorData, GetTaskParams, GetTaskResult, Implementation, InputRequest, InputRequests, InputRequiredResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion, Resource,
    ResourceUpdatedNotificationParam, ServerCapabilities, ServerConfig, SubscribeRequestParams, SubscriptionFilter,
    Tool, UnsubscribeRequestParams, UpdateTaskParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::task_manager::{TaskExit, TaskManager, TaskOptions};
use rmcp::{RoleServer, ServerHandler};
use serde::Deserialize as _;
use serde_json::json;
use tokio::sync::broadcast;

/// What `touch` and `hang-up` say to those who listen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Touch {
    Notes,
    End,
}

const NOTES: &str = "note:///all";

#[derive(Clone)]
pub(crate) struct Features {
    tasks: TaskManager,
    touched: broadcast::Sender<Touch>,
    /// How many streams were accepted and have not ended. The acknowledgement leaves before `listen` begins.
    open: Arc<AtomicUsize>,
}

impl Features {
    pub(crate) fn new() -> Self {
        Self { tasks: TaskManager::new(), touched: broadcast::channel(16).0, open: Arc::default() }
    }

    /// Tells all streams, also one that was acknowledged just now.
    async fn touch(&self, touch: Touch) {
        for _ in 0..1_000 {
            if self.touched.receiver_count() >= self.open.load(Ordering::Acquire) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        // Nobody may be listening, which is no failure.
        let _ = self.touched.send(touch);
    }

    fn work(&self, name: &str, context: &RequestContext<RoleServer>) -> CallToolResponse {
        let is_modern = context.protocol_version().is_some_and(|version| version == ProtocolVersion::V_2026_07_28);
        if !is_modern || !context.client_capabilities().is_some_and(|can| can.supports_tasks()) {
            return super::said("done without a task".into()).into();
        }
        let options = TaskOptions::new().with_poll_interval_ms(20);
        let (stuck, broken) = (name == "stuck", name == "broken");
        let task = self.tasks.spawn(options, move |task| {
            Box::pin(async move {
                if stuck {
                    task.cancelled().await;
                    return Err(TaskExit::Cancelled);
                }
                task.set_status_message("asking");
                let colour = task.request_input("colour", form("Which colour?", "colour")?).await?;
                task.set_status_message("painting");
                tokio::time::sleep(Duration::from_millis(50)).await;
                if broken {
                    return Err(TaskExit::Error(ErrorData::internal_error("the brush broke", None)));
                }
                Ok(super::said(format!("painted {}", colour["content"]["colour"])))
            })
        });
        CallToolResponse::Task(CreateTaskResult::new(task))
    }
}

impl ServerHandler for Features {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_tasks()
            .build();
        let mut config = ServerConfig::new(capabilities);
        config.server_info = Implementation::new("rmcp-features", "1.0.0");
        config
    }

    /// Two tools a page; a cursor that is none of these pages is refused.
    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let names = ["rounds", "work", "stuck", "broken", "touch", "hang-up"];
        let cursor = page.and_then(|page| page.cursor);
        let start = match cursor.as_deref() {
            None => 0,
            Some("page \"2\"") => 2,
            Some("page \"3\"") => 4,
            Some(_) => return Err(ErrorData::invalid_params("no such cursor", None)),
        };
        let nothing = super::object(&json!({ "type": "object", "properties": {} }));
        let tools = names[start..start + 2].iter().map(|name| Tool::new(*name, "A feature.", Arc::clone(&nothing)));
        let mut result = ListToolsResult::with_all_items(tools.collect());
        result.next_cursor = (start < 4).then(|| format!("page \"{}\"", start / 2 + 2));
        Ok(result)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(vec![Resource::new(NOTES, "notes")]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match request.name.as_ref() {
            "rounds" => rounds(&request),
            name @ ("work" | "stuck" | "broken") => Ok(self.work(name, &context)),
            "touch" => {
                self.touch(Touch::Notes).await;
                let updated = ResourceUpdatedNotificationParam::new(NOTES);
                let _ = context.peer.notify_resource_updated(updated).await;
                Ok(super::said("touched".into()).into())
            }
            "hang-up" => {
                self.touch(Touch::End).await;
                Ok(super::said("hung up".into()).into())
            }
            other => Err(ErrorData::invalid_params(format!("no tool is called {other}"), None)),
        }
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        self.open.fetch_add(1, Ordering::AcqRel);
        Some(requested.supported_by(&self.get_info().capabilities))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut touched = self.touched.subscribe();
        loop {
            let touch = tokio::select! {
                () = context.cancelled() => Ok(Touch::End),
                touch = touched.recv() => touch,
            };
            match touch {
                Ok(Touch::Notes) => {
                    // What was not asked for is not sent.
                    let _ = context.sink().notify_tool_list_changed().await;
                    let _ = context.sink().notify_resource_updated(NOTES).await;
                }
                Ok(Touch::End) | Err(_) => {
                    self.open.fetch_sub(1, Ordering::AcqRel);
                    return Ok(());
                }
            }
        }
    }

    async fn subscribe(&self, _: SubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(&self, _: UnsubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn get_task(&self, of: GetTaskParams, _: RequestContext<RoleServer>) -> Result<GetTaskResult, ErrorData> {
        Ok(GetTaskResult::new(self.tasks.get_task(&of.task_id)?))
    }

    async fn update_task(&self, of: UpdateTaskParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.tasks.update_task(&of.task_id, of.input_responses)
    }

    async fn cancel_task(&self, of: CancelTaskParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.tasks.cancel_task(&of.task_id)
    }
}

/// Three rounds: a state alone, then two questions at once, then what they were answered with.
fn rounds(request: &CallToolRequestParams) -> Result<CallToolResponse, ErrorData> {
    let refused = |what: &str| ErrorData::invalid_params(what.to_owned(), None);
    match request.request_state.as_deref() {
        None => Ok(InputRequiredResult::new(None, Some("wait \u{2028}\"1\"".into())).into()),
        Some("wait \u{2028}\"1\"") if request.input_responses.is_none() => {
            let mut questions = InputRequests::new();
            questions.insert("a name".into(), form("Your name?", "name")?);
            questions.insert("roots".into(), asking(&json!({ "method": "roots/list" }))?);
            Ok(InputRequiredResult::new(Some(questions), Some("asked".into())).into())
        }
        Some("asked") => {
            let answers = request.input_responses.as_ref().ok_or_else(|| refused("no answers"))?;
            let (name, roots) = (answers.get("a name"), answers.get("roots"));
            let roots = roots.and_then(|roots| roots["roots"].as_array()).ok_or_else(|| refused("no roots"))?;
            let name = name.ok_or_else(|| refused("no name"))?;
            let who = if name["action"] == "accept" { name["content"]["name"].to_string() } else { "nobody".into() };
            Ok(CallToolResult::success(vec![ContentBlock::text(format!("{who} with {} roots", roots.len()))]).into())
        }
        Some(other) => Err(refused(&format!("a state of nobody's: {other}"))),
    }
}

/// A question for one text.
fn form(message: &str, member: &str) -> Result<InputRequest, ErrorData> {
    let schema = json!({ "type": "object", "properties": { member: { "type": "string" } }, "required": [member] });
    asking(&json!({ "method": "elicitation/create", "params": { "message": message, "requestedSchema": schema } }))
}

fn asking(request: &serde_json::Value) -> Result<InputRequest, ErrorData> {
    InputRequest::deserialize(request).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}
