//! What a text looks like: a model, an address, or a secret that does not belong here.

use std::net::IpAddr;

use rules::host::{is_disguised, is_own, is_own_name};
use types::ModelRef;

/// How keys of providers begin.
const BEGINNINGS: [&str; 11] =
    ["sk-", "sk_", "pk-", "rk_", "xai-", "gsk_", "ghp_", "github_pat_", "AIza", "AKIA", "Bearer "];

/// Letters and digits in a row that nobody types.
const RUN_MAX: usize = 32;

/// Whether a text is likely a secret, even where only the name of one should be: it begins as keys do, or
/// is long and has no words in it. A path may have anything in it.
pub(crate) fn is_likely(text: &str) -> bool {
    let text = text.trim();
    if text.starts_with("file:") {
        return false;
    }
    let named = text.strip_prefix("env:").or_else(|| text.strip_prefix("keychain:"));
    let text = named.unwrap_or(text);
    let begins = BEGINNINGS.iter().any(|beginning| text.starts_with(beginning));
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric());
    let mixed = |part: &str| {
        part.bytes().any(|byte| byte.is_ascii_digit())
            && part.bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    begins || parts.into_iter().any(|part| part.len() >= RUN_MAX && mixed(part))
}

/// A model as people name it.
pub(crate) fn model(text: &str) -> Result<ModelRef, String> {
    let model: ModelRef = text.parse().map_err(|_| format!("{text:?} is not PROVIDER/MODEL"))?;
    if model.is_builtin() && model != ModelRef::scribe() {
        return Err(format!("{text:?} is not built in; builtin/scribe is"));
    }
    Ok(model)
}

/// Whether what is sent to an address passes others in the clear: it is not encrypted, and neither this computer nor
/// one of its own network. Where a name leads is seen to when it is looked up.
pub(crate) fn is_heard_on_the_way(address: &str) -> bool {
    let Some(rest) = address.strip_prefix("http://") else { return false };
    let host = host(rest);
    match host.parse::<IpAddr>() {
        Ok(address) => !is_own(address),
        Err(_) => !is_own_name(host),
    }
}

/// The host of an address whose scheme was taken off, without its port.
fn host(rest: &str) -> &str {
    let end = rest.find(['/', '\\']).unwrap_or(rest.len());
    match rest[..end].strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or_default(),
        None => rest[..end].split(':').next().unwrap_or_default(),
    }
}

/// An address of HTTP without a name and password in it, and without anything after a question mark.
pub(crate) fn address(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let named = rest.map(|rest| rest.split('/').next().unwrap_or_default());
    let good = named.is_some_and(|named| !named.is_empty())
        && !text.contains(|c: char| c.is_whitespace() || c.is_control());
    if !good {
        return Err("is not an address such as https://api.example.com/v1".to_owned());
    }
    if text.contains(['@', '?', '#']) {
        return Err("has more in it than where to go; a secret has its own setting".to_owned());
    }
    if rest.is_some_and(|rest| is_disguised(host(rest))) {
        return Err(
            "has a number for a host; write its address as four numbers, or its name".to_owned()
        );
    }
    Ok(text.trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_goes_in_the_clear_to_hosts_of_ones_own_alone() {
        for near in [
            "http://localhost:11434/v1",
            "http://ollama:11434",
            "http://box.local/v1",
            "http://127.0.0.1:9999/v1",
            "http://192.168.1.7",
            "http://[::1]:8080/v1",
            "https://api.example.com/v1",
        ] {
            assert!(!is_heard_on_the_way(near), "{near}");
        }
        for far in [
            "http://api.example.com/v1",
            "http://8.8.8.8:80/v1",
            "http://[2606:4700::1111]/v1",
            "http://localhost.example.com",
            "http://127.0.0.1.example.com/v1",
            "http://[2606:4700::1111%1]/v1",
            "http://[::ffff:8.8.8.8]/v1",
        ] {
            assert!(is_heard_on_the_way(far), "{far}");
        }
    }

    #[test]
    fn a_host_that_is_a_number_is_refused() {
        let disguised = ["http://3405803781:81/v1", "https://0xcb007105", "http://127.1:9999/v1/"];
        for text in disguised {
            let why = address(text).unwrap_err();
            assert!(why.contains("a number for a host"), "{text}: {why}");
        }
        for text in ["http://203.0.113.5:81/v1", "http://ollama:11434", "http://[::1]:8080/v1"] {
            assert_eq!(address(text).as_deref(), Ok(text));
        }
    }
}
