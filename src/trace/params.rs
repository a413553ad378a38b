//! What the trace reads of a message's params, in one pass.

use super::scope::glance;
use crate::mcp::meta::Meta;
use crate::wire::Json;

/// The members of `params` that link messages to each other.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Params<'a> {
    pub(super) meta: Meta<'a>,
    pub(super) arguments: Option<Json<'a>>,
    pub(super) responses: Option<Json<'a>>,
    pub(super) state: Option<Json<'a>>,
    pub(super) cursor: Option<Json<'a>>,
    pub(super) task_id: Option<Json<'a>>,
    pub(super) status: Option<Json<'a>>,
    pub(super) request_id: Option<Json<'a>>,
    pub(super) token: Option<Json<'a>>,
    pub(super) progress: Option<Json<'a>>,
    pub(super) version: Option<Json<'a>>,
    pub(super) client: Option<Json<'a>>,
    pub(super) capabilities: Option<Json<'a>>,
    pub(super) elicitation: Option<Json<'a>>,
    /// The hash of all but `_meta`, whose tokens differ each time; 0 unless it was asked for.
    pub(super) hash: u64,
}

impl<'a> Params<'a> {
    pub(super) fn read(params: Option<Json<'a>>) -> Self {
        Self::read_hashed(params, false)
    }

    /// The same, with the hash of what is asked for.
    pub(super) fn read_hashed(params: Option<Json<'a>>, hashed: bool) -> Self {
        let mut read = Self::default();
        for (key, value) in params.iter().flat_map(Json::members) {
            if hashed && key.raw() != b"\"_meta\"" {
                read.hash = read.hash.rotate_left(7) ^ glance(key.raw()) ^ glance(value.raw()).rotate_left(32);
            }
            let slot = match key.raw() {
                b"\"_meta\"" => {
                    read.meta = Meta::read(value);
                    continue;
                }
                b"\"arguments\"" => &mut read.arguments,
                b"\"inputResponses\"" => &mut read.responses,
                b"\"requestState\"" => &mut read.state,
                b"\"cursor\"" => &mut read.cursor,
                b"\"taskId\"" => &mut read.task_id,
                b"\"status\"" => &mut read.status,
                b"\"requestId\"" => &mut read.request_id,
                b"\"progressToken\"" => &mut read.token,
                b"\"progress\"" => &mut read.progress,
                b"\"protocolVersion\"" => &mut read.version,
                b"\"clientInfo\"" => &mut read.client,
                b"\"capabilities\"" => &mut read.capabilities,
                b"\"elicitationId\"" => &mut read.elicitation,
                _ => continue,
            };
            *slot = Some(value);
        }
        read
    }
}

/// The members of a `result` that link messages to each other.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Answer<'a> {
    pub(super) meta: Meta<'a>,
    pub(super) result_type: Option<Json<'a>>,
    pub(super) is_error: Option<Json<'a>>,
    pub(super) state: Option<Json<'a>>,
    pub(super) requests: Option<Json<'a>>,
    pub(super) next_cursor: Option<Json<'a>>,
    pub(super) task: Option<Json<'a>>,
    pub(super) task_id: Option<Json<'a>>,
    pub(super) status: Option<Json<'a>>,
    pub(super) version: Option<Json<'a>>,
    pub(super) server: Option<Json<'a>>,
    pub(super) capabilities: Option<Json<'a>>,
}

impl<'a> Answer<'a> {
    pub(super) fn read(result: Option<Json<'a>>) -> Self {
        let mut read = Self::default();
        for (key, value) in result.iter().flat_map(Json::members) {
            let slot = match key.raw() {
                b"\"_meta\"" => {
                    read.meta = Meta::read(value);
                    continue;
                }
                b"\"resultType\"" => &mut read.result_type,
                b"\"isError\"" => &mut read.is_error,
                b"\"requestState\"" => &mut read.state,
                b"\"inputRequests\"" => &mut read.requests,
                b"\"nextCursor\"" => &mut read.next_cursor,
                b"\"task\"" => &mut read.task,
                b"\"taskId\"" => &mut read.task_id,
                b"\"status\"" => &mut read.status,
                b"\"protocolVersion\"" => &mut read.version,
                b"\"serverInfo\"" => &mut read.server,
                b"\"capabilities\"" => &mut read.capabilities,
                _ => continue,
            };
            *slot = Some(value);
        }
        read
    }

    pub(super) fn is_type(&self, what: &str) -> bool {
        self.result_type.is_some_and(|kind| kind.is_text(what))
    }
}
