//! What a text looks like: a model, an address, or a secret that does not belong here.

use std::net::IpAddr;

use types::ModelRef;

/// How keys of providers begin.
const BEGINNINGS: [&str; 11] =
    ["sk-", "sk_", "pk-", "rk_", "xai-", "gsk_", "ghp_", "github_pat_", "AIza", "AKIA", "Bearer "];

/// How the names of hosts end that only one's own network knows. A name without a dot is such a name too.
const OWN_NETWORK: [&str; 5] = [".localhost", ".local", ".internal", ".lan", ".home.arpa"];

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
/// one of its own network.
pub(crate) fn is_heard_on_the_way(address: &str) -> bool {
    let Some(rest) = address.strip_prefix("http://") else { return false };
    let end = rest.find(['/', '\\']).unwrap_or(rest.len());
    let host = match rest[..end].strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or_default(),
        None => rest[..end].split(':').next().unwrap_or_default(),
    };
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(four)) => !(four.is_loopback() || four.is_private() || four.is_link_local()),
        Ok(IpAddr::V6(six)) => {
            !(six.is_loopback() || six.is_unique_local() || six.is_unicast_link_local())
        }
        Err(_) => {
            let host = host.trim_end_matches('.').to_ascii_lowercase();
            let own = OWN_NETWORK.iter().any(|ending| host.ends_with(ending));
            host.contains('.') && !own
        }
    }
}

/// An address of HTTP without a name and password in it, and without anything after a question mark.
pub(crate) fn address(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let host = rest.map(|rest| rest.split('/').next().unwrap_or_default());
    let good = host.is_some_and(|host| !host.is_empty())
        && !text.contains(|c: char| c.is_whitespace() || c.is_control());
    if !good {
        return Err("is not an address such as https://api.example.com/v1".to_owned());
    }
    if text.contains(['@', '?', '#']) {
        return Err("has more in it than where to go; a secret has its own setting".to_owned());
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
        ] {
            assert!(is_heard_on_the_way(far), "{far}");
        }
    }
}
