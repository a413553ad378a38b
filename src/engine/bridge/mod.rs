//! A remote server on stdio, for hosts that speak nothing else: what `tap --stdio --url` does. Each line
//! of the host is one request over HTTP, each message of the server one line; both are recorded as the
//! HTTP that they were. `engine::remote` does it; here is the host's side.

mod driver;
mod host;

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::sync::mpsc::channel;
use url::Url;

use crate::engine::clock::Clock;
use crate::engine::paths;
use crate::engine::proxy::Options;
use crate::engine::proxy::plan::Outline;
use crate::engine::record::{self, Plan, Queue, Say};
use crate::engine::remote::{Courier, Machine};
use crate::engine::tap;
use crate::transport::http::{Connector, Proxies};
use driver::{Driver, Ends};

/// Runs a bridge to the server of `options`, which are those of a reverse proxy, until the host has ended
/// it; requests that run then have `grace` to be answered. Exits with 2 when it cannot be started. `say`
/// puts a line on stderr.
pub fn run(options: Options, grace: Duration, say: Say) -> ExitCode {
    let prepared = match prepare(&options) {
        Ok(prepared) => prepared,
        Err(why) => {
            say(&format!("failed to {why}"));
            return ExitCode::from(2);
        }
    };
    let queue = Arc::new(Queue::new(record::ROOM, Clock::start()));
    let plan = plan(&options, &prepared.outline, &queue);
    let recorder = record::start(Arc::clone(&queue), || plan, Arc::clone(&say));
    if let Err(error) = &recorder {
        queue.close();
        say(&format!("failed to start a thread for the recording: {error}; traffic goes on without one"));
    }
    let code = serve(prepared, grace, &queue, &say);
    queue.close();
    if let Ok(recorder) = recorder {
        // If it panicked, that was said on stderr.
        let _ = recorder.join();
    }
    code
}

/// What is made before anything is begun.
struct Prepared {
    outline: Outline,
    url: Url,
    connector: Connector,
    runtime: Runtime,
}

/// Looks at what was asked for; an error fits after "failed to".
fn prepare(options: &Options) -> Result<Prepared, String> {
    let outline = Outline::of(options).map_err(|error| error.to_string())?;
    let site = outline.site.as_ref().ok_or("start the bridge: it needs the URL of one server")?;
    let url = format!("{}{}", site.name, outline.path);
    let url = Url::parse(&url).map_err(|error| format!("use the URL {url:?}: {error}"))?;
    let connector = Connector::new(&options.trust, Proxies::from_env()).map_err(|error| error.to_string())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| format!("start the threads of the bridge: {error}"))?;
    Ok(Prepared { outline, url, connector, runtime })
}

/// What the recorder needs to know.
fn plan(options: &Options, outline: &Outline, queue: &Queue) -> Plan {
    let host = tap::host::parent().map(tap::host::describe);
    Plan {
        folder: paths::folder(options.recordings.as_deref()).map_err(|error| error.to_string()),
        facts: outline.facts(queue.now(), host),
        max_entry: options.max_entry,
        keep_secrets: options.keep_secrets,
    }
}

/// Serves the host until it has ended.
fn serve(prepared: Prepared, grace: Duration, queue: &Arc<Queue>, say: &Say) -> ExitCode {
    let Prepared { outline, url, connector, runtime } = prepared;
    let host::Host { input, output, signs, written } = match host::start() {
        Ok(host) => host,
        Err(error) => {
            say(&format!("failed to take over the standard streams: {error}"));
            return ExitCode::from(2);
        }
    };
    let (told, news) = channel(64);
    let courier = Arc::new(Courier::new(connector, Arc::clone(queue), outline.headers, told));
    let machine = Machine::new(url, i64::try_from(grace.as_nanos()).unwrap_or(i64::MAX));
    let driver = Driver::new(machine, courier, Arc::clone(queue), Arc::clone(say));
    runtime.block_on(async {
        driver.run(Ends { input, output, signs, news }).await;
        // The driver's end of the output is closed now, so the last line is on its way.
        let _ = tokio::time::timeout(host::LAST, written).await;
    });
    runtime.shutdown_timeout(host::LAST);
    ExitCode::SUCCESS
}
