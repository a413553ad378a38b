//! A remote server on stdio, for hosts that speak nothing else: what `tap --stdio --url` does. Each line
//! of the host is one request over HTTP, each message of the server one line; both are recorded as the
//! HTTP that they were. `machine` decides, the rest carries.

mod courier;
mod driver;
mod events;
mod host;
mod inlet;
mod line;
mod machine;
mod options;
mod refusal;
mod values;

use std::process::ExitCode;
use std::sync::Arc;

use tokio::sync::mpsc::channel;
use url::Url;

use crate::engine::clock::Clock;
use crate::engine::record::{self, Queue, Say};
use crate::transport::http::{Connector, Proxies};
use courier::Courier;
use driver::{Driver, Ends};
use machine::Machine;
pub use options::Options;

/// Runs a bridge until the host has ended it; exits with 2 when it cannot be started. `say` puts a line
/// on stderr.
pub fn run(options: Options, say: Say) -> ExitCode {
    let started = prepare(&options).and_then(|(url, extra, connector)| {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(|error| format!("start the threads of the bridge: {error}"))?;
        Ok((url, extra, connector, runtime))
    });
    let (url, extra, connector, runtime) = match started {
        Ok(started) => started,
        Err(why) => {
            say(&format!("failed to {why}"));
            return ExitCode::from(2);
        }
    };
    let queue = Arc::new(Queue::new(record::ROOM, Clock::start()));
    let plan = options.plan(&url, queue.now());
    let recorder = record::start(Arc::clone(&queue), plan, Arc::clone(&say));
    if let Err(error) = &recorder {
        queue.close();
        say(&format!("failed to start a thread for the recording: {error}; traffic goes on without one"));
    }
    let (told, news) = channel(64);
    let courier = Arc::new(Courier::new(connector, Arc::clone(&queue), extra, told));
    let grace = i64::try_from(options.grace.as_nanos()).unwrap_or(i64::MAX);
    let driver = Driver::new(Machine::new(url, grace), courier, Arc::clone(&queue), Arc::clone(&say));
    let code = match host::start() {
        Ok(host) => {
            let host::Host { input, output, signs, written } = host;
            runtime.block_on(async {
                driver.run(Ends { input, output, signs, news }).await;
                // The driver's end of the output is closed now, so the last line is on its way.
                let _ = tokio::time::timeout(host::LAST, written).await;
            });
            ExitCode::SUCCESS
        }
        Err(error) => {
            say(&format!("failed to take over the standard streams: {error}"));
            ExitCode::from(2)
        }
    };
    runtime.shutdown_background();
    queue.close();
    if let Ok(recorder) = recorder {
        // If it panicked, that was said on stderr.
        let _ = recorder.join();
    }
    code
}

type Prepared = (Url, Vec<(String, String)>, Connector);

/// Looks at what was asked for before anything is begun; an error fits after "failed to".
fn prepare(options: &Options) -> Result<Prepared, String> {
    let (url, mut extra) = options.url()?;
    extra.extend(options.headers.iter().cloned());
    let connector = Connector::new(&options.trust, Proxies::from_env()).map_err(|error| error.to_string())?;
    Ok((url, extra, connector))
}
