//! TLS to servers whose certificates are right, wrong in every common way, or accepted anyway.

use std::path::PathBuf;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use tokio_rustls::TlsAcceptor;

use super::*;

/// A certificate and its key.
pub(super) struct Made {
    pub(super) der: CertificateDer<'static>,
    pem: String,
    key: KeyPair,
}

pub(super) fn parameters(name: &str) -> CertificateParams {
    let mut parameters = CertificateParams::new(vec![name.to_owned()]).expect("a name");
    parameters.distinguished_name.push(DnType::CommonName, format!("the {name} one"));
    parameters
}

pub(super) fn self_signed(parameters: &CertificateParams) -> Made {
    let key = KeyPair::generate().expect("a key");
    let certificate = parameters.self_signed(&key).expect("signed");
    Made { der: certificate.der().clone(), pem: certificate.pem(), key }
}

/// An authority, and a certificate that it signed.
fn issued(parameters: &CertificateParams) -> (Made, Made) {
    let mut authority = self::parameters("authority");
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let made = self_signed(&authority);
    let key = KeyPair::generate().expect("a key");
    let certificate = parameters.signed_by(&key, &Issuer::from_params(&authority, &made.key)).expect("signed");
    let leaf = Made { der: certificate.der().clone(), pem: certificate.pem(), key };
    (made, leaf)
}

/// What a server offers; it asks for a certificate that `clients` signed, if there is one.
pub(super) fn acceptor(made: &Made, clients: Option<&Made>, protocol: &[u8]) -> TlsAcceptor {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions();
    let builder = builder.expect("versions");
    let builder = match clients {
        None => builder.with_no_client_auth(),
        Some(clients) => {
            let mut roots = RootCertStore::empty();
            roots.add(clients.der.clone()).expect("an authority");
            let judge = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
            builder.with_client_cert_verifier(judge.expect("a judge"))
        }
    };
    let key = PrivateKeyDer::try_from(made.key.serialize_der()).expect("a key");
    let mut config = builder.with_single_cert(vec![made.der.clone()], key).expect("a pair");
    config.alpn_protocols = vec![protocol.to_vec()];
    TlsAcceptor::from(Arc::new(config))
}

/// Connects to such a server by the name `localhost`, and asks it for something.
async fn exchange(acceptor: TlsAcceptor, trust: Trust) -> Result<Vec<String>, ConnectError> {
    let (listener, origin) = listener().await;
    let origin = Origin { tls: true, host: "localhost".to_owned(), port: origin.port };
    let served = tokio::spawn(async move {
        let Ok(mut stream) = acceptor.accept(accept(&listener).await).await else { return };
        read_until(&mut stream, "\r\n\r\n").await;
        say(&mut stream, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}").await;
        // Until the client has read it.
        let _ = stream.read(&mut [0]).await;
    });
    let connector = Connector::new(&trust, Proxies::none())?;
    let mut connection = connector.connect(&origin).await?;
    assert_eq!(connection.protocol(), "HTTP/1.1");
    let (mut sending, mut hearing) = connection.send(&request("GET", "/", &[])).expect("sent");
    let _ = sending.finish(b"").await;
    let heard = all(&mut hearing).await;
    drop(connection);
    let _ = served.await;
    Ok(heard)
}

/// What a server's certificate is refused for, when it is not what `trust` wants.
async fn refusal(made: &Made, trust: Trust) -> String {
    let refused = exchange(acceptor(made, None, b"http/1.1"), trust).await.expect_err("refused");
    assert_eq!(refused.step(), Step::Tls);
    let said = refused.to_string();
    assert!(
        said.starts_with("reach https://localhost:") && said.contains(": TLS: the server's certificate "),
        "{said}"
    );
    let accept = format!("--accept-cert {}", fingerprint_text(&certificate::fingerprint(&made.der)));
    assert!(said.contains(&accept), "{said}");
    said
}

/// A file with this text; it lies in a folder of its own.
fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("written");
    path
}

fn accepting(made: &Made) -> Trust {
    Trust { fingerprint: Some(certificate::fingerprint(&made.der)), ..Trust::default() }
}

#[tokio::test]
async fn a_certificate_is_refused_with_its_fault_and_the_remedy_and_accepted_by_its_fingerprint() {
    let plain = self_signed(&parameters("localhost"));
    let mut authority = parameters("localhost");
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = self_signed(&authority);
    let mut old = parameters("localhost");
    (old.not_before, old.not_after) = (date_time_ymd(2020, 1, 1), date_time_ymd(2021, 2, 3));
    let old = self_signed(&old);
    let mut new = parameters("localhost");
    (new.not_before, new.not_after) = (date_time_ymd(4000, 4, 5), date_time_ymd(4001, 1, 1));
    let new = self_signed(&new);
    let (_, issued) = issued(&parameters("localhost"));
    for (made, fault) in [
        (&plain, "is self-signed"),
        (&authority, "is self-signed"),
        (&old, "expired on 2021-02-03; renew it"),
        (&new, "is not valid before 4000-04-05; check this machine's clock"),
        (&issued, "was issued by \"the authority one\", whom this machine does not trust"),
    ] {
        let said = refusal(made, Trust::default()).await;
        assert!(said.contains(fault), "{said}");
        let heard = exchange(acceptor(made, None, b"http/1.1"), accepting(made)).await.expect("accepted");
        assert_eq!(heard, ["head 200", "data {}"]);
        let other = Trust { fingerprint: Some([7; 32]), ..Trust::default() };
        assert!(refusal(made, other).await.contains(fault));
    }
}

#[tokio::test]
async fn an_authority_that_is_named_vouches_for_its_servers_and_only_for_their_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let (authority, leaf) = issued(&parameters("localhost"));
    let trust = |pem: &str| Trust { ca: vec![file(&folder, "ca.pem", pem)], ..Trust::default() };
    let heard = exchange(acceptor(&leaf, None, b"http/1.1"), trust(&authority.pem)).await.expect("trusted");
    assert_eq!(heard, ["head 200", "data {}"]);
    let (authority, leaf) =
        issued(&CertificateParams::new(["a.test".to_owned(), "10.1.2.3".to_owned()]).expect("names"));
    let said = refusal(&leaf, trust(&authority.pem)).await;
    assert!(said.contains("is not for \"localhost\" but for a.test, 10.1.2.3; use such a name"), "{said}");
    // openssl makes self-signed certificates that call themselves an authority.
    for is_ca in [IsCa::NoCa, IsCa::Ca(BasicConstraints::Unconstrained)] {
        let mut own = parameters("localhost");
        own.is_ca = is_ca;
        let own = self_signed(&own);
        exchange(acceptor(&own, None, b"http/1.1"), trust(&own.pem)).await.expect("trusted");
        let mut named = parameters("a.test");
        named.is_ca = is_ca;
        let named = self_signed(&named);
        assert!(refusal(&named, trust(&named.pem)).await.contains("but for a.test"));
    }
    let none = Connector::new(&trust("no certificate"), Proxies::none()).expect_err("nothing in it").to_string();
    assert!(none.contains("ca.pem\": it holds no certificate in PEM form"), "{none}");
}

#[tokio::test]
async fn a_server_that_asks_for_a_certificate_gets_it_or_the_user_hears_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = self_signed(&parameters("localhost"));
    let (authority, own) = issued(&parameters("client"));
    let asking = || acceptor(&server, Some(&authority), b"http/1.1");
    let client = (file(&folder, "own.pem", &own.pem), file(&folder, "own.key", &own.key.serialize_pem()));
    let trust = Trust { client: Some(client.clone()), ..accepting(&server) };
    assert_eq!(exchange(asking(), trust).await.expect("known"), ["head 200", "data {}"]);
    let heard = exchange(asking(), accepting(&server)).await.expect("a handshake");
    assert!(heard[0].contains("the server asks for a client certificate; give it one with --client-cert"), "{heard:?}");
    let swapped = Trust { client: Some((client.1, client.0)), ..Trust::default() };
    let fault = Connector::new(&swapped, Proxies::none()).expect_err("the wrong way round").to_string();
    assert!(fault.contains("own.key\": it holds no certificate"), "{fault}");
}

#[tokio::test]
async fn who_speaks_tls_and_who_does_not_is_told_apart() {
    let (listener, origin) = listener().await;
    let plain = Origin { tls: true, ..origin.clone() };
    let connector = Connector::new(&Trust::default(), Proxies::none()).expect("no files");
    let server = async {
        let mut stream = accept(&listener).await;
        assert!(stream.read(&mut [0; 100]).await.expect("a hello") > 0);
        say(&mut stream, "HTTP/1.1 400 Bad Request\r\n\r\n").await;
    };
    let (reached, ()) = tokio::join!(connector.connect(&plain), server);
    let said = reached.expect_err("no TLS").to_string();
    assert!(said.contains("TLS: the server does not speak TLS there; use http:// instead of https://"), "{said}");

    let mut connection = connector.connect(&origin).await.expect("connected");
    let mut server = accept(&listener).await;
    let (mut sending, mut hearing) = connection.send(&request("GET", "/", &[])).expect("sent");
    sending.finish(b"").await.expect("sent");
    server.write_all(b"\x15\x03\x01\x00\x02\x02\x0a").await.expect("written");
    let said = hearing.next().await.expect_err("TLS").to_string();
    assert!(said.ends_with("use https:// instead of http://"), "{said}");
}
