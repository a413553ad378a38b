//! Asking a proxy for a connection to a server (CONNECT, RFC 9110 §9.3.6).

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use super::connect_error::{Cause, Step, plainly};
use super::origin::bracketed;
use super::proxies::Proxy;
use super::stream::Stream;
use crate::wire::http::{Head, HeadWriter};

/// How long the proxy may take; it has to reach the server meanwhile.
const PATIENCE: Duration = Duration::from_secs(30);
/// How large its answer may be.
const HEAD_LIMIT: usize = 64 << 10;

/// Makes a connection to a proxy one to `host:port`.
pub(super) async fn tunnel(mut stream: Stream, proxy: &Proxy, host: &str, port: u16) -> Result<Stream, Cause> {
    let fault = |why: String| {
        let Proxy { origin, variable, .. } = proxy;
        Cause::new(Step::Proxy, format!("the proxy {origin} (from {variable}) {why}"))
    };
    let target = format!("{}:{port}", bracketed(host));
    let mut request = HeadWriter::request("CONNECT", &target);
    request.field("Host", &target);
    if let Some(value) = &proxy.authorization {
        request.field("Proxy-Authorization", value);
    }
    let asked = timeout(PATIENCE, ask(&mut stream, &request.finish())).await;
    let answer = match asked {
        Ok(answer) => answer.map_err(fault)?,
        Err(_) => return Err(fault(format!("did not connect to {target} within {} s", PATIENCE.as_secs()))),
    };
    match answer.status().unwrap_or_default() {
        200..=299 => Ok(stream),
        407 => Err(fault(format!(
            "asks for a user and a password; write them into the URL in {}: http://USER:PASSWORD@HOST:PORT",
            proxy.variable
        ))),
        status => Err(fault(format!(
            "refuses to connect to {target}: {status} {}; except the server with NO_PROXY if it can be reached directly",
            answer.reason()
        ))),
    }
}

async fn ask(stream: &mut Stream, request: &Head) -> Result<Head, String> {
    let broke = |error: std::io::Error| format!("broke the connection: {}", plainly(&error));
    stream.write_all(request.raw()).await.map_err(broke)?;
    stream.flush().await.map_err(broke)?;
    // One byte at a time: what comes behind the head is the server's already.
    let mut answer = Vec::new();
    while answer.len() < HEAD_LIMIT {
        let byte = stream.read_u8().await.map_err(broke)?;
        answer.push(byte);
        if byte == b'\n' {
            let head = Head::parse(&answer).map_err(|fault| format!("does not answer in HTTP: {fault}"))?;
            if let Some(head) = head.filter(|head| head.status().is_some()) {
                return Ok(head);
            }
        }
    }
    Err("answers with a head that has no end".to_owned())
}
