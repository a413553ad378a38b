//! What the words about HTTP mean together, and what is said of those that contradict each other.

use clap::Parser;

use super::*;

#[derive(Debug, Parser)]
struct Words {
    #[command(flatten)]
    http: Http,
    #[arg(trailing_var_arg = true)]
    command: Vec<OsString>,
}

fn read(words: &str) -> Result<Option<Options>, String> {
    let all = ["midwire"].into_iter().chain(words.split('|').filter(|word| !word.is_empty()));
    let mut words = Words::try_parse_from(all).expect("words");
    words.http.check(&words.command)?;
    words.http.options()
}

#[test]
fn what_contradicts_itself_is_told_with_the_way_out() {
    let cases = [
        ("", "midwire tap --url URL"),
        ("--url|http://h/|--forward", "one of the two"),
        ("--url|http://h/|--|server", "--forward -- CLIENT"),
        ("--listen|127.0.0.1:1|--|server", "--listen is about HTTP"),
        ("--allow-origin|http://a|--|server", "--allow-origin is about HTTP"),
        ("--url|http://h/|--only|a", "give --forward with it"),
        ("--url|http://h/|--client-cert|c", "--client-cert needs --client-key"),
        ("--url|http://h/|--client-key|c", "--client-key needs --client-cert"),
        ("--forward|--tls-key|c", "--tls-key needs --tls-cert"),
        ("--forward|--tls|--tls-cert|c|--tls-key|k", "one of the two"),
        ("--forward|--header|A: b", "--only HOST"),
        ("--forward|--bearer-env|PATH", "--only HOST"),
        ("--url|http://h/|--header|no-colon", "'X-Api-Key: abc'"),
        ("--url|http://h/|--bearer-env|MIDWIRE_NO_SUCH_VARIABLE", "is not set"),
        ("--url|http://h/|--bearer-env|PATH|--header|authorization: x", "one of the two"),
        ("--url|http://h/|--accept-cert|abc", "64 digits"),
        ("--stdio|--forward", "--url"),
        ("--stdio|--url|http://h/|--listen|127.0.0.1:1", "nothing is listened at"),
    ];
    for (words, said) in cases {
        let problem = read(words).expect_err(words);
        assert!(problem.contains(said), "{words}: {problem}");
    }
}

#[test]
fn words_become_options() {
    assert!(read("--|server|--url").expect("stdio").is_none(), "what stands behind -- is the server's");
    let digits = "ab".repeat(32);
    let words = format!(
        "--url|https://h/mcp/|--listen|[::1]:4|--header|X-A:  b|--header|X-A: c|--ca|f|--client-cert|c|--client-key|k|\
         --accept-cert|{digits}|--tls-cert|s|--tls-key|t|--allow-remote|--allow-origin|http://a"
    );
    let options = read(&words).expect(&words).expect("HTTP");
    assert_eq!(options.mode, Mode::Reverse { url: "https://h/mcp/".into() });
    assert_eq!(options.headers, [("X-A".into(), "b".into()), ("X-A".into(), "c".into())]);
    assert_eq!((options.listen.as_str(), options.allow_remote), ("[::1]:4", true));
    assert_eq!(options.trust.fingerprint, Some([0xAB; 32]));
    assert_eq!(options.trust.client, Some(("c".into(), "k".into())));
    assert_eq!(options.serve_tls, ServeTls::Files { certificate: "s".into(), key: "t".into() });
    let forward = read("--forward|--only|a|--only|b|--tls|--|client").expect("fine").expect("HTTP");
    assert_eq!(forward.mode, Mode::Forward { only: vec!["a".into(), "b".into()] });
    assert_eq!(forward.serve_tls, ServeTls::Generated);
}
