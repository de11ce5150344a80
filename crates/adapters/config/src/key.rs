//! What a text looks like: a model, an address, or a secret that does not belong here.

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
