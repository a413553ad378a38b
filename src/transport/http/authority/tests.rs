//! The authority's files, and clients that do and do not trust it, over loopback.

use std::io::Write as _;

use rustls::pki_types::{ServerName, UnixTime};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsConnector;

use super::*;
use crate::transport::http::{AcceptError, Serving, Stream, accept};

const DAYS: i64 = DAY as i64 * 1_000_000_000;

/// By the clock of those who judge the certificates.
fn now() -> Nanos {
    i64::try_from(UnixTime::now().as_secs()).expect("a time") * 1_000_000_000
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn open(folder: &Path) -> Authority {
    Authority::open(folder, now()).expect("an authority")
}

/// What a client trusts that is given this file.
fn trusting(path: Option<&Path>) -> ClientConfig {
    let mut roots = RootCertStore::empty();
    if let Some(path) = path {
        let certificates = CertificateDer::pem_file_iter(path).expect("a file");
        roots.add_parsable_certificates(certificates.map(|certificate| certificate.expect("a certificate")));
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    builder.expect("versions").with_root_certificates(roots).with_no_client_auth()
}

/// One handshake: what the listener makes of it, and what the client does.
async fn meet(config: Arc<ServerConfig>, client: ClientConfig, host: &str) -> (Result<(), AcceptError>, bool) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("listens");
    let address = listener.local_addr().expect("an address");
    let served = async {
        let (tcp, _) = listener.accept().await.expect("a client");
        let mut stream = accept(config, Stream::tcp(tcp)).await?;
        stream.write_all(b"hello").await.expect("written");
        stream.shutdown().await.expect("closed");
        Ok(())
    };
    let name = ServerName::try_from(host.to_owned()).expect("a name");
    let asked = async {
        let tcp = TcpStream::connect(address).await.expect("connects");
        let Ok(mut stream) = TlsConnector::from(Arc::new(client)).connect(name, tcp).await else { return false };
        let mut text = String::new();
        stream.read_to_string(&mut text).await.is_ok() && text == "hello"
    };
    tokio::join!(served, asked)
}

#[tokio::test]
async fn whoever_trusts_the_authority_trusts_its_hosts() {
    let folder = folder();
    let authority = open(folder.path());
    let path = authority.certificate_path();
    let long = format!("{0}.{0}.example", "a".repeat(60));
    for host in ["example.test", "127.0.0.1", "::1", "localhost", &long] {
        let config = authority.server_config(host, now()).expect("a certificate");
        let (served, asked) = meet(config, trusting(Some(&path)), host).await;
        assert_eq!((served, asked), (Ok(()), true), "{host}");
    }
    // All names of this machine are in one certificate.
    let own = authority.server_config("[::1]", now()).expect("a certificate");
    assert!(meet(own, trusting(Some(&path)), "localhost").await.1);
    let bundle = authority.bundle(&[]).expect("a bundle");
    let config = authority.server_config("EXAMPLE.test.", now()).expect("a certificate");
    assert!(meet(config, trusting(Some(&bundle)), "example.test").await.1);
}

#[tokio::test]
async fn whoever_does_not_is_told_apart() {
    let folder = folder();
    let authority = open(folder.path());
    let config = authority.server_config("example.test", now()).expect("a certificate");
    let (served, asked) = meet(Arc::clone(&config), trusting(None), "example.test").await;
    assert!(matches!(served, Err(AcceptError::Untrusted(_))) && !asked, "{served:?}");
    let path = authority.certificate_path();
    assert!(!meet(Arc::clone(&config), trusting(Some(&path)), "other.test").await.1);
    let mut http2 = trusting(Some(&path));
    http2.alpn_protocols = vec![b"h2".to_vec()];
    assert_eq!(meet(Arc::clone(&config), http2, "example.test").await.0, Err(AcceptError::NoHttp1));

    for (says, expected) in [(&b"GET / HTTP/1.1\r\n\r\n"[..], AcceptError::NotTls), (b"", AcceptError::Closed)] {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("listens");
        let mut client = TcpStream::connect(listener.local_addr().expect("an address")).await.expect("connects");
        client.write_all(says).await.expect("written");
        client.shutdown().await.expect("closed");
        let (tcp, _) = listener.accept().await.expect("a client");
        assert_eq!(accept(Arc::clone(&config), Stream::tcp(tcp)).await.expect_err("no TLS"), expected);
    }
}

#[test]
fn it_is_made_once_and_kept_private() {
    let folder = folder();
    let path = folder.path().join("deep/authority");
    let made = std::thread::scope(|scope| {
        let opened: Vec<_> = (0..8).map(|_| scope.spawn(|| open(&path).fingerprint())).collect();
        opened.into_iter().map(|one| one.join().expect("opens")).collect::<Vec<_>>()
    });
    assert!(made.iter().all(|one| *one == made[0]), "all see one authority");
    assert_eq!(open(&path).fingerprint(), made[0]);
    let mut names: Vec<_> =
        std::fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
    names.sort();
    assert_eq!(names, [CERTIFICATE, SECRET], "and nothing is left over");
    let public = std::fs::read_to_string(path.join(CERTIFICATE)).expect("the certificate");
    assert!(!public.contains("PRIVATE"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &Path| std::fs::metadata(path).expect("is there").permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(&path.join(SECRET))), (0o700, 0o600));
        std::fs::set_permissions(path.join(SECRET), std::fs::Permissions::from_mode(0o644)).expect("opened to all");
        open(&path);
        assert_eq!(mode(&path.join(SECRET)), 0o600);
    }
}

#[test]
fn certificates_are_kept_for_a_while_and_never_too_many() {
    let folder = folder();
    let authority = open(folder.path());
    let start = now();
    let at = |host: &str, days: i64| authority.server_config(host, start + days * DAYS).expect("a certificate");
    let first = at("a.test", 0);
    assert!(Arc::ptr_eq(&first, &at("A.test", 20)));
    assert!(!Arc::ptr_eq(&first, &at("a.test", 30)), "it is renewed before it ends");
    let first = at("a.test", 30);
    for count in 0..200_u32 {
        at(&format!("{count}.test"), 30);
        assert!(!count.is_multiple_of(50) || Arc::ptr_eq(&first, &at("a.test", 30)), "who is asked for stays");
    }
    assert!(!Arc::ptr_eq(&at("0.test", 30), &at("1.test", 30)));
    for bad in ["", "a b", "a/b", "\u{e9}.test", "*.test"] {
        let fault = authority.server_config(bad, start).expect_err("is refused").to_string();
        assert!(fault.contains("no name of a host"), "{bad}: {fault}");
    }
}

#[test]
fn an_old_authority_is_replaced_and_a_damaged_one_is_named() {
    let folder = folder();
    let first = open(folder.path()).fingerprint();
    let later = Authority::open(folder.path(), now() + 3650 * DAYS).expect("a new one").fingerprint();
    assert_ne!(first, later);
    let path = folder.path().join(SECRET);
    let text = std::fs::read_to_string(&path).expect("the file");
    let (head, key) = text.split_once("-----BEGIN PRIVATE").expect("a key");
    let other = KeyPair::generate().expect("a key").serialize_pem();
    for (damaged, why) in [
        (String::new(), "how long"),
        (head.to_owned(), "no key"),
        (format!("{head}{other}"), "another certificate"),
        (format!("{}\n-----BEGIN PRIVATE{key}", head.lines().next().unwrap_or_default()), "no certificate"),
    ] {
        std::fs::write(&path, damaged).expect("written");
        let fault = Authority::open(folder.path(), now()).expect_err("is damaged").to_string();
        assert!(fault.contains(SECRET) && fault.contains(why) && fault.contains("remove"), "{fault}");
    }
    let fault = Authority::open(&path, now()).expect_err("is no folder").to_string();
    assert!(fault.contains("choose a folder"), "{fault}");
}

#[test]
fn the_bundle_has_what_else_is_trusted() {
    let (folder, other) = (folder(), self::folder());
    let (authority, corporate) = (open(folder.path()), open(other.path()));
    let missing = other.path().join("missing.pem");
    let bundle =
        authority.bundle(&[corporate.certificate_path(), missing, corporate.certificate_path()]).expect("a bundle");
    let trusted: Vec<[u8; 32]> =
        CertificateDer::pem_file_iter(&bundle).expect("a file").map(|one| fingerprint(&one.expect("one"))).collect();
    assert!(trusted.contains(&authority.fingerprint()) && trusted.contains(&corporate.fingerprint()));
    let (count, unlike) = (trusted.len(), trusted.iter().collect::<std::collections::HashSet<_>>().len());
    assert_eq!(count, unlike, "none is there twice");
    assert_ne!(authority.bundle(&[]).expect("a bundle"), bundle);
}

#[tokio::test]
async fn a_listener_serves_with_files_or_says_what_is_wrong_with_them() {
    let folder = folder();
    let pair = |name: &str| {
        let key = KeyPair::generate().expect("a key");
        let made = CertificateParams::new(vec![name.to_owned()]).expect("a name").self_signed(&key).expect("signed");
        let paths = [folder.path().join(format!("{name}.crt")), folder.path().join(format!("{name}.key"))];
        std::fs::write(&paths[0], made.pem()).expect("written");
        std::fs::write(&paths[1], key.serialize_pem()).expect("written");
        (paths, made)
    };
    let ([certificate, key], made) = pair("a.test");
    let ([_, other], _) = pair("b.test");
    let serving = Serving::from_files(&certificate, &key).expect("a pair");
    assert_eq!(serving.fingerprint, fingerprint(made.der()));
    assert!(meet(serving.config, trusting(Some(&certificate)), "a.test").await.1);

    let encrypted = folder.path().join("encrypted.key");
    let mut file = std::fs::File::create(&encrypted).expect("a file");
    file.write_all(b"-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n")
        .expect("written");
    let missing = folder.path().join("missing.key");
    for (certificate, key, at_fault, why) in [
        (&certificate, &other, &other, "another certificate"),
        (&certificate, &missing, &missing, "No such file"),
        (&certificate, &encrypted, &encrypted, "encrypted"),
        (&certificate, &certificate, &certificate, "holds no key"),
        (&key, &key, &key, "holds no certificate"),
    ] {
        let fault = Serving::from_files(certificate, key).expect_err("is refused").to_string();
        assert!(fault.contains(&format!("{at_fault:?}")) && fault.contains(why), "{fault}");
    }
}
