//! Calls that became tasks of 2025-11-25.

use super::script::{Play, plain};
use crate::peer::client::{EraChoice, Link, Settings};

fn core() -> Play {
    let mut play = Play::legacy(plain(EraChoice::Legacy), "2025-11-25");
    play.run(
        r#"
        ! task 1 {"name":"t"}
        > {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","task":{"ttl":60000}}}
        < {"jsonrpc":"2.0","id":2,"result":{"task":{"taskId":"x","status":"working","ttl":60000,"pollInterval":2000}}}
        = task 1 x working next at 2 s"#,
    );
    play
}

/// CN-006: a task is cancelled with `tasks/cancel`, which brings it as it is then.
#[test]
fn cancelling_a_call_cancels_its_core_task() {
    core().run(
        r#"
        ! cancel 1
        > {"jsonrpc":"2.0","id":3,"method":"tasks/cancel","params":{"taskId":"x"}}
        < {"jsonrpc":"2.0","id":3,"result":{"taskId":"x","status":"cancelled"}}
        = task 1 x cancelled
        = ended 1 cancelled"#,
    );
}

/// The time to live is the server's own word on how long asking has a point.
#[test]
fn a_task_ends_with_its_time_to_live() {
    core().run(
        r#"
        + 59
        ~
        < {"jsonrpc":"2.0","id":3,"result":{"taskId":"x","status":"working","ttl":60000,"pollInterval":2000}}
        = task 1 x working next at 61 s
        + 2
        ~
        < {"jsonrpc":"2.0","id":4,"result":{"taskId":"x","status":"working","ttl":60000,"pollInterval":2000}}
        = task 1 x working next at 63 s
        = ended 1 timed out: the time to live of the task, 60 s, is over, and it is still working
        + 100"#,
    );
}

/// TD-008, TD-018: the result is fetched with `tasks/result`, at the end or when input is wanted, once.
#[test]
fn a_core_task_has_its_result_fetched() {
    core().run(
        r#"
        + 2
        > {"jsonrpc":"2.0","id":3,"method":"tasks/get","params":{"taskId":"x"}}
        < {"jsonrpc":"2.0","id":3,"result":{"taskId":"x","status":"completed","ttl":60000,"pollInterval":2000}}
        = task 1 x completed
        > {"jsonrpc":"2.0","id":4,"method":"tasks/result","params":{"taskId":"x"}}
        < {"jsonrpc":"2.0","id":4,"result":{"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"x"}}}}
        = ended 1 result {"content":[],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"x"}}}
        + 100"#,
    );
    // While it waits for input, what the server asks with a request belongs to the call by its task.
    let settings = Settings { capabilities: r#"{"elicitation":{}}"#.to_owned(), ..plain(EraChoice::Legacy) };
    let mut play = Play::legacy(settings, "2025-11-25");
    play.run(
        r#"
        ! task 1 {"name":"t"}
        ~
        < {"jsonrpc":"2.0","id":2,"result":{"task":{"taskId":"x","status":"working"}}}
        = task 1 x working next at 1 s
        ! call 2 other
        ~
        < {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"x","status":"input_required"}}
        = task 1 x input_required next at 1 s
        > {"jsonrpc":"2.0","id":4,"method":"tasks/result","params":{"taskId":"x"}}
        = notified notifications/tasks/status in 1
        < {"jsonrpc":"2.0","id":0,"method":"elicitation/create","params":{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"x"}}}}
        = asked 1 elicitation/create {"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"x"}}} in 1
        ! answer 1 {"action":"cancel"}
        = settled 1: it was answered
        > {"jsonrpc":"2.0","id":0,"result":{"action":"cancel"}}
        + 1
        > {"jsonrpc":"2.0","id":5,"method":"tasks/get","params":{"taskId":"x"}}
        < {"jsonrpc":"2.0","id":5,"result":{"taskId":"x","status":"input_required"}}
        = task 1 x input_required next at 2 s
        < {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"unknown","status":"working"}}
        = notified notifications/tasks/status
        < {"jsonrpc":"2.0","id":4,"error":{"code":7,"message":"m"}}
        = task 1 x input_required next at 2 s
        < {"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"x","status":"failed"}}
        = task 1 x failed
        > {"jsonrpc":"2.0","id":6,"method":"tasks/result","params":{"taskId":"x"}}
        = notified notifications/tasks/status in 1
        < {"jsonrpc":"2.0","id":6,"error":{"code":7,"message":"m"}}
        = ended 1 error {"code":7,"message":"m"}"#,
    );
}

/// TD-016: a server that ignores the wish for a task answers as ever; what nobody asked for is a result as it is.
#[test]
fn what_is_no_task_is_a_result() {
    let mut play = Play::legacy(plain(EraChoice::Legacy), "2025-11-25");
    play.run(
        r#"
        ! task 1 {"name":"t"}
        ~
        < {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
        = ended 1 result {"content":[]}
        ! call 2 tools/call {}
        ~
        < {"jsonrpc":"2.0","id":3,"result":{"task":{"taskId":"x","status":"working"}}}
        = ended 2 result {"task":{"taskId":"x","status":"working"}}
        ! call 3 tools/call {"task":{}}
        ~
        < {"jsonrpc":"2.0","id":4,"result":{"task":{"taskId":"y","status":"working"}}}
        = task 3 y working next at 1 s"#,
    );
    Play::modern(plain(EraChoice::Modern), Link::Stdio).run(
        r#"
        ! call 1 tools/call {}
        ~
        < {"jsonrpc":"2.0","id":2,"result":{"resultType":"task","task":{"taskId":"x","status":"working"}}}
        = ended 1 result {"resultType":"task","task":{"taskId":"x","status":"working"}}"#,
    );
}
