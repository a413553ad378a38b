//! CONNECT, by which a client asks a proxy for bytes to and from a server: passed on untouched and counted,
//! or, when they turn out to be HTTP that may be read, served as requests.

use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};

use super::client::{Client, Link};
use super::forward::Rules;
use super::journal::Journal;
use super::refusal::{self, Refusal};
use super::secure;
use super::site::Site;
use crate::engine::record::Flow;
use crate::model::HttpEnd;
use crate::transport::http::{Broken, Connection, Origin, Peer, Reader, Stream, Writer};
use crate::wire::http::{BodyLength, Head};

const ESTABLISHED: &[u8] = b"HTTP/1.1 200 Connection established\r\n\r\n";

/// Serves a CONNECT, and everything behind it.
pub async fn run(mut client: Client, head: Head, rules: &Rules) {
    let Some((host, port)) = target(head.target()) else {
        let refusal = Refusal::new(400, format!("{:?} names no host and port to connect to", head.target()));
        let journal = client.tap.journal(&head, head.target(), &client.ip);
        refusal::note(&journal, &head, &refusal);
        return client.refuse_to(head.method(), &refusal).await;
    };
    if rules.names(&host) {
        return look_into(client, host, port, &head).await;
    }
    let tap = Arc::clone(&client.tap);
    let connected = tokio::select! {
        connected = tap.connector.tunnel(&host, port) => connected,
        () = client.reader.closed() => return,
    };
    let note = |client: &Client| {
        let journal = if rules.is_limited() {
            Journal::silent(&tap.queue)
        } else {
            tap.journal(&head, head.target(), &client.ip)
        };
        journal.head(Flow::Input, head.raw());
        journal.ended(Flow::Input);
        journal
    };
    let mut stream = match connected {
        Ok(stream) => stream,
        Err(error) => {
            let refusal = Refusal::new(502, format!("failed to {error}"));
            let journal = note(&client);
            journal.over(HttpEnd::Failed, format!("{}\nthe client was told so with a 502", refusal.text()));
            return client.refuse_to(head.method(), &refusal).await;
        }
    };
    if agree(&mut client).await.is_err() {
        return;
    }
    if !rules.is_limited() && speaks_http(&mut client, &mut stream).await {
        let site = Site::new(Origin { tls: false, host, port });
        client.link = Some(Link { site: Arc::clone(&site), connection: Connection::over(stream) });
        client.within = Some(site);
        return Box::pin(client.serve()).await;
    }
    let journal = note(&client);
    journal.head(Flow::Output, ESTABLISHED);
    journal.wake();
    pass(&mut client, stream, &journal).await;
}

/// Serves what is said with a host that was named: decrypted, when it is TLS.
async fn look_into(mut client: Client, host: String, port: u16, head: &Head) {
    if agree(&mut client).await.is_err() {
        return;
    }
    let (tap, ip) = (Arc::clone(&client.tap), client.ip.clone());
    let is_plain = |first: u8| first.is_ascii_uppercase();
    match client.into_stream() {
        Some(stream) if stream.peek().await.is_some_and(is_plain) => {
            let site = Site::new(Origin { tls: false, host, port });
            Box::pin(Client::new(tap, stream, ip, Some(site)).serve()).await;
        }
        stream => secure::decrypt(&tap, ip, stream, Site::new(Origin { tls: true, host, port }), head).await,
    }
}

/// Tells the client that it is connected.
async fn agree(client: &mut Client) -> Result<(), Broken> {
    client.writer.head(ESTABLISHED, BodyLength::UntilClose);
    client.writer.flush().await
}

/// Whether the client speaks plain HTTP; not when the server speaks first.
async fn speaks_http(client: &mut Client, stream: &mut Stream) -> bool {
    let Stream::Tcp(tcp) = stream else { return false };
    let first = tokio::select! {
        first = client.reader.peek() => first,
        _ = tcp.readable() => return false,
    };
    let is_letter = |byte: &u8| byte.is_ascii_uppercase();
    first.is_ok_and(|bytes| !bytes.is_empty() && bytes.iter().take(3).all(is_letter))
}

/// Passes bytes on until both sides have closed, or one has gone.
async fn pass(client: &mut Client, stream: Stream, journal: &Journal) {
    let (read, write) = stream.split();
    let (mut from_server, mut to_server) = (Reader::new(read, Peer::Server), Writer::new(write, Peer::Server));
    let (mut up, mut down) = (0, 0);
    let ended = tokio::try_join!(
        carry(&mut client.reader, &mut to_server, &mut up),
        carry(&mut from_server, &mut client.writer, &mut down)
    );
    let how = if ended.is_ok() { "" } else { ", until one side broke off" };
    let bytes = format!("{up} bytes from the client, {down} from the server{how}");
    journal.over(HttpEnd::Complete, format!("passed on untouched and not read: {bytes}"));
}

async fn carry<R, W>(from: &mut Reader<R>, to: &mut Writer<W>, count: &mut u64) -> Result<(), Broken>
where
    R: AsyncRead + Unpin,
    W: AsyncWrite + Unpin,
{
    from.body(BodyLength::UntilClose);
    to.body(BodyLength::UntilClose);
    while let crate::transport::http::Heard::Data(bytes) = from.next().await? {
        *count += bytes.len() as u64;
        to.data(bytes).await?;
        to.flush().await?;
    }
    to.finish(b"").await
}

/// Host and port of a CONNECT.
fn target(target: &str) -> Option<(String, u16)> {
    let (host, port) = target.rsplit_once(':')?;
    let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let is_host = !host.is_empty() && !host.contains(['/', '@', '?']);
    Some((host.to_owned(), port.parse().ok()?)).filter(|_| is_host)
}

#[cfg(test)]
mod tests {
    use super::target;

    #[test]
    fn a_target_names_a_host_and_a_port() {
        assert_eq!(target("a.example:443"), Some(("a.example".to_owned(), 443)));
        assert_eq!(target("[::1]:80"), Some(("::1".to_owned(), 80)));
        for other in ["a.example", ":443", "a:http", "http://a:1", "a@b:1", ""] {
            assert_eq!(target(other), None, "{other}");
        }
    }
}
