//! Files that come in pieces, because one request holds only so much.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use types::{At, Code};

use crate::{Error, Journal};

use super::refuse::broken;

/// Bytes of all files that are on their way together. They are held in memory until they are whole.
const BYTES_MAX: usize = MIB_MAX << 20;
const MIB_MAX: usize = 256;

/// How long a file is kept of which no piece comes any more.
const PATIENCE_MS: i64 = 10 * 60 * 1_000;

/// Files of which some pieces are there. It forgets them with the process: a file is brought in when
/// it is whole, and until then nothing of it counts.
#[derive(Debug, Default)]
pub(crate) struct Inbox(Mutex<BTreeMap<String, Upload>>);

#[derive(Debug)]
struct Upload {
    text: String,
    pieces: usize,
    last: At,
}

impl Journal {
    /// Takes the next piece of a file that is too large for one request; the first has no name yet.
    /// Answers with the name under which the others come.
    ///
    /// # Errors
    /// If a piece is missing before it, or more is on its way than is held.
    pub fn import_piece(
        &self,
        upload: Option<String>,
        number: usize,
        piece: &str,
    ) -> Result<String, Error> {
        let now = self.world.now();
        let name = upload.unwrap_or_else(|| format!("upload_{}", self.world.ulid()));
        self.inbox.take(name, number, piece, now)
    }

    /// A file that came in pieces, with its last one.
    ///
    /// # Errors
    /// If pieces are missing.
    pub fn import_whole(&self, upload: &str, number: usize, last: &str) -> Result<String, Error> {
        let name = self.inbox.take(upload.to_owned(), number, last, self.world.now())?;
        let mut uploads = self.inbox.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(uploads.remove(&name).map(|upload| upload.text).unwrap_or_default())
    }
}

impl Inbox {
    fn take(&self, name: String, number: usize, piece: &str, now: At) -> Result<String, Error> {
        let mut uploads = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A clock that was set back makes nobody wait longer than their patience.
        uploads.retain(|_, upload| (now.millis() - upload.last.millis()).abs() < PATIENCE_MS);
        let held: usize = uploads.values().map(|upload| upload.text.len()).sum();
        let own = uploads.get(&name).map_or(0, |upload| upload.text.len());
        if own + piece.len() > BYTES_MAX {
            let message =
                format!("the file is too large: at most {MIB_MAX} MiB can be imported at once");
            return Err(Error::refuse(
                Code::LimitReached,
                message,
                "split it, and import its parts",
            ));
        }
        if held + piece.len() > BYTES_MAX {
            let message = "more is being imported at once than is held in memory";
            return Err(Error::refuse(Code::StoreBusy, message, "import one file after the other"));
        }
        if number == 0 {
            let upload = Upload { text: String::new(), pieces: 0, last: now };
            uploads.insert(name.clone(), upload);
        }
        let upload = uploads.get_mut(&name).filter(|upload| upload.pieces == number);
        let upload =
            upload.ok_or_else(|| broken("pieces of the file are missing; send it again"))?;
        upload.text += piece;
        upload.pieces += 1;
        upload.last = now;
        Ok(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_in_their_order_and_are_forgotten_in_time() {
        let inbox = Inbox::default();
        let at = |minutes: i64| At::from_millis(minutes * 60_000);
        inbox.take("a".to_owned(), 0, "one ", at(0)).unwrap();
        inbox.take("b".to_owned(), 0, "other", at(1)).unwrap();
        assert!(inbox.take("a".to_owned(), 2, "three", at(1)).is_err());
        inbox.take("a".to_owned(), 1, "two", at(9)).unwrap();
        assert_eq!(inbox.0.lock().unwrap()["a"].text, "one two");
        assert!(inbox.take("b".to_owned(), 1, "late", at(12)).is_err());
        assert!(inbox.take("nobody".to_owned(), 1, "x", at(12)).is_err());
    }

    #[test]
    fn one_that_is_too_large_is_told_so_and_one_too_many_to_come_later() {
        let (inbox, now) = (Inbox::default(), At::EPOCH);
        let code = |taken: Result<String, Error>| types::Problem::from(taken.unwrap_err()).code;
        let half = "x".repeat(BYTES_MAX / 2 + 1);
        inbox.take("a".to_owned(), 0, &half, now).unwrap();
        assert_eq!(code(inbox.take("a".to_owned(), 1, &half, now)), Code::LimitReached);
        assert_eq!(code(inbox.take("b".to_owned(), 0, &half, now)), Code::StoreBusy);
    }
}
