//! The token: what a program has to show to be let in over HTTP.

use std::fs::{self, OpenOptions};
use std::hint::black_box;
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::{fmt, str};

use types::{Code, Digest, Problem};

/// A secret of 32 random bytes, written as 64 hex digits. It is never shown.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// The token in a file that only its owner can read. If there is none yet, or others could read
    /// it, it is made from `fresh`, which has to be random. The caller is the only one who looks.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn keep(file: &Path, fresh: [u8; 32]) -> Result<Token, Problem> {
        let kept = read(file).and_then(|kept| match kept {
            Some(token) => Ok(token),
            None => write(file, Digest::from_bytes(fresh)),
        });
        kept.map_err(|error| {
            let message = format!("cannot use {}: {error}", file.display());
            let hint = "check that you may write there; a token that is removed is made anew";
            Problem::new(Code::HomeInaccessible, message, hint)
        })
    }

    pub(crate) fn parse(text: &str) -> Option<Token> {
        text.parse::<Digest>().ok().map(|digits| Token(digits.to_string()))
    }

    /// Whether somebody has said the token. How long it takes says nothing about how much of it was
    /// right.
    pub(crate) fn is(&self, said: &str) -> bool {
        let (ours, theirs) = (self.0.as_bytes(), said.as_bytes());
        let differ = |differ: u8, (a, b): (&u8, &u8)| black_box(differ | (a ^ b));
        ours.len() == theirs.len() && ours.iter().zip(theirs).fold(0, differ) == 0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(<redacted>)")
    }
}

/// The token in a file, if it is whole and only its owner could have read it.
fn read(file: &Path) -> io::Result<Option<Token>> {
    let kept = match fs::metadata(file) {
        Ok(kept) => kept,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if kept.permissions().mode() & 0o077 != 0 {
        return Ok(None);
    }
    let bytes = fs::read(file)?;
    Ok(str::from_utf8(&bytes).ok().and_then(|text| Token::parse(text.trim())))
}

/// Writes beside the file and moves it there: whoever reads finds a whole token or none.
fn write(file: &Path, digits: Digest) -> io::Result<Token> {
    let beside = file.with_extension("part");
    match fs::remove_file(&beside) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut part = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
    writeln!(part, "{digits}")?;
    part.sync_all()?;
    fs::rename(&beside, file)?;
    Ok(Token(digits.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_made_once_and_kept_to_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("server.token");
        let made = Token::keep(&file, [7; 32]).unwrap();
        let found = Token::keep(&file, [8; 32]).unwrap();
        assert!(made.is(&"07".repeat(32)) && found.is(&made.0));
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_token_that_is_torn_or_that_others_could_read_is_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("server.token");
        Token::keep(&file, [7; 32]).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        let other = Token::keep(&file, [8; 32]).unwrap();
        assert!(other.is(&"08".repeat(32)));
        fs::write(&file, "0808").unwrap();
        assert!(Token::keep(&file, [9; 32]).unwrap().is(&"09".repeat(32)));
    }

    #[test]
    fn a_token_is_not_shown() {
        assert_eq!(format!("{:?}", Token("0".repeat(64))), "Token(<redacted>)");
    }
}
