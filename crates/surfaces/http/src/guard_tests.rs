use super::*;
use hyper::header::HeaderValue;

const TOKEN: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

fn headers(pairs: &[(HeaderName, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        headers.append(name, HeaderValue::from_str(value).unwrap());
    }
    headers
}

fn origin(address: &str, uri: &str, pairs: &[(HeaderName, &str)]) -> Result<(), Code> {
    let address = address.parse().unwrap();
    same_origin(&uri.parse().unwrap(), &headers(pairs), address).map_err(|problem| problem.code)
}

#[test]
fn only_the_address_and_localhost_with_the_right_port_are_ours() {
    let four: SocketAddr = "127.0.0.1:7311".parse().unwrap();
    for host in ["127.0.0.1:7311", "localhost:7311", "LOCALHOST:7311"] {
        assert!(is_ours(host, four), "{host}");
    }
    for host in [
        "127.0.0.1",
        "127.0.0.1:80",
        "127.0.0.2:7311",
        "evil.example:7311",
        "localhost.evil.example:7311",
        "[::1]:7311",
        "127.0.0.1:7311:7311",
        ":7311",
        "",
    ] {
        assert!(!is_ours(host, four), "{host}");
    }
    let six: SocketAddr = "[::1]:80".parse().unwrap();
    for host in ["[::1]:80", "[::1]", "localhost"] {
        assert!(is_ours(host, six), "{host}");
    }
    assert!(!is_ours("::1", six));
}

#[test]
fn a_request_for_another_name_or_for_none_is_foreign() {
    let at = "127.0.0.1:7311";
    assert_eq!(origin(at, "/", &[(HOST, at)]), Ok(()));
    assert_eq!(origin(at, "/", &[]), Err(Code::ForeignOrigin));
    assert_eq!(origin(at, "/", &[(HOST, "evil.example:7311")]), Err(Code::ForeignOrigin));
    assert_eq!(origin(at, "/", &[(HOST, at), (HOST, at)]), Err(Code::ForeignOrigin));
    assert_eq!(origin(at, "http://127.0.0.1:7311/", &[(HOST, at)]), Ok(()));
    assert_eq!(origin(at, "http://evil.example/", &[(HOST, at)]), Err(Code::ForeignOrigin));
}

#[test]
fn whoever_asks_for_another_name_is_told_which_one_is_not_ours() {
    let at = "127.0.0.1:7311";
    let message = |uri: &str, pairs: &[(HeaderName, &str)]| {
        let refused = same_origin(&uri.parse().unwrap(), &headers(pairs), at.parse().unwrap());
        refused.unwrap_err().message
    };
    let evil = "the request is for \"evil.example\", not for this server";
    assert_eq!(message("http://evil.example/", &[(HOST, at)]), evil);
    assert_eq!(message("http://127.0.0.1:7311/", &[(HOST, "evil.example")]), evil);
    assert!(message("http://127.0.0.1:7311/", &[]).contains("\"nobody\""));
}

#[test]
fn a_page_of_somebody_else_is_foreign_and_our_own_is_not() {
    let at = "127.0.0.1:7311";
    let from = |page: &str| origin(at, "/", &[(HOST, at), (ORIGIN, page)]);
    assert_eq!(from("http://127.0.0.1:7311"), Ok(()));
    assert_eq!(from("http://localhost:7311"), Ok(()));
    for page in ["https://evil.example", "null", "http://127.0.0.1:8080", "", "127.0.0.1:7311"] {
        assert_eq!(from(page), Err(Code::ForeignOrigin), "{page}");
    }
    let twice = [(HOST, at), (ORIGIN, "http://127.0.0.1:7311"), (ORIGIN, "null")];
    assert_eq!(origin(at, "/", &twice), Err(Code::ForeignOrigin));
}

#[test]
fn only_the_whole_token_as_a_bearer_is_let_in() {
    let ours = Token::parse(TOKEN).unwrap();
    let said = |value: &str| token(&headers(&[(AUTHORIZATION, value)]), &ours).is_ok();
    assert!(said(&format!("Bearer {TOKEN}")));
    assert!(said(&format!("bearer {TOKEN}")));
    for value in [
        TOKEN.to_owned(),
        format!("Basic {TOKEN}"),
        format!("Bearer {}", &TOKEN[1..]),
        "Bearer".into(),
    ] {
        assert!(!said(&value), "{value}");
    }
    assert!(!said(&format!("Bearer {TOKEN}0")));
    assert_eq!(token(&HeaderMap::new(), &ours).unwrap_err().code, Code::BadToken);
}
