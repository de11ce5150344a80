//! Looking a secret up.

use std::env::{self, VarError};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use types::SecretRef;

use crate::Secret;

/// Bytes of a secret at most, and of a file that are read to find it: keys have dozens, tokens hundreds.
const SECRET_BYTES_MAX: usize = 8 * 1024;

/// Why a secret cannot be had. No text holds any of it.
#[derive(Debug, thiserror::Error)]
pub enum Unavailable {
    /// There is nothing.
    #[error("{place} is not there")]
    Missing {
        /// Where it was looked for.
        place: SecretRef,
    },
    /// There is something, and it is no secret.
    #[error("{place} {reason}")]
    Unusable {
        /// Where it is.
        place: SecretRef,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The system does not let us.
    #[error("{place} cannot be read")]
    Unreadable {
        /// Where it is.
        place: SecretRef,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// This build knows no such store.
    #[error("{place}: keychains are not supported here")]
    Unsupported {
        /// Where it would be.
        place: SecretRef,
    },
}

/// Looks a secret up, now: what was changed since the last call counts.
///
/// # Errors
/// If it is not there, is empty, is too long, or is nothing that can be sent.
pub fn resolve(place: &SecretRef) -> Result<Secret, Unavailable> {
    let text = match place {
        SecretRef::Env(name) => match env::var(name) {
            Ok(text) => text,
            Err(VarError::NotPresent) => {
                return Err(Unavailable::Missing { place: place.clone() });
            }
            Err(VarError::NotUnicode(_)) => return Err(unusable(place, "is no text")),
        },
        SecretRef::File(path) => first_line(place, path)?,
        SecretRef::Keychain(_) => {
            return Err(Unavailable::Unsupported { place: place.clone() });
        }
    };
    judge(place, &text)
}

fn first_line(place: &SecretRef, path: &Path) -> Result<String, Unavailable> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => Unavailable::Missing { place: place.clone() },
        _ => Unavailable::Unreadable { place: place.clone(), source: error },
    };
    // Looked at before it is opened: opening a pipe would wait for somebody to fill it.
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(unusable(place, "is no file"));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(SECRET_BYTES_MAX as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    String::from_utf8(line.to_vec()).map_err(|_| unusable(place, "is no text"))
}

fn judge(place: &SecretRef, text: &str) -> Result<Secret, Unavailable> {
    let text = text.lines().next().unwrap_or_default().trim();
    if text.is_empty() {
        return Err(unusable(place, "is empty"));
    }
    if text.len() > SECRET_BYTES_MAX {
        return Err(unusable(place, "is too long"));
    }
    // What is sent in a head has to be visible; anything else is a file that was meant for another.
    if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(unusable(place, "has characters that cannot be sent"));
    }
    // Whoever quotes it would write it in another way, in which nobody would know it again.
    if text.contains(['"', '\\']) {
        return Err(unusable(place, "has a quotation mark or a backslash, which no key has"));
    }
    Ok(Secret::new(text.to_owned()))
}

fn unusable(place: &SecretRef, reason: &'static str) -> Unavailable {
    Unavailable::Unusable { place: place.clone(), reason }
}

#[cfg(test)]
#[path = "resolve_tests.rs"]
mod tests;
