//! A secret in hand.

use std::fmt;

/// Bytes of the shortest secret that a text can be said to tell. Keys of providers have twenty and more.
const TELLING_BYTES_MIN: usize = 12;

/// A secret. It has neither `Display` nor a way to be serialised, and `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    text: String,
}

impl Secret {
    pub(crate) fn new(text: String) -> Secret {
        Secret { text }
    }

    /// The secret itself, for whoever sends it.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.text
    }

    /// Whether a text tells the secret. One that is as short as a word is none that could be told: it stands
    /// for one where nobody asks for it, and may stand anywhere.
    #[must_use]
    pub fn is_told_by(&self, text: &str) -> bool {
        self.text.len() >= TELLING_BYTES_MIN && text.contains(&self.text)
    }

    /// How many bytes at the end of a text may be the beginning of the secret, to be told with what follows.
    #[must_use]
    pub fn may_begin_within(&self, text: &str) -> usize {
        if self.text.len() < TELLING_BYTES_MIN {
            return 0;
        }
        let begins = |length: &usize| {
            self.text.get(..*length).is_some_and(|beginning| text.ends_with(beginning))
        };
        (1..self.text.len()).rev().find(begins).unwrap_or(0)
    }

    /// A text without the secret: some servers repeat what they were sent when they complain.
    #[must_use]
    pub fn strike(&self, text: &str) -> String {
        text.replace(&self.text, "<redacted>")
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<redacted>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_does_not_print_itself_and_is_struck_from_what_others_say() {
        let secret = Secret::new("sk-123".to_owned());
        assert_eq!(format!("{:?}", Some(&secret)), "Some(<redacted>)");
        assert_eq!(secret.strike("bad key sk-123, sk-123!"), "bad key <redacted>, <redacted>!");
        assert_eq!(secret.expose(), "sk-123");
    }
}
