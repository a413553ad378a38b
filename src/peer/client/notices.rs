//! Notifications: those that go out by order, and those that the server sends. Whatever comes is told, known or not.

use super::machine::Client;
use super::opening::Stage;
use super::{Do, Kind, Order, Told};
use crate::mcp::meta::{Meta, SUBSCRIPTION_ID, typed};
use crate::model::{Era, Nanos};
use crate::wire::{Json, Message};

impl Client {
    /// [`Order::Notify`].
    pub(super) fn notify_by_order(&mut self, method: &str, params: Option<Vec<u8>>) {
        match self.stage {
            Stage::Open => self.notify(method, params.as_deref()),
            Stage::Closed => {}
            _ => self.calls.hold(Order::Notify(method.to_owned(), params)),
        }
    }

    /// [`Order::Raw`].
    pub(super) fn raw(&mut self, bytes: Vec<u8>, fields: Vec<(String, String)>) {
        match self.stage {
            Stage::Waiting => self.calls.hold(Order::Raw(bytes, fields)),
            Stage::Closed => {}
            _ => {
                self.past.note_raw(&bytes);
                self.sent += 1;
                self.out.push_back(Do::SendRaw(bytes.into(), fields));
            }
        }
    }

    /// A notification of the server's.
    pub(super) fn notified(&mut self, now: Nanos, message: &Message<'_>) {
        let method = message.method.as_deref().unwrap_or_default();
        let params = message.params;
        let meta = params.and_then(|params| params.get("_meta"));
        let subscription = meta.and_then(|meta| meta.get(SUBSCRIPTION_ID)).map(typed);
        let mut call = self.listen_notified(subscription.as_ref(), method, message);
        match method {
            "notifications/progress" => call = self.progressed(now, params).or(call),
            "notifications/message" if self.era() == Era::Modern => {
                // It belongs to a request, and where there is only one it is that one (protocol.md 4.3).
                call = call.or_else(|| self.flights.only().and_then(|flight| flight.purpose.call()));
            }
            "notifications/cancelled" => call = self.taken_back(now, params).or(call),
            "notifications/tasks" | "notifications/tasks/status" => call = self.task_notified(now, params).or(call),
            "notifications/tools/list_changed" => self.list_changed(Kind::Tools),
            "notifications/prompts/list_changed" => self.list_changed(Kind::Prompts),
            "notifications/resources/list_changed" => {
                self.list_changed(Kind::Resources);
                self.list_changed(Kind::Templates);
            }
            "notifications/resources/updated" if call.is_none() => call = self.subscriber(params),
            _ => {}
        }
        let related = meta.and_then(|meta| Meta::read(meta).related_task).and_then(|id| id.text());
        let call = call.or_else(|| self.tasks.call_of(&related?));
        let (method, message) = (method.to_owned(), message.json.raw().into());
        self.tell(Told::Notified { method, message, call });
    }

    /// `notifications/progress`: it belongs to the request that gave its token, of the same JSON type.
    fn progressed(&mut self, now: Nanos, params: Option<Json<'_>>) -> Option<super::CallId> {
        let params = params?;
        let token = typed(params.get("progressToken")?);
        let counts = self.settings.progress_counts;
        let call = match self.flights.by_token(&token) {
            Some(flight) => {
                if counts {
                    flight.heard = flight.heard.max(now);
                }
                flight.purpose.call()?
            }
            // The token of a call that became a task is good until that is over, and the tokens of ours are ids.
            None => self.past.find(&token)?.purpose.call().filter(|call| self.calls.get(*call).is_some())?,
        };
        let raw = |name: &str| params.get(name).map(|json| String::from_utf8_lossy(json.raw()).into_owned());
        let message = params.get("message").and_then(|json| json.text()).map(Into::into);
        let progress = raw("progress").unwrap_or_default();
        self.tell(Told::Progress { call, progress, total: raw("total"), message });
        Some(call)
    }

    /// `notifications/cancelled`: the server takes a question back, or in 2026-07-28 ends a stream.
    fn taken_back(&mut self, now: Nanos, params: Option<Json<'_>>) -> Option<super::CallId> {
        let id = typed(params?.get("requestId")?);
        if self.era() == Era::Modern {
            return self.listen_cancelled(now, &id);
        }
        let reason = params?.get("reason").and_then(|reason| reason.text());
        self.question_taken_back(now, &id, reason.as_deref());
        None
    }
}
