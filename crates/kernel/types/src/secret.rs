//! Where a secret is.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::Invalid;

/// Where a secret is. This is what is stored and shown.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SecretRef {
    /// In a variable of the environment: `env:NAME`.
    Env(String),
    /// On the first line of a file: `file:PATH`.
    File(PathBuf),
    /// In the keychain of the system: `keychain:NAME`. It can be named and not yet be had.
    Keychain(String),
}

impl FromStr for SecretRef {
    type Err = Invalid;

    /// The place is not repeated in the error: some people write the secret itself there.
    fn from_str(text: &str) -> Result<SecretRef, Invalid> {
        let is_variable = |name: &str| {
            !name.starts_with(|c: char| c.is_ascii_digit())
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        let why = match text.split_once(':') {
            Some((_, "")) => "names nothing after its colon",
            Some((_, place)) if place.contains(char::is_control) => {
                "has a character after its colon that cannot be seen"
            }
            Some(("env", name)) if is_variable(name) => return Ok(SecretRef::Env(name.to_owned())),
            Some(("env", _)) => "does not name a variable after env:",
            Some(("file", path)) if Path::new(path).is_absolute() => {
                return Ok(SecretRef::File(path.into()));
            }
            // From where it was started would decide which file is read.
            Some(("file", _)) => "names no file from the root after file:, such as file:/run/key",
            Some(("keychain", name)) => return Ok(SecretRef::Keychain(name.to_owned())),
            _ => "says not where the secret is; write env:NAME, file:PATH or keychain:NAME",
        };
        Err(Invalid::new("secret", why))
    }
}

impl fmt::Display for SecretRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SecretRef::Env(name) => write!(f, "env:{name}"),
            SecretRef::File(path) => write!(f, "file:{}", path.display()),
            SecretRef::Keychain(name) => write!(f, "keychain:{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_is_shown() {
        for text in ["env:LOCAL_KEY", "file:/run/secrets/key", "keychain:dormouse"] {
            assert_eq!(text.parse::<SecretRef>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_names_no_place_is_refused_without_repeating_it() {
        for text in [
            "sk-abcdef",
            "env:",
            "env:A=B",
            "env:7A",
            "vault:abcdef",
            "file:\n",
            "file:keys/one",
            "file:~/key",
            "",
        ] {
            let refused = text.parse::<SecretRef>().unwrap_err();
            assert!(!format!("{refused} {refused:?}").contains("abcdef"), "{refused}");
        }
    }
}
