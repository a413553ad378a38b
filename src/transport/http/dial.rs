//! From a name to a TCP connection: the addresses of the name, and the first of them that answers.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use tokio::net::{TcpStream, lookup_host};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::connect_error::{Cause, Step, plainly};
use super::connector::Passed;
use super::origin::bracketed;

/// How long an address gets to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// After how long the next address is tried besides (RFC 8305 §5).
const NEXT: Duration = Duration::from_millis(250);

/// Connects to `host:port`.
pub(super) async fn dial(host: &str, port: u16, passed: Passed<'_>) -> Result<TcpStream, Cause> {
    let addresses = addresses(host, port).await?;
    let all = addresses.iter().map(|address| address.ip().to_string()).collect::<Vec<_>>().join(" and ");
    passed(Step::Dns, if all == host { format!("{host} is an address") } else { format!("{host} is {all}") });
    let stream = first_answer(&addresses).await.map_err(|error| Cause {
        step: Step::Tcp,
        why: explain(&error, host, port, &addresses),
        is_late: error.kind() == ErrorKind::TimedOut,
    })?;
    let at = stream.peer_addr().map_or_else(|_| format!("{}:{port}", bracketed(host)), |at| at.to_string());
    passed(Step::Tcp, format!("connected to {at}"));
    Ok(stream)
}

async fn addresses(host: &str, port: u16) -> Result<Vec<SocketAddr>, Cause> {
    if let Ok(address) = host.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(address, port)]);
    }
    let found = lookup_host((host, port)).await;
    let mut addresses: Vec<SocketAddr> = Vec::new();
    let failed = match found {
        Ok(found) => {
            for address in found {
                if !addresses.contains(&address) {
                    addresses.push(address);
                }
            }
            None
        }
        Err(error) => Some(error),
    };
    // Servers on this machine often listen on one of the two only, and not always on the one that the
    // system names (RFC 6761 §6.3).
    if is_localhost(host) {
        for address in [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)] {
            if !addresses.iter().any(|known| known.ip() == address) {
                addresses.push(SocketAddr::new(address, port));
            }
        }
    }
    if addresses.is_empty() {
        let cause = failed.map_or_else(|| "it has no address".to_owned(), |error| without_prefix(&error));
        let why = format!("the name {host:?} has no address ({cause}); check its spelling and the network");
        return Err(Cause::new(Step::Dns, why));
    }
    Ok(addresses)
}

pub(super) fn is_localhost(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    host == "localhost" || host.ends_with(".localhost")
}

/// Tries the addresses in their order, each a little after the one before or as soon as that failed.
async fn first_answer(addresses: &[SocketAddr]) -> io::Result<TcpStream> {
    let [first, rest @ ..] = addresses else { return Err(ErrorKind::AddrNotAvailable.into()) };
    if rest.is_empty() {
        return try_one(*first).await;
    }
    let mut waiting = addresses.iter().copied();
    let mut tries = JoinSet::new();
    let mut failure = None;
    loop {
        let next = waiting.next();
        let more = next.is_some();
        if let Some(address) = next {
            tries.spawn(try_one(address));
        }
        tokio::select! {
            done = tries.join_next() => match done {
                Some(Ok(Ok(stream))) => return Ok(stream),
                // The first failure tells most: it is that of the address which the system prefers.
                Some(Ok(Err(error))) => failure = failure.or(Some(error)),
                Some(Err(_)) => {}
                None => return Err(failure.unwrap_or_else(|| ErrorKind::TimedOut.into())),
            },
            () = sleep(NEXT), if more => {}
        }
    }
}

async fn try_one(address: SocketAddr) -> io::Result<TcpStream> {
    timeout(PATIENCE, TcpStream::connect(address)).await.unwrap_or_else(|_| Err(ErrorKind::TimedOut.into()))
}

fn explain(error: &io::Error, host: &str, port: u16, addresses: &[SocketAddr]) -> String {
    let listed = addresses.iter().map(SocketAddr::to_string).collect::<Vec<_>>().join(" and ");
    let at = format!("{}:{port}", bracketed(host));
    let named = if host.parse::<IpAddr>().is_ok() { at } else { format!("{at} ({listed})") };
    match error.kind() {
        ErrorKind::ConnectionRefused => {
            format!("nothing listens at {named}: the connection was refused; start the server, or check the port")
        }
        ErrorKind::TimedOut => format!(
            "{named} does not answer within {} s; check the address, the network and firewalls",
            PATIENCE.as_secs()
        ),
        ErrorKind::NetworkUnreachable | ErrorKind::HostUnreachable => {
            format!("there is no way to {named}: {}; check the network", plainly(error))
        }
        _ => format!("no connection to {named}: {}; check the address and the network", plainly(error)),
    }
}

/// What the resolver says, without the words that every such error begins with.
fn without_prefix(error: &io::Error) -> String {
    let said = error.to_string();
    said.strip_prefix("failed to lookup address information: ").unwrap_or(&said).to_lowercase()
}
