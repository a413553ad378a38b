//! What is masked in heads and bodies, and what is not.

use super::*;

fn head(lines: &str) -> String {
    let raw = lines.replace('\n', "\r\n");
    let (masked, _) = Redactor::default().head(raw.as_bytes());
    masked.map_or_else(|| lines.to_owned(), |masked| String::from_utf8(masked).unwrap().replace("\r\n", "\n"))
}

fn masked(media: Media, body: &str) -> String {
    media.mask(body.as_bytes()).map_or_else(|| body.to_owned(), |masked| String::from_utf8(masked).unwrap())
}

#[test]
fn credentials_are_masked_and_what_surrounds_them_stays() {
    let cases = [
        ("Authorization: Bearer abc.def", "Authorization: Bearer •••"),
        ("authorization:Basic dTpw", "authorization:Basic •••"),
        ("AUTHORIZATION:  abc ", "AUTHORIZATION:  ••• "),
        ("Proxy-Authorization: Digest u=\"x\", r=\"y\"", "Proxy-Authorization: Digest •••"),
        ("Cookie: a=1; b=2=3;c", "Cookie: a=•••; b=•••;•••"),
        ("Set-Cookie: sid=abc; Path=/; HttpOnly", "Set-Cookie: sid=•••; Path=/; HttpOnly"),
        ("DPoP: eyJ.x.y", "DPoP: •••"),
        ("X-Api-Key: 123", "X-Api-Key: •••"),
        ("x-goog-api-key: a", "x-goog-api-key: •••"),
        ("X-Auth-Token: a b", "X-Auth-Token: a •••"),
        ("Mcp-Param-ApiKey: =?base64?c2VjcmV0?=", "Mcp-Param-ApiKey: •••"),
        ("X-Any: Bearer abc", "X-Any: Bearer •••"),
        ("X-Any: ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaa", "X-Any: •••"),
        (
            "Location: http://c/cb?code=a1&state=s#access_token=t",
            "Location: http://c/cb?code=•••&state=s#access_token=•••",
        ),
        ("Referer: https://u:p@h/x?api_key=1", "Referer: https://•••@h/x?api_key=•••"),
        ("Authorization: Bearer\n\tfolded", "Authorization: •••"),
    ];
    for (line, expected) in cases {
        let around = |line: &str| format!("GET / HTTP/1.1\nHost: h\n{line}\nAccept: */*\n\n");
        assert_eq!(head(&around(line)), around(expected));
    }
    assert_eq!(
        head("POST /m?sessionId=1&access_token=a&x= HTTP/1.1\n\n"),
        "POST /m?sessionId=1&access_token=•••&x= HTTP/1.1\n\n"
    );
    assert_eq!(head("GET http://u:p@h/?token=a HTTP/1.1\n\n"), "GET http://•••@h/?token=••• HTTP/1.1\n\n");
}

#[test]
fn what_is_no_secret_stays() {
    for line in [
        "Mcp-Session-Id: eyJhbGciOiJIUzI1NiJ9.abc",
        "Last-Event-ID: eyJhbGciOiJIUzI1NiJ9.abc",
        "WWW-Authenticate: Bearer resource_metadata=\"http://h/x?a=b\", error=\"invalid_token\"",
        "Access-Control-Allow-Credentials: true",
        "Access-Control-Expose-Headers: Authorization",
        "X-RateLimit-Remaining-Tokens: 1000",
        "Authorization:",
        "Mcp-Name: get_token",
        "no field",
    ] {
        let text = format!("HTTP/1.1 200 OK?code=1\n{line}\n\n");
        assert_eq!(head(&text), text);
    }
    assert_eq!(head("X-Checksum: abc\n\n"), "X-Checksum: abc\n\n", "trailers too");
    assert_eq!(head("GET /a?page=2&codec=x HTTP/1.1\n\n"), "GET /a?page=2&codec=x HTTP/1.1\n\n");
}

#[test]
fn the_bodies_of_oauth_are_masked() {
    let form = |body: &str| masked(Media::Form, body);
    assert_eq!(
        form("grant_type=authorization_code&code=a%20b&code_verifier=v&client_id=c&redirect_uri=http%3A%2F%2Fx"),
        "grant_type=authorization_code&code=•••&code_verifier=•••&client_id=c&redirect_uri=http%3A%2F%2Fx"
    );
    assert_eq!(form("client_secret=&x"), "client_secret=&x");
    let json = |body: &str| masked(Media::Json, body);
    assert_eq!(
        json(r#"{"access_token" : "a\"b","expires_in":3600,"refresh_token":"r","scope":"x"}"#),
        r#"{"access_token" : "•••","expires_in":3600,"refresh_token":"•••","scope":"x"}"#
    );
    assert_eq!(
        json(r#"[{"x":{"id\u005ftoken":"a"}}, "access_token"]"#),
        r#"[{"x":{"id\u005ftoken":"•••"}}, "access_token"]"#
    );
    assert_eq!(json(r#"{"client_secret":"cut off\"#), r#"{"client_secret":"•••"#);
    for plain in [r#"{"code":"not_found"}"#, r#"{"password":null,"id_token":""}"#, "", "\"", "{\"access_token\":"] {
        assert_eq!(json(plain), plain);
    }
    let rpc = r#"{"jsonrpc":"2.0","result":{"access_token":"x"}}"#;
    assert_eq!(json(rpc), rpc, "messages are never touched");
    assert_eq!(masked(Media::Other, "code=1"), "code=1");
}

#[test]
fn the_kind_of_a_body_is_that_of_its_head() {
    let media = |line: &str| Redactor::default().head(format!("HTTP/1.1 200 OK\r\n{line}\r\n\r\n").as_bytes()).1;
    assert_eq!(media("content-type: Application/JSON; charset=utf-8"), Media::Json);
    assert_eq!(media("Content-Type: application/problem+json"), Media::Json);
    assert_eq!(media("Content-Type: application/x-www-form-urlencoded"), Media::Form);
    assert_eq!(media("Content-Type: text/event-stream"), Media::Other);
}
