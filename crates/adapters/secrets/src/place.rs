//! Where a secret is.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use types::Invalid;

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
        let bad = |reason: &str| Invalid::new("secret", reason);
        let unknown = "must be env:NAME, file:PATH or keychain:NAME";
        let (kind, place) = text.split_once(':').ok_or_else(|| bad(unknown))?;
        if place.is_empty() || place.contains(char::is_control) {
            return Err(bad("names no place after the colon"));
        }
        match kind {
            "env" if place.contains('=') => Err(bad("names no variable: it has an equals sign")),
            "env" => Ok(SecretRef::Env(place.to_owned())),
            "file" => Ok(SecretRef::File(place.into())),
            "keychain" => Ok(SecretRef::Keychain(place.to_owned())),
            _ => Err(bad(unknown)),
        }
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
        for text in ["sk-abcdef", "env:", "env:A=B", "vault:abcdef", "file:\n", ""] {
            let refused = text.parse::<SecretRef>().unwrap_err();
            assert!(!format!("{refused} {refused:?}").contains("abcdef"), "{refused}");
        }
    }
}
