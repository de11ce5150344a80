//! SHA-256 digests as values.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};

use crate::digits;
use crate::text::as_text;

/// A SHA-256 digest: 32 bytes in a database, 64 lower-case hex digits everywhere else.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

/// The digits.
const HEX: &[u8; 16] = b"0123456789abcdef";

impl Digest {
    /// The digest before the first one: what a hash chain starts from.
    pub const ZERO: Digest = Digest([0; 32]);

    /// The digest of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(Sha256::digest(bytes).into())
    }

    /// From its own bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Digest {
        Digest(bytes)
    }

    /// Its bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0_u8; 64];
        for (pair, byte) in text.chunks_exact_mut(2).zip(self.0) {
            pair[0] = HEX[usize::from(byte >> 4)];
            pair[1] = HEX[usize::from(byte & 15)];
        }
        f.write_str(str::from_utf8(&text).expect("hex digits are ASCII"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not 64 lower-case hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 lower-case hex digits")]
pub struct ParseDigestError;

/// What a digit stands for; every record that is read has some hundred of them.
const NIBBLES: [u8; 256] = digits::places(HEX, NO_DIGIT);

/// What stands for no digit: a bit that no digit has.
const NO_DIGIT: u8 = 16;

impl FromStr for Digest {
    type Err = ParseDigestError;

    fn from_str(text: &str) -> Result<Digest, ParseDigestError> {
        if text.len() != 64 {
            return Err(ParseDigestError);
        }
        let mut bytes = [0_u8; 32];
        let mut strange = 0;
        for (byte, [high, low]) in bytes.iter_mut().zip(text.as_bytes().as_chunks().0) {
            let (high, low) = (NIBBLES[usize::from(*high)], NIBBLES[usize::from(*low)]);
            *byte = high << 4 | low & 15;
            strange |= high | low;
        }
        if strange & NO_DIGIT == 0 { Ok(Digest(bytes)) } else { Err(ParseDigestError) }
    }
}

as_text!(Digest);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_goes_both_ways_and_nothing_else_parses() {
        let digest = Digest::from_bytes(std::array::from_fn(|i| u8::try_from(i * 7).unwrap()));
        assert_eq!(digest.to_string().parse::<Digest>(), Ok(digest));
        assert_eq!("00".parse::<Digest>(), Err(ParseDigestError));
        assert_eq!("G".repeat(64).parse::<Digest>(), Err(ParseDigestError));
        assert_eq!("A".repeat(64).parse::<Digest>(), Err(ParseDigestError));
    }
}
